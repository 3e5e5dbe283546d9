"""From the text of a specification to its tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lts.errors import ParseError, Unsupported
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Source

__all__ = ["END", "SECTIONS", "SORTS", "WORDS", "Tokens", "tokens"]

SECTIONS = ("sort", "cons", "map", "glob", "var", "eqn", "act", "proc", "init")
"""The words that begin a section."""

SORTS = ("Bool", "Pos", "Nat", "Int", "Real")
"""The sorts that every specification has."""

CONTAINERS = ("List", "Set", "Bag", "FSet", "FBag")
"""What makes sorts of sorts."""

WORDS = frozenset(
    (
        *SECTIONS, *SORTS, *CONTAINERS, "struct", "true", "false", "div", "mod", "in",
        "lambda", "forall", "exists", "whr", "end", "delta", "tau", "sum", "dist",
        "block", "allow", "hide", "rename", "comm",
    )
)  # fmt: skip
"""The reserved words: none of them is a name."""

END = ""
"""The kind of the token after the last one."""

_MOST_DIGITS = 4000
"""More than that, Python refuses to convert."""

_TOKEN = re.compile(
    r"[ \t\r\f\v]+|%.*"
    r"|([A-Za-z_][A-Za-z_0-9']*)"
    r"|([0-9]+)"
    r"|(&&|\|\|_|\|\||\|>|\||=>|==|=|!=|!|<=|<>|<<|<\||<|>=|>|->|-|\+\+|\+"
    r"|[#*/.,;:?@()\[\]{}])"
    r"|(.)"
)


@dataclass(slots=True, eq=False)
class Tokens:
    """The tokens of a text in columns; the last one is the end of the text.

    `kinds` has `"name"`, `"number"`, or the text of an operator or reserved word. `closing` tells
    for each opening bracket where it is closed, for a token that is none of them itself.
    """

    kinds: list[str]
    values: list[Name]
    closing: list[int]
    source: Source


def tokens(source: Source, report: Report) -> Tokens:
    """Return the tokens of a text; what is illegal is reported and left out."""
    kinds: list[str] = []
    values: list[Name] = []
    line, end = 1, 1
    for number, text in enumerate(source.text.split("\n"), start=1):
        for match in _TOKEN.finditer(text):
            group = match.lastindex
            if group is None:
                continue  # blanks, or a comment
            value = Name(match[0])
            value.place = (number, match.start() + 1)
            line, end = number, match.end() + 1
            if group == 4:
                shown = f"`{value}`" if value.isprintable() else f"U+{ord(value):04X}"
                if "\udc80" <= value <= "\udcff":
                    shown = f"the byte {ord(value) - 0xDC00:02X}, which is not UTF-8,"
                hint = "; did you mean `&&`?" if value == "&" else ""
                report.add(ParseError, f"{shown} is no part of the language{hint}", value.place)
                continue
            if group == 1:
                kinds.append(str(value) if value in WORDS else "name")
            elif group == 2:
                kinds.append("number")
                if len(value) > _MOST_DIGITS:
                    message = f"numbers of more than {_MOST_DIGITS} digits are not supported"
                    report.add(Unsupported, message, value.place)
                if len(value) > 1 and value[0] == "0":
                    report.add(ParseError, "a number does not begin with 0", value.place)
            else:
                kinds.append(str(value))
            values.append(value)
    kinds.append(END)
    values.append(Name.at("", (line, end)))
    return Tokens(kinds, values, _closing(kinds, values, report), source)


_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def _closing(kinds: list[str], values: list[Name], report: Report) -> list[int]:
    """Return where brackets are closed; report the first of each section that do not fit."""
    closing = list(range(len(kinds)))
    opened: list[int] = []
    reported = False
    for at, kind in enumerate(kinds):
        if kind in _CLOSED_BY:
            opened.append(at)
        elif kind in (")", "]", "}"):
            if opened and _CLOSED_BY[kinds[opened[-1]]] == kind:
                closing[opened.pop()] = at
            elif not reported:
                reported = True
                message = f"this `{kind}` closes nothing"
                if opened:
                    last = values[opened[-1]]
                    message = (
                        f"expected `{_CLOSED_BY[last]}` for the `{last}` of line {last.place[0]}, "
                        f"found `{kind}`"
                    )
                report.add(ParseError, message, values[at].place)
        elif kind == ";" or kind in SECTIONS or kind == END:
            # No bracket reaches further, so that one error is not told of everything after it.
            if opened and not reported:
                last = values[opened[-1]]
                report.add(ParseError, f"this `{last}` is never closed", last.place)
            opened.clear()
            reported = False
    return closing
