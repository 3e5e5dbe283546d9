"""Parts of a network that is minimised during composition, and how they are merged.

A part is an LTS whose labels are *slots*, numbered from 0, and internal steps. Only the *contexts*
of a slot matter: the rests of the vectors that it occurs in. So slots with the same contexts are
identified, slots without a vector are removed, and slots that only lead to internal steps are
hidden before composition.

Merged parts are cached by their LTSs and slots, whichever components they consist of; only new ones
are composed and minimised. So of sub-networks that are images of each other only one is built, and
the others are copies of it under other labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from lts.equivalence.minimisation import minimise
from lts.network.network import TAU, Network, Vector
from lts.system.lts import LTS

if TYPE_CHECKING:
    from lts.network.exploration import Explored

__all__ = ["Contexts", "Part", "Parts", "Shape", "Table"]

Slots = tuple[tuple[int, int], ...]
"""Parts with their slots, as pairs of numbers."""
Contexts = frozenset[tuple[Slots, str]]
"""The contexts of a slot: the other slots of each of its vectors, and the result."""
Table = tuple[tuple[tuple[int | None, ...], tuple[int | None, ...]], ...]
"""For each combination of the parts' slots (None: not involved), the slots of the merged part that
it becomes (None: an internal step)."""


@dataclass(frozen=True)
class Shape:
    """An LTS whose labels are slots `0`, `1` and so on, and `tau`, with statistics."""

    number: int
    system: LTS
    counts: tuple[int, ...]
    """The number of transitions of each slot."""
    product: tuple[int, int]
    """States and transitions before minimisation."""


@dataclass(frozen=True)
class Part:
    """One or more components, merged: the shape of the result, and how it was built.

    `children` are the numbers of the merged parts, and `table` is their synchronisation. A part
    without children is a component, and `labels` are the numbers of its labels by slot.
    """

    shape: Shape
    members: tuple[int, ...]
    children: tuple[int, ...] = ()
    table: Table = ()
    labels: tuple[int, ...] = ()


class Parts:
    """The parts of a network, and the vectors between them."""

    def __init__(
        self, network: Network, equivalence: str, explore: Explored, strong: frozenset[str]
    ) -> None:
        self.equivalence = equivalence
        self.strong = strong
        """Labels of the network whose steps must be matched strongly, see sharp bisimulation."""
        self.explore = explore
        self.names = network.names
        self.parts: dict[int, Part] = {}
        """The current parts, by number."""
        self.history: list[Part] = []
        """All parts so far, including those merged since."""
        self.vectors_of: dict[int, set[int]] = {}
        self.vectors: dict[int, tuple[dict[int, int], str]] = {}
        self.minimising = 0.0
        """Seconds spent on minimisation."""
        self._next_vector = 0
        self._raw: dict[object, Shape] = {}
        self._made: dict[object, Shape] = {}
        self._systems: dict[int, tuple[Shape, tuple[int, ...]]] = {}
        tables = []
        for component, system in enumerate(network.components):
            shape, slots = self._of_component(system)
            known = [(slot, label) for label, slot in enumerate(slots) if slot >= 0]
            labels = tuple(label for _, label in sorted(known))
            self._add(Part(shape, (component,), labels=labels))
            tables.append(slots)
        for moves, result in network.vectors:
            taken = {component: tables[component][label] for component, label in moves}
            # A label without transitions makes no step.
            if all(slot >= 0 for slot in taken.values()):
                self._connect(taken, result)

    def _add(self, part: Part) -> int:
        number = len(self.history)
        self.history.append(part)
        self.parts[number] = part
        self.vectors_of[number] = set()
        return number

    def _connect(self, slots: dict[int, int], result: str) -> None:
        for part in slots:
            self.vectors_of[part].add(self._next_vector)
        self.vectors[self._next_vector] = slots, result
        self._next_vector += 1

    def _of_component(self, system: LTS) -> tuple[Shape, tuple[int, ...]]:
        """Return the shape of a component, and the slot of each label (-1 without transitions).

        Slots are numbered in the order of the transitions. Internal labels have slots, too.
        """
        known = self._systems.get(id(system))
        if known is not None:
            return known
        from hashlib import sha256

        import numpy as np

        used, first = np.unique(system.label, return_index=True)
        ordered = used[np.argsort(first)]
        slots = np.full(len(system.labels), -1, dtype=np.int64)
        slots[ordered] = np.arange(len(ordered))
        column = slots[system.label].astype(np.uint32)
        columns = [memoryview(c.data) for c in (system.source, column, system.target)]
        key = (system.initial, system.state_count, *(sha256(c).digest() for c in columns))
        shape = self._raw.get(key)
        if shape is None:
            names = [str(slot) for slot in range(len(ordered))]
            source, label, target = columns
            plain = LTS.from_columns(
                source, label, target, names, system.initial, system.state_count
            )
            counts = np.bincount(column, minlength=len(ordered)).tolist() if len(column) else []
            sizes = (system.state_count, system.transition_count)
            shape = self._raw[key] = Shape(self._number(), plain, tuple(counts), sizes)
        known = self._systems[id(system)] = shape, tuple(slots.tolist())
        return known

    def _number(self) -> int:
        return len(self._raw) + len(self._made)

    def merge(self, chosen: Iterable[int], *, minimising: bool = True) -> tuple[int, bool]:
        """Merge parts, or take a single part, and minimise the result if `minimising`.

        Returns the number of the new part, and whether its LTS was known already.
        """
        order = self._ordered(sorted(chosen))
        contexts = self._contexts(order)
        table, slots = _numbered(contexts)
        if len(order) == 2 and len({self.parts[part].shape.number for part in order}) == 1:
            # Two equal parts may be in either order: take the one with the smaller table.
            turned = self._contexts(order[::-1])
            other, other_slots = _numbered(turned)
            if _sortable(other) < _sortable(table):
                order, table, slots = order[::-1], other, other_slots
        strong = self._strong(slots)
        key = (tuple(self.parts[part].shape.number for part in order), table, strong, minimising)
        shape = self._made.get(key)
        known = shape is not None
        if shape is None:
            made = self._composed(order, table)
            shape = self._made[key] = self._shape(made, len(slots), strong if minimising else None)
        members = tuple(m for part in order for m in self.parts[part].members)
        gone = {vector for part in order for vector in self.vectors_of[part]}
        for vector in gone:
            for part in self.vectors.pop(vector)[0]:
                self.vectors_of[part].discard(vector)
        for part in order:
            del self.parts[part], self.vectors_of[part]
        new = self._add(Part(shape, members, tuple(order), table))
        for slot, outside in enumerate(slots):
            for others, result in sorted(outside):
                self._connect({new: slot, **dict(others)}, result)
        return new, known

    def _strong(self, slots: Sequence[Contexts]) -> tuple[str, ...]:
        """Return the slots that may lead to a strong label of the network."""
        if not self.strong:
            return ()
        results = [{result for _, result in contexts} for contexts in slots]
        return tuple(str(slot) for slot, made in enumerate(results) if made & self.strong)

    def _ordered(self, chosen: Sequence[int]) -> list[int]:
        return sorted(chosen, key=lambda part: (self.parts[part].shape.number, part))

    def _contexts(self, order: Sequence[int]) -> dict[tuple[int | None, ...], Contexts]:
        """Return the contexts of all combinations of slots of these parts."""
        found: dict[tuple[int | None, ...], set[tuple[Slots, str]]] = {}
        for vector in {vector for part in order for vector in self.vectors_of[part]}:
            slots, result = self.vectors[vector]
            inside = tuple(slots.get(part) for part in order)
            outside = tuple(sorted((p, s) for p, s in slots.items() if p not in order))
            found.setdefault(inside, set()).add((outside, result))
        return {inside: frozenset(outside) for inside, outside in found.items()}

    def _composed(self, order: Sequence[int], table: Table) -> LTS:
        """Return the composition of parts, with slots as labels."""
        systems = tuple(self.parts[part].shape.system for part in order)
        numbers = _label_numbers(systems)
        vectors = _hidden(systems)
        for inside, made in table:
            labels = [numbers[k].get(str(s)) for k, s in enumerate(inside) if s is not None]
            if None in labels:
                # Minimisation may have removed all transitions of the slot.
                continue
            positions = [k for k, s in enumerate(inside) if s is not None]
            moves = tuple((k, n) for k, n in zip(positions, labels, strict=True) if n is not None)
            vectors += [Vector(moves, TAU if slot is None else str(slot)) for slot in made]
        return self.explore(Network(systems, tuple(vectors), ("",) * len(systems)))

    def _shape(self, made: LTS, slots: int, strong: tuple[str, ...] | None) -> Shape:
        """Return a composed system as a shape, minimised unless `strong` is None."""
        sizes = (made.state_count, made.transition_count)
        if strong is not None:
            begun = monotonic()
            made = minimise(made, self.equivalence, consume=True, strong=strong)
            self.minimising += monotonic() - begun
        counts = made.label_counts()
        numbered = tuple(counts.get(str(slot), 0) for slot in range(slots))
        return Shape(self._number(), made, numbered, sizes)

    def rest(self) -> Network:
        """Return the network of the current parts."""
        order = sorted(self.parts)
        positions = {part: position for position, part in enumerate(order)}
        systems = tuple(self.parts[part].shape.system for part in order)
        numbers = _label_numbers(systems)
        vectors = _hidden(systems)
        for slots, result in self.vectors.values():
            moves = sorted(
                (positions[p], numbers[positions[p]].get(str(s), -1)) for p, s in slots.items()
            )
            if all(label >= 0 for _, label in moves):
                vectors.append(Vector(tuple(moves), result))
        return Network(systems, tuple(vectors), ("",) * len(systems))


def _label_numbers(systems: Sequence[LTS]) -> list[dict[str, int]]:
    return [{name: n for n, name in enumerate(system.labels)} for system in systems]


def _hidden(systems: Sequence[LTS]) -> list[Vector]:
    """Return vectors for the internal steps of minimal systems, in which these are called `tau`."""
    numbers = _label_numbers(systems)
    positions = [position for position, table in enumerate(numbers) if TAU in table]
    return [Vector(((position, numbers[position][TAU]),), TAU) for position in positions]


def _numbered(contexts: dict[tuple[int | None, ...], Contexts]) -> tuple[Table, list[Contexts]]:
    """Return the table of a merged part, and the contexts of its slots.

    A combination that is hidden and involves no other part is internal. Slots are numbered in the
    order of the combinations that they come from.
    """
    table: list[tuple[tuple[int | None, ...], tuple[int | None, ...]]] = []
    slots: list[Contexts] = []
    numbers: dict[Contexts, int] = {}
    internal = ((), TAU)
    for inside in sorted(contexts, key=_key):
        made: list[int | None] = []
        outside = contexts[inside]
        if internal in outside:
            made.append(None)
            outside -= {internal}
        if outside:
            if outside not in numbers:
                numbers[outside] = len(slots)
                slots.append(outside)
            made.append(numbers[outside])
        table.append((inside, tuple(made)))
    return tuple(table), slots


def _key(slots: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(-1 if slot is None else slot for slot in slots)


def _sortable(table: Table) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(_key(inside), _key(made)) for inside, made in table]
