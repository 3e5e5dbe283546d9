// Search for labels, with `*` for any text, for states by number, and for states by a predicate.
"use strict";

/** Returns the labels that match a text, null for an empty text. */
function labelsFound(system, text) {
  const wanted = text.trim();
  if (!wanted) return null;
  const expression = globbed(wanted, false);
  const found = new Set();
  system.shown.forEach((label, number) => {
    if (expression.test(label) || system.labels[number] === text) found.add(number);
  });
  return found;
}

/** Returns the states for which a predicate holds, or the error in it; null if the text is none. */
function statesFound(pane, text) {
  try {
    const holds = predicate(pane, text);
    if (holds === null) return null;
    const found = [];
    for (let state = 0; state < pane.system.states; state += 1) if (holds(state)) found.push(state);
    return { found, error: null };
  } catch (error) {
    return { found: [], error: error.message };
  }
}

/** Searches every pane for the typed text, and lists the matching labels. */
function search(app, text) {
  const { active } = app;
  let said = null;
  for (const pane of app.panes) {
    const labels = labelsFound(pane.system, text);
    const states = statesFound(pane, text);
    // A label may look like a predicate: what there is comes first.
    pane.wanted = states && labels && labels.size === 0 ? null : labels;
    pane.matchStates = states && (states.error === null && pane.wanted === null) ? states.found : null;
    if (states && states.error !== null && pane.wanted === null) pane.matchStates = [];
    pane.matchAt = -1;
    pane.light();
    if (pane === active) said = states;
  }
  app.remember();
  const place = document.getElementById("labels");
  const output = document.getElementById("found");
  place.hidden = !active.isSearched;
  output.textContent = "";
  if (!active.isSearched) return;
  if (active.matchStates) showStatesFound(app, place, output, said);
  else showLabelsFound(app, place, output, text);
}

function showStatesFound(app, place, output, { found, error }) {
  const { active } = app;
  output.textContent = error ?? counted(found.length, "state");
  const list = element("ul", { className: "rows" });
  for (const state of found.slice(0, 60)) {
    const button = element("button", { type: "button" }, element("span", { className: "label" }, `state ${state}`), element("span", { className: "quiet" }, `depth ${active.system.depth[state]}`));
    button.addEventListener("click", () => app.select(active, state, { centre: true }));
    list.append(element("li", {}, button));
  }
  const more = found.length > 60 ? [element("p", { className: "quiet" }, `… ${numbers.format(found.length - 60)} more`)] : [];
  place.querySelector(".content").replaceChildren(list, ...more);
}

function showLabelsFound(app, place, output, text) {
  const { active } = app;
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

/** Goes to the next state found, the source of the next matching transition, or the state of that
 * number. */
function nextMatch(app, by, label = null) {
  const pane = app.active;
  const typed = document.getElementById("search").value;
  if (label === null && /^\s*\d+\s*$/.test(typed) && Number(typed) < pane.system.states) {
    app.select(pane, Number(typed), { centre: true });
    return;
  }
  const rows = label === null ? pane.matches : pane.matches.filter((row) => pane.system.label[row] === label);
  const states = pane.matchStates || rows.map((row) => pane.system.source[row]);
  if (states.length === 0) return;
  pane.matchAt = ((pane.matchAt ?? -1) + by + states.length) % states.length;
  app.select(pane, states[pane.matchAt], { centre: true });
}
