"""Orbits of states and labels, and where they are in a reduction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lts.symmetry.labels.automorphism import check, reachable_labels
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.notation import Permutation, parse_permutation
from lts.system import LTS

__all__ = ["label_orbits", "orbits_in_encoding", "state_orbits"]


def state_orbits(system: LTS, permutations: Sequence[Permutation]) -> list[int]:
    """Return the orbit of each state of a system, all of which are reachable and numbered breadth
    first: the least state of it. Raises what `check` does."""
    columns = check(system, permutations).states if permutations else ()
    pairs = [pair for column in columns for pair in enumerate(column.tolist())]
    return _joined(system.state_count, pairs)


def label_orbits(system: LTS, permutations: Iterable[Permutation]) -> Mapping[str, int]:
    """Return a number for the orbit of each label."""
    used = reachable_labels(system)
    images = [lift_labels(p, used, system.internal) for p in permutations]
    labels = list(dict.fromkeys([*system.labels, *(label for image in images for label in image)]))
    numbers = {label: number for number, label in enumerate(labels)}
    pairs = [(numbers[a], numbers[b]) for image in images for a, b in image.items()]
    return dict(zip(labels, _joined(len(labels), pairs), strict=True))


def _joined(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return the least member of everyone's class, where pairs are in one class."""
    leaders = list(range(count))

    def leader(member: int) -> int:
        while leaders[member] != member:
            leaders[member] = leaders[leaders[member]]
            member = leaders[member]
        return member

    for one, other in pairs:
        least, most = sorted((leader(one), leader(other)))
        leaders[most] = least
    return [leader(member) for member in range(count)]


def orbits_in_encoding(
    system: LTS,
    orbits: Sequence[int],
    encoding: LTS,
    rho: frozenset[str],
    labels: Mapping[str, int],
) -> list[int]:
    """Return for each state of an encoding the orbit of the original that it is of.

    A system and its encoding, with orbits as states and as labels, are isomorphic. The isomorphism
    is found as the symmetry that swaps both in a system which begins with the choice of one.
    """
    rows = list(encoding.transitions())
    theirs = _joined(encoding.state_count, [(s, t) for s, a, t in rows if a in rho])
    shift = 1 + system.state_count
    both = [(0, "original", 1 + orbits[system.initial])]
    both.append((0, "encoding", shift + theirs[encoding.initial]))
    both += [(1 + orbits[s], str(labels[a]), 1 + orbits[t]) for s, a, t in system.transitions()]
    both += [
        (shift + theirs[s], str(labels[a]), shift + theirs[t]) for s, a, t in rows if a not in rho
    ]
    both = list(dict.fromkeys(both))
    # The image of a state is told by its number breadth first: loops tell which number it is.
    known = dict.fromkeys(state for s, _, t in both for state in (s, t))
    marked = LTS.from_transitions([*both, *((s, f"is {s}", s) for s in known)]).reachable()
    names = {s: int(a[3:]) for s, a, _ in marked.transitions() if a.startswith("is ")}
    swap = parse_permutation('("original" "encoding")')
    images = check(LTS.from_transitions(both), swap).states[0].tolist()
    image_of = {names[state]: names[image] for state, image in enumerate(images)}
    return [image_of[shift + orbit] - 1 for orbit in theirs]
