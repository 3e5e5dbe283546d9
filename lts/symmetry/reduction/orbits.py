"""The orbits of a reduction and of its original, state by state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lts.errors import Defect
from lts.symmetry.permutation.file import Symmetry
from lts.symmetry.reduction.rho_encoding import expand
from lts.system import LTS

__all__ = ["original_with_orbits"]


def original_with_orbits(encoding: LTS, symmetry: Symmetry) -> tuple[LTS, list[int], list[int]]:
    """Return the original of a reduction, and the orbit of each state of it and of the encoding.

    Orbits are numbered by their first states in the encoding. Expansion itself tells them: what
    each member of an orbit has is a loop that says which orbit it is. Raises what `expand` does.
    """
    original = expand(encoding, symmetry)
    rows = list(encoding.transitions())
    jumps = [(s, t) for s, label, t in rows if label.startswith(f"{symmetry.rho}(")]
    theirs = _orbits(encoding.state_count, jumps)
    mark = "orbit "
    while any(label.startswith(mark) for label in (*encoding.labels, *original.labels)):
        mark = f"{mark}of "
    loops = {orbit: state for state, orbit in reversed(list(enumerate(theirs)))}
    marked = LTS.from_transitions(
        [*rows, *((state, f"{mark}{orbit}", state) for orbit, state in loops.items())],
        initial=encoding.initial,
        state_count=encoding.state_count,
    ).with_internal(encoding.internal)
    expanded = expand(marked, replace(symmetry, encoding=None, transitions=None))
    found = [-1] * original.state_count
    others = set()
    for source, label, target in expanded.transitions():
        if label.startswith(mark):
            found[source] = int(label.removeprefix(mark))
        else:
            others.add((source, label, target))
    if others != set(original.transitions()) or -1 in found:
        raise Defect("the original is another one where its orbits are marked")
    return original, found, theirs


def _orbits(count: int, jumps: Sequence[tuple[int, int]]) -> list[int]:
    """Return a number for each state, the same for those that jumps lead to from each other."""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in jumps:
        near[one].append(other)
        near[other].append(one)
    found = [-1] * count
    orbit = 0
    for start in range(count):
        if found[start] >= 0:
            continue
        waiting = [start]
        found[start] = orbit
        while waiting:
            for state in near[waiting.pop()]:
                if found[state] < 0:
                    found[state] = orbit
                    waiting.append(state)
        orbit += 1
    return found
