"""Hypothesis strategies: small and nasty systems."""

from hypothesis import strategies as st

from lts import LTS


@st.composite
def systems(draw, max_states=7, labels=("tau", "a", "b"), max_transitions=16):
    """Return LTSs with loops, internal cycles, duplicates, unreachable states, nondeterminism."""
    count = draw(st.integers(1, max_states))
    state = st.integers(0, count - 1)
    rows = draw(
        st.lists(st.tuples(state, st.sampled_from(labels), state), max_size=max_transitions)
    )
    rows += draw(st.lists(st.sampled_from(rows), max_size=2)) if rows else []
    return LTS.from_transitions(rows, initial=draw(state), state_count=count)
