"""A normal form of LTSs that is the same for equal systems, whatever the order of transitions in
their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.system.lts import LTS

__all__ = ["content"]


def content(system: LTS) -> tuple[tuple[Any, ...], Any]:
    """Return the normal form of an LTS: facts, and an array of its transitions, sorted, without
    duplicates.

    Unused labels, the order of transitions and duplicates do not affect it.
    """
    import numpy as np

    label = system.label
    used = np.unique(label).tolist()
    # Labels in the order of their bytes, independently of their numbers.
    order = sorted(used, key=system.labels.__getitem__)
    rank = np.zeros(len(system.labels), dtype=np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    transitions = np.stack([system.source, rank[label], system.target], axis=1)
    transitions = transitions[np.lexsort((transitions[:, 2], transitions[:, 1], transitions[:, 0]))]
    if len(transitions):
        new = np.append(True, (transitions[1:] != transitions[:-1]).any(axis=1))
        transitions = np.ascontiguousarray(transitions[new])
    names = tuple(system.labels[number] for number in order)
    internal = tuple(name for name in names if name in system.internal)
    return (system.state_count, system.initial, names, internal), transitions
