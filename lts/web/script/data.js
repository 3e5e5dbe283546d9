// Decoding of the data embedded in the page.
"use strict";

/** Returns the embedded data, with columns as arrays of numbers. */
async function unpacked() {
  const text = document.getElementById("data").textContent;
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = await new Response(stream).arrayBuffer();
  const head = new DataView(whole).getUint32(0, true);
  const columns = new Uint32Array(whole, 4 + head);
  const isColumn = (value) => value !== null && typeof value === "object" && Object.hasOwn(value, "at");
  return JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, head)), (_, value) =>
    isColumn(value) ? columns.subarray(value.at, value.at + value.length) : value);
}
