"""Permuting values that no equation fits: what is said is held against the system itself."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, LimitReached, NotProven, NotSymmetric, SpecificationError
from lts.linear.total import has_no_other_values
from lts.mucrl import evaluate, explore, generate, linearise, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import count_orbits, parse_permutation
from naive.systems import bisimilar

HEAD = """sort Bool func T,F:->Bool
sort D func d0,d1,d2:->D
sort K func k:D->K e:->K
map key:D->K other:D->D lock:D->K is:D#D->Bool same:K#K->Bool c:->K
act a,b,r:K d:D f
comm b|r=a
var x,y:D u,v:K rew
is(d0,d0)=T is(d1,d1)=T is(d2,d2)=T
is(d0,d1)=F is(d0,d2)=F is(d1,d0)=F is(d1,d2)=F is(d2,d0)=F is(d2,d1)=F
same(u,u)=T same(u,v)=F
"""
RULES = [
    *("other(d0)=d1", "other(d1)=d0", "other(d2)=d2", "lock(d0)=k(d0)", "lock(d1)=k(d1)"),
    *(
        "lock(d2)=k(d2)",
        "lock(x)=key(other(x))",
        "key(d0)=k(d0)",
        "key(d1)=k(d1)",
        "k(d2)=lock(d2)",
    ),
    *("k(d0)=k(d1)", "lock(d0)=c", "key(x)=k(x)", "k(d0)=e", "k(d1)=k(d2)"),
]
ALIKE = [
    *("other(d0)=d1 other(d1)=d0 other(d2)=d2", "k(d0)=e k(d1)=e", "k(d2)=e", "k(d2)=lock(d2)"),
    *(
        "k(x)=e",
        "k(d2)=c",
        "c=e",
        "key(x)=k(x)",
        "key(d2)=e key(x)=k(other(x))",
        "lock(d0)=k(d0) lock(d1)=k(d1)",
    ),
    *("lock(d0)=key(d0) lock(d1)=key(d1)", "lock(d2)=c lock(d0)=k(d1) lock(d1)=k(d0)"),
]
"""Rules that treat d0 and d1 alike."""
KEYS = [
    "key(x)",
    "lock(x)",
    "key(other(x))",
    "lock(other(other(x)))",
    "k(other(x))",
    "k(x)",
    "u",
    "u",
]
CONDITIONS = ["T", "is(x,d2)", "is(other(x),d0)", "same(key(x),lock(x))", "same(lock(x),u)"]


@st.composite
def texts(draw):
    chosen = draw(st.sets(st.sampled_from(ALIKE), max_size=6))
    few = draw(st.integers(0, 3))
    chosen |= draw(st.sets(st.sampled_from(RULES), max_size=[0, 0, 1, 9][few]))
    rules = " ".join(sorted(chosen))
    one, other = draw(st.sampled_from(KEYS)), draw(st.sampled_from(KEYS))
    condition = draw(st.sampled_from(CONDITIONS))
    third = draw(st.sampled_from(["u", "key(d0)", "lock(d2)", "c"]))
    then = "v" if third == "u" else third
    return f"""{HEAD}{rules}
proc X(u:K) = sum(x:D, d(x).b({one}).X({other}) <| {condition} |> f.X(u))
Y = sum(v:K, r(v).(f <| same(v,{then}) |> delta).Y)
init encap({{b,r}},X({draw(st.sampled_from(["key(d0)", "k(d2)", "e"]))}) || Y)"""


def image(specification, label):
    """The label with d0 and d1 exchanged, and its data in normal form again."""
    moved = re.sub(r"\bd[01]\b", lambda m: {"d0": "d1", "d1": "d0"}[m[0]], label)
    name, bracket, data = moved.partition("(")
    return f"{name}({evaluate(specification, data[:-1])})" if bracket else label


@pytest.mark.parametrize("proof", ["certificate", "tested", "static"])
def test_proofs_with_irreducible_terms_hold_in_the_system(proof):
    reached = Counter()

    @given(texts())
    def is_of_the_system(text):
        reached["all"] += 1
        specification = read_text(text)
        try:
            process = linearise(specification)
            system = generate(process, max_states=2000)
            rows = [(s, image(specification, a), u) for s, a, u in system.transitions()]
        except (SpecificationError, LimitReached):
            return  # a condition without a truth value, or rewriting without end
        moved = LTS.from_transitions(rows, state_count=system.state_count)
        is_symmetric = bisimilar(system, moved)
        try:
            found = count_orbits(
                process,
                parse_permutation("(d0 d1)"),
                settings=Settings(proof=proof, sample=0),
                whole=False,
            )
        except NotProven:
            return
        except NotSymmetric:
            assert not is_symmetric
            return
        assert is_symmetric
        assert (found.states, found.transitions) == (system.state_count, system.transition_count)
        reached["proven"] += 1
        reached["of constructors with equations"] += any(
            rule.left.function.constructor for rule in specification.rules
        )

    is_of_the_system()
    if reached["all"] >= 40:  # few tell little
        assert 50 * reached["of constructors with equations"] >= reached["all"], reached


@given(texts())
def test_complete_patterns_give_no_irreducible_terms(text):
    process = linearise(read_text(text))
    if has_no_other_values(process):
        assert explore(process, settings=Settings(limits=Limits(states=2000))).normal_forms == ()


def test_irreducible_values_need_comparison():
    text = HEAD + "proc X(u:K) = sum(x:D, d(x).X(key(x))) + a(u).X(u) init X(key(d2))"
    found = count_orbits(linearise(read_text(text)), parse_permutation("(d0 d1)"))
    assert (found.proof, found.from_text, found.orbits, found.states) == ("tested", 0, 2, 3)
    assert found.normal_forms == ("key(d0)",)
    with pytest.raises(NotProven, match="no equation fits"):
        count_orbits(
            linearise(read_text(text)),
            parse_permutation("(d0 d1)"),
            settings=Settings(proof="static"),
        )


def test_irreducible_and_reducible_images_are_asymmetric():
    # `key(d0)` is `k(d0)`, `key(d1)` stays as it is: exchanging d0 and d1 does not act on them.
    text = HEAD + "key(d0)=k(d0) proc X(u:K) = sum(x:D, a(key(x)).X(key(x))) init X(c)"
    process = linearise(read_text(text))
    system = generate(process)
    assert set(system.labels) == {"a(k(d0))", "a(key(d1))", "a(key(d2))"}
    with pytest.raises((NotProven, NotSymmetric)):
        count_orbits(process, parse_permutation("(d0 d1)"), whole=False)
