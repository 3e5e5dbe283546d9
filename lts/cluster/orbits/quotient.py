"""The annotated quotient, put together from what partitions have: it is what one machine makes.

An orbit has the number that it has there, and the same state stands for it, so that shifts are the
same elements. Elements and labels are numbered in the order in which rows have them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

from lts import _engine
from lts.cluster.levels import Levels
from lts.cluster.orbits.worker import OwnOrbits
from lts.cluster.transport import Transport
from lts.errors import Unsupported
from lts.formats.rows import STATES

__all__ = ["Exploring", "quotient"]


class Exploring(Protocol):
    """What is explored, as far as labels have to do with it."""

    @property
    def generators(self) -> int:
        """How many generators the group has."""

    def not_proven(self, which: int, witness: _engine.Witness) -> Exception:
        """Return that a generator was not proven to be a symmetry, as the engine has found."""


def quotient(workers: Transport, acting: Exploring, levels: Levels) -> _engine.Quotient:
    """Return the quotient of which workers have the orbits and the transitions; they are let go.

    Raises `NotProven` where a label has several images; `Unsupported` for what is too large.
    """
    if levels.states >= STATES:
        message = f"{levels.states} orbits are more states than one machine takes here"
        raise Unsupported(message)
    labels, images = _labels(workers, acting, levels)
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
        for piece in workers.call(index, "rows"):
            for column, numbers in zip(columns, _row(piece, element), strict=True):
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
    """Return rows by their sources; pieces are given up on the way."""
    rows = []
    # All rows of an orbit are those of one partition, which has them in order.
    sources = np.concatenate([np.zeros(0, np.uint32), *columns[0]])
    order = np.argsort(sources, kind="stable").astype(np.uint32)
    del sources
    for pieces in columns:
        column = np.concatenate([np.zeros(0, np.uint32), *pieces])
        pieces.clear()
        rows.append(column[order].tobytes())
    return tuple(rows)


def _row(piece: bytes, element: Any) -> tuple[Any, Any, Any, Any]:
    """Return the columns of a piece of rows, of 64, 64, 32 and 32 bits: source, label, shift and
    target."""
    count = len(piece) // 24
    source = np.frombuffer(piece, "<u8", count).astype(np.uint32)
    target = np.frombuffer(piece, "<u8", count, 8 * count).astype(np.uint32)
    label = np.frombuffer(piece, "<u4", count, 16 * count)
    shift = np.frombuffer(piece, "<u4", count, 20 * count)
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
    """Things under numbers, each once."""

    def __init__(self, members: list[Any]) -> None:
        self.members = members
        self._numbers = {self._key(member): number for number, member in enumerate(members)}

    def of(self, others: Iterable[Any]) -> Any:
        """Return the numbers of things."""
        numbers = []
        for member in others:
            number = self._numbers.setdefault(self._key(member), len(self.members))
            if number == len(self.members):
                self.members.append(member)
            numbers.append(number)
        return np.array(numbers, np.uint32)

    def column(self) -> bytes:
        """Return all, one behind the other."""
        return np.array(self.members, "<u4").tobytes()

    @staticmethod
    def _key(member: list[Any]) -> bytes:
        return repr(member).encode()


def _labels(
    workers: Transport, acting: Exploring, levels: Levels
) -> tuple[list[bytes], list[list[int]]]:
    """Return the labels, those of the transitions first, as they are numbered; and what each
    generator does to them."""
    moved: dict[bytes, list[bytes]] = {}
    for texts, images, witness in workers.call_all("labels"):
        if witness is not None:
            raise acting.not_proven(*witness)
        for number, text in enumerate(texts):
            own = [texts[image[number]] for image in images]
            known = moved.setdefault(text, own)
            for which, (one, other) in enumerate(zip(known, own, strict=True)):
                if one != other:
                    raise acting.not_proven(which, _of_label(text))
    labels = list(levels.labels)
    labels += sorted(moved.keys() - levels.labels.keys())
    numbers = {text: number for number, text in enumerate(labels)}
    count = acting.generators
    return labels, [[numbers[moved[text][which]] for text in labels] for which in range(count)]
