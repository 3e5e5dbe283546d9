// Display of labels, and page elements built from text alone.
"use strict";

/** Returns text with control and bidirectional characters made visible. */
function visible(text) {
  return text.replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/gu, "\ufffd");
}

/** Returns a text truncated to a number of characters. */
function clipped(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const numbers = new Intl.NumberFormat("en");

/** Returns a count with its noun: `1 state`, `2,000 states`. */
function counted(count, noun) {
  return `${numbers.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns an element with properties and children; strings become text, never markup. */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}
