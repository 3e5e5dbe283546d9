"""Whether a process has no values but those of constructors, by patterns and by trying."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LimitReached
from lts.linear.total import has_no_other_values
from lts.mucrl import linearise, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import count_orbits, find_in_specification, parse_permutation

HEAD = """sort Bool func T,F:->Bool
sort N func z:->N s:N->N
sort E func e1,e2,e3:->E
map f:E#N->Bool unused:E->Bool
var x:E n:N
rew """
FIRST = ("e1", "e2", "e3", "x")
SECOND = ("z", "s(z)", "s(n)", "s(s(n))", "n")
VALUES = ("z", "s(z)", "s(s(z))", "s(s(s(z)))")


def matches(pattern, value):
    """Whether a pattern of numbers has a value."""
    if pattern == "n":
        return True
    if pattern == "z" or value == "z":
        return pattern == value
    return matches(pattern[2:-1], value[2:-1])


@given(st.sets(st.tuples(st.sampled_from(FIRST), st.sampled_from(SECOND))))
def test_pattern_completeness_matches_enumeration(patterns):
    rules = " ".join(f"f({one},{other})=T" for one, other in sorted(patterns))
    rules += " unused(x)=T"
    process = linearise(read_text(f"{HEAD}{rules}\nact a:Bool proc X=a(f(e1,z)).X init X"))
    covered = all(
        any(one in (e, "x") and matches(other, n) for one, other in patterns)
        for e, n in product(FIRST[:3], VALUES)
    )
    assert has_no_other_values(process) == covered


@pytest.mark.parametrize(
    ("rules", "is_total"),
    [
        # Equal ones, and all others.
        ("g(n,n)=T g(z,s(n))=F g(s(n),z)=F g(s(n),s(m))=g(n,m)", True),
        ("g(n,n)=T g(z,s(n))=F g(s(n),z)=F", False),
        ("g(n,n)=T g(n,m)=F", True),
        ("g(n,n)=T", False),
        # What a rule comes to has to be so, too.
        ("g(n,m)=h(n) h(z)=T h(s(n))=T", True),
        ("g(n,m)=h(n) h(z)=T", False),
        ("g(n,m)=T h(z)=T", True),
        # Constructors with rules, constants without.
        ("g(n,m)=T s(s(n))=n", False),
        ("g(n,m)=h(k) h(n)=T", False),
    ],
)
def test_totality_by_rewrite_rules(rules, is_total):
    text = f"""sort Bool func T,F:->Bool sort N func z:->N s:N->N
    map g:N#N->Bool h:N->Bool k:->N var n,m:N rew {rules}
    act a:Bool proc X(n:N)=a(g(n,s(n))).X(s(n)) init X(z)"""
    assert has_no_other_values(linearise(read_text(text))) == is_total


def test_search_by_text_needs_no_full_exploration():
    """Of endlessly many states some are looked at."""
    text = """sort Bool func T,F:->Bool sort N func z:->N s:N->N sort D func d1,d2,d3:->D
    act a:D#N proc X(n:N)=sum(d:D,a(d,n).X(s(n))) init X(z)"""
    found = find_in_specification(linearise(read_text(text)))
    assert (found.order, found.explored.complete, found.explored.certified) == (6, False, True)
    assert found.explored.sampled > 0


def test_distant_asymmetry_is_detected_in_the_text():
    text = """sort Bool func T,F:->Bool sort N func z:->N s:N->N sort D func d1,d2,d3:->D
    map big:N->Bool var n:N rew big(z)=F big(s(n))=F
    act a:D#N b:D proc X(n:N)=sum(d:D,a(d,n).X(s(n))) + b(d1).X(n) <| big(n) |> delta init X(z)"""
    found = find_in_specification(linearise(read_text(text)))
    assert found.order == 2


def test_limits_hold_with_a_static_proof():
    text = """sort Bool func T,F:->Bool sort N func z:->N s:N->N sort D func d1,d2,d3:->D
    act a:D#N proc X(n:N)=sum(d:D,a(d,n).X(s(n))) init X(z)"""
    process = linearise(read_text(text))
    swap = parse_permutation("(d1 d2)")
    for most in (2, 4):
        with pytest.raises(LimitReached):
            count_orbits(process, swap, Settings(sample=1, limits=Limits(most)), text=True)
    found = count_orbits(process, swap, Settings(sample=1, limits=Limits(5)), text=True)
    assert (found.complete, found.certified) == (False, True)
