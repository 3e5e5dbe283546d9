"""Labels parsed as actions with arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lts.base.label_names import read_actions
from lts.linear.parallel.multi_actions import joined, split
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Specification

__all__ = ["Action", "Actions", "JointStep", "Occurrence", "label_of"]

Occurrence = tuple[int, int, int]
"""An action in a label of a component: the numbers of component, label, and action."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action with its arguments, as texts, and their sorts."""

    name: str
    sorts: tuple[str, ...]
    arguments: tuple[str, ...]
    origin: tuple[Occurrence, ...] = field(default=(), compare=False)
    """The component actions that it results from, all with the same arguments."""


@dataclass(frozen=True, slots=True)
class JointStep:
    """A joint step of components.

    `moves` are the components, in increasing order, with the numbers of their labels; `actions`
    form the result, the internal action if there are none. `groups` are the component actions that
    communicated, if their origins are known.
    """

    moves: tuple[tuple[int, int], ...]
    actions: tuple[Action, ...]
    groups: tuple[tuple[Occurrence, ...], ...] = field(default=(), compare=False)


class Actions:
    """The actions of a specification, by their names in labels of components.

    If several actions have the same name and number of arguments, they differ in their sorts, which
    labels do not show; then a number is appended to the name.
    """

    def __init__(self, specification: Specification) -> None:
        self.several = specification.communications is None
        declared = sorted(specification.actions, key=lambda action: (action.name, action.sorts))
        counts = Counter((action.name, len(action.sorts)) for action in declared)
        numbered = Counter[tuple[str, int]]()
        names = {action.name for action in declared}
        self._names: dict[tuple[str, tuple[str, ...]], str] = {}
        self._sorts: dict[tuple[str, int], tuple[str, tuple[str, ...]]] = {}
        for action in declared:
            key = (action.name, len(action.sorts))
            numbered[key] += 1
            name = action.name
            if counts[key] > 1:
                name += f"'{numbered[key]}"
                while name in names:
                    name += "'"
            self._names[action.name, action.sorts] = name
            self._sorts[name, len(action.sorts)] = (action.name, action.sorts)

    def named(self, process: LinearProcess) -> LinearProcess:
        """Return a process whose labels use these names."""
        return replace(process, summands=tuple(map(self._named, process.summands)))

    def _named(self, summand: Summand) -> Summand:
        own = split(summand.action, summand.arguments)
        names = ((self._names[n, tuple(a.sort for a in args)], args) for n, args in own)
        action, arguments = joined(names)
        return replace(summand, action=action, arguments=arguments)

    def of_summand(self, summand: Summand) -> tuple[Action, ...]:
        """Return the actions of a summand of a `named` process, with placeholders for arguments."""
        own = split(summand.action, summand.arguments)
        found = (self._sorts[name, len(arguments)] for name, arguments in own)
        return tuple(Action(name, sorts, ("?",) * len(sorts)) for name, sorts in found)

    def of_label(self, label: str) -> tuple[Action, ...]:
        """Return the actions of a visible label."""
        return tuple(
            Action(*self._sorts[name, len(arguments)], arguments)
            for name, arguments in read_actions(label)
        )


def label_of(actions: Iterable[Action]) -> str:
    """Return the label of actions, in the order that the explorer of specifications uses."""
    parts = sorted(
        (f"{action.name}#{len(action.arguments)}".encode(), shown(action)) for action in actions
    )
    return "|".join(text for _, text in parts)


def shown(action: Action) -> str:
    """Return the text of an action."""
    values = ",".join(action.arguments)
    return f"{action.name}({values})" if values else action.name
