"""Formulas: what they are made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lts.specification.terms import Function

__all__ = [
    "Actions",
    "Call",
    "DataTerm",
    "Formula",
    "Node",
    "Open",
    "Quantifier",
    "Slot",
    "Tree",
    "slots_of",
    "unquoted",
]


@dataclass(frozen=True, slots=True)
class DataTerm:
    """A term over data: an operator and its parts.

    `any` is whatever stands in a label, `slot` a variable, its number in `what`, and `value` a
    datum there; `number` is a numeral, and `call` a function, which have their text there. `[`, `{`
    and `:` are a list, a set and a bag, elements with their numbers, as labels have them. All
    others are operators, as `==` or `+`.
    """

    operator: str
    parts: tuple[DataTerm, ...] = ()
    what: str | int = ""
    at: int = field(default=0, compare=False)
    """Where it begins in the text."""
    sort: str = ""
    """Its sort, where there is a specification."""
    function: Function | None = None
    """What an operator or a call is in the specification, if there is one that has it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable for data: its name, and its sort or, of numbers, the first and the last."""

    name: str
    sort: str | None
    bounds: tuple[DataTerm, DataTerm] | None
    at: int


@dataclass(frozen=True, slots=True)
class Quantifier:
    """What `forall` or `exists` binds: a slot.

    Where all that is said of its values is about data, the whole is one `term`, too.
    """

    slot: int
    term: DataTerm | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A fixed point with values for its parameters: the node, their slots, the values."""

    binder: int
    slots: tuple[int, ...] = ()
    values: tuple[DataTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """What a step leaves open: bits of the promises that are still to be kept."""

    promises: int


Tree = tuple[object, ...]
"""A set of labels: an operator (`true`, `false`, `tau`, `not`, `and`, `or`, `label` with a text,
`name` with one, `pattern` with name and terms, `multi` with what each action of one step is, `val`
with a term, `forall` and `exists` with a quantifier), and its parts."""


@dataclass(frozen=True, slots=True)
class Actions:
    """A set of labels; equal texts and trees are equal sets."""

    text: str
    tree: Tree

    @property
    def plain(self) -> str:
        """The text without quotes, if it is one label."""
        return unquoted(self.text) if self.text.startswith('"') else self.text


Node = tuple[str, "Actions | Call | DataTerm | Open | Quantifier | None", tuple[int, ...]]
"""Operator, what belongs to it, parts. `and`, `or`, `not`, `mu`, `nu`; `can` and `must` with
actions; `var`, a bound variable, and `enter`, where a fixed point stands, with a call; `val` with a
term; `forall` and `exists` with a quantifier. Of paths say something `all` and `some`, and in these
`action` with actions, `next`, `until` and `release`; they become `run`, the first of some fixed
points, or of states of an automaton (`lts.logic.paths.walks`), that are bound together. Parts come
before what they are parts of, but for bound ones."""


@dataclass(frozen=True, slots=True)
class Formula:
    """The nodes of a formula, and the number of the one that is all of it.

    `named` are the actions that are named in it, one label, pattern or `name(...)` each, and
    `slots` its variables for data.
    """

    nodes: tuple[Node, ...]
    root: int
    named: tuple[Actions, ...] = ()
    slots: tuple[Slot, ...] = ()
    text: str = ""
    file: str = "formula"
    shown: bool | None = None
    """Whether one path shows that it holds, or that it does not; None if neither."""


def slots_of(found: object, slots: Sequence[Slot] = ()) -> frozenset[int]:
    """Return the slots that a term, a call, or a set of labels has free.

    With the variables of the formula, those are among them that bounds of what it binds depend on.
    """
    free: set[int] = set()
    waiting: list[object] = [found]
    while waiting:
        part = waiting.pop()
        match part:
            case DataTerm("slot", _, int() as number):
                free.add(number)
            case DataTerm(_, parts):
                waiting += parts
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


def unquoted(text: str) -> str:
    """Return the label that stands in quotation marks."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])
