"""Sorts, functions and rules that are added to a specification; among them maps that decide whether
two values are the same, with rules whose order does not matter.

A rule for each two constants is a square of their number. So more than a few constants are numbered
first, by a map to words of binary digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from lts.linear.first_steps import fresh_name
from lts.specification.specification import Application, Function, Rule, Term, Variable
from lts.text.source import NO_PLACE

__all__ = ["AddedDeclarations", "Declared", "Names", "Same"]

FEW = 4
"""Most functions of a sort of which any two are compared by a rule of their own."""


class Names:
    """New names, different from all that are taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)

    def new(self, name: str) -> str:
        """Return the name itself, or with a number behind it."""
        fresh = fresh_name(name, self.taken)
        self.taken.add(fresh)
        return fresh

    def prefix(self, name: str) -> str:
        """Return a prefix, the name itself or longer, that is free with any number behind it."""
        while any(re.fullmatch(f"{re.escape(name)}[0-9]*", taken) for taken in self.taken):
            name += "_"
        self.taken.add(name)
        return name


@dataclass(frozen=True, slots=True)
class Declared:
    """Sorts, functions and rules that a text does not declare."""

    sorts: tuple[str, ...]
    functions: tuple[Function, ...]
    rules: tuple[Rule, ...]


class AddedDeclarations:
    """Sorts, functions and rules that are added, with names of their own."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.sorts: list[str] = []
        self.functions: list[Function] = []
        self.rules: list[Rule] = []
        self.variable_prefix = names.prefix("x")
        self.rank_sort: str | None = None

    def declared(self) -> Declared:
        """Return what was added so far."""
        return Declared(tuple(self.sorts), tuple(self.functions), tuple(self.rules))

    def sort(self, name: str) -> str:
        """Add a sort."""
        self.sorts.append(self.names.new(name))
        return self.sorts[-1]

    def function(
        self, name: str, arguments: Sequence[str], sort: str, *, new: bool = False
    ) -> Function:
        """Add a function, a constructor if it is `new`."""
        self.functions.append(Function(name, tuple(arguments), sort, new))
        return self.functions[-1]

    def rule(self, left: Application, right: Term) -> None:
        """Add a rule."""
        self.rules.append(Rule(left, right, NO_PLACE))

    def variables(self, sorts: Iterable[str], first: int = 1) -> tuple[Variable, ...]:
        """Return variables of the given sorts, with different names."""
        name = self.variable_prefix
        return tuple(Variable(f"{name}{number}", sort) for number, sort in enumerate(sorts, first))

    def ranks(self) -> tuple[str, Application, tuple[Function, Function]]:
        """Return the sort of words of binary digits, the empty word, and the two digits."""
        if self.rank_sort is None:
            self.rank_sort = sort = self.sort("Rank")
            self.last = Application(self.function(self.names.new("end"), (), sort, new=True))
            low, high = (
                self.function(self.names.new(name), (sort,), sort, new=True)
                for name in ("low", "high")
            )
            self.digits = (low, high)
            self.ranked = self.names.new("rank")
        return self.rank_sort, self.last, self.digits

    def rank(self, sort: str, builders: Sequence[Function]) -> Function:
        """Add a map that returns the number of the outermost function of a value, one of the
        `builders`: in binary, the highest digit first, all of one length."""
        rank_sort, last, digits = self.ranks()
        rank = self.function(self.ranked, (sort,), rank_sort)
        length = (len(builders) - 1).bit_length()
        for number, builder in enumerate(builders):
            word = last
            for digit in range(length):
                word = Application(digits[number >> digit & 1], (word,))
            whole = Application(builder, self.variables(builder.arguments))
            self.rule(Application(rank, (whole,)), word)
        return rank


class Same:
    """Maps `same_S: S#S -> Bool` for some sorts: true for values that are the same, else false.

    `builders` returns the functions that values of a sort are built from, `known` a map of the
    specification that decides it for a sort, if there is one.
    """

    def __init__(
        self,
        declarations: AddedDeclarations,
        builders: Callable[[str], Sequence[Function]],
        known: dict[str, Function],
        truths: tuple[Application, Application],
    ) -> None:
        self.declarations = declarations
        self.builders = builders
        self.true, self.false = truths
        self.maps = dict(known)
        self.conjunction: Function | None = None

    def of(self, one: Term, other: Term) -> Application:
        """Return the condition that two values are the same."""
        return Application(self.map(one.sort), (one, other))

    def map(self, sort: str) -> Function:
        """Return the map for a sort."""
        if sort in self.maps:
            return self.maps[sort]
        add = self.declarations
        name = add.names.new(f"same_{sort}")
        same = self.maps[sort] = add.function(name, (sort, sort), self.true.sort)
        builders = [
            *self.builders(sort),
            *(f for f in add.functions if f.sort == sort and f.constructor),
        ]
        if len(builders) <= FEW:
            for first in builders:
                for second in builders:
                    self.by_parts(same, (), first, second)
            return same
        one, other = add.variables((sort, sort))
        rank = add.rank(sort, builders)
        ranks = self.of(Application(rank, (one,)), Application(rank, (other,)))
        if not any(builder.arguments for builder in builders):
            add.rule(Application(same, (one, other)), ranks)
            return same
        inside = add.function(
            add.names.new(f"{name}_inside"), (self.true.sort, sort, sort), same.sort
        )
        add.rule(Application(same, (one, other)), Application(inside, (ranks, one, other)))
        add.rule(Application(inside, (self.false, one, other)), self.false)
        for builder in builders:
            self.by_parts(inside, (self.true,), builder, builder)
        return same

    def by_parts(
        self, same: Function, before: tuple[Term, ...], first: Function, second: Function
    ) -> None:
        """Add the rule for values whose outermost functions are these."""
        add = self.declarations
        ones = add.variables(first.arguments)
        others = add.variables(second.arguments, 1 + len(ones))
        sides = (Application(first, ones), Application(second, others))
        add.rule(
            Application(same, (*before, *sides)),
            self.all_of(ones, others) if first == second else self.false,
        )

    def all_of(self, ones: Sequence[Term], others: Sequence[Term]) -> Term:
        """Return the condition that two rows of values are the same."""
        parts: list[Term] = [self.of(one, other) for one, other in zip(ones, others, strict=True)]
        if not parts:
            return self.true
        return reduce(lambda rest, part: self.both(part, rest), reversed(parts))

    def both(self, one: Term, other: Term) -> Application:
        """Return the conjunction of two conditions."""
        add, sort = self.declarations, self.true.sort
        if self.conjunction is None:
            self.conjunction = add.function(add.names.new("both"), (sort, sort), sort)
            [rest] = add.variables([sort])
            add.rule(Application(self.conjunction, (self.true, rest)), rest)
            add.rule(Application(self.conjunction, (self.false, rest)), self.false)
        return Application(self.conjunction, (one, other))
