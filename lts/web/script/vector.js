// A drawing context that writes SVG: it takes the calls of a canvas which the painter makes.
"use strict";

class Vector {
  constructor(width, height) {
    Object.assign(this, { width, height, fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1 });
    Object.assign(this, { font: "", textAlign: "left", textBaseline: "middle", lineJoin: "miter" });
    this.parts = [];
    this.clips = 0;
    this.clipping = null;
    this.saved = [];
    this.dashes = [];
    this.path = "";
    [this.k, this.x, this.y] = [1, 0, 0];
  }

  translate(x, y) {
    [this.x, this.y] = [this.x + this.k * x, this.y + this.k * y];
  }

  scale(k) {
    this.k *= k;
  }

  /** Returns a length, or a point, in the units of the picture. */
  long(length) {
    return Math.round(this.k * length * 100) / 100;
  }

  at(x, y) {
    return `${Math.round((this.k * x + this.x) * 100) / 100} ${Math.round((this.k * y + this.y) * 100) / 100}`;
  }

  setLineDash(dashes) {
    this.dashes = dashes;
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${this.at(x, y)}`;
  }

  lineTo(x, y) {
    this.path += `L${this.at(x, y)}`;
  }

  bezierCurveTo(x1, y1, x2, y2, x3, y3) {
    this.path += `C${this.at(x1, y1)} ${this.at(x2, y2)} ${this.at(x3, y3)}`;
  }

  closePath() {
    this.path += "Z";
  }

  /** A whole circle. */
  arc(x, y, radius) {
    const r = this.long(radius);
    this.path += `M${this.at(x - radius, y)}A${r} ${r} 0 1 1 ${this.at(x + radius, y)}A${r} ${r} 0 1 1 ${this.at(x - radius, y)}Z`;
  }

  rect(x, y, width, height) {
    this.path += `M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`;
  }

  roundRect(x, y, width, height, radius) {
    const r = this.long(radius);
    const turn = (tx, ty) => `A${r} ${r} 0 0 1 ${this.at(tx, ty)}`;
    this.path += `M${this.at(x + radius, y)}L${this.at(x + width - radius, y)}${turn(x + width, y + radius)}` +
      `L${this.at(x + width, y + height - radius)}${turn(x + width - radius, y + height)}` +
      `L${this.at(x + radius, y + height)}${turn(x, y + height - radius)}L${this.at(x, y + radius)}${turn(x + radius, y)}Z`;
  }

  add(tag, attributes, content = "") {
    const shown = { ...attributes, opacity: this.globalAlpha < 1 ? this.globalAlpha : undefined, "clip-path": this.clipping ?? undefined };
    const words = Object.entries(shown).filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
    this.parts.push(`<${tag}${words.join("")}${content ? `>${content}</${tag}>` : "/>"}`);
  }

  pen() {
    return {
      fill: "none", stroke: this.strokeStyle, "stroke-width": this.long(this.lineWidth), "stroke-linejoin": this.lineJoin,
      "stroke-dasharray": this.dashes.length ? this.dashes.map((each) => this.long(each)).join(" ") : undefined,
    };
  }

  stroke() {
    if (this.path) this.add("path", { d: this.path, ...this.pen() });
  }

  fill() {
    if (this.path) this.add("path", { d: this.path, fill: this.fillStyle });
  }

  /** Paints a rectangle, and keeps the path that was begun. */
  boxed(paint, box) {
    const before = this.path;
    this.path = "";
    this.rect(...box);
    paint.call(this);
    this.path = before;
  }

  fillRect(...box) {
    this.boxed(this.fill, box);
  }

  strokeRect(...box) {
    this.boxed(this.stroke, box);
  }

  text(text, x, y, paint) {
    const [, bold, size] = /^(bold )?([\d.]+)px/.exec(this.font);
    const [left, top] = this.at(x, y).split(" ");
    const anchor = { center: "middle", left: "start", right: "end" }[this.textAlign];
    this.add("text", {
      x: left, y: top, "font-size": this.long(Number(size)), "font-weight": bold ? "bold" : undefined,
      "text-anchor": anchor, "dominant-baseline": "central", ...paint,
    }, escaped(text));
  }

  fillText(text, x, y) {
    this.text(text, x, y, { fill: this.fillStyle });
  }

  strokeText(text, x, y) {
    this.text(text, x, y, this.pen());
  }

  clip() {
    this.clips += 1;
    this.parts.push(`<clipPath id="clip${this.clips}"><path d="${this.path}"/></clipPath>`);
    this.clipping = `url(#clip${this.clips})`;
  }

  save() {
    this.saved.push(this.clipping);
  }

  restore() {
    this.clipping = this.saved.pop();
  }

  whole() {
    const family = escaped(FONT);
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" font-family="${family}">\n${this.parts.join("\n")}\n</svg>\n`;
  }
}

/** Returns a text for the inside of an element or attribute. */
function escaped(text) {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" })[c]);
}
