"""From a text to its tokens, by the words of its language, for what lark does not read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lts.errors import ParseError, Unsupported
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Place, Source

__all__ = ["END", "Lexicon", "Tokens", "tokens"]

END = ""
"""The kind of the token after the last one."""

_MOST_DIGITS = 4000
"""More than that, Python refuses to convert."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the words of a language are."""

    words: frozenset[str]
    """Those that are reserved."""
    token: str
    """A pattern: a blank, or as groups a name, a number, an operator, or what is none of them."""
    sections: frozenset[str] = frozenset()
    """Words that begin a section: no bracket reaches further."""
    names: frozenset[str] = frozenset()
    """Reserved words that are names where an operand may begin, unless another name follows."""
    hint: Callable[[str, str], str] = lambda kind, expected: ""
    """What to say of a token that is not the expected one."""


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
    lexicon: Lexicon


def tokens(source: Source, report: Report, lexicon: Lexicon, begin: Place = (1, 1)) -> Tokens:
    """Return the tokens of a text; what is illegal is reported and left out.

    If the text is part of another one, `begin` is its place there, and places are those.
    """
    kinds: list[str] = []
    values: list[Name] = []
    line, end = begin
    column = end
    pattern = re.compile(lexicon.token)
    for number, text in enumerate(source.text.split("\n"), start=line):
        for match in pattern.finditer(text):
            group = match.lastindex
            if group is None:
                continue  # blanks, or a comment
            value = Name(match[0])
            value.place = (number, match.start() + column)
            line, end = number, match.end() + column
            if group == 4:
                shown = f"`{value}`" if value.isprintable() else f"U+{ord(value):04X}"
                if "\udc80" <= value <= "\udcff":
                    shown = f"the byte {ord(value) - 0xDC00:02X}, which is not UTF-8,"
                hint = "; did you mean `&&`?" if value == "&" else ""
                report.add(ParseError, f"{shown} is no part of the language{hint}", value.place)
                continue
            if group == 1:
                kinds.append(str(value) if value in lexicon.words else "name")
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
        column = 1
    kinds.append(END)
    values.append(Name.at("", (line, end)))
    return Tokens(kinds, values, _closing(kinds, values, report, lexicon), source, lexicon)


_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def _closing(kinds: list[str], values: list[Name], report: Report, lexicon: Lexicon) -> list[int]:
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
        elif kind == ";" or kind in lexicon.sections or kind == END:
            # No bracket reaches further, so that one error is not told of everything after it.
            if opened and not reported:
                last = values[opened[-1]]
                report.add(ParseError, f"this `{last}` is never closed", last.place)
            opened.clear()
            reported = False
    return closing
