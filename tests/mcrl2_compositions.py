"""Hypothesis: compositions of mCRL2 processes, and what they do by the operational rules."""

from hypothesis import strategies as st

from lts import LTS
from naive_mcrl2 import Interpreter

DECLARED = """
sort D = struct d1 | d2;
map other: D -> D;
eqn other(d1) = d2; other(d2) = d1;
act a, b, c, d, e; r, s, t: D; n: Nat;
proc Clock(k: Nat) = (k < 2) -> n(k).Clock(k + 1) <> b.Clock(0);
     Wait = sum x: D. r(x).s(x).Wait;
     Many(x: D) = s(x)|a . Many(other(x)) + tau.b;
     Ends = a.(b + c|c).d;
     Pair = a || r(d1);
"""

COMPONENTS = ("Clock(1)", "Wait", "Pair", "Many(d1)", "Ends", "r(d1)|r(d2).Ends", "s(d2).s(d1)",
              "delta", "tau.a", "a|b|c . s(d1)", "(a + tau.r(d2)).delta")  # fmt: skip
NAMES = ("a", "b", "c", "d", "r", "s", "t")
COMMS = ("a|b -> c", "r|s -> t", "a|a -> e", "c|d -> e", "s|s -> r", "a|b|c -> d", "r|r|s -> t")


def disjoint(comms):
    used = [set(comm.partition(" ->")[0].split("|")) for comm in comms]
    return all(one.isdisjoint(other) for i, one in enumerate(used) for other in used[:i])


NAME_LISTS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True).map(", ".join)
multi = st.lists(st.sampled_from((*NAMES, "n", "e")), min_size=1, max_size=3).map(sorted)
multi = multi.map("|".join)
operators = st.one_of(
    NAME_LISTS.map("block({{{}}}, @)".format),
    NAME_LISTS.map("hide({{{}}}, @)".format),
    st.sampled_from(["rename({a -> b}, @)", "rename({r -> s, s -> r}, @)", "rename({c -> d}, @)"]),
    st.lists(multi, min_size=1, max_size=6, unique=True).map(
        lambda chosen: f"allow({{{', '.join(chosen)}}}, @)"
    ),
    st.lists(st.sampled_from(COMMS), min_size=1, max_size=3, unique=True)
    .filter(disjoint)
    .map(lambda chosen: f"comm({{{', '.join(chosen)}}}, @)"),
)


def nested(inner):
    wrapped = st.tuples(operators, inner).map(lambda pair: pair[0].replace("@", pair[1]))
    parallel = st.lists(inner, min_size=2, max_size=2).map(lambda two: f"({' || '.join(two)})")
    return wrapped | parallel


processes = st.recursive(st.sampled_from(COMPONENTS), nested, max_leaves=3)


def by_rules(specification):
    transitions = Interpreter(specification).state_space()
    if not transitions:
        return LTS.from_transitions([], state_count=1)
    return LTS.from_transitions(transitions)
