// The curves of arrows: cubic Bézier curves from the rim of one node to that of another.
"use strict";

/** Returns the curve of an arrow: start, two control points, and end. */
function curveOf(arrow, layers) {
  const { source, target } = arrow;
  if (source === target) return loop(arrow);
  const dx = target.x - source.x;
  const dy = target.y - source.y;
  let bends;
  if (layers && source.reached === target.reached && target.column > source.column) {
    const reach = Math.max(30, dx * 0.42);
    const aside = 22 * arrow.beside;
    bends = [source.x + reach, source.y + aside, target.x - reach, target.y + aside];
  } else {
    const bow = layers ? Math.max(0.18, 46 / Math.hypot(dx, dy)) + 0.06 * arrow.beside : (arrow.both ? 0.12 : 0) + 0.12 * arrow.beside;
    const [px, py] = [-dy * bow, dx * bow];
    bends = [source.x + dx * 0.3 + px, source.y + dy * 0.3 + py, source.x + dx * 0.7 + px, source.y + dy * 0.7 + py];
  }
  const start = rim(source, bends[0], bends[1], 0);
  const end = rim(target, bends[2], bends[3], 2);
  return [...start, ...bends, ...end];
}

function loop({ source, raised }) {
  const { x, y, h, w } = source;
  const side = Math.min(w, RADIUS) * 0.6;
  const top = y - h * 0.8;
  const reach = 30 + raised * 0.9;
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
