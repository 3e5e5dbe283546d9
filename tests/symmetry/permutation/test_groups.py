"""Reductions under groups of several generators: lossless, exactly counted, one row an orbit."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aut_format import dumps, loads
from lts import LTS, FormatError, NotSymmetric
from lts.mucrl import generate, linearise, read_text
from lts.symmetry import (
    ORDERS,
    check,
    count,
    encode,
    expand,
    parse_permutation,
    parse_symmetry_file,
    reduce,
)
from lts.symmetry.data.certify import certified_quotient
from naive.groups import closure
from naive.systems import isomorphic
from planted import expand_identity, reachable, written
from strategies import examples, group_symmetric_systems


def orbits(rows, generators):
    """The orbits of transitions under pairs of permutations, from the definition."""
    found = set()
    for row in rows:
        orbit, waiting = set(), [row]
        while waiting:
            s, a, t = waiting.pop()
            if (s, a, t) not in orbit:
                orbit.add((s, a, t))
                waiting += [(sigma[s], images[a], sigma[t]) for sigma, images in generators]
        found.add(frozenset(orbit))
    return found


@settings(max_examples=examples(4))
@given(group_symmetric_systems(), st.sampled_from(ORDERS))
def test_a_reduction_expands_to_the_original(planted, order):
    system, generators = planted
    permutations = [written(images) for images in generators]
    found = check(system, permutations)
    reduction = reduce(system, permutations, order=order)
    symmetry = parse_symmetry_file(str(reduction.symmetry))
    assert symmetry == reduction.symmetry
    original = expand(reduction.encoding, symmetry)
    assert isomorphic(original, system)
    states, rows = reachable(system)
    assert (original.state_count, original.transition_count) == (len(states), len(rows))
    assert count(reduction.encoding, symmetry) == (len(states), len(rows))
    assert (symmetry.states, symmetry.transitions) == (len(states), len(rows))
    # One row for each orbit of transitions, and the order is that of the pairs.
    sigmas = [column.tolist() for column in found.states]
    rows = set(expand_identity(system).transitions())
    used = {a for _, a, _ in rows}
    maps = [{a: images[a] for a in used} for images in generators]
    assert reduction.stored == len(orbits(rows, list(zip(sigmas, maps, strict=True))))
    names = sorted(used)
    pairs = [
        [*sigma, *(len(sigma) + names.index(images[a]) for a in names)]
        for sigma, images in zip(sigmas, maps, strict=True)
    ]
    assert found.order == len(closure([tuple(range(len(pairs[0])))], pairs))


@given(group_symmetric_systems())
def test_a_reduction_survives_a_file(planted):
    system, generators = planted
    reduction = reduce(system, [written(images) for images in generators])
    encoding = loads(dumps(reduction.encoding))
    assert isomorphic(expand(encoding, reduction.symmetry), system)


def mutex(n):
    """N, T or C for each of n processes; one at most in C (Donaldson, L737-759)."""
    names = ",".join(f"p{i}" for i in range(1, n + 1))
    processes = "||".join(f"P(p{i})" for i in range(1, n + 1))
    return f"""sort Bool func T,F:->Bool
    sort Pid func {names}:->Pid
    act try,enter,leave:Pid get1,get2,get,put1,put2,put
    comm get1|get2=get put1|put2=put
    proc P(i:Pid) = try(i).get1.enter(i).put1.leave(i).P(i)
         Lock = get2.put2.Lock
    init encap({{get1,get2,put1,put2}},{processes}||Lock)"""


def symmetric_group(n):
    cycle = " ".join(f"p{i}" for i in range(1, n + 1))
    return [parse_permutation("(p1 p2)"), parse_permutation(f"({cycle})")]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_full_symmetric_group_of_a_specification(n):
    specification = read_text(mutex(n))
    system = generate(specification)
    process = linearise(specification)
    for permutations in (symmetric_group(n), symmetric_group(n)[1]):
        certified = certified_quotient(process, permutations)
        assert certified.quotient.count() == (system.state_count, system.transition_count)
        for order in ORDERS:
            reduction = encode(certified.quotient, permutations, kind="sorts", order=order)
            symmetry = parse_symmetry_file(str(reduction.symmetry))
            assert count(reduction.encoding, symmetry) == certified.quotient.count()
            assert isomorphic(expand(reduction.encoding, symmetry), system)
    full = certified_quotient(process, symmetric_group(n))
    assert full.order == math.factorial(n)
    # A state is how many processes are where, and which step the one inside has reached.
    cyclic = certified_quotient(process, symmetric_group(n)[1])
    assert full.quotient.orbits <= cyclic.quotient.orbits


def test_asymmetric_generator_is_named():
    text = mutex(3).replace("P(p3)", "Q(p3)").replace("Lock =", "Q(i:Pid) = leave(i).P(i) Lock =")
    with pytest.raises(NotSymmetric, match=r"`\(p1 p2 p3\)` is no symmetry"):
        certified_quotient(linearise(read_text(text)), symmetric_group(3))


def test_element_outside_the_group_is_refused():
    rows = [(0, f"a({i})", i) for i in range(1, 5)]
    system = LTS.from_transitions(rows)
    reduction = reduce(system, [parse_permutation("(1 2)"), parse_permutation("(3 4)")])
    wrong = LTS.from_transitions([*reduction.encoding.transitions(), (0, "rho(1 3)", 0)])
    with pytest.raises(FormatError, match="no element of the group"):
        expand(wrong, reduction.symmetry)
    unknown = LTS.from_transitions([*reduction.encoding.transitions(), (0, "rho(7 8)", 0)])
    with pytest.raises(FormatError, match="not a point of the group"):
        expand(unknown, reduction.symmetry)


def test_identified_states_are_refused():
    system = LTS.from_transitions([(0, f"a({i})", i) for i in range(1, 4)])
    reduction = reduce(system, [parse_permutation("(1 2)"), parse_permutation("(1 2 3)")])
    target = next(t for s, a, t in reduction.encoding.transitions() if a.startswith("a"))
    rows = [*reduction.encoding.transitions(), (target, "rho()", 7)]
    with pytest.raises(FormatError, match="are one state"):
        expand(LTS.from_transitions(rows), reduction.symmetry)


def test_group_of_order_20_factorial_is_not_enumerated():
    """All 20 data of a star can be exchanged: the order is 20!."""
    system = LTS.from_transitions([(0, f"a({i})", i + 1) for i in range(20)])
    cycle = " ".join(map(str, range(20)))
    found = check(system, [parse_permutation("(0 1)"), parse_permutation(f"({cycle})")])
    assert found.order == math.factorial(20)
    assert (found.quotient.orbits, found.quotient.stored) == (2, 1)
    assert found.quotient.count() == (21, 20)


def test_quotient_is_that_of_the_generated_group():
    """Products of generators are symmetries too: the quotient is that of the whole group."""
    system = LTS.from_transitions(
        [(0, f"a({i},{j})", 1 + 3 * i + j) for i, j in itertools.product(range(3), repeat=2)]
    )
    found = check(system, [parse_permutation("(0 1)"), parse_permutation("(0 1 2)")])
    assert found.order == 6
    assert (found.quotient.orbits, found.quotient.stored) == (3, 2)
    assert found.quotient.count() == (10, 9)


def test_symmetry_file_roundtrips_unicode_names():
    permutation = parse_permutation('("\U0001f600" "it\'s")')
    symmetry = reduce(LTS.from_transitions([(0, "a", 0)]), permutation).symmetry
    assert parse_symmetry_file(str(symmetry)) == symmetry


def test_symmetry_file_roundtrips_parameter_like_names():
    """A reduction of labels with `@{1}` is expanded to what it was made from."""
    system = LTS.from_transitions([(0, "@{1}", 1), (0, "@{2}", 1), (1, "1", 0), (1, "@{", 0)])
    permutation = parse_permutation('("@{1}" "@{2}")')
    reduction = reduce(system, permutation)
    symmetry = parse_symmetry_file(str(reduction.symmetry), parameters={"N": 3})
    assert symmetry == reduction.symmetry
    assert isomorphic(expand(reduction.encoding, symmetry), system)


def test_absent_names_do_not_change_state_orbits():
    """Both permutations swap b and c, by one automorphism of order 4; one swaps names beside."""
    rows = [(0, "b", 1), (0, "b", 2), (0, "c", 3), (0, "c", 4)]
    rows += [(1, "b", 3), (2, "b", 4), (3, "c", 2), (4, "c", 1)]
    system = LTS.from_transitions(rows)
    permutations = [parse_permutation('("a" "d") ("b" "c")'), parse_permutation('("b" "c")')]
    assert check(system, permutations).order == 4
    reduction = reduce(system, permutations)
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


def test_full_symmetric_group_of_600_elements():
    """The group is known by its orbits: no table has a row for each of its levels and elements."""
    n = 600
    steps = [(0, f"take({i})", i) for i in range(1, n + 1)]
    steps += [(i, f"give({i})", 0) for i in range(1, n + 1)]
    system = LTS.from_transitions(steps)
    generators = [parse_permutation("(1 2)"), parse_permutation(f"(1 .. {n})")]
    found = reduce(system, generators)
    assert found.symmetry.order == math.factorial(n)
    assert expand(found.encoding, found.symmetry).transition_count == system.transition_count
    assert found.encoding.state_count == 2
