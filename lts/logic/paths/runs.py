"""The automaton of a path formula, its components, and the promises of runs in them."""

from __future__ import annotations

from dataclasses import dataclass

from lts.logic.paths.fairness import Repeated, repeated
from lts.logic.paths.normal_form import Path, conjunction
from lts.logic.paths.quantifiers import Normaliser
from lts.logic.paths.tableau import Automaton, BoundAgain, Obligations, automaton
from lts.system.components import strong_components

__all__ = ["Runs", "runs"]


@dataclass(frozen=True, slots=True)
class Runs:
    """An automaton that has a run along a path if and only if the path satisfies a formula."""

    first: Obligations
    automaton: Automaton
    fair: list[Repeated]
    """Additional recurrence requirements."""
    component: dict[Obligations, int]
    promises: dict[Obligations, list[Path] | None]
    """The promises of runs that stay in a state's component; None if they may not stay."""


def runs(normaliser: Normaliser, node: int, positive: bool) -> Runs:
    """Return the automaton of a path formula, or of its negation if not `positive`."""
    path = normaliser.normal(node, positive)
    while True:
        parts = path[1:] if path[0] == "and" else (path,)
        paths = [part for part in parts if isinstance(part, tuple)]
        each = [(part, repeated(part)) for part in paths]
        fair = [one for _, one in each if one is not None]
        rest = conjunction(*(part for part, one in each if one is None))
        try:
            first, made = automaton(normaliser, rest)
        except BoundAgain as error:
            # Enumerate the values of this variable.
            normaliser.by_value.add(error.slot)
            path = normaliser.normal(node, positive)
        else:
            return Runs(first, made, fair, *_components(made))


def _components(
    made: Automaton,
) -> tuple[dict[Obligations, int], dict[Obligations, list[Path] | None]]:
    graph = {state: [e.target for e in edges if e.has_step] for state, edges in made.items()}
    numbers: dict[Obligations, int] = {}
    promises: dict[Obligations, list[Path] | None] = {}
    for number, component in enumerate(map(set, strong_components(graph))):
        members = [state for state in made if state in component]
        inner = [
            edge
            for state in members
            for edge in made[state]
            if edge.has_step and edge.target in component
        ]
        found = dict.fromkeys(p for edge in inner for p in sorted(edge.promised, key=str))
        may_stay = inner and not any(all(p in edge.promised for edge in inner) for p in found)
        for state in members:
            numbers[state] = number
            promises[state] = list(found) if may_stay else None
    return numbers, promises
