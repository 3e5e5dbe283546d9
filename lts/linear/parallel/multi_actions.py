"""Multi-actions, and filters for those that can still survive the surrounding operators.

The *action* of a step is a text: the name of a single action, None for the internal action, and for
several actions their names in order, each with its number of arguments, as in `a#1|b#0`. Its
arguments are the concatenation of theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, product

from lts.specification.specification import (
    Allow,
    Comm,
    Encap,
    Hide,
    Rename,
    Term,
)

__all__ = ["Bag", "Filter", "Named", "bag_of", "joined", "split"]

Named = tuple[str, tuple[Term, ...]]
"""An action: its name and its arguments."""

Bag = tuple[str, ...]
"""The sorted names of actions that happen together, with repetitions."""


def joined(actions: Iterable[Named]) -> tuple[str | None, tuple[Term, ...]]:
    """Combine actions to the action and arguments of a step."""
    ordered = sorted(actions, key=lambda one: (one[0], len(one[1])))
    arguments = tuple(argument for _, own in ordered for argument in own)
    if len(ordered) < 2:
        return (ordered[0][0] if ordered else None), arguments
    return "|".join(f"{name}#{len(own)}" for name, own in ordered), arguments


def split(action: str | None, arguments: Sequence[Term]) -> list[Named]:
    """Return the single actions of a step."""
    if action is None:
        return []
    if "|" not in action:
        return [(action, tuple(arguments))]
    found: list[Named] = []
    start = 0
    for part in action.split("|"):
        name, _, count = part.rpartition("#")
        found.append((name, tuple(arguments[start : start + int(count)])))
        start += int(count)
    return found


def bag_of(action: str | None) -> Bag:
    """Return the names of the single actions of a step."""
    if action is None:
        return ()
    if "|" not in action:
        return (action,)
    return tuple(part.rpartition("#")[0] for part in action.split("|"))


MOST_MULTI_ACTIONS = 100_000
"""Most bags that a filter lists; a filter that would need more admits everything."""


@dataclass
class Filter:
    """A filter for multi-actions inside some operators: those that may survive the operators.

    A multi-action is admitted if, without the names in `free`, it is part of one of the `bags`
    (None: of any), and has no name in `forbidden`. The filter over-approximates: the operators
    decide in the end what is blocked. (It follows the alphabet axioms in J.F. Groote and M.R.
    Mousavi, Modeling and Analysis of Communicating Systems, 2014.)
    """

    bags: frozenset[Bag] | None = None
    free: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    partners: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """For names that survive only by communicating: the names that each can communicate with."""
    offers: Counter[str] | None = None
    """How often each name can still be added by other processes, if that is known."""
    is_open: bool = False
    """Whether processes outside the operators may add actions."""
    _known: dict[Bag, bool] = field(init=False, default_factory=dict)

    def before(self, rest: Iterable[Iterable[Bag]]) -> Filter:
        """Return the filter for the left side of a parallel composition.

        `rest` has, for each process to the right, the multi-actions that it can do at once.
        """
        if self.is_open:
            return self
        offers: Counter[str] = Counter()
        for bags in rest:
            most: Counter[str] = Counter()
            for bag in bags:
                most |= Counter(bag)
            offers += most
        found = Filter(self.bags, self.free, self.forbidden, self.partners, offers)
        found.__dict__["_wholes"] = self._wholes  # shared by all processes of the composition
        return found

    def opened(self) -> Filter:
        """Return the filter for the case that other processes may add actions."""
        return Filter(self.bags, self.free, self.forbidden, is_open=True)

    def admits(self, bag: Bag) -> bool:
        """Whether a multi-action of these names, possibly with further actions, may survive."""
        known = self._known.get(bag)
        if known is None:
            known = self._known[bag] = self._find(bag)
        return known

    def is_whole(self, bag: Bag, others: frozenset[str]) -> bool:
        """Whether adding actions that are free or in `others` never gives a survivor."""
        if self.bags is None or not self.free.isdisjoint(others):
            return False
        rest = Counter(name for name in bag if name not in self.free)
        return not any(rest < whole for whole in self._wholes_with(rest))

    def _find(self, bag: Bag) -> bool:
        if not self.forbidden.isdisjoint(bag) or not self._find_partners(bag):
            return False
        if self.bags is None:
            return True
        rest = Counter(name for name in bag if name not in self.free)
        # The internal action is never blocked.
        return not rest or any(
            rest <= whole and self._are_offered(whole - rest) for whole in self._wholes_with(rest)
        )

    def _find_partners(self, bag: Bag) -> bool:
        if self.offers is None or not self.partners:
            return True
        counts = Counter(bag)
        return all(
            sum(counts[other] + self.offers[other] for other in self.partners[name]) >= count
            for name, count in counts.items()
            if name in self.partners
        )

    def _are_offered(self, missing: Counter[str]) -> bool:
        offers = self.offers
        return offers is None or all(offers[name] >= count for name, count in missing.items())

    def _wholes_with(self, rest: Counter[str]) -> Sequence[Counter[str]]:
        """Return the bags without free names that contain some name of `rest`, if it has any."""
        return self._wholes.get(min(rest, default=""), ())

    @cached_property
    def _wholes(self) -> dict[str, list[Counter[str]]]:
        """The bags without free names, by each name in them; all of them under the empty name."""
        bags = {tuple(n for n in bag if n not in self.free) for bag in self.bags or ()}
        found: dict[str, list[Counter[str]]] = {}
        for bag in sorted(bags):
            whole = Counter(bag)
            for name in ("", *whole):
                found.setdefault(name, []).append(whole)
        return found

    def inside(self, operator: Allow | Comm | Encap | Hide | Rename) -> Filter:
        """Return the filter for the body of an operator that this filter is around."""
        match operator:
            case Allow(names):
                # `allow` compares whole multi-actions of its body: nothing can be added to them
                # outside.
                return Filter(frozenset(bag for bag in names if self.admits(bag)))
            case Encap(actions):
                free, forbidden = self.free - actions, self.forbidden | actions
                return Filter(self.bags, free, forbidden, is_open=self.is_open)
            case Hide(actions):
                free, forbidden = self.free | actions, self.forbidden - actions
                return Filter(self.bags, free, forbidden, is_open=self.is_open)
            case Rename(pairs):
                return self._renamed(dict(pairs))
            case Comm(pairs):
                return self._communicated(pairs)

    def _renamed(self, images: dict[str, str]) -> Filter:
        sources: dict[str, list[str]] = {}
        for name, image in images.items():
            sources.setdefault(image, []).append(name)

        def before(name: str) -> list[str]:
            return ([] if name in images else [name]) + sources.get(name, [])

        def parts(name: str) -> list[Bag]:
            # An action that no name is renamed to can only be added from outside.
            found: list[Bag] = [(action,) for action in before(name)]
            return found or ([()] if self.is_open else [])

        bags = None
        if self.bags is not None:
            bags = _listed(
                tuple(sorted(name for part in chosen for name in part))
                for bag in self.bags
                for chosen in product(*map(parts, bag))
            )
        free = frozenset(name for image in self.free for name in before(image))
        forbidden = frozenset(name for image in self.forbidden for name in before(image))
        return Filter(bags, free, forbidden, is_open=self.is_open)

    def _communicated(self, pairs: Sequence[tuple[Bag, str]]) -> Filter:
        sources: dict[str, list[Bag]] = {}
        for names, result in pairs:
            sources.setdefault(result, []).append(names)
        free = self.free | {n for r in self.free for names in sources.get(r, ()) for n in names}
        # A name that is forbidden outside may disappear by communicating first.
        forbidden = self.forbidden - {name for names, _ in pairs for name in names}
        bags = None
        if self.bags is not None:
            bags = _listed(before for bag in self.bags for before in _before(bag, sources))
        # An action takes part in one communication at most.
        partners = {
            name: frozenset(names) - {name}
            for names, _ in pairs
            for name in self.forbidden.intersection(names)
            if names.count(name) < 2
        }
        return Filter(bags, frozenset(free), forbidden, partners, is_open=self.is_open)


def _before(bag: Bag, sources: dict[str, list[Bag]]) -> Iterator[Bag]:
    """Yield the bags that communication may turn into this one."""
    choices = []
    for name, count in Counter(bag).items():
        alternatives: list[Bag] = [(name,), *sources.get(name, [])]
        choices.append(list(combinations_with_replacement(alternatives, count)))
    for chosen in product(*choices):
        yield tuple(
            sorted(name for alternatives in chosen for part in alternatives for name in part)
        )


def _listed(bags: Iterable[Bag]) -> frozenset[Bag] | None:
    found: set[Bag] = set()
    for bag in bags:
        found.add(bag)
        if len(found) > MOST_MULTI_ACTIONS:
            return None
    return frozenset(found)
