"""Builds data terms over labels, see `lts.logic.terms.text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from lts.logic.nodes import DataTerm
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.data import data, expressions, first_values, in_brackets
from lts.mcrl2.text.tokens import OTHERS
from lts.text.reader import Reader, part
from lts.text.source import Source

if TYPE_CHECKING:
    from lts.logic.terms.text import Around

__all__ = ["parameters", "term", "terms"]

T = TypeVar("T")

_OPERATORS = frozenset((
    "=>", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "div", "mod", "*", "/",
))  # fmt: skip

Scope = Mapping[str, DataTerm]
"""The terms that names stand for."""


def terms(begin: int, end: int, around: Around, *, more: bool = False) -> tuple[DataTerm, ...]:
    """Return the terms of `(term, ..)`; of `(term, ..` with `more`."""
    read = expressions if more else in_brackets
    return _each(_read(begin + more, end, read, around), _scope(around), around)


def term(begin: int, end: int, around: Around) -> DataTerm:
    """Return a term, of whatever sort."""
    return _made(_read(begin, end, data, around), _scope(around), around)


def parameters(begin: int, end: int, around: Around) -> list[tuple[str, int, str, DataTerm]]:
    """Return name, position, sort and initial value of each parameter of `(n:Nat = 0, ..)`."""
    source, scope = Source(around.text, around.file), _scope(around)
    return [
        (str(name), source.at(name.place), _sort(of), _made(value, scope, around))
        for name, of, value in _read(begin, end, first_values, around)
    ]


def _read(begin: int, end: int, read: Callable[[Reader], T], around: Around) -> T:
    return part(Source(around.text, around.file), (begin, end), read, OTHERS)


def _scope(around: Around) -> Scope:
    return {name: DataTerm("slot", (), of[-1]) for name, of in around.data.items() if of}


def _made(node: tree.Data, scope: Scope, around: Around) -> DataTerm:
    """Build a term, with names replaced as the scope says."""
    at = Source(around.text, around.file).at(tree.place_of(node))
    match node:
        case tree.Identifier(name):
            known = scope.get(name)
            if around.uses is not None:
                around.uses.variable(name)
            return replace(known, at=at) if known else DataTerm("call", (), str(name), at)
        case tree.Number(digits):
            return DataTerm("number", (), str(digits), at)
        case tree.Application(tree.Identifier(name) | tree.Number(name), parts):
            return DataTerm("call", _each(parts, scope, around), str(name), at)
        case tree.Operation(operator, parts) if len(parts) == 1 and operator in ("!", "-"):
            sign = "!" if operator == "!" else "negative"
            return DataTerm(sign, _each(parts, scope, around), at=at)
        case tree.Operation(operator, parts) if len(parts) == 2 and operator in _OPERATORS:
            return DataTerm(str(operator), _each(parts, scope, around), at=at)
        case tree.ListOf(parts):
            return DataTerm("[", _each(parts, scope, around), at=at)
        case tree.SetOf(parts):
            return DataTerm("{", _each(parts, scope, around), at=at)
        case tree.Bag(counted):
            flat = [one for pair in counted for one in pair]
            return DataTerm(":", _each(flat, scope, around), at=at)
        case tree.Where(body, assigned):
            said = {str(name): _made(one, scope, around) for name, one in assigned}
            return _made(body, {**scope, **said}, around)
    word, place = tree.described(node)
    message = f"{word} can be used only in terms for an mCRL2 specification"
    around.wrong(Source(around.text, around.file).at(place), message)


def _each(nodes: Sequence[tree.Data], scope: Scope, around: Around) -> tuple[DataTerm, ...]:
    return tuple([_made(node, scope, around) for node in nodes])


def _sort(sort: tree.Sort) -> str:
    """Return the text of a sort, which need not be declared."""
    match sort:
        case tree.SortName(name):
            return str(name)
        case tree.Container(name, element):
            return f"{name}({_sort(element)})"
    return ""
