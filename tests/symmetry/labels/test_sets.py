"""Sets, maps and several actions in labels: the order of what they consist of means nothing."""

import pytest

from lts.mcrl2 import read_text
from lts.mucrl import linearise
from lts.state_space import explore
from lts.symmetry import certified_quotient, check, parse_permutation, refines_on_orbits
from lts.symmetry.labels.lift import lift_labels

TEXT = """
sort D = struct d1 | d2 | d3;
act  add: D; sets: Set(D); bags: Bag(D); maps: D -> Bool; nested: Set(Set(D)); lists: List(D);
proc P(s: Set(D), l: List(D)) =
       sum d: D. (#s < 2 && !(d in s)) -> add(d) . P(s + {d}, d |> l)
     + (#l < 3) -> sets(s) . P()
     + (#s == 2) -> bags(Set2Bag(s) + {d: D | 1}) . P()
     + maps(lambda d: D. d in s) . P()
     + (#l == 2) -> nested({s, {d: D | !(d in s)}}) . P()
     + (#l == 2) -> lists(l) . delta;
init P({}, []);
"""


def images(permutation, *labels):
    found = lift_labels(parse_permutation(permutation), labels)
    return [found[label] for label in labels]


def expect_quotient_of_source(whole, process, moved):
    """The quotient by labels has the size of that proven from the text."""
    found, expected = check(whole, moved).quotient, certified_quotient(process, moved).quotient
    assert (found.order, found.orbits, found.stored) == (
        expected.order,
        expected.orbits,
        expected.stored,
    )
    assert found.count() == expected.count() == (whole.state_count, whole.transition_count)


@pytest.mark.parametrize("permutation", ["(d1 d2)", "(d2 d3)", "(d1 d2 d3)"])
def test_a_file_has_the_symmetry_of_its_specification(permutation):
    process = linearise(read_text(TEXT))
    moved = parse_permutation(permutation)
    whole = explore(process).lts
    assert len(whole.labels) > 25
    expect_quotient_of_source(whole, process, moved)


def test_set_images_are_the_labels_with_those_elements():
    assert images("(d1 d2)", "a({d1,d3})", "a({d2,d3})") == ["a({d2,d3})", "a({d1,d3})"]
    assert images("(d1 d2)", "a({d1,d2})", "b(d1)") == ["a({d1,d2})", "b(d2)"]
    assert images("(d1 d3)", "a({d1, d2},x)", "a({d2, d3},x)") == ["a({d2, d3},x)", "a({d1, d2},x)"]
    maps = ["a({d1 -> {d1,d2},d2 -> {}})", "a({d1 -> {},d2 -> {d1,d2}})"]
    assert images("(d1 d2)", *maps) == maps[::-1]
    bags = ["a({d1:1,d2:2})", "a({d1:2,d2:1})"]
    assert images("(d1 d2)", *bags) == bags[::-1]


def test_order_is_preserved_in_lists():
    # Both orders are there, so braces are no sets.
    lists = ["a({d1,d2})", "a({d2,d1})"]
    assert images("(d1 d2)", *lists) == lists[::-1]
    assert images("(d1 d3)", *lists)[0] == "a({d3,d2})"
    assert images("(d1 d2)", "a([d1,d2])") == ["a([d2,d1])"]


AT_ONCE = """
sort D = struct d1 | d2 | d3; act a: D; b: D # D;
proc P(x: D) = a(x) . (sum y: D. (y != x) -> b(x, y)) . P(x);
init P(d1) || P(d2) || P(d3);
"""


@pytest.mark.parametrize("permutation", ["(d1 d2)", "(d2 d3)", "(d1 d2 d3)"])
def test_multi_action_file_has_the_symmetry_of_its_source(permutation):
    process = linearise(read_text(AT_ONCE))
    moved = parse_permutation(permutation)
    whole = explore(process).lts
    assert "a(d1)|a(d2)|a(d3)" in whole.labels
    expect_quotient_of_source(whole, process, moved)
    assert refines_on_orbits(whole, process, "trace", moved).holds


def test_multi_action_images_are_existing_labels():
    assert images("(d1 d2)", "a(d1)|a(d2)", "a(d1)") == ["a(d1)|a(d2)", "a(d2)"]
    assert images("(d1 d3)", "a(d1)|a(d2)", "a(d2)|a(d3)") == ["a(d2)|a(d3)", "a(d1)|a(d2)"]
    assert images("(d1 d2)", "a(d1) | b({d1,d2}) | a(d2)")[0] == "a(d1) | b({d1,d2}) | a(d2)"
    # Both orders are there, so it means something.
    both = ["a(d1)|a(d2)", "a(d2)|a(d1)"]
    assert images("(d1 d2)", *both) == both[::-1]
