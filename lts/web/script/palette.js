// Colours distinguishable with any colour vision (Okabe and Ito, 2008), four hatchings,
// and a scale (cividis; Nunez, Anderton and Renslow, 2018).
"use strict";

const COLOURS = [
  "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#3d84c6", "#d55e00", "#cc79a7", "#787878",
];
const HATCHINGS = 4;
const SCALE = ["#2c4a7d", "#575d6d", "#7d7c78", "#a59c74", "#d2c060", "#fee838"];

const onScale = d3.interpolateRgbBasis(SCALE);

/** Returns the colour and the hatching of a class. */
function looks(number) {
  const hatching = Math.floor(number / COLOURS.length) % HATCHINGS;
  return { fill: COLOURS[number % COLOURS.length], hatching };
}

/** Returns whether black is more readable than white on a colour. */
function isBright(colour) {
  const { r, g, b } = d3.rgb(colour);
  return 0.299 * r + 0.587 * g + 0.114 * b > 120;
}

/** Hatches the clipped area around a point. */
function hatch(context, x, y, radius, hatching) {
  if (hatching === 0) return;
  context.beginPath();
  for (let at = -2 * radius; at <= 2 * radius; at += radius / 1.7) {
    if (hatching !== 2) {
      context.moveTo(x + at - radius, y - radius);
      context.lineTo(x + at + radius, y + radius);
    }
    if (hatching !== 1) {
      context.moveTo(x + at + radius, y - radius);
      context.lineTo(x + at - radius, y + radius);
    }
  }
  context.strokeStyle = "rgba(0, 0, 0, 0.45)";
  context.lineWidth = radius / 9;
  context.stroke();
}
