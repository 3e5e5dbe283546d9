"""Pictures: orbits of a system and of its reduction."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS
from lts.drawing.svg import svg
from lts.drawing.symmetry import panels
from lts.symmetry import check, parse_permutation
from strategies import examples


@st.composite
def rotating_systems(draw):
    """Draw a system over copies of states that are rotated with the data."""
    free = draw(st.integers(0, 3))
    states = [(-1, 0)] + [(i, k) for i in range(free) for k in range(3)]
    turn = {(i, k): (i, (k + 1) % 3) if i >= 0 else (i, k) for i, k in states}
    label = st.sampled_from(["tau", "a(0)", "a(1)", "b(2)", "c"])
    row = st.tuples(st.sampled_from(states), label, st.sampled_from(states))
    rows = set(draw(st.lists(row, max_size=6)))
    for _ in range(2):
        rows |= {(turn[s], a.translate(str.maketrans("012", "120")), turn[t]) for s, a, t in rows}
    numbers = {state: number for number, state in enumerate(states)}
    triples = sorted((numbers[s], a, numbers[t]) for s, a, t in rows)
    return LTS.from_transitions(triples, state_count=len(states))


def orbits_of(system, permutation):
    """Return the orbit of every state: what the powers of the automorphism lead to."""
    image = check(system, permutation).states[0].tolist()
    found = []
    for state in range(system.state_count):
        orbit, at = {state}, image[state]
        while at != state:
            orbit.add(at)
            at = image[at]
        found.append(frozenset(orbit))
    return found


@settings(max_examples=examples(1.5))
@given(rotating_systems())
def test_colours_are_orbits(system):
    permutation = parse_permutation("(0 1 2)")
    original, reduction = panels(system, [permutation])
    orbits = orbits_of(original.system, permutation)
    colour_of = dict(zip(orbits, original.orbits, strict=True))
    for orbit, colour in zip(orbits, original.orbits, strict=True):
        assert colour == colour_of[orbit]
        assert (colour is None) == (len(orbit) == 1)
    colours = [colour for colour in colour_of.values() if colour is not None]
    assert len(colours) == len(set(colours))
    # Each stored transition is one between orbits of these colours, by a label of its orbit.
    known = {
        (original.orbits[s], a.translate(str.maketrans("12", "00")), original.orbits[t])
        for s, a, t in original.system.transitions()
    }
    for s, a, t in reduction.system.transitions():
        one, other = reduction.orbits[s], reduction.orbits[t]
        if a in reduction.jumps:
            assert one == other
        else:
            assert (one, a.translate(str.maketrans("12", "00")), other) in known
    assert set(reduction.orbits) == set(original.orbits)
    assert svg([original, reduction]) == svg(panels(system, [permutation]))
