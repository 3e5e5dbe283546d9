// The fragment of the page's address: it restores view, selection and trace.
"use strict";

/** Milliseconds after the last change at which the address is changed. */
const PAUSE = 250;
/** Milliseconds after which the movement to a followed address has ended: before, the address is not
    changed, which would cancel a step back in the history that has only begun. */
const MOVEMENT = 800;

/** Returns what is shown, as the fragment of an address. */
function fragmentOf(app) {
  const words = new URLSearchParams();
  app.panes.forEach((pane, number) => {
    const put = (name, value) => words.set(number ? `${name}${number + 1}` : name, value);
    const { k, x, y } = pane.transform;
    put("layout", pane.layout);
    put("colour", pane.colouring.name);
    if (pane.picture.grouping) put("parts", pane.picture.grouping.name);
    if (!pane.isFitted) put("view", [x, y, k].map((each) => Number(each.toPrecision(6))).join(","));
    if (pane.selected !== null) put("state", pane.selected);
    // Each step by its position among those of its source.
    if (pane.trace.length) put("trace", pane.trace.map((row) => row - pane.system.starts[pane.system.source[row]]).join("."));
    if (pane.trace.length) put("position", pane.position);
    const pins = [...pane.picture.pins].map(([key, { x: px, y: py }]) => `${key},${Math.round(px)},${Math.round(py)}`);
    if (pins.length) put("pins", pins.join(";"));
  });
  const search = document.getElementById("search").value;
  if (search) words.set("search", search);
  words.set("theme", document.documentElement.dataset.theme);
  if (app.panes.length > 1) words.set("active", app.panes.indexOf(app.active));
  return words.toString();
}

/** Shows what a fragment says; what does not fit this page is left out. */
function restoreFragment(app, fragment) {
  const words = new URLSearchParams(fragment);
  if ([...words].length === 0) return;
  app.address.isRestoring = true;
  try {
    restoreWords(app, words);
  } finally {
    app.address.isRestoring = false;
  }
}

function restoreWords(app, words) {
  if (words.get("theme") === "dark" || words.get("theme") === "light") app.theme(words.get("theme"));
  app.panes.forEach((pane, number) => {
    const get = (name) => words.get(number ? `${name}${number + 1}` : name);
    const colouring = pane.colourings.find((each) => each.name === get("colour"));
    if (colouring) pane.colouring = colouring;
    const grouping = pane.groupings.find((each) => each.name === get("parts")) || null;
    if (grouping !== pane.picture.grouping && (grouping || pane.system.states <= 5 * FEW)) pane.picture.group(grouping);
    if (LAYOUTS.some((each) => each.name === get("layout"))) pane.layout = get("layout");
    for (const pin of (get("pins") || "").split(";").filter(Boolean)) {
      const [key, x, y] = pin.split(",");
      if (Number.isFinite(Number(x)) && Number.isFinite(Number(y))) pane.picture.pins.set(key, { x: Number(x), y: Number(y) });
    }
    pane.arrange({ choose: true });
    pane.fit();
    const rows = stepsOf(pane.system, get("trace"));
    if (rows.length || pane.trace.length) {
      app.walk(pane, rows);
      pane.position = Math.max(0, Math.min(rows.length, Number(get("position") ?? rows.length) || 0));
      app.along(0);
    }
    const state = get("state");
    const isState = state !== null && Number(state) < pane.system.states;
    if (isState || pane.selected !== null) app.select(pane, isState ? Number(state) : null);
    const view = (get("view") || "").split(",").map(Number);
    if (view.length === 3 && view.every(Number.isFinite) && view[2] > 0) {
      pane.move(d3.zoomIdentity.translate(view[0], view[1]).scale(view[2]));
      pane.isFitted = false;
    } else pane.fit();
  });
  const active = app.panes[Number(words.get("active"))] || app.panes[0];
  app.activate(active, true);
  const text = words.get("search");
  if (text) {
    document.getElementById("search").value = text;
    search(app, text);
  }
}

/** Returns the steps of a trace that is given by positions among the steps of its states. */
function stepsOf(system, text) {
  const rows = [];
  let state = system.initial;
  for (const word of (text || "").split(".").filter(Boolean)) {
    const row = system.starts[state] + Number(word);
    if (!(row < system.starts[state + 1])) break;
    rows.push(row);
    state = system.target[row];
  }
  return rows;
}

/** Returns the traces that a fragment says. */
function tracesIn(fragment) {
  const words = new URLSearchParams(fragment);
  return `${words.get("trace") ?? ""} ${words.get("trace2") ?? ""}`;
}

/** Keeps the address up to date, and follows one that is typed. */
class Address {
  constructor(app) {
    this.app = app;
    this.waiting = null;
    this.isRestoring = false;
    this.followed = -MOVEMENT;
    this.written = location.hash.slice(1);
    const initial = fragmentOf(app);
    window.addEventListener("hashchange", () => {
      const fragment = location.hash.slice(1);
      if (fragment === this.written) return;
      this.written = fragment;
      restoreFragment(app, fragment || initial);
      this.followed = performance.now();
      this.changed();
    });
  }

  changed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.waiting = null;
      // Another address that is about to be followed is not overwritten.
      if (location.hash.slice(1) === this.written) this.write();
    }, Math.max(PAUSE, this.followed + MOVEMENT - performance.now()));
  }

  /** Writes the address after a step, to which the Back of the browser returns. */
  stepped() {
    if (this.isRestoring) return;
    this.write({ isStep: tracesIn(fragmentOf(this.app)) !== tracesIn(location.hash.slice(1)) });
  }

  /** Writes the fragment; returns the whole address. */
  write({ isStep = false } = {}) {
    clearTimeout(this.waiting);
    this.waiting = null;
    this.written = fragmentOf(this.app);
    const address = `${location.href.split("#")[0]}#${this.written}`;
    // Writing what stands there already would cancel a step back in the history that has only begun.
    if (!isStep && location.hash.slice(1) === this.written) return address;
    try {
      if (isStep) history.pushState(null, "", `#${this.written}`);
      else history.replaceState(null, "", `#${this.written}`);
    } catch {
      // A page inside of a notebook has no address.
    }
    return address;
  }

  async copy() {
    const address = this.write();
    const button = document.getElementById("link");
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Link"; }, 1500);
    } catch {
      window.prompt("The address of this view", address);
    }
  }
}
