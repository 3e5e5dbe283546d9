"""The labelled transition system, the data type that all packages share."""

from __future__ import annotations

import importlib
import operator
import os
import sys
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import lts._engine as _engine
from lts.base.argument_types import expect_limit, expect_number
from lts.base.label_names import action_names, normal, several, unmatched
from lts.errors import NameWarning, Unsupported
from lts.system import conversion
from lts.system.adjacency import Adjacency
from lts.system.columns import as_array, as_column, columns_of, from_bytes
from lts.system.normal_form import content
from lts.system.renaming import rename
from lts.system.sizes import Components, refuse_large

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import numpy.typing as npt
    import pandas
    import pyarrow
    import scipy.sparse
    from bitarray import bitarray

    from lts.drawing.notebook import Picture
    from lts.equivalence.comparison import Comparison
    from lts.logic.check import Verdict
    from lts.symmetry.labels.detection import Detection
    from lts.symmetry.permutation.notation import Permutation
    from lts.symmetry.reduction.rho_encoding import Reduction
    from lts.verbs import System
    from lts.web.notebook import Page

    Numbers = npt.NDArray[np.uint32]

__all__ = ["LTS", "Components", "expect_systems", "refuse_large", "several", "unmatched"]


_BATCH = 1 << 16
"""Number of transitions converted to Python objects at a time."""


class LTS:
    """A labelled transition system `(S, L, ->, s0)`.

    States are `0 .. state_count - 1`. Transitions are three columns of equal length (`source`,
    `label`, `target`). They represent a set: duplicates count once in every algorithm. Labels are
    numbered by their position in `labels`; they are text whose bytes are retained exactly
    (undecodable ones as lone surrogates). An LTS is immutable.
    """

    def __init__(
        self, engine: _engine.Lts, state_names: tuple[Hashable, ...] | None = None
    ) -> None:
        """Wrap a system of the engine; `from_transitions`, `from_columns`, `from_networkx`,
        `lts.read` and `lts.generate` make one."""
        if not isinstance(engine, _engine.Lts):
            kind = type(engine).__name__
            raise TypeError(
                f"LTS is not made of an object of {kind}: LTS.from_transitions takes transitions, "
                "lts.read a file, and lts.generate a specification"
            )
        self._engine = engine
        self._names = state_names
        self._origin: object = None
        """Where labels have their terms: a specification, or a file of mCRL2; else None."""
        self._vectors: _engine.TermReader | None = None
        """The file of mCRL2 with the values of the parameters in each state, if they are known."""

    if TYPE_CHECKING:
        # Methods that need packages above this one are in `lts.methods`.
        def write(  # noqa: D102
            self, file: str | os.PathLike[str], *, format: str | None = None
        ) -> None: ...
        def minimise(  # noqa: D102
            self,
            equivalence: str,
            *,
            keep_unreachable: bool = False,
            max_states: int | None = None,
        ) -> LTS: ...
        def minimize(  # noqa: D102
            self,
            equivalence: str,
            *,
            keep_unreachable: bool = False,
            max_states: int | None = None,
        ) -> LTS: ...
        def determinise(self, *, max_states: int | None = None) -> LTS: ...  # noqa: D102
        def classes(self, equivalence: str) -> npt.NDArray[np.uint32]: ...  # noqa: D102
        def bisimilar(self, other: System, equivalence: str = "strong") -> bool: ...  # noqa: D102
        def compare(  # noqa: D102
            self, other: System, equivalence: str, *, max_states: int | None = None
        ) -> Comparison: ...
        def check(self, formula: str, *, fair: str | None = None) -> Verdict: ...  # noqa: D102
        def find_symmetry(self, equivalence: str = "strong") -> Detection: ...  # noqa: D102
        def reduce(  # noqa: D102
            self, permutations: Permutation | Sequence[Permutation]
        ) -> Reduction: ...
        def draw(  # noqa: D102
            self,
            permutations: Permutation | Sequence[Permutation] | None = None,
            *,
            max_states: int | None = None,
        ) -> Picture: ...
        def view(  # noqa: D102
            self,
            other: System | None = None,
            *,
            equivalence: str | None = None,
            title: str = "",
            max_states: int | None = None,
        ) -> Page: ...
        def to_arrow(self) -> pyarrow.Table: ...  # noqa: D102
        def _repr_html_(self) -> str: ...

    else:

        def __getattr__(self, name: str) -> Any:
            if name == "_engine":
                raise Unsupported(
                    "this LTS can no longer be used: its memory was handed over (`consume=True`)"
                )
            methods = importlib.import_module("lts.methods").METHODS
            if any(method.__name__ == name for method in methods):
                return getattr(self, name)
            from lts.base.spelling import near

            hint = near(name, (each for each in dir(LTS) if not each.startswith("_")))
            raise AttributeError(f"an LTS has no attribute {name!r}{hint}")

    def __dir__(self) -> list[str]:
        importlib.import_module("lts.methods")
        return [*super().__dir__()]

    def __copy__(self) -> LTS:
        return self._with_engine(self._engine)

    def __deepcopy__(self, memo: object) -> LTS:
        return self._with_engine(self._engine)

    def _with_engine(self, engine: _engine.Lts) -> LTS:
        """Return the LTS of another system of the engine with the same states."""
        found = LTS(engine, self._names)._with_origin(self)
        found._vectors = self._vectors
        return found

    def _with_origin(self, other: LTS) -> LTS:
        """Return this LTS, whose labels come from where those of another one do."""
        self._origin = other._origin
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        engine = self._engine
        columns = [bytes(memoryview(c)) for c in (engine.source, engine.label, engine.target)]
        numbers = (engine.initial, engine.states)
        facts = (engine.labels, numbers, engine.internal, self._names)
        origin = self._origin, self._vectors is not None
        return _remade, (sys.byteorder, columns, *facts, origin)

    @classmethod
    def from_transitions(
        cls,
        transitions: Iterable[tuple[int, str, int]],
        *,
        initial: int = 0,
        state_count: int | None = None,
    ) -> LTS:
        """Build an LTS from `(source, label, target)` triples.

        `state_count` is one more than the largest state mentioned unless given. Raises `TypeError`
        for anything that is no triple, `ValueError` for a number that is no state.
        """
        expect_number(initial, "the number of the initial state")
        if initial < 0:
            raise ValueError(f"states are numbers from 0, unlike the initial one, {initial}")
        source, label, target, labels = columns_of(transitions)
        if state_count is None:
            state_count = 1 + max(initial, *source, *target) if source else initial + 1
        expect_number(state_count, "the number of states")
        if not 0 < state_count < 2**32:
            raise ValueError(f"an LTS has 1 to 2^32 - 1 states, not {state_count}")
        return cls.from_columns(source, label, target, labels, initial, state_count)

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

        Accepts any buffer of integers that fit into 32 bits without a sign, such as a numpy array
        of any integer type. Raises `TypeError` for a buffer of anything else, `ValueError` if a
        number does not fit.
        """
        table = [name.encode("utf-8", "surrogateescape") for name in several(labels)]
        one, two, three = map(as_column, (source, label, target))
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
    def states(self) -> range:
        """The numbers of the states, reachable or not."""
        return range(self.state_count)

    @property
    def state_names(self) -> Sequence[Hashable]:
        """The nodes of the graph that `from_networkx` read the states from; else their numbers.

        Hiding and renaming keep them, and operations with other states as a result do not.
        """
        return self.states if self._names is None else self._names

    @property
    def transition_count(self) -> int:
        """Number of transitions, duplicates included."""
        return self._engine.transitions

    @cached_property
    def source(self) -> Numbers:
        """Source state of every transition (uint32, read-only, shared with the engine)."""
        return as_array(self._engine.source)

    @cached_property
    def label(self) -> Numbers:
        """Label number of every transition (uint32, read-only, shared with the engine)."""
        return as_array(self._engine.label)

    @cached_property
    def target(self) -> Numbers:
        """Target state of every transition (uint32, read-only, shared with the engine)."""
        return as_array(self._engine.target)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label table."""
        return tuple(name.decode("utf-8", "surrogateescape") for name in self._engine.labels)

    @cached_property
    def internal(self) -> tuple[str, ...]:
        """The labels that represent the internal action: `tau`, or `i` if no label is `tau`; those
        that differ from them in blanks only, too."""
        return tuple(self.labels[number] for number in self._engine.internal)

    def with_internal(self, labels: Iterable[str]) -> LTS:
        """Return the same LTS with exactly `labels` as internal, however they are spelt; labels it
        lacks are ignored."""
        requested = set(map(normal, several(labels)))
        numbers = [number for number, name in enumerate(self.labels) if normal(name) in requested]
        return self._with_engine(self._engine.with_internal(numbers))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions in the label table; a multi-action has several."""
        return action_names(self.labels)

    def hide(self, actions: Iterable[str]) -> LTS:
        """Return the LTS with `actions` made internal.

        Each is the name of an action, such as `put` in `put(1)`, `put 1 5` and CADP's `put !1
        !TRUE`, or `put(...)`, an action with its arguments, a whole label, or a pattern for any of
        these, in which `*` matches any characters and `?` one. Of a multi-action such as
        `get(1)|put(1)` the other actions are left. A label of which nothing is left is renamed to
        the existing internal label, else to `tau`; a name that matches no label causes a
        `NameWarning`. Raises `Unsupported` if there is no internal label and `tau` is a visible
        one.
        """
        requested = [*several(actions)]
        if absent := unmatched(requested, self.labels):
            said = f"nothing to hide: no action or label is {', '.join(absent)}"
            warnings.warn(said, NameWarning, stacklevel=2)
        return self.hide_any(requested)

    def hide_any(self, wanted: Iterable[str]) -> LTS:
        """Return the result of `hide` without warnings, for names that may match labels of other
        systems only."""
        names = [name.encode("utf-8", "surrogateescape") for name in several(wanted)]
        hidden = _engine.hide(self._engine, names)
        if hidden is None:
            raise Unsupported("hidden actions become `tau`, which is a visible label here")
        return self._with_engine(hidden)

    def rename(self, names: Mapping[str, str]) -> LTS:
        """Return the LTS with labels renamed; see `lts.system.renaming.rename`."""
        return rename(self, names)

    def _with_distinct_labels(self) -> LTS:
        """Return the LTS in which visible labels with the same form, as `normal` returns it, are
        one label: the first of them."""
        return self._with_engine(self._engine.with_distinct_labels())

    def reachable(self) -> LTS:
        """Return the reachable part, its states numbered in breadth-first order."""
        return LTS(_engine.reachable(self._engine))._with_origin(self)

    def reachable_states(self) -> bitarray:
        """Return the set of reachable states."""
        return self._state_set(_engine.reachable_states(self._engine))

    def deadlock_states(self) -> bitarray:
        """Return the set of states without transitions, reachable or not."""
        return self._state_set(_engine.deadlocks(self._engine))

    def deadlocks(self) -> npt.NDArray[np.intp]:
        """Return the states without transitions, reachable or not, as an array in ascending order.

        >>> LTS.from_transitions([(0, "a", 1), (0, "b", 2)]).deadlocks().tolist()
        [1, 2]
        """
        import numpy as np

        bits = np.frombuffer(_engine.deadlocks(self._engine), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(bits, count=self.state_count, bitorder="little"))

    def nondeterministic_states(self) -> bitarray:
        """Return the set of states with transitions to different states by the same label.

        All internal labels count as one. Duplicates do not make a state nondeterministic.
        """
        return self._state_set(_engine.nondeterministic_states(self._engine))

    def tau_cycle_states(self) -> bitarray:
        """Return the set of states on a cycle of internal steps, including loops."""
        return self._state_set(self._divergence[0])

    def divergent_states(self) -> bitarray:
        """Return the set of states from which an infinite sequence of internal steps is
        possible."""
        return self._state_set(self._divergence[1])

    def components(self, *, internal: bool = False) -> Components:
        """Return the sizes of the strongly connected components of the reachable states.

        With `internal`, only internal steps are taken into account.

        >>> LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)]).components()
        Components(sizes=((2, 1), (1, 1)), cyclic=((2, 1),), terminal=((1, 1),))
        """
        found = _engine.components(self._engine, internal)
        return Components(*map(tuple, found))

    def nearest(self, states: bitarray, most: int = 1) -> list[tuple[int, tuple[int, ...]]]:
        """Return those `most` of the given states that are nearest to the initial one, with
        shortest paths.

        A path is a tuple of positions of transitions in the columns, as `lts.trace.trace_along`
        takes them.

        >>> system = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "b", 0)])
        >>> system.nearest(system.deadlock_states())
        [(2, (1,))]
        """
        from bitarray import bitarray

        if not isinstance(states, bitarray):
            kind = type(states).__name__
            raise TypeError(
                f"a set of states is expected, as a bitarray (such as deadlock_states() returns), "
                f"not an object of {kind}"
            )
        expect_limit(most, "the number of states to return")
        bits = bitarray(states, endian="little").tobytes()
        found = _engine.nearest(self._engine, bits, most)
        return [(state, tuple(path)) for state, path in found]

    def trace_to(self, state: int) -> list[str]:
        """Return the labels of a shortest path from the initial state to a state.

        Raises `ValueError` for a state that is not reachable, `IndexError` for a number that is no
        state.

        >>> LTS.from_transitions([(0, "a", 1), (1, "b", 2), (0, "c", 2)]).trace_to(1)
        ['a']
        """
        from bitarray import bitarray

        expect_number(state, "the number of a state")
        if not 0 <= operator.index(state) < self.state_count:
            raise IndexError(f"no state {state}: states are numbered 0 to {self.state_count - 1}")
        states = bitarray(self.state_count)
        states[state] = True
        found = self.nearest(states)
        if not found:
            raise ValueError(f"state {state} cannot be reached from the initial state")
        return [self.labels[self.label[transition]] for transition in found[0][1]]

    def nearest_deadlocks(self, most: int = 1) -> list[tuple[int, tuple[int, ...]]]:
        """Return the `most` deadlocks nearest to the initial state, as `nearest` does."""
        return self.nearest(self.deadlock_states(), most)

    @cached_property
    def duplicate_count(self) -> int:
        """Number of transitions that repeat another one."""
        return _engine.duplicates(self._engine)

    def label_counts(self) -> dict[str, int]:
        """Return the number of transitions with each label of the label table."""
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

    def transitions(self) -> Iterator[tuple[int, str, int]]:
        """Yield every transition as `(source, label, target)`, in order; so does iteration."""
        labels = self.labels
        for start in range(0, self.transition_count, _BATCH):
            columns = (self.source, self.label, self.target)
            parts = (column[start : start + _BATCH].tolist() for column in columns)
            for s, a, t in zip(*parts, strict=True):
                yield s, labels[a], t

    def __iter__(self) -> Iterator[tuple[int, str, int]]:
        return self.transitions()

    def __len__(self) -> int:
        return self.transition_count

    def __bool__(self) -> bool:
        return True  # even without transitions

    def successors(self, state: int) -> list[tuple[str, int]]:
        """Return the label and the target of every transition from a state, in order.

        >>> LTS.from_transitions([(0, "a", 1), (1, "b", 0), (0, "c", 0)]).successors(0)
        [('a', 1), ('c', 0)]
        """
        return self._outgoing.of(state)

    def predecessors(self, state: int) -> list[tuple[str, int]]:
        """Return the label and the source of every transition to a state, in order.

        >>> LTS.from_transitions([(0, "a", 1), (1, "b", 0), (0, "c", 0)]).predecessors(0)
        [('b', 1), ('c', 0)]
        """
        return self._incoming.of(state)

    @cached_property
    def _outgoing(self) -> Adjacency:
        return Adjacency(self.source, self.label, self.target, self.labels, self.state_count)

    @cached_property
    def _incoming(self) -> Adjacency:
        return Adjacency(self.target, self.label, self.source, self.labels, self.state_count)

    def __eq__(self, other: object) -> bool:
        """Whether states, transitions as a set, initial state and internal labels are the same.

        To compare up to the numbering of states use `lts.symmetry.isomorphic`, up to an equivalence
        `lts.equivalence.compare`.
        """
        if not isinstance(other, LTS):
            return NotImplemented
        if self._engine is other._engine:
            return True
        if (self.state_count, self.initial) != (other.state_count, other.initial):
            return False
        (facts, transitions), (others, of_other) = content(self), content(other)
        return (
            facts == others
            and transitions.shape == of_other.shape
            and bool((transitions == of_other).all())
        )

    @cached_property
    def _hash(self) -> int:
        facts, transitions = content(self)
        return hash((facts, transitions.tobytes()))

    def __hash__(self) -> int:
        return self._hash

    def to_networkx(self) -> networkx.MultiDiGraph[Hashable]:
        """Return the transitions as a multigraph with `label` on its edges, and `state_names` as
        nodes. For small systems."""
        return cast("networkx.MultiDiGraph[Hashable]", conversion.to_networkx(self))

    @classmethod
    def from_networkx(
        cls, graph: object, *, label: str = "label", initial: Hashable | None = None
    ) -> LTS:
        """Return the LTS of a directed graph of networkx whose edges have a text as `label`.

        Nodes `0, 1, ..` become the states with these numbers; other nodes are numbered in their
        order, and are the `state_names` of the result. The initial state is `initial`, else the
        graph's attribute `initial`, else the first node.
        """
        return conversion.from_networkx(graph, cls, label, initial)

    @classmethod
    def from_pandas(
        cls, frame: pandas.DataFrame, *, initial: int = 0, state_count: int | None = None
    ) -> LTS:
        """Build an LTS from a data frame with the columns source, label and target, as `to_pandas`
        returns it; the other arguments are as in `from_transitions`.

        Raises `TypeError` for a frame without these columns, or with other values in them.
        """
        return conversion.from_pandas(frame, cls, initial, state_count)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the transitions as a data frame: source, label (categorical), target."""
        return conversion.to_pandas(self)

    def matrix(self, label: str | None = None) -> scipy.sparse.csr_array:
        """Return the transitions with a label, or all, as a sparse Boolean matrix.

        Raises `ValueError` for an unknown label.
        """
        return conversion.matrix(self, label)

    def matrices(self) -> dict[str, scipy.sparse.csr_array]:
        """Return a matrix for every label that occurs on transitions."""
        return conversion.matrices(self)

    def __repr__(self) -> str:
        return f"<LTS: {self.state_count} states, {self.transition_count} transitions>"


def expect_systems(*values: object) -> None:
    """Raise `TypeError` for a value that is not an LTS, with a hint at what was probably meant.

    >>> expect_systems("a.aut")
    Traceback (most recent call last):
    TypeError: an LTS is expected, not the text 'a.aut': lts.read reads the file of one
    """
    for value in values:
        if isinstance(value, LTS):
            continue
        if isinstance(value, str | os.PathLike):
            shown = f"the text {value!r}" if isinstance(value, str) else "a path"
            raise TypeError(f"an LTS is expected, not {shown}: lts.read reads the file of one")
        kind = type(value).__name__
        hint = ""
        if kind in ("Specification", "LinearProcess"):
            hint = ": lts.mucrl.generate makes an LTS of it"
        elif kind == "Network":
            hint = ": lts.network.compose makes an LTS of it"
        elif kind in ("Reduction", "Comparison", "Verdict"):
            hint = f": it has one as `{'encoding' if kind == 'Reduction' else 'evidence'}`"
        elif kind == "DiGraph" or kind == "MultiDiGraph":
            hint = ": LTS.from_networkx makes an LTS of it"
        raise TypeError(f"an LTS is expected, not an object of {kind}{hint}")


def _remade(
    order: str,
    columns: list[bytes],
    labels: list[bytes],
    numbers: tuple[int, int],
    internal: list[int],
    names: tuple[Hashable, ...] | None,
    origin: tuple[Any, bool],
) -> LTS:
    """Return a copy of a pickled LTS."""
    initial, states = numbers
    source, label, target = (from_bytes(order, data) for data in columns)
    system = _engine.Lts(initial, states, source, label, target, labels)
    found = LTS(system.with_internal(internal), names)
    found._origin, has_vectors = origin
    if has_vectors:
        found._vectors = origin[0].reader
    return found
