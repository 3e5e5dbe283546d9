"""Sorts: from terms of a binary file to syntax trees and to their names in texts."""

from __future__ import annotations

from lts.base.bounds import BINARY_SORT_NAME
from lts.errors import Unsupported
from lts.mcrl2.binary.stream import Stream
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.tokens import SORTS
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["sort", "sort_name"]

_CONTAINERS = {
    "SortList": "List", "SortSet": "Set", "SortBag": "Bag", "SortFSet": "FSet", "SortFBag": "FBag",
}  # fmt: skip


_PRICE = 20
"""Cost of a sort, in parts of expressions that take as long to convert."""


def sort(stream: Stream, number: int, place: Place) -> tree.Sort:
    """Convert a term to the syntax tree of a sort."""
    found: tree.Sort = run(_sort(stream, number, place))
    return found


def _sort(stream: Stream, number: int, place: Place) -> Recursion[tree.Sort]:
    known = stream.sorts.get(number)
    if known is None:
        known = stream.sorts[number] = yield _made(stream, number, place)
    return known


def _made(stream: Stream, number: int, place: Place) -> Recursion[tree.Sort]:
    stream.spend(_PRICE)
    match stream.at(number):
        case ("SortId", (name,)):
            word = stream.word(name)
            stream.spend(len(word))
            known = word if word in SORTS else stream.known_identifier(word)
            return tree.SortName(Name.at(known, place))
        case ("SortCons", (kind, element)) if stream.word(kind) in _CONTAINERS:
            inner = yield _sort(stream, element, place)
            return tree.Container(Name.at(_CONTAINERS[stream.word(kind)], place), inner)
        case ("SortArrow", (arguments, result)):
            found = []
            for sort in (*stream.list_of(arguments, "sorts"), result):
                found.append((yield _sort(stream, sort, place)))
            if len(found) > 1:
                return tree.Function(tuple(found[:-1]), found[-1], place)
        case ("SortStruct", (constructors,)):
            made = []
            for constructor in stream.list_of(constructors, "constructors"):
                name, projections, recogniser = stream.of(constructor, "StructCons", 3)
                fields = []
                for field in stream.list_of(projections, "projections"):
                    of, inside = stream.of(field, "StructProj", 2)
                    inner = yield _sort(stream, inside, place)
                    fields.append((_named(stream, of, place), inner))
                named = Name.at(stream.identifier(name), place)
                made.append(
                    tree.Constructor(named, tuple(fields), _named(stream, recogniser, place))
                )
            if made:
                return tree.StructuredSort(tuple(made), place)
    stream.wrong(f"expected a sort, not `{stream.head(number)}`")


def _named(stream: Stream, number: int, place: Place) -> Name | None:
    """Return an optional name, which is empty if it is missing."""
    return Name.at(stream.identifier(number), place) if stream.word(number) else None


def sort_name(stream: Stream, number: int) -> str:
    """Return the name of a sort as in texts."""
    found: str = run(_shown(stream, sort(stream, number, (1, 1)), {}))
    return found


def _shown(stream: Stream, found: tree.Sort, known: dict[int, str]) -> Recursion[str]:
    """Return the name of a sort; those of its parts are in `known`, by identity."""
    if id(found) not in known:
        inner: list[str] = []
        for part in _parts(found):
            inner.append((yield _shown(stream, part, known)))
        if sum(map(len, inner)) > BINARY_SORT_NAME.default:
            message = f"a sort whose name has {BINARY_SORT_NAME.exceeded()} is not supported"
            stream.wrong(message, Unsupported)
        known[id(found)] = _written(found, inner)
    return known[id(found)]


def _parts(found: tree.Sort) -> tuple[tree.Sort, ...]:
    match found:
        case tree.Container(_, element):
            return (element,)
        case tree.Function(arguments, result):
            return (*arguments, result)
        case tree.Product(sorts):
            return sorts
    return ()


def _written(found: tree.Sort, parts: list[str]) -> str:
    match found:
        case tree.SortName(name):
            return str(name)
        case tree.Container(name):
            return f"{name}({parts[0]})"
        case tree.Function():
            return f"({'#'.join(parts[:-1])}->{parts[-1]})"
        case tree.StructuredSort(constructors):
            return f"struct {' | '.join(constructor.name for constructor in constructors)}"
        case tree.Product():
            return "#".join(parts)
