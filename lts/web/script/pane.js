// A system on its canvas: panning, zooming, clicking, and highlighting.
"use strict";

class Pane {
  constructor(app, content, place) {
    this.app = app;
    this.number = content.number;
    this.system = new System(content);
    this.colourings = colourings(this.system);
    this.colouring = this.colourings.find((each) => each.shared) || this.colourings.find((each) => each.names.length > 1 && each.names.length * 1.5 <= this.system.states) || this.colourings[0];
    this.groupings = groupings(this.system, this.colourings);
    this.picture = new Picture(this.system);
    this.layout = "layers";
    this.transform = d3.zoomIdentity;
    this.selected = null;
    this.trace = [];
    this.position = 0;
    this.emphasised = null;
    this.linked = new Set();
    this.wanted = null;
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
    this.zoom = d3.zoom().scaleExtent([0.005, 8]).on("zoom", () => {
      this.transform = d3.event.transform;
      this.repaint();
    });
    d3.select(this.canvas).call(this.zoom).on("dblclick.zoom", null);
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("dblclick", (event) => this.doubleClick(event));
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", () => this.app.tip(null));
    this.canvas.addEventListener("focus", () => this.app.activate(this));
    new ResizeObserver(() => this.repaint()).observe(this.canvas);
  }

  sizes() {
    const { states, source, duplicates } = this.system;
    const more = duplicates ? `, ${counted(duplicates, "duplicate")}` : "";
    return `${counted(states, "state")}, ${counted(source.length, "transition")}${more}`;
  }

  /** Recomputes the layout. */
  arrange() {
    if (this.simulation) this.simulation.stop();
    this.simulation = null;
    measure(this.picture, (text) => this.painter.widthOf(text));
    const placed = this.picture.nodes.every((node) => node.x !== undefined);
    if (this.layout === "layers" || !placed) layered(this.picture);
    if (this.layout === "springs") {
      this.simulation = springs(this.picture, () => {
        this.found = null;
        this.repaint();
      });
    }
    this.found = null;
    this.light();
  }

  /** Computes which arrows are highlighted. */
  light() {
    const arrowsOf = (rows) => new Set(rows.map((row) => this.picture.arrows[this.picture.arrowOf[row]]).filter(Boolean));
    const { system } = this;
    const near = this.selected === null ? [] : [...system.steps(this.selected), ...(system.states <= 20000 ? system.stepsTo(this.selected) : [])];
    const match = [];
    if (this.wanted) {
      for (let row = 0; row < system.label.length; row += 1) if (this.wanted.has(system.label[row])) match.push(row);
    }
    this.matches = match;
    this.lit = { trace: arrowsOf(this.trace), match: arrowsOf(match), near: arrowsOf(near) };
    this.matchEnds = new Set(match.flatMap((row) => [system.source[row], system.target[row]]));
    this.walked = new Set(this.trace.length ? [system.initial, ...this.trace.map((row) => system.target[row])] : []);
    this.repaint();
  }

  clear() {
    this.lit = { trace: new Set(), match: new Set(), near: new Set() };
    this.walked = new Set();
    this.matches = [];
    this.matchEnds = new Set();
  }

  repaint() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.picture.nodes[0].x !== undefined) this.painter.paint(this);
    });
  }

  /** Fits the view to the whole picture, or to a readable part around the initial state. */
  fit() {
    const { nodes } = this.picture;
    const [left, right] = [least(nodes, (n) => n.x - n.w) - 50, greatest(nodes, (n) => n.x + n.w) + 20];
    const [top, bottom] = [least(nodes, (n) => n.y - n.up) - 50, greatest(nodes, (n) => n.y + n.h) + 20];
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const k = Math.min(1.6, width / (right - left), height / (bottom - top));
    this.move(d3.zoomIdentity.translate(width / 2, height / 2).scale(k).translate(-(left + right) / 2, -(top + bottom) / 2));
  }

  move(transform) {
    d3.select(this.canvas).call(this.zoom.transform, transform);
  }

  /** Scrolls and zooms so that a state is visible and readable. */
  centre(state) {
    const node = this.picture.nodes[this.picture.nodeOf[state]];
    const [x, y] = this.transform.apply([node.x, node.y]);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const inside = x > 60 && y > 60 && x < width - 60 && y < height - 60;
    if (inside && this.transform.k > 0.45) return;
    const k = Math.max(this.transform.k, 0.8);
    this.move(d3.zoomIdentity.translate(width / 2, height / 2).scale(k).translate(-node.x, -node.y));
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

  /** Returns the node at a point of the canvas. */
  nodeAt([px, py]) {
    if (!this.found) this.found = d3.quadtree(this.picture.nodes, (node) => node.x, (node) => node.y);
    const [x, y] = this.transform.invert([px, py]);
    const near = this.found.find(x, y, Math.max(130, 8 / this.transform.k));
    const slack = Math.max(0, 8 / this.transform.k - RADIUS);
    const hits = (node) => Math.abs(x - node.x) <= node.w + slack && Math.abs(y - node.y) <= node.h + slack;
    if (near && hits(near)) return near;
    return this.picture.nodes.find((node) => node.part !== undefined && hits(node)) || null;
  }

  /** Returns the arrow whose text is at a point of the canvas. */
  arrowAt(point) {
    const [x, y] = this.transform.invert(point);
    const hit = this.written.find(({ box }) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
    return hit ? hit.arrow : null;
  }

  click(event) {
    const point = [event.offsetX, event.offsetY];
    this.app.activate(this);
    const node = this.nodeAt(point);
    const arrow = node ? null : this.arrowAt(point);
    if (node && node.part !== undefined) this.app.showPart(this, node);
    else if (node) this.app.select(this, node.state);
    else if (arrow && arrow.source.state !== undefined) this.app.select(this, arrow.source.state);
    else this.app.select(this, null);
  }

  doubleClick(event) {
    const node = this.nodeAt([event.offsetX, event.offsetY]);
    if (node && node.part !== undefined) this.app.toggle(this, node.part);
  }

  hover(event) {
    const point = [event.offsetX, event.offsetY];
    const node = this.nodeAt(point);
    const arrow = node ? null : this.arrowAt(point);
    this.canvas.classList.toggle("over", Boolean(node || arrow));
    let text = null;
    if (node) text = node.part === undefined ? this.told(node.state) : `${visible(node.text)}: ${sizeText(node)}; double-click to open it`;
    else if (arrow) text = this.toldOf(arrow);
    this.app.tip(text, event.clientX, event.clientY);
  }

  /** Returns a description of a state. */
  told(state) {
    const { depth } = this.system;
    const where = depth[state] < 0 ? "unreachable" : `depth ${depth[state]}`;
    const name = this.colouring.nameOf(state);
    const what = name === null || this.colouring.scale ? "" : `, ${clipped(visible(name), 80)}`;
    return `state ${state}, ${where}${what}${this.system.isDeadlock(state) ? ", deadlock" : ""}`;
  }

  toldOf(arrow) {
    const shown = arrow.rows.slice(0, 12).map((row) => clipped(this.system.shown[this.system.label[row]], 400));
    const more = arrow.rows.length > 12 ? `\n… ${arrow.rows.length - 12} more` : "";
    return shown.join("\n") + more;
  }

  /** Whether an arrow is dimmed: it does not match the search, or another class is emphasised. */
  faded(arrow) {
    if (this.wanted) return !this.lit.match.has(arrow);
    return this.emphasised !== null && (this.fadedNode(arrow.source) || this.fadedNode(arrow.target));
  }

  fadedNode(node) {
    if (node.part !== undefined) return this.emphasised !== null || Boolean(this.wanted);
    if (this.emphasised !== null) return this.colouring.classes[node.state] !== this.emphasised;
    return Boolean(this.wanted) && !this.matchEnds.has(node.state);
  }

  /** Returns the highlighting of a node, or null. */
  markOf(node) {
    if (node.part !== undefined) return this.shownPart === node.part ? "select" : null;
    if (node.state === this.selected) return "select";
    if (this.others.has(node.state)) return "trace";
    if (this.linked.has(node.state)) return "link";
    return this.walked.has(node.state) ? "trace" : null;
  }

  lookOfPart(node) {
    const { grouping } = this.picture;
    if (grouping.names[node.part] === null) return null;
    if (grouping === this.groupings[0]) {
      const last = grouping.names.length - 1;
      return { fill: onScale(last ? node.part / last : 0) };
    }
    return looks(node.part);
  }
}
