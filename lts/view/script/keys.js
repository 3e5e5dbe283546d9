// Keyboard shortcuts.
"use strict";

const KEYS = [
  ["/", "search labels or go to a state", (app) => document.getElementById("search").select()],
  ["n", "next transition that was found", (app) => nextMatch(app, 1)],
  ["N", "the one before", (app) => nextMatch(app, -1)],
  ["i", "the initial state", (app) => app.select(app.active, app.active.system.initial, { centre: true })],
  ["p", "shortest path to the selected state", (app) => app.walkTo(app.active, app.active.selected)],
  ["[", "a step back along the trace", (app) => app.along(-1)],
  ["]", "a step on along the trace", (app) => app.along(1)],
  ["→", "along the first step", (app) => app.neighbour(1), "ArrowRight"],
  ["←", "back to where the state was first met", (app) => app.neighbour(-1), "ArrowLeft"],
  ["o", "open or close the selected part", (app) => app.toggleShown()],
  ["f", "show everything", (app) => app.active.fit()],
  ["+", "nearer", (app) => app.zoomBy(1.4)],
  ["-", "farther", (app) => app.zoomBy(1 / 1.4)],
  ["c", "next colouring", (app) => app.next("colour")],
  ["l", "other layout", (app) => app.next("layout")],
  ["t", "light or dark", (app) => app.theme()],
  ["Esc", "select nothing, search nothing", (app) => app.forget(), "Escape"],
  ["?", "this list", () => document.getElementById("keys").showModal()],
];

/** Installs the shortcuts, which are ignored while text is typed. */
function listen(app) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input, textarea, select");
    if (typing && event.key !== "Escape") return;
    if (document.getElementById("keys").open) return;
    const found = KEYS.find(([key, , , code]) => event.key === (code || key));
    if (!found) return;
    event.preventDefault();
    if (typing) event.target.blur();
    found[2](app);
  });
  const rows = KEYS.map(([key, text]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, text)));
  document.querySelector("#keys .content").replaceChildren(element("table", {}, ...rows));
}
