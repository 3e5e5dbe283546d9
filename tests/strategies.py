"""Hypothesis strategies for small systems with many special cases."""

from hypothesis import settings
from hypothesis import strategies as st

from lts import LTS


def examples(times):
    """Return `times` as many examples as the current profile uses."""
    return round(times * settings.default.max_examples)


@st.composite
def systems(draw, max_states=7, labels=("tau", "a", "b"), max_transitions=16, min_transitions=0):
    """Return LTSs with loops, internal cycles, duplicates, unreachable states, nondeterminism."""
    count = draw(st.integers(1, max_states))
    state = st.integers(0, count - 1)
    row = st.tuples(state, st.sampled_from(labels), state)
    rows = draw(st.lists(row, min_size=min_transitions, max_size=max_transitions))
    rows += draw(st.lists(st.sampled_from(rows), max_size=2)) if rows else []
    return LTS.from_transitions(rows, initial=draw(state), state_count=count)


@st.composite
def symmetric_systems(draw, max_states=8, max_rows=6):
    """Return an LTS with a planted symmetry, and its label permutation.

    A permutation of the states that fixes the initial one, and one of the labels that fixes tau,
    are drawn first; then transitions are closed under the pair. Their cycles have arbitrary
    lengths.
    """
    count = draw(st.integers(1, max_states))
    labels = ["a", "b", "c", "d"]
    sigma = [0, *draw(st.permutations(range(1, count)))] if count > 1 else [0]
    images = dict(zip(labels, draw(st.permutations(labels)), strict=True)) | {"tau": "tau"}
    state = st.integers(0, count - 1)
    rows = set()
    row = st.tuples(state, st.sampled_from([*labels, "tau"]), state)
    for s, a, t in draw(st.lists(row, max_size=max_rows)):
        while (s, a, t) not in rows:
            rows.add((s, a, t))
            s, a, t = sigma[s], images[a], sigma[t]
    rows = sorted(rows)
    rows += draw(st.lists(st.sampled_from(rows), max_size=2)) if rows else []
    return LTS.from_transitions(rows, state_count=count), images


@st.composite
def group_symmetric_systems(draw, max_states=7, max_rows=4):
    """Return an LTS with several planted symmetries, and their label permutations.

    Pairs of a permutation of the states and one of the labels are drawn, and transitions closed
    under all of them: the group is arbitrary, often not abelian, with stabilisers and kernels.
    """
    count = draw(st.integers(1, max_states))
    labels = ["a", "b", "c", "d"]
    pairs = []
    for _ in range(draw(st.integers(2, 3))):
        sigma = [0, *draw(st.permutations(range(1, count)))] if count > 1 else [0]
        images = dict(zip(labels, draw(st.permutations(labels)), strict=True)) | {"tau": "tau"}
        pairs.append((sigma, images))
    state = st.integers(0, count - 1)
    rows = set()
    row = st.tuples(state, st.sampled_from([*labels, "tau"]), state)
    waiting = draw(st.lists(row, max_size=max_rows))
    while waiting:
        s, a, t = waiting.pop()
        if (s, a, t) not in rows:
            rows.add((s, a, t))
            waiting += [(sigma[s], images[a], sigma[t]) for sigma, images in pairs]
    return LTS.from_transitions(sorted(rows), state_count=count), [images for _, images in pairs]
