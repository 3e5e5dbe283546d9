"""Synchronisation of components' labels by the operators of a specification.

This mirrors `lts.linear.parallel`, which composes summands, for actions whose arguments are values:
two actions communicate if their arguments have equal texts. Different values of one sort have
different texts, and only actions with the same sorts communicate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lts.base.bounds import VECTORS
from lts.errors import LimitReached
from lts.linear.parallel.multi_actions import Bag, Filter
from lts.linear.parallel.relabelling import Relabelling
from lts.linear.parallel.synchronisation import Communications, Kinds, ways_of
from lts.network.specification.actions import Action, Way
from lts.specification.specification import Allow, Comm, Encap, Hide, Rename

__all__ = ["at_once", "merged", "relabelled", "under"]


def relabelled(ways: Iterable[Way], operator: Encap | Hide | Rename) -> list[Way]:
    """Apply `encap`, `hide` or `rename` to steps."""
    relabelling = Relabelling.of(operator)
    found = []
    for way in ways:
        if any(relabelling.forbids(action.name) for action in way.actions):
            continue
        images = [(relabelling(action.name), action) for action in way.actions]
        actions = tuple(replace(action, name=name) for name, action in images if name is not None)
        found.append(replace(way, actions=actions))
    return found


def merged(
    left: list[Way], right: list[Way], communications: Mapping[frozenset[str], str]
) -> list[Way]:
    """Return the steps of both sides, and their communications in pairs, as in muCRL."""
    partners: dict[Action, list[Way]] = defaultdict(list)
    for way in right:
        for action in way.actions:
            partners[action].append(way)
    results: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair, result in sorted((sorted(pair), result) for pair, result in communications.items()):
        first, second = pair[0], pair[-1]
        results[first].append((second, result))
        if first != second:
            results[second].append((first, result))
    found = [*left, *right]
    for one in left:
        for action in one.actions:
            for name, result in results.get(action.name, ()):
                for way in partners.get(replace(action, name=name), ()):
                    made = _together(result, [action, way.actions[0]])
                    groups = (*one.groups, *way.groups, made.origin)
                    found.append(Way(_joined(one, way), (made,), groups))
                _refuse_many(found)
    return found


def at_once(
    left: Sequence[Way], right: Sequence[Way], inside: Filter, comm: Communications | None
) -> list[Way]:
    """Return the simultaneous steps of both sides that may survive, as in mCRL2."""
    found: list[Way] = []
    sides: list[dict[Kinds, list[Way]]] = []
    for ways in (left, right):
        grouped: dict[Kinds, list[Way]] = defaultdict(list)
        for way in ways:
            grouped[tuple((action.name, action.sorts) for action in way.actions)].append(way)
        sides.append(grouped)
    for one, these in sides[0].items():
        for other, those in sides[1].items():
            if not inside.passes(tuple(sorted(name for name, _ in one + other))):
                continue
            link = None if comm is None else comm.link(one, other, inside)
            partners: dict[tuple[str, ...], list[Way]] = defaultdict(list)
            for way in those:
                partners[() if link is None else way.actions[link[1]].arguments].append(way)
            for first in these:
                values = () if link is None else first.actions[link[0]].arguments
                found += [
                    Way(
                        _joined(first, second),
                        first.actions + second.actions,
                        first.groups + second.groups,
                    )
                    for second in partners.get(values, ())
                ]
                _refuse_many(found)
    return found


def under(
    ways: Iterable[Way], operator: Allow | Comm | Encap | Hide | Rename, around: Filter
) -> list[Way]:
    """Apply an operator to steps; only those that may survive the operators around it remain."""
    found: list[Way] = []
    match operator:
        case Allow(names):
            found = [way for way in ways if not way.actions or bag_of(way) in names]
        case Comm(pairs):
            for way in ways:
                found += _communicating(way, pairs, around)
        case _:
            found = relabelled(ways, operator)
    return [way for way in found if around.passes(bag_of(way))]


def _communicating(way: Way, pairs: Sequence[tuple[Bag, str]], around: Filter) -> list[Way]:
    """Return the results of a step under `comm`."""
    # Actions can communicate if their sorts are equal; they do, and must, if their values are.
    kinds = tuple((a.name, (*a.sorts, *a.arguments)) for a in way.actions)
    values_known = not any(action.origin for action in way.actions)
    found = []
    for one in ways_of(kinds, pairs, around):
        if not (one.left and values_known):
            made = [
                _together(name, [way.actions[place] for place in places])
                for places, name in one.groups
            ]
            groups = tuple(action.origin for action in made)
            made += [way.actions[place] for place in one.rest]
            found.append(Way(way.moves, tuple(made), (*way.groups, *groups)))
    return [*dict.fromkeys(found)] if values_known else found


def _together(name: str, actions: Sequence[Action]) -> Action:
    """Return the result of communicating actions."""
    origin = tuple(one for action in actions for one in action.origin)
    return replace(actions[0], name=name, origin=origin)


def bag_of(way: Way) -> Bag:
    """Return the sorted action names of a step."""
    return tuple(sorted(action.name for action in way.actions))


def _joined(one: Way, other: Way) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(one.moves + other.moves))


def _refuse_many(found: Sequence[Way]) -> None:
    if len(found) > VECTORS.default:
        limit = VECTORS.default
        raise LimitReached(VECTORS.exceeded(), limit=limit, found={"vectors": len(found)})
