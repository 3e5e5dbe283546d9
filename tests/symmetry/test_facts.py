"""Facts about an original, from its quotient alone: those of the system that is built."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exchangeable
from facts import counted, reported
from lts import LTS
from lts.mucrl import linearise, read, read_text
from lts.symmetry import (
    certified_quotient,
    check,
    facts_of_original,
    parse_permutation,
    parse_symmetry_file,
)

CASES = Path(__file__).parents[2] / "cases"
IDS = (1, 2, 3)
GROUPS = {
    "(1 2 3)": [(1, 2, 3), (2, 3, 1), (3, 1, 2)],
    "(1 2), (1 2 3)": [*permutations(IDS)],
}
ROW = st.tuples(
    st.integers(0, 3), st.sampled_from(["a", "b", "u", "tau"]), st.integers(0, 5), st.integers(0, 3)
)


def after(one, other):
    return tuple(one[i - 1] for i in other)


@st.composite
def symmetric_systems(draw):
    """A state, and copies of others: one for each element of a group, or of few for each id."""
    name = draw(st.sampled_from(sorted(GROUPS)))
    group = GROUPS[name]
    few = draw(st.sets(st.integers(0, 3)))

    def number(orbit, element):
        # Of few orbits the states are told apart by where 1 goes.
        return (orbit, element[0] if orbit in few else element)

    entry = draw(st.integers(0, 3))
    rows = {("start", "u", number(entry, element)) for element in group}
    for source, label, shift, target in draw(st.lists(ROW, max_size=6)):
        for element in group:
            moved = after(element, group[shift % len(group)])
            text = f"{label}({element[0]})" if label in "ab" else label
            rows.add((number(source, element), text, number(target, moved)))
    numbers = {}
    for row in [("start", "", "start"), *sorted(rows, key=str)]:
        numbers.setdefault(row[0], len(numbers))
        numbers.setdefault(row[2], len(numbers))
    steps = [(numbers[s], label, numbers[t]) for s, label, t in sorted(rows, key=str)]
    return LTS.from_transitions(steps).reachable(), name


def replayed(system, trace):
    states = {system.initial}
    steps = list(system.transitions())
    for label in trace:
        states = {t for s, a, t in steps if s in states and a == label}
    return states


@given(symmetric_systems())
def test_facts_of_symmetric_systems_match_counts(example):
    system, name = example
    if not any("(1)" in label for label in system.labels):
        return
    generators = [parse_permutation(text) for text in name.split(", ")]
    quotient = check(system, generators).quotient
    facts = facts_of_original(quotient, nearest=100)
    assert reported(facts) == counted(system)
    assert sum(size * number for size, number in facts.orbit_sizes) == system.state_count
    assert sum(number for _, number in facts.orbit_sizes) == facts.orbits
    dead = system.deadlock_states()
    assert sum(each.states for each in facts.nearest_deadlocks) == dead.count()
    nearest = sorted(len(rows) for _, rows in system.nearest_deadlocks(system.state_count))
    lengths = Counter()
    for each in facts.nearest_deadlocks:
        assert any(dead[state] for state in replayed(system, each.trace))
        lengths[len(each.trace)] += each.states
    assert sorted(lengths.elements()) == nearest


@given(
    st.lists(exchangeable.STEP, min_size=1, max_size=6),
    st.sampled_from(["(p1 p2)", "(p1 p2 p3)", "(p1 p2), (p1 p2 p3)"]),
    st.booleans(),
)
def test_specifications(steps, name, hidden):
    first = (0, "u", None, 1, ("some(p)", "a"))
    generators = [parse_permutation(text) for text in name.split(", ")]
    quotient = certified_quotient(
        linearise(read_text(exchangeable.text([first, *steps]))), generators
    ).quotient
    if hidden:
        quotient = quotient.hide([b"u", b"h"])
    facts = facts_of_original(quotient)
    assert facts.nearest_deadlocks == ()
    assert reported(facts) == counted(LTS(quotient.expand()))


@pytest.mark.parametrize(
    ("case", "sizes"),
    [
        # One user may be critical, or none; of the others any number tries.
        ("mutex", ((6, 1), (3, 4), (1, 2))),
        # No name has a code; one; both the same; both another one.
        ("phonebook", ((4, 1), (2, 2), (1, 1))),
    ],
)
def test_sizes_of_orbits(case, sizes):
    parameters = {"N": 3 if case == "mutex" else 2}
    process = linearise(read(CASES / f"{case}.mcrl", parameters=parameters))
    symmetry = (CASES / f"{case}.sym").read_text()
    generators = parse_symmetry_file(symmetry, parameters=parameters).generators
    facts = facts_of_original(certified_quotient(process, generators).quotient)
    assert facts.orbit_sizes == sizes


@pytest.mark.parametrize(("count", "size"), [(1, 6), (2, 3), (3, 2)])
def test_component_counts_under_partial_movement(count, size):
    # A ring of `size` states `count` times: going round once is a power of the generator.
    ids = range(6)
    turn = f"({' '.join(map(str, ids))})"
    steps = [(0, f"i({k})", 1 + k) for k in ids]
    steps += [(1 + k, f"a({k})", 1 + (k + count) % 6) for k in ids]
    quotient = check(LTS.from_transitions(steps), [parse_permutation(turn)]).quotient
    found = facts_of_original(quotient).components
    assert found.cyclic == ((size, count),)
