"""What is taken for the image of what, where a mistake would be a false proof."""

from collections import Counter
from contextlib import nullcontext
from functools import partial, reduce
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lts import NotProven, mcrl2
from lts.mucrl import linearise, read, read_text
from lts.specification.specification import Application, Function, Rule, Variable
from lts.specification.terms import NUMERAL, VALUE, variables_of
from lts.symmetry import count_orbits, parse_permutation
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.proof.correspondence import METHODS
from lts.symmetry.data.proof.matching import Matcher, may_overlap, overlap
from lts.symmetry.data.proof.open_terms import OpenTerms, TooLong
from lts.symmetry.data.proof.truths import Truths

MUTEX = Path(__file__).parents[3] / "cases" / "mutex.mcrl"
TEXT = """sort Bool D func T,F:->Bool d1,d2:->D map is,no:D->Bool
act a,b:D#D a,c:D
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
        ("a(u,v).X(v,v)", "a(u).X(v,v)", False),
        ("a(u,v).X(u,v)", "a(u,v).X(u,v) <| is(u) |> delta", False),
        ("a(u,v).X(u,v) <| is(u) |> delta", "a(u,v).X(u,v)", False),
        ("a(u,v).X(u,v) <| is(u) |> delta", "a(u,v).X(u,v) <| is(u) |> delta", True),
        ("a(u,v).X(u,v) <| is(u) |> delta", "a(u,v).X(u,v) <| no(u) |> delta", False),
        ("a(u,v).X(u,v) <| is(u) |> delta", "delta <| is(u) |> a(u,v).X(u,v)", False),
    ],
)
def test_variables_are_matched_one_to_one(one, other, alike):
    (left, right), parameters = summands(one, other)
    matcher = Matcher({}, lambda one, other: False, parameters=parameters[0])
    assert matcher.is_image(left, right, parameters[1]) is alike


def test_condition_matching_is_order_independent_and_bounded():
    conditions = ["is(u)", "is(v)", "no(u)"]

    def guarded(order):
        step = "a(u,v).X(u,v)"
        for number in order:
            step = f"({step} <| {conditions[number]} |> delta)"
        return step

    (left, right), parameters = summands(guarded([0, 1, 2]), guarded([2, 1, 0]))
    assert len(left.guards) == 3
    # What the steps do, each condition with the last that is left, and the control state.
    for steps in range(10):
        matcher = Matcher({}, lambda one, other: False, parameters=parameters[0])
        matcher.left = steps
        assert matcher.is_image(left, right, parameters[1]) is (steps >= 8)


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


@pytest.mark.parametrize("method", METHODS)
def test_summand_orbits_are_proven_together(method, monkeypatch):
    """If the text fails to prove one of them, none of them counts as proven."""
    process = linearise(read(MUTEX, parameters={"N": 3}))
    group_action = GroupAction(
        process, [parse_permutation("(p1 p2 p3)"), parse_permutation("(p1 p2)")], method
    )
    count = len(group_action.process.summands)
    orbits = {}
    for number in range(count):
        orbit, waiting = {number}, [number]
        while waiting:
            at = waiting.pop()
            new = {images[at] for images in group_action.found.summands} - orbit
            orbit |= new
            waiting += new
        orbits[number] = orbit
    for odd in range(count):

        class Doubtful:
            def proves(self, number, odd=odd):
                return number != odd

        monkeypatch.setattr(group_action, "texts", lambda: [Doubtful(), Doubtful()])
        proven = group_action.proven("certificate")
        assert {i for i in range(count) if not proven[i]} == orbits[odd]


APART = """sort Bool D func T,F:->Bool d1,d2,d3:->D map eq:D#D->Bool id:D->D var x,y:D
rew eq(x,x)=T eq(d1,d2)=F eq(d2,d1)=F eq(d1,d3)=F eq(d2,d3)=F eq(d3,d1)=F eq(d3,d2)=F id(x)=x
act a,b1,b2,b:D comm b1|b2=b
proc X(x:D) = a(x).X(x) + {more}
Y = b2(d1).Y Z = a(id(d1)).Z + a(id(d2)).Z
init encap({{b1,b2}}, {start})
"""


@pytest.mark.parametrize(
    ("more", "start", "step"),
    [
        # No step of the component that it moves to is like it.
        ("b1(x).X(x)", "X(d1) || X(d2) || Y", "b"),
        # Some that look alike are moved to steps of components that these do not move to.
        ("sum(y:D, a(y).X(x) <| eq(y,d1) |> delta)", "X(d1) || X(d2) || Z", "a"),
    ],
)
def test_grouped_steps_each_need_an_image(more, start, step):
    process = linearise(read_text(APART.format(more=more, start=start)))
    with pytest.raises(NotProven, match=f"`{step}` of line 4 has no image among the steps"):
        GroupAction(process, [parse_permutation("(d1 d2)")], "groups")


def test_ambiguous_communications_share_an_origin():
    process = linearise(
        mcrl2.read_text("""sort D = struct d1 | d2; act a, b, c: D;
proc X = sum n, m: D. a(n) | a(m) . X; Y = sum n: D. b(n) . Y;
init allow({a | c}, comm({a | b -> c}, X || Y));
""")
    )
    with pytest.raises(NotProven, match="several steps have one origin"):
        GroupAction(process, [parse_permutation("(d1 d2)")], "origin")
    assert count_orbits(process, parse_permutation("(d1 d2)")).states == 1


PARAMETERS = (
    APART[: APART.index("act")]
    + """act a,b:D
proc X(p:Bool,q:Bool,r:Bool) = a(d1).X(F,q,r) <| p |> delta + a(d2).X(p,F,r) <| q |> delta
  + b(d3).X(p,q,F) <| r |> delta
init X(T,T,T)
"""
)


def test_parameter_search_is_bounded(monkeypatch):
    """One that nothing is matched with becomes one that is left over, itself if it is."""
    process = linearise(read_text(PARAMETERS))
    for permutation, positions in [("(d1 d2 d3)", (1, 0, 2)), ("(d1 d2)", (1, 0, 2))]:
        group_action = GroupAction(process, [parse_permutation(permutation)], "search")
        assert group_action.found.positions == (positions,)
    for limit, is_found in [(3, True), (2, False)]:
        monkeypatch.setattr("lts.symmetry.data.proof.parameter_search.MOST_STEPS", limit)
        with nullcontext() if is_found else pytest.raises(NotProven, match="no matching"):
            GroupAction(process, [parse_permutation("(d1 d2)")], "search")


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
    # What is one variable by then is not put in its own place.
    @example(*(Application(F, (Application(F, (v, v)), v)) for v in LEAVES[:2]))
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


def test_numerals_overlap_constructor_patterns():
    two, three = (Application(Function(digit, (), "N", native=NUMERAL)) for digit in "23")
    zero = Application(Function("0", (), "N", constructor=True))
    more = Application(Function("s", ("N",), "N", constructor=True), (Variable("x", "N"),))
    for one, other in [(two, more), (more, two), (zero, two)]:
        assert overlap(one, other)
    for one, other in [(two, three), (zero, more)]:
        assert not overlap(one, other)


def test_may_overlap_includes_all_overlaps():
    left_out = Counter()
    numbers = [Application(Function(digit, (), "D", native=NUMERAL)) for digit in "23"]
    sides = st.tuples(PATTERNS | st.sampled_from(numbers), PATTERNS).map(partial(Application, F))

    @given(st.lists(sides, max_size=6))
    def among_all(sides):
        listed = dict(may_overlap(sides))
        assert [*listed] == [*range(len(sides))]
        for at, earlier in listed.items():
            assert [*earlier] == sorted(set(earlier).intersection(range(at)))
            rest = set(range(at)).difference(earlier)
            assert not any(overlap(sides[first], sides[at]) for first in rest)
            left_out["yes" if rest else "no"] += 1

    among_all()
    assert 10 * left_out["yes"] >= left_out["no"]


def test_only_total_boolean_functions_are_connectives():
    true, false = (Application(Function(name, (), "Bool", constructor=True)) for name in "TF")
    joining = {n: Function(f"f{n}", ("Bool",) * n, "Bool") for n in (1, 2, 4, 5)}
    partial, other = Function("p", ("Bool", "Bool"), "Bool"), Function("o", ("Bool", "D"), "Bool")

    def evaluate(term):
        if term.function == partial and term.arguments == (true, false):
            return None
        return true if true in term.arguments else false

    functions = [*joining.values(), partial, other]
    truths = Truths(true, false, functions, evaluate, lambda terms: True)
    assert [*truths.connectives] == [joining[n] for n in (1, 2, 4)]
    assert truths.connectives[joining[2]] == [False, True, True, True]


def test_truth_tables_have_a_limited_number_of_atoms():
    true, false = (Application(Function(name, (), "Bool", constructor=True)) for name in "TF")
    either = Function("or", ("Bool", "Bool"), "Bool")
    truths = Truths(
        true, false, [either], lambda t: true if true in t.arguments else false, lambda terms: True
    )

    def joined(atoms):
        return reduce(lambda one, other: Application(either, (one, other)), atoms)

    for count in (20, 21):
        atoms = [Variable(f"x{number}", "Bool") for number in range(count)]
        assert truths.are_equal(joined(atoms), joined(atoms[::-1])) is (count == 20)


def test_matching_modulo_disjunction_is_symmetric():
    true, false = (Application(Function(name, (), "Bool", constructor=True)) for name in "TF")
    either, holds = Function("or", ("Bool", "Bool"), "Bool"), Function("p", ("D",), "Bool")
    truths = Truths(
        true, false, [either], lambda t: true if true in t.arguments else false, lambda terms: True
    )
    x, y = (Application(holds, (Variable(name, "D"),)) for name in "xy")
    twice = Application(either, (y, y))
    known = {x.arguments[0]: y.arguments[0]}
    back = {y.arguments[0]: x.arguments[0]}
    matcher = Matcher({}, lambda one, other: False, truths)
    assert matcher.extend(dict(known), [x], [twice])
    assert matcher.extend(dict(back), [twice], [x])
    assert not matcher.extend(dict(known), [x], [Application(either, (y, true))])
    assert not matcher.extend(dict(known), [x], [Application(either, (y, x))])
    assert not Matcher({}, lambda one, other: False).extend(dict(known), [x], [twice])


D = [Application(Function(f"d{n}", (), "D", constructor=True)) for n in range(3)]
X, Y, Z = (Variable(name, "D") for name in "xyz")
TRUE, FALSE = (Application(Function(name, (), "Bool", constructor=True)) for name in "TF")


def opened(*rules, evaluate=lambda term: None):
    """Rewriting by rules: a left side, a right one, and a condition if there is one."""
    by_function = {}
    for left, right, *condition in rules:
        found = by_function.setdefault(left.function, [])
        found.append(Rule(left, right, (1, 1), *condition))
    return OpenTerms(by_function, evaluate, TRUE, FALSE)


def test_open_terms_use_the_first_certain_rule():
    f, is_first = Function("f", ("D",) * 3, "D"), Function("is_first", ("D",), "Bool")

    def of(*terms):
        return Application(f, terms)

    first = (of(X, X, D[0]), D[1])
    anything = (of(X, Y, Z), D[2])
    terms = opened(first, anything)
    for arguments, expected in [
        ((Y, Y, D[0]), D[1]),
        ((D[0], D[1], Y), D[2]),  # whatever the last is, the first two differ
        ((Y, Z, D[0]), None),
        ((Y, Y, Z), None),
        ((Y, Y, D[1]), D[2]),
    ]:
        assert terms.normal(of(*arguments)) == (expected or of(*arguments))

    def asked(term):
        return Application(is_first, (term,))

    known = (asked(D[0]), TRUE), (asked(D[1]), FALSE)
    terms = opened(*known, (of(X, Y, Z), Y, asked(X)), anything)
    for arguments, expected in [
        ((D[0], X, Y), X),
        ((D[1], X, Y), D[2]),
        ((X, X, Y), None),
        ((D[2], X, Y), None),
    ]:
        assert terms.normal(of(*arguments)) == (expected or of(*arguments))


def test_distinct_constructors_give_distinct_values():
    pair = Function("pair", ("D", "D"), "P", constructor=True)
    nothing = Application(Function("nothing", (), "P", constructor=True))
    made = Function("made", ("D", "D"), "P")
    terms = opened((Application(made, (X, Y)), nothing, Application(made, (X, X))))

    def of(one, other, function=pair):
        return Application(function, (one, other))

    for one, other, expected in [
        (of(X, D[0]), of(Y, D[0]), None),
        (of(X, D[0]), of(Y, D[1]), False),
        (of(D[0], X), of(D[1], X), False),
        (of(X, Y), nothing, False),
        (of(X, Y, made), nothing, None),
        (of(D[0], X, made), of(D[1], X, made), None),
        (of(X, Y), of(X, Y), True),
    ]:
        assert terms.are_equal(one, other) is expected
        assert terms.are_equal(other, one) is expected
    two, three = (Application(Function(digit, (), "N", native=NUMERAL)) for digit in "23")
    zero = Application(Function("0", (), "N", constructor=True))
    assert terms.are_equal(two, three) is False
    assert terms.are_equal(two, zero) is None


def test_open_term_rewriting_terminates_at_a_bound():
    f, g = (Function(name, ("D",), sort) for name, sort in [("f", "D"), ("g", "Bool")])
    of_x = Application(f, (X,))
    chain = [Function(f"f{number}", ("D",), "D") for number in range(4)]
    steps = [(Application(a, (X,)), Application(b, (X,))) for a, b in pairwise(chain)]
    for most in (2, 3):
        terms = opened(*steps)
        terms.steps = most
        with nullcontext() if most == 3 else pytest.raises(TooLong):
            assert terms.normal(Application(chain[0], (Y,))) == Application(chain[3], (Y,))
    asking = Application(g, (of_x,))
    for rule in [(of_x, of_x), (of_x, Y, asking)]:
        with pytest.raises(TooLong):
            opened(rule).normal(of_x)
    # One after the other, there may be as many conditions as there are.
    terms = opened((of_x, X, Application(g, (D[0],))), (Application(g, (D[0],)), TRUE))
    for one in [Variable(f"x{number}", "D") for number in range(100)]:
        assert terms.normal(Application(f, (one,))) == one


def test_computing_functions_are_not_rigid():
    terms = opened((Application(Function("f", (), "N", constructor=True)), D[0]))
    for constructor, arguments, native, is_rigid in [
        (True, ("N",), None, True),
        (False, (), None, True),
        (False, ("N",), None, False),
        (False, (), NUMERAL, True),
        (False, (), VALUE, True),
        (True, ("N",), "add", False),
        (False, (), "add", False),
    ]:
        function = Function("g", arguments, "N", constructor=constructor, native=native)
        assert terms.is_rigid(function) is is_rigid
    assert not terms.is_rigid(Function("f", (), "N", constructor=True))


def test_closed_terms_are_evaluated_once():
    f, g = (Function(name, ("D",), "D") for name in "fg")
    asked = []

    def evaluate(term):
        asked.append(term)
        return D[1] if term.function == f else term

    closed = Application(f, (D[0],))
    terms = opened(evaluate=evaluate)
    for _ in range(2):
        assert terms.normal(closed) == D[1]
        assert terms.normal(Application(g, (X,))) == Application(g, (X,))
        assert terms.normal(D[1]) == D[1]
    assert asked == [closed]
