"""Decision diagrams of the reachable markings of a net, and the properties that they decide.

A diagram has no steps: it answers whether a reachable marking satisfies a formula about markings,
how many tokens places have at most, and Boolean combinations of such formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import lts._engine as _engine
from lts.petri.grounding import GroundNet, order_of
from lts.petri.net import Truth
from lts.petri.properties import (
    Arithmetic,
    Count,
    CountComparison,
    Deadlock,
    Fireable,
    Formula,
    Number,
    Operation,
    PlaceBound,
    TokensIn,
    reachability,
)
from lts.state_space.settings import Limits, limit_errors

__all__ = ["BY_MARKINGS", "BY_ORBITS", "Diagram", "Effort", "is_about_markings"]


class Effort(NamedTuple):
    """How much is explored before a decision diagram is tried, and how large that may become."""

    stored: int
    """Markings, or orbits."""
    nodes: int
    """Nodes and entries of tables, with each order of the places."""


BY_MARKINGS = (
    Effort(1_000_000, 625_000),
    Effort(4_000_000, 2_500_000),
    Effort(16_000_000, 10_000_000),
)
BY_ORBITS = (Effort(10_000, 625_000), Effort(50_000, 2_500_000), Effort(200_000, 10_000_000))
"""What is tried in turn; then the exploration goes on without these limits. A marking takes about a
microsecond, an orbit up to some milliseconds, depending on the group."""

MOST_NODES = 10_000_000
"""Nodes and entries of tables that a question may add."""

MOST_FACTOR = 1 << 15
"""Factors of the numbers of tokens in sums are below this."""


def is_about_markings(content: Formula | PlaceBound) -> bool:
    """Whether a property is about reachable markings alone, or combines such properties."""
    if isinstance(content, PlaceBound) or reachability(content) is not None:
        return True
    match content:
        case Operation("!" | "&&" | "||", parts):
            return all(map(is_about_markings, parts))
    return False


@dataclass(frozen=True, slots=True)
class Diagram:
    """The reachable markings of a net as a decision diagram."""

    net: GroundNet
    markings: _engine.Markings
    limits: Limits

    @classmethod
    def of(cls, net: GroundNet, limits: Limits, nodes: int = MOST_NODES) -> Diagram | None:
        """Return the diagram of a net without inhibitor and reset arcs; None if it has more nodes
        and entries of tables."""
        events = []
        for firing in net.firings:
            takes, puts = dict(firing.takes), dict(firing.puts)
            places = sorted({*takes, *puts})
            events.append([(place, takes.get(place, 0), puts.get(place, 0)) for place in places])
        with limit_errors(limits):
            found = _engine.Markings.reachable(net.initial, events, _starts(net), nodes)
        return None if found is None else cls(net, found, limits)

    def answer(self, content: Formula | PlaceBound) -> bool | int | None:
        """Return the answer of a property; None if it is about more than reachable markings, or if
        too many nodes are needed."""
        conditions = _Conditions(self.net)
        if isinstance(content, PlaceBound):
            factors, _ = conditions.sum(TokensIn(content.places))
            if conditions.has_large_factor:
                return None
            with limit_errors(self.limits):
                return self.markings.greatest(factors, MOST_NODES)
        query = reachability(content)
        if query is not None:
            answer, goal = query
            conditions.add(goal)
            if conditions.has_large_factor:
                return None
            with limit_errors(self.limits):
                found = self.markings.is_possible(conditions.encoded, MOST_NODES)
            return None if found is None else found == answer
        match content:
            case Operation("!", (part,)):
                inner = self.answer(part)
                return None if inner is None else not inner
            case Operation("&&" | "||" as operator, parts):
                decisive, unknown = operator == "||", False
                for part in parts:
                    own = self.answer(part)
                    if own == decisive:
                        return decisive
                    unknown |= own is None
                return None if unknown else not decisive
        return None


Factors = list[tuple[int, int]]
"""Places with the factors of their numbers of tokens in a sum."""

Condition = tuple[str, list[int]] | tuple[Factors, int | None, int | None]
"""A condition, see `lts._engine.Markings.is_possible`."""


@dataclass(slots=True)
class _Conditions:
    """A formula about markings as conditions of the engine, each after its parts."""

    net: GroundNet
    encoded: list[Condition] = field(default_factory=list)
    has_large_factor: bool = False
    """Whether some place is named more often than sums of 64 bits have room for."""

    def add(self, formula: Formula) -> int:
        """Add a formula, and return its number."""
        match formula:
            case Truth(holds):
                return self._joined("all" if holds else "some", [])
            case Deadlock():
                return self._joined("not", [self._enabled(lambda _: True)])
            case Fireable(names):
                return self._enabled(frozenset(names).__contains__)
            case CountComparison(relation, left, right):
                return self._compared(relation, left, right)
        parts = [self.add(part) for part in formula.parts]
        match formula.operator:
            case "!":
                return self._joined("not", parts)
            case "&&":
                return self._joined("all", parts)
            case "||":
                return self._joined("some", parts)
            case "=>":
                return self._joined("some", [self._joined("not", parts[:1]), parts[1]])
            case "xor" | "<=>":
                negated = [self._joined("not", [part]) for part in parts]
                pairs = zip(parts, reversed(negated), strict=True)
                differ = self._joined("some", [self._joined("all", [*pair]) for pair in pairs])
                return differ if formula.operator == "xor" else self._joined("not", [differ])
        raise AssertionError(formula)

    def sum(self, count: Count) -> tuple[Factors, int]:
        """Return the places of a number, each with its factor, and the number without them."""
        found: Counter[int] = Counter()
        constant = 0
        waiting = [(count, 1)]
        while waiting:
            part, sign = waiting.pop()
            match part:
                case Number(value):
                    constant += sign * value
                case TokensIn(names):
                    times = Counter(names)
                    for spot, (name, _) in enumerate(self.net.spots):
                        if name in times:
                            found[spot] += sign * times[name]
                case Arithmetic("-", (first, second)):
                    waiting += [(first, sign), (second, -sign)]
                case Arithmetic(_, parts):
                    waiting += [(one, sign) for one in parts]
        self.has_large_factor |= any(abs(factor) >= MOST_FACTOR for factor in found.values())
        return [(spot, factor) for spot, factor in found.items() if factor], constant

    def _joined(self, kind: str, parts: list[int]) -> int:
        self.encoded.append((kind, parts))
        return len(self.encoded) - 1

    def _between(self, factors: Factors, low: int | None, high: int | None) -> int:
        self.encoded.append((factors, low, high))
        return len(self.encoded) - 1

    def _enabled(self, is_one: Callable[[str], bool]) -> int:
        """Add that one of some transitions is enabled."""
        identifiers = [transition.identifier for transition in self.net.net.transitions]
        each = [
            self._joined("all", [self._between([(spot, 1)], n, None) for spot, n in firing.takes])
            for firing in self.net.firings
            if is_one(identifiers[firing.transition])
        ]
        return self._joined("some", each)

    def _compared(self, relation: str, left: Count, right: Count) -> int:
        difference = Arithmetic("-", (left, right))
        factors, constant = self.sum(difference)
        low, high = {
            "=": (-constant, -constant),
            "!=": (-constant, -constant),
            "<": (None, -constant - 1),
            "<=": (None, -constant),
            ">": (-constant + 1, None),
            ">=": (-constant, None),
        }[relation]
        found = self._between(factors, low, high)
        return self._joined("not", [found]) if relation == "!=" else found


def _starts(net: GroundNet) -> list[list[int]]:
    """Return some orders of the places: as in the net, and those of the same colours together,
    sorted by the first or by the last class of products, with simple classes below."""
    colours = [order_of(colour) for _, colour in net.spots]
    keys: list[Callable[[int], tuple[int, ...]]] = [
        lambda number: (number,),
        lambda number: colours[number],
        lambda number: (len(colours[number]), *colours[number]),
        lambda number: (len(colours[number]), *reversed(colours[number])),
    ]
    orders = []
    for key in keys:
        positions = [0] * len(colours)
        for position, number in enumerate(sorted(range(len(colours)), key=key)):
            positions[number] = position
        orders.append(positions)
    return orders
