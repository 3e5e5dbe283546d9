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
from lts.linear.parallel.synchronisation import Communications, Kinds, divisions
from lts.network.specification.actions import Action, JointStep
from lts.specification.specification import Allow, Comm, Encap, Hide, Rename

__all__ = ["at_once", "merge", "relabelled", "under"]


def relabelled(steps: Iterable[JointStep], operator: Encap | Hide | Rename) -> list[JointStep]:
    """Apply `encap`, `hide` or `rename` to steps."""
    relabelling = Relabelling.of(operator)
    found = []
    for step in steps:
        if any(relabelling.forbids(action.name) for action in step.actions):
            continue
        images = [(relabelling(action.name), action) for action in step.actions]
        actions = tuple(replace(action, name=name) for name, action in images if name is not None)
        found.append(replace(step, actions=actions))
    return found


def merge(
    left: list[JointStep], right: list[JointStep], communications: Mapping[frozenset[str], str]
) -> list[JointStep]:
    """Return the steps of both sides, and their communications in pairs, as in muCRL."""
    partners: dict[Action, list[JointStep]] = defaultdict(list)
    for step in right:
        for action in step.actions:
            partners[action].append(step)
    results: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair, result in sorted((sorted(pair), result) for pair, result in communications.items()):
        first, second = pair[0], pair[-1]
        results[first].append((second, result))
        if first != second:
            results[second].append((first, result))
    found = [*left, *right]
    for offer in left:
        for action in offer.actions:
            for name, result in results.get(action.name, ()):
                for step in partners.get(replace(action, name=name), ()):
                    made = _together(result, [action, step.actions[0]])
                    groups = (*offer.groups, *step.groups, made.origin)
                    found.append(JointStep(_joined(offer, step), (made,), groups))
                _refuse_many(found)
    return found


def at_once(
    left: Sequence[JointStep],
    right: Sequence[JointStep],
    inside: Filter,
    comm: Communications | None,
) -> list[JointStep]:
    """Return the simultaneous steps of both sides that may survive, as in mCRL2."""
    found: list[JointStep] = []
    sides: list[dict[Kinds, list[JointStep]]] = []
    for steps in (left, right):
        grouped: dict[Kinds, list[JointStep]] = defaultdict(list)
        for step in steps:
            grouped[tuple((action.name, action.sorts) for action in step.actions)].append(step)
        sides.append(grouped)
    for one, these in sides[0].items():
        for other, those in sides[1].items():
            if not inside.admits(tuple(sorted(name for name, _ in one + other))):
                continue
            link = None if comm is None else comm.link(one, other, inside)
            partners: dict[tuple[str, ...], list[JointStep]] = defaultdict(list)
            for step in those:
                partners[() if link is None else step.actions[link[1]].arguments].append(step)
            for first in these:
                values = () if link is None else first.actions[link[0]].arguments
                found += [
                    JointStep(
                        _joined(first, second),
                        first.actions + second.actions,
                        first.groups + second.groups,
                    )
                    for second in partners.get(values, ())
                ]
                _refuse_many(found)
    return found


def under(
    steps: Iterable[JointStep], operator: Allow | Comm | Encap | Hide | Rename, around: Filter
) -> list[JointStep]:
    """Apply an operator to steps; only those that may survive the operators around it remain."""
    found: list[JointStep] = []
    match operator:
        case Allow(names):
            found = [step for step in steps if not step.actions or bag_of(step) in names]
        case Comm(pairs):
            for step in steps:
                found += _communicating(step, pairs, around)
        case _:
            found = relabelled(steps, operator)
    return [step for step in found if around.admits(bag_of(step))]


def _communicating(
    step: JointStep, pairs: Sequence[tuple[Bag, str]], around: Filter
) -> list[JointStep]:
    """Return the results of a step under `comm`."""
    # Actions can communicate if their sorts are equal; they do, and must, if their values are.
    kinds = tuple((a.name, (*a.sorts, *a.arguments)) for a in step.actions)
    values_known = not any(action.origin for action in step.actions)
    found = []
    for division in divisions(kinds, pairs, around):
        if not (division.left and values_known):
            made = [
                _together(name, [step.actions[position] for position in positions])
                for positions, name in division.groups
            ]
            groups = tuple(action.origin for action in made)
            made += [step.actions[position] for position in division.rest]
            found.append(JointStep(step.moves, tuple(made), (*step.groups, *groups)))
    return [*dict.fromkeys(found)] if values_known else found


def _together(name: str, actions: Sequence[Action]) -> Action:
    """Return the result of communicating actions."""
    origin = tuple(number for action in actions for number in action.origin)
    return replace(actions[0], name=name, origin=origin)


def bag_of(step: JointStep) -> Bag:
    """Return the sorted action names of a step."""
    return tuple(sorted(action.name for action in step.actions))


def _joined(one: JointStep, other: JointStep) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(one.moves + other.moves))


def _refuse_many(found: Sequence[JointStep]) -> None:
    if len(found) > VECTORS.default:
        limit = VECTORS.default
        raise LimitReached(VECTORS.exceeded(), limit=limit, found={"vectors": len(found)})
