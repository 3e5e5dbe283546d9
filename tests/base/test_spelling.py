"""Suggestions for misspelt names, compared with the definition of the distance."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts.base.spelling import near, nearest

WORDS = st.text("abA", max_size=7)


def distance(one, other):
    """The distance of two texts by its recursive definition, without changes inside a swap."""

    @cache
    def of(i, j):
        if i == 0 or j == 0:
            return i + j
        least = min(of(i - 1, j), of(i, j - 1)) + 1
        least = min(least, of(i - 1, j - 1) + (one[i - 1] != other[j - 1]))
        if i > 1 and j > 1 and (one[i - 2], one[i - 1]) == (other[j - 1], other[j - 2]):
            least = min(least, of(i - 2, j - 2) + 1)
        return least

    return of(len(one), len(other))


@given(WORDS, st.lists(WORDS, max_size=6))
def test_suggestion_is_a_nearest_name(name, known):
    most = 0 if len(name) < 2 else min(3, max(1, len(name) // 3))
    all_of = {other: distance(name.lower(), other.lower()) for other in known if other != name}
    close = [other for other, mistakes in all_of.items() if mistakes <= most]
    found = nearest(name, known)
    if not close:
        assert found is None
    else:
        assert all_of[found] == min(all_of[other] for other in close)


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("simplify", ["no-simplify", "minimise"], None),
        ("recieve", ["receive", "relieve"], "receive"),
        ("nxt", ["not", "next"], "next"),
        ("Tea(1)", ["tee(1)", "tea(1)"], "tea(1)"),
        ("x", ["y"], None),
    ],
)
def test_examples(name, known, found):
    assert nearest(name, known) == found
    assert near(name, known) == (f"; did you mean `{found}`?" if found else "")


def test_long_names_are_compared_quickly():
    known = [f"{'a' * 500}({number})" for number in range(2000)]
    assert nearest("a" * 500 + "(77", known) == known[77]
