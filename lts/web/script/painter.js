// Painting a picture on its canvas.
"use strict";

const FONT = 'system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif';
const TIMES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];

/** The width of the squares by which boxes are compared. */
const SQUARE = 64;

/** Boxes by the squares of a grid in which they are. */
class Boxes {
  constructor() {
    this.squares = new Map();
  }

  squaresOf([left, top, right, bottom]) {
    const found = [];
    for (let x = Math.floor(left / SQUARE); x <= right / SQUARE; x += 1) {
      // Squares far apart may have the same key: boxes are compared anyway.
      for (let y = Math.floor(top / SQUARE); y <= bottom / SQUARE; y += 1) found.push(x * 65536 + y);
    }
    return found;
  }

  add(box) {
    for (const square of this.squaresOf(box)) {
      if (!this.squares.has(square)) this.squares.set(square, []);
      this.squares.get(square).push(box);
    }
  }

  hasRoom(box) {
    const isFree = (other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3];
    return this.squaresOf(box).every((square) => (this.squares.get(square) || []).every(isFree));
  }
}

/** Returns the tip and the two other corners of the head of an arrow. */
function headOf([,,,, x2, y2, x, y], size) {
  const length = Math.hypot(x - x2, y - y2) || 1;
  const [dx, dy] = [(x - x2) / length * size, (y - y2) / length * size];
  return [[x, y], [x - dx - dy * 0.4, y - dy + dx * 0.4], [x - dx + dy * 0.4, y - dy - dx * 0.4]];
}

class Painter {
  /** A painter on a canvas, or on what takes the same calls. */
  constructor(canvas, context = canvas.getContext("2d")) {
    this.canvas = canvas;
    this.context = context;
    /** The arrows that were painted last. */
    this.inView = [];
  }

  /** Returns the width of a text. */
  widthOf(text) {
    this.context.font = `12px ${FONT}`;
    return this.context.measureText(text).width;
  }

  /** Paints the visible part of a pane. */
  paint(pane) {
    const { canvas, context } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw(pane, width, height);
  }

  /** Draws what is seen of a pane in an area of this size. */
  draw(pane, width, height) {
    const { context } = this;
    const { k, x, y } = pane.transform;
    const style = getComputedStyle(document.documentElement);
    this.ink = (name) => style.getPropertyValue(`--${name}`).trim();
    this.theme = Object.fromEntries(["paper", "ink", "dim", "line", "plain", "select", "trace", "match", "link"]
      .map((name) => [name, this.ink(name)]));
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, width, height);
    context.translate(x, y);
    context.scale(k, k);
    this.k = k;
    this.view = { left: -x / k - 60, top: -y / k - 60, right: (width - x) / k + 60, bottom: (height - y) / k + 60 };
    const nodes = pane.picture.nodes.filter((node) => this.sees(node.x, node.y, node.w, node.up));
    this.arrows(pane);
    const taken = { nodes: new Boxes(), texts: new Boxes() };
    for (const n of nodes) taken.nodes.add([n.x - n.w, n.y - n.h, n.x + n.w, n.y + n.h]);
    if (k > 0.25) {
      for (const arrow of this.inView) {
        const corners = headOf(arrow.curve, this.lit(pane, arrow) ? 11 : 8);
        const [xs, ys] = [corners.map(([px]) => px), corners.map(([, py]) => py)];
        taken.nodes.add([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
      }
    }
    pane.written = [];
    // Highlighted texts are in front of states, others behind them.
    const texts = this.inView.map((arrow) => ({ arrow, lit: this.lit(pane, arrow) }));
    const order = { trace: 0, match: 1, select: 2 };
    const lit = texts.filter((each) => each.lit).sort((one, other) => order[one.lit] - order[other.lit]).slice(0, 300)
      .map((each) => this.placed(pane, each, taken)).filter(Boolean);
    if (k > 0.5 && !pane.picture.hasDots) {
      const plain = texts.filter((each) => !each.lit && !pane.faded(each.arrow)).slice(0, 700);
      for (const each of plain) this.text(this.placed(pane, each, taken));
    }
    for (const node of nodes) this.node(pane, node);
    for (const each of lit) this.text(each);
  }

  sees(x, y, w, h) {
    const { left, top, right, bottom } = this.view;
    return x + w > left && x - w < right && y + h > top && y - h < bottom;
  }

  /** Returns the highlighting of an arrow, or null. */
  lit(pane, arrow) {
    if (pane.lit.trace.has(arrow)) return "trace";
    if (pane.lit.match.has(arrow)) return "match";
    if (pane.lit.near.has(arrow)) return "select";
    const { hovered } = pane;
    return hovered && (arrow === hovered || (hovered.part === undefined && (arrow.source === hovered || arrow.target === hovered))) ? "select" : null;
  }

  arrows(pane) {
    const { context } = this;
    const simple = this.k < 0.18;
    const groups = new Map();
    this.inView = [];
    for (const arrow of pane.picture.arrows) {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = arrow.curve;
      const [left, right] = [Math.min(x0, x1, x2, x3), Math.max(x0, x1, x2, x3)];
      const [top, bottom] = [Math.min(y0, y1, y2, y3), Math.max(y0, y1, y2, y3)];
      if (!this.sees((left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2)) continue;
      const lit = this.lit(pane, arrow);
      const look = `${lit || ""} ${arrow.kind} ${lit === null && pane.faded(arrow) ? "faded" : ""}`;
      if (!groups.has(look)) groups.set(look, { lit, kind: arrow.kind, faded: look.endsWith("faded"), list: [] });
      groups.get(look).list.push(arrow);
      this.inView.push(arrow);
    }
    const order = [null, "select", "match", "trace"];
    const sorted = [...groups.values()].sort((one, other) => order.indexOf(one.lit) - order.indexOf(other.lit));
    for (const { lit, kind, faded, list } of sorted) {
      const many = pane.picture.arrows.length > 1500 && !lit;
      context.globalAlpha = faded ? 0.15 : (many ? 0.55 : 1);
      context.strokeStyle = context.fillStyle = lit ? this.theme[lit] : this.theme.line;
      context.lineWidth = (lit === "trace" ? 3.5 : (lit ? 2.2 : 1.1)) / Math.min(1, Math.max(this.k, 0.25) * 1.6);
      context.setLineDash(kind & 2 ? [7, 4] : (kind & 1 ? [2, 3] : []));
      context.beginPath();
      for (const arrow of list) {
        const [x0, y0, x1, y1, x2, y2, x3, y3] = arrow.curve;
        context.moveTo(x0, y0);
        if (simple) context.lineTo(x3, y3);
        else context.bezierCurveTo(x1, y1, x2, y2, x3, y3);
      }
      context.stroke();
      context.setLineDash([]);
      if (simple && !lit) continue;
      context.beginPath();
      for (const arrow of list) this.head(arrow.curve, lit ? 11 : 8);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  head(curve, size) {
    const { context } = this;
    const [tip, one, other] = headOf(curve, size);
    context.moveTo(...tip);
    context.lineTo(...one);
    context.lineTo(...other);
    context.closePath();
  }

  /** Returns where there is room for the texts of an arrow; null if nowhere. */
  placed(pane, { arrow, lit }, taken) {
    const usual = 1 / Math.max(1, this.k / 1.5);
    // Highlighted texts are readable at any zoom.
    const scale = lit ? Math.max(usual, 0.9 / this.k) : usual;
    const half = (arrow.width / 2 + 3) * scale;
    const tall = 7.5 * scale * arrow.texts.length;
    const places = arrow.source === arrow.target
      ? [[arrow.source.x, arrow.source.y - arrow.source.h - 17 - arrow.raised - 7 * arrow.texts.length * scale]]
      : TIMES.map((time) => pointAt(arrow.curve, time));
    for (const others of lit ? [[taken.nodes, taken.texts], [taken.texts]] : [[taken.nodes, taken.texts]]) {
      for (const [x, y] of places) {
        const box = [x - half, y - tall, x + half, y + tall];
        if (!others.every((boxes) => boxes.hasRoom(box))) continue;
        taken.texts.add(box);
        pane.written.push({ box, arrow });
        return { arrow, lit, x, y, scale };
      }
    }
    return null;
  }

  text(placed) {
    if (!placed) return;
    const { context } = this;
    const { arrow, lit, x, y, scale } = placed;
    context.font = `${12 * scale}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    arrow.texts.forEach((text, line) => {
      const at = y + (line - (arrow.texts.length - 1) / 2) * 14 * scale;
      context.lineWidth = 6 * scale;
      context.strokeStyle = this.theme.paper;
      context.lineJoin = "round";
      context.strokeText(text, x, at);
      context.fillStyle = lit ? this.theme[lit] : (arrow.kind ? this.theme.dim : this.theme.ink);
      context.fillText(text, x, at);
    });
  }

  node(pane, node) {
    const { context } = this;
    const marked = pane.markOf(node);
    context.globalAlpha = !marked && pane.fadedNode(node) ? 0.18 : 1;
    if (node.part !== undefined) this.part(pane, node);
    else this.state(pane, node);
    if (marked) {
      context.strokeStyle = this.theme[marked];
      context.lineWidth = 3.5 / Math.min(1, Math.max(this.k, 0.2) * 1.4);
      const gap = 3 + context.lineWidth / 2;
      this.outline(node, gap);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** Begins the outline of a node: a circle, a square for a deadlock, a box for a part. */
  outline(node, gap) {
    const { context } = this;
    context.beginPath();
    if (node.part !== undefined) {
      context.roundRect(node.x - node.w - gap, node.y - node.h - gap, 2 * (node.w + gap), 2 * (node.h + gap), 8 + gap);
    } else if (node.deadlock) {
      const side = RADIUS * 0.9 + gap;
      context.rect(node.x - side, node.y - side, 2 * side, 2 * side);
    } else {
      context.arc(node.x, node.y, RADIUS + gap, 0, 2 * Math.PI);
    }
  }

  state(pane, node) {
    const { context } = this;
    const { system } = pane;
    node.deadlock = system.isDeadlock(node.state);
    const look = pane.colouring.looks(node.state);
    this.outline(node, 0);
    context.fillStyle = look ? look.fill : this.theme.plain;
    context.fill();
    if (look && look.hatching) {
      context.save();
      context.clip();
      hatch(context, node.x, node.y, RADIUS, look.hatching);
      context.restore();
      this.outline(node, 0);
    }
    context.strokeStyle = this.theme.ink;
    const isInitial = node.state === system.initial;
    context.lineWidth = isInitial || node.deadlock ? 3 : 1.1;
    context.stroke();
    if (isInitial) this.entrance(node);
    if (node.pinned) this.pin(node);
    if (this.k * RADIUS < 6) return;
    const text = String(node.state);
    context.font = `${isInitial ? "bold " : ""}${Math.min(13, 34 / Math.max(2.4, text.length * 0.95))}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const ink = look ? (isBright(look.fill) ? "#000" : "#fff") : this.theme.ink;
    if (look && look.hatching) {
      context.lineWidth = 4;
      context.strokeStyle = look.fill;
      context.strokeText(text, node.x, node.y + 0.5);
    }
    context.fillStyle = ink;
    context.fillText(text, node.x, node.y + 0.5);
    const { colouring } = pane;
    if (colouring.numbered && colouring.names.length > COLOURS.length && this.k > 0.7) {
      this.tag(node, colouring.classes[node.state]);
    }
  }

  /** Writes the number of a class beside a state. */
  tag(node, number) {
    const { context } = this;
    context.font = `9px ${FONT}`;
    context.textAlign = "left";
    context.lineWidth = 3;
    context.strokeStyle = this.theme.paper;
    context.strokeText(`#${number}`, node.x + RADIUS * 0.75, node.y + RADIUS);
    context.fillStyle = this.theme.dim;
    context.fillText(`#${number}`, node.x + RADIUS * 0.75, node.y + RADIUS);
  }

  /** Marks a state that was dragged to its place. */
  pin(node) {
    const { context } = this;
    context.beginPath();
    context.arc(node.x + RADIUS * 0.8, node.y - RADIUS * 0.8, 4, 0, 2 * Math.PI);
    context.fillStyle = this.theme.select;
    context.fill();
  }

  /** Draws the arrow that marks the initial state. */
  entrance(node) {
    const { context } = this;
    const tip = node.x - node.w - 2;
    context.beginPath();
    context.moveTo(tip - 30, node.y);
    context.lineTo(tip - 4, node.y);
    context.strokeStyle = context.fillStyle = this.theme.ink;
    context.lineWidth = 2.5;
    context.stroke();
    context.beginPath();
    this.head([0, 0, 0, 0, tip - 30, node.y, tip, node.y], 11);
    context.fill();
  }

  part(pane, node) {
    const { context } = this;
    this.outline(node, 0);
    context.fillStyle = this.theme.plain;
    context.fill();
    this.shares(pane, node);
    this.outline(node, 0);
    context.strokeStyle = this.theme.ink;
    context.lineWidth = node.initial ? 3 : 1.3;
    context.setLineDash(node.rest ? [6, 4] : []);
    context.stroke();
    context.setLineDash([]);
    if (node.initial) this.entrance(node);
    if (this.k < 0.2 || pane.picture.hasDots) return;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = this.theme.ink;
    context.font = `bold 12px ${FONT}`;
    context.fillText(clipped(visible(node.text), 36), node.x, node.y - node.h + 12);
    context.font = `12px ${FONT}`;
    context.fillStyle = this.theme.dim;
    if (pane.isSearched && pane.shareFound(node)) context.fillStyle = this.theme.match;
    context.fillText(pane.isSearched ? pane.foundText(node) : sizeText(node), node.x, node.y - node.h + 28);
    if (node.deadlocks) this.deadlocks(node);
  }

  /** Shows the colours of a part's states by their shares, as a bar below its text. */
  shares(pane, node) {
    const { context } = this;
    const height = pane.picture.hasDots ? 2 * node.h : Math.max(7, 2 * node.h - 41);
    context.save();
    context.clip();
    let left = node.x - node.w;
    for (const [number, share] of pane.sharesOf(node)) {
      const look = pane.colouring.looksOf(number);
      const width = 2 * node.w * share;
      context.fillStyle = look ? look.fill : this.theme.plain;
      context.fillRect(left, node.y + node.h - height, width, height);
      left += width;
    }
    context.restore();
  }

  /** Marks a part that has deadlocks. */
  deadlocks(node) {
    const { context } = this;
    context.strokeStyle = this.theme.ink;
    context.lineWidth = 2.5;
    context.strokeRect(node.x + node.w - 9, node.y - node.h - 5, 10, 10);
    context.fillStyle = this.theme.plain;
    context.fillRect(node.x + node.w - 9, node.y - node.h - 5, 10, 10);
  }
}
