// The page: its panes, the selection, and the correspondence between both systems.
"use strict";

/** Most states corresponding to the selected one that are drawn although their part is closed. */
const LINKED = 20;

class App {
  constructor(content) {
    this.content = content;
    const panes = document.getElementById("panes");
    panes.classList.toggle("two", content.systems.length > 1);
    this.panes = content.systems.map((system) => new Pane(this, system, panes));
    this.active = this.panes[0];
    this.heading();
    this.controls();
    for (const pane of this.panes) {
      if (pane.system.states > FEW) pane.picture.group(pane.groupings[0]);
      pane.arrange();
      pane.fit();
    }
    listen(this);
    this.activate(this.active, true);
    this.select(this.active, null);
    if (content.difference) this.showDifference();
  }

  heading() {
    const title = document.getElementById("title");
    title.append(visible(this.content.title) || "Labelled transition system");
    if (this.panes.length === 1) title.append(element("small", {}, this.active.sizes()));
  }

  controls() {
    const on = (id, event, act) => document.getElementById(id).addEventListener(event, act);
    on("search", "input", (event) => search(this, event.target.value));
    on("search", "keydown", (event) => event.key === "Enter" && nextMatch(this, event.shiftKey ? -1 : 1));
    on("colour", "change", (event) => this.colour(Number(event.target.value)));
    on("grouping", "change", (event) => this.group(Number(event.target.value)));
    on("layout", "change", (event) => this.arrange(event.target.value));
    on("fit", "click", () => this.panes.forEach((pane) => pane.fit()));
    on("theme", "click", () => this.theme());
    on("help", "click", () => document.getElementById("keys").showModal());
    on("follow", "click", () => followTyped(this));
    on("steps", "keydown", (event) => event.key === "Enter" && event.ctrlKey && followTyped(this));
    on("back", "click", () => this.along(-1));
    on("forth", "click", () => this.along(1));
    on("clear", "click", () => this.walk(this.active, []));
    const preferred = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.theme(preferred ? "dark" : "light");
  }

  /** Switches between light and dark, or to a given one of them. */
  theme(name) {
    const root = document.documentElement;
    root.dataset.theme = name || (root.dataset.theme === "dark" ? "light" : "dark");
    document.getElementById("theme").textContent = root.dataset.theme === "dark" ? "Light" : "Dark";
    for (const pane of this.panes) pane.repaint();
    if (this.active.painter.ink) requestAnimationFrame(() => showLegend(this, this.active));
  }

  /** Connects the controls to a pane. */
  activate(pane, first = false) {
    if (pane === this.active && !first) return;
    this.active = pane;
    for (const each of this.panes) each.frame.classList.toggle("active", each === pane);
    const options = (id, names, chosen) => {
      const made = names.map((name, number) => element("option", { value: number, selected: number === chosen }, clipped(visible(name), 60)));
      document.getElementById(id).replaceChildren(...made);
    };
    options("colour", pane.colourings.map((each) => each.name), pane.colourings.indexOf(pane.colouring));
    const grouping = pane.groupings.indexOf(pane.picture.grouping);
    const parts = pane.groupings.map((each) => `parts: ${each.name}`);
    options("grouping", ["all states", ...parts], grouping + 1);
    document.getElementById("layout").value = pane.layout;
    showTrace(this, pane);
    showState(this, pane);
    showLegend(this, pane);
    const typed = document.getElementById("search").value;
    if (typed) search(this, typed);
  }

  colour(number) {
    const { name } = this.active.colourings[number];
    for (const pane of this.panes) {
      const same = pane.colourings.find((each) => each.name === name);
      if (!same) continue;
      pane.colouring = same;
      pane.emphasised = null;
      pane.repaint();
    }
    document.getElementById("colour").value = number;
    showLegend(this, this.active);
  }

  /** Shows all states, or parts by a grouping. */
  group(number) {
    const pane = this.active;
    if (number === 0 && pane.system.states > 5 * FEW &&
      !window.confirm(`Draw all ${counted(pane.system.states, "state")}? This may take a long time.`)) {
      document.getElementById("grouping").value = pane.groupings.indexOf(pane.picture.grouping) + 1;
      return;
    }
    pane.shownPart = undefined;
    pane.picture.group(number ? pane.groupings[number - 1] : null);
    document.getElementById("grouping").value = number;
    pane.arrange();
    pane.fit();
    showState(this, pane);
    showLegend(this, pane);
  }

  arrange(layout) {
    document.getElementById("layout").value = layout;
    this.active.layout = layout;
    this.active.arrange();
    this.active.fit();
    if (layout === "springs") setTimeout(() => this.active.layout === "springs" && this.active.fit(), 1500);
  }

  next(id) {
    const select = document.getElementById(id);
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    select.dispatchEvent(new Event("change"));
  }

  /** Selects a state of a pane, or none; corresponding states are highlighted on both sides. */
  select(pane, state, { centre = false } = {}) {
    this.activate(pane);
    pane.selected = state;
    pane.shownPart = undefined;
    if (state !== null) pane.reveal([state]);
    this.link(pane, state);
    pane.light();
    if (centre && state !== null) pane.centre(state);
    showState(this, pane);
  }

  /** Returns the name of a class that both systems share, such as `block`; null if there is none. */
  linkName() {
    const shared = this.active.colourings.find((each) => each.shared);
    return this.panes.length > 1 && shared ? shared.name.replace(/s$/, "") : null;
  }

  link(pane, state) {
    for (const each of this.panes) each.linked = new Set();
    const own = pane.colourings.find((each) => each.shared || (each.name === "orbits" && each === pane.colouring));
    if (state === null || !own) return;
    for (const each of this.panes) {
      const same = each.colourings.find((other) => other.name === own.name);
      if (!same) continue;
      same.classes.forEach((number, other) => {
        if (number === own.classes[state]) each.linked.add(other);
      });
      if (each !== pane && each.selected !== null) {
        each.selected = null;
        each.light();
      }
      const some = [...each.linked].slice(0, LINKED);
      if (each !== pane && some.length) {
        each.reveal(some);
        each.centre(some[0]);
      }
      each.repaint();
    }
  }

  emphasise(pane, number) {
    const now = pane.emphasised === number ? null : number;
    for (const each of this.panes) {
      if (each === pane || (pane.colouring.shared && each.colouring.name === pane.colouring.name)) each.emphasised = now;
      each.repaint();
    }
    showLegend(this, pane);
  }

  /** Highlights consecutive steps from the initial state. */
  walk(pane, rows, { keepText = false } = {}) {
    this.activate(pane);
    pane.trace = rows;
    pane.position = rows.length;
    const states = [pane.system.initial, ...rows.map((row) => pane.system.target[row])];
    pane.reveal([...new Set(states)].slice(0, FEW));
    this.select(pane, rows.length ? states[states.length - 1] : pane.selected, { centre: rows.length > 0 });
    showTrace(this, pane, keepText);
  }

  /** Highlights a shortest path from the initial state. */
  walkTo(pane, state) {
    const rows = state === null ? null : pane.system.pathTo(state);
    if (rows) this.walk(pane, rows);
  }

  /** Takes a step: extends the trace by it, if the trace ends in its source. */
  step(pane, row) {
    const { system, trace, position } = pane;
    const end = position ? system.target[trace[position - 1]] : system.initial;
    if (system.source[row] === end) this.walk(pane, [...trace.slice(0, position), row]);
    else this.select(pane, system.target[row], { centre: true });
  }

  /** Moves along the trace. */
  along(by) {
    const pane = this.active;
    pane.position = Math.max(0, Math.min(pane.trace.length, pane.position + by));
    const state = pane.position ? pane.system.target[pane.trace[pane.position - 1]] : pane.system.initial;
    this.select(pane, state, { centre: true });
    showTrace(this, pane, true);
  }

  neighbour(by) {
    const pane = this.active;
    const { system, selected } = pane;
    if (selected === null) this.select(pane, system.initial, { centre: true });
    else if (by > 0 && !system.isDeadlock(selected)) this.select(pane, system.target[system.starts[selected]], { centre: true });
    else if (by < 0 && system.entry[selected] >= 0) this.select(pane, system.source[system.entry[selected]], { centre: true });
  }

  showPart(pane, node) {
    this.select(pane, null);
    pane.shownPart = node.part;
    pane.repaint();
    showPart(this, pane, node);
  }

  toggle(pane, part) {
    pane.picture.toggle(part);
    pane.arrange();
    const node = pane.picture.nodes.find((each) => each.part === part) ||
      pane.picture.nodes.find((each) => pane.picture.grouping.classes[each.state] === part);
    if (node && node.part !== undefined) this.showPart(pane, node);
    else this.select(pane, null);
    if (node && node.state !== undefined) pane.centre(node.state);
  }

  toggleShown() {
    const pane = this.active;
    if (pane.shownPart !== undefined) this.toggle(pane, pane.shownPart);
    else if (pane.selected !== null && pane.picture.grouping) this.toggle(pane, pane.picture.grouping.classes[pane.selected]);
  }

  zoomBy(factor) {
    const { canvas, zoom } = this.active;
    d3.select(canvas).call(zoom.scaleBy, factor);
  }

  forget() {
    const field = document.getElementById("search");
    field.value = "";
    search(this, "");
    for (const pane of this.panes) pane.emphasised = null;
    this.select(this.active, null);
    showLegend(this, this.active);
  }

  /** Highlights the difference of the systems: a run of one, and how far the other can follow. */
  showDifference() {
    const { text, owner, states, labels, weak, judged } = this.content.difference;
    const [pane, other] = [this.panes[owner], this.panes[1 - owner]];
    const { system } = pane;
    const rows = labels.map((label, number) => system.steps(states[number])
      .find((row) => system.labels[system.label[row]] === label && system.target[row] === states[number + 1]));
    const isInternal = (label) => system.internal.has(system.labels.indexOf(label));
    const layers = other.system.sets(labels.map((label) => (isInternal(label) ? null : label)), weak);
    const [own, theirs] = [pane, other].map((each) => each.colourings.find((colouring) => colouring.shared));
    const isJudged = (label) => judged === "every" || (judged === "visible" && !isInternal(label));
    const isMatched = (set, number) => set.size > 0 && (!isJudged(labels[number - 1]) ||
      [...set].some((state) => theirs.classes[state] === own.classes[states[number]]));
    // The first step that the other system cannot match by reaching an equivalent state.
    const unmatched = layers.findIndex((set, number) => number > 0 && !isMatched(set, number));
    this.walk(pane, rows);
    pane.position = unmatched < 0 ? labels.length : unmatched;
    other.others = layers[unmatched < 0 ? layers.length - 1 : unmatched];
    if (other.others.size === 0) other.others = layers[unmatched - 1];
    other.reveal([...other.others].slice(0, FEW));
    other.light();
    this.along(0);
    const section = document.getElementById("difference");
    section.hidden = false;
    section.querySelector(".content").replaceChildren(
      element("p", { className: "text" }, clipped(text.split("\n").map(visible).join("\n"), 3000)),
      element("p", {}, this.unmatchedShown(layers, unmatched)));
  }

  /** Describes which step of the run the other system cannot match. */
  unmatchedShown(layers, unmatched) {
    const { owner, states, labels } = this.content.difference;
    const other = visible(this.panes[1 - owner].system.title);
    const listed = (set) => {
      const more = set.size > 12 ? ", …" : "";
      return `${set.size === 1 ? "state" : "states"} ${[...set].slice(0, 12).join(", ")}${more}`;
    };
    if (unmatched < 0) return `${other} can follow this run, to ${listed(layers[layers.length - 1])}.`;
    const step = `Step ${unmatched}, “${clipped(visible(labels[unmatched - 1]), 200)}” to state ${states[unmatched]}, cannot be matched: `;
    if (layers[unmatched].size === 0) return `${step}${other} has no such step from ${listed(layers[unmatched - 1])}.`;
    return `${step}${other} can only reach ${listed(layers[unmatched])}, ${layers[unmatched].size === 1 ? "which is not" : "none of which is"} equivalent.`;
  }

  /** Shows a tooltip beside the pointer, or hides it. */
  tip(text, x = 0, y = 0) {
    const place = document.getElementById("tip");
    place.hidden = text === null;
    if (text === null) return;
    place.textContent = text;
    place.style.left = `${Math.min(x + 14, window.innerWidth - 430)}px`;
    place.style.top = `${Math.min(y + 14, window.innerHeight - 20 - place.offsetHeight)}px`;
  }
}

let app = null;

unpacked().then((content) => {
  app = new App(content);
  document.body.dataset.ready = "true";
}).catch((error) => {
  document.getElementById("title").textContent = `This page cannot be displayed: ${error.message}`;
  document.body.dataset.ready = "failed";
  throw error;
});
