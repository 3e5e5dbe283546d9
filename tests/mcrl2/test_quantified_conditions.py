"""Quantifiers over numbers that depend on parameters, against trying out all numbers."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.errors import RewritingLimit
from lts.mcrl2 import read_text
from lts.mucrl import generate
from strategies import examples

RELATIONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
TERMS = {
    "n": lambda k, n, m: n,
    "m": lambda k, n, m: m,
    "k": lambda k, n, m: k,
    "n + m": lambda k, n, m: n + m,
    "k + n": lambda k, n, m: k + n,
    "m + k": lambda k, n, m: m + k,
    "1": lambda k, n, m: 1,
}
ATOMS = st.tuples(
    st.sampled_from([*TERMS]), st.sampled_from([*RELATIONS]), st.sampled_from([*TERMS])
)


def holds(word, joined, atoms, n, m):
    each = all if joined == "&&" else any
    found = [
        each(RELATIONS[sign](TERMS[a](k, n, m), TERMS[b](k, n, m)) for a, sign, b in atoms)
        for k in range(3)
    ]
    return any(found) if word == "exists" else all(found)


def labels(word, joined, atoms):
    body = f" {joined} ".join(f"({a} {sign} {b})" for a, sign, b in atoms)
    bounded = f"k < 3 && ({body})" if word == "exists" else f"k < 3 => ({body})"
    text = (
        f"act yes, no: Nat # Nat; map f: Nat # Nat -> Bool; var n, m: Nat; "
        f"eqn f(n, m) = {word} k: Nat. {bounded};"
        f"proc P(n: Nat, m: Nat) = ({word} k: Nat. {bounded}) -> yes(n, m) . Q(n, m) "
        f"+ (!f(n, m)) -> no(n, m) . Q(n, m);"
        f"Q(n: Nat, m: Nat) = P(if(m == 2, (n + 1) mod 3, n), (m + 1) mod 3); init P(0, 0);"
    )
    return {label for _, label, _ in generate(read_text(text)).transitions()}


def test_quantifiers_match_enumeration():
    seen = Counter()

    @settings(max_examples=examples(10))
    @given(
        st.sampled_from(["exists", "forall"]),
        st.sampled_from(["&&", "||"]),
        st.lists(ATOMS, min_size=1, max_size=3),
    )
    def one(word, joined, atoms):
        expected = {
            f"{'yes' if holds(word, joined, atoms, n, m) else 'no'}({n},{m})"
            for n, m in product(range(3), repeat=2)
        }
        assert labels(word, joined, atoms) == expected
        used = " ".join(a + b for a, _, b in atoms)
        seen["two parameters", "yes(0,0)" in expected] += "n" in used and "m" in used

    one()
    assert min(seen.values()) > 0, seen


@pytest.mark.parametrize(
    "atoms",
    [
        [("k", "<=", "n"), ("k", "<=", "m")],
        [("n", "==", "m")],
        [("k + n", "==", "m")],
        [("k", "<", "n + m"), ("n", "<=", "m")],
    ],
)
def test_quantifiers_over_the_least_numbers(atoms):
    # A map of two numbers is asked whether it is an equality: with the least ones first.
    expected = {
        f"{'yes' if holds('exists', '&&', atoms, n, m) else 'no'}({n},{m})"
        for n, m in product(range(3), repeat=2)
    }
    assert labels("exists", "&&", atoms) == expected


def nested(argument):
    text = (
        "map f: Nat -> Bool; var n: Nat; eqn n == 0 -> f(n) = true;"
        "n > 0 -> f(n) = exists k: Nat. k < n && k + 1 >= n && f(k);"
        f"act a: Bool; init sum b: Bool. (b == f({argument})) -> a(b);"
    )
    return [label for _, label, _ in generate(read_text(text)).transitions()]


def test_deeply_nested_quantifiers_are_a_limit():
    assert nested(80) == ["a(true)"]
    with pytest.raises(RewritingLimit, match="more than 100 quantifiers"):
        nested(150)
