"""Formulas about paths, and the two ways to decide them."""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from hypothesis import strategies as st


def trees(labels, variables=(), values=()):
    """Formulas about paths with these labels, where (p) is a variable or a value."""

    def of(scope):
        places = [*scope, *values] or [""]
        texts = sorted({text.replace("(p)", f"({p})") for text in labels for p in places})
        text = st.sampled_from(texts)
        atoms = [text.map(lambda t: ("label", t)), text.map(lambda t: ("can", t))]
        atoms += [st.just(("true",)), text.map(lambda t: ("WF", t)), text.map(lambda t: ("SF", t))]
        if len(places) > 1:
            place = st.sampled_from(places)
            atoms.append(st.tuples(st.just("same"), place, place))
        return st.recursive(
            st.one_of(atoms),
            lambda part: st.one_of(
                st.tuples(st.sampled_from(["not", "X", "F", "G", "F", "G", "A", "E"]), part),
                st.tuples(st.sampled_from(["and", "or", "U", "W", "R"]), part, part),
            ),
            max_leaves=3,
        )

    def bound(names, scope):
        if not names:
            return of(scope)
        name, *rest = names
        inner = bound(rest, [*scope, name])
        one = st.tuples(st.sampled_from(["forall", "exists"]), st.just(name), inner)
        above = st.sampled_from(["F", "G", "X", "not"])
        pair = st.tuples(st.sampled_from(["and", "or", "U"]), one, bound([], scope))
        return st.one_of(one, st.tuples(above, one), pair)

    return bound(list(variables), [])


@contextmanager
def games_alone():
    """Decide formulas about paths as games instead of by a search, which is slower."""
    with ExitStack() as patched:
        for search in ("paths.walks.as_walks", "processes.one_player"):
            patched.enter_context(patch(f"lts.logic.{search}", lambda *_: None))
        yield
