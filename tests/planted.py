"""Common parts of tests of planted symmetries: systems, their reachable part, permutations."""

from hypothesis import strategies as st

from lts import LTS
from lts.symmetry import parse_permutation
from lts.symmetry.permutation.notation import Element, Permutation
from strategies import group_symmetric_systems, symmetric_systems


def as_permutation(images):
    left, cycles = {a: b for a, b in images.items() if a != b}, []
    while left:
        cycle = [next(iter(left))]
        while (following := left.pop(cycle[-1])) != cycle[0]:
            cycle.append(following)
        cycles.append(tuple(Element(label, quoted=True) for label in cycle))
    return Permutation(tuple(cycles))


planted = st.one_of(
    symmetric_systems().map(lambda pair: (pair[0], [pair[1]])), group_symmetric_systems()
).map(lambda pair: (pair[0], [as_permutation(images) for images in pair[1]]))


def written(images):
    """Return a permutation of labels in cycle notation, as whole labels."""
    cycles, seen = [], set()
    for start in images:
        cycle, at = [], start
        while at not in seen:
            seen.add(at)
            cycle.append(at)
            at = images[at]
        if len(cycle) > 1:
            cycles.append("(" + " ".join(f'"{label}"' for label in cycle) + ")")
    return parse_permutation(" ".join(cycles) or '("a")')


def reachable(system):
    rows = set(system.transitions())
    found, waiting = {system.initial}, [system.initial]
    while waiting:
        s = waiting.pop()
        for x, _, t in rows:
            if x == s and t not in found:
                found.add(t)
                waiting.append(t)
    return found, {row for row in rows if row[0] in found}


def expand_identity(system):
    """Return the reachable part, numbered breadth first in the order of the rows."""
    rows = list(system.transitions())
    numbers, order = {system.initial: 0}, [system.initial]
    for s in order:
        for x, _, t in rows:
            if x == s and t not in numbers:
                numbers[t] = len(order)
                order.append(t)
    kept = [(numbers[s], a, numbers[t]) for s, a, t in rows if s in numbers]
    return LTS.from_transitions(kept, state_count=len(order))
