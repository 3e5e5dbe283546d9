"""Numbers of the library: decimals, what is computed of them, and when they are numbers at all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts.errors import SpecificationError, Unsupported
from lts.mucrl import evaluate, generate, linear_text, linearise, read_text
from lts.symmetry import certified_quotient
from lts.symmetry.permutation.notation import parse_permutation

NAT = "%@ include Nat\n"
HUGE = 10**30


def spec(rest=""):
    return read_text(f"{NAT}{rest}\ninit delta\n")


LIBRARY = spec()
BY_RULES = replace(
    LIBRARY,
    numbers={},
    functions=tuple(replace(function, native=None) for function in LIBRARY.functions),
)
"""The same without numerals and without what is computed: only rules."""

OPERATIONS = {
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: max(0, a - b),
    "times": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else None,
    "mod": lambda a, b: a % b if b else None,
    "min": min,
    "max": max,
    "eq": lambda a, b: a == b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def shown(value):
    return {True: "T", False: "F"}[value] if isinstance(value, bool) else str(value)


def unary(n):
    return "S(" * n + "0" + ")" * n


@given(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 9), st.integers(0, 9))
def test_native_arithmetic_agrees_with_rules(name, a, b):
    computed = evaluate(LIBRARY, f"{name}({a},{b})")
    by_rules = evaluate(BY_RULES, f"{name}({unary(a)},{unary(b)})")
    written = evaluate(LIBRARY, by_rules.text)
    assert computed.text == written.text
    expected = OPERATIONS[name](a, b)
    if expected is not None:
        assert computed.text == shown(expected)


@given(
    st.sampled_from(sorted(OPERATIONS)),
    st.integers(0, 10**15) | st.integers(0, 9),
    st.integers(0, 10**15) | st.integers(1, 9),
)
def test_large_numbers(name, a, b):
    if name in ("div", "mod") and not b:
        return
    assert evaluate(LIBRARY, f"{name}({a},{b})").text == shown(OPERATIONS[name](a, b))


def test_numbers_grow_beyond_machine_words():
    base = "1000000000000000"
    assert evaluate(LIBRARY, f"times({base},{base})").text == str(HUGE)
    assert evaluate(LIBRARY, f"S(times({base},{base}))").text == str(HUGE + 1)
    assert evaluate(LIBRARY, f"pred(times({base},{base}))").text == str(HUGE - 1)
    assert evaluate(LIBRARY, f"div(times({base},{base}),{base})").text == base
    assert evaluate(LIBRARY, f"lt(times({base},{base}),{base})").text == "F"
    nines = 9_223_372_036_854_775_807
    word = "plus(times(4611686018427387,2000),1807)"
    assert evaluate(LIBRARY, f"S({word})").text == str(4611686018427387 * 2000 + 1808)
    assert int(evaluate(LIBRARY, f"plus({word},{word})").text) > nines


def test_literals_are_terms_of_successors():
    known = spec("map f: Nat -> Nat var n: Nat rew f(0)=7 f(S(S(n)))=n f(1)=11")
    results = [evaluate(known, f"f({n})").text for n in (0, 1, 2, 12, 1_000_000)]
    assert results == ["7", "11", "0", "10", "999998"]
    assert evaluate(known, "S(S(0))").text == "2"


def test_large_numerals_on_left_sides_are_refused():
    with pytest.raises(Unsupported, match="left side of an equation is 1000"):
        evaluate(spec("map f: Nat -> Nat rew f(1001)=7"), "f(1001)")


@pytest.mark.parametrize(
    "more",
    [
        "var n: Nat rew plus(n,n)=0",
        "rew S(S(S(0)))=0",
        "var n: Nat rew le(n,n)=F",
        "var b: Bool rew and(b,b)=b",
    ],
)
def test_extra_equations_disable_native_numbers(more):
    changed = spec(more)
    assert not changed.numbers
    assert all(function.native is None for function in changed.functions)


def test_extra_equations_are_applied():
    changed = spec("rew S(S(S(0)))=0")
    assert evaluate(changed, f"plus({unary(2)},{unary(2)})").text == "S(0)"
    with pytest.raises(SpecificationError, match="above 1000 need the library's `Nat`"):
        read_text(f"{NAT}rew S(S(S(0)))=0 act a: Nat init a(2000).delta")


@pytest.mark.parametrize("equation", ["f=2000", "g(2000)=0"])
def test_large_numerals_need_native_numbers(equation):
    with pytest.raises(SpecificationError, match="above 1000 need the library's `Nat`"):
        spec(f"map f: -> Nat g: Nat -> Nat rew S(S(S(0)))=0 {equation}")


def test_a_file_called_as_the_library_is_not_the_library(tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "Nat.mcrl").write_text(
        "sort Bool func T,F:->Bool sort Nat func 0:->Nat S:Nat->Nat map plus:Nat#Nat->Nat\n"
        "var m,n:Nat rew plus(m,n)=0\n"
    )
    file = tmp_path / "own.mcrl"
    file.write_text('%@ include "library/Nat.mcrl"\nact a: Nat init a(plus(S(0),S(0))).delta\n')
    from lts.mucrl import read

    found = read(file)
    assert not found.numbers
    assert list(generate(found).labels) == ["a(0)"]


def test_counter_to_20000_uses_native_numbers():
    text = f"{NAT}act a: Nat proc X(n:Nat)=a(n).X(S(n))<|lt(n,20000)|>delta init X(0)"
    system = generate(read_text(text))
    assert (system.state_count, system.transition_count) == (20_001, 20_000)
    assert "a(19999)" in set(system.labels)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("lt(n,5)", range(5)),
        ("and(le(3,n),lt(n,7))", range(3, 7)),
        ("eq(plus(n,3),11)", [8]),
        ("eq(times(n,3),12)", [4]),
        ("eq(S(S(n)),100000)", [99_998]),
        ("eq(n,minus(4,9))", [0]),
        ("not(gt(n,2))", range(3)),
    ],
)
def test_sums_are_solved_from_bounds(condition, expected):
    text = f"{NAT}act a: Nat init sum(n:Nat, a(n).delta <| {condition} |> delta)"
    assert set(generate(read_text(text)).labels) == {f"a({n})" for n in expected}


def test_sums_over_pairs_are_solved():
    text = f"{NAT}act a: Nat#Nat init sum(m:Nat,sum(n:Nat,a(m,n).delta<|eq(plus(m,n),9)|>delta))"
    assert set(generate(read_text(text)).labels) == {f"a({m},{9 - m})" for m in range(10)}


def test_a_linear_process_is_read_again_with_numbers():
    text = f"{NAT}act a: Nat proc X(n:Nat)=a(n).X(mod(plus(n,7),30)) init X(12)"
    process = linearise(read_text(text))
    again = read_text(linear_text(process))
    assert again.numbers
    assert sorted(generate(again).labels) == sorted(generate(process).labels)


def test_numbers_in_permutations():
    text = f"{NAT}act a: Nat proc X(i:Nat)=a(i).X(i) init X(10)||X(11)||X(12)"
    process = linearise(read_text(text))
    found = certified_quotient(process, parse_permutation("(10 11 12)"))
    assert found.order == 3
    low = linearise(read_text(text.replace("10", "0").replace("11", "1").replace("12", "2")))
    assert certified_quotient(low, parse_permutation("(0 S(0) S(S(0)))")).order == 3
    assert certified_quotient(low, parse_permutation("(0 1 2)")).order == 3


@pytest.mark.parametrize("one", ["0", "2", "n", "S(n)", "S(S(S(n)))"])
@pytest.mark.parametrize("other", ["0", "2", "n", "S(n)", "S(S(S(n)))"])
def test_inequality_maps_exclude_equal_numbers(one, other):
    """It is seen on either side, so that nobody looks for such values without end."""
    text = f"""{NAT}map other: Nat#Nat->Bool var m,n: Nat rew other(n,n)=F other(m,n)=T
act a: Nat b proc X = sum(n:Nat, delta <| other({one},{other}) |> a(n).X) + b.X init X
"""
    of = {"0": lambda n: 0, "2": lambda n: 2, "n": lambda n: n}
    of |= {"S(n)": lambda n: n + 1, "S(S(S(n)))": lambda n: n + 3}
    found = [n for n in range(10) if of[one](n) == of[other](n)]
    if len(found) < 10:
        assert set(generate(read_text(text)).labels) == {"b", *(f"a({n})" for n in found)}
