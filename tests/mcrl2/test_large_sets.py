"""Sets that are not finite, against what is in them by Python's own sets and complements."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts.errors import SpecificationError, Unsupported
from lts.mcrl2 import read_text
from lts.state_space import generate

DOMAIN = range(8)
ELEMENTS = st.frozensets(st.integers(0, 5), max_size=3)


@dataclass(frozen=True)
class SetExpression:
    """A set as mCRL2 writes it; what of the domain is in it, and whether beyond all is."""

    text: str
    has: frozenset[int]
    beyond: bool
    is_exact: bool = True
    """Whether it was made without comprehensions."""


def finite(elements: frozenset[int]) -> SetExpression:
    text = f"{{{','.join(map(str, sorted(elements)))}}}" if elements else "({0} - {0})"
    return SetExpression(text, elements, False)


HOLDING = [
    SetExpression("{n: Nat | n mod 2 == 0}", frozenset({0, 2, 4, 6}), True, False),
    SetExpression("{n: Nat | n > 3}", frozenset({4, 5, 6, 7}), True, False),
    SetExpression("{n: Nat | n < 5 && !(n in {1, 2})}", frozenset({0, 3, 4}), False, False),
]
ALL = frozenset(DOMAIN)


def joined(one: SetExpression, sign: str, other: SetExpression) -> SetExpression:
    has, beyond = {
        "+": (one.has | other.has, one.beyond or other.beyond),
        "*": (one.has & other.has, one.beyond and other.beyond),
        "-": (one.has - other.has, one.beyond and not other.beyond),
    }[sign]
    exact = one.is_exact and other.is_exact
    return SetExpression(f"({one.text} {sign} {other.text})", has, beyond, exact)


def outside(one: SetExpression) -> SetExpression:
    return SetExpression(f"!({one.text})", ALL - one.has, not one.beyond, one.is_exact)


def sets(leaves: st.SearchStrategy[SetExpression]) -> st.SearchStrategy[SetExpression]:
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds(outside, inner) | st.builds(joined, inner, st.sampled_from("+*-"), inner)
        ),
        max_leaves=6,
    )


EXACT = sets(ELEMENTS.map(finite))
ANY = sets(ELEMENTS.map(finite) | st.sampled_from(HOLDING))


def truths(texts: list[str], declared: str = "") -> list[bool]:
    numbered = [f"a({number}, {text})" for number, text in enumerate(texts)]
    text = f"{declared} act a: Nat # Bool; init {'+'.join(numbered)};"
    found = dict(label[2:-1].split(",") for label in generate(read_text(text)).labels)
    return [found[str(number)] == "true" for number in range(len(texts))]


@given(ANY)
def test_membership_in_infinite_sets(said: SetExpression) -> None:
    found = truths([f"{n} in {said.text}" for n in DOMAIN])
    assert [n for n in DOMAIN if found[n]] == sorted(said.has)
    assert truths([f"1000 in {said.text}"]) == [said.beyond]


@given(EXACT, EXACT)
def test_comparisons(one: SetExpression, other: SetExpression) -> None:
    texts = [f"{one.text} {sign} {other.text}" for sign in ("==", "!=", "<=", "<", ">=", ">")]
    same = (one.has, one.beyond) == (other.has, other.beyond)
    part = one.has <= other.has and one.beyond <= other.beyond
    whole = other.has <= one.has and other.beyond <= one.beyond
    expected = [same, not same, part, part and not same, whole, whole and not same]
    assert truths(texts) == expected


@given(EXACT)
def test_equal_sets_are_one_term(said: SetExpression) -> None:
    text = f"act a: Set(Nat); init a({said.text});"
    (label,) = generate(read_text(text)).labels
    elements = ",".join(map(str, sorted(ALL - said.has if said.beyond else said.has)))
    assert label == f"a({'!' * said.beyond}{{{elements}}})"


@given(EXACT)
def test_complement_over_finite_sort_is_enumerated(said: SetExpression) -> None:
    text = said.text
    for n in DOMAIN:
        text = text.replace(str(n), f"d{n}")
    declared = (
        f"sort D = struct {' | '.join(f'd{n}' for n in DOMAIN)}; act b: Set(D); init b({text});"
    )
    (label,) = generate(read_text(declared)).labels
    assert label == f"b({{{','.join(f'd{n}' for n in sorted(said.has))}}})"


SOME = "{n: Nat | n > 3 && n < 7}"
MANY = "{n: Nat | n > 3}"


def test_comprehensions_with_few_elements_are_finite() -> None:
    text = f"act a: Set(Nat); b: Bool; init a({SOME}) . b({{6, 5, 4}} == {SOME}) . b(#{SOME} == 3);"
    assert list(generate(read_text(text)).labels) == ["a({4,5,6})", "b(true)"]
    text = "act a: Set(Nat); init sum k: Nat. (k < 3) -> a({n: Nat | n < k} + {9});"
    assert sorted(generate(read_text(text)).labels) == ["a({0,1,9})", "a({0,9})", "a({9})"]


@pytest.mark.parametrize(
    "text",
    [
        f"act a; init ({MANY} == {MANY}) -> a;",
        f"act a; init ({{1}} < {MANY} || {{5}} == {MANY}) -> a;",
        f"act a; init ({{5, 6}} < {MANY}) -> a;",
        f"act a; b: Set(Nat); init (5 in {MANY}) -> a;",
        f"act a, b: Set(Nat); c; init comm({{a|b -> a}}, a({MANY}) || b({{n: Nat | n > 4}}));",
    ],
)
def test_infinite_comprehensions_are_not_compared(text: str) -> None:
    with pytest.raises(SpecificationError):
        generate(read_text(text))


@pytest.mark.parametrize(
    "text",
    [
        f"act a: Bool; init a([{MANY}] == []);",
        f"sort S = struct s(Set(Nat)); act a: Bool; init a(s({MANY}) == s({{}}));",
        f"act a: Bool; init a({{1}} in [{MANY}]);",
    ],
)
def test_collections_of_infinite_sets_are_not_compared(text: str) -> None:
    with pytest.raises(Unsupported, match="functions"):
        generate(read_text(text))


def test_some_infinite_set_comparisons_are_decided() -> None:
    assert truths([f"{{5}} <= {MANY}", f"{{1, 5}} <= {MANY}", f"{{1}} == {MANY}"]) == [
        True, False, False,
    ]  # fmt: skip


def test_comprehensions_capture_outer_variables() -> None:
    text = (
        "act a: Nat # Nat; proc P(s: Set(Nat), k: Nat) = sum n: Nat. (k < 3 && n < 6 && n in s) ->"
        " a(k, n) . P({m: Nat | m > k && m in s}, k + 1); init P({n: Nat | n != 3}, 1);"
    )
    labels = generate(read_text(text)).labels
    first = [f"a(1,{n})" for n in (0, 1, 2, 4, 5)]
    assert sorted(labels) == [*first, *(f"a(2,{n})" for n in (2, 4, 5))]


def test_size_of_an_infinite_set_is_undefined() -> None:
    with pytest.raises(SpecificationError):
        generate(read_text("act a; init (#(!{1}) == 2) -> a;"))
