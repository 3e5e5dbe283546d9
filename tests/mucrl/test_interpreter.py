"""Generation against an interpreter of process terms."""

import pytest
from hypothesis import given, settings

from lts import LimitReached, Unsupported
from lts.mucrl import generate, read_text
from naive.mucrl import Interpreter
from naive.systems import bisimilar
from specifications import HEAD, specifications


def agree(text, most=60):
    """Compare generation with the interpreter; return whether the specification was small."""
    specification = read_text(text)
    expected = Interpreter(specification).system(most)
    if expected is None:
        return False
    found = generate(specification, max_states=100 * most)
    assert bisimilar(found, expected)
    return True


@settings(max_examples=3 * settings.default.max_examples, deadline=None)
@given(specifications())
def test_generation_is_bisimilar_to_the_operational_semantics(text):
    try:
        agree(text)
    except Unsupported:  # the number of processes in parallel has no bound
        assert "||" in text


@pytest.mark.parametrize(
    "body",
    [
        "X = (d || e).X",
        "X = d.(e || g.Y).X Y = d",
        "X = (d || e.X <| F |> delta) + g",
        "X = d.encap({e},e || Y || d) Y = g.hide({d},d.d)",
        "X = (d.d ||_ e.e) + (d.d | e.e) + (d | e | g)",
        "X = d.(e || (d || g)).e.X",
        "X = sum(x:Bool, a(x).(b(x) || a(not(x)))).X",
        "X = sum(x:Bool, a(x) || b(x))",
        "X = d.(Y || Y).e.X Y = d.(e || d).g",
        "X = (d.(e||g).d || e.(d||g)).X",
    ],
)
def test_nested_operators(body):
    assert agree(f"{HEAD}proc {body} init X")


@pytest.mark.parametrize("body", ["X = d.(e || X)", "X = d || Y Y = e.X", "X = d.(X || X).e"])
def test_unboundedly_growing_processes_are_refused(body):
    with pytest.raises(Unsupported, match="must be bounded by the text"):
        generate(read_text(f"{HEAD}proc {body} init X"))


def test_nonterminating_process_drops_its_continuation():
    assert generate(read_text(f"{HEAD}proc X = d.X.e init X")).state_count == 1


def test_a_stack_that_grows_reaches_the_limit():
    with pytest.raises(LimitReached):
        generate(read_text(f"{HEAD}proc X = d.X.e + g init X"), max_states=1000)


def test_unbounded_recursion_reaches_its_limit():
    with pytest.raises(
        LimitReached, match=r"12:1\d: more than 10000 pending calls after `d`"
    ) as stopped:
        generate(read_text(f"{HEAD}proc X = d.X.e + g init X"))
    assert stopped.value.found["states"] > 10000


def test_a_stack_with_a_bound_in_the_data():
    text = HEAD + "proc X(y:D) = (a(T).X(next(y)).r(y) <| not(eq(y,d2)) |> e) init X(d0)"
    assert agree(text)
    assert generate(read_text(text)).state_count == 6


def test_recursion_through_hiding_and_renaming_is_finite():
    body = "X = d.hide({d},X) + e.rename({e->d},X)"
    assert generate(read_text(f"{HEAD}proc {body} init X")).state_count == 5
