"""Makes data terms over labels, see `lts.logic.terms.text`.

Without a specification, functions and variables have no sorts; their names record where they begin
in the formula, for errors. Only operators are computed, and the functions `[`, `{` and `:`, which
build lists, sets and bags (elements and multiplicities alternate); any other application is a text,
compared with the arguments of labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.logic.nodes import DataVariable, Expression
from lts.mcrl2.text import data_tree as tree
from lts.specification.terms import COMPUTED, NUMERAL, Application, Function, Term, Variable
from lts.text.names import Name
from lts.text.source import Place

if TYPE_CHECKING:
    from lts.logic.terms.text import Around

__all__ = ["expression", "sort"]

_OPERATORS = frozenset((
    "=>", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "div", "mod", "*", "/",
))  # fmt: skip

Scope = Mapping[str, Term]
"""The terms that names stand for."""


def expression(node: tree.Data, around: Around) -> Expression:
    """Return a data term, which has no sort."""
    scope = {name: DataVariable(name, "", of[-1]) for name, of in around.data.items() if of}
    return Expression(_made(node, scope, around), tree.place_of(node))


def sort(node: tree.Sort) -> str:
    """Return the text of a sort, which need not be declared."""
    match node:
        case tree.SortName(name):
            return str(name)
        case tree.Container(name, element):
            return f"{name}({sort(element)})"
    return ""


def _made(node: tree.Data, scope: Scope, around: Around) -> Term:
    """Build a term, with names replaced as the scope says."""
    at = tree.place_of(node)

    def applied(name: str, parts: Sequence[tree.Data], native: str | None = COMPUTED) -> Term:
        terms = tuple([_made(argument, scope, around) for argument in parts])
        function = Function(Name.at(name, at), ("",) * len(terms), "", native=native)
        return Application(function, terms)

    match node:
        case tree.Identifier(name):
            around.uses.variable(name)
            known = scope.get(name)
            return _placed(known, at) if known else applied(name, (), None)
        case tree.Number(digits):
            return applied(digits, (), NUMERAL)
        case tree.Application(tree.Identifier(name) | tree.Number(name), parts):
            return applied(name, parts, None)
        case tree.Operation(operator, parts) if len(parts) == 1 and operator in ("!", "-"):
            return applied(operator, parts)
        case tree.Operation(operator, parts) if len(parts) == 2 and operator in _OPERATORS:
            return applied(operator, parts)
        case tree.ListOf(parts):
            return applied("[", parts)
        case tree.SetOf(parts):
            return applied("{", parts)
        case tree.Bag(counted):
            return applied(":", [term for pair in counted for term in pair])
        case tree.Where(body, assigned):
            said = {str(name): _made(value, scope, around) for name, value in assigned}
            return _made(body, {**scope, **said}, around)
    word, place = tree.described(node)
    message = f"{word} can be used only in terms for an mCRL2 specification"
    around.wrong(place, message)


def _placed(term: Term, at: Place) -> Term:
    """Return a term that begins at another place."""
    if isinstance(term, Variable):
        return replace(term, name=Name.at(term.name, at))
    function = replace(term.function, name=Name.at(term.function.name, at))
    return Application(function, term.arguments)
