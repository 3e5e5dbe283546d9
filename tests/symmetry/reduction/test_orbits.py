"""The orbits of a reduction and its original."""

import pytest
from hypothesis import given

from lts import LTS, NotSymmetric, mucrl
from lts.linear.linearise import linearise
from lts.symmetry import check, parse_permutation, reduce
from lts.symmetry.reduction.orbits import original_with_orbits
from strategies import group_symmetric_systems, symmetric_systems


def permutations(images):
    """Return a permutation of labels in quotes, None for the identity."""
    left = {key: image for key, image in images.items() if key != image}
    cycles = []
    while left:
        cycle = [next(iter(left))]
        while (image := left.pop(cycle[-1])) != cycle[0]:
            cycle.append(image)
        quoted = " ".join(f'"{label}"' for label in cycle)
        cycles.append(f"({quoted})")
    return parse_permutation("".join(cycles)) if cycles else None


def joined(count, columns):
    """Return the set of states that each state is sent to, and they to, and so on."""
    found = [{state} for state in range(count)]
    for column in columns:
        for state, image in enumerate(column):
            both = found[state] | found[image]
            for each in both:
                found[each] = both
    return found


def holds(system, generators):
    try:
        columns = check(system, generators).states
    except NotSymmetric:
        return
    found = reduce(system, generators)
    original, orbits, theirs = original_with_orbits(found.encoding, found.symmetry)
    assert len(set(orbits)) == found.orbits
    assert set(orbits) == set(theirs) == set(range(found.orbits))
    # Orbits have the sizes that the automorphisms give them.
    expected = joined(len(columns[0]), [column.tolist() for column in columns])
    sizes = sorted(len(each) for each in {frozenset(each) for each in expected})
    assert sorted(orbits.count(orbit) for orbit in set(orbits)) == sizes
    # Steps of the original are between the orbits that the encoding has steps between.
    rho = f"{found.symmetry.rho}("
    steps = {(theirs[s], theirs[t]) for s, a, t in found.encoding if not a.startswith(rho)}
    assert {(orbits[s], orbits[t]) for s, _, t in original} == steps


def test_label_numbers_are_preserved_by_orbit_marks():
    """States of an original are numbered in the order of its labels."""
    rows = [(0, "b", 2), (0, "c", 3), (2, "a", 4), (2, "c", 1), (3, "a", 4), (3, "b", 1)]
    holds(LTS.from_transitions(rows), [parse_permutation("(b c)")])


@given(symmetric_systems())
def test_a_planted_symmetry(drawn):
    system, images = drawn
    if (permutation := permutations(images)) is not None:
        holds(system, [permutation])


@given(group_symmetric_systems())
def test_planted_groups(drawn):
    system, several = drawn
    if generators := [found for found in map(permutations, several) if found is not None]:
        holds(system, generators)


def test_labels_may_resemble_orbit_marks():
    rows = [(0, "orbit 1", 1), (0, "orbit of 2", 2), (1, "c", 0), (2, "c", 0)]
    system = LTS.from_transitions(rows)
    found = reduce(system, [parse_permutation('("orbit 1" "orbit of 2")')])
    _, orbits, theirs = original_with_orbits(found.encoding, found.symmetry)
    assert orbits == [0, 1, 1]
    assert set(theirs) == {0, 1}


@pytest.mark.parametrize("case", ["lamps", "peterson"])
def test_symmetries_of_specifications(case, tmp_path):
    from ltstool.main import main

    out = str(tmp_path / "r.aut")
    given = ["--symmetry", f"cases/{case}.sym", "-o", out]
    assert main(["reduce", f"cases/{case}.mcrl", *given]) == 0
    from lts.symmetry import read_reduction

    encoding, symmetry = read_reduction(out)
    original, orbits, theirs = original_with_orbits(encoding, symmetry)
    assert original.state_count == symmetry.states
    assert set(orbits) == set(theirs)
    states = mucrl.generate(linearise(mucrl.read(f"cases/{case}.mcrl"))).state_count
    assert states == original.state_count
