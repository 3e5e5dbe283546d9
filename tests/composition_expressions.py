"""Hypothesis: random networks over a few files, with all operators of the notation."""

from hypothesis import strategies as st

from naive.networks import LANGUAGES
from strategies import systems

FILES = ("one", "two", "three")
GATES = ("a", "b", "ab", "'a")
LABELS = ("tau", "a", "b", "A", "'a", "'A", "a !1", "b !1", "b(2)", "A !1", "ab", "exit", "delta")
MORE = (*LABELS, "exit !1", "i", "t", "p[1]", "a !1 !1", "a?x", "B", "AB", 'say "a"')

# Patterns in the notation of networks, with their equivalents in Python.
PATTERNS = (
    *((one, one) for one in ("a", "b", "ab", "'a")),
    *((one, one) for one in ("exit", "i", ".", "[ab]", "a.*", ".*", "a.1", "a !.*")),
    *((one, one) for one in (".* !1", "p.*", "ab*", "[^a]", "a !1")),
    ("b(2)", r"b\(2\)"),
    (r"\(.\)b", "(.)b"),
    (r"\('*\)\(a\)", "('*)(a)"),
    (r"\(.\)\(.*\)\1", r"(.)(.*)\1"),
    (r"a\{0,1\}\(ab\)\{0,1\}", "a?(ab)?"),
    ("p[[]1]", r"p\[1\]"),
    (r"[ab]\{1,2\}", "[ab]{1,2}"),
)
PAIRS = ("alphabets", "within", "verified")
NEW = ("a", "b", "x", "i", "tau", "exit", "t", "a !3", "'b", "A")


def content(system):
    """Return the initial state, the number of states, and the transitions in their order."""
    return system.initial, system.state_count, list(system.transitions())


@st.composite
def networks(draw, most=5, max_states=3, priorities=False, interfaces=()):
    """Return a network of at most `most` components, and the system of each file; `interfaces` are
    `within` and `verified`."""
    labels = draw(st.sampled_from((("tau", "a", "b", "ab"), LABELS, MORE)))
    files = {
        name: draw(
            systems(max_states=max_states, labels=labels, min_transitions=2, max_transitions=6)
        )
        for name in FILES
    }
    language = draw(st.sampled_from([*LANGUAGES]))
    communications = ()
    if (language is not None and draw(st.integers(0, 3))) or language == "mcrl":
        pairs = st.tuples(*[st.sampled_from(("a", "b", "ab", "'a"))] * 2)
        chosen = draw(st.lists(pairs, max_size=3, unique_by=frozenset))
        results = st.sampled_from(("a", "c", "b", "tau"))
        communications = tuple((*pair, draw(results)) for pair in chosen)
    shapes = _Shapes(priorities, LANGUAGES[language], interfaces)
    return ("network", language, communications, draw(shapes.expressions(most))), files


class _Shapes:
    def __init__(self, priorities, setting, interfaces):
        self.interfaces = list(interfaces)
        self.hidden, self.termination = setting[:2]
        self.unary = ["hide", "cut", "rename", "\\", "relabel", "exchange"]
        self.unary += ["prio"] if priorities else []
        self.patterns = st.sampled_from(PATTERNS)

    @st.composite
    @staticmethod
    def _expressions(draw, self, most):
        kinds = ["file", *self.unary]
        if most > 1:
            several = ["||", "|||", "|[", "|", "[|", "alphabets", "par", "par", "vectors"]
            several += self.interfaces * 4
            kinds = [*kinds, *several] if most < 5 else [*several, *self.unary]
        kind = draw(st.sampled_from(kinds))
        if kind == "file":
            return ("file", draw(st.sampled_from(FILES)))
        if kind in self.unary:
            return (kind, *draw(self.labels(kind)), draw(self.expressions(min(most, 4))))
        count = 2 if kind in PAIRS else draw(st.integers(2, min(most, 4)))
        sizes = [1] * count
        for _ in range(draw(st.integers(0, most - count))):
            sizes[draw(st.integers(0, count - 1))] += 1
        operands = [draw(self.expressions(min(size, 4))) for size in sizes]
        if kind in ("|", "||") and count > 2:
            # These operators are right-associative.
            while len(operands) > 2:
                operands = [*operands[:-2], (kind, operands[-2:])]
        return (kind, *draw(self.side_by_side(kind, count)), operands)

    def expressions(self, most):
        return self._expressions(self, most)

    @st.composite
    @staticmethod
    def _labels(draw, self, kind):
        some = st.lists(self.patterns, min_size=1, max_size=2)
        if kind in ("hide", "cut"):
            mode = draw(st.sampled_from(("gate", "gate", "total", "partial")))
            return mode, draw(st.booleans()), draw(some)
        if kind == "\\":
            return (draw(some),)
        if kind == "prio":
            # Few patterns match many labels, so that most results are an order.
            several = st.lists(
                st.sampled_from(PATTERNS[:4]) | self.patterns, min_size=1, max_size=2
            )
            ranked = st.tuples(st.sampled_from((False,) * 7 + (True,)), several)
            rule = st.lists(ranked, min_size=2, max_size=3, unique_by=str)
            rules = st.lists(rule, min_size=1, max_size=2)
            return draw(st.sampled_from(("gate", "total"))), draw(rules)
        rules = []
        for pattern in draw(some):
            groups = (r"\1\1", r"\1 !4") if r"\(" in pattern[0] else ()
            rules.append((pattern, draw(st.sampled_from((*NEW, *groups)))))
        if kind == "rename":
            return draw(st.sampled_from(("gate", "gate", "total", "single", "multiple"))), rules
        return (rules,)

    def labels(self, kind):
        return self._labels(self, kind)

    @st.composite
    @staticmethod
    def _side_by_side(draw, self, kind, count):
        gates = st.lists(st.sampled_from(GATES), max_size=2, unique=True)
        if kind in ("|[", "[|"):
            return (draw(gates),)
        if kind in ("within", "verified"):
            return (draw(gates.filter(any)),)
        if kind == "alphabets":
            return draw(gates), draw(gates)
        if kind == "par":
            mode = draw(st.sampled_from(("gate", "label")))
            labels = GATES if mode == "gate" else (*GATES, "a !1", "b(2)")
            degrees = st.none() | st.integers(0, count + 1)
            elements = st.lists(st.tuples(st.sampled_from(labels), degrees), max_size=2)
            everything = draw(st.sampled_from((False, False, True)))
            shared = [] if everything else draw(elements)
            return mode, everything, shared, [draw(elements) for _ in range(count)]
        if kind == "vectors":
            mode = draw(st.sampled_from(("gate", "label")))
            labels = GATES if mode == "gate" else (*GATES, "a !1", "b(2)", "exit")
            parts = st.lists(st.sampled_from((None, *labels)), min_size=count, max_size=count)
            results = st.sampled_from(("a", "b", "x", self.hidden, "exit", "a !1"))
            vector = st.tuples(parts.filter(any), results)
            return mode, draw(st.lists(vector, min_size=1, max_size=4))
        return ()

    def side_by_side(self, kind, count):
        return self._side_by_side(self, kind, count)
