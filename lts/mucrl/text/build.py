"""Builds the syntax tree from the rules of grammar.lark.

A rule without a method has the value of its only part; the value of a token is a `Name`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lts.mucrl.text import tree
from lts.text.grammar import Grammar, named
from lts.text.names import Name

__all__ = ["grammar"]


@cache
def grammar() -> Grammar:
    """Return the muCRL grammar; its start symbols are a section and a term."""
    return Grammar(Path(__file__).with_name("grammar.lark"), _Builder())


class _Builder:
    """Has a method for each rule, or alias of a rule, called with the values of its parts."""

    NAME = LEFT_MERGE = BEFORE = AT = DELTA = TAU = ENCAP = HIDE = RENAME = staticmethod(named)

    def listed(self, v: list[Any]) -> list[Any]:
        return v

    # Declarations.

    def declaration(self, v: list[Any]) -> tuple[list[Name], tuple[Name, ...], Name]:
        return v[0], tuple(v[1]) if v[2:] else (), v[-1]

    def variable_list(self, v: list[Any]) -> list[tree.VariableDeclaration]:
        return [tree.VariableDeclaration(name, v[1]) for name in v[0]]

    def equation(self, v: list[Any]) -> list[Any]:
        return v

    def action_list(self, v: list[Any]) -> list[tree.ActionDeclaration]:
        sorts = tuple(v[1]) if v[1:] else ()
        return [tree.ActionDeclaration(name, sorts) for name in v[0]]

    def communication(self, v: list[Any]) -> tree.Communication:
        return tree.Communication(*v)

    def parameter(self, v: list[Any]) -> tree.VariableDeclaration:
        return tree.VariableDeclaration(*v)

    def definition(self, v: list[Any]) -> tree.Definition:
        return tree.Definition(v[0], tuple(v[1:-1]), v[-1])

    # Terms.

    def term(self, v: list[Any]) -> tree.Term:
        return tree.Term(v[0], tuple(v[1]) if v[1:] else ())

    # Processes.

    def choice(self, v: list[Any]) -> tree.Process:
        return tree.Choice(tuple(v), v[0].place)

    def parallel(self, v: list[Any]) -> tree.Process:
        return tree.Parallel(tuple(v), v[0].place)

    def synchronous(self, v: list[Any]) -> tree.Process:
        return tree.Synchronous(tuple(v), v[0].place)

    def left_merge(self, v: list[Any]) -> tree.Process:
        return tree.LeftMerge(v[0], v[2], v[1].place)

    def condition(self, v: list[Any]) -> tree.Process:
        return tree.Condition(v[0], v[1], v[2], v[0].place)

    def before(self, v: list[Any]) -> tree.Process:
        return tree.Until(v[0], v[2], v[1].place)

    def sequence(self, v: list[Any]) -> tree.Process:
        return tree.Sequence(tuple(v), v[0].place)

    def delta(self, v: list[Any]) -> tree.Process:
        return tree.Delta(v[0].place)

    def tau(self, v: list[Any]) -> tree.Process:
        return tree.Tau(v[0].place)

    def call(self, v: list[Any]) -> tree.Process:
        return tree.Call(v[0], tuple(v[1]) if v[1:] else ())

    def sum(self, v: list[Any]) -> tree.Process:
        return tree.Sum(*v)

    def encap(self, v: list[Any]) -> tree.Process:
        return tree.Encap(tuple(v[1]), v[2], v[0].place)

    def hide(self, v: list[Any]) -> tree.Process:
        return tree.Hide(tuple(v[1]), v[2], v[0].place)

    def renaming(self, v: list[Any]) -> tuple[Name, Name]:
        return v[0], v[1]

    def rename(self, v: list[Any]) -> tree.Process:
        return tree.Rename(tuple(v[1:-1]), v[-1], v[0].place)

    def at_time(self, v: list[Any]) -> tree.Process:
        return tree.At(v[0], v[2], v[1].place)
