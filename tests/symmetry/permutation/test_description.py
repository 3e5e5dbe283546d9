"""Descriptions of groups, compared with all elements of the groups."""

from math import factorial

from hypothesis import event, given
from hypothesis import strategies as st

from lts.symmetry import parse_permutation
from lts.symmetry.permutation.description import factors
from naive.groups import closure

NAMES = ["p1", "p2", "p3", "q", "r"]


def cycles(image):
    """A permutation in cycle notation."""
    seen, text = set(), ""
    for point in range(len(NAMES)):
        cycle = []
        while point not in seen:
            seen.add(point)
            cycle.append(NAMES[point])
            point = image[point]
        text += f"({' '.join(cycle)})" if len(cycle) > 1 else ""
    return text or "()"


@given(st.lists(st.permutations(range(len(NAMES))), min_size=1, max_size=3))
def test_factors(images):
    generators = [parse_permutation(cycles(image)) for image in images]
    found = factors(generators)
    group, product = closure([tuple(range(len(NAMES)))], images), 1
    for factor in found:
        product *= factor.order
        own = [NAMES.index(name) for name in factor.elements]
        parts = {tuple(element[point] for point in own) for element in group}
        assert factor.order == len(parts)
        is_full = len(own) > 2 and len(parts) == factorial(len(own))
        assert factor.is_symmetric_group == is_full
        event(f"full: {is_full}")
        text = factor.text({"q": "Q"})
        assert text.removeprefix("Q: ").startswith("all permutations of ") == is_full
        assert is_full or all(f"`{generator}`" in text for generator in factor.generators)
    assert product == len(group)
    assert sorted(str(g) for f in found for g in f.generators) == sorted(map(str, generators))


def test_words():
    def text(*permutations, **sorts):
        return [factor.text(sorts) for factor in factors([*map(parse_permutation, permutations)])]

    swaps = [f"(p{n} p{n + 1})" for n in range(1, 40)]
    assert text(*swaps, p7="Pid") == ["Pid: all permutations of p1..p40"]
    assert text("(a b)", "(b c)") == ["all permutations of a, b, c"]
    assert text("(a b c d e f g h)", "(a b)") == [
        "all permutations of a, b, c, d, .., h (8 values)"
    ]
    assert text("(a b)", "(c d e)") == ["`(a b)`", "`(c d e)`"]
    assert text("(a b) in put(*)", "(b c) in put(*)") == ["all permutations of a, b, c in put(*)"]
    # Different places are different points, and maps may do more than permute.
    assert text("(a b) in put(*)", "(b c) in get(*)") == ["`(a b) in put(*)`, `(b c) in get(*)`"]
    assert text("(a b c)", "(a b) with f") == ["`(a b c)`, `(a b) with f`"]
