"""Hypothesis: random composition expressions over a few files."""

import itertools

from hypothesis import strategies as st

from strategies import systems

GATES = ("a", "b", "c")
FILES = ("one", "two", "three")


@st.composite
def networks(draw, most=5, max_states=3):
    """Return an expression of at most so many components, and the system of each file."""
    labels = ("tau", "a", "b", "c")
    files = {
        name: draw(systems(max_states=max_states, labels=labels, max_transitions=6))
        for name in FILES
    }
    return draw(expressions(most)), files


@st.composite
def expressions(draw, most):
    kinds = ["file", "hide", "cut", "rename"]
    if most > 1:
        kinds += ["||", "|||", "|[", "par", "vectors"] * 2
    kind = draw(st.sampled_from(kinds if most < 5 else kinds[4:]))
    if kind == "file":
        return ("file", draw(st.sampled_from(FILES)))
    if kind in ("hide", "cut"):
        names = draw(st.sets(st.sampled_from(GATES), min_size=1, max_size=2))
        return (kind, names, draw(st.booleans()), draw(expressions(min(most, 4))))
    if kind == "rename":
        old = draw(st.lists(st.sampled_from(GATES), min_size=1, max_size=2, unique=True))
        rules = [(one, draw(st.sampled_from((*GATES, "d", "tau")))) for one in old]
        return (kind, rules, draw(expressions(min(most, 4))))
    count = draw(st.integers(2, min(most, 4)))
    sizes = [1] * count
    for _ in range(draw(st.integers(0, most - count))):
        sizes[draw(st.integers(0, count - 1))] += 1
    operands = [draw(expressions(min(size, 4))) for size in sizes]
    if kind == "|[":
        return (kind, draw(st.sets(st.sampled_from(GATES), max_size=2)), operands)
    if kind == "par":
        degrees = st.none() | st.integers(1, count)
        gates = draw(st.dictionaries(st.sampled_from(GATES), degrees, max_size=2))
        sides = [draw(st.sets(st.sampled_from(GATES), max_size=2)) for _ in operands]
        return (kind, gates, sides, operands)
    if kind == "vectors":
        places = st.lists(st.sampled_from((None, *GATES)), min_size=count, max_size=count)
        all = draw(st.lists(places.filter(any), max_size=4, unique_by=tuple))
        results = itertools.cycle(draw(st.permutations(("a", "b", "d", "tau"))))
        return (kind, list(zip(map(tuple, all), results, strict=False)), operands)
    return (kind, operands)
