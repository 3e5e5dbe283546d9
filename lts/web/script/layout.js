// The layouts, how good each is for a picture, and the choice of the best one.
"use strict";

const RADIUS = 15;
/** The largest zoom to which a picture is fitted, and the zoom at which texts are readable. */
const LARGEST = 2;
const READABLE = 0.55;
const ROOMS = [2, 1, 0.6, 0.3, 0.1];
/** How many arrows are compared with each other. */
const COMPARED = 500;

/** The choice of the layout that is best for a picture. */
const AUTOMATIC = "automatic";

/** The layouts with the numbers of nodes up to which they can be chosen, and up to which the automatic
 * choice tries them; clusters, which show their depths, are not placed as states are. */
const LAYOUTS = [
  { name: "layers", place: layered, most: Infinity, tried: 20000 },
  { name: "band", place: banded, most: Infinity, tried: 20000 },
  { name: "cone", place: coned, most: 20000, tried: 3000, ofStates: true },
  { name: "circle", place: circled, most: 600, tried: 300, ofStates: true },
  { name: "force", place: stressed, most: 2000, tried: 2000, ofStates: true },
];

/** Returns the least value over nodes, which may be too many for the arguments of Math.min. */
function least(nodes, of) {
  return nodes.reduce((found, node) => Math.min(found, of(node)), Infinity);
}

function greatest(nodes, of) {
  return -least(nodes, (node) => -of(node));
}

function positions(nodes) {
  return nodes.map(({ x, y, row }) => ({ x, y, row }));
}

function restore(nodes, places) {
  nodes.forEach((node, number) => Object.assign(node, places[number]));
}

/** Returns the box around nodes and the curves of arrows, with some margin. */
function boxAround(nodes, arrows = []) {
  let left = least(nodes, (n) => n.x - n.w - (n.initial ? 30 : 0));
  let right = greatest(nodes, (n) => n.x + n.w);
  let top = least(nodes, (n) => n.y - n.up);
  let bottom = greatest(nodes, (n) => n.y + n.h);
  for (const { curve } of arrows) {
    for (const time of [0.25, 0.5, 0.75]) {
      const [x, y] = pointAt(curve, time);
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
  }
  return { left: left - 18, right: right + 18, top: top - 18, bottom: bottom + 18 };
}

/** Returns the zoom at which nodes and arrows fit into a window. */
function fitting(nodes, { width, height }, arrows = []) {
  const { left, right, top, bottom } = boxAround(nodes, arrows);
  return Math.min(LARGEST, width / (right - left), height / (bottom - top));
}

/** Places nodes with as much room for the texts of arrows, from 2 to 0, as leaves them readable. */
function readable(picture, size, place) {
  const isReadable = (room) => {
    place(room);
    return fitting(picture.nodes, size) >= (room > 1 ? LARGEST / 2 : READABLE);
  };
  // With little room first: a large picture is placed once.
  if (isReadable(ROOMS[ROOMS.length - 1])) ROOMS.find(isReadable);
}

/** Sets the sizes of nodes, including loops and their texts above them. */
function measure(picture, widthOf) {
  for (const node of picture.nodes) {
    node.w = node.h = RADIUS;
    if (node.part !== undefined && picture.hasDots) node.w = node.h = 9 + 5 * Math.log10(node.size);
    else if (node.part !== undefined) {
      node.w = Math.max(96, 22 + Math.min(220, Math.max(widthOf(node.text), widthOf(sizeText(node))))) / 2;
      node.h = 24 + 3 * Math.log10(node.size);
    }
    node.up = node.h;
    node.loops = 0;
    node.row = 0;
  }
  for (const arrow of picture.arrows) {
    arrow.width = picture.hasDots ? 0 : Math.max(...arrow.texts.map(widthOf));
    if (arrow.source === arrow.target) {
      arrow.raised = arrow.source.loops + (arrow.source.loops ? 6 : 0);
      arrow.source.loops = arrow.raised + 14 * arrow.texts.length;
      arrow.source.up = arrow.source.h + 28 + arrow.source.loops;
    }
  }
}

function sizeText(node) {
  return `${node.rest ? "… " : ""}${counted(node.size, "state")}${node.rest ? " more" : ""}`;
}

/** Places nodes by a layout, or for `automatic` by the best one for this picture and its `partner`;
 * returns its name. */
function arranged(picture, size, name, partner = null) {
  const wanted = LAYOUTS.find((each) => each.name === name && picture.nodes.length <= each.most);
  if (wanted) {
    wanted.place(picture, size);
    return wanted.name;
  }
  const own = tried(picture, size);
  const before = partner && positions(partner.nodes);
  const others = new Map(partner ? tried(partner, size).map((each) => [each.name, each.cost]) : []);
  if (partner) restore(partner.nodes, before);
  const common = own.filter((each) => others.has(each.name));
  const total = (each) => each.cost + (others.get(each.name) ?? 0);
  const best = (common.length ? common : own).reduce((one, other) => (total(other) < total(one) ? other : one));
  restore(picture.nodes, best.places);
  return best.name;
}

/** Returns the places of nodes in the layouts among which one is chosen, each with its cost. */
function tried(picture, size) {
  const fits = LAYOUTS.filter(({ most }) => picture.nodes.length <= most);
  const candidates = fits.filter((each) => picture.nodes.length <= each.tried && !(each.ofStates && picture.clusters));
  return (candidates.length ? candidates : fits.slice(0, 1)).map(({ name, place }) => {
    place(picture, size);
    return { name, cost: cost(picture, size), places: positions(picture.nodes) };
  });
}

/** Returns how hard a picture is to read: it is small, arrows cross each other or run through
 * nodes, or some are much longer than others. */
function cost(picture, size) {
  const scale = fitting(picture.nodes, size);
  const { sample, each: crossings } = crossingsOf(picture);
  const nearby = new Nearby(picture.nodes);
  const through = sample.reduce((sum, { source, target }) => sum + nearby.hits([[source.x, source.y], [target.x, target.y]], [source, target]), 0);
  const lengths = sample.map(({ source, target }) => Math.hypot(source.x - target.x, source.y - target.y)).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length / 2)] || 1;
  const uneven = lengths.length ? Math.log(1 + lengths[lengths.length - 1] / usual) : 0;
  const count = Math.max(1, sample.length);
  const small = Math.log(1 / Math.min(1, scale)) + Math.log(READABLE / Math.min(READABLE, scale));
  return small + 0.6 * Math.log1p(crossings) + 1.2 * through / count + 0.45 * uneven;
}

/** Returns arrows, all or some of many, and how many arrows cross each on average. */
function crossingsOf(picture) {
  const arrows = picture.arrows.filter(({ source, target }) => source !== target);
  const sample = arrows.filter((_, number) => number % Math.ceil(arrows.length / COMPARED) === 0);
  let crossings = 0;
  sample.forEach((one, number) => {
    for (let at = number + 1; at < sample.length; at += 1) crossings += cross(one, sample[at]);
  });
  return { sample, each: crossings * Math.max(1, arrows.length / COMPARED) / Math.max(1, sample.length) };
}

/** Whether the straight lines of two arrows without a common end cross. */
function cross(one, other) {
  const [a, b, c, d] = [one.source, one.target, other.source, other.target];
  if (a === c || a === d || b === c || b === d) return 0;
  const side = (p, q, r) => (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  return Number(side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0);
}
