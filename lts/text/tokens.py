"""The lexer of the languages that are not parsed by lark."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lts.base.bounds import DIGITS
from lts.errors import ParseError, Unsupported
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Place, Source

__all__ = ["END", "Lexicon", "Tokens", "tokens"]

END = ""
"""The kind of the token that marks the end."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lexical rules of a language."""

    words: frozenset[str]
    """The reserved words."""
    token: str
    """A regular expression: blanks, or one of four groups: name, number, operator, illegal
    character."""
    sections: frozenset[str] = frozenset()
    """Words that begin a section; no pair of brackets extends across one."""
    names: frozenset[str] = frozenset()
    """Reserved words that are names where an operand may begin, unless a name follows."""
    hint: Callable[[str, str], str] = lambda kind, expected: ""
    """Returns a hint to append to an error, given the kind of the token and what was expected."""
    illegal: Mapping[str, str] = field(default_factory=lambda: {"&": "; did you mean `&&`?"})
    """Hints for illegal characters."""
    angled: bool = False
    """Whether `<` and `>` are brackets, too: then only the parser knows what a closing bracket
    without an opening one should have been."""


@dataclass(slots=True, eq=False)
class Tokens:
    """The tokens of a text, in columns; the last token marks the end.

    `kinds` has `"name"`, `"number"`, or the text of an operator or reserved word. `closing` has,
    for each opening bracket, the index of the one that closes it; for any other token, its own
    index.
    """

    kinds: list[str]
    values: list[Name]
    closing: list[int]
    source: Source
    lexicon: Lexicon


def tokens(source: Source, report: Report, lexicon: Lexicon, begin: Place = (1, 1)) -> Tokens:
    """Return the tokens of a text; illegal characters are reported and skipped.

    If the text is part of a larger one, `begin` is its place there; all places are in the larger
    text.
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
                continue  # blanks or a comment
            value = Name(match[0])
            value.place = (number, match.start() + column)
            line, end = number, match.end() + column
            if group == 4:
                shown = f"`{value}`" if value.isprintable() else f"U+{ord(value):04X}"
                if "\udc80" <= value <= "\udcff":
                    shown = f"the byte {ord(value) - 0xDC00:02X}, which is not UTF-8,"
                hint = lexicon.illegal.get(value, "")
                report.add(ParseError, f"{shown} is not part of the language{hint}", value.place)
                continue
            if group == 1:
                kinds.append(str(value) if value in lexicon.words else "name")
            elif group == 2:
                kinds.append("number")
                if len(value) > DIGITS.default:
                    message = f"numbers of {DIGITS.exceeded()} are not supported"
                    report.add(Unsupported, message, value.place)
                if len(value) > 1 and value[0] == "0":
                    report.add(ParseError, "a number must not begin with 0", value.place)
            else:
                kinds.append(str(value))
            values.append(value)
        column = 1
    kinds.append(END)
    values.append(Name.at("", (line, end)))
    return Tokens(kinds, values, _closing(kinds, values, report, lexicon), source, lexicon)


_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def _closing(kinds: list[str], values: list[Name], report: Report, lexicon: Lexicon) -> list[int]:
    """Match the brackets; report the first mismatch in each section or statement."""
    closing = list(range(len(kinds)))
    opened: list[int] = []
    reported = False
    for at, kind in enumerate(kinds):
        if kind in _CLOSED_BY:
            opened.append(at)
        elif kind in (")", "]", "}"):
            if opened and _CLOSED_BY[kinds[opened[-1]]] == kind:
                closing[opened.pop()] = at
            elif not reported and (opened or not lexicon.angled):
                reported = True
                message = f"this `{kind}` has no opening bracket"
                if opened:
                    last = values[opened[-1]]
                    message = (
                        f"expected `{_CLOSED_BY[last]}` for the `{last}` of line {last.place[0]}, "
                        f"found `{kind}`"
                    )
                report.add(ParseError, message, values[at].place)
        elif kind == ";" or kind in lexicon.sections or kind == END:
            # Brackets do not extend across sections: otherwise one missing bracket would cause many
            # errors.
            if opened and not reported:
                last = values[opened[-1]]
                report.add(ParseError, f"this `{last}` is never closed", last.place)
            opened.clear()
            reported = False
    return closing
