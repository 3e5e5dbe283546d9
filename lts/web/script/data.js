// Decoding of the data embedded in the page.
"use strict";

/** Returns the embedded data, with columns as arrays of numbers. */
async function unpacked() {
  const place = document.getElementById("data");
  const text = atob(place.textContent);
  place.remove(); // some megabytes that are needed no more
  const packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = whole.length - 4;
  const start = end - new DataView(whole.buffer).getUint32(end, true);
  return JSON.parse(new TextDecoder().decode(whole.subarray(start, end)), (_, value) => {
    if (value === null || typeof value !== "object") return value;
    if (Object.hasOwn(value, "width")) return columnOf(whole, value);
    if (Object.hasOwn(value, "numbered")) return Array.from({ length: value.count }, (__, number) => `${value.numbered} ${number}`);
    return value;
  });
}

/** Returns a column of numbers, of which all lowest bytes come first, then all second ones. */
function columnOf(whole, { at, length, width }) {
  if (width === 1) return whole.subarray(at, at + length);
  const column = new (width === 2 ? Uint16Array : Uint32Array)(length);
  for (let byte = 0; byte < width; byte += 1) {
    const shift = 8 * byte;
    const from = at + byte * length;
    for (let number = 0; number < length; number += 1) column[number] |= whole[from + number] << shift;
  }
  return column;
}
