// The curves of arrows: cubic Bézier curves from the rim of one node to that of another, which run
// around the nodes between them.
"use strict";

/** Most nodes and arrows of a picture whose arrows are led around nodes. */
const MOST_ROUTED = { nodes: 700, arrows: 2500 };
/** How far a curve bends to one side, for its length: tried in this order. */
const BOWS = [0, 0.08, -0.08, 0.16, -0.16, 0.3, -0.3, 0.45, -0.45, 0.65, -0.65, 0.9, -0.9, 1.2, -1.2];
const SAMPLES = 24;
const CORNERS = 1.3;
/** How far a curve is led aside, except among few states, where none runs through one. */
const ASIDE = 240;
const FEW_NODES = 150;

/** Computes the curve of every arrow, or of those at a node. */
function route(picture, isFlow, moved = null) {
  const { nodes, arrows } = picture;
  const isCareful = nodes.length <= MOST_ROUTED.nodes && arrows.length <= MOST_ROUTED.arrows;
  const nearby = isCareful ? new Nearby(nodes) : null;
  for (const arrow of arrows) {
    if (moved && arrow.source !== moved && arrow.target !== moved) continue;
    arrow.curve = curveOf(arrow, isFlow, nearby, nodes.length > FEW_NODES || picture.clusters ? ASIDE : Infinity);
  }
}

/** Returns the curve of an arrow: start, two control points, and end. */
function curveOf(arrow, isFlow, nearby, most) {
  const { source, target } = arrow;
  if (source === target) return loop(arrow);
  const usual = bent(arrow, isFlow, null);
  if (!nearby) return usual;
  let best = { curve: usual, hits: through(usual, arrow, nearby) };
  const length = Math.hypot(target.x - source.x, target.y - source.y);
  for (const bow of BOWS) {
    if (best.hits === 0) break;
    if (Math.abs(bow) * length > most) continue;
    const curve = bent(arrow, false, bow);
    const hits = through(curve, arrow, nearby);
    if (hits < best.hits) best = { curve, hits };
  }
  return best.curve;
}

/** Returns the curve of an arrow, bent by `bow`, or as usual in a layout. */
function bent(arrow, isFlow, bow) {
  const { source, target, beside } = arrow;
  const dx = target.x - source.x;
  const dy = target.y - source.y;
  let bends;
  if (bow === null && isFlow && source.reached === target.reached && source.row === target.row && target.column > source.column) {
    const reach = Math.sign(dx) * Math.max(30, Math.abs(dx) * 0.42);
    const aside = 22 * beside;
    bends = [source.x + reach, source.y + aside, target.x - reach, target.y + aside];
  } else {
    const isBack = isFlow && source.row === target.row;
    const usual = isBack ? Math.max(0.18, 46 / Math.hypot(dx, dy)) : (arrow.both ? 0.12 : 0);
    const by = (bow ?? usual) + (isBack ? 0.06 : 0.12) * beside;
    // Between the rims: a point within a node would turn the arrowhead round.
    const [x0, y0] = rim(source, target.x, target.y, 0);
    const [x1, y1] = rim(target, source.x, source.y, 2);
    const [px, py] = [(x1 - x0) * 0.3, (y1 - y0) * 0.3];
    bends = [x0 + px - dy * by, y0 + py + dx * by, x1 - px - dy * by, y1 - py + dx * by];
  }
  const start = rim(source, bends[0], bends[1], 0);
  const end = rim(target, bends[2], bends[3], 2);
  return [...start, ...bends, ...end];
}

/** Returns how many nodes that are not ends of an arrow its curve runs through. */
function through(curve, { source, target }, nearby) {
  const points = Array.from({ length: SAMPLES + 1 }, (_, number) => pointAt(curve, number / SAMPLES));
  return nearby.hits(points, [source, target]);
}

function loop({ source, raised }) {
  const { x, y, h, w } = source;
  const side = Math.min(w, RADIUS) * 0.6;
  const top = y - h * 0.8;
  const reach = 28 + raised * 4 / 3;
  return [x - side, top, x - side - 12, top - reach, x + side + 12, top - reach, x + side, top];
}

/** Returns the point of a node's rim in the direction of another point. */
function rim(node, x, y, gap) {
  const dx = x - node.x;
  const dy = y - node.y;
  const length = Math.hypot(dx, dy) || 1;
  let reach = RADIUS;
  if (node.part !== undefined) reach = Math.min(node.w / Math.abs(dx / length || 1e-9), node.h / Math.abs(dy / length || 1e-9));
  const part = (reach + gap) / length;
  return [node.x + dx * part, node.y + dy * part];
}

/** Returns the point of a curve at a parameter from 0 to 1. */
function pointAt([x0, y0, x1, y1, x2, y2, x3, y3], time) {
  const left = 1 - time;
  const weights = [left ** 3, 3 * left ** 2 * time, 3 * left * time ** 2, time ** 3];
  const sum = (a, b, c, d) => a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
  return [sum(x0, x1, x2, x3), sum(y0, y1, y2, y3)];
}

/** The nodes of a picture by the squares of a grid in which they are. */
class Nearby {
  constructor(nodes) {
    this.side = 2 * greatest(nodes, (node) => Math.max(node.w, node.h)) + 8;
    this.squares = new Map();
    for (const node of nodes) {
      const key = this.key(node.x, node.y);
      if (!this.squares.has(key)) this.squares.set(key, []);
      this.squares.get(key).push(node);
    }
  }

  key(x, y) {
    // Squares far apart may have the same key: what is in them is compared anyway.
    return Math.floor(x / this.side) * 65536 + Math.floor(y / this.side);
  }

  /** Returns how many nodes other than `ends` a sequence of line segments runs through. */
  hits(points, ends) {
    const found = new Set();
    for (let at = 1; at < points.length; at += 1) {
      const [[x0, y0], [x1, y1]] = [points[at - 1], points[at]];
      const pieces = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / (this.side / 2)));
      for (let piece = 0; piece <= pieces; piece += 1) {
        const [x, y] = [x0 + (x1 - x0) * piece / pieces, y0 + (y1 - y0) * piece / pieces];
        for (const dx of [-1, 0, 1]) {
          for (const dy of [-1, 0, 1]) {
            for (const node of this.squares.get(this.key(x + dx * this.side, y + dy * this.side)) || []) {
              if (!ends.includes(node) && touches(node, x0, y0, x1, y1)) found.add(node);
            }
          }
        }
      }
    }
    return found.size;
  }
}

/** Whether a line segment runs through a node. */
function touches(node, x0, y0, x1, y1) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  // In units of the node's half sizes: an ellipse, which for a box is one around most of it.
  const corners = node.part === undefined ? 1 : CORNERS;
  const [w, h] = [corners * node.w + 2, corners * node.h + 2];
  const [ux, uy, vx, vy] = [dx / w, dy / h, (node.x - x0) / w, (node.y - y0) / h];
  const time = Math.max(0, Math.min(1, (ux * vx + uy * vy) / (ux * ux + uy * uy || 1)));
  return Math.hypot(vx - time * ux, vy - time * uy) < 1;
}
