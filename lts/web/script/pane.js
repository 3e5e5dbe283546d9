// A system on its canvas: its layout, its view, and what is highlighted.
"use strict";

class Pane {
  constructor(app, content, place) {
    this.app = app;
    this.system = new System(content);
    this.colourings = colourings(this.system);
    this.colouring = usualColouring(this.system, this.colourings);
    this.groupings = groupings(this.system, this.colourings);
    this.picture = new Picture(this.system, this.system.states > FEW ? this.overview() : null);
    /** The layout that was chosen, and the one that is shown for it. */
    this.layout = AUTOMATIC;
    this.used = LAYOUTS[0].name;
    this.transform = d3.zoomIdentity;
    /** Whether the view is the one that `fit` computes. */
    this.isFitted = true;
    this.selected = null;
    this.hovered = null;
    this.trace = [];
    this.position = 0;
    this.emphasised = null;
    this.linked = new Set();
    this.wanted = null;
    this.matchStates = null;
    this.others = new Set();
    this.written = [];
    this.clear();
    this.place(place);
  }

  /** Makes the elements of the pane. */
  place(place) {
    const { system } = this;
    this.canvas = element("canvas", { tabIndex: 0 });
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `Graph of ${visible(system.title)}: ${this.sizes()}. Arrow keys follow steps.`);
    const heading = element("h3", {}, visible(system.title), " ", element("small", {}, this.sizes()));
    this.frame = element("div", { className: "pane" }, this.canvas, heading);
    place.append(this.frame);
    this.painter = new Painter(this.canvas);
    this.zoom = d3.zoom().scaleExtent([0.005, 8]).clickDistance(CLICK).on("zoom", () => {
      this.transform = d3.event.transform;
      if (d3.event.sourceEvent) this.isFitted = false;
      this.repaint();
      this.app.remember();
    });
    this.pointer = new Pointer(this);
    d3.select(this.canvas).call(this.pointer.dragging()).call(this.zoom).on("dblclick.zoom", null);
    this.canvas.addEventListener("focus", () => this.app.activate(this));
    new ResizeObserver(() => this.resized()).observe(this.canvas);
  }

  sizes() {
    const { states, source, duplicates } = this.system;
    const more = duplicates ? `, ${counted(duplicates, "duplicate")}` : "";
    return `${counted(states, "state")}, ${counted(source.length, "transition")}${more}`;
  }

  /** Returns the size of the canvas. */
  size() {
    return { width: Math.max(1, this.canvas.clientWidth), height: Math.max(1, this.canvas.clientHeight) };
  }

  /** Returns the height of the title of the pane, which only one of two has. */
  get top() {
    return this.app.content.systems.length > 1 ? 40 : 0;
  }

  /** Returns the size of the room below the title. */
  room() {
    const { width, height } = this.size();
    return { width, height: Math.max(1, height - this.top) };
  }

  /** Returns the grouping that a large system is shown by at first: by depth and class, if that makes
   * few clusters. */
  overview() {
    const both = this.groupings.find((each) => each.name === `depth × ${this.colouring.name}`);
    return both && both.names.length <= MOST_PARTS ? both : this.groupings[0];
  }

  /** The state at the position on the trace. */
  get current() {
    return this.position ? this.system.target[this.trace[this.position - 1]] : this.system.initial;
  }

  get isFlow() {
    return this.used === "layers" || this.used === "band";
  }

  /** Places the nodes; `choose` lets an automatic layout change. */
  arrange({ choose = false } = {}) {
    const { picture } = this;
    measure(picture, (text) => this.painter.widthOf(text));
    const wanted = this.layout === AUTOMATIC && !choose ? this.used : this.layout;
    // Two systems are compared in one layout.
    const other = this.app.panes.find((pane) => pane !== this && pane.layout === AUTOMATIC);
    if (other && wanted === AUTOMATIC) measure(other.picture, (text) => other.painter.widthOf(text));
    this.used = arranged(picture, this.room(), wanted, other && other.picture);
    for (const node of picture.nodes) {
      node.pinned = picture.pins.has(node.key);
      if (node.pinned) Object.assign(node, picture.pins.get(node.key));
    }
    route(picture, this.isFlow);
    this.placedFor = this.size();
    this.pointer.forget();
    this.light();
    this.app.laidOut(this);
  }

  /** Arranges for the first time: states whose arrows often cross are shown as clusters. */
  begin() {
    this.arrange({ choose: true });
    const { states } = this.system;
    if (this.picture.clusters || states <= FEWEST || crossingsOf(this.picture).each <= TANGLED) return;
    this.picture.group(this.overview());
    this.arrange({ choose: true });
  }

  /** Arranges again after the window has got another shape, unless somebody has looked closer. */
  resized() {
    const { width, height } = this.size();
    const before = this.placedFor;
    if (before && this.isFitted && (width !== before.width || height !== before.height)) {
      this.arrange({ choose: true });
      this.fit();
    }
    this.repaint();
  }

  /** Lets the layout place the selected state again, or everything if none is selected. */
  unpin() {
    const { pins } = this.picture;
    if (this.selected === null) pins.clear();
    else pins.delete(`s${this.selected}`);
    this.arrange();
    this.app.remember();
  }

  /** Computes which arrows are highlighted. */
  light() {
    const arrowsOf = (rows) => new Set(rows.map((row) => this.picture.arrows[this.picture.arrowOf[row]]).filter(Boolean));
    const { system } = this;
    const near = this.selected === null ? [] : [...system.steps(this.selected), ...system.stepsTo(this.selected)];
    const match = [];
    if (this.wanted) {
      for (let row = 0; row < system.label.length; row += 1) if (this.wanted.has(system.label[row])) match.push(row);
    }
    this.matches = match;
    this.lit = { trace: arrowsOf(this.trace), match: arrowsOf(match), near: arrowsOf(near) };
    this.matchEnds = new Set(this.matchStates || []);
    for (const row of match) this.matchEnds.add(system.source[row]).add(system.target[row]);
    this.walked = new Set(this.trace.length ? [system.initial, ...this.trace.map((row) => system.target[row])] : []);
    this.repaint();
  }

  clear() {
    this.lit = { trace: new Set(), match: new Set(), near: new Set() };
    this.walked = new Set();
    this.matches = [];
    this.matchEnds = new Set();
  }

  /** Whether a search is under way, for transitions or states. */
  get isSearched() {
    return this.wanted !== null || this.matchStates !== null;
  }

  repaint() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.picture.nodes[0].x !== undefined) this.painter.paint(this);
    });
  }

  /** Fits the view to the whole picture. */
  fit() {
    this.show(this.picture.nodes, this.picture.arrows);
    this.isFitted = true;
  }

  /** Fits the view to some nodes and arrows. */
  show(nodes, arrows = []) {
    const { left, right, top, bottom } = boxAround(nodes, arrows);
    const { width, height } = this.room();
    const k = fitting(nodes, this.room(), arrows);
    this.move(d3.zoomIdentity.translate(width / 2, this.top + height / 2).scale(k).translate(-(left + right) / 2, -(top + bottom) / 2));
    this.isFitted = false;
  }

  /** Zooms to what is selected: a state with its neighbours, what a search found, or the trace. */
  showSelection() {
    const { system, picture } = this;
    let states = [];
    if (this.selected !== null) {
      const near = [...system.steps(this.selected).map((row) => system.target[row]), ...system.stepsTo(this.selected).map((row) => system.source[row])];
      states = [this.selected, ...near];
    } else if (this.matchEnds.size) states = [...this.matchEnds];
    else states = [...this.walked];
    const nodes = [...new Set(states.map((state) => picture.nodes[picture.nodeOf[state]]))];
    if (nodes.length) this.show(nodes);
    else if (this.shownPart !== undefined) this.show(picture.nodes.filter((node) => node.part === this.shownPart));
  }

  move(transform) {
    d3.select(this.canvas).call(this.zoom.transform, transform);
  }

  /** Scrolls and zooms so that a state is visible and readable. */
  centre(state) {
    const node = this.picture.nodes[this.picture.nodeOf[state]];
    const [x, y] = this.placeOf(state);
    const { width, height } = this.size();
    const edge = Math.min(60, RADIUS * this.transform.k + 8);
    const inside = x > edge && y > edge && x < width - edge && y < height - edge;
    if (inside && this.transform.k > 0.45) return;
    const k = Math.max(this.transform.k, 0.8);
    this.move(d3.zoomIdentity.translate(width / 2, height / 2).scale(k).translate(-node.x, -node.y));
    this.isFitted = false;
  }

  /** Returns the position of a state on the canvas. */
  placeOf(state) {
    const node = this.picture.nodes[this.picture.nodeOf[state]];
    return this.transform.apply([node.x, node.y]);
  }

  /** Draws states individually instead of inside their parts. */
  reveal(states) {
    if (this.picture.reveal(states)) this.arrange();
  }

  /** Opens a part; a large one is divided by the colouring, or by the next that divides it. */
  expand(part) {
    const dividing = [this.colouring, ...this.colourings].filter((each) => each.names.length > 1);
    this.picture.expand(part, dividing);
    this.arrange();
  }

  /** Whether an arrow is dimmed: it does not match the search, or another class is emphasised. */
  faded(arrow) {
    if (this.isSearched) return !this.lit.match.has(arrow);
    return this.emphasised !== null && (this.fadedNode(arrow.source) || this.fadedNode(arrow.target));
  }

  fadedNode(node) {
    if (node.part !== undefined) return this.emphasised !== null || (this.isSearched && !this.shareFound(node));
    if (this.emphasised !== null) return this.colouring.classes[node.state] !== this.emphasised;
    return this.isSearched && !this.matchEnds.has(node.state);
  }

  /** Whether a part has states that a search found, or ends of such steps. */
  shareFound(node) {
    return this.countsFound().ends.has(node);
  }

  /** Returns how many states, or steps from its states, a search found in a part, as a text. */
  foundText(node) {
    const count = this.countsFound().counts.get(node) ?? 0;
    return `${counted(count, this.matchStates ? "state" : "step")} found`;
  }

  /** Counts by nodes what a search found: states, or steps by their sources. */
  countsFound() {
    if (this.foundIn === undefined || this.foundIn.of !== this.matchEnds || this.foundIn.nodes !== this.picture.nodes) {
      const { nodes, nodeOf } = this.picture;
      const ends = new Set([...this.matchEnds].map((state) => nodes[nodeOf[state]]));
      const counts = new Map();
      for (const state of this.matchStates ?? this.matches.map((row) => this.system.source[row])) {
        counts.set(nodes[nodeOf[state]], (counts.get(nodes[nodeOf[state]]) ?? 0) + 1);
      }
      this.foundIn = { of: this.matchEnds, nodes, ends, counts };
    }
    return this.foundIn;
  }

  /** Returns the highlighting of a node, or null. */
  markOf(node) {
    if (node.part !== undefined) return this.shownPart === node.part ? "select" : null;
    if (node.state === this.selected) return "select";
    if (this.others.has(node.state)) return "trace";
    if (this.linked.has(node.state)) return "link";
    if (this.matchStates && this.matchEnds.has(node.state)) return "match";
    return this.walked.has(node.state) ? "trace" : null;
  }

  /** Returns the colours of a part with their shares of its states. */
  sharesOf(node) {
    const { picture, colouring } = this;
    if (!this.shares || this.shares.nodes !== picture.nodes || this.shares.colouring !== colouring) {
      this.shares = { nodes: picture.nodes, colouring, counts: shares(picture, colouring) };
    }
    return this.shares.counts[picture.nodeOf[node.first]];
  }
}

/** Returns for every node the classes of its states, at most as many as there are colours, each with
 * its share, in the order of the classes. */
function shares(picture, colouring) {
  const { nodes, nodeOf } = picture;
  const counts = nodes.map(() => new Map());
  nodeOf.forEach((node, state) => {
    if (nodes[node].part === undefined) return;
    const number = colouring.classes[state];
    counts[node].set(number, (counts[node].get(number) || 0) + 1);
  });
  return counts.map((found, number) => {
    const order = [...found].sort((one, other) => other[1] - one[1]).slice(0, COLOURS.length);
    return order.sort((one, other) => one[0] - other[0]).map(([value, count]) => [value, count / nodes[number].size]);
  });
}
