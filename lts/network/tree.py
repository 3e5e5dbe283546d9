"""Composition expressions: what a text says, before components and files of patterns are read.

Nothing here depends on the reference language, which `lts.network.building` has seen to.
"""

from __future__ import annotations

from dataclasses import dataclass

from lts.network.labels import Pattern
from lts.network.language import Language
from lts.text.source import Place

__all__ = [
    "Component",
    "Composition",
    "Cut",
    "Element",
    "Expression",
    "Hide",
    "Labels",
    "Pairs",
    "Parallel",
    "PatternFile",
    "Priorities",
    "Rename",
    "Rules",
    "Vectors",
    "Wanted",
    "Within",
]


@dataclass(frozen=True, slots=True)
class Component:
    """A file."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels that one of the patterns matches, or all others."""

    patterns: tuple[Pattern, ...]
    all_but: bool = False

    def __contains__(self, label: str) -> bool:
        return any(pattern.matches(label) for pattern in self.patterns) != self.all_but


@dataclass(frozen=True, slots=True)
class PatternFile:
    """A file with the patterns of an operator, `hide`, `cut` or `rename`; `mode` is theirs."""

    name: str
    operator: str
    mode: str
    place: Place


@dataclass(frozen=True, slots=True)
class Hide:
    """Labels become internal."""

    labels: Labels | PatternFile
    body: Expression


@dataclass(frozen=True, slots=True)
class Cut:
    """Steps with these labels are not done."""

    labels: Labels | PatternFile
    body: Expression


Rules = tuple[tuple[Pattern, str], ...]
"""Patterns, and what becomes of a label by the first one that matches it."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Labels become others."""

    rules: Rules | PatternFile
    body: Expression


@dataclass(frozen=True, slots=True)
class Element:
    """A gate, or a label, that `degree` operands do together; None is all."""

    label: str
    degree: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class Parallel:
    """Operands side by side, which do equal labels together.

    `shared` is for all operands, `own` has a list for each; `everything` stands for every label in
    `shared`. Elements are gates or, with `by_label`, whole labels.
    """

    operands: tuple[Expression, ...]
    shared: tuple[Element, ...]
    own: tuple[tuple[Element, ...], ...]
    everything: bool = False
    by_label: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Operands that do every step alone, and some in pairs.

    Pairs are a label and its co-action, which are hidden, or, with `by_gates`, gates that
    communicate.
    """

    operands: tuple[Expression, ...]
    by_gates: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """A synchronisation vector: a gate or label for every operand, None where it stays as it is.

    `result` is what comes out, None if that is hidden.
    """

    parts: tuple[str | None, ...]
    result: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Vectors:
    """Operands that do what vectors say, and their internal steps."""

    operands: tuple[Expression, ...]
    vectors: tuple[Wanted, ...]
    by_label: bool


@dataclass(frozen=True, slots=True)
class Priorities:
    """Steps are not done where others come before them.

    In each of the rules, labels come before those next to them on the right.
    """

    rules: tuple[tuple[Labels, ...], ...]
    body: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class Within:
    """The first operand within an interface, the second: its steps with the gates in `shared` are
    those that it can do together with the interface.

    Where that is `verified`, the whole network must do no others.
    """

    operands: tuple[Expression, ...]
    shared: tuple[Element, ...]
    verified: bool
    place: Place


Expression = Component | Parallel | Pairs | Vectors | Hide | Cut | Rename | Priorities | Within


@dataclass(frozen=True, slots=True)
class Composition:
    """A whole text: its reference language, the gates that communicate, and its expression."""

    language: Language
    communications: dict[tuple[str, str], str]
    """For two gates, in either order, the gate that comes out."""
    place: Place
    """Where the communications stand, if there are some."""
    expression: Expression
