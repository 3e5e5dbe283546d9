// The legend of colours and shapes; clicking a class highlights it.
"use strict";

const MOST_CLASSES = 16;

/** Shows the legend of a pane. */
function showLegend(app, pane) {
  const place = document.querySelector("#legend .content");
  const { colouring } = pane;
  place.replaceChildren(element("p", { className: "mark" }, `Colour: ${clipped(visible(colouring.name), 120)}`));
  if (colouring.scale) place.append(...scale(colouring));
  else place.append(classes(app, pane));
  if (app.linkName()) {
    place.append(element("p", { className: "quiet" }, `A selected state is highlighted with its whole ${app.linkName()} on both sides.`));
  }
  const { nodes, arrows } = pane.picture;
  const shapes = [["initial state", "initial"]];
  if (nodes.some((node) => node.part === undefined && pane.system.isDeadlock(node.state))) shapes.push(["deadlock", "deadlock"]);
  if (nodes.some((node) => node.deadlocks)) shapes.push(["part with deadlocks", "deadlocks"]);
  if (arrows.some(({ kind }) => kind === 1)) shapes.push(["internal step", "internal"]);
  if (arrows.some(({ kind }) => kind & 2)) shapes.push(["rho-step", "jump"]);
  if (nodes.some((node) => node.part !== undefined)) shapes.push(["part with several states", "part"]);
  const list = element("ul", { className: "classes" });
  for (const [text, kind] of shapes) {
    list.append(element("li", { className: "shape" }, glyph(kind), element("span", { className: "name" }, text)));
  }
  place.append(list);
}

function scale(colouring) {
  const last = colouring.unreached ? colouring.names.length - 2 : colouring.names.length - 1;
  const bar = element("div", { className: "scale" });
  bar.style.background = `linear-gradient(to right, ${SCALE.join(",")})`;
  const ends = element("div", { className: "ends" }, element("span", {}, "0"), element("span", {}, String(last)));
  const more = colouring.unreached ? [element("p", { className: "quiet" }, `${counted(colouring.counts[last + 1], "state")} unreachable, not coloured`)] : [];
  return [bar, ends, ...more];
}

function classes(app, pane) {
  const { colouring } = pane;
  const list = element("ul", { className: "classes" });
  const shown = [...colouring.names.keys()].filter((number) => colouring.counts[number] && colouring.names[number] !== null);
  for (const number of shown.slice(0, MOST_CLASSES)) {
    const name = clipped(visible(colouring.names[number]), 90);
    const button = element("button", { type: "button", "aria-pressed": String(pane.emphasised === number) },
      swatch(number), element("span", { className: "name" }, name),
      element("span", { className: "quiet" }, numbers.format(colouring.counts[number])));
    button.addEventListener("click", () => app.emphasise(pane, number));
    list.append(element("li", {}, button));
  }
  const left = shown.length - MOST_CLASSES;
  if (left > 0) list.append(element("li", { className: "quiet" }, `… ${numbers.format(left)} more`));
  return list;
}

function canvasOf(size) {
  const canvas = element("canvas", { className: "swatch", width: 2 * size, height: 2 * size });
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  return [canvas, context];
}

function swatch(number) {
  const [canvas, context] = canvasOf(18);
  const { fill, hatching } = looks(number);
  context.arc(9, 9, 8, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.clip();
  hatch(context, 9, 9, 8, hatching);
  return canvas;
}

/** Returns an icon of a kind of node or arrow. */
function glyph(kind) {
  const [canvas, context] = canvasOf(18);
  context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  context.lineWidth = 2.5;
  if (kind === "deadlock") context.strokeRect(3, 3, 12, 12);
  else if (kind === "part") context.strokeRect(1, 5, 16, 9);
  else if (kind === "deadlocks") {
    context.lineWidth = 1.3;
    context.strokeRect(1, 7, 14, 9);
    context.clearRect(11, 3, 6, 6);
    context.lineWidth = 2.2;
    context.strokeRect(11, 3, 6, 6);
  }
  else if (kind === "initial") {
    context.arc(12, 9, 4.5, 0, 2 * Math.PI);
    context.moveTo(0, 9);
    context.lineTo(6, 9);
    context.stroke();
  } else {
    context.lineWidth = 2;
    context.setLineDash(kind === "jump" ? [5, 3] : [2, 2]);
    context.moveTo(0, 9);
    context.lineTo(18, 9);
    context.stroke();
  }
  return canvas;
}
