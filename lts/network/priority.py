"""Priorities: a step is impossible in a state that has a step of higher priority."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lts.network.tree import Labels
from lts.system.lts import LTS

__all__ = ["Order", "without_lower"]


class Order:
    """The priority order of labels: the transitive closure of the rules.

    Labels in the same sets of the rules form one class.
    """

    def __init__(self, rules: Sequence[Sequence[Labels]], labels: Iterable[str]) -> None:
        sets = [labels_of_class for rule in rules for labels_of_class in rule]
        self.classes: dict[tuple[bool, ...], list[str]] = {}
        for label in labels:
            self.classes.setdefault(tuple(label in members for members in sets), []).append(label)
        lower: dict[tuple[bool, ...], set[tuple[bool, ...]]] = {
            label_class: set() for label_class in self.classes
        }
        first = 0
        for rule in rules:
            for k in range(first, first + len(rule) - 1):
                below = {label_class for label_class in self.classes if label_class[k + 1]}
                for label_class in self.classes:
                    if label_class[k]:
                        lower[label_class] |= below
            first += len(rule)
        for through in self.classes:
            for label_class in self.classes:
                if through in lower[label_class]:
                    lower[label_class] |= lower[through]
        self.lower = lower

    @property
    def circular(self) -> str | None:
        """A label that has priority over itself, or None."""
        found = (
            labels[0]
            for label_class, labels in self.classes.items()
            if label_class in self.lower[label_class]
        )
        return next(found, None)


def without_lower(system: LTS, order: Order, name: Callable[[str], str]) -> LTS:
    """Return a system without steps for which their source state has one of higher priority.

    The order applies to the `name` of each label. Unreachable states are removed.
    """
    import numpy as np

    numbers = {label: n for n, members in enumerate(order.classes.values()) for label in members}
    numbers_of_classes = {label_class: n for n, label_class in enumerate(order.classes)}
    of_label = np.array([numbers.get(name(label), -1) for label in system.labels] or [0])
    source, label, target = (np.asarray(c) for c in (system.source, system.label, system.target))
    classes = of_label[label]
    gone = np.zeros(len(label), dtype=bool)
    for label_class, lower in order.lower.items():
        if lower:
            able = np.zeros(system.state_count, dtype=bool)
            able[source[classes == numbers_of_classes[label_class]]] = True
            below = np.isin(classes, [numbers_of_classes[other] for other in lower])
            gone |= below & able[source]
    remaining = ~gone
    a, b, c = (memoryview(column[remaining].data) for column in (source, label, target))
    found = LTS.from_columns(a, b, c, system.labels, system.initial, system.state_count)
    return found.with_internal(system.internal).reachable()
