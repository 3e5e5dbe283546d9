"""The certificate on random specifications: never wrong, and never a false alarm without reason."""

import pytest
from hypothesis import given, settings

from lts import NotProven, NotSymmetric
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import check, encode, expand, isomorphic, parse_permutation
from lts.symmetry.data.certify import STRATEGIES, certified_quotient, count_orbits
from strategies import examples
from three_processes import CYCLE, specifications


def quotient_of(text):
    specification = read_text(text)
    process = linearise(specification)
    certified = certified_quotient(
        process, parse_permutation(CYCLE), settings=Settings(limits=Limits(states=3000))
    )
    return generate(process), certified.quotient


@settings(max_examples=examples(1.5), deadline=None)
@given(specifications(constants=()))
def test_specifications_without_constants_are_proven(text):
    system, quotient = quotient_of(text)
    reduction = encode(quotient, parse_permutation(CYCLE), kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)
    assert quotient.count() == (system.state_count, system.transition_count)


@settings(max_examples=examples(1.5), deadline=None)
@given(specifications(constants=("d1", "e", "d3")))
def test_certified_permutations_are_automorphisms(text):
    try:
        system, quotient = quotient_of(text)
    except (NotProven, NotSymmetric):
        return
    check(system, parse_permutation(CYCLE))
    reduction = encode(quotient, parse_permutation(CYCLE), kind="sorts", order="bfs")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)
    assert quotient.count() == (system.state_count, system.transition_count)


# Each generator permutes the two values and comes back to where it began, but together they do more
# to them than to the processes: a product that moves no process exchanges them.
UNRULY = """sort Bool func T,F:->Bool
sort P func p1,p2,p3:->P
sort Two func apart:->Two two:P#P->Two
rew two(p1,p2)=two(p2,p3) two(p1,p3)=two(p2,p3) two(p2,p1)=two(p2,p3) two(p3,p2)=two(p3,p1)
act meet see:Two
proc X(u:Two) = sum(p:P,sum(q:P,meet.X(two(p,q)))) + see(u).X(u)
init X(apart)
"""


def test_inconsistent_generator_actions_are_refused():
    process = linearise(read_text(UNRULY))
    swaps = [parse_permutation("(p1 p2)"), parse_permutation("(p2 p3)")]
    for swap in swaps:
        assert certified_quotient(process, swap).quotient.orbits > 0
    for strategy in STRATEGIES:
        with pytest.raises(NotProven, match=r"action on the value two\(p"):
            count_orbits(process, swaps, settings=Settings(strategy=strategy), whole=False)
    # Labels are permuted well enough, and what states there are is decided on the whole system.
    system = generate(process)
    certified = certified_quotient(process, swaps)
    assert certified.explored.proof == "whole"
    assert certified.quotient.count() == (system.state_count, system.transition_count)


UNEQUAL = """sort Bool func T,F:->Bool
sort P func p1,p2,p3:->P
sort N func 0:->N S:N->N
map less:N#N->Bool number:P->N var m,n:N
rew less(n,0)=F less(0,S(n))=T less(S(m),S(n))=less(m,n)
  number(p1)=0 number(p2)=S(0) number(p3)=S(S(0))
act a:P#N
proc X(i:P,n:N) = a(i,n).X(i,S(n)) <| less(n,number(i)) |> delta
init X(p1,0) || X(p2,0) || X(p3,0)
"""


def test_conditions_that_differ_for_images_are_refused():
    process = linearise(read_text(UNEQUAL))
    for text in ("(p1 p2)", "(p1 p2 p3)", "(p2 p3)"):
        with pytest.raises(NotSymmetric, match="has in the image"):
            certified_quotient(process, parse_permutation(text))


def test_witness_states_name_all_parameters():
    text = """sort Bool func T,F:->Bool sort D func d0,d1,d2:->D
act a:D b:D#D#D
proc X(k:D,m:D,n:D) = sum(d:D, a(d).X(d,d1,d)) + b(k,m,n).X(k,m,n)
init X(d0,d0,d0)
"""
    process = linearise(read_text(text))
    with pytest.raises(NotSymmetric, match=r"and does: a\(d0\) X_k:=d0 X_m:=d1 X_n:=d0; "):
        certified_quotient(process, parse_permutation("(d1 d2)"))
