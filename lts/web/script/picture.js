// The drawn form of a system: single states, and parts that stand for many states.
"use strict";

/** Most states that are drawn when a part is opened. */
const OPENED = 300;
/** Most nodes of a picture whose clusters are boxes with texts. */
const MOST_BOXES = 200;

class Picture {
  constructor(system, grouping) {
    this.system = system;
    /** The clusters, which are the parts; null if all states are drawn individually. */
    this.clusters = null;
    /** Where states were dragged to, by the keys of their nodes. */
    this.pins = new Map();
    this.open = new Set();
    /** States that are drawn although their part is closed. */
    this.single = new Set();
    this.group(grouping);
  }

  get grouping() {
    return this.clusters && this.clusters.grouping;
  }

  /** Whether there are so many clusters that they are drawn as dots, without texts. */
  get hasDots() {
    return this.clusters !== null && this.nodes.length > MOST_BOXES;
  }

  group(grouping) {
    this.clusters = grouping && new Clusters(grouping);
    this.open.clear();
    this.single.clear();
    this.build();
  }

  /** Opens a part: draws its states, or divides it if it is large and a colouring divides it. */
  expand(part, colourings) {
    if (this.clusters.list[part].size <= OPENED || !this.clusters.divide(part, colourings)) this.open.add(part);
    this.build();
  }

  /** Closes a part whose states are drawn, or else the one of which it is a piece. */
  close(part) {
    const isOpen = this.open.delete(part);
    if (!isOpen && this.clusters.list[part].parent !== null) {
      const whole = this.clusters.merge(part);
      for (const each of this.open) if (!this.clusters.of.includes(each)) this.open.delete(each);
      part = whole;
    }
    this.single.clear();
    this.build();
    return part;
  }

  /** Whether a node is a part, or in it. */
  isWithin(node, part) {
    let at = node.part ?? this.clusters.of[node.state];
    while (at !== null && at !== part) at = this.clusters.list[at].parent;
    return at === part;
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
    const of = this.clusters && this.clusters.of;
    const parts = new Map();
    const shown = new Map();
    for (let state = 0; state < system.states; state += 1) {
      const part = of && of[state];
      const isOpen = of !== null && this.open.has(part);
      const count = isOpen ? shown.get(part) || 0 : 0;
      const alone = of === null || (isOpen && count < OPENED) || this.single.has(state);
      if (alone) {
        shown.set(part, count + 1);
        this.nodeOf[state] = this.nodes.length;
        this.nodes.push({ key: `s${state}`, state, size: 1, initial: state === system.initial, layer: system.layer[state], reached: system.depth[state] >= 0 });
        continue;
      }
      if (!parts.has(part)) {
        parts.set(part, this.nodes.length);
        this.nodes.push({ key: `p${part}`, part, first: state, size: 0, deadlocks: 0, layer: Infinity, reached: false });
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
        node.text = this.clusters.list[node.part].text;
      }
    }
    this.connect();
  }

  /** Builds one arrow for all steps between two nodes that are drawn alike. */
  connect() {
    const { system } = this;
    const { nodes, nodeOf } = this;
    // A table as long as there is memory for one, which is faster.
    const found = 4 * nodes.length ** 2 <= 2 ** 24 ? new Int32Array(4 * nodes.length ** 2) : new Map();
    const isTable = found instanceof Int32Array;
    const kinds = system.labels.map((_, label) => (system.internal.has(label) ? 1 : 0) + (system.jumps.has(label) ? 2 : 0));
    this.arrowOf = new Int32Array(system.source.length).fill(-1);
    this.arrows = [];
    for (let row = 0; row < system.source.length; row += 1) {
      const source = nodeOf[system.source[row]];
      const target = nodeOf[system.target[row]];
      if (source === target && nodes[source].part !== undefined) continue;
      const kind = kinds[system.label[row]];
      const key = (source * nodes.length + target) * 4 + kind;
      let number = (isTable ? found[key] : found.get(key)) || 0;
      if (number === 0) {
        this.arrows.push({ source: nodes[source], target: nodes[target], kind, rows: [] });
        number = this.arrows.length;
        if (isTable) found[key] = number;
        else found.set(key, number);
      }
      this.arrowOf[row] = number - 1;
      this.arrows[number - 1].rows.push(row);
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
