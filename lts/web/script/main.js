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
    this.player = new Player(this);
    this.address = null;
    this.difference = null;
    const fragment = location.hash.slice(1);
    this.heading();
    this.controls();
    for (const pane of this.panes) pane.begin();
    // One that is shown as clusters changes what is best for the other.
    if (this.panes.length > 1) this.panes[0].arrange({ choose: true });
    for (const pane of this.panes) pane.fit();
    listen(this);
    this.activate(this.active, true);
    this.select(this.active, null);
    if (content.difference) {
      this.difference = new DifferenceRun(this, content.difference);
      this.difference.show();
    }
    this.replay(document.getElementById("replay").textContent);
    this.address = new Address(this);
    restoreFragment(this, fragment);
  }

  /** Follows the trace that the page was made with, from its start. */
  replay(encoded) {
    if (!encoded) return;
    document.getElementById("steps").value = new TextDecoder().decode(Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0)));
    followTyped(this);
    this.along(-Infinity);
  }

  /** Notes that what the address says has changed. */
  remember() {
    if (this.address) this.address.changed();
  }

  heading() {
    const title = document.getElementById("title");
    title.replaceChildren(visible(this.content.title) || "Labelled transition system");
    if (this.panes.length === 1) title.append(element("small", {}, this.active.sizes()));
  }

  controls() {
    const on = (id, event, act) => document.getElementById(id).addEventListener(event, act);
    on("search", "input", (event) => search(this, event.target.value));
    on("search", "keydown", (event) => event.key === "Enter" && nextMatch(this, event.shiftKey ? -1 : 1));
    on("colour", "change", (event) => this.colour(Number(event.target.value)));
    on("grouping", "change", (event) => this.group(Number(event.target.value)));
    on("layout", "change", (event) => this.arrange(event.target.value));
    on("export", "change", (event) => {
      exported(this, event.target.value);
      event.target.selectedIndex = 0;
    });
    on("link", "click", () => this.address.copy());
    on("fit", "click", () => this.panes.forEach((pane) => pane.fit()));
    on("theme", "click", () => this.theme());
    on("help", "click", () => document.getElementById("keys").showModal());
    on("follow", "click", () => followTyped(this));
    on("steps", "keydown", (event) => event.key === "Enter" && event.ctrlKey && followTyped(this));
    on("start", "click", () => this.along(-Infinity));
    on("back", "click", () => this.along(-1));
    on("play", "click", () => this.player.toggle());
    on("forth", "click", () => this.along(1));
    on("end", "click", () => this.along(Infinity));
    on("clear", "click", () => this.walk(this.active, []));
    on("file", "change", (event) => {
      followFile(this, event.target.files[0]);
      event.target.value = ""; // the same file may be opened again
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      followFile(this, event.dataTransfer.files[0]);
    });
    const layouts = [AUTOMATIC, ...LAYOUTS.map(({ name }) => name)];
    document.getElementById("layout").replaceChildren(...layouts.map((name) => element("option", { value: name }, name)));
    document.getElementById("export").append(...EXPORTS.map(([name]) => element("option", { value: name }, name)));
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
    this.remember();
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
    this.laidOut(pane);
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
    this.remember();
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
    this.rearrange();
    showState(this, pane);
    this.remember();
  }

  /** Chooses the layout of all panes. */
  arrange(layout) {
    document.getElementById("layout").value = layout;
    for (const pane of this.panes) pane.layout = layout;
    this.rearrange();
    this.remember();
  }

  /** Arranges all panes again, and fits the view to them. */
  rearrange() {
    for (const pane of this.panes) {
      pane.arrange({ choose: true });
      pane.fit();
    }
  }

  /** Shows which layout was chosen, and which cannot be. */
  laidOut(pane) {
    if (pane !== this.active) return;
    for (const option of document.getElementById("layout").options) {
      const of = LAYOUTS.find((each) => each.name === option.value);
      if (of) option.disabled = pane.picture.nodes.length > of.most;
      else option.textContent = pane.layout === AUTOMATIC ? `${AUTOMATIC}: ${pane.used}` : AUTOMATIC;
    }
    if (pane.painter.ink) showLegend(this, pane);
  }

  next(id) {
    const select = document.getElementById(id);
    do select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    while (select.options[select.selectedIndex].disabled);
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
    this.remember();
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
    if (this.difference && this.difference.pane === pane) this.difference.follow();
    if (this.address) this.address.stepped();
  }

  /** Highlights a shortest path from the initial state. */
  walkTo(pane, state) {
    const rows = state === null ? null : pane.system.pathTo(state);
    if (rows) this.walk(pane, rows);
  }

  /** Takes a step: extends the trace by it, if the trace ends in its source. */
  step(pane, row) {
    const { system, trace, position } = pane;
    if (system.source[row] === pane.current) this.walk(pane, [...trace.slice(0, position), row]);
    else this.select(pane, system.target[row], { centre: true });
  }

  /** Moves along the trace. */
  along(by) {
    const pane = this.active;
    pane.position = Math.max(0, Math.min(pane.trace.length, pane.position + by));
    this.select(pane, pane.current, { centre: true });
    showTrace(this, pane, true);
    if (this.difference && this.difference.pane === pane) this.difference.follow();
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
    if (pane.picture.open.has(part)) {
      this.closePart(pane, part);
      return;
    }
    pane.expand(part);
    this.shownInstead(pane, pane.picture.nodes.find((node) => pane.picture.isWithin(node, part)));
  }

  /** Closes a part whose states are drawn, or the one of which it is a piece. */
  closePart(pane, part) {
    const whole = pane.picture.close(part);
    pane.arrange();
    this.shownInstead(pane, pane.picture.nodes.find((node) => node.part === whole));
  }

  /** Shows a node that was drawn anew: a part, or a state of one that was opened. */
  shownInstead(pane, node) {
    if (pane.isFitted) pane.fit();
    if (node && node.part !== undefined) this.showPart(pane, node);
    else this.select(pane, null);
    if (node && node.state !== undefined) pane.centre(node.state);
  }

  toggleShown() {
    const pane = this.active;
    if (pane.shownPart !== undefined) this.toggle(pane, pane.shownPart);
    else if (pane.selected !== null && pane.picture.clusters) this.closePart(pane, pane.picture.clusters.of[pane.selected]);
  }

  zoomBy(factor) {
    const { canvas, zoom } = this.active;
    this.active.isFitted = false;
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
