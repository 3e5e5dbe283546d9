"""Renames what a name stands for: everywhere in a text, or not at all.

The text with the new name is read again. If then every name is declared where it was before, and no
error appears, the change is a renaming: nothing was captured, and nothing clashes. This needs no
rules about scopes besides those of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lts.editor.languages import Examined, Language, ShownFile
from lts.errors import LtsError
from lts.text.source import Place, Source
from lts.text.uses import Recorded, Symbol

__all__ = ["renamed", "symbol_at"]


def symbol_at(names: Recorded, place: Place) -> tuple[Symbol, Place] | None:
    """Return the symbol whose name is at a place of the file, and where that name begins there."""
    for at, symbol in names.at.items():
        found = names.source.in_file(at, len(symbol.name))
        if found is None or found[0] != place[0]:
            continue
        if found[1] <= place[1] <= found[1] + len(symbol.name):
            return symbol, found
    return None


def renamed(
    text: str,
    language: Language,
    file: str,
    place: Place,
    name: str,
    include_path: Sequence[str] = (),
    shown: Mapping[str, ShownFile] | None = None,
) -> tuple[str, list[Place]]:
    """Return a text in which the name at a place has been changed, and where it was changed.

    Raises `LtsError` with the reason if the text has errors, if there is no name at this place, if
    it is declared or used elsewhere, or if the new name would be captured or clash with another.
    """
    before = language.examined(text, file, include_path, shown)
    if before.errors:
        raise LtsError("a text with errors cannot be changed safely: correct them first")
    found = symbol_at(before.names, place)
    if found is None:
        raise LtsError("there is no name here that is declared in this text")
    symbol = found[0]
    places = _places(text, symbol, before)
    if not _is_name(name, language, file):
        raise LtsError(f"`{name}` is not a name")
    source, changed, end = Source(text), [], 0
    for position in places:
        at = source.at(position)
        changed += [text[end:at], name]
        end = at + len(symbol.name)
    changed.append(text[end:])
    after = language.examined("".join(changed), file, include_path, shown)
    refused = f"`{symbol.name}` cannot be renamed to `{name}`"
    if after.errors:
        raise LtsError(f"{refused}: {after.errors[0].message}")
    if _shape(before.names) != _shape(after.names):
        raise LtsError(f"{refused}: a name would then stand for something else")
    return "".join(changed), places


def _places(text: str, symbol: Symbol, examined: Examined) -> list[Place]:
    """Return all places of a symbol; raise `LtsError` if some are not in this text."""
    source, name = examined.names.source, symbol.name
    shown = f"`{name}`"
    if not symbol.declared or symbol.elsewhere is not None or symbol.kind == "component":
        raise LtsError(f"{shown} is not declared in this text")
    found = {source.in_file(place, len(name)) for place in symbol.places}
    places = sorted(place for place in found if place is not None)
    if None in found:
        message = f"{shown} is also part of a text that is included or made by parameters"
        raise LtsError(message)
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("%!") and name in re.findall(r"[\w']+", line):
            raise LtsError(f"{shown} is also named in the comment of line {number}")
    return places


def _is_name(text: str, language: Language, file: str) -> bool:
    """Whether a text is one token that may be a name; the reader refuses reserved words."""
    try:
        return [*language.tokens(text, file)] == [(0, len(text))]
    except LtsError:
        return False


def _shape(names: Recorded) -> list[tuple[int, str]]:
    """Return for each name in the text, in order, which one it is, and its kind."""
    numbers: dict[int, int] = {}
    return [
        (numbers.setdefault(id(symbol), len(numbers)), symbol.kind)
        for _, symbol in sorted(names.at.items(), key=lambda entry: entry[0])
    ]
