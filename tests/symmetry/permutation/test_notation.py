"""Permutations as they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import ParseError, SpecificationError
from lts.symmetry import parse_permutation
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.notation import Element, Permutation

NAMES = st.text("abS01(),_", min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("text", "printed", "order"),
    [
        ("(d1 d2 d3)", "(d1 d2 d3)", 3),
        ("(d1 .. d4)", "(d1 d2 d3 d4)", 4),
        ("(p9 .. p11)", "(p9 p10 p11)", 3),
        ("(d1 .. d1)", "()", 1),
        ("()", "()", 1),
        ("( n(zero)  n(n(zero)) )", "(n(zero) n(n(zero)))", 2),
        ("(a b)(c d e)", "(a b) (c d e)", 6),
        ('("a(1,2)" "b\\"c")', '("a(1,2)" "b\\"c")', 2),
        ("(d1 d2) in r1(*), c2(*, _)", "(d1 d2) in r1(*), c2(*,_)", 2),
    ],
)
def test_text_and_order(text, printed, order):
    permutation = parse_permutation(text)
    assert str(permutation) == printed
    assert permutation.order == order
    assert parse_permutation(printed) == permutation


@given(st.lists(st.text(min_size=1, max_size=4), min_size=2, max_size=5, unique=True))
def test_printing_parses_back(labels):
    permutation = Permutation((tuple(Element(label, quoted=True) for label in labels),))
    assert parse_permutation(str(permutation)) == permutation


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "begins with a cycle", 1),
        ("d1 d2", "begins with a cycle", 1),
        ("(d1 d2", "expected `\\)`", 7),
        ("(d1 d2) x", "expected another cycle", 9),
        ("(d1 d1)", "occurs twice", 5),
        ("(d1 d2) (d2 d3)", "occurs twice", 10),
        ("(d1 .. e2)", "exactly one number", 5),
        ("(d3 .. d1)", "no number after", 5),
        ('("a b)', "at the end of the label", 7),
        ("(f(a b)", "expected `,` or `\\)`", 5),
        ("(d1 d2) in", "expected a name", 11),
    ],
)
def test_errors_have_a_position(text, message, column):
    with pytest.raises(ParseError, match=message) as refused:
        parse_permutation(text)
    assert refused.value.column == column


def test_data_are_replaced_inside_arguments_largest_first():
    images = lift_labels(parse_permutation("(S(0) S(S(0)))"), ["a(S(0))", "b(S(S(0)),0)", "S(0)x"])
    assert images["a(S(0))"] == "a(S(S(0)))"
    assert images["b(S(S(0)),0)"] == "b(S(0),0)"
    assert images["S(0)x"] == "S(0)x"


def test_patterns_select_argument_positions():
    labels = ["get(1,2)", "set(1)"]
    images = lift_labels(parse_permutation("(1 2) in get(*,_)"), labels)
    assert images["get(1,2)"] == "get(2,2)"
    assert images["set(1)"] == "set(1)"


def test_a_label_that_is_an_argument_too_is_ambiguous():
    with pytest.raises(SpecificationError, match="write the label as"):
        lift_labels(parse_permutation("(a b)"), ["a", "b", "f(a)"])


def test_non_injective_label_maps_are_refused():
    with pytest.raises(SpecificationError, match="have the same image"):
        lift_labels(parse_permutation("(a b g(a))"), ["f(b)", "f(g(g(a)))"])
