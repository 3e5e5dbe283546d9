"""What is read of processes, run by the operational rules: the laws that mCRL2 documents."""

from pathlib import Path

import pytest

from lts import LTS
from lts.equivalence import minimise
from lts.mcrl2 import read, read_text
from naive.mcrl2 import Interpreter

DECLARED = """
act a, b, c, d, e; s, r, t: Nat; u: Bool;
proc Clock(n: Nat) = (n < 2) -> a.Clock(n + 1) <> b.Clock(0);
     Short(n: Nat, up: Bool) = up -> a.Short(n = n + 1, up = n < 1) <> s(n).Short();
     Either(x: Bool) = x -> a + !x -> b;
     Sent = sum n: Nat. r(n) . s(n);
     Pair = a || d;
"""


def behaviour(process):
    """The canonical state space of a process."""
    transitions = Interpreter(read_text(f"{DECLARED} init {process};")).state_space()
    system = (
        LTS.from_transitions(transitions)
        if transitions
        else LTS.from_transitions([], state_count=1)
    )
    least = minimise(system, "strong")
    return least.state_count, set(least.transitions())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a || b", "a.b + b.a + a|b"),
        ("a.b || c.d", "a.(b.c.d + b|c.d + c.(b.d + d.b + b|d)) + c.(d.a.b + a|d.b "
         "+ a.(b.d + d.b + b|d)) + (a|c).(b.d + d.b + b|d)"),
        ("a ||_ b.c", "a.b.c"),
        ("(a + b) ||_ c", "(a + b).c"),
        ("(a.b) | c", "(a|c).b"),
        ("(a + b) | c", "a|c + b|c"),
        ("a|b", "b|a"),
        ("a|(b|c)", "(a|b)|c"),
        ("tau|a", "a"),
        ("delta|a", "delta"),
        ("delta.a", "delta"),
        ("a + delta", "a"),
        ("allow({c}, comm({a|b -> c}, a || b))", "c"),
        ("allow({d}, comm({a|b|c -> d}, a || b || c))", "d"),
        ("allow({d,e}, comm({a|b -> d, c|c -> e}, a || b || c || c))", "d.e + e.d"),
        ("comm({a|b -> c}, a|b|d)", "c|d"),
        ("comm({a|a -> c}, a|a|a)", "a|c"),
        ("comm({a|b -> c}, a|b|a|b)", "c|c"),
        ("comm({s|r -> t}, s(1)|r(2))", "s(1)|r(2)"),
        ("comm({s|r -> t}, s(1)|r(1)|s(2))", "t(1)|s(2)"),
        ("allow({t,s}, comm({s|r -> t}, s(3) || Sent))", "t(3).s(3) + s(3)"),
        ("allow({a|b}, a || b)", "a|b"),
        ("allow({c,d}, comm({a|b -> c}, Pair || b))", "c.d + d.c"),
        ("allow({c,d}, comm({a|b -> c}, b || Pair))", "c.d + d.c"),
        ("allow({a|b|d}, Pair || b)", "a|b|d"),
        ("block({a,b}, comm({a|b -> c}, Pair || b))", "c.d + d.c + c|d"),
        ("block({a,b}, comm({a|b -> c}, a || b || a || b))", "c.c + c|c"),
        ("block({a,b}, comm({a|b -> c}, a || a || b))", "c.delta"),
        ("hide({d}, allow({c}, comm({a|b -> c}, a || b || hide({d}, d))))", "c.tau + tau.c + c"),
        ("allow({a}, a|b + tau)", "tau"),
        ("allow({a}, tau.a)", "tau.a"),
        ("block({b}, a || b)", "a.delta"),
        ("block({b}, a|b + c)", "c"),
        ("hide({a}, a|b)", "b"),
        ("hide({a}, a.b)", "tau.b"),
        ("hide({a,b}, a|b)", "tau"),
        ("rename({a -> b}, a|c.a)", "b|c.b"),
        ("rename({a -> b, b -> a}, a.b)", "b.a"),
        ("sum x: Bool. u(x)", "u(true) + u(false)"),
        ("sum x,y: Bool. (x && !y) -> u(x)", "u(true)"),
        ("sum x: Bool. u(x) . u(x)", "u(true).u(true) + u(false).u(false)"),
        ("a . sum x: Bool. u(x) . u(!x)", "a.(u(true).u(false) + u(false).u(true))"),
        ("sum x: Bool. sum x: Bool. x -> u(x)", "u(true)"),
        ("true -> a <> b", "a"),
        ("false -> a <> b", "b"),
        ("true -> a + b <> c", "a + b"),
        ("false -> a + b <> c", "c"),
        ("true -> a + b <> c + d", "a + b + d"),
        ("false -> a + b.c <> (c + d)", "c + d"),
        ("a.(false -> a + (true -> b <> c) <> d)", "a.d"),
        ("true -> a + false -> b <> c <> d", "a + c"),
        ("true -> a + false -> b <> c", "a + c"),
        ("true -> (sum f: Bool -> Bool. f(true) -> a) + b <> c", "a + b"),
        ("true -> sum f: Bool -> Bool. f(true) -> a + b <> c <> d", "a + b + c"),
        ("true -> a || b <> c", "a || b"),
        ("true -> rename({a -> b}, a) + c <> d", "b + c"),
        ("(true -> a + b <> c) . d", "a.d + b.d"),
        ("false -> a", "delta"),
        ("true -> false -> a <> b", "b"),
        ("false -> (true -> a) <> b", "b"),
        ("a . true -> b.c <> d.e", "a.b.c"),
        ("a . false -> b.c <> d.e", "a.d.e"),
        ("Clock(0)", "Clock(0) + delta"),
        ("Clock(1)", "a.b.Clock(0)"),
        ("Short(0, true)", "a.a.Short(2, false)"),
        ("Short(3, false)", "s(3).Short(3, false)"),
        ("Either(true) || delta", "a.delta"),
        ("Either(x = false)", "b"),
    ],
)  # fmt: skip
def test_equivalent_process_expressions(one, other):
    assert behaviour(one) == behaviour(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("a.(b + c)", "a.b + a.c"), ("a || b", "a.b + b.a"), ("hide({a}, a.b)", "b")],
)
def test_inequivalent_process_expressions(one, other):
    assert behaviour(one) != behaviour(other)


@pytest.mark.parametrize(
    ("sample", "states", "transitions"), [("lift", 67, 106), ("peer", 10, 15), ("queue", 37, 58)]
)
def test_samples(sample, states, transitions):
    specification = read(Path(__file__).parent / "samples" / f"{sample}.mcrl2")
    found = Interpreter(specification).state_space()
    assert len(found) == transitions
    assert len({state for one, _, other in found for state in (one, other)}) == states
