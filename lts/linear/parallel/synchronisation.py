"""Parallel composition as in mCRL2, where actions that happen at once form a multi-action.

`p || q` has the steps of p, those of q, and those of both at once; `comm` replaces some actions
with equal arguments by one, wherever they are equal; `allow` permits only some multi-actions.
Multi-actions that the surrounding operators would block are not even built (see `Filter`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product

from lts.linear.control_state import Guard
from lts.linear.parallel.communication import Communication
from lts.linear.parallel.multi_actions import Bag, Filter, Named, bag_of, joined, split
from lts.linear.parallel.relabelling import Relabelling
from lts.linear.parts import TerminatingSummand, sorts_of
from lts.linear.process import Summand
from lts.specification.specification import (
    Allow,
    Application,
    Comm,
    Encap,
    Function,
    Hide,
    Rename,
    Specification,
    Term,
)

__all__ = ["Communications", "Kinds", "Synchronisation", "divisions"]


class Synchronisation(Communication):
    """Applies the operators of mCRL2 to lists of summands."""

    def __init__(self, specification: Specification) -> None:
        super().__init__(specification)
        self.alike: dict[tuple[int, tuple[str, ...]], Function] = {}
        """The maps that test tuples of terms for equality, by the length of a tuple and all
        sorts."""

    def at_once(
        self,
        left: list[TerminatingSummand],
        right: list[TerminatingSummand],
        inside: Filter,
        comm: Communications | None,
        most: int,
        too_many: Callable[[], Exception],
    ) -> list[TerminatingSummand]:
        """Return the simultaneous steps of both sides that may survive, where `comm` acts first.

        Raises `too_many()` for more than `most` steps.
        """
        sides: list[dict[Kinds, list[tuple[TerminatingSummand, list[Named]]]]] = []
        for side in (left, right):
            grouped: dict[Kinds, list[tuple[TerminatingSummand, list[Named]]]] = defaultdict(list)
            for part in side:
                actions = split(part.summand.action, part.summand.arguments)
                grouped[kinds_of(actions)].append((part, actions))
            sides.append(grouped)
        differ = self.equations.ground_terms.differ
        found = []
        for one, these in sides[0].items():
            for other, those in sides[1].items():
                if not inside.admits(tuple(sorted(name for name, _ in one + other))):
                    continue
                link = None if comm is None else comm.link(one, other, inside)
                for first, actions in these:
                    for second, others in those:
                        if link is not None and any(
                            map(differ, actions[link[0]][1], others[link[1]][1])
                        ):
                            continue
                        summand = self.both(first.summand, second.summand)
                        if summand is not None:
                            found.append(
                                TerminatingSummand(summand, first.terminating | second.terminating)
                            )
                    if len(found) > most:
                        raise too_many()
        return found

    def both(self, one: Summand, other: Summand) -> Summand | None:
        """Return the simultaneous step of two steps; None if it is never possible.

        The components of the first have smaller numbers than those of the other.
        """
        taken = set(self.parameter_names)
        one, other = self.apart(one, taken), self.apart(other, taken)
        actions = split(one.action, one.arguments) + split(other.action, other.arguments)
        action, arguments = joined(actions)
        return self.equations.solve(
            Summand(
                one.variables + other.variables,
                one.guards + other.guards,
                one.equations + other.equations,
                action,
                arguments,
                one.updates + other.updates,
                one.origin + other.origin,
                one.places + other.places,
            )
        )

    def under(
        self,
        parts: list[TerminatingSummand],
        operator: Allow | Comm | Encap | Hide | Rename,
        around: Filter,
    ) -> list[TerminatingSummand]:
        """Apply an operator to steps that passed the filter for its body."""
        found = []

        @cache
        def divisions_of(kinds: Kinds, pairs: tuple[tuple[Bag, str], ...]) -> list[Communicating]:
            return [*divisions(kinds, pairs, around)]

        for part in parts:
            summand = part.summand
            actions = split(summand.action, summand.arguments)
            results: list[Summand] = []
            match operator:
                case Allow(names):
                    if not actions or bag_of(summand.action) in names:
                        results = [summand]
                case Comm(pairs):
                    communicating = divisions_of(kinds_of(actions), pairs)
                    results = [*self.communicating(summand, actions, communicating)]
                case Encap() | Hide() | Rename():
                    relabelling = Relabelling.of(operator)
                    applied = relabelling.applied(summand.action, summand.arguments)
                    assert applied is not None
                    results = [replace(summand, action=applied[0], arguments=applied[1])]
            found += [TerminatingSummand(result, part.terminating) for result in results]
        return found

    def communicating(
        self, summand: Summand, actions: Sequence[Named], divisions: Sequence[Communicating]
    ) -> Iterator[Summand]:
        """Yield the results of a step under `comm`, one for each division into groups.

        Each is possible where the arguments of the communicating actions are equal, and those of
        other groups that could communicate are not.
        """
        seen = set()
        for division in divisions:
            results = [(name, actions[group[0]][1]) for group, name in division.groups]
            results += [actions[place] for place in division.rest]
            equations = tuple(
                (first, second)
                for group, _ in division.groups
                for one, other in pairwise(group)
                for first, second in zip(actions[one][1], actions[other][1], strict=True)
            )
            guards = [
                self.unequal([actions[place][1] for place in group]) for group in division.left
            ]
            if None in guards:
                continue
            made = _doing(
                replace(
                    summand,
                    guards=(*summand.guards, *(g for g in guards if g is not None)),
                    equations=(*summand.equations, *equations),
                ),
                results,
            )
            solved = self.equations.solve(made)
            if solved is None:
                continue
            key = (solved.action, solved.arguments, solved.guards, solved.equations, solved.updates)
            if key not in seen:
                seen.add(key)
                yield solved

    def unequal(self, tuples: Sequence[tuple[Term, ...]]) -> Guard | None:
        """Return the guard that tuples of terms are not all equal; None if they certainly are."""
        if len(set(tuples)) == 1:
            return None
        sorts = tuple(term.sort for terms in tuples for term in terms)
        [width] = {len(terms) for terms in tuples}
        if (width, sorts) not in self.alike:
            self.alike[width, sorts] = Function(self.declare("same"), sorts, "Bool")
        function = self.alike[width, sorts]
        return Guard(
            Application(function, tuple(term for terms in tuples for term in terms)), False
        )


def _doing(summand: Summand, actions: Sequence[Named]) -> Summand:
    action, arguments = joined(actions)
    return replace(summand, action=action, arguments=arguments)


Kinds = tuple[tuple[str, tuple[str, ...]], ...]
"""The names of actions, with the sorts of their arguments."""


def kinds_of(actions: Iterable[Named]) -> Kinds:
    """Return the names of actions and the sorts of their arguments."""
    return tuple((name, sorts_of(own)) for name, own in actions)


_Group = tuple[tuple[int, ...], str]
"""The positions of actions that communicate, and the name of their result."""


@dataclass(frozen=True, slots=True)
class Communicating:
    """A division of actions into groups that communicate, and others.

    `groups` communicate, and `rest` are the positions of the other actions; `left` are the groups
    of these that could communicate as well, so their arguments must differ.
    """

    groups: tuple[_Group, ...]
    rest: tuple[int, ...]
    left: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Communications:
    """The communications of a `comm` around parallel processes, and the filter around it."""

    pairs: tuple[tuple[Bag, str], ...]
    around: Filter

    def link(self, one: Kinds, other: Kinds, inside: Filter) -> tuple[int, int] | None:
        """Return the positions of two actions, one a side, that always communicate with each other.

        In every simultaneous step that may survive their arguments must then be equal. Returns None
        if there is no such pair.
        """
        names = frozenset(name for bag, _ in self.pairs for name in bag)
        if not inside.is_whole(tuple(sorted(name for name, _ in one + other)), names):
            return None
        choices = [
            [{*positions} for positions, _ in division.groups]
            for division in divisions(one + other, self.pairs, self.around)
        ]
        positions = product(range(len(one)), range(len(one), len(one) + len(other)))
        return next(
            (
                (first, second - len(one))
                for first, second in positions
                if all(any({first, second} <= group for group in groups) for groups in choices)
            ),
            None,
        )


def divisions(
    kinds: Kinds, pairs: Sequence[tuple[Bag, str]], around: Filter
) -> Iterator[Communicating]:
    """Yield the divisions into communicating groups whose results may survive."""
    for groups, rest in _divided(tuple(range(len(kinds))), kinds, pairs):
        names = [name for _, name in groups] + [kinds[position][0] for position in rest]
        if around.admits(tuple(sorted(names))):
            left = tuple(group for group, _ in _groups(rest, kinds, pairs))
            yield Communicating(groups, rest, left)


def _groups(
    positions: Sequence[int], kinds: Kinds, pairs: Sequence[tuple[Bag, str]]
) -> Iterator[_Group]:
    """Yield the groups of positions that could communicate."""
    for names, result in pairs:
        yield from ((group, result) for group in _chosen(positions, kinds, names))


def _chosen(positions: Sequence[int], kinds: Kinds, names: Bag) -> Iterator[tuple[int, ...]]:
    """Yield distinct positions of actions with these names and equal sorts, each set once."""
    if not names:
        yield ()
        return
    for at, position in enumerate(positions):
        if kinds[position][0] != names[0]:
            continue
        # Equal names take positions in increasing order, to find each set only once.
        same = len(names) > 1 and names[1] == names[0]
        rest = positions[at + 1 :] if same else [p for p in positions if p != position]
        for others in _chosen(rest, kinds, names[1:]):
            if all(kinds[other][1] == kinds[position][1] for other in others):
                yield (position, *others)


def _divided(
    positions: tuple[int, ...], kinds: Kinds, pairs: Sequence[tuple[Bag, str]]
) -> Iterator[tuple[tuple[_Group, ...], tuple[int, ...]]]:
    """Yield the sets of disjoint groups that communicate, with the remaining positions."""
    yield (), positions
    for group, result in _groups(positions, kinds, pairs):
        # Groups are enumerated in increasing order of their first positions.
        rest = tuple(position for position in positions if position not in group)
        for groups, left in _divided(rest, kinds, pairs):
            firsts = [min(group), *(min(other) for other, _ in groups)]
            if firsts == sorted(firsts):
                yield ((group, result), *groups), left
