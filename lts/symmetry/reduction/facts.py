"""What there is to know of the original of a quotient, which is not built."""

from __future__ import annotations

from dataclasses import dataclass

from lts import _engine
from lts.errors import LimitReached
from lts.sizes import Components

__all__ = ["OrbitOfDeadlocks", "OriginalFacts", "facts_of_original"]


@dataclass(frozen=True, slots=True)
class OrbitOfDeadlocks:
    """Deadlocks of one orbit: how many there are, and the labels of a shortest trace to one."""

    orbit: int
    states: int
    trace: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginalFacts:
    """Numbers of states, components and transitions of the original, all of them exact.

    `label_counts` are numbers of transitions. Of deadlocks one of each orbit is among the nearest.
    Components are counted by the group H of what goes round in one and of the stabiliser of a
    state: the order of the whole group is the order of H times the number of their images.
    """

    order: int
    orbits: int
    states: int
    transitions: int
    deadlocks: int
    nearest_deadlocks: tuple[OrbitOfDeadlocks, ...]
    nondeterministic_states: int
    components: Components
    tau_components: tuple[tuple[int, int], ...]
    """Components of internal steps that have a cycle: sizes, and how many have each."""
    tau_cycle_states: int
    divergent_states: int
    label_counts: dict[str, int]


def facts_of_original(quotient: _engine.Quotient, *, nearest: int = 0) -> OriginalFacts:
    """Return the facts about the original of a quotient, with deadlocks of `nearest` orbits.

    Raises `LimitReached` where subgroups would take too large tables.

    >>> from lts import LTS
    >>> from lts.symmetry import check, parse_permutation
    >>> system = LTS.from_transitions([(0, "a(1)", 1), (0, "a(2)", 2), (1, "b", 1), (2, "b", 2)])
    >>> facts = facts_of_original(check(system, [parse_permutation("(1 2)")]).quotient)
    >>> facts.orbits, facts.states, facts.components.cyclic
    (2, 3, ((1, 2),))
    """
    try:
        found = quotient.facts(nearest)
    except ValueError as error:
        raise LimitReached(str(error), limit=0, found={}) from None
    labels = [label.decode("utf-8", "surrogateescape") for label in quotient.labels]
    dead, nondeterministic, on_cycles, divergent = found["states"]
    every, cyclic, terminal, internal = (tuple(each) for each in found["sizes"])
    whole = quotient.count()
    return OriginalFacts(
        order=quotient.order,
        orbits=quotient.orbits,
        states=whole[0],
        transitions=whole[1],
        deadlocks=dead,
        nearest_deadlocks=tuple(
            OrbitOfDeadlocks(orbit, count, tuple(labels[label] for label in trace))
            for orbit, count, trace in found["deadlocks"]
        ),
        nondeterministic_states=nondeterministic,
        components=Components(every, cyclic, terminal),
        tau_components=internal,
        tau_cycle_states=on_cycles,
        divergent_states=divergent,
        label_counts=dict(zip(labels, found["transitions"], strict=True)),
    )
