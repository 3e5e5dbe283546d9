// The drawn form of a system: single states, and parts that stand for many states.
"use strict";

/** Most states that are initially drawn individually. */
const FEW = 2000;
/** Most parts by depth, and most states that are drawn when a part is opened. */
const MOST_PARTS = 120;
const OPENED = 300;

class Picture {
  constructor(system) {
    this.system = system;
    /** The grouping, whose classes are the parts; null if all states are drawn individually. */
    this.grouping = null;
    this.open = new Set();
    /** States that are drawn although their part is closed. */
    this.single = new Set();
    this.build();
  }

  group(grouping) {
    this.grouping = grouping;
    this.open.clear();
    this.single.clear();
    this.build();
  }

  /** Opens or closes a part. */
  toggle(part) {
    if (!this.open.delete(part)) this.open.add(part);
    this.single.clear();
    this.build();
  }

  /** Draws states individually; returns whether that changed the picture. */
  reveal(states) {
    const hidden = states.filter((state) => this.nodes[this.nodeOf[state]].part !== undefined);
    for (const state of hidden) this.single.add(state);
    if (hidden.length) this.build();
    return hidden.length > 0;
  }

  /** Builds the nodes and the arrows. */
  build() {
    const { system } = this;
    const before = new Map((this.nodes || []).map((node) => [node.key, node]));
    this.nodes = [];
    this.nodeOf = new Int32Array(system.states).fill(-1);
    const parts = new Map();
    const shown = new Map();
    for (let state = 0; state < system.states; state += 1) {
      const part = this.grouping && this.grouping.classes[state];
      const count = shown.get(part) || 0;
      const alone = this.grouping === null || this.single.has(state) ||
        (this.open.has(part) && count < OPENED);
      if (alone) {
        shown.set(part, count + 1);
        this.nodeOf[state] = this.nodes.length;
        this.nodes.push({ key: `s${state}`, state, size: 1, layer: system.layer[state], reached: system.depth[state] >= 0 });
        continue;
      }
      if (!parts.has(part)) {
        parts.set(part, this.nodes.length);
        this.nodes.push({ key: `p${part}`, part, size: 0, deadlocks: 0, layer: Infinity, reached: false });
      }
      const node = this.nodes[parts.get(part)];
      this.nodeOf[state] = parts.get(part);
      node.size += 1;
      node.deadlocks += system.isDeadlock(state);
      node.initial = node.initial || state === system.initial;
      node.reached = node.reached || system.depth[state] >= 0;
      node.layer = Math.min(node.layer, system.layer[state]);
    }
    for (const node of this.nodes) {
      const old = before.get(node.key);
      if (old) Object.assign(node, { x: old.x, y: old.y });
      if (node.part !== undefined) {
        node.rest = this.open.has(node.part);
        node.text = this.grouping.names[node.part] ?? "no value";
      }
    }
    this.connect();
  }

  /** Builds one arrow for all steps between two nodes that are drawn alike. */
  connect() {
    const { system } = this;
    const found = new Map();
    this.arrowOf = new Int32Array(system.source.length).fill(-1);
    this.arrows = [];
    for (let row = 0; row < system.source.length; row += 1) {
      const source = this.nodeOf[system.source[row]];
      const target = this.nodeOf[system.target[row]];
      if (source === target && this.nodes[source].part !== undefined) continue;
      const kind = (system.internal.has(system.label[row]) ? 1 : 0) + (system.jumps.has(system.label[row]) ? 2 : 0);
      const key = (source * this.nodes.length + target) * 4 + kind;
      let number = found.get(key);
      if (number === undefined) {
        number = this.arrows.length;
        found.set(key, number);
        this.arrows.push({ source: this.nodes[source], target: this.nodes[target], kind, rows: [] });
      }
      this.arrowOf[row] = number;
      this.arrows[number].rows.push(row);
    }
    const pairs = new Map();
    for (const arrow of this.arrows) {
      const pair = `${arrow.source.key} ${arrow.target.key}`;
      arrow.beside = pairs.get(pair) || 0;
      pairs.set(pair, arrow.beside + 1);
    }
    for (const arrow of this.arrows) {
      arrow.both = pairs.has(`${arrow.target.key} ${arrow.source.key}`);
      arrow.texts = this.textsOf(arrow);
    }
  }

  /** Returns the text of an arrow: labels, or the number of steps. */
  textsOf(arrow) {
    const { system } = this;
    if (arrow.source.part !== undefined || arrow.target.part !== undefined) {
      return [counted(arrow.rows.length, "step")];
    }
    const texts = arrow.rows.slice(0, 3).map((row) => clipped(system.shown[system.label[row]], 32) || "“”");
    return arrow.rows.length > 3 ? [...texts.slice(0, 2), `+${arrow.rows.length - 2} more`] : texts;
  }
}

/** Returns the groupings of a system into parts. */
function groupings(system, colourings) {
  const found = colourings.filter((each) => each.name !== "nothing" && !each.scale &&
    each.names.length > 1 && each.names.length <= FEW);
  return [depths(system), ...found];
}

/** Returns the grouping of states by depth, merging depths if there are many. */
function depths(system) {
  const each = Math.ceil((system.deepest + 1) / MOST_PARTS);
  const count = Math.ceil((system.deepest + 1) / each);
  const names = Array.from({ length: count }, (_, part) => {
    const last = Math.min(system.deepest, (part + 1) * each - 1);
    return last === part * each ? `depth ${last}` : `depth ${part * each}–${last}`;
  });
  const classes = Uint32Array.from(system.depth, (depth) => (depth < 0 ? count : Math.floor(depth / each)));
  return new Colouring("depth", classes, [...names, "unreachable"]);
}
