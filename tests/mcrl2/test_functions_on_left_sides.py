"""Functions that stand inside of left sides, as what they are and not as what they map.

A state of a board is a function from places to pieces, made by `put` of one before; `last` tells
what was put last. So `put(p,x,f)` stays as it is, and yet is a function that can be applied.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts.mcrl2 import read_text
from lts.mucrl import generate

PLACES, PIECES = ("p1", "p2", "p3"), ("x", "y")
BOARD = """sort P = struct p1 | p2 | p3; V = struct x | y | none; F = P -> V;
map empty: F; put: P # V # F -> F; last: F -> V; without: P # F -> F; count: F -> Nat;
var p, q: P; v: V; f: F;
eqn empty(p) = none;
    p == q -> put(p, v, f)(q) = v;
    p != q -> put(p, v, f)(q) = f(q);
    last(empty) = none;
    last(put(p, v, f)) = v;
    without(p, empty) = empty;
    p == q -> without(p, put(q, v, f)) = without(p, f);
    p != q -> without(p, put(q, v, f)) = put(q, v, without(p, f));
    count(empty) = 0;
    count(put(p, v, f)) = count(f) + 1;
act a: V; n: Nat;
"""

puts = st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(PIECES)), max_size=4)


def board(moves):
    text = "empty"
    for place, piece in moves:
        text = f"put({place},{piece},{text})"
    return text


@given(moves=puts, left_out=st.sampled_from([None, *PLACES]), asked=st.sampled_from(PLACES))
def test_function_updates_match_left_sides_and_apply(moves, left_out, asked):
    text, kept = board(moves), [move for move in moves if move[0] != left_out]
    if left_out is not None:
        text = f"without({left_out},{text})"
    found = [piece for place, piece in kept if place == asked]
    last = kept[-1][1] if kept else "none"
    steps = f"a({text}({asked})) . a(last({text})) . n(count({text}))"
    labels = [label for _, label, _ in generate(read_text(f"{BOARD} init {steps};")).transitions()]
    assert labels == [f"a({found[-1] if found else 'none'})", f"a({last})", f"n({len(kept)})"]


def test_functions_are_state_parameters():
    text = f"""{BOARD} act put: P # V;
    proc B(f: F) = (sum p: P, v: V. (v != none && count(f) < 2) -> put(p, v) . B(put(p, v, f)))
                 + (count(f) == 2) -> a(last(f)) . B(empty);
    init B(empty);"""
    # One empty board, six after one move, of each six after another.
    system = generate(read_text(text))
    assert (system.state_count, system.transition_count) == (1 + 6 + 36, 6 + 36 + 36)


@pytest.mark.parametrize("value", ["put(p1,x,empty)", "lambda p: P. x", "empty[p1 -> x]"])
def test_lambdas_and_named_functions_match_left_sides(value):
    text = f"{BOARD} proc Q(f: F) = a(f(p1)); init Q({value});"
    assert generate(read_text(text)).labels == ("a(x)",)
