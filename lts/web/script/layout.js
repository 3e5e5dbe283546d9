// Layout of nodes: in layers by depth (after Sugiyama, Tagawa and Toda, 1981), or by springs.
"use strict";

const RADIUS = 15;
const SWEEPS = 12;

/** Returns the least value over nodes, which may be too many for the arguments of Math.min. */
function least(nodes, of) {
  return nodes.reduce((found, node) => Math.min(found, of(node)), Infinity);
}

function greatest(nodes, of) {
  return -least(nodes, (node) => -of(node));
}

/** Sets the sizes of nodes, including loops and their texts above them. */
function measure(picture, widthOf) {
  for (const node of picture.nodes) {
    const wide = node.part !== undefined;
    node.w = wide ? Math.max(96, 22 + Math.min(220, Math.max(widthOf(node.text), widthOf(sizeText(node))))) / 2 : RADIUS;
    node.h = wide ? 24 : RADIUS;
    node.up = node.h;
    node.loops = 0;
  }
  for (const arrow of picture.arrows) {
    arrow.width = Math.max(...arrow.texts.map(widthOf));
    if (arrow.source === arrow.target) {
      arrow.raised = arrow.source.loops;
      arrow.source.loops += 14 * arrow.texts.length + (arrow.raised ? 6 : 0);
      arrow.source.up = arrow.source.h + 28 + arrow.source.loops;
    }
  }
}

function sizeText(node) {
  return `${node.rest ? "… " : ""}${counted(node.size, "state")}${node.rest ? " more" : ""}`;
}

/** Places nodes in columns by their layers, with unreachable ones below the others. */
function layered(picture) {
  const below = (reached) => picture.nodes.filter((node) => node.reached === reached);
  let top = 0;
  for (const nodes of [below(true), below(false)]) {
    if (nodes.length === 0) continue;
    const columns = [];
    for (const node of nodes) (columns[node.layer] = columns[node.layer] || []).push(node);
    const filled = columns.filter(Boolean);
    filled.forEach((column, number) => column.forEach((node) => { node.column = number; }));
    order(filled, picture.arrows);
    spread(filled, picture.arrows);
    stretch(nodes);
    const highest = least(nodes, (node) => node.y - node.up);
    for (const node of nodes) node.y += top - highest;
    top = greatest(nodes, (node) => node.y + node.h) + 90;
  }
}

/** Orders columns by the means of their neighbours, and moves nodes towards these means. */
function order(columns, arrows) {
  for (const column of columns) {
    for (const node of column) node.near = [[], []];
    settle(column.map((node) => { node.wanted = 0; return node; }));
  }
  for (const { source, target } of arrows) {
    if (source.reached !== target.reached || Math.abs(source.column - target.column) !== 1) continue;
    source.near[source.column < target.column ? 1 : 0].push(target);
    target.near[target.column < source.column ? 1 : 0].push(source);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const rightwards = sweep % 2 === 0;
    const last = sweep >= SWEEPS - 2;
    for (const column of rightwards ? columns : [...columns].reverse()) {
      for (const node of column) {
        const near = last ? [...node.near[0], ...node.near[1]] : node.near[rightwards ? 0 : 1];
        node.wanted = near.length ? near.reduce((sum, other) => sum + other.y, 0) / near.length : node.y;
      }
      if (!last) column.sort((one, other) => one.wanted - other.wanted);
      settle(column);
    }
  }
}

/** Places the nodes of a column in their order, as close to the wanted positions as there is room
 * for: a block of adjacent nodes is placed at the mean of its wanted positions. */
function settle(column) {
  const blocks = [];
  let offset = 0;
  column.forEach((node, number) => {
    offset += number ? column[number - 1].h + node.up + 16 : 0;
    node.offset = offset;
    blocks.push({ nodes: [node], sum: node.wanted - offset, at: node.wanted - offset });
    while (blocks.length > 1 && blocks[blocks.length - 2].at > blocks[blocks.length - 1].at) {
      const { nodes, sum } = blocks.pop();
      const block = blocks[blocks.length - 1];
      block.nodes.push(...nodes);
      block.sum += sum;
      block.at = block.sum / block.nodes.length;
    }
  });
  for (const block of blocks) for (const node of block.nodes) node.y = block.at + node.offset;
}

/** Leaves room between columns for the texts of arrows. */
function spread(columns, arrows) {
  const room = columns.map(() => 40);
  for (const { source, target, width } of arrows) {
    if (source.reached !== target.reached) continue;
    const left = Math.min(source.column, target.column);
    if (Math.abs(source.column - target.column) === 1) room[left] = Math.max(room[left], Math.min(width, 200));
  }
  let x = 0;
  columns.forEach((column, number) => {
    const half = greatest(column, (node) => node.w);
    x += half;
    for (const node of column) node.x = x;
    const next = columns[number + 1] || [];
    const tallest = Math.max(extent(column), extent(next));
    x += half + Math.max(room[number] + 44, Math.min(900, tallest / 7));
  });
}

/** Stretches a broad picture vertically: there is room for it, and texts overlap less. */
function stretch(nodes) {
  const size = (of) => greatest(nodes, of) - least(nodes, of) + 1;
  const factor = Math.max(1, Math.min(2.2, size((node) => node.x) / size((node) => node.y) / 1.7));
  for (const node of nodes) node.y *= factor;
}

function extent(column) {
  return column.length ? column[column.length - 1].y - column[0].y : 0;
}

/** Moves nodes by springs from their positions; `tell` is called on each move. */
function springs(picture, tell) {
  const links = picture.arrows.filter(({ source, target }) => source !== target)
    .map(({ source, target, width }) => ({ source, target, length: 60 + Math.min(80, width || 0) / 2 + source.w + target.w }));
  const large = picture.nodes.length > 400;
  return d3.forceSimulation(picture.nodes)
    .force("link", d3.forceLink(links).distance((link) => link.length).strength(large ? 0.7 : 0.4))
    .force("charge", d3.forceManyBody().strength(large ? -160 : -420).distanceMax(1500))
    .force("collide", d3.forceCollide((node) => Math.max(node.w, node.h) + 6))
    .force("x", d3.forceX(0).strength(0.015))
    .force("y", d3.forceY(0).strength(0.03))
    .alphaDecay(large ? 0.03 : 0.025)
    .on("tick", tell);
}
