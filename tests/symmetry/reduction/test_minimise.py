"""Complete minimisation of reductions against minimising the originals.

Theory: bisimilarity commutes with the group, so classes come in orbits, and the minimal original
has a reduction that is found on representatives only.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings

import naive.systems
from lts import LTS, LimitReached, Unsupported
from lts.equivalence import EQUIVALENCES, minimise
from lts.mucrl import generate, linearise, read
from lts.symmetry import (
    count,
    encode,
    expand,
    isomorphic,
    minimise_quotient,
    minimise_reduction,
    parse_permutation,
    parse_symmetry_file,
    reduce,
)
from lts.symmetry.data.certify import certified_quotient
from planted import written
from strategies import examples, group_symmetric_systems, symmetric_systems

BISIMULATIONS = [e.name for e in EQUIVALENCES.values() if e.family == "bisimulation"]
EVERY = pytest.mark.parametrize("kind", BISIMULATIONS)


def agrees(system, permutations, kind):
    reduction = reduce(system, permutations)
    least = minimise_reduction(reduction.encoding, reduction.symmetry, kind)
    symmetry = parse_symmetry_file(str(least.symmetry))
    expansion = expand(least.encoding, symmetry)
    expected = minimise(system, kind)
    size = (expected.state_count, expected.transition_count)
    assert (expansion.state_count, expansion.transition_count) == size
    assert count(least.encoding, symmetry) == size
    assert naive.systems.isomorphic(expansion, expected)


@EVERY
@settings(max_examples=examples(5))
@given(planted=group_symmetric_systems())
def test_groups_of_any_kind(kind, planted):
    system, generators = planted
    agrees(system, [written(images) for images in generators], kind)


@EVERY
@settings(max_examples=examples(2))
@given(planted=symmetric_systems())
def test_cyclic_groups(kind, planted):
    system, images = planted
    agrees(system, written(images), kind)


CASES = Path(__file__).parents[3] / "cases"
HIDDEN = {
    "abp": ["c2", "c3", "c5", "c6"],
    "peterson": ["setturn", "setflag", "wait"],
    "philosophers": ["get", "set", "up", "down", "think"],
}


def certified(case, n, *permutations):
    process = linearise(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    return certified_quotient(process, [parse_permutation(p) for p in permutations]).quotient


CYCLIC = [
    (case, n, (f"({point}1 .. {point}{n})",))
    for case, point in (("abp", "d"), ("peterson", "p"), ("philosophers", "p"))
    for n in (2, 3)
]
FULL = [
    (case, 3, (f"({point}1 {point}2)", f"({point}1 .. {point}3)"))
    for case, point in (("abp", "d"), ("peterson", "p"))
]


@pytest.mark.parametrize("kind", ["strong", "branching", "weak"])
@pytest.mark.parametrize(("case", "n", "permutations"), CYCLIC + FULL)
def test_case_studies(case, n, permutations, kind):
    hidden = [] if kind == "strong" else HIDDEN[case]
    least = minimise_quotient(certified(case, n, *permutations), kind, hide=hidden)
    original = generate(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    expected = minimise(original.hide(hidden), kind)
    assert least.count() == (expected.state_count, expected.transition_count)
    generators = [parse_permutation(p) for p in permutations]
    reduction = encode(least, generators, kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), expected)


@EVERY
@pytest.mark.parametrize(
    ("case", "n", "permutations"),
    [
        ("abp", 4, ("(d1 d2)", "(d1 .. d4)")),
        ("peterson", 4, ("(p1 p2)", "(p1 .. p4)")),
        ("mutex", 4, ("(p1 p2)", "(p1 .. p4)")),
        ("managers", 3, ("(p1 p2)", "(p1 .. p3)")),
    ],
)
def test_all_permutations_and_every_bisimulation(case, n, permutations, kind):
    original = generate(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    hidden = HIDDEN.get(case, [min(a for _, a, _ in original.transitions()).partition("(")[0]])
    least = minimise_quotient(certified(case, n, *permutations), kind, hide=hidden)
    expected = minimise(original.hide(hidden), kind)
    assert least.count() == (expected.state_count, expected.transition_count)
    generators = [parse_permutation(p) for p in permutations]
    reduction = encode(least, generators, kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), expected)


@pytest.mark.parametrize(
    ("case", "n", "kind", "orbits", "size"),
    [
        ("peterson", 2, "strong", 18, (34, 56)),
        ("peterson", 3, "strong", 117, (347, 753)),
        ("peterson", 4, "strong", 1198, (4784, 12892)),
        ("philosophers", 2, "strong", 491, (976, 1572)),
        ("philosophers", 3, "strong", 4956, (14856, 32058)),
        ("abp", 2, "strong", 36, (68, 86)),
        ("abp", 3, "strong", 36, (100, 128)),
        ("abp", 2, "weak", 2, (3, 4)),
        ("abp", 3, "weak", 2, (4, 6)),
        ("peterson", 2, "weak", 9, (16, 28)),
        ("peterson", 3, "weak", 56, (164, 375)),
        ("philosophers", 2, "weak", 20, (37, 70)),
        ("philosophers", 3, "weak", None, (291, 774)),
        ("abp", 3, "branching", None, (4, 6)),
        ("peterson", 2, "branching", None, (18, None)),
        ("peterson", 3, "branching", None, (194, None)),
        ("philosophers", 2, "branching", None, (37, None)),
    ],
)
def test_class_orbits_of_cyclic_groups(case, n, kind, orbits, size):
    point = "d" if case == "abp" else "p"
    hidden = [] if kind == "strong" else HIDDEN[case]
    least = minimise_quotient(certified(case, n, f"({point}1 .. {point}{n})"), kind, hide=hidden)
    assert orbits in (None, least.orbits)
    states, transitions = least.count()
    assert states == size[0]
    assert size[1] in (None, transitions)


def test_classes_split_without_splitting_orbits():
    """In the second round there are as many orbits of classes as in the first, and more classes."""
    rows = [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "b", 4), (3, "c(1)", 0), (4, "c(2)", 0)]
    system = LTS.from_transitions(rows)
    reduction = reduce(system, parse_permutation("(1 2)"))
    assert reduction.orbits == 3
    for kind in BISIMULATIONS:
        least = minimise_reduction(reduction.encoding, reduction.symmetry, kind)
        assert least.orbits == 3
        assert count(least.encoding, least.symmetry) == (5, 6)


def test_large_groups_are_searched_and_not_enumerated():
    """Clients of a server: the order is 14!, the classes are few."""
    clients = [f"c({i})" for i in range(14)]
    rows = [(0, client, i) for i, client in enumerate(clients, 1)]
    rows += [(i, f"d({i - 1})", 15) for i in range(1, 15)] + [(15, "tau", 16), (16, "e", 0)]
    permutations = [parse_permutation("(0 1)"), parse_permutation("(0 .. 13)")]
    system = LTS.from_transitions(rows)
    reduction = reduce(system, permutations)
    for kind in BISIMULATIONS:
        least = minimise_reduction(reduction.encoding, reduction.symmetry, kind)
        expected = minimise(system, kind)
        assert isomorphic(expand(least.encoding, least.symmetry), expected)


def test_node_limit_is_reported():
    rows = [(0, f"a({i},{j})", 1) for i in range(6) for j in range(6) if (i - j) % 6 == 1]
    reduction = reduce(LTS.from_transitions(rows), parse_permutation("(0 .. 5)"))
    with pytest.raises(LimitReached, match="1 choices"):
        minimise_reduction(reduction.encoding, reduction.symmetry, "strong", node_limit=1)


def test_hidden_labels_must_be_symmetric():
    system = LTS.from_transitions([(0, "a(1)", 1), (0, "a(2)", 2), (1, "b", 1), (2, "b", 2)])
    reduction = reduce(system, parse_permutation("(1 2)"))
    with pytest.raises(Unsupported, match=r"`a\(1\)` is hidden and its image `a\(2\)` is not"):
        minimise_reduction(reduction.encoding, reduction.symmetry, "weak", hide=["a(1)"])
    least = minimise_reduction(reduction.encoding, reduction.symmetry, "weak", hide=["a"])
    assert count(least.encoding, least.symmetry) == (1, 1)


def test_only_bisimulations_are_supported():
    reduction = reduce(LTS.from_transitions([(0, "a", 1)]), parse_permutation("(a)"))
    with pytest.raises(Unsupported, match="minimised modulo bisimulations"):
        minimise_reduction(reduction.encoding, reduction.symmetry, "trace")


@settings(max_examples=examples(2))
@given(planted=group_symmetric_systems())
def test_hiding_and_minimising_again(planted):
    """Hiding in the quotient is hiding in the original; a minimal one stays what it is."""
    system, generators = planted
    permutations = [written(images) for images in generators]
    reduction = reduce(system, permutations)
    hidden = {images["a"] for images in generators} | {"a"}
    for images in generators * 4:
        hidden |= {images[label] for label in hidden}
    least = minimise_reduction(reduction.encoding, reduction.symmetry, "weak", hide=hidden)
    again = minimise_reduction(least.encoding, least.symmetry, "weak")
    expected = minimise(system.hide(hidden), "weak")
    for found in (least, again):
        assert naive.systems.isomorphic(expand(found.encoding, found.symmetry), expected)
    assert again.orbits == least.orbits
