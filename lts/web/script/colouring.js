// Ways to colour the states of a system: by classes, or along a scale.
"use strict";

class Colouring {
  constructor(name, classes, names, { scale = false, shared = false, numbered = false } = {}) {
    Object.assign(this, { name, classes, names, scale, shared, numbered });
    this.counts = new Uint32Array(names.length);
    for (const each of classes) this.counts[each] += 1;
  }

  /** Returns the fill and the hatching of a state, null if it has none. */
  looks(state) {
    const number = this.classes[state];
    if (this.scale) {
      const last = this.names.length - 1;
      return number > last - 1 && this.unreached ? null
        : { fill: onScale(last > 0 ? number / last : 0), hatching: 0 };
    }
    return this.names[number] === null ? null : looks(number);
  }

  nameOf(state) {
    return this.names[this.classes[state]];
  }
}

/** Returns the colourings of a system's states; the first one is the default. */
function colourings(system) {
  const given = system.colourings.map((each) => {
    const numbered = /^(block|orbit) \d+$/.test(each.names[0] || "");
    return new Colouring(each.name, each.classes, each.names, { shared: each.shared, numbered });
  });
  const values = system.values.map((each) => {
    const name = each.group ? `${each.group}: ${each.name}` : each.name;
    return new Colouring(name, each.indices, each.values);
  });
  const plain = new Colouring("nothing", new Uint32Array(system.states), [null]);
  return [...given, byDepth(system), ...values, plain];
}

/** Returns a colouring of states by their distance from the initial one. */
function byDepth(system) {
  const names = Array.from({ length: system.deepest + 1 }, (_, depth) => `depth ${depth}`);
  const classes = Uint32Array.from(system.depth, (depth) => (depth < 0 ? names.length : depth));
  const unreached = system.reachable < system.states;
  const found = new Colouring("depth", classes, [...names, "unreachable"], { scale: true });
  if (!unreached) {
    found.names = names;
    found.counts = found.counts.subarray(0, names.length);
  }
  found.unreached = unreached;
  return found;
}
