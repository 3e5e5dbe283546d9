// Keyboard shortcuts.
"use strict";

const KEYS = [
  ["/", "search labels, data or predicates, or go to a state", (app) => document.getElementById("search").select()],
  ["n", "next matching transition or state", (app) => nextMatch(app, 1)],
  ["N", "previous matching transition or state", (app) => nextMatch(app, -1)],
  ["i", "go to the initial state", (app) => app.select(app.active, app.active.system.initial, { centre: true })],
  ["p", "show a shortest path to the selected state", (app) => app.walkTo(app.active, app.active.selected)],
  ["[", "one step back along the trace", (app) => app.along(-1)],
  ["]", "one step forward along the trace", (app) => app.along(1)],
  ["Space", "play the trace, or pause", (app) => app.player.toggle(), " "],
  ["Home", "go to the start of the trace", (app) => app.along(-Infinity)],
  ["End", "go to the end of the trace", (app) => app.along(Infinity)],
  ["→", "follow the first step", (app) => app.neighbour(1), "ArrowRight"],
  ["←", "go back to its predecessor on a shortest path", (app) => app.neighbour(-1), "ArrowLeft"],
  ["o", "open or close the selected part", (app) => app.toggleShown()],
  ["f", "fit the whole graph into the view", (app) => app.active.fit()],
  ["z", "zoom to the selection, the states found, or the trace", (app) => app.active.showSelection()],
  ["u", "let the layout place the selected state again, or all that were dragged", (app) => app.active.unpin()],
  ["+", "zoom in", (app) => app.zoomBy(1.4)],
  ["-", "zoom out", (app) => app.zoomBy(1 / 1.4)],
  ["c", "next colouring", (app) => app.next("colour")],
  ["l", "next layout", (app) => app.next("layout")],
  ["t", "switch between light and dark", (app) => app.theme()],
  ["Esc", "clear selection and search", (app) => app.forget(), "Escape"],
  ["?", "show this list", () => document.getElementById("keys").showModal()],
];

/** The keys that choose in a drop-down; the others are shortcuts there too. */
const OF_SELECT = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Enter", " ", "Tab"];

/** Installs the shortcuts, which are ignored while text is typed. */
function listen(app) {
  // A drop-down that was used by the pointer leaves these to the graph.
  let isKeyed = false;
  for (const select of document.querySelectorAll("select")) {
    select.addEventListener("keydown", (event) => { isKeyed = isKeyed || OF_SELECT.includes(event.key); });
    select.addEventListener("mousedown", () => { isKeyed = false; });
    select.addEventListener("blur", () => { isKeyed = false; });
    select.addEventListener("change", () => { if (!isKeyed) select.blur(); });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("select") && OF_SELECT.includes(event.key)) return;
    const typing = event.target.matches("input, textarea");
    if (typing && event.key !== "Escape") return;
    if (event.key === " " && event.target.matches("button, summary")) return;
    if (document.getElementById("keys").open) return;
    const found = KEYS.find(([key, , , code]) => event.key === (code || key));
    if (!found) return;
    event.preventDefault();
    if (typing || (event.key === "Escape" && event.target.matches("select"))) event.target.blur();
    found[2](app);
  });
  const rows = KEYS.map(([key, text]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, text)));
  document.querySelector("#keys .content").replaceChildren(element("table", {}, ...rows));
}
