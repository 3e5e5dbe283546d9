"""Symmetry up to a bisimulation: a system is equivalent to its image under a permutation of labels.

Theory, section 1: an automorphism implies it, and on a minimal system it implies an automorphism,
which is unique and of an order that divides that of the permutation.
"""

from itertools import permutations
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, NotSymmetric
from lts.equivalence import minimise
from lts.symmetry import check, check_bisimilar, parse_permutation
from naive import relations
from naive.systems import bisimilar
from planted import expand_identity, written
from strategies import examples, group_symmetric_systems, systems

SWAP = {"a": "b", "b": "a"}


def renamed(system, images):
    rows = [(s, images.get(a, a), t) for s, a, t in system.transitions()]
    return LTS.from_transitions(rows, initial=system.initial, state_count=system.state_count)


def related(left, right, kind):
    shift = left.state_count
    rows = [*left.transitions(), *((s + shift, a, t + shift) for s, a, t in right.transitions())]
    both = LTS.from_transitions(rows, state_count=shift + right.state_count)
    return (left.initial, shift + right.initial) in relations.related(both, kind)


def traces(system, length, weak):
    """All visible traces up to a length, or all traces."""
    found, front = {()}, {((), system.initial)}
    rows = list(system.transitions())
    seen = set(front)
    while front:
        after = set()
        for trace, state in front:
            for s, a, t in rows:
                step = trace if weak and a == "tau" else (*trace, a)
                if s == state and len(step) <= length:
                    after.add((step, t))
        front = after - seen
        seen |= front
        found |= {trace for trace, _ in front}
    return found


@pytest.mark.parametrize("kind", ["strong", "branching", "weak"])
@settings(max_examples=examples(2))
@given(system=systems(max_states=5, max_transitions=9))
def test_verdict_matches_definition(kind, system):
    """The witness, where it is a trace, is a shortest one that one of the two has."""
    image = renamed(system, SWAP)
    if related(system, image, kind):
        check_bisimilar(system, written(SWAP), kind)
        return
    with pytest.raises(NotSymmetric) as refused:
        check_bisimilar(system, written(SWAP), kind)
    owner, _, shown = refused.value.witness.partition("\n  ")
    if "has the trace" not in owner:
        assert "property" in owner
        return
    trace, weak = tuple(shown.split()), kind != "strong"
    mine, other = (traces(one, len(trace), weak) for one in (system, image))
    if owner.startswith("only the image"):
        mine, other = other, mine
    assert trace in mine - other
    if not weak:  # else internal steps count
        assert min(len(one) for one in mine ^ other) == len(trace)


@settings(max_examples=examples(2))
@given(planted=group_symmetric_systems())
def test_automorphism_implies_permutation_bisimulation(planted):
    system, generators = planted
    for kind in ("strong", "weak", "rooted-branching", "divergence-preserving-weak"):
        check_bisimilar(system, [written(images) for images in generators], kind)


@settings(max_examples=examples(3))
@given(system=systems(max_states=6, labels=("a", "b", "c", "d"), max_transitions=9), data=st.data())
def test_minimal_systems_have_a_unique_automorphism(system, data):
    """Uniqueness: sigma is the only one for pi, and its order divides that of pi."""
    images = dict(zip("abcd", data.draw(st.permutations("abcd")), strict=True))
    least = expand_identity(minimise(system, "strong"))
    rows = set(least.transitions())
    candidates = [(0, *rest) for rest in permutations(range(1, least.state_count))]
    found = [
        sigma
        for sigma in candidates
        if {(sigma[s], images[a], sigma[t]) for s, a, t in rows} == rows
    ]
    assert len(found) == bisimilar(least, renamed(least, images)) <= 1
    if not found:
        with pytest.raises(NotSymmetric):
            check(least, written(images))
        return
    assert tuple(check(least, written(images)).states[0].tolist()) == found[0]
    used = {a: images[a] for _, a, _ in rows}
    assert order(used) % order(dict(enumerate(found[0]))) == 0


def order(images):
    """The order of a permutation."""
    lengths = []
    for start in images:
        at, length = images[start], 1
        while at != start:
            at, length = images[at], length + 1
        lengths.append(length)
    return lcm(*lengths)


def test_weak_symmetry_without_strong_symmetry():
    rows = [(0, "a", 1), (0, "b", 2), (1, "tau", 3)]
    system, swap = LTS.from_transitions(rows), parse_permutation("(a b)")
    check_bisimilar(system, swap, "weak")
    with pytest.raises(NotSymmetric, match=r"only the .*has the trace\n  [ab] tau"):
        check_bisimilar(system, swap)


def test_witness_is_a_formula_for_equal_traces():
    rows = [(0, "a", 1), (1, "c", 2), (1, "d", 2), (0, "b", 3), (0, "b", 4), (3, "c", 2)]
    rows += [(4, "d", 2), (4, "c", 2)]
    with pytest.raises(NotSymmetric, match="property"):
        check_bisimilar(LTS.from_transitions(rows), parse_permutation("(a b)"))
