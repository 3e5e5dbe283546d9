// Traces: parsed, followed, listed, and written in the format that `ltstool simulate` replays.
"use strict";

/** Steps of the trace that are listed around the position on it. */
const AROUND = 150;

/** Returns the steps of a trace, exact (`%trace 1`), plain, or SEQ (labels in quotation marks); throws
 * an error if malformed. */
function parseTrace(text, { seq = false } = {}) {
  const lines = text.split(/\r?\n/);
  if (lines[0].trim() !== "%trace 1") {
    const labels = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith("%trace"));
    if (!seq) return labels.map((label) => ({ label, choice: null }));
    return labels.filter((label) => !/^(<deadlock>|\[\])$/.test(label)).map((label) => {
      if (!/^".*"$/.test(label)) throw new Error(`expected a label in quotation marks, not “${clipped(label, 60)}”`);
      return { label: label.slice(1, -1), choice: null };
    });
  }
  return lines.slice(1).filter((line) => line && !line.startsWith("%")).map((line) => {
    const match = /^([1-9]\d*) (.*)$/s.exec(line);
    if (!match) throw new Error(`expected a number, a space and a label, not “${clipped(line, 60)}”`);
    return { label: match[2], choice: Number(match[1]) };
  });
}

/** Returns steps of a system as an exact trace. */
function traceText(system, rows) {
  if (rows.length === 0) return "";
  const label = (number) => (/[\r\n]/.test(system.labels[number]) ? system.shown : system.labels)[number];
  const step = (row) => `${system.choice(row)} ${label(system.label[row])}`;
  return ["%trace 1", ...rows.map(step), ""].join("\n");
}

/** Reads a trace from a file, and follows it. */
async function followFile(app, file) {
  if (!file) return;
  document.getElementById("steps").value = await file.text();
  followTyped(app, { seq: file.name.endsWith(".seq") });
}

/** Follows the typed trace; reports how far it is possible. */
function followTyped(app, { seq = false } = {}) {
  const pane = app.active;
  let steps;
  try {
    steps = parseTrace(document.getElementById("steps").value, { seq });
  } catch (error) {
    showWalked(app, error.message, true);
    return;
  }
  const { rows, failed } = pane.system.follow(steps);
  app.walk(pane, rows, { keepText: true });
  if (!failed) return;
  const offers = pane.system.offers(failed.states);
  const possible = offers.length ? offers.slice(0, 6).map((label) => `“${clipped(label, 60)}”`).join(", ") : "nothing";
  const more = offers.length > 6 ? " …" : "";
  showWalked(app, `Step ${failed.number}: “${clipped(visible(failed.step.label), 80)}” is not possible here; possible: ${possible}${more}`, true);
}

/** Shows the position of a pane on its trace. */
function showTrace(app, pane, keepText) {
  if (!keepText) document.getElementById("steps").value = traceText(pane.system, pane.trace);
  document.getElementById("start").disabled = document.getElementById("back").disabled = pane.position === 0;
  document.getElementById("forth").disabled = document.getElementById("end").disabled = pane.position >= pane.trace.length;
  document.getElementById("clear").disabled = pane.trace.length === 0;
  const end = pane.trace.length ? pane.system.target[pane.trace[pane.trace.length - 1]] : pane.system.initial;
  const text = pane.trace.length ? `${counted(pane.trace.length, "step")}, to state ${end}` +
    (pane.position < pane.trace.length ? `; showing the state after ${counted(pane.position, "step")}` : "") : "";
  showWalked(app, text, false);
  listTrace(app, pane);
  app.player.show();
}

/** Lists the steps of the trace with what each changes; clicking one goes to the state after it. */
function listTrace(app, pane) {
  const list = document.getElementById("walk");
  const { system, trace, position } = pane;
  const [first, last] = [Math.max(0, position - AROUND), Math.min(trace.length, position + AROUND)];
  list.start = first + 1;
  const items = trace.slice(first, last).map((row, place) => {
    const number = first + place + 1;
    const label = clipped(system.shown[system.label[row]], 200);
    const changed = changes(system, system.source[row], system.target[row]).map(({ name, before, after }) =>
      `${visible(name)}: ${clipped(visible(before ?? "–"), 40)} → ${clipped(visible(after ?? "–"), 40)}`).slice(0, 4).join(", ");
    const button = element("button", { type: "button", title: `Show the state after step ${number}` },
      element("span", { className: "label" }, label), element("span", { className: "quiet" }, `→ ${system.target[row]}`));
    if (number === position) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => app.along(number - pane.position));
    return element("li", {}, button, ...(changed ? [element("div", { className: "changes quiet" }, changed)] : []));
  });
  list.replaceChildren(...items);
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Returns the data that differ between two states. */
function changes(system, from, to) {
  return system.values.filter(({ values, indices }) => indices[from] !== indices[to] && values[indices[from]] !== values[indices[to]])
    .map(({ group, name, values, indices }) => ({ group, name: group ? `${group}.${name}` : name, before: values[indices[from]], after: values[indices[to]] }));
}

function showWalked(app, text, isWrong) {
  const place = document.getElementById("walked");
  place.textContent = text;
  place.className = isWrong ? "wrong" : "quiet";
}
