"""Composition expressions: what a text in the notation of EXP says, before components are read."""

from __future__ import annotations

from dataclasses import dataclass

from lts.network.labels import Pattern
from lts.text.source import Place

__all__ = ["Component", "Cut", "Expression", "Gate", "Hide", "Parallel", "Rename", "Vectors"]


@dataclass(frozen=True, slots=True)
class Component:
    """A file."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Gate:
    """Labels on which operands synchronise, `degree` of them at a time; None is all."""

    pattern: Pattern
    degree: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class Parallel:
    """Operands side by side.

    Those synchronise on `gates` that have the label in their interface; where no interface has it,
    all. `gates` None is every visible label.
    """

    operands: tuple[Expression, ...]
    gates: tuple[Gate, ...] | None
    interfaces: tuple[tuple[Pattern, ...], ...]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Operands that do what vectors say, and their internal steps.

    A vector has a label for every operand, or None where it stays as it is; the last is the result.
    """

    operands: tuple[Expression, ...]
    vectors: tuple[tuple[tuple[str | None, ...], str], ...]


@dataclass(frozen=True, slots=True)
class Hide:
    """Labels that match become internal, or all but these."""

    patterns: tuple[Pattern, ...]
    all_but: bool
    body: Expression


@dataclass(frozen=True, slots=True)
class Cut:
    """Steps with labels that match are not done, or with all but these."""

    patterns: tuple[Pattern, ...]
    all_but: bool
    body: Expression


@dataclass(frozen=True, slots=True)
class Rename:
    """Labels become others by the first rule that matches."""

    rules: tuple[tuple[Pattern, str], ...]
    body: Expression


Expression = Component | Parallel | Vectors | Hide | Cut | Rename
