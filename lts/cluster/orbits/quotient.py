"""The annotated quotient, combined from the partitions: the same as on one machine.

Each orbit has the same number and the same representative, so that shifts are the same group
elements. Elements and labels are numbered in the order of their first transitions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

import lts._engine as _engine
from lts.base.bounds import FILE_STATES
from lts.cluster.levels import Levels
from lts.cluster.orbits.worker import OwnOrbits
from lts.cluster.transport import Transport
from lts.errors import Unsupported

__all__ = ["Exploring", "quotient"]


class Exploring(Protocol):
    """The part of an exploration that the labels of the quotient depend on."""

    @property
    def generators(self) -> int:
        """Number of generators of the group."""

    def not_proven(self, which: int, witness: _engine.Witness) -> Exception:
        """Return the error for a generator that the engine could not prove to be a symmetry."""


def quotient(workers: Transport, exploring: Exploring, levels: Levels) -> _engine.Quotient:
    """Return the quotient from the orbits and transitions of the workers, which are then stopped.

    Raises `NotProven` if a label has several images; `Unsupported` if the quotient is too large.
    """
    if levels.states >= FILE_STATES.default:
        message = f"{levels.states} orbits are too many states for one machine"
        raise Unsupported(message)
    labels, images = _labels(workers, exploring, levels)
    names, generators = workers.call(0, "points")
    elements = _Numbers([list(range(len(names)))])
    groups: _Numbers = _Numbers([[]])
    stabiliser = np.zeros(levels.states, np.uint32)
    columns: list[list[Any]] = [[], [], [], []]
    for index in range(levels.partitions):
        own: OwnOrbits = workers.call(index, "orbits")
        orbits = np.frombuffer(own.numbers, "<u8")
        group = groups.of(own.groups)
        stabiliser[orbits] = group[np.frombuffer(own.stabilisers, "<u4")]
        element = elements.of(own.elements)
        for chunk in workers.call(index, "stored_transitions"):
            for column, numbers in zip(columns, _row(chunk, element), strict=True):
                column.append(numbers)
    workers.stop()
    internal = [labels.index(b"tau")] if b"tau" in labels else []
    return _engine.remade_quotient(
        (names, labels, list(zip(generators, images, strict=True))),
        (elements.column(), groups.members, stabiliser.tobytes(), _in_order(columns)),
        0,
        internal,
        canonical=True,
    )


def _in_order(columns: list[list[Any]]) -> tuple[bytes, ...]:
    """Return the columns ordered by source; the input chunks are freed on the way."""
    ordered = []
    # All transitions of an orbit come from one partition, in order.
    sources = np.concatenate([np.zeros(0, np.uint32), *columns[0]])
    order = np.argsort(sources, kind="stable").astype(np.uint32)
    del sources
    for chunks in columns:
        column = np.concatenate([np.zeros(0, np.uint32), *chunks])
        chunks.clear()
        ordered.append(column[order].tobytes())
    return tuple(ordered)


def _row(chunk: bytes, element: Any) -> tuple[Any, Any, Any, Any]:
    """Return the columns source, label, shift and target (64, 64, 32 and 32 bits) of a chunk of
    transitions."""
    count = len(chunk) // 24
    source = np.frombuffer(chunk, "<u8", count).astype(np.uint32)
    target = np.frombuffer(chunk, "<u8", count, 8 * count).astype(np.uint32)
    label = np.frombuffer(chunk, "<u4", count, 16 * count)
    shift = np.frombuffer(chunk, "<u4", count, 20 * count)
    return source, label, element[shift], target


def _of_label(text: bytes) -> _engine.Witness:
    return {
        "kind": "label",
        "number": 0,
        "situation": [],
        "image": [],
        "expected": [],
        "found": [text],
    }


class _Numbers:
    """A table of distinct objects and their numbers."""

    def __init__(self, members: list[Any]) -> None:
        self.members = members
        self._numbers = {self._key(member): number for number, member in enumerate(members)}

    def of(self, others: Iterable[Any]) -> Any:
        """Return the numbers of objects, adding new ones."""
        numbers = []
        for member in others:
            number = self._numbers.setdefault(self._key(member), len(self.members))
            if number == len(self.members):
                self.members.append(member)
            numbers.append(number)
        return np.array(numbers, np.uint32)

    def column(self) -> bytes:
        """Return all objects, concatenated."""
        return np.array(self.members, "<u4").tobytes()

    @staticmethod
    def _key(member: list[Any]) -> bytes:
        return repr(member).encode()


def _labels(
    workers: Transport, exploring: Exploring, levels: Levels
) -> tuple[list[bytes], list[list[int]]]:
    """Return the labels by number, those of transitions first, and their images under each
    generator."""
    moved: dict[bytes, list[bytes]] = {}
    for texts, images, witness in workers.call_all("labels"):
        if witness is not None:
            raise exploring.not_proven(*witness)
        for number, text in enumerate(texts):
            own = [texts[image[number]] for image in images]
            known = moved.setdefault(text, own)
            for which, (one, other) in enumerate(zip(known, own, strict=True)):
                if one != other:
                    raise exploring.not_proven(which, _of_label(text))
    labels = list(levels.labels)
    labels += sorted(moved.keys() - levels.labels.keys())
    numbers = {text: number for number, text in enumerate(labels)}
    count = exploring.generators
    return labels, [[numbers[moved[text][which]] for text in labels] for which in range(count)]
