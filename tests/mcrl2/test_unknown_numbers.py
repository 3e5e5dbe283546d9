"""Sums and quantifiers over numbers: what conditions say of them, against Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts.errors import SpecificationError
from lts.mcrl2 import read_text
from lts.state_space import generate

Value = Callable[[dict[str, int]], int]
Holds = Callable[[dict[str, int]], bool]
_MOST = 6


@dataclass(frozen=True)
class Expression:
    """An expression as mCRL2 writes it, and as Python computes it."""

    text: str
    value: Callable[[dict[str, int]], int]


def _leaf(draw: st.DrawFn) -> Expression:
    if draw(st.booleans()):
        name = draw(st.sampled_from("xyz"))
        return Expression(name, lambda values: values[name])
    number = draw(st.integers(-4, 4))
    return Expression(f"({number})", lambda values: number)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> Expression:
    """Draw an integer expression over x, y and z."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return _leaf(draw)
    one = draw(expressions(depth - 1))
    other = draw(expressions(depth - 1))
    a, b = one.value, other.value
    return draw(
        st.sampled_from(
            [
                Expression(f"({one.text} + {other.text})", lambda v: a(v) + b(v)),
                Expression(f"({one.text} - {other.text})", lambda v: a(v) - b(v)),
                Expression(f"({one.text} * {other.text})", lambda v: a(v) * b(v)),
                Expression(f"min({one.text}, {other.text})", lambda v: min(a(v), b(v))),
                Expression(f"max({one.text}, {other.text})", lambda v: max(a(v), b(v))),
                Expression(f"abs({one.text})", lambda v: abs(a(v))),
                Expression(f"(-({one.text}))", lambda v: -a(v)),
                Expression(f"({one.text} div 3)", lambda v: a(v) // 3),
                Expression(f"({one.text} mod 3)", lambda v: a(v) % 3),
                Expression(f"succ({one.text})", lambda v: a(v) + 1),
            ]
        )
    )


@st.composite
def comparisons(draw: st.DrawFn) -> tuple[str, Holds]:
    one, other = draw(expressions()), draw(expressions())
    a, b = one.value, other.value
    text, holds = draw(
        st.sampled_from(
            [
                ("<", lambda v: a(v) < b(v)),
                ("<=", lambda v: a(v) <= b(v)),
                (">", lambda v: a(v) > b(v)),
                (">=", lambda v: a(v) >= b(v)),
                ("==", lambda v: a(v) == b(v)),
                ("!=", lambda v: a(v) != b(v)),
            ]
        )
    )
    said = f"{one.text} {text} {other.text}"
    return (f"!({said})", lambda v: not holds(v)) if draw(st.booleans()) else (said, holds)


@st.composite
def conditions(draw: st.DrawFn) -> tuple[str, Holds]:
    parts = draw(st.lists(comparisons(), min_size=1, max_size=3))
    if len(parts) > 1 and draw(st.booleans()):
        (a, one), (b, other), *rest = parts
        parts = [(f"({a} || {b})", lambda v: one(v) or other(v)), *rest]
    return " && ".join(f"({text})" for text, _ in parts), lambda v: all(h(v) for _, h in parts)


_SORTS = st.tuples(*[st.sampled_from(("Pos", "Nat", "Int"))] * 3).map(
    lambda sorts: dict(zip("xyz", sorts, strict=True))
)
_LEAST = {"Pos": 1, "Nat": 0, "Int": -_MOST}


def _range(sort: str) -> range:
    return range(_LEAST[sort], _MOST + 1)


def _declared(sorts: dict[str, str]) -> str:
    return ", ".join(f"{name}: {sort}" for name, sort in sorts.items())


def _bounds(sorts: dict[str, str]) -> str:
    return " && ".join(f"-{_MOST} <= {name} && {name} <= {_MOST}" for name in sorts)


def _labels(text: str) -> list[str]:
    return sorted(generate(read_text(text)).labels)


@given(_SORTS, conditions())
def test_sums_have_the_values_satisfying_their_condition(
    sorts: dict[str, str], condition: tuple[str, Holds]
) -> None:
    text, holds = condition
    found = _labels(
        "act a: Int # Int # Int; init sum "
        f"{_declared(sorts)}. ({_bounds(sorts)} && {text}) -> a(x, y, z);"
    )
    expected = [
        f"a({x},{y},{z})"
        for x, y, z in product(*map(_range, sorts.values()))
        if holds({"x": x, "y": y, "z": z})
    ]
    assert found == sorted(expected)


@given(_SORTS, conditions(), st.sampled_from(("exists", "forall")))
def test_quantified_conditions_match_enumeration(
    sorts: dict[str, str], condition: tuple[str, Holds], word: str
) -> None:
    text, holds = condition
    bound = dict(list(sorts.items())[1:])
    between, operator = _bounds(bound), "&&" if word == "exists" else "=>"
    found = _labels(
        "act a: Int # Bool; "
        f"proc P(x: {sorts['x']}) = a(x, {word} {_declared(bound)}. ({between}) {operator} {text});"
        f"init sum x: {sorts['x']}. (-{_MOST} <= x && x <= {_MOST}) -> P(x);"
    )
    decide = any if word == "exists" else all
    expected = []
    for x in _range(sorts["x"]):
        others = product(_range(sorts["y"]), _range(sorts["z"]))
        truth = decide(holds({"x": x, "y": y, "z": z}) for y, z in others)
        expected.append(f"a({x},{str(truth).lower()})")
    assert found == sorted(expected)


def test_summands_are_solved_from_their_total() -> None:
    found = _labels(
        "act a: List(Pos); init sum p, q, r, s: Pos. "
        "(p + q + r + s == 100 && p * q == 12 && q < p && r * s == 2021) -> a([p, q, r, s]);"
    )
    solutions = [
        f"a([{p},{q},{r},{s}])"
        for p, q in ((12, 1), (6, 2), (4, 3))
        for r, s in ((43, 47), (47, 43), (1, 2021), (2021, 1))
        if p + q + r + s == 100
    ]
    assert found == sorted(solutions)


@pytest.mark.parametrize("said", ["n * n == n + 1", "n > 5 && n < 3"])
def test_unsatisfiable_existential_is_false(said: str) -> None:
    assert _labels(f"act a: Bool; init a(exists n: Nat. n < 1000 && {said});") == ["a(false)"]


def test_unbounded_search_is_refused_naming_the_variable() -> None:
    specification = read_text("act a; init (exists n: Nat. n * n * n == n + 7) -> a;")
    with pytest.raises(SpecificationError, match="exists n"):
        generate(specification)


def test_nested_quantifiers_depend_on_outer_variables() -> None:
    found = _labels(
        "act a: Nat; init sum n: Nat. (n < 40 && n > 1 && "
        "(forall m: Nat. 1 < m && m < n => exists k: Nat. k < n && n == m * k + 1)) -> a(n);"
    )
    expected = [
        f"a({n})"
        for n in range(2, 40)
        if all(any(n == m * k + 1 for k in range(n)) for m in range(2, n))
    ]
    assert found == sorted(expected)
