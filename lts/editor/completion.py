"""What may be written at a place of a text: names that it declares, and the parameters of a call.

A text is rarely correct while it is written, so the names are those of an earlier version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lts.editor.languages import Examined, Language
from lts.text.source import Place
from lts.text.uses import Recorded

__all__ = ["Call", "Offer", "call_at", "declared", "offered", "offers_of"]

_LAST_NAME = re.compile(r"(?<![\w'^\\-])[\w'^\\]+(?:-+[\w'^\\]+)*$")
_LONGEST_NAME = 200
"""Longest name whose parameters are shown."""
_SKIPPED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BRACKETS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Offer:
    """A name with its kind and its declaration as text, declared at a place of the text if any."""

    kind: str
    name: str
    shown: str
    place: Place | None


def offers_of(names: Recorded) -> list[Offer]:
    """Return the declared names of a text, and those of the texts that it may use."""
    found: dict[Offer, None] = {}
    for symbol in names.symbols.values():
        place = None
        if symbol.declared and symbol.elsewhere is None:
            place = names.source.in_file(symbol.declared[0], len(symbol.name))
        if symbol.kind != "component":
            for shown in symbol.shown.split("\n"):
                found[Offer(symbol.kind, symbol.name, shown, place)] = None
    return [*found]


def declared(
    examined: Examined, text: str, language: Language, file: str, include_path: Sequence[str] = ()
) -> list[Offer]:
    """Return the names of a text that has been examined.

    After a syntax error, when no names are known, they are those of the sections before it.
    """
    found = offers_of(examined.names)
    words = language.sections()
    if found or not words or not examined.errors:
        return found
    line, column = examined.errors[0].line or 1, examined.errors[0].column or 1
    lines = text.split("\n")
    end = sum(len(row) + 1 for row in lines[: line - 1]) + column - 1
    begins = re.compile(rf"^[ \t]*(?:{'|'.join(words)})\b", re.MULTILINE)
    starts = [match.start() for match in begins.finditer(text, 0, end)]
    if not starts:
        return []
    return offers_of(language.examined(text[: starts[-1]], file, include_path).names)


def offered(
    offers: Iterable[Offer], language: Language, place: Place
) -> Iterator[tuple[str, str, str]]:
    """Yield the kind, the text and the declaration of each name that may be written at a place, and
    the reserved words.

    A variable is offered after its declaration, up to the next process that is declared.
    """
    offers = [*offers]
    processes = [
        offer.place for offer in offers if offer.kind == "process" and offer.place is not None
    ]
    begin = max((process for process in processes if process <= place), default=(0, 0))
    for offer in offers:
        is_here = offer.place is not None and begin <= offer.place <= place
        if offer.kind != "variable" or is_here:
            yield offer.kind, offer.name, offer.shown
    for word in sorted(language.words()):
        yield "keyword", word, ""


@dataclass(frozen=True, slots=True)
class Call:
    """A declaration that a call may be of, where its parameters are in `shown`, and the number of
    the argument that is written."""

    shown: str
    parameters: tuple[tuple[int, int], ...]
    argument: int


def call_at(offers: Iterable[Offer], text: str) -> list[Call]:
    """Return what is called at the end of a text, and declared with as many arguments; several if
    the name is overloaded."""
    name, argument = _open_call(text)
    found = []
    for offer in offers:
        if offer.name == name and offer.kind not in ("variable", "sort"):
            parameters = tuple(_parameters(offer))
            if argument < len(parameters):
                found.append(Call(offer.shown, parameters, argument))
    return found


def _open_call(text: str) -> tuple[str, int]:
    """Return the name before the innermost open bracket, and the number of commas after it."""
    text = _SKIPPED.sub(lambda match: "_" * len(match[0]), text)
    lines = [line.partition("%")[0] for line in text.split("\n")]
    text = "\n".join(lines)
    closed: list[str] = []
    commas = 0
    for at in range(len(text) - 1, -1, -1):
        letter = text[at]
        if letter in _BRACKETS:
            closed.append(_BRACKETS[letter])
        elif closed and letter == closed[-1]:
            closed.pop()
        elif not closed and letter == ",":
            commas += 1
        elif not closed and letter == "(":
            before = text[:at].rstrip()
            name = _LAST_NAME.search(before[-_LONGEST_NAME:])
            return (name[0] if name else "", commas)
        elif not closed and letter in "[{;":
            break
    return "", 0


def _parameters(offer: Offer) -> Iterator[tuple[int, int]]:
    """Yield where the parameters, or sorts of arguments, are in the text of a declaration."""
    shown = offer.shown
    begin = shown.find("(", len(offer.name)) if offer.kind in _NAMED else shown.find(":")
    if begin < 0:
        return
    begin, depth = begin + 1, 0
    separator = "," if offer.kind in _NAMED else "#"
    for at in range(begin, len(shown) + 1):
        letter = shown[at : at + 1]
        is_last = not letter or (not depth and (letter == ")" or shown.startswith("->", at)))
        if is_last or (letter == separator and not depth):
            parameter = shown[begin:at]
            if parameter.strip():
                start = begin + len(parameter) - len(parameter.lstrip())
                yield start, start + len(parameter.strip())
            begin = at + 1
        if is_last:
            return
        depth += (letter in "([{") - (letter in ")]}")


_NAMED = ("process", "fixed point", "definition")
"""Kinds whose declaration names the parameters."""
