"""The labelled transition system: the one data type that every room shares."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from lts import _engine
from lts.errors import LimitReached, Unsupported

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import numpy.typing as npt
    from bitarray import bitarray

    Columns = npt.NDArray[np.uint32]

__all__ = ["LTS", "Components", "refuse_large", "several", "unmatched"]


@dataclass(frozen=True, slots=True)
class Components:
    """Strongly connected components by size: pairs of a size and how many have it, largest first.

    `cyclic` are those that have a cycle, if only a loop; `terminal` those that no transition
    leaves. One that is terminal and has no cycle is a deadlock.
    """

    sizes: tuple[tuple[int, int], ...]
    cyclic: tuple[tuple[int, int], ...]
    terminal: tuple[tuple[int, int], ...]


MOST_STATES, MOST_TRANSITIONS = 2**31 - 1, 2**32 - 2
"""What the engine can number in algorithms that keep something more with each."""


def refuse_large(states: int, transitions: int) -> None:
    """Raise `LimitReached` where there is more than the engine can number."""
    for count, most, what in (
        (states, MOST_STATES, "states"),
        (transitions, MOST_TRANSITIONS, "transitions"),
    ):
        if count > most:
            raise LimitReached(
                f"{count} {what} are more than can be numbered: at most {most}",
                limit=most,
                found={"states": states, "transitions": transitions},
            )


class LTS:
    """A labelled transition system `(S, L, ->, s0)`.

    States are `0 .. state_count - 1`. Transitions are three columns of equal length (`source`,
    `label`, `target`); they mean a set, so a transition that stands twice counts once for every
    algorithm. Labels are numbered by their place in `labels`; they are text whose bytes are kept
    exactly (undecodable ones as lone surrogates). An LTS never changes.
    """

    def __init__(self, engine: _engine.Lts) -> None:
        self._engine = engine

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name == "_engine":
                raise Unsupported("this LTS is no more: its memory was given away (`consume=True`)")
            raise AttributeError(f"an LTS has no attribute {name!r}")

    def __copy__(self) -> LTS:
        return LTS(self._engine)

    def __deepcopy__(self, memo: object) -> LTS:
        return LTS(self._engine)

    def __reduce__(self) -> tuple[Any, ...]:
        engine = self._engine
        columns = [bytes(memoryview(c)) for c in (engine.source, engine.label, engine.target)]
        numbers = (engine.initial, engine.states)
        return _remade, (sys.byteorder, columns, engine.labels, numbers, engine.internal)

    @classmethod
    def from_transitions(
        cls,
        transitions: Iterable[tuple[int, str, int]],
        *,
        initial: int = 0,
        state_count: int | None = None,
    ) -> LTS:
        """Build an LTS from `(source, label, target)` triples.

        `state_count` is one more than the largest state mentioned unless given.
        """
        source, label, target = array("I"), array("I"), array("I")
        numbers: dict[str, int] = {}
        for s, a, t in transitions:
            source.append(s)
            label.append(numbers.setdefault(a, len(numbers)))
            target.append(t)
        if state_count is None:
            state_count = 1 + max(initial, *source, *target) if source else initial + 1
        return cls.from_columns(source, label, target, tuple(numbers), initial, state_count)

    @classmethod
    def from_columns(
        cls,
        source: _engine.Buffer,
        label: _engine.Buffer,
        target: _engine.Buffer,
        labels: Iterable[str],
        initial: int,
        state_count: int,
    ) -> LTS:
        """Build an LTS from columns of integers (copied) and its label table.

        Any buffer of integers will do that fit into 32 bits without a sign, as an array of numpy of
        any such type. Raises `TypeError` for what holds none, `ValueError` where one does not fit.
        """
        table = [name.encode("utf-8", "surrogateescape") for name in several(labels)]
        one, two, three = map(_column, (source, label, target))
        return cls(_engine.Lts(initial, state_count, one, two, three, table))

    @property
    def initial(self) -> int:
        """The initial state."""
        return self._engine.initial

    @property
    def state_count(self) -> int:
        """Number of states, reachable or not."""
        return self._engine.states

    @property
    def transition_count(self) -> int:
        """Number of rows, duplicates included."""
        return self._engine.transitions

    @cached_property
    def source(self) -> Columns:
        """Source state of every transition (uint32, read-only, shared with the engine)."""
        return _view(self._engine.source)

    @cached_property
    def label(self) -> Columns:
        """Label number of every transition (uint32, read-only, shared with the engine)."""
        return _view(self._engine.label)

    @cached_property
    def target(self) -> Columns:
        """Target state of every transition (uint32, read-only, shared with the engine)."""
        return _view(self._engine.target)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label table."""
        return tuple(name.decode("utf-8", "surrogateescape") for name in self._engine.labels)

    @cached_property
    def internal(self) -> tuple[str, ...]:
        """The labels that stand for the internal action: `tau`, or `i` where none is `tau`."""
        return tuple(self.labels[number] for number in self._engine.internal)

    def with_internal(self, labels: Iterable[str]) -> LTS:
        """Return the same LTS with exactly `labels` as internal; labels it lacks are ignored."""
        wanted = set(several(labels))
        numbers = [number for number, name in enumerate(self.labels) if name in wanted]
        return LTS(self._engine.with_internal(numbers))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions in the label table: a label up to its first bracket."""
        return tuple(dict.fromkeys(name.partition("(")[0] for name in self.labels))

    def hide(self, actions: Iterable[str]) -> LTS:
        """Return the LTS with `actions` made internal.

        Each is the name of an action, as of `put` in `put(1)`, `put 1 5` and CADP's `put !1 !TRUE`,
        a whole label, or a pattern for either, in which `*` stands
        for any characters and `?` for one. They are renamed to the internal label there is, else
        to `tau`; names it lacks are ignored.
        Raises `Unsupported` if there is no internal label and `tau` is a visible one.
        """
        names = [name.encode("utf-8", "surrogateescape") for name in several(actions)]
        hidden = _engine.hide(self._engine, names)
        if hidden is None:
            raise Unsupported("hidden actions are called `tau`, which is a visible label here")
        return LTS(hidden)

    def reachable(self) -> LTS:
        """Return the reachable part, its states numbered in breadth-first order."""
        return LTS(_engine.reachable(self._engine))

    def reachable_states(self) -> bitarray:
        """Return the states that can be reached from the initial one."""
        return self._state_set(_engine.reachable_states(self._engine))

    def deadlocks(self) -> bitarray:
        """Return the states, reachable or not, that have no transition."""
        return self._state_set(_engine.deadlocks(self._engine))

    def nondeterministic_states(self) -> bitarray:
        """Return the states that lead to different states by the same label.

        All internal labels are one. Duplicates are no nondeterminism.
        """
        return self._state_set(_engine.nondeterministic_states(self._engine))

    def tau_cycle_states(self) -> bitarray:
        """Return the states that lie on a cycle of internal steps; a loop is one."""
        return self._state_set(self._divergence[0])

    def divergent_states(self) -> bitarray:
        """Return the states that can do internal steps forever."""
        return self._state_set(self._divergence[1])

    def components(self, *, internal: bool = False) -> Components:
        """Return the sizes of the strongly connected components of the reachable states.

        With `internal`, those of their internal steps alone.

        >>> LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)]).components()
        Components(sizes=((2, 1), (1, 1)), cyclic=((2, 1),), terminal=((1, 1),))
        """
        found = _engine.components(self._engine, internal)
        return Components(*map(tuple, found))

    def nearest(self, states: bitarray, most: int = 1) -> list[tuple[int, tuple[int, ...]]]:
        """Return the `most` of some states nearest to the initial one, each with a shortest path.

        A path is the places of its transitions in the columns, as `lts.trace.trace_along` takes
        them.

        >>> system = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "b", 0)])
        >>> system.nearest(system.deadlocks())
        [(2, (1,))]
        """
        from bitarray import bitarray

        bits = bitarray(states, endian="little").tobytes()
        found = _engine.nearest(self._engine, bits, most)
        return [(state, tuple(rows)) for state, rows in found]

    def nearest_deadlocks(self, most: int = 1) -> list[tuple[int, tuple[int, ...]]]:
        """Return the `most` deadlocks nearest to the initial state, as `nearest` does."""
        return self.nearest(self.deadlocks(), most)

    @cached_property
    def duplicate_count(self) -> int:
        """Number of rows that say what another row says already."""
        return _engine.duplicates(self._engine)

    def label_counts(self) -> dict[str, int]:
        """Return how many rows every label of the label table has."""
        return dict(zip(self.labels, _engine.label_counts(self._engine), strict=True))

    @cached_property
    def _divergence(self) -> tuple[bytes, bytes]:
        return _engine.divergence_states(self._engine)

    def _state_set(self, bits: bytes) -> bitarray:
        from bitarray import bitarray

        states = bitarray(endian="little")
        states.frombytes(bits)
        del states[self.state_count :]
        return states

    def transitions(self) -> Iterable[tuple[int, str, int]]:
        """Yield every transition as `(source, label, target)`, in order. For small systems."""
        labels = self.labels
        rows = zip(self.source.tolist(), self.label.tolist(), self.target.tolist(), strict=True)
        return ((s, labels[a], t) for s, a, t in rows)

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """Return the transitions as a multigraph whose edges carry `label`. For small systems."""
        import networkx

        graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph(initial=self.initial)
        graph.add_nodes_from(range(self.state_count))
        graph.add_edges_from((s, t, {"label": a}) for s, a, t in self.transitions())
        return graph

    def __repr__(self) -> str:
        return f"<LTS: {self.state_count} states, {self.transition_count} transitions>"


def _view(column: _engine.Column) -> Columns:
    import numpy as np

    return np.frombuffer(memoryview(column), dtype=np.uint32)


def _column(values: _engine.Buffer) -> _engine.Buffer:
    """Return a column as the engine reads it: 32 bits, in the order of this machine."""
    if isinstance(values, _engine.Column):
        return values
    try:
        view = memoryview(values)
    except (TypeError, ValueError):
        raise TypeError(f"expected a buffer of integers, not {type(values).__name__}") from None
    if view.format in ("I", "@I") and view.itemsize == 4 and view.c_contiguous and view.ndim == 1:
        return values
    import numpy as np

    given = np.asarray(view)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        shown = f"{given.ndim} dimensions of {given.dtype}"
        raise TypeError(f"expected a buffer of integers in one dimension, not {shown}")
    if given.size and not (given.min() >= 0 and given.max() < 2**32):
        raise ValueError("a number in a column is negative, or does not fit into 32 bits")
    column: _engine.Buffer = np.ascontiguousarray(given, dtype=np.uint32)  # type: ignore[assignment]
    return column


def _remade(
    order: str,
    columns: list[bytes],
    labels: list[bytes],
    numbers: tuple[int, int],
    internal: list[int],
) -> LTS:
    """Return a copy of an LTS that was pickled."""
    arrays = []
    for data in columns:
        column = array("I")
        column.frombytes(data)
        if order != sys.byteorder:
            column.byteswap()
        arrays.append(column)
    initial, states = numbers
    source, label, target = arrays
    system = _engine.Lts(initial, states, source, label, target, labels)
    return LTS(system.with_internal(internal))


def several(names: Iterable[str]) -> Iterable[str]:
    """Return names as they are; raise `TypeError` for a text, which would be taken as its letters.

    >>> several("send")
    Traceback (most recent call last):
    TypeError: several names are expected, such as ["send"], not the text "send"
    """
    if isinstance(names, str | bytes):
        shown = names if isinstance(names, str) else names.decode("utf-8", "backslashreplace")
        raise TypeError(f'several names are expected, such as ["{shown}"], not the text "{shown}"')
    return names


def unmatched(names: Sequence[str], labels: Iterable[str]) -> list[str]:
    """Return those of `names`, as `LTS.hide` takes them, that are for none of `labels`."""
    texts = [
        [text.encode("utf-8", "surrogateescape") for text in several(each)]
        for each in (names, labels)
    ]
    return [names[place] for place in _engine.unmatched(*texts)]
