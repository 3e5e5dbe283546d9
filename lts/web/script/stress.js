// Nodes as far apart as their distance in the graph says, by the descent of Zheng, Pawar and
// Goodman (2019): pairs in random order move towards their distance, by less and less.
"use strict";

const ROUNDS = 30;
const MANY = 1200;
/** Angles that are tried to make a picture fill the window. */
const TURNS = 36;

function stressed(picture, size) {
  const known = new Map();
  readable(picture, size, (room) => packed(picture, size, (component, nodes, near) => {
    if (!known.has(component[0])) {
      const place = new Map(component.map((number, at) => [number, at]));
      const [xs, ys] = descended(distances(component, near, place), nodes.length);
      known.set(component[0], { xs, ys, shortest: lengthApart(nodes, xs, ys) });
    }
    const { xs, ys, shortest } = known.get(component[0]);
    const length = Math.max(shortest, usualLength(picture, nodes, room));
    const turned = bestTurn(nodes, xs, ys, length, size);
    nodes.forEach((node, at) => Object.assign(node, { x: turned.xs[at], y: turned.ys[at] }));
    separate(nodes);
  }));
}

/** Returns the length of an arrow with which nine of ten nodes do not touch another. */
function lengthApart(nodes, xs, ys) {
  if (nodes.length === 1) return 1;
  const nearest = nodes.map((_, one) => {
    let best = Infinity;
    for (let other = 0; other < nodes.length; other += 1) {
      if (other !== one) best = Math.min(best, (xs[one] - xs[other]) ** 2 + (ys[one] - ys[other]) ** 2);
    }
    return Math.sqrt(best);
  }).sort((a, b) => a - b);
  const room = 2 * greatest(nodes, (node) => Math.max(node.w, node.h)) + 12;
  return Math.min(3 * room, room / Math.max(0.01, nearest[Math.floor(nodes.length / 10)]));
}

/** Moves nodes that still overlap apart. */
function separate(nodes) {
  for (let round = 0; round < 30; round += 1) {
    const tree = d3.quadtree(nodes, (node) => node.x, (node) => node.y);
    const reach = 2 * greatest(nodes, (node) => Math.max(node.w, node.h)) + 8;
    let moved = false;
    for (const node of nodes) {
      tree.visit((quad, x0, y0, x1, y1) => {
        for (let leaf = quad.length ? null : quad; leaf; leaf = leaf.next) {
          if (leaf.data !== node) moved = apart(node, leaf.data) || moved;
        }
        return x0 > node.x + reach || x1 < node.x - reach || y0 > node.y + reach || y1 < node.y - reach;
      });
    }
    if (!moved) return;
  }
}

/** Moves two nodes apart along the axis on which they overlap less; returns whether they did. */
function apart(one, other) {
  const [dx, dy] = [other.x - one.x || 0.1, other.y - one.y || 0.1];
  const [tooNearX, tooNearY] = [one.w + other.w + 6 - Math.abs(dx), one.h + other.h + 6 - Math.abs(dy)];
  if (tooNearX <= 0.5 || tooNearY <= 0.5) return false;
  if (tooNearX < tooNearY) {
    one.x -= Math.sign(dx) * tooNearX / 2;
    other.x += Math.sign(dx) * tooNearX / 2;
  } else {
    one.y -= Math.sign(dy) * tooNearY / 2;
    other.y += Math.sign(dy) * tooNearY / 2;
  }
  return true;
}

/** Returns the distances of all pairs, ignoring directions, row by row. */
function distances(component, near, place) {
  const count = component.length;
  const inside = component.map((number) => near[number].map((other) => place.get(other)));
  const distance = new Uint16Array(count * count);
  const waiting = new Uint32Array(count);
  const seen = new Int32Array(count).fill(-1);
  for (let start = 0; start < count; start += 1) {
    waiting[0] = start;
    seen[start] = start;
    for (let next = 0, end = 1; next < end; next += 1) {
      const at = waiting[next];
      const further = distance[start * count + at] + 1;
      for (const other of inside[at]) {
        if (seen[other] === start) continue;
        seen[other] = start;
        distance[start * count + other] = further;
        waiting[end] = other;
        end += 1;
      }
    }
  }
  return distance;
}

/** Returns coordinates, with adjacent nodes about 1 apart; the same for the same distances. */
function descended(distance, count) {
  const random = randomNumbers(1);
  const xs = Float64Array.from({ length: count }, random);
  const ys = Float64Array.from({ length: count }, random);
  let furthest = 1;
  for (const each of distance) if (each > furthest) furthest = each;
  const pairs = new Uint32Array(count * (count - 1) / 2);
  for (let one = 0, at = 0; one < count; one += 1) {
    for (let other = one + 1; other < count; other += 1, at += 1) pairs[at] = one * count + other;
  }
  // Many nodes have so many pairs that fewer rounds do.
  const rounds = Math.ceil(ROUNDS / (count > MANY ? 3 : (count > MANY / 3 ? 2 : 1)));
  const [first, last] = [furthest ** 2, 0.1];
  for (let round = 0; round < rounds; round += 1) {
    const rate = first * (last / first) ** (round / (rounds - 1));
    for (let at = round > 0 && count > MANY ? 0 : pairs.length - 1; at > 0; at -= 1) {
      const chosen = Math.floor(random() * (at + 1));
      const pair = pairs[chosen];
      pairs[chosen] = pairs[at];
      pairs[at] = pair;
    }
    for (const pair of pairs) {
      const one = Math.floor(pair / count);
      const other = pair - one * count;
      const wanted = distance[pair];
      const [dx, dy] = [xs[one] - xs[other], ys[one] - ys[other]];
      const length = Math.sqrt(dx * dx + dy * dy) || 1e-6;
      const move = Math.min(1, rate / (wanted * wanted)) * (length - wanted) / (2 * length);
      xs[one] -= move * dx;
      ys[one] -= move * dy;
      xs[other] += move * dx;
      ys[other] += move * dy;
    }
  }
  return [xs, ys];
}

/** Returns a function that gives numbers from 0 to 1 (xorshift; Marsaglia, 2003). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/** Turns and scales a picture such that it fills the window; the first node is on its left. */
function bestTurn(nodes, xs, ys, length, size) {
  let best = { scale: -1 };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [sine, cosine] = [Math.sin(2 * Math.PI * turn / TURNS), Math.cos(2 * Math.PI * turn / TURNS)];
    const turned = {
      xs: xs.map((x, at) => length * (x * cosine - ys[at] * sine)),
      ys: ys.map((y, at) => length * (xs[at] * sine + y * cosine)),
    };
    nodes.forEach((node, at) => Object.assign(node, { x: turned.xs[at], y: turned.ys[at] }));
    const middle = turned.xs.reduce((sum, x) => sum + x, 0) / nodes.length;
    const scale = fitting(nodes, size) * (turned.xs[0] <= middle ? 1.02 : 1);
    if (scale > best.scale * 1.005) best = { ...turned, scale };
  }
  return best;
}
