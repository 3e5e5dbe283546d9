"""Renaming of overloaded actions: what a process may do, with the sorts of its actions.

An action that is renamed keeps its arguments, so the new name must be declared with their sorts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from lts.mcrl2.identities.inside import parts_of, processes_in
from lts.mcrl2.static.declarations import Declarations, declared_as
from lts.specification import specification as typed

__all__ = ["check_renamings"]

_Alphabet = frozenset[typed.ActionName]
_Definitions = Mapping[typed.ProcessName, tuple[tuple[typed.Variable, ...], typed.Process]]


def check_renamings(
    declared: Declarations, definitions: _Definitions, initial: typed.Process
) -> None:
    """Report each `rename` whose body may do an action that the new name is not declared for."""
    bodies = [initial, *(body for _, body in definitions.values())]
    renamings = [
        part
        for body in bodies
        for part in processes_in(body)
        if isinstance(part, typed.Rename)
        and any(_partial(declared.sorts_of(old), declared.sorts_of(new)) for old, new in part.pairs)
    ]
    if not renamings:
        return
    alphabets = _Alphabets(definitions)
    for part in renamings:
        images = dict(part.pairs)
        for action in sorted(alphabets.of(part.body), key=declared_as):
            image = images.get(action.name)
            if image is None:
                continue
            of_image = declared.sorts_of(image)
            if action.sorts not in of_image and _partial(declared.sorts_of(action.name), of_image):
                shown = declared_as(action)
                message = f"`{shown}` is renamed to `{image}`, which is not declared with its sorts"
                declared.error(message, part.place)


def _partial(old: set[tuple[str, ...]], new: set[tuple[str, ...]]) -> bool:
    """Whether an action has some sorts in common with its new name, but not all of them."""
    return not old <= new and not old.isdisjoint(new)


class _Alphabets:
    """The alphabets of processes: a set that contains every action that a process can do."""

    def __init__(self, definitions: _Definitions) -> None:
        self.of_process: dict[typed.ProcessName, _Alphabet] = dict.fromkeys(
            definitions, frozenset()
        )
        callers: dict[typed.ProcessName, list[typed.ProcessName]] = defaultdict(list)
        for name, (_, body) in definitions.items():
            for part in processes_in(body):
                if isinstance(part, typed.Call):
                    callers[part.process].append(name)
        # The least fixed point: alphabets only grow, and there are finitely many actions.
        waiting = dict.fromkeys(definitions)
        while waiting:
            name, _ = waiting.popitem()
            found = self.of(definitions[name][1])
            if found != self.of_process[name]:
                self.of_process[name] = found
                waiting |= dict.fromkeys(callers[name])

    def of(self, process: typed.Process) -> _Alphabet:
        """Return the alphabet of a process, by its parts from the innermost on."""
        order = [*processes_in(process)]
        known: dict[int, _Alphabet] = {}
        for part in reversed(order):
            inside = frozenset[typed.ActionName]().union(
                *(known[id(inner)] for inner in parts_of(part))
            )
            known[id(part)] = self._outside(part, inside)
        return known[id(process)]

    def _outside(self, process: typed.Process, inside: _Alphabet) -> _Alphabet:
        """Return the alphabet of a process of which `inside` are the actions of its parts."""
        match process:
            case typed.Action(action):
                return frozenset((action,))
            case typed.Call(name):
                return self.of_process[name]
            case typed.Encap(actions) | typed.Hide(actions):
                return frozenset(one for one in inside if one.name not in actions)
            case typed.Allow(allowed):
                names = {name for bag in allowed for name in bag}
                return frozenset(one for one in inside if one.name in names)
            case typed.Rename(pairs):
                images = dict(pairs)
                return frozenset(
                    typed.ActionName(images.get(one.name, one.name), one.sorts) for one in inside
                )
            case typed.Comm(pairs):
                made = {
                    typed.ActionName(result, one.sorts)
                    for names, result in pairs
                    for one in inside
                    if all(typed.ActionName(name, one.sorts) in inside for name in names)
                    and one.name in names
                }
                return inside | made
        return inside
