// Clusters: sets of states that are drawn as one part, by depth, by classes, or by both; a large one
// is opened by dividing it.
"use strict";

/** Most states that are initially drawn individually: however often their arrows cross, and if
 * these cross less often than TANGLED times each. */
const FEWEST = 300;
const FEW = 2000;
const TANGLED = 1.5;
/** Most classes by which states are clustered. */
const MOST_GROUPED = 5000;
/** Most clusters by depth, most by depth and class, and most pieces into which one is divided. */
const MOST_PARTS = 120;
const MOST_CLUSTERS = 400;
const MOST_PIECES = 12;
/** A division that leaves more than this share in one piece is of no use. */
const UNDIVIDED = 0.9;

/** Returns the groupings of a system into clusters. */
function groupings(system, colourings) {
  const found = colourings.filter((each) => each.name !== "nothing" && !each.scale &&
    each.names.length > 1 && each.names.length <= MOST_GROUPED);
  const few = found.filter((each) => each.names.length <= MOST_PIECES);
  return [depths(system, MOST_PARTS), ...few.map((each) => depthAndClass(system, each)), ...found];
}

/** Returns the grouping of states by depth, merging depths if there are many. */
function depths(system, most) {
  const each = Math.ceil((system.deepest + 1) / most);
  const count = Math.ceil((system.deepest + 1) / each);
  const names = Array.from({ length: count }, (_, part) => {
    const last = Math.min(system.deepest, (part + 1) * each - 1);
    return last === part * each ? `depth ${last}` : `depth ${part * each}–${last}`;
  });
  const classes = new Uint32Array(system.states);
  for (let state = 0; state < system.states; state += 1) {
    const depth = system.depth[state];
    classes[state] = depth < 0 ? count : Math.floor(depth / each);
  }
  return new Colouring("depth", classes, [...names, "unreachable"]);
}

/** Returns the grouping of states by depth, and those of a depth by their class. */
function depthAndClass(system, colouring) {
  const layers = depths(system, Math.max(2, Math.floor(MOST_CLUSTERS / colouring.names.length)));
  const found = new Map();
  const names = [];
  const classes = new Uint32Array(system.states);
  for (let state = 0; state < system.states; state += 1) {
    const key = layers.classes[state] * colouring.names.length + colouring.classes[state];
    let number = found.get(key);
    if (number === undefined) {
      number = names.length;
      found.set(key, number);
      names.push(`${layers.names[layers.classes[state]]}, ${colouring.nameOf(state) ?? "no value"}`);
    }
    classes[state] = number;
  }
  return new Colouring(`depth × ${colouring.name}`, classes, names);
}

/** The clusters of a grouping, some of them divided. */
class Clusters {
  constructor(grouping) {
    this.grouping = grouping;
    this.of = Int32Array.from(grouping.classes);
    this.list = grouping.names.map((name, number) =>
      ({ text: name ?? "no value", size: grouping.counts[number], parent: null }));
  }

  /** Divides a cluster by the first colouring that tells its states apart; returns whether one does. */
  divide(number, colourings) {
    const states = [];
    this.of.forEach((each, state) => each === number && states.push(state));
    for (const colouring of colourings) {
      const counts = new Map();
      for (const state of states) counts.set(colouring.classes[state], (counts.get(colouring.classes[state]) || 0) + 1);
      const order = [...counts].sort((one, other) => other[1] - one[1]);
      if (order[0][1] > UNDIVIDED * states.length) continue;
      const few = order.length > MOST_PIECES ? order.slice(0, MOST_PIECES - 1) : order;
      const pieces = new Map();
      const { text } = this.list[number];
      for (const [value, size] of few) {
        pieces.set(value, this.list.length);
        this.list.push({ text: `${text}, ${colouring.names[value] ?? "no value"}`, size, parent: number });
      }
      const others = this.list.length;
      const left = order.slice(few.length).reduce((sum, [, size]) => sum + size, 0);
      if (left) this.list.push({ text: `${text}, ${order.length - few.length} more classes`, size: left, parent: number });
      for (const state of states) this.of[state] = pieces.get(colouring.classes[state]) ?? others;
      return true;
    }
    return false;
  }

  /** Undoes the division of which a cluster is a piece; returns the whole. */
  merge(number) {
    const { parent } = this.list[number];
    const isInside = this.list.map((_, each) => {
      let at = each;
      while (at !== null && at !== parent) at = this.list[at].parent;
      return at === parent;
    });
    this.of.forEach((each, state) => { if (isInside[each]) this.of[state] = parent; });
    return parent;
  }
}
