"""Data structures for formulas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import EllipsisType

from lts.specification.terms import Application, Term, Variable, variables_of
from lts.text.source import Place

__all__ = [
    "PATHS",
    "Actions",
    "Argument",
    "Call",
    "DataVariable",
    "Expression",
    "Formula",
    "Literal",
    "Node",
    "Open",
    "Quantifier",
    "Slot",
    "Tree",
    "is_slot",
    "slots_of",
    "unquoted",
]


@dataclass(frozen=True, slots=True)
class DataVariable(Variable):
    """A variable of a formula in a term: `slot` is its number among those of the formula."""

    slot: int


@dataclass(frozen=True, slots=True)
class Literal(Variable):
    """A value in a term, as evaluated: the number of a term in the engine, or a text."""

    value: int | str


@dataclass(frozen=True, slots=True)
class Expression:
    """A data term in a formula, and its place in the text.

    It is a term of the specification; without one, see `lts.logic.terms.labels`.
    """

    term: Term
    at: Place = field(compare=False)


Argument = Expression | EllipsisType | None
"""The requirement of a pattern on an argument of an action: equality with a term, or none (None);
as the last one, `...` is any number of further arguments."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A data variable: its name, and its sort or the first and last number of its range."""

    name: str
    sort: str | None
    bounds: tuple[Expression, Expression] | None
    at: Place


@dataclass(frozen=True, slots=True)
class Quantifier:
    """The variable (slot) bound by `forall` or `exists`.

    If the body is only about data, `term` is the whole quantified formula as one term.
    """

    slot: int
    term: Expression | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a fixed point: its node, the slots of its parameters, and their values."""

    binder: int
    slots: tuple[int, ...] = ()
    values: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """The promises that a step leaves open, as bits."""

    promises: int


Tree = tuple[object, ...]
"""A set of labels: an operator and its parts. The operators are `true`, `false`, `tau`, `not`,
`and`, `or`, `label` with a text, `name` with a name, `pattern` with a name, arguments, and the
sorts of the action's declaration (None if unknown), `multi` with the actions of a multi-action,
`val` with an expression, and `forall` and `exists` with a quantifier."""


@dataclass(frozen=True, slots=True)
class Actions:
    """A set of labels; sets are equal if their texts and trees are."""

    text: str
    tree: Tree

    @property
    def plain(self) -> str:
        """The text; if it is a single quoted label, without quotes."""
        return unquoted(self.text) if self.text.startswith('"') else self.text


Node = tuple[str, Actions | Call | Expression | Open | Quantifier | None, tuple[int, ...]]
"""Operator, attribute, and parts. `and`, `or`, `not`, `mu`, `nu` have no attribute; `can` and
`must` have actions; `var`, a use of a bound variable, and `enter`, a fixed point with initial
values, have a call; `val` has an expression; `forall` and `exists` have a quantifier. Path
quantifiers are `all` and `some`, with path operators `action` (with actions), `next`, `until` and
`release` inside; they are translated to `run`, whose parts are mutually recursive fixed points, or
states of an automaton (`lts.logic.paths.walks`), of which the first is the initial one. Parts
precede the nodes that they are parts of, except for bound ones."""


PATHS = ("all", "some")
"""The path quantifiers."""


@dataclass(frozen=True, slots=True)
class Formula:
    """The nodes of a formula, and the number of its root.

    `named` are the actions named in it, each a label, a pattern or `name(...)`; `slots` are its
    data variables.
    """

    nodes: tuple[Node, ...]
    root: int
    named: tuple[Actions, ...] = ()
    slots: tuple[Slot, ...] = ()
    text: str = ""
    file: str = "formula"
    shown: bool | None = None
    """The truth value that a single path can prove; None if a path proves neither."""

    @property
    def has_paths(self) -> bool:
        """Whether it has path quantifiers."""
        return any(operator in PATHS for operator, _, _ in self.nodes)


def slots_of(found: object, slots: Sequence[Slot] = ()) -> frozenset[int]:
    """Return the slots that are free in a term, an expression, a call, or a set of labels.

    Given the formula's variables, those in the bounds of bound variables are included.
    """
    free: set[int] = set()
    waiting: list[object] = [found]
    while waiting:
        part = waiting.pop()
        match part:
            case DataVariable():
                free.add(part.slot)
            case Application():
                waiting += variables_of(part)
            case Expression(term):
                waiting.append(term)
            case Call(_, _, values):
                waiting += values
            case Actions(_, tree):
                waiting.append(tree)
            case Quantifier(slot):
                waiting.append(slots[slot].bounds)
            case ("forall" | "exists", Quantifier(slot) as quantifier, inner):
                free |= slots_of(inner, slots) - {slot}
                waiting.append(quantifier)
            case tuple():
                waiting += part
    return frozenset(free)


def is_slot(term: Term, slot: int) -> bool:
    """Whether a term is this variable."""
    return isinstance(term, DataVariable) and term.slot == slot


def unquoted(text: str) -> str:
    """Return the label in a quoted string."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])
