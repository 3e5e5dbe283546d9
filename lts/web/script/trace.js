// Traces: parsed, followed, and written in the format that `ltstool simulate` replays.
"use strict";

/** Returns the steps of a trace, exact (`%trace 1`) or plain; throws an error if malformed. */
function parseTrace(text) {
  const lines = text.split(/\r?\n/);
  if (lines[0].trim() !== "%trace 1") {
    return lines.map((line) => line.trim()).filter((line) => line && !line.startsWith("%trace"))
      .map((label) => ({ label, choice: null }));
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

/** Follows the typed trace; reports how far it is possible. */
function followTyped(app) {
  const pane = app.active;
  let steps;
  try {
    steps = parseTrace(document.getElementById("steps").value);
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
  document.getElementById("back").disabled = pane.position === 0;
  document.getElementById("forth").disabled = pane.position >= pane.trace.length;
  document.getElementById("clear").disabled = pane.trace.length === 0;
  const end = pane.trace.length ? pane.system.target[pane.trace[pane.trace.length - 1]] : pane.system.initial;
  const text = pane.trace.length ? `${counted(pane.trace.length, "step")}, to state ${end}` +
    (pane.position < pane.trace.length ? `; showing the state after ${counted(pane.position, "step")}` : "") : "";
  showWalked(app, text, false);
}

function showWalked(app, text, isWrong) {
  const place = document.getElementById("walked");
  place.textContent = text;
  place.className = isWrong ? "wrong" : "quiet";
}
