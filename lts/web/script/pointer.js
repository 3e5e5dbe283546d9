// The pointer on the canvas of a pane: what is under it, clicks, dragging, and tooltips.
"use strict";

/** How near to the curve of an arrow the pointer counts as on it, in pixels. */
const NEAR = 6;
/** Pixels that the pointer may move in a click. */
const CLICK = 4;
/** Steps that the tooltip of a state lists. */
const TIP_STEPS = 8;

class Pointer {
  constructor(pane) {
    this.pane = pane;
    const { canvas } = pane;
    canvas.addEventListener("click", (event) => this.click(event));
    canvas.addEventListener("mousemove", (event) => this.hover(event));
    canvas.addEventListener("mouseleave", () => this.leave());
  }

  /** Notes that nodes have moved. */
  forget() {
    this.tree = null;
  }

  /** Dragging a node moves it; dragging anything else is left to the view. */
  dragging() {
    let [moved, isClick] = [[0, 0], true];
    return d3.drag().container(this.pane.canvas).clickDistance(CLICK)
      .subject(() => this.nodeAt([d3.event.x, d3.event.y]))
      .on("start", () => { [moved, isClick] = [[0, 0], true]; })
      .on("drag", () => {
        moved = [moved[0] + d3.event.dx, moved[1] + d3.event.dy];
        isClick = isClick && Math.hypot(...moved) <= CLICK;
        if (isClick) return;
        this.drag(d3.event.subject, ...moved);
        moved = [0, 0];
      })
      .on("end", () => this.drop(d3.event.subject));
  }

  /** Moves a node by pixels of the canvas; it stays there. */
  drag(node, dx, dy) {
    const [x, y] = [node.x + dx / this.pane.transform.k, node.y + dy / this.pane.transform.k];
    Object.assign(node, { x, y, pinned: true });
    this.pane.picture.pins.set(node.key, { x, y });
    route(this.pane.picture, this.pane.isFlow, node);
    this.forget();
    this.pane.app.tip(null);
    this.pane.repaint();
    this.pane.app.remember();
  }

  /** Leads the other arrows around a node that was dragged. */
  drop(node) {
    if (!node.pinned) return;
    route(this.pane.picture, this.pane.isFlow);
    this.pane.repaint();
  }

  /** Returns the node at a point of the canvas. */
  nodeAt([px, py]) {
    if (!this.tree) this.tree = d3.quadtree(this.pane.picture.nodes, (node) => node.x, (node) => node.y);
    const [x, y] = this.pane.transform.invert([px, py]);
    const near = this.tree.find(x, y, Math.max(130, 8 / this.pane.transform.k));
    const slack = Math.max(0, 8 / this.pane.transform.k - RADIUS);
    const hits = (node) => Math.abs(x - node.x) <= node.w + slack && Math.abs(y - node.y) <= node.h + slack;
    if (near && hits(near)) return near;
    return this.pane.picture.nodes.find((node) => node.part !== undefined && hits(node)) || null;
  }

  /** Returns the arrow whose text or curve is at a point of the canvas. */
  arrowAt(point) {
    const [x, y] = this.pane.transform.invert(point);
    const hit = this.pane.written.find(({ box }) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
    if (hit) return hit.arrow;
    let nearest = null;
    let best = NEAR / this.pane.transform.k;
    for (const arrow of this.pane.painter.inView) {
      for (let number = 0; number <= SAMPLES; number += 1) {
        const [cx, cy] = pointAt(arrow.curve, number / SAMPLES);
        const next = pointAt(arrow.curve, Math.min(1, (number + 1) / SAMPLES));
        const away = awayFrom([x, y], [cx, cy], next);
        if (away < best) [nearest, best] = [arrow, away];
      }
    }
    return nearest;
  }

  click(event) {
    const point = [event.offsetX, event.offsetY];
    this.pane.app.activate(this.pane);
    const node = this.nodeAt(point);
    const arrow = node ? null : this.arrowAt(point);
    if (node && node.part !== undefined && node.part === this.pane.shownPart) this.pane.app.toggle(this.pane, node.part);
    else if (node && node.part !== undefined) this.pane.app.showPart(this.pane, node);
    else if (node) this.pane.app.select(this.pane, node.state);
    else if (arrow && arrow.source.state !== undefined) this.pane.app.select(this.pane, arrow.source.state);
    else this.pane.app.select(this.pane, null);
  }

  hover(event) {
    if (event.buttons) return;
    const point = [event.offsetX, event.offsetY];
    const node = this.nodeAt(point);
    const arrow = node ? null : this.arrowAt(point);
    this.pane.canvas.classList.toggle("over", Boolean(node || arrow));
    if (this.pane.hovered !== (node || arrow)) {
      this.pane.hovered = node || arrow;
      this.pane.repaint();
    }
    let text = null;
    if (node) text = node.part === undefined ? this.described(node.state) : `${visible(node.text)}: ${sizeText(node)}${this.pane.isSearched ? `, ${this.pane.foundText(node)}` : ""}; click it twice to ${node.rest ? "close" : "open"} it`;
    else if (arrow) text = this.labelsOf(arrow);
    this.pane.app.tip(text, event.clientX, event.clientY);
  }

  leave() {
    this.pane.hovered = null;
    this.pane.app.tip(null);
    this.pane.repaint();
  }

  /** Returns a description of a state, with its steps. */
  described(state) {
    const { system } = this.pane;
    const where = system.depth[state] < 0 ? "unreachable" : `depth ${system.depth[state]}`;
    const name = this.pane.colouring.nameOf(state);
    const what = name === null || this.pane.colouring.scale ? "" : `, ${clipped(visible(name), 80)}`;
    const rows = system.steps(state);
    const steps = rows.slice(0, TIP_STEPS).map((row) => `${clipped(system.shown[system.label[row]], 400)} → ${system.target[row]}`);
    const more = rows.length > TIP_STEPS ? [`… ${rows.length - TIP_STEPS} more`] : [];
    return [`state ${state}, ${where}${what}${system.isDeadlock(state) ? ", deadlock" : ""}`, ...steps, ...more].join("\n");
  }

  /** Returns the labels of an arrow. */
  labelsOf(arrow) {
    const shown = arrow.rows.slice(0, 12).map((row) => clipped(this.pane.system.shown[this.pane.system.label[row]], 400));
    const more = arrow.rows.length > 12 ? `\n… ${arrow.rows.length - 12} more` : "";
    return shown.join("\n") + more;
  }
}

/** Returns the distance of a point from a line segment. */
function awayFrom([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const time = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x0 - time * dx, y - y0 - time * dy);
}
