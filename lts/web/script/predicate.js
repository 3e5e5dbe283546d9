// Predicates on states: `turn = p1 and not deadlock`, `depth > 3`, `can(enter*)`.
"use strict";

const WORDS = /\s*(<=|>=|!=|[=<>~()!]|"(?:[^"\\]|\\.)*"|&&|\|\||[^\s=<>~()!"&|]+)/y;

/** Returns the predicate that a text says of states of a pane; null if it says none. Throws an error
 * if a comparison names unknown data. */
function predicate(pane, text) {
  const words = [];
  WORDS.lastIndex = 0;
  while (WORDS.lastIndex < text.trimEnd().length) {
    const match = WORDS.exec(text);
    if (!match) return null;
    words.push(match[1]);
  }
  const isPredicate = words.some((word) => ["=", "!=", "<", ">", "<=", ">=", "~"].includes(word)) ||
    words.some((word) => ["deadlock", "initial", "unreachable", "can"].includes(word));
  if (!isPredicate) return null;
  const reader = new PredicateReader(pane, words);
  const found = reader.either();
  if (reader.at < words.length) throw new Error(`unexpected “${clipped(words[reader.at], 40)}”`);
  return found;
}

class PredicateReader {
  constructor(pane, words) {
    Object.assign(this, { pane, words, at: 0 });
  }

  take(...wanted) {
    const word = this.words[this.at];
    if (word === undefined || !wanted.includes(word)) return false;
    this.at += 1;
    return true;
  }

  either() {
    let left = this.both();
    while (this.take("or", "||")) {
      const [one, other] = [left, this.both()];
      left = (state) => one(state) || other(state);
    }
    return left;
  }

  both() {
    let left = this.single();
    while (this.take("and", "&&")) {
      const [one, other] = [left, this.single()];
      left = (state) => one(state) && other(state);
    }
    return left;
  }

  single() {
    if (this.take("not", "!")) {
      const inner = this.single();
      return (state) => !inner(state);
    }
    const { system } = this.pane;
    const next = this.words[this.at + 1];
    if (this.words[this.at] === "(") {
      this.at += 1;
      const inner = this.either();
      this.close();
      return inner;
    }
    if (this.words[this.at] === "can" && next === "(") return this.can();
    if (!["=", "!=", "<", ">", "<=", ">=", "~"].includes(next)) {
      if (this.take("deadlock")) return (state) => system.isDeadlock(state);
      if (this.take("initial")) return (state) => state === system.initial;
      if (this.take("unreachable")) return (state) => system.depth[state] < 0;
    }
    return this.comparison();
  }

  close() {
    if (!this.take(")")) throw new Error("a `)` is missing");
  }

  /** A step that is possible: `can(label)`, with `*` for any text; parentheses are balanced. */
  can() {
    const { system } = this.pane;
    this.at += 2;
    const label = [];
    for (let depth = 1; ; this.at += 1) {
      const word = this.words[this.at];
      if (word === undefined) throw new Error("a `)` is missing");
      depth += (word === "(") - (word === ")");
      if (depth === 0) break;
      label.push(unquoted(word));
    }
    this.at += 1;
    const pattern = globbed(label.join(""), true);
    const found = new Set([...system.shown.keys()].filter((number) => pattern.test(system.shown[number])));
    return (state) => system.steps(state).some((row) => found.has(system.label[row]));
  }

  comparison() {
    const name = unquoted(this.words[this.at] ?? "");
    const sign = this.words[this.at + 1];
    if (sign === undefined) throw new Error(`unknown condition “${clipped(name, 40)}”`);
    const start = this.at + 2;
    // A value is a term: what follows up to the next connective, with its parentheses.
    let depth = 0;
    for (this.at = start; this.at < this.words.length; this.at += 1) {
      const word = this.words[this.at];
      if (depth === 0 && ["and", "or", "&&", "||", ")"].includes(word)) break;
      depth += (word === "(") - (word === ")");
    }
    const value = this.words.slice(start, this.at).map(unquoted).join("");
    if (!value) throw new Error(`a value is missing after “${clipped(`${name} ${sign}`, 40)}”`);
    const of = this.column(name);
    const test = compared(sign, value);
    const known = new Map();
    return (state) => of.some((each) => {
      const text = each(state);
      if (text === null || text === undefined) return false;
      if (!known.has(text)) known.set(text, test(text));
      return known.get(text);
    });
  }

  /** Returns what gives the text of a name in a state: data of some components, or a class. */
  column(name) {
    const { system, colourings } = this.pane;
    if (name === "state") return [String];
    if (name === "depth") return [(state) => (system.depth[state] < 0 ? null : String(system.depth[state]))];
    const fits = (each) => each.name === name || `${each.group}.${each.name}` === name || `${each.group}:${each.name}` === name;
    const data = system.values.filter(fits);
    if (data.length) return data.map((each) => (state) => each.values[each.indices[state]]);
    const classes = colourings.filter((each) => each.name === name || each.name.replace(/ blocks$/, "") === name);
    if (classes.length) return classes.map((each) => (state) => each.nameOf(state));
    const names = [...new Set(system.values.map((each) => each.name))];
    const known = names.length ? `; known: ${names.slice(0, 12).map(visible).join(", ")}` : "";
    throw new Error(`there is no data “${clipped(name, 40)}”${known}`);
  }
}

/** Returns the test of a text against a value: by number if both are numbers. */
function compared(sign, value) {
  if (sign === "~" || ((sign === "=" || sign === "!=") && value.includes("*"))) {
    const pattern = globbed(value, sign !== "~");
    return (text) => pattern.test(text) !== (sign === "!=");
  }
  const same = (text) => text.replace(/\s/g, "") === value.replace(/\s/g, "");
  if (sign === "=") return same;
  if (sign === "!=") return (text) => !same(text);
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Error(`“${clipped(value, 40)}” is not a number`);
  return (text) => {
    const given = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    return { "<": given < number, ">": given > number, "<=": given <= number, ">=": given >= number }[sign];
  };
}

function unquoted(word) {
  return word.startsWith("\"") ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word;
}

/** Returns the expression for a text in which `*` stands for any text. */
function globbed(text, isWhole) {
  const pattern = text.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return new RegExp(isWhole ? `^${pattern}$` : pattern, "is");
}
