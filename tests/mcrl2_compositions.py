"""Hypothesis: compositions of mCRL2 processes, and their steps by the operational rules."""

from hypothesis import strategies as st

from lts import LTS
from lts.linear.parallel.multi_actions import Filter
from naive.mcrl2 import Interpreter

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
    """Whether no action of a communication, nor its result, is on the left of another one."""
    left = [set(comm.partition(" ->")[0].split("|")) for comm in comms]
    every = [{*names, comm.rpartition(" ")[2]} for names, comm in zip(left, comms, strict=True)]
    return all(
        names.isdisjoint(other)
        for i, names in enumerate(left)
        for k, other in enumerate(every)
        if k != i
    )


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


# Nested filters over few names, so that actions required by an outer operator are often renamed,
# blocked, hidden or produced by communication inside, beside processes that have them.
FILTERED = """
sort D = struct d1 | d2;
act a, b, f, g, h; r, s, t: D;
"""
FEW = "abfgh"
STEPS = ("f", "g", "f", "g", "a", "b", "h", "tau", "f|g", "f|f", "r(d1)", "s(d1)", "s(d2)",
         "r(d1)|f", "(sum x: D. r(x))", "(sum x: D. s(x)|t(x))")  # fmt: skip
FILTER_COMMS = ("f|g -> b", "f|g -> f", "f|f -> h", "a|h -> g", "a|b -> a", "f|g|h -> a",
                "r|s -> t", "r|t -> s", "s|s -> r", "r|r|s -> t")  # fmt: skip
few_names = st.lists(st.sampled_from("abfghrst"), min_size=1, max_size=2, unique=True)
few_multi = st.lists(st.sampled_from("abfghrstfgab"), min_size=1, max_size=3)
sequences = st.lists(st.sampled_from(STEPS), min_size=1, max_size=2).map(" . ".join)
choices = st.lists(sequences, min_size=1, max_size=2, unique=True)
sequential = choices.map(lambda some: f"({' + '.join(some)})")


@st.composite
def renamings(draw):
    plain = draw(st.lists(st.sampled_from(FEW), max_size=3, unique=True))
    data = draw(st.lists(st.sampled_from("rst"), min_size=not plain, max_size=2, unique=True))
    pairs = [(name, draw(st.sampled_from(FEW))) for name in plain]
    pairs += [(name, draw(st.sampled_from("rst"))) for name in data]
    pairs = [f"{name} -> {image}" for name, image in pairs if name != image]
    return f"rename({{{', '.join(pairs)}}}, @)" if pairs else "@"


allowing = st.lists(few_multi, min_size=1, max_size=5, unique_by=lambda one: tuple(sorted(one)))
allowing = allowing.map(lambda some: f"allow({{{', '.join(map('|'.join, some))}}}, @)")
communicating = st.lists(st.sampled_from(FILTER_COMMS), min_size=1, max_size=2, unique=True)
communicating = communicating.filter(disjoint)
communicating = communicating.map(lambda some: f"comm({{{', '.join(some)}}}, @)")
blocking = few_names.map(lambda names: f"block({{{', '.join(names)}}}, @)")
hiding = few_names.map(lambda names: f"hide({{{', '.join(names)}}}, @)")
filters = st.one_of(renamings(), renamings(), allowing, communicating, blocking, hiding)


def around_some(inner):
    """Parallel processes, some with operators around them, below an operator that requires an
    action."""
    one = st.tuples(filters, inner).map(put_around) | inner
    beside = st.lists(one, min_size=2, max_size=3).map(lambda some: f"({' || '.join(some)})")
    expected = st.one_of(allowing, allowing, blocking)
    return st.tuples(expected, st.just("@") | communicating | renamings(), beside).map(
        lambda parts: put_around((parts[0], put_around((parts[1], parts[2]))))
    )


def put_around(pair):
    return pair[0].replace("@", pair[1])


filtered_processes = around_some(st.recursive(sequential, around_some, max_leaves=2))


class FilterCounts:
    """Counts the texts with a filter that was pushed inwards and removed something there.

    `open` counts those with an operator inside a filter that admits further actions.
    """

    def __init__(self, monkeypatch):
        self.texts = self.lost = self.open = 0
        self.found = set()
        admits, inside = Filter.admits, Filter.inside

        def counted_admits(around, bag):
            found = admits(around, bag)
            if not found:
                self.found.add("lost")
            return found

        def counted_inside(around, operator):
            if around.is_open and around.bags is not None:
                self.found.add("open")
            return inside(around, operator)

        monkeypatch.setattr(Filter, "admits", counted_admits)
        monkeypatch.setattr(Filter, "inside", counted_inside)

    def finish(self):
        """Count one text, after all its filters were built."""
        self.texts += 1
        self.lost += "lost" in self.found
        self.open += {"lost", "open"} <= self.found
        self.found.clear()

    def check(self):
        assert self.lost * 2 > self.texts, vars(self)
        assert self.open * 10 > self.texts, vars(self)
