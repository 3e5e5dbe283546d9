"""The engine's input format: terms in prefix code; sorts, symbols and parameters are numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "Arrays",
    "Code",
    "Collection",
    "Data",
    "Moves",
    "Numbers",
    "Rule",
    "Simultaneous",
    "Summand",
    "Symbol",
]

Code = Sequence[int]
"""A term in prefix order: symbol `n >= 0`, variable `v` as `-(v+1)`; `REPEATED + k` repeats the
subterm with arguments that is the `k`-th from the end of the code."""


class Symbol(NamedTuple):
    """A constructor (kind 0), a map (1), or a value that no sum ranges over (2)."""

    name: bytes
    arguments: Sequence[int]
    """Sorts of the arguments."""
    sort: int
    kind: int
    native: str | None
    """Name of the built-in function that replaces the rules where all arguments are numerals."""


class Rule(NamedTuple):
    """A rewrite rule."""

    variables: Sequence[int]
    """Sorts of the variables."""
    left: Code
    right: Code
    condition: Code | None
    name: str
    """Name of the rule in error messages."""


class Numbers(NamedTuple):
    """A sort of numbers."""

    kind: str
    """`Pos`, `Nat` or `Int`."""
    sort: int
    constructors: tuple[int, int]
    """The two constructors that numerals are built of."""


class Collection(NamedTuple):
    """A sort of lists, sets or bags."""

    kind: str
    """`list`, `set` or `bag`."""
    empty: int
    insert: int
    """Symbols of the empty collection, and of the function that inserts an element in front."""


class Data(NamedTuple):
    """Sorts, symbols and rules."""

    sorts: Sequence[bytes]
    symbols: Sequence[Symbol]
    rules: Sequence[Rule]
    truth: int
    falsity: int
    strict: bool
    """Whether values are built of constructors only."""
    loose: bool
    """Whether different normal forms may be equal."""
    numbers: Sequence[Numbers]
    collections: Sequence[Collection]
    fraction: int | None
    """Symbol of the function that builds fractions."""


class Summand(NamedTuple):
    """A summand of a linear process."""

    sorts: Sequence[int]
    """Sorts of the summand's own variables."""
    conditions: Sequence[tuple[Code, bool]]
    """Conditions, each with the truth value that it must have."""
    equations: Sequence[tuple[Code, Code]]
    action: bytes
    arguments: Sequence[Code]
    updates: Sequence[tuple[int, Code]]
    also: Sequence[Summand] = ()
    """Summands with the same action and the same updated parameters, whose steps this one has as
    well."""


class Simultaneous(NamedTuple):
    """Parallel processes that step at the same time."""

    processes: Sequence[Sequence[tuple[int, Summand, Sequence[bytes]]]]
    """For each process its summands, with their numbers and the names of their actions."""
    admitted: Sequence[Sequence[bytes]] | None
    """The names that are admitted together; None if all are."""


class Moves(NamedTuple):
    """The action of one group generator on values, parameters and summands."""

    values: Sequence[int]
    positions: Sequence[int]
    summands: Sequence[int]
    maps: Sequence[tuple[int, int]]
    """The maps by which it moves values of further sorts: sort and symbol of each."""


class Arrays(NamedTuple):
    """A sort of arrays that are permuted index by index."""

    sort: int
    get: int
    set: int
    """The maps that read and write an element."""
    partial: tuple[int, int] | None
    """For partial arrays: the maps that test for an element and that remove one."""
    free: bool
    """Whether it is permuted by definition."""
