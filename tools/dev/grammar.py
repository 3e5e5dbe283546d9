"""Write lts/mucrl/text/tables.json: the LALR(1) tables of grammar.lark, computed by lark.

Run by `make grammar`; a test holds the tables against the grammar.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

FOLDER = Path(__file__).resolve().parents[2] / "lts" / "mucrl" / "text"
KEYWORDS = ("sort", "func", "map", "var", "rew", "act", "comm", "proc", "init")


def compiled() -> lark.Lark:
    """Return lark's own parser of the grammar, with a start symbol for each section."""
    grammar = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    start = [f"{keyword}_section" for keyword in KEYWORDS]
    return lark.Lark(grammar, parser="lalr", lexer="basic", start=start, strict=False)


def tables() -> str:
    """Return the text of tables.json."""
    parser = compiled()
    # What `Lark.save` writes, before it is pickled.
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    patterns = {t.name: t.pattern for t in parser.terminals}

    def symbol(number: int) -> str:
        name = table["tokens"][number]
        pattern = patterns.get(name)
        return pattern.value if pattern is not None and pattern.type == "str" else name

    nonterminals = {name for name in table["tokens"].values() if name.islower()}
    # Numbered breadth first from the start states, so that the text is always the same.
    starts = [table["start_states"][f"{keyword}_section"] for keyword in KEYWORDS]
    numbers = {state: number for number, state in enumerate(starts)}
    reduced: dict[Any, Any] = {}
    states = list(starts)
    for state in states:  # grows while it is read
        for _, kind, value in _row(table, symbol, state):
            if kind == 1:
                reduced.setdefault(value, len(reduced) + 1)
            elif value not in numbers:
                numbers[value] = len(states)
                states.append(value)
    rows: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in states:
        row: dict[str, int] = {}
        goto: dict[str, int] = {}
        for name, kind, value in _row(table, symbol, state):
            if kind == 1:
                row[name] = -reduced[value]
            elif name in nonterminals:
                goto[name] = numbers[value]
            else:
                row[name] = numbers[value]
        rows.append(row)
        gotos.append(goto)
    rules = [("", 0, None), *(_production(memo[key]) for key in reduced)]
    for end in table["end_states"].values():
        rows[numbers[end]]["$END"] = 0
    start = {keyword: number for number, keyword in enumerate(KEYWORDS)}
    ignored = [patterns[name].value for name in parser.ignore_tokens]
    literals = [p.value for p in patterns.values() if p.type == "str"]
    parts = {
        "name": patterns["NAME"].value,
        "ignored": ignored,
        "operators": sorted(x for x in literals if not x.isalpha()),
        "keywords": sorted(x for x in literals if x.isalpha()),
        "start": start,
        "productions": rules,
        "actions": rows,
        "gotos": gotos,
    }
    return (
        "{\n" + ",\n".join(f'"{name}": {_listed(part)}' for name, part in parts.items()) + "\n}\n"
    )


def _row(
    table: dict[str, Any], symbol: Callable[[int], str], state: int
) -> list[tuple[str, int, Any]]:
    """Return what a state does for each symbol: (symbol, 1 to reduce, what by or where to)."""
    return sorted(
        (symbol(number), kind, value["@"] if kind == 1 else value)
        for number, (kind, value) in table["states"][state].items()
    )


def _production(rule: dict[str, Any]) -> tuple[str, int, str | None]:
    """Return what a rule reduces to, how many symbols, and what builds the value."""
    return rule["origin"]["name"], len(rule["expansion"]), rule["alias"]


def _listed(part: Any) -> str:
    """Return JSON, a line for each item of a table."""
    if isinstance(part, list) and part and isinstance(part[0], list | tuple | dict):
        return "[\n" + ",\n".join(json.dumps(item) for item in part) + "\n]"
    return json.dumps(part)


if __name__ == "__main__":
    (FOLDER / "tables.json").write_text(tables(), encoding="utf-8")
