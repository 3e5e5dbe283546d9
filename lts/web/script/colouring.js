// Ways to colour the states of a system: by classes, or along a scale.
"use strict";

class Colouring {
  constructor(name, classes, names, { scale = false, shared = false, numbered = false } = {}) {
    Object.assign(this, { name, classes, names, scale, shared, numbered });
    this.counts = new Uint32Array(names.length);
    for (let state = 0; state < classes.length; state += 1) this.counts[classes[state]] += 1;
  }

  /** Returns the fill and the hatching of a state, null if it has none. */
  looks(state) {
    return this.looksOf(this.classes[state]);
  }

  /** Returns the fill and the hatching of a class, null if it has none. */
  looksOf(number) {
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

/** Classes up to which the states of a large system are coloured by them at first. */
const TELLING = 40;

/** Returns the colouring that is shown at first: one whose classes say something about the states. */
function usualColouring(system, found) {
  const most = system.states > FEW ? TELLING : system.states / 1.5;
  return found.find((each) => each.shared) ||
    found.find((each) => each.names.length > 1 && each.names.length <= most) || found.find((each) => each.scale);
}

/** Returns a colouring of states by their distance from the initial one. */
function byDepth(system) {
  const names = Array.from({ length: system.deepest + 1 }, (_, depth) => `depth ${depth}`);
  const classes = new Uint32Array(system.states);
  for (let state = 0; state < system.states; state += 1) classes[state] = system.depth[state] < 0 ? names.length : system.depth[state];
  const unreached = system.reachable < system.states;
  const found = new Colouring("depth", classes, [...names, "unreachable"], { scale: true });
  if (!unreached) {
    found.names = names;
    found.counts = found.counts.subarray(0, names.length);
  }
  found.unreached = unreached;
  return found;
}
