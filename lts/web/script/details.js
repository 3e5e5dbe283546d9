// The panel with details of the selected state, or of a part.
"use strict";

const LISTED = 200;

/** Shows the selected state of a pane: data, classes, steps. */
function showState(app, pane) {
  const place = document.querySelector("#details .content");
  const { system, selected: state } = pane;
  if (state === null) {
    place.replaceChildren(element("p", { className: "quiet" }, overview(pane)));
    return;
  }
  const marks = [];
  if (state === system.initial) marks.push("initial");
  if (system.isDeadlock(state)) marks.push("deadlock");
  if (system.depth[state] < 0) marks.push("unreachable");
  else marks.push(`depth ${system.depth[state]}`);
  const title = element("p", {}, element("span", { className: "mark" }, `State ${state}`), ` · ${marks.join(" · ")}`);
  const path = element("button", { type: "button", id: "path", title: "Show a shortest path from the initial state (p)" }, "Shortest path");
  path.disabled = system.depth[state] < 0;
  path.addEventListener("click", () => app.walkTo(pane, state));
  const zoom = element("button", { type: "button", id: "near", title: "Zoom to the state and its neighbours (z)" }, "Zoom");
  zoom.addEventListener("click", () => pane.showSelection());
  place.replaceChildren(title, element("div", { className: "buttons" }, path, zoom), classTable(pane, state), valueTable(pane, state));
  const isEnd = pane.current === state;
  place.append(stepList(app, pane, isEnd ? "Steps: choose one" : "Steps", system.steps(state), (row) => system.target[row], "→"));
  place.append(stepList(app, pane, "Incoming steps", system.stepsTo(state), (row) => system.source[row], "←"));
}

function overview(pane) {
  const { system } = pane;
  let deadlocks = 0;
  for (let state = 0; state < system.states; state += 1) deadlocks += system.isDeadlock(state);
  const parts = [pane.sizes(), counted(deadlocks, "deadlock"), `depth ${system.deepest}`];
  if (system.reachable < system.states) parts.push(`${counted(system.states - system.reachable, "state")} unreachable`);
  const boxes = pane.picture.clusters ? " A box represents several states: click it twice to open it." : "";
  if (system.left.length) parts.push(`without the data ${system.left.map(visible).join(", ")}, for which the page has no room`);
  return `${parts.join(", ")}. Click a state to see its data and steps.${boxes}`;
}

/** Returns the classes of a state in all colourings. */
function classTable(pane, state) {
  const rows = pane.colourings.filter((each) => pane.system.colourings.some((given) => given.name === each.name))
    .map((each) => {
      const members = each.counts[each.classes[state]];
      const size = each.numbered ? ` (${counted(members, "state")})` : "";
      return element("tr", {}, element("th", {}, clipped(visible(each.name), 60)), element("td", {}, `${visible(each.nameOf(state))}${size}`));
    });
  return element("table", { className: "of-classes" }, ...rows);
}

/** Returns the data of a state, by component; what the last step of the trace changed is marked. */
function valueTable(pane, state) {
  const { trace, position, system } = pane;
  const before = position && pane.current === state ? system.source[trace[position - 1]] : null;
  const table = element("table", { className: "of-values" });
  let group = null;
  for (const column of pane.system.values) {
    const value = column.values[column.indices[state]];
    const old = before === null ? value : column.values[column.indices[before]];
    if (value === null && old === null) continue;
    if (column.group !== group) {
      group = column.group;
      table.append(element("tr", {}, element("th", { className: "group", colSpan: 2 }, visible(group))));
    }
    table.append(element("tr", {}, element("th", {}, visible(column.name)), element("td", { className: "value" }, ...valueShown(value, old))));
  }
  return table;
}

/** Returns a value, with the one before if the step changed it. */
function valueShown(value, old) {
  const shown = (text) => clipped(visible(text ?? "–"), 2000);
  if (value === old) return [shown(value)];
  return [element("del", {}, shown(old)), " → ", element("ins", {}, shown(value))];
}

function stepList(app, pane, title, rows, end, sign) {
  const list = element("ul", { className: "rows" });
  for (const row of rows.slice(0, LISTED)) {
    const label = pane.system.shown[pane.system.label[row]];
    const button = element("button", { type: "button", title: clipped(label, 400) },
      element("span", { className: "label" }, clipped(label, 300)), element("span", { className: "quiet" }, `${sign} ${end(row)}`));
    button.addEventListener("click", () => (sign === "→" ? app.step(pane, row) : app.select(pane, end(row))));
    list.append(element("li", {}, button));
  }
  const more = rows.length > LISTED ? ` (the first ${LISTED} of ${numbers.format(rows.length)})` : "";
  const text = rows.length ? `${title}${more}` : (sign === "→" ? "No steps: a deadlock" : "No incoming steps");
  return element("div", { className: sign === "→" ? "steps" : "steps-to" }, element("p", { className: "mark" }, text), list);
}

/** Shows a part: its sizes, and how to open it. */
function showPart(app, pane, node) {
  const place = document.querySelector("#details .content");
  const title = element("p", {}, element("span", { className: "mark" }, visible(node.text)), ` · ${sizeText(node)}`);
  const button = element("button", { type: "button", id: "open" }, node.rest ? "Close" : "Open");
  button.title = "Open or close this part (o)";
  button.addEventListener("click", () => app.toggle(pane, node.part));
  const buttons = [button];
  if (!node.rest && pane.picture.clusters.list[node.part].parent !== null) {
    const whole = element("button", { type: "button", id: "whole", title: "Undo the division of which this is a piece" }, "Close the whole");
    whole.addEventListener("click", () => app.closePart(pane, node.part));
    buttons.push(whole);
  }
  const facts = [element("p", {}, `${counted(node.deadlocks, "deadlock")}${node.initial ? ", the initial state" : ""}`)];
  const shares = element("ul", { className: "classes" });
  for (const [number, share] of pane.sharesOf(node)) {
    const name = pane.colouring.names[number];
    if (name === null || pane.colouring.scale) continue;
    shares.append(element("li", { className: "shape" }, swatch(number), element("span", { className: "name" }, clipped(visible(name), 90)), element("span", { className: "quiet" }, `${(100 * share).toFixed(1)} %`)));
  }
  if (!node.rest && node.size > OPENED) facts.push(element("p", { className: "quiet" }, `Opening it divides it by classes, or draws its first ${OPENED} states.`));
  place.replaceChildren(title, element("div", { className: "buttons" }, ...buttons), ...facts, shares);
}
