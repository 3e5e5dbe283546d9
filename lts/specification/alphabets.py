"""The actions that processes can do, from the operators alone: conditions are ignored, so this is a
superset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lts.specification import processes as typed
from lts.specification.processes import ActionName, Process, ProcessName
from lts.specification.terms import Variable
from lts.specification.traversal import parts_of, processes_in
from lts.text.source import Place

__all__ = ["Alphabet", "Alphabets", "Definitions", "without_effect"]

Alphabet = frozenset[ActionName]
Definitions = Mapping[ProcessName, tuple[tuple[Variable, ...], Process]]


def without_effect(
    definitions: Definitions,
    initial: Process,
    encap: str,
    communications: Mapping[frozenset[str], str] | None = None,
) -> Iterator[tuple[str, Place]]:
    """Yield a remark for each operator that names actions which its process never does, with its
    place. Most often such an action is misspelt, or should have been the result of a communication
    that is missing. `encap` is the language's word for encapsulation.
    """
    alphabets = Alphabets(definitions, communications)
    remarks: dict[tuple[str, Place], None] = {}
    for body in (initial, *(body for _, body in definitions.values())):
        for part in processes_in(body):
            if (found := _named(part, encap)) is not None:
                operator, inner, bags, place = found
                names = {action.name for action in alphabets.of(inner)}
                absent = [_in_words(bag, names) for bag in bags if not names.issuperset(bag)]
                if absent:
                    remark = f"`{operator}` names what its process never does: {', '.join(absent)}"
                    remarks[remark, place] = None
    yield from remarks


def _named(
    part: Process, encap: str
) -> tuple[str, Process, Sequence[tuple[str, ...]], Place] | None:
    """Return the word for an operator, its process, the multi-actions that it names, and its place;
    None for others."""
    match part:
        case typed.Allow(bags, body, place):
            return "allow", body, sorted(bags), place
        case typed.Encap(names, body, place):
            return encap, body, [(name,) for name in sorted(names)], place
        case typed.Hide(names, body, place):
            return "hide", body, [(name,) for name in sorted(names)], place
        case typed.Rename(pairs, body, place):
            return "rename", body, [(old,) for old, _ in pairs], place
        case typed.Comm(pairs, body, place):
            return "comm", body, [names for names, _ in pairs], place
    return None


def _in_words(bag: tuple[str, ...], names: set[str]) -> str:
    """Return a multi-action of which some actions are not among `names`."""
    if len(bag) == 1:
        return f"`{bag[0]}`"
    absent = " or ".join(f"`{name}`" for name in dict.fromkeys(bag) if name not in names)
    return f"`{'|'.join(bag)}` (no {absent})"


class Alphabets:
    """The alphabets of processes: a set that contains every action that a process can do."""

    def __init__(
        self, definitions: Definitions, communications: Mapping[frozenset[str], str] | None = None
    ) -> None:
        self.communications = communications or {}
        self.is_complete = False
        self.of_part: dict[int, Alphabet] = {}  # by identity, once those of processes are complete
        self.of_process: dict[ProcessName, Alphabet] = dict.fromkeys(definitions, frozenset())
        callers: dict[ProcessName, list[ProcessName]] = defaultdict(list)
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
        self.is_complete = True

    def of(self, process: Process) -> Alphabet:
        """Return the alphabet of a process, by its parts from the innermost on."""
        known = self.of_part if self.is_complete else {}
        if id(process) in known:
            return known[id(process)]
        for part in reversed([*processes_in(process)]):
            inside = frozenset[ActionName]().union(*(known[id(inner)] for inner in parts_of(part)))
            known[id(part)] = self._outside(part, inside)
        return known[id(process)]

    def _outside(self, process: Process, inside: Alphabet) -> Alphabet:
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
                    ActionName(images.get(one.name, one.name), one.sorts) for one in inside
                )
            case typed.Comm(pairs):
                return inside | _communications(pairs, inside)
            case typed.Parallel() | typed.LeftMerge() | typed.Communication():
                pairs = tuple((tuple(names), made) for names, made in self.communications.items())
                # What is made may communicate with further components.
                while not (made := _communications(pairs, inside)) <= inside:
                    inside |= made
                return inside
        return inside


def _communications(
    pairs: Iterable[tuple[tuple[str, ...], str]], inside: Alphabet
) -> frozenset[ActionName]:
    """Return the results of communications between some actions."""
    return frozenset(
        ActionName(result, action.sorts)
        for names, result in pairs
        for action in inside
        if action.name in names and all(ActionName(name, action.sorts) in inside for name in names)
    )
