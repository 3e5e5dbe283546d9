"""The tableau automaton of a path formula: states are sets of obligations.

Gerth, Peled, Vardi and Wolper, Simple on-the-fly automatic verification of linear temporal logic
(PSTV 1995), with acceptance on steps instead of states, finite paths, and data variables that are
bound at steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lts.base.bounds import AUTOMATON_STATES, AUTOMATON_STEPS
from lts.errors import LimitReached
from lts.logic.paths.fairness import Moment, moments
from lts.logic.paths.normal_form import FALSE, Path, conjunction
from lts.logic.paths.quantifiers import Normaliser

__all__ = ["Automaton", "BoundAgain", "Edge", "automaton"]

EACH_COVER = 10
"""What a cover costs, in parts, however few it has."""

Obligations = frozenset[Path]


class BoundAgain(Exception):
    """A variable would be bound while it already has a value."""

    def __init__(self, slot: int) -> None:
        super().__init__(slot)
        self.slot = slot


@dataclass(frozen=True, slots=True)
class Edge:
    """A step of a path: conditions on its state and label, and the obligations of the rest."""

    moment: Moment
    slots: tuple[int, ...]
    """Variables bound here."""
    target: Obligations
    may_end: bool
    """Whether the path may end here."""
    has_step: bool
    """Whether the path may continue."""
    promised: frozenset[Path]
    """Until formulas that remain to be fulfilled."""


Automaton = dict[Obligations, list[Edge]]


def automaton(normaliser: Normaliser, start: Path) -> tuple[Obligations, Automaton]:
    """Return the initial state, and the edges of every state.

    Raises `BoundAgain` if a variable would be bound while obligations for another value of it
    remain, and `LimitReached` if there are too many states, or it takes too long.
    """
    first = frozenset({start})
    found: Automaton = {}
    budget = _Budget()
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if len(found) >= AUTOMATON_STATES.default:
            _too_large()
        found[state] = _useful(_edges(normaliser, state, budget))
        waiting += (edge.target for edge in found[state] if edge.has_step)
    return first, found


def _too_large() -> None:
    message = f"the automaton of the formula has {AUTOMATON_STATES.exceeded()}, or edges of one"
    raise LimitReached(message, limit=AUTOMATON_STATES.default, found={})


@dataclass(slots=True)
class _Cover:
    """One choice that satisfies obligations, partly expanded."""

    waiting: tuple[Path, ...]
    now: tuple[Path, ...] = ()
    rest: tuple[Path, ...] = ()
    is_strong: bool = False
    """Whether a step must follow."""
    promised: tuple[Path, ...] = ()
    slots: tuple[int, ...] = ()
    done: frozenset[Path] = frozenset()

    def but(self, *new: Path) -> _Cover:
        return replace(self, waiting=(*self.waiting, *new))


@dataclass(slots=True)
class _Budget:
    """What the covers of one automaton may still cost: each as much as it has parts."""

    parts: int = field(default_factory=lambda: AUTOMATON_STEPS.default)

    def spend(self, cover: _Cover) -> None:
        sets = (cover.waiting, cover.now, cover.rest, cover.promised, cover.done)
        self.parts -= EACH_COVER + sum(map(len, sets))
        if self.parts < 0:
            message = f"the automaton of the formula takes {AUTOMATON_STEPS.exceeded()} to build"
            raise LimitReached(message, limit=AUTOMATON_STEPS.default, found={})


def _edges(normaliser: Normaliser, state: Obligations, budget: _Budget) -> Iterator[Edge]:
    covers = [_Cover(tuple(sorted(state, key=str)))]
    seen = set()
    count = 0
    while covers:
        cover = covers.pop()
        budget.spend(cover)
        waiting = tuple(p for p in dict.fromkeys(cover.waiting) if p not in cover.done)
        cover = replace(cover, waiting=waiting)
        known = tuple(map(frozenset, (waiting, cover.done, cover.rest, cover.promised)))
        if known in seen:
            continue
        seen.add(known)
        if not cover.waiting:
            count += 1
            if count > AUTOMATON_STATES.default:
                _too_large()
            yield from _made(cover)
            continue
        path = waiting[-1]
        cover = replace(cover, waiting=waiting[:-1], done=cover.done | {path})
        match path:
            case ("true",):
                covers.append(cover)
            case ("false",):
                pass
            case ("and", *parts):
                covers.append(cover.but(*parts))  # type: ignore[arg-type]
            case ("or", *parts):
                covers += (cover.but(part) for part in reversed(parts))  # type: ignore[arg-type]
            case ("next" | "weak next" as kind, tuple() as inner):
                cover.rest += (inner,)
                cover.is_strong |= kind == "next"
                covers.append(cover)
            case ("until", tuple() as left, tuple() as right):
                later = cover.but(left)
                later.rest += (path,)
                later.promised += (path,)
                later.is_strong = True
                covers += (later, cover.but(right))
            case ("release", tuple() as left, tuple() as right):
                later = cover.but(right)
                later.rest += (path,)
                covers += (later, cover.but(left, right))
            case ("forall", int() as slot, tuple() as inner):
                covers.append(cover.but(*normaliser.each(slot, inner)))
            case ("exists", int() as slot, tuple() as inner):
                others = (*cover.waiting, *cover.now, *cover.rest)
                if any(slot in normaliser.free(o) for o in others):
                    raise BoundAgain(slot)
                cover.slots += (slot,)
                covers.append(cover.but(inner))
            case _:
                cover.now += (path,)
                covers.append(cover)


def _made(cover: _Cover) -> Iterator[Edge]:
    """Yield the edges for a completely expanded cover."""
    rest = dict.fromkeys(cover.rest)
    # `G f` in the next state implies f there.
    for path in list(rest):
        if path[0] == "release" and path[1] == FALSE:
            rest.pop(path[2], None)  # type: ignore[call-overload]
    target = frozenset(rest) - {("true",)}
    promised = frozenset(cover.promised)
    for moment in moments(conjunction(*cover.now)):
        may_end = moment.may_end and not cover.is_strong
        yield Edge(moment, cover.slots, target, may_end, FALSE not in target, promised)


def _useful(edges: Iterator[Edge]) -> list[Edge]:
    """Return edges without those that others make redundant."""
    every = dict.fromkeys(edges)
    # Only edges to one target are compared.
    groups: dict[tuple[Obligations, tuple[int, ...]], list[Edge]] = {}
    for edge in every:
        found = groups.setdefault((edge.target, edge.slots), [])
        if not any(_covers(other, edge) for other in found):
            found[:] = [other for other in found if not _covers(edge, other)]
            found.append(edge)
    useful = {edge for group in groups.values() for edge in group}
    return [edge for edge in every if edge in useful]


def _covers(one: Edge, other: Edge) -> bool:
    return (
        one.target == other.target
        and one.slots == other.slots
        and one.moment.states <= other.moment.states
        and one.moment.allowed in (None, other.moment.allowed)
        and one.may_end >= other.may_end
        and one.promised <= other.promised
    )
