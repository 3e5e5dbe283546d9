"""Composition expressions, before components and pattern files are read.

They do not depend on the reference language, which `lts.network.building` has applied.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    "VectorExpression",
    "Vectors",
    "Within",
    "components",
    "parts_of",
]


@dataclass(frozen=True, slots=True)
class Component:
    """A component, given by its file."""

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
    """A file with the patterns of a `hide`, `cut` or `rename`, and their `mode`."""

    name: str
    operator: str
    mode: str
    place: Place


@dataclass(frozen=True, slots=True)
class Hide:
    """Makes labels internal."""

    labels: Labels | PatternFile
    body: Expression


@dataclass(frozen=True, slots=True)
class Cut:
    """Blocks steps with these labels."""

    labels: Labels | PatternFile
    body: Expression


Rules = tuple[tuple[Pattern, str], ...]
"""Patterns with the replacement for labels that match; the first matching pattern applies."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Renames labels."""

    rules: Rules | PatternFile
    body: Expression


@dataclass(frozen=True, slots=True)
class Element:
    """A gate, or a label, on which `degree` operands synchronise; None means all."""

    label: str
    degree: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class Parallel:
    """Parallel operands, which synchronise on equal labels.

    `shared` is the list for all operands, `own` has a list for each; `everything` adds all labels
    to `shared`. Elements are gates or, with `by_label`, whole labels.
    """

    operands: tuple[Expression, ...]
    shared: tuple[Element, ...]
    own: tuple[tuple[Element, ...], ...]
    everything: bool = False
    by_label: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Parallel operands, which do every step alone and may also synchronise in pairs.

    A pair is a label and its co-action, with a hidden result, or, with `by_gates`, two gates that
    communicate.
    """

    operands: tuple[Expression, ...]
    by_gates: bool


@dataclass(frozen=True, slots=True)
class VectorExpression:
    """A synchronisation vector: a gate or label for each operand, None if it does not take part.

    `result` is the resulting label, None if hidden.
    """

    parts: tuple[str | None, ...]
    result: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Vectors:
    """Operands that synchronise by vectors, besides their internal steps."""

    operands: tuple[Expression, ...]
    vectors: tuple[VectorExpression, ...]
    by_label: bool


@dataclass(frozen=True, slots=True)
class Priorities:
    """Blocks steps in states that can do one of higher priority.

    In each of the rules, labels have priority over those next to them on the right.
    """

    rules: tuple[tuple[Labels, ...], ...]
    body: Expression
    place: Place


@dataclass(frozen=True, slots=True)
class Within:
    """The first operand restricted by an interface, the second one.

    Of its steps with gates in `shared`, those remain that it can do together with the interface. If
    `verified`, it is checked that the network does no others.
    """

    operands: tuple[Expression, ...]
    shared: tuple[Element, ...]
    verified: bool
    place: Place


Expression = Component | Parallel | Pairs | Vectors | Hide | Cut | Rename | Priorities | Within


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions directly inside an expression."""
    if isinstance(expression, Component):
        return ()
    if isinstance(expression, Parallel | Pairs | Vectors | Within):
        return expression.operands
    return (expression.body,)


def components(expression: Expression) -> Iterator[Component]:
    """Yield the components of an expression, in the order of the text."""
    waiting = [expression]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Component):
            yield found
        waiting += reversed(parts_of(found))


@dataclass(frozen=True, slots=True)
class Composition:
    """A whole text: its reference language, its communications of gates, and its expression."""

    language: Language
    communications: dict[tuple[str, str], str]
    """The resulting gate for two gates, in either order."""
    place: Place
    """The place of the communications, if any."""
    expression: Expression
