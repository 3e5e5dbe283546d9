"""What the engine takes, with its parts by name: terms are codes, the rest is numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Arrays", "Code", "Collection", "Data", "Moves", "Numbers", "Rule", "Summand", "Symbol"]

Code = Sequence[int]
"""A term in prefix order: symbol `n >= 0`, variable `v` as `-(v+1)`."""


class Symbol(NamedTuple):
    """A constructor (kind 0), a map (1), or a value that no sum ranges over (2)."""

    name: bytes
    arguments: Sequence[int]
    """Their sorts."""
    sort: int
    kind: int
    native: str | None
    """What is computed of numerals."""


class Rule(NamedTuple):
    """A rule of rewriting."""

    variables: Sequence[int]
    """Their sorts."""
    left: Code
    right: Code
    condition: Code | None
    name: str
    """What errors call it."""


class Numbers(NamedTuple):
    """A sort of numbers."""

    kind: str
    """`Pos`, `Nat` or `Int`."""
    sort: int
    constructors: tuple[int, int]
    """Those that numerals stand for."""


class Collection(NamedTuple):
    """A sort of lists, sets or bags."""

    kind: str
    """`list`, `set` or `bag`."""
    empty: int
    insert: int
    """The symbols of what is empty, and of what puts an element in front."""


class Data(NamedTuple):
    """Sorts, symbols and rules."""

    sorts: Sequence[bytes]
    symbols: Sequence[Symbol]
    rules: Sequence[Rule]
    truth: int
    falsity: int
    strict: bool
    """Whether values are built from constructors only."""
    loose: bool
    """Whether other values may be equal."""
    numbers: Sequence[Numbers]
    collections: Sequence[Collection]
    fraction: int | None
    """What makes fractions."""


class Summand(NamedTuple):
    """A summand of a linear process."""

    sorts: Sequence[int]
    """Of its variables."""
    conditions: Sequence[tuple[Code, bool]]
    """Conditions, and what they must be."""
    equations: Sequence[tuple[Code, Code]]
    action: bytes
    arguments: Sequence[Code]
    updates: Sequence[tuple[int, Code]]
    also: Sequence[Summand] = ()
    """Others of that action that write the same: it has their steps, too."""


class Moves(NamedTuple):
    """What a generator does to values, parameters and summands."""

    values: Sequence[int]
    positions: Sequence[int]
    summands: Sequence[int]
    maps: Sequence[tuple[int, int]]
    """Its maps: sort and symbol of each."""


class Arrays(NamedTuple):
    """A sort of arrays that are permuted index by index."""

    sort: int
    get: int
    set: int
    """The maps that read and write it."""
    partial: tuple[int, int] | None
    """For partial ones the maps that tell whether there is an element, and that remove it."""
    free: bool
    """Whether it is permuted by definition."""
