"""Actions that happen together: as names with arguments, and which of them may still survive.

A step has one *action*: the name of a single one, `None` for the internal step, and for several
their names in order with how many arguments each takes, `a#1|b#0`; its arguments are those of all.
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
"""Names of actions that happen together, sorted."""


def joined(actions: Iterable[Named]) -> tuple[str | None, tuple[Term, ...]]:
    """Return what actions are together, as action and arguments of a step."""
    ordered = sorted(actions, key=lambda one: (one[0], len(one[1])))
    arguments = tuple(argument for _, own in ordered for argument in own)
    if len(ordered) < 2:
        return (ordered[0][0] if ordered else None), arguments
    return "|".join(f"{name}#{len(own)}" for name, own in ordered), arguments


def split(action: str | None, arguments: Sequence[Term]) -> list[Named]:
    """Return the actions that a step does together."""
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
    """Return the names of the actions that a step does together."""
    if action is None:
        return ()
    if "|" not in action:
        return (action,)
    return tuple(part.rpartition("#")[0] for part in action.split("|"))


_MOST = 100_000
"""Bags that a filter lists; a filter that would have more lets everything pass."""


@dataclass
class Filter:
    """What may happen inside some operators so that it is not lost for good.

    It passes what, without the `free` names, is a part of one of the `bags`, where None stands for
    all of them, and has no `forbidden` name. What passes may be lost all the same: the operators
    decide. (The idea is that of the alphabet axioms in J.F. Groote and M.R. Mousavi, Modeling and
    Analysis of Communicating Systems, 2014.)
    """

    bags: frozenset[Bag] | None = None
    free: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    partners: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names that are lost unless each communicates with one of these."""
    offers: Counter[str] | None = None
    """How often each name may still be added, if that is known."""
    is_open: bool = False
    """Whether something may be added by processes that are not inside the operators."""
    _known: dict[Bag, bool] = field(init=False, default_factory=dict)

    def before(self, rest: Iterable[Iterable[Bag]]) -> Filter:
        """Return what may happen to the left of processes in parallel, by what each of those can
        do at once."""
        if self.is_open:
            return self
        offers: Counter[str] = Counter()
        for bags in rest:
            most: Counter[str] = Counter()
            for bag in bags:
                most |= Counter(bag)
            offers += most
        found = Filter(self.bags, self.free, self.forbidden, self.partners, offers)
        found.__dict__["_wholes"] = self._wholes  # computed once for all processes side by side
        return found

    def opened(self) -> Filter:
        """Return what may happen where something else may be added."""
        return Filter(self.bags, self.free, self.forbidden, is_open=True)

    def passes(self, bag: Bag) -> bool:
        """Whether actions of these names, perhaps together with others, may survive."""
        known = self._known.get(bag)
        if known is None:
            known = self._known[bag] = self._find(bag)
        return known

    def is_whole(self, bag: Bag, others: frozenset[str]) -> bool:
        """Whether nothing can be added to actions of these names, so that they survive, that is
        free or one of the `others`."""
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
        # The internal step is never kept from happening.
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
        """Return the bags without free names that have one of the names in `rest`, if any."""
        return self._wholes.get(min(rest, default=""), ())

    @cached_property
    def _wholes(self) -> dict[str, list[Counter[str]]]:
        """The bags without free names, by each name in them; all of them by no name."""
        bags = {tuple(n for n in bag if n not in self.free) for bag in self.bags or ()}
        found: dict[str, list[Counter[str]]] = {}
        for bag in sorted(bags):
            whole = Counter(bag)
            for name in ("", *whole):
                found.setdefault(name, []).append(whole)
        return found

    def inside(self, operator: Allow | Comm | Encap | Hide | Rename) -> Filter:
        """Return what may happen inside an operator that this filter is around."""
        match operator:
            case Allow(names):
                # Nothing is added to what is inside before it is compared with the names.
                return Filter(frozenset(bag for bag in names if self.passes(bag)))
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
            # What no name becomes is only ever added from outside.
            found: list[Bag] = [(one,) for one in before(name)]
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
        # What is forbidden outside may come to something else first.
        forbidden = self.forbidden - {name for names, _ in pairs for name in names}
        bags = None
        if self.bags is not None:
            bags = _listed(before for bag in self.bags for before in _before(bag, sources))
        # No action takes part in two communications.
        partners = {
            name: frozenset(names) - {name}
            for names, _ in pairs
            for name in self.forbidden.intersection(names)
            if names.count(name) < 2
        }
        return Filter(bags, frozenset(free), forbidden, partners, is_open=self.is_open)


def _before(bag: Bag, sources: dict[str, list[Bag]]) -> Iterator[Bag]:
    """Yield what may have become a bag by communication."""
    choices = []
    for name, count in Counter(bag).items():
        ways: list[Bag] = [(name,), *sources.get(name, [])]
        choices.append(list(combinations_with_replacement(ways, count)))
    for chosen in product(*choices):
        yield tuple(sorted(name for ways in chosen for way in ways for name in way))


def _listed(bags: Iterable[Bag]) -> frozenset[Bag] | None:
    found: set[Bag] = set()
    for bag in bags:
        found.add(bag)
        if len(found) > _MOST:
            return None
    return frozenset(found)
