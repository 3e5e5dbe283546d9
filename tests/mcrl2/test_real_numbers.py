"""Real numbers against Python's fractions: what the engine computes, what the rules alone say."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.errors import SpecificationError
from lts.mcrl2 import read_text
from lts.state_space import generate
from naive.rewriting import Rewriter, value

FRACTIONS = st.fractions(min_value=-6, max_value=6, max_denominator=7)
SMALL = st.fractions(min_value=-2, max_value=2, max_denominator=3)
LARGE = st.fractions(max_denominator=10**30)


def written(number: Fraction) -> str:
    return f"({number.numerator} / {number.denominator})"


def labels(sort: str, texts: list[str]) -> list[str]:
    """What expressions come to, as labels show it."""
    numbered = [f"a({number}, {text})" for number, text in enumerate(texts)]
    found = generate(read_text(f"act a: Nat # {sort}; init {'+'.join(numbered)};")).labels
    results = [label[2:-1].partition(",") for label in found]
    return [result for _, _, result in sorted(results, key=lambda parts: int(parts[0]))]


def operations(x: Fraction, y: Fraction) -> dict[str, Fraction]:
    one, other = written(x), written(y)
    found = {
        f"{one} + {other}": x + y,
        f"{one} - {other}": x - y,
        f"{one} * {other}": x * y,
        f"-{one}": -x,
        f"min({one}, {other})": min(x, y),
        f"max({one}, {other})": max(x, y),
        f"abs({one})": abs(x),
        f"succ({one})": x + 1,
        f"pred({one})": x - 1,
    }
    if y:
        found[f"{one} / {other}"] = x / y
    return found


def rounded(x: Fraction) -> dict[str, int]:
    text = written(x)
    half = x + Fraction(1, 2)
    return {f"floor({text})": math.floor(x), f"ceil({text})": math.ceil(x),
            f"round({text})": math.floor(half)}  # fmt: skip


@given(FRACTIONS | LARGE, FRACTIONS | LARGE)
def test_operations(x: Fraction, y: Fraction) -> None:
    expected = operations(x, y)
    assert labels("Real", list(expected)) == [str(number) for number in expected.values()]


@given(FRACTIONS | LARGE)
def test_rounding(x: Fraction) -> None:
    expected = rounded(x)
    assert labels("Int", list(expected)) == [str(number) for number in expected.values()]


@given(FRACTIONS | LARGE, FRACTIONS | LARGE)
def test_comparisons(x: Fraction, y: Fraction) -> None:
    compared = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
                "==": operator.eq, "!=": operator.ne}  # fmt: skip
    texts = [f"{written(x)} {sign} {written(y)}" for sign in compared]
    expected = [str(holds(x, y)).lower() for holds in compared.values()]
    assert labels("Bool", texts) == expected


@given(FRACTIONS, st.integers(-5, 5))
def test_powers(x: Fraction, exponent: int) -> None:
    if x or exponent >= 0:
        assert labels("Real", [f"exp({written(x)}, {exponent})"]) == [str(x**exponent)]


@settings(max_examples=20)
@given(SMALL, SMALL)
def test_rewrite_rules_agree_with_fractions(x: Fraction, y: Fraction) -> None:
    expected: dict[str, Fraction | int] = {**operations(x, y)}
    specification = read_text(f"act a: Real; init {'+'.join(f'a({text})' for text in expected)};")
    rewriter = Rewriter(specification)
    found = [rewriter.normal(action.arguments[0]) for action in specification.initial.alternatives]
    assert [value(term) for term in found] == list(expected.values())
    for term, number in zip(found, expected.values(), strict=True):
        numerator, denominator = map(value, term.arguments)
        assert (numerator, denominator) == number.as_integer_ratio()


def test_integers_are_equal_to_reals() -> None:
    texts = ["3", "Pos2Real(3)", "Nat2Real(3)", "Int2Real(3)", "6/2", "floor(7/2)", "1 + 2"]
    assert labels("Real", texts) == ["3"] * len(texts)
    assert labels("Nat", ["Real2Nat(6/2)"]) == labels("Pos", ["Real2Pos(6/2)"]) == ["3"]
    assert labels("Int", ["Real2Int(-6/2)"]) == ["-3"]


def test_division_by_zero_is_refused() -> None:
    with pytest.raises(SpecificationError):
        generate(read_text("act a; init (1/0 < 1) -> a;"))


def test_real_numbers_in_lists_and_sets() -> None:
    found = labels("Set(Real)", ["{1/2, 2/4, 1/3}", "{3/2} + {3/3}"])
    assert found == ["{1/3,1/2}", "{1,3/2}"]
    assert labels("Bool", ["[1/2] == [2/4]", "[1/2, 1] < [1/2, 3/2]"]) == ["true", "true"]


def test_sums_over_reals_are_solved_from_equations() -> None:
    text = "act a: Real; init sum r: Real, n: Nat. (n < 4 && r == n/2) -> a(r);"
    assert sorted(generate(read_text(text)).labels) == ["a(0)", "a(1)", "a(1/2)", "a(3/2)"]
    with pytest.raises(SpecificationError):
        generate(read_text("act a: Real; init sum r: Real. (r > 0 && r < 1) -> a(r);"))


def test_numerals_are_patterns() -> None:
    text = "map f: Real -> Nat; eqn f(3) = 4;"
    assert list(generate(read_text(f"{text} act a: Nat; init a(f(3));")).labels) == ["a(4)"]
