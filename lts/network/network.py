"""Networks: components, and the vectors by which they synchronise.

Arnold and Nivat, Comportements de processus (1982); Lang, Exp.Open 2.0 (IFM 2005), whose networks
these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import lts._engine as _engine
from lts.base.label_names import action_names, encoded, label_text, normal
from lts.errors import LtsError, SpecificationError, Unsupported
from lts.system.internal_labels import TAU, by_name
from lts.system.lts import LTS

__all__ = ["TAU", "Nesting", "Network", "Vector"]


Nesting = tuple["int | Nesting", ...]
"""Components, each a number from 0, in nested groups."""


class Vector(NamedTuple):
    """A synchronisation vector: labels that components do together, and the resulting label.

    `moves` are pairs of a component and the number of its label, in order of components; components
    that do not occur remain in their states. `result` is `TAU` for an internal step.
    """

    moves: tuple[tuple[int, int], ...]
    result: str


@dataclass(frozen=True, eq=False)
class Network:
    """Components and synchronisation vectors.

    A state is a tuple of states of the components; a vector makes a step if all components in it
    can do their labels, simultaneously. Internal steps of components are vectors like all others.
    Built with `Network.of`, or by `lts.network.read` from a text.
    """

    components: tuple[LTS, ...]
    vectors: tuple[Vector, ...]
    names: tuple[str, ...]
    """Names of the components, for messages."""
    remarks: tuple[LtsError, ...] = ()
    """Warnings about what has no effect in the text, such as a gate that no component has, each
    with its place."""
    nesting: Nesting = ()
    """The composition operators of the text, as nested groups of components; empty without a text,
    when all components are composed at once."""

    def __repr__(self) -> str:
        return f"<Network: {len(self.components)} components, {len(self.vectors)} vectors>"

    @property
    def actions(self) -> frozenset[str]:
        """The names of the actions in the results."""
        return frozenset(action_names(vector.result for vector in self.vectors))

    def hide(self, actions: Sequence[str]) -> Network:
        """Return the network with actions hidden, given as for `LTS.hide`."""
        patterns = _engine.LabelPatterns(encoded(actions))

        def left(result: str) -> str:
            [label] = encoded([result])
            rest = patterns.rest(label)
            return TAU if rest is None else label_text(rest)

        results = {result: left(result) for result in {vector.result for vector in self.vectors}}
        vectors = (Vector(v.moves, results[v.result]) for v in self.vectors)
        return replace(self, vectors=tuple(dict.fromkeys(vectors)), remarks=())

    @classmethod
    def of(
        cls,
        components: Iterable[LTS],
        vectors: Iterable[tuple[Mapping[int, str], str]],
        *,
        names: Sequence[str] | None = None,
    ) -> Network:
        """Return the network of components with vectors such as `({0: "a", 2: "b"}, "c")`.

        Components do their internal steps alone, so these need no vectors. The result `tau` is
        hidden. A vector with a label that a component lacks makes no step. Raises
        `SpecificationError` for a vector with a component that does not exist, without components,
        or with an internal label, and `Unsupported` for a component with a visible label `tau`.

        >>> door = LTS.from_transitions([(0, "open", 1), (1, "close", 0)])
        >>> vectors = [({0: "open", 1: "open"}, "open"), ({1: "close"}, "bang")]
        >>> len(Network.of([door, door], vectors).vectors)
        2
        """
        systems = tuple(components)
        tables = [{name: number for number, name in enumerate(s.labels)} for s in systems]
        made = internal_vectors(systems)
        for moves, result in vectors:
            numbers = []
            if not moves:
                raise SpecificationError("a synchronisation vector needs at least one component")
            for component, label in sorted(moves.items()):
                if not 0 <= component < len(systems):
                    raise SpecificationError(f"there is no component {component}")
                if label in systems[component].internal or normal(label) == TAU:
                    raise SpecificationError(
                        f"`{label}` is internal, so it cannot occur in a vector"
                    )
                numbers.append((component, tables[component].get(label)))
            known = tuple((component, n) for component, n in numbers if n is not None)
            if len(known) == len(numbers):
                made.append(Vector(known, result))
        shown = tuple(f"component {n}" for n in range(len(systems))) if names is None else names
        return cls(systems, tuple(dict.fromkeys(made)), tuple(shown))


def internal_vectors(components: Sequence[LTS]) -> list[Vector]:
    """Return the vectors of internal steps; raise `Unsupported` for a visible label `tau`."""
    found = []
    for component, system in enumerate(components):
        internal = set(system.internal)
        refuse_visible_tau(system)
        for number, name in enumerate(system.labels):
            if name in internal:
                found.append(Vector(((component, number),), TAU))
    return found


def refuse_visible_tau(system: LTS) -> None:
    """Raise `Unsupported` for a visible label `tau`."""
    if not {*system.internal}.issuperset(by_name(system.labels, [TAU])):
        raise Unsupported(f"hidden steps become `{TAU}`, which is a visible label here")
