"""Makes data terms over labels, see `lts.logic.terms.text`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.logic.nodes import DataTerm
from lts.mcrl2.text import data_tree as tree

if TYPE_CHECKING:
    from lts.logic.terms.text import Around

__all__ = ["sort", "term"]

_OPERATORS = frozenset((
    "=>", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "div", "mod", "*", "/",
))  # fmt: skip

Scope = Mapping[str, DataTerm]
"""The terms that names stand for."""


def term(node: tree.Data, around: Around) -> DataTerm:
    """Return a term, of whatever sort."""
    scope = {name: DataTerm("slot", (), of[-1]) for name, of in around.data.items() if of}
    return _made(node, scope, around)


def sort(node: tree.Sort) -> str:
    """Return the text of a sort, which need not be declared."""
    match node:
        case tree.SortName(name):
            return str(name)
        case tree.Container(name, element):
            return f"{name}({sort(element)})"
    return ""


def _made(node: tree.Data, scope: Scope, around: Around) -> DataTerm:
    """Build a term, with names replaced as the scope says."""
    at = tree.place_of(node)
    match node:
        case tree.Identifier(name):
            known = scope.get(name)
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
    around.wrong(place, message)


def _each(nodes: Sequence[tree.Data], scope: Scope, around: Around) -> tuple[DataTerm, ...]:
    return tuple([_made(node, scope, around) for node in nodes])
