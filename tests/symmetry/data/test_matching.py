"""What is taken for the image of what, where a mistake would be a false proof."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lts.mucrl import linearise, read, read_text
from lts.specification.specification import Application, Function, Variable
from lts.specification.terms import variables_of
from lts.symmetry import parse_permutation
from lts.symmetry.data.action import Acting
from lts.symmetry.data.proof.correspondence import WAYS
from lts.symmetry.data.proof.matching import Matcher, overlap

MUTEX = Path(__file__).parents[3] / "cases" / "mutex.mcrl"
TEXT = """sort Bool D func T,F:->Bool d1,d2:->D
act a,b:D#D c:D
proc X(u:D,v:D) = {} init X(d1,d2)
"""


def summands(*alternatives):
    """The summands of alternatives, each alone: what is said twice would be one summand."""
    texts = [read_text(TEXT.format(alternative)) for alternative in alternatives]
    processes = [linearise(text, simplifications=()) for text in texts]
    variables = [p.variable for p in processes[0].parameters]
    parameters = ({v: v for v in variables}, list(range(len(variables))))
    return [summand for process in processes for summand in process.summands], parameters


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("sum(x:D,sum(y:D,a(x,y).X(x,y)))", "sum(y:D,sum(x:D,a(y,x).X(y,x)))", True),
        ("sum(x:D,sum(y:D,a(x,y).X(x,y)))", "sum(x:D,sum(y:D,a(x,x).X(x,x)))", False),
        ("sum(x:D,sum(y:D,a(x,x).X(x,x)))", "sum(x:D,sum(y:D,a(x,y).X(x,y)))", False),
        ("sum(x:D,a(x,u).X(u,v))", "sum(x:D,a(x,v).X(u,v))", False),
        ("sum(x:D,a(x,u).X(u,v))", "sum(x:D,a(u,u).X(u,v))", False),
        ("a(u,v).X(v,u)", "a(u,v).X(u,v)", False),
        ("a(u,v).X(u,v)", "b(u,v).X(u,v)", False),
    ],
)
def test_variables_are_matched_one_to_one(one, other, alike):
    (left, right), parameters = summands(one, other)
    matcher = Matcher({}, lambda one, other: False)
    assert matcher.is_image(left, right, parameters) is alike


def test_only_closed_terms_of_one_sort_are_evaluated():
    x, y = Variable("x", "D"), Variable("y", "D")
    f, g, h = (Function(name, ("D",), sort) for name, sort in [("f", "D"), ("g", "D"), ("h", "E")])
    d = Application(Function("d", (), "D", constructor=True))
    asked = []

    def are_images(one, other):
        asked.append((one, other))
        return True

    matcher = Matcher({}, are_images)
    of_f, of_g, of_h = (Application(function, (d,)) for function in (f, g, h))
    assert matcher.extend({}, [of_f], [of_g])
    assert not matcher.extend({}, [of_f], [of_h])
    assert not matcher.extend({}, [of_f], [Application(g, (y,))])
    assert not matcher.extend({}, [Application(f, (x,))], [of_g])
    assert asked == [(of_f, of_g)]


@pytest.mark.parametrize("way", WAYS)
def test_summands_that_are_moved_to_one_another_are_proven_together(way, monkeypatch):
    """If the text fails to prove one of them, none of them counts as proven."""
    process = linearise(read(MUTEX, parameters={"N": 3}))
    acting = Acting(process, [parse_permutation("(p1 p2 p3)"), parse_permutation("(p1 p2)")], way)
    count = len(acting.process.summands)
    orbits = {}
    for number in range(count):
        orbit, waiting = {number}, [number]
        while waiting:
            at = waiting.pop()
            new = {images[at] for images in acting.found.summands} - orbit
            orbit |= new
            waiting += new
        orbits[number] = orbit
    for odd in range(count):

        class Doubtful:
            def proves(self, number, odd=odd):
                return number != odd

        monkeypatch.setattr(acting, "texts", lambda: [Doubtful(), Doubtful()])
        proven = acting.proven("certificate")
        assert {i for i in range(count) if not proven[i]} == orbits[odd]


A, B = (Function(name, (), "D", constructor=True) for name in "ab")
G, F = (
    Function(name, ("D",) * width, "D", constructor=True) for name, width in [("g", 1), ("f", 2)]
)
LEAVES = [Variable("x", "D"), Variable("y", "D"), Application(A), Application(B)]
PATTERNS = st.recursive(
    st.sampled_from([*LEAVES[:2], *LEAVES]),
    lambda inner: st.one_of(
        st.tuples(inner).map(lambda parts: Application(G, parts)),
        st.tuples(inner, inner).map(lambda parts: Application(F, parts)),
    ),
    max_leaves=4,
)


def put(term, variable, value):
    if isinstance(term, Variable):
        return value if term == variable else term
    return Application(term.function, tuple(put(part, variable, value) for part in term.arguments))


def have_an_instance(pairs):
    """Whether terms have a common instance, all pairs at once; by taking them apart. None if one
    would have to be inside itself."""
    if not pairs:
        return True
    (one, other), *rest = pairs
    if one == other:
        return have_an_instance(rest)
    if not isinstance(one, Variable):
        one, other = other, one
    if isinstance(one, Variable):
        if one in variables_of(other):
            return None
        rest = [tuple(put(term, one, other) for term in pair) for pair in rest]
        return have_an_instance(rest)
    if one.function != other.function:
        return False
    return have_an_instance([*zip(one.arguments, other.arguments, strict=True), *rest])


def test_rules_overlap_where_a_term_is_an_instance_of_both():
    reached = Counter()

    @given(PATTERNS, PATTERNS)
    @example(Application(F, (LEAVES[0], LEAVES[0])), Application(F, (LEAVES[2], LEAVES[3])))
    @example(Application(F, (LEAVES[2], LEAVES[3])), Application(F, (LEAVES[0], LEAVES[0])))
    def as_by_taking_apart(one, other):
        apart = other
        for name in "xy":
            apart = put(apart, Variable(name, "D"), Variable(name * 2, "D"))
        expected = have_an_instance([(one, apart)])
        found = overlap(one, other)
        assert expected is None or found == expected
        reached["all"] += 1
        reached["some" if expected else "none"] += one != other and expected is not None

    as_by_taking_apart()
    assert 10 * min(reached["none"], reached["some"]) >= reached["all"]
