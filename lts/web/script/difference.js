// The difference of two systems: a run of one, and how far the other can follow it.
"use strict";

class DifferenceRun {
  constructor(app, { text, owner, states, labels, weak, judged }) {
    Object.assign(this, { app, text, states, labels, judged });
    [this.pane, this.other] = [app.panes[owner], app.panes[1 - owner]];
    const { system } = this.pane;
    this.rows = labels.map((label, number) => system.steps(states[number])
      .find((row) => system.labels[system.label[row]] === label && system.target[row] === states[number + 1]));
    const isInternal = (label) => system.internal.has(system.labels.indexOf(label));
    /** The states that the other system may have reached after each step of the run. */
    this.layers = this.other.system.sets(labels.map((label) => (isInternal(label) ? null : label)), weak);
    const [own, theirs] = [this.pane, this.other].map((each) => each.colourings.find((colouring) => colouring.shared));
    const isJudged = (label) => judged === "every" || (judged === "visible" && !isInternal(label));
    const isMatched = (set, number) => set.size > 0 && (!isJudged(labels[number - 1]) ||
      [...set].some((state) => theirs.classes[state] === own.classes[states[number]]));
    /** The first step that the other system cannot match by reaching an equivalent state, or -1. */
    this.unmatched = this.layers.findIndex((set, number) => number > 0 && !isMatched(set, number));
  }

  /** Highlights the run up to the step that cannot be matched, and describes that. */
  show() {
    this.app.walk(this.pane, this.rows);
    this.pane.position = this.unmatched < 0 ? this.labels.length : this.unmatched;
    this.app.along(0);
    const section = document.getElementById("difference");
    section.hidden = false;
    const button = element("button", { type: "button", id: "again", title: "Follow this run step by step" }, "▶ Play the run");
    button.addEventListener("click", () => {
      this.app.walk(this.pane, this.rows);
      this.app.player.start();
    });
    section.querySelector(".content").replaceChildren(
      element("p", { className: "text" }, clipped(this.text.split("\n").map(visible).join("\n"), 3000)),
      element("p", {}, this.described()), element("div", { className: "buttons" }, button));
  }

  /** Marks the states that the other system may be in while the run is followed. */
  follow() {
    const { pane, other, layers } = this;
    const isRun = pane.trace.length === this.rows.length && pane.trace.every((row, number) => row === this.rows[number]);
    const { position } = pane;
    let set = layers[Math.min(position, layers.length - 1)];
    // Where the other has no such step, it stays where it was.
    if (set.size === 0) set = layers[Math.min(position, layers.length - 1) - 1];
    other.others = isRun ? set : new Set();
    if (!isRun) return other.light();
    const some = [...set].slice(0, FEW);
    other.reveal(some);
    other.light();
    if (some.length) other.centre(some[0]);
    return null;
  }

  /** Describes which step of the run the other system cannot match. */
  described() {
    const { layers, unmatched, states, labels } = this;
    const other = visible(this.other.system.title);
    const listed = (set) => {
      const more = set.size > 12 ? ", …" : "";
      return `${set.size === 1 ? "state" : "states"} ${[...set].slice(0, 12).join(", ")}${more}`;
    };
    if (unmatched < 0) return `${other} can follow this run, to ${listed(layers[layers.length - 1])}.`;
    const step = `Step ${unmatched}, “${clipped(visible(labels[unmatched - 1]), 200)}” to state ${states[unmatched]}, cannot be matched: `;
    if (layers[unmatched].size === 0) return `${step}${other} has no such step from ${listed(layers[unmatched - 1])}.`;
    return `${step}${other} can only reach ${listed(layers[unmatched])}, ${layers[unmatched].size === 1 ? "which is not" : "none of which is"} equivalent.`;
  }
}
