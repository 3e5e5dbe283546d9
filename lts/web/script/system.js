// A labelled transition system: steps, depths, shortest paths, traces.
"use strict";

class System {
  constructor(content) {
    Object.assign(this, content); // title, states, initial, labels, label, degrees, ahead, ...
    this.shown = this.labels.map(visible);
    this.internal = new Set(this.internal);
    this.jumps = new Set(this.jumps);
    this.starts = new Uint32Array(this.states + 1);
    this.source = new Uint32Array(this.label.length);
    this.target = new Uint32Array(this.label.length);
    for (let state = 0, row = 0; state < this.states; state += 1) {
      for (let left = this.degrees[state]; left > 0; left -= 1, row += 1) {
        this.source[row] = state;
        this.target[row] = state + this.ahead[row]; // modulo 2^32
      }
      this.starts[state + 1] = row;
    }
    this.search();
  }

  /** Computes the depth of every state, -1 if unreachable, and the first step to each. */
  search() {
    this.depth = new Int32Array(this.states).fill(-1);
    this.entry = new Int32Array(this.states).fill(-1);
    /** Depths for the layout; those of unreachable states start at an unreachable state. */
    this.layer = new Int32Array(this.states).fill(-1);
    this.deepest = 0;
    this.reachable = 0;
    const waiting = new Uint32Array(this.states);
    for (let start = -1; start < this.states; start += 1) {
      const first = start < 0 ? this.initial : start;
      if (this.layer[first] >= 0) continue;
      this.layer[first] = 0;
      let end = 1;
      waiting[0] = first;
      for (let next = 0; next < end; next += 1) {
        const state = waiting[next];
        for (let row = this.starts[state]; row < this.starts[state + 1]; row += 1) {
          const target = this.target[row];
          if (this.layer[target] < 0) {
            this.layer[target] = this.layer[state] + 1;
            this.entry[target] = row;
            waiting[end] = target;
            end += 1;
          }
        }
      }
      if (start < 0) {
        this.reachable = end;
        this.deepest = this.layer[waiting[end - 1]];
        this.depth.set(this.layer);
      }
    }
  }

  isDeadlock(state) {
    return this.starts[state] === this.starts[state + 1];
  }

  /** Returns the positions of the steps from a state. */
  steps(state) {
    const found = [];
    for (let row = this.starts[state]; row < this.starts[state + 1]; row += 1) found.push(row);
    return found;
  }

  /** Returns the positions of the steps to a state. */
  stepsTo(state) {
    if (!this.incoming) {
      const starts = new Uint32Array(this.states + 1);
      for (const target of this.target) starts[target + 1] += 1;
      for (let each = 0; each < this.states; each += 1) starts[each + 1] += starts[each];
      const rows = new Uint32Array(this.target.length);
      const next = starts.slice();
      this.target.forEach((target, row) => {
        rows[next[target]] = row;
        next[target] += 1;
      });
      this.incoming = { starts, rows };
    }
    const { starts, rows } = this.incoming;
    return [...rows.subarray(starts[state], starts[state + 1])];
  }

  /** Returns the steps of a shortest path from the initial state, null if there is none. */
  pathTo(state) {
    if (this.depth[state] < 0) return null;
    const rows = [];
    for (let at = state; at !== this.initial; at = this.source[rows[rows.length - 1]]) {
      rows.push(this.entry[at]);
    }
    return rows.reverse();
  }

  /** Returns the choice of a step: the number, from 1, of its target among those of its label. */
  choice(row) {
    let number = 0;
    for (let other = this.starts[this.source[row]]; other <= row; other += 1) {
      number += this.label[other] === this.label[row];
    }
    return number;
  }

  /** Whether a step is one of a trace. */
  fits(row, step) {
    const number = this.label[row];
    const same = this.labels[number] === step.label || this.shown[number] === step.label ||
      (step.label === "tau" && this.internal.has(number));
    return same && (step.choice === null || step.choice === this.choice(row));
  }

  /** Follows a trace from the initial state: its steps as far as possible, and the obstacle. */
  follow(trace) {
    const layers = [new Map([[this.initial, -1]])];
    let failed = null;
    for (const step of trace) {
      const next = new Map();
      for (const state of layers[layers.length - 1].keys()) {
        for (const row of this.steps(state)) {
          if (this.fits(row, step) && !next.has(this.target[row])) next.set(this.target[row], row);
        }
      }
      if (next.size === 0) {
        failed = { step, number: layers.length, states: [...layers[layers.length - 1].keys()] };
        break;
      }
      layers.push(next);
    }
    const rows = [];
    let [state] = layers[layers.length - 1].keys();
    for (const layer of layers.slice(1).reverse()) {
      rows.push(layer.get(state));
      state = this.source[layer.get(state)];
    }
    return { rows: rows.reverse(), failed };
  }

  /** Returns the labels of the steps from some states. */
  offers(states) {
    const found = new Set(states.flatMap((state) => this.steps(state).map((r) => this.label[r])));
    return [...found].map((number) => this.shown[number]);
  }

  /** Returns the states reached after each of some labels (null is an internal step); if `weak`,
   * internal steps are skipped. */
  sets(labels, weak) {
    const closed = (states) => {
      const found = new Set(states);
      for (const state of weak ? found : []) {
        for (const row of this.steps(state)) {
          if (this.internal.has(this.label[row])) found.add(this.target[row]);
        }
      }
      return found;
    };
    const layers = [closed([this.initial])];
    for (const label of labels) {
      if (weak && label === null) {
        layers.push(layers[layers.length - 1]);
        continue;
      }
      const next = [];
      for (const state of layers[layers.length - 1]) {
        for (const row of this.steps(state)) {
          const number = this.label[row];
          const same = label === null ? this.internal.has(number)
            : this.labels[number] === label && !this.internal.has(number);
          if (same) next.push(this.target[row]);
        }
      }
      layers.push(closed(next));
      if (layers[layers.length - 1].size === 0) break;
    }
    return layers;
  }
}
