"""Patterns matched by automata, compared with the semantics of their notation."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, LtsError
from lts.base.regular import Regular, glob, literal
from lts.network.labels import Pattern
from ltstool.simulator import pattern

letters = "ab(\n\udc80\u20ac"
words = st.text(letters, max_size=7)


def pieces(pattern, text):
    """Return the first way to match a pattern, the shortest text for each `*` first; or None."""
    if not pattern:
        return [] if not text else None
    one, rest = pattern[0], pattern[1:]
    if one == "*":
        for size in range(len(text) + 1):
            found = pieces(rest, text[size:])
            if found is not None:
                return [text[:size], *found]
        return None
    if not text or (one not in ("?", text[0])):
        return None
    found = pieces(rest, text[1:])
    return found if found is None or one != "?" else [text[0], *found]


@given(st.text(letters + "*?", max_size=6), words, st.data())
def test_globs(pattern, text, data):
    if data.draw(st.booleans()):  # one that matches
        text = "".join(
            data.draw(words) if c == "*" else data.draw(st.sampled_from(letters)) if c == "?" else c
            for c in pattern
        )
    expected = pieces(pattern, text)
    found = glob(pattern).whole(text)
    assert (found is None) == (expected is None)
    assert found is None or found == [text, *expected]


@given(words, words)
def test_literals(one, other):
    assert Regular(literal(one)).matches(one)
    assert Regular(literal(one)).matches(other) == (one == other)
    assert Regular(literal(one)).occurs(other) == (one in other)


leaves = st.one_of(
    st.sampled_from("ab").map(
        lambda c: (c, lambda text, i: {i + 1} if text[i : i + 1] == c else set())
    ),
    st.just((".", lambda text, i: {i + 1} if i < len(text) else set())),
    st.just(("[^a]", lambda text, i: {i + 1} if text[i : i + 1] not in ("", "a") else set())),
)


def group(inner):
    return rf"\({inner[0]}\)", inner[1]


def several(inner, least, most):
    """Return an expression with `\\{least,most\\}`, and the positions where it may end."""

    def ends(text, i):
        found, now = set(), {i}
        for count in range(most + 1):
            found |= now if count >= least else set()
            now = {k for j in now for k in inner[1](text, j)}
        return found

    return rf"\({inner[0]}\)\{{{least},{most}\}}", ends


def star(inner):
    def ends(text, i):
        found, waiting = {i}, [i]
        while waiting:
            more = inner[1](text, waiting.pop()) - found
            found |= more
            waiting += more
        return found

    return rf"\({inner[0]}\)*", ends


def after(parts):
    def ends(text, i):
        now = {i}
        for part in parts:
            now = {k for j in now for k in part[1](text, j)}
        return now

    return "".join(part[0] for part in parts), ends


expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        inner.map(group),
        inner.map(star),
        st.builds(several, inner, st.integers(0, 2), st.integers(2, 3)),
        st.lists(inner, min_size=1, max_size=3).map(after),
    ),
    max_leaves=6,
)


@given(expressions, st.text("ab\n", max_size=6))
def test_regular_expressions(expression, text):
    pattern, ends = expression
    assert Pattern(pattern, "total").matches(text) == (len(text) in ends(text, 0))
    occurs = any(ends(text, i) for i in range(len(text) + 1))
    assert Pattern(pattern, "partial").matches(text) == occurs


def longest_first(ends, text, new, count):
    """Return a text with the leftmost, longest matches replaced."""
    shown, at, behind = "", 0, None
    while at <= len(text):
        found = max(ends(text, at), default=None)
        if found is None or found == at == behind or count == 0:
            shown += text[at : at + 1]
            at += 1
            continue
        shown += new
        count -= 1
        if found == at:
            shown += text[at : at + 1]
        behind, at = found, max(found, at + 1)
    return shown


@given(expressions, st.text("ab\n", max_size=6), st.sampled_from(("single", "multiple")))
def test_leftmost_longest_matches_are_renamed(expression, text, mode):
    pattern, ends = expression
    expected = longest_first(ends, text, "<>", 1 if mode == "single" else -1)
    found = Pattern(pattern, mode).renamed(text, "<>")
    assert (text if found is None else found) == expected
    if "*" not in pattern and "{" not in pattern:
        # The same by backtracking, which patterns with back-references need.
        referring = rf"{pattern}\(\)\{pattern.count('(') + 1}"
        assert Pattern(referring, mode).renamed(text, "<>") == found


LONG = "a" * 3000
BACKTRACKING = "*a*a*a*a*a*a*a*a*b"


def test_long_labels_are_matched_in_linear_time():
    """None of these would terminate in reasonable time with backtracking."""
    assert not glob(BACKTRACKING).matches(LONG)
    assert not pattern(BACKTRACKING)(LONG)
    assert not Pattern(r"\(a*\)*b", "total").matches(LONG)
    assert Pattern(r"\(a*\)*b", "single").renamed(LONG, "x") is None
    system = LTS.from_transitions([(0, LONG, 1)])
    with pytest.warns(match="nothing to rename"):
        assert system.rename({BACKTRACKING: "x"}).labels == (LONG,)


def test_large_expressions_are_refused():
    with pytest.raises(LtsError, match="too large"):
        Pattern(r"\(\(a\{999\}\)\{999\}\)\{999\}", "total")
    with pytest.raises(LtsError, match="this is not a valid pattern"):
        Regular("(")


@pytest.mark.parametrize(("new", "expected"), [("x", "-x-x-"), (r"[\0\1]", "-[aa]-[aa]-")])
def test_each_part_is_renamed(new, expected):
    assert Pattern(r"\(a\)", "multiple").renamed("-a-a-", new) == re.sub("x", "x", expected)
