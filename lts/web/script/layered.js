// Nodes in columns by depth (after Sugiyama, Tagawa and Toda, 1981), and such columns folded like a
// band into several rows, alternately to the right and to the left.
"use strict";

const SWEEPS = 12;
/** Space between the rows of a band. */
const ROW_GAP = 34;

/** Places nodes in columns by their layers, with unreachable ones below the others. */
function layered(picture) {
  stacked(picture, (nodes, columns) => {
    spread(columns, picture.arrows, 1);
    for (const node of nodes) node.row = 0;
    stretch(nodes);
  });
}

/** Places nodes in columns that are folded into as many rows as fill the window best. */
function banded(picture, size) {
  readable(picture, size, (room) => stacked(picture, (nodes, columns) => {
    spread(columns, picture.arrows, room);
    fold(nodes, columns, size);
  }));
}

/** Places the reachable nodes, and the others below them. */
function stacked(picture, place) {
  let top = 0;
  for (const reached of [true, false]) {
    const nodes = picture.nodes.filter((node) => node.reached === reached);
    if (nodes.length === 0) continue;
    const columns = [];
    for (const node of nodes) (columns[node.layer] = columns[node.layer] || []).push(node);
    const filled = columns.filter(Boolean);
    filled.forEach((column, number) => column.forEach((node) => { node.column = number; }));
    order(filled, picture.arrows);
    place(nodes, filled);
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

/** Places columns from left to right, with `room` for the texts of arrows between them. */
function spread(columns, arrows, room) {
  const rooms = columns.map(() => 40);
  for (const { source, target, width } of arrows) {
    if (source.reached !== target.reached) continue;
    const left = Math.min(source.column, target.column);
    if (Math.abs(source.column - target.column) === 1) rooms[left] = Math.max(rooms[left], Math.min(width, 200));
  }
  // Arrows between tall columns get steep; but many columns would get too broad.
  const most = Math.min(900, 2 * Math.max(...columns.map(extent)) / columns.length);
  let x = 0;
  columns.forEach((column, number) => {
    const half = greatest(column, (node) => node.w);
    x += half;
    for (const node of column) node.x = x;
    const next = columns[number + 1] || [];
    const tallest = Math.max(extent(column), extent(next));
    x += half + Math.max(14 + room * (rooms[number] + 30), Math.min(most, tallest / 7));
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

/** Folds columns that are placed from left to right into the number of rows that fits best. */
function fold(nodes, columns, size) {
  const boxes = columns.map((column) => ({
    left: least(column, (node) => node.x - node.w),
    right: greatest(column, (node) => node.x + node.w),
  }));
  const total = boxes[boxes.length - 1].right - boxes[0].left;
  const before = positions(nodes);
  let best = { scale: 0 };
  for (let count = 1; count <= Math.min(columns.length, 60); count += 1) {
    restore(nodes, before);
    foldInto(columns, boxes, total / count);
    const scale = fitting(nodes, size);
    // Few rows are easier to follow than many that are hardly larger.
    if (scale > best.scale * 1.03) best = { scale, width: total / count };
  }
  restore(nodes, before);
  foldInto(columns, boxes, best.width);
}

/** Folds columns into rows of about a width; every other row runs to the left. */
function foldInto(columns, boxes, width) {
  const rows = [];
  let row = null;
  columns.forEach((_, number) => {
    // A column belongs to the row that has most of it.
    if (row === null || (boxes[number].right + boxes[number].left) / 2 - boxes[row[0]].left > width) {
      row = [];
      rows.push(row);
    }
    row.push(number);
  });
  const widest = Math.max(...rows.map((each) => boxes[each[each.length - 1]].right - boxes[each[0]].left));
  let top = 0;
  rows.forEach((each, number) => {
    const [start, end] = [boxes[each[0]].left, boxes[each[each.length - 1]].right];
    // All rows but the last are as broad as the broadest, so that the next one starts below its end.
    const factor = number < rows.length - 1 && each.length > 1 ? widest / (end - start) : 1;
    const inRow = each.flatMap((column) => columns[column]);
    const highest = least(inRow, (node) => node.y - node.up);
    for (const node of inRow) {
      const x = (node.x - start) * factor;
      node.x = number % 2 ? widest - x : x;
      node.y += top - highest;
      node.row = number;
    }
    top = greatest(inRow, (node) => node.y + node.h) + ROW_GAP;
  });
}
