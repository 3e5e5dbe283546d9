// Search for labels, with `*` for any text, and for states by number.
"use strict";

/** Returns the labels that match a text, null for an empty text. */
function labelsFound(system, text) {
  const wanted = text.trim();
  if (!wanted) return null;
  const pattern = wanted.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  const expression = new RegExp(pattern, "is");
  const found = new Set();
  system.shown.forEach((label, number) => {
    if (expression.test(label) || system.labels[number] === text) found.add(number);
  });
  return found;
}

/** Searches every pane for the typed text, and lists the matching labels. */
function search(app, text) {
  for (const pane of app.panes) {
    pane.wanted = labelsFound(pane.system, text);
    pane.matchAt = -1;
    pane.light();
  }
  const { active } = app;
  const place = document.getElementById("labels");
  const output = document.getElementById("found");
  place.hidden = !active.wanted;
  output.textContent = "";
  if (!active.wanted) return;
  const isState = /^\s*\d+\s*$/.test(text) && Number(text) < active.system.states;
  output.textContent = `${counted(active.matches.length, "transition")}${isState ? `; Enter goes to state ${Number(text)}` : ""}`;
  const counts = new Map();
  for (const row of active.matches) counts.set(active.system.label[row], (counts.get(active.system.label[row]) || 0) + 1);
  const list = element("ul", { className: "rows" });
  for (const [number, count] of [...counts].slice(0, 60)) {
    const label = active.system.shown[number];
    const button = element("button", { type: "button" }, element("span", { className: "label" }, clipped(label, 200)), element("span", { className: "quiet" }, numbers.format(count)));
    button.addEventListener("click", () => nextMatch(app, 1, number));
    list.append(element("li", {}, button));
  }
  const more = counts.size > 60 ? [element("p", { className: "quiet" }, `… ${counts.size - 60} more`)] : [];
  place.querySelector(".content").replaceChildren(list, ...more);
}

/** Goes to the source of the next matching transition, or to the state of that number. */
function nextMatch(app, by, label = null) {
  const pane = app.active;
  const typed = document.getElementById("search").value;
  if (label === null && /^\s*\d+\s*$/.test(typed) && Number(typed) < pane.system.states) {
    app.select(pane, Number(typed), { centre: true });
    return;
  }
  const rows = label === null ? pane.matches : pane.matches.filter((row) => pane.system.label[row] === label);
  if (rows.length === 0) return;
  pane.matchAt = ((pane.matchAt ?? -1) + by + rows.length) % rows.length;
  app.select(pane, pane.system.source[rows[pane.matchAt]], { centre: true });
}
