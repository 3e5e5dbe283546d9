// Nodes around a centre: a cone seen from above, whose rings are the depths, and a single circle.
"use strict";

/** Returns the neighbours of every node, in both directions, each once; nodes are numbered. */
function neighbours(picture) {
  picture.nodes.forEach((node, number) => { node.number = number; });
  const found = picture.nodes.map(() => new Set());
  for (const { source, target } of picture.arrows) {
    if (source === target) continue;
    found[source.number].add(target.number);
    found[target.number].add(source.number);
  }
  return found.map((each) => [...each]);
}

/** Returns the connected components of the nodes as lists of numbers; each starts with its node of
 * the least layer, that with the initial state comes first. */
function components(picture, near) {
  const { nodes } = picture;
  const first = [...nodes.keys()].sort((a, b) => nodes[b].reached - nodes[a].reached || nodes[a].layer - nodes[b].layer);
  const seen = new Uint8Array(nodes.length);
  const found = [];
  for (const start of first) {
    if (seen[start]) continue;
    seen[start] = 1;
    const component = [start];
    for (let next = 0; next < component.length; next += 1) {
      for (const other of near[component[next]]) {
        if (!seen[other]) component.push(other);
        seen[other] = 1;
      }
    }
    found.push(component);
  }
  return found;
}

/** Places each component by itself, and packs these in rows. */
function packed(picture, size, place) {
  const near = neighbours(picture);
  const boxes = components(picture, near).map((component) => {
    const nodes = component.map((number) => picture.nodes[number]);
    place(component, nodes, near);
    const [left, top] = [least(nodes, (n) => n.x - n.w), least(nodes, (n) => n.y - n.up)];
    const [width, height] = [greatest(nodes, (n) => n.x + n.w) - left + 50, greatest(nodes, (n) => n.y + n.h) - top + 50];
    return { nodes, left, top, width, height };
  });
  if (boxes.length === 1) return;
  const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
  const most = Math.max(boxes[0].width, Math.sqrt(area * size.width / size.height));
  let [x, y, tallest] = [0, 0, 0];
  for (const { nodes, left, top, width, height } of boxes) {
    if (x > 0 && x + width > most) [x, y, tallest] = [0, y + tallest, 0];
    for (const node of nodes) {
      node.x += x - left;
      node.y += y - top;
    }
    x += width;
    tallest = Math.max(tallest, height);
  }
}

/** Returns the distance of adjacent nodes, with `room` for most texts of arrows. */
function usualLength(picture, nodes, room) {
  const largest = greatest(nodes, (node) => Math.max(node.w, node.h));
  const widths = picture.arrows.filter(({ source, target }) => source !== target).map(({ width }) => width).sort((a, b) => a - b);
  const text = widths.length ? Math.min(120, widths[Math.floor(widths.length * 0.8)]) : 0;
  return 2 * largest + 14 + room * (14 + text);
}

/** Places nodes on rings by their distance from the first one, each among its children. */
function coned(picture, size) {
  readable(picture, size, (room) => packed(picture, size, (component, nodes, near) => {
    const parent = new Map([[component[0], -1]]);
    const ring = new Map([[component[0], 0]]);
    const children = new Map(component.map((number) => [number, []]));
    for (const number of component) {
      for (const other of near[number]) {
        if (ring.has(other)) continue;
        ring.set(other, ring.get(number) + 1);
        parent.set(other, number);
        children.get(number).push(other);
      }
    }
    // The share of the circle that a subtree gets grows with its leaves.
    const leaves = new Map();
    for (const number of [...component].reverse()) {
      leaves.set(number, Math.max(1, children.get(number).reduce((sum, child) => sum + leaves.get(child), 0)));
    }
    const from = new Map([[component[0], -Math.PI / 2]]);
    const arc = (number) => 2 * Math.PI * leaves.get(number) / leaves.get(component[0]);
    const radii = [0];
    for (const number of component) {
      let at = from.get(number);
      for (const child of children.get(number)) {
        from.set(child, at);
        at += arc(child);
      }
      const depth = ring.get(number);
      const node = picture.nodes[number];
      const needed = (2 * Math.max(node.w, node.up) + 10) / (2 * Math.sin(Math.min(Math.PI, arc(number)) / 2));
      if (depth > 0) radii[depth] = Math.max(radii[depth] || 0, needed);
    }
    const gap = usualLength(picture, nodes, room);
    for (let depth = 1; depth < radii.length; depth += 1) radii[depth] = Math.max(radii[depth], radii[depth - 1] + gap);
    for (const number of component) {
      const angle = from.get(number) + arc(number) / 2;
      const radius = radii[ring.get(number)];
      Object.assign(picture.nodes[number], { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
    }
  }));
}

/** Places nodes on one circle, such that many of them are next to a neighbour. */
function circled(picture, size) {
  readable(picture, size, (room) => packed(picture, size, (component, nodes, near) => {
    const seen = new Set();
    const line = [];
    const waiting = [component[0]];
    while (waiting.length) {
      const number = waiting.pop();
      if (seen.has(number)) continue;
      seen.add(number);
      line.push(number);
      // The last one is visited next: the neighbour with the fewest neighbours left.
      const left = (other) => near[other].reduce((sum, each) => sum + !seen.has(each), 0);
      waiting.push(...near[number].filter((other) => !seen.has(other)).sort((a, b) => left(b) - left(a)));
    }
    const radius = line.length === 1 ? 0 : Math.max(60, line.length * usualLength(picture, nodes, room) / (2 * Math.PI));
    line.forEach((number, place) => {
      const angle = Math.PI + 2 * Math.PI * place / line.length;
      Object.assign(picture.nodes[number], { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
    });
  }));
}
