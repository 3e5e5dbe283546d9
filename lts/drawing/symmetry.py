"""Pictures of a symmetry: the orbits of a system and of its reduction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lts.drawing.limits import check_size
from lts.drawing.panel import Panel
from lts.errors import NotSymmetric
from lts.symmetry.labels.automorphism import check
from lts.symmetry.labels.detection import find_symmetry
from lts.symmetry.labels.orbits import label_orbits, orbits_in_encoding, state_orbits
from lts.symmetry.permutation.notation import Permutation
from lts.symmetry.reduction.rho_encoding import reduce
from lts.system.lts import LTS

__all__ = ["found_panels", "panels"]


def panels(
    system: LTS, permutations: Sequence[Permutation], *, max_states: int | None = None
) -> list[Panel]:
    """Return the reachable part of a system and its reduction, with one colour for each orbit.

    Raises `NotSymmetric` and `LimitReached` as `check` does, `LtsError` for a system that is too
    large.
    """
    system = _small(system, max_states)
    orbits = state_orbits(system, permutations)
    reduction = reduce(system, permutations)
    labels = label_orbits(system, permutations)
    encoding = reduction.encoding
    rho = frozenset(a for a in encoding.labels if a.startswith(f"{reduction.symmetry.rho}("))
    theirs = orbits_in_encoding(system, orbits, encoding, rho, labels)
    shown = _coloured(orbits)
    return [
        Panel(f"original: {_sizes(system)}", system, tuple(shown[orbit] for orbit in orbits)),
        Panel(
            f"reduction: {_sizes(encoding)}",
            encoding,
            tuple(shown[orbit] for orbit in theirs),
            rho,
        ),
    ]


def found_panels(system: LTS, *, max_states: int | None = None) -> tuple[Panel, list[Permutation]]:
    """Return the reachable part of a system, coloured by the orbits of all its symmetries.

    The second result has the permutations of labels under which it is bisimilar to its image, but
    which are symmetries of states only after minimisation.
    """
    system = _small(system, max_states)
    symmetries, others = [], []
    for permutation in find_symmetry(system).generators:
        try:
            check(system, permutation)
        except NotSymmetric:
            others.append(permutation)
        else:
            symmetries.append(permutation)
    orbits = state_orbits(system, symmetries)
    shown = _coloured(orbits)
    return Panel(_sizes(system), system, tuple(shown[orbit] for orbit in orbits)), others


def _small(system: LTS, max_states: int | None) -> LTS:
    reachable = system.reachable()
    check_size(reachable, max_states)
    return reachable


def _sizes(system: LTS) -> str:
    states, transitions = system.state_count, system.transition_count
    return (
        f"{states} state{'s' * (states != 1)}, {transitions} transition{'s' * (transitions != 1)}"
    )


def _coloured(orbits: Sequence[int]) -> dict[int, int | None]:
    """Return a number for each orbit, None for singletons."""
    shown: dict[int, int | None] = {}
    colours = 0
    for orbit, size in Counter(orbits).items():
        shown[orbit] = colours if size > 1 else None
        colours += shown[orbit] is not None
    return shown
