"""Sets, bags and functions as values, against those of Python; equal ones are one term."""

import operator
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import NotSymmetric
from lts.linear.linearise import linearise
from lts.mcrl2 import read_text
from lts.specification.terms import applications
from lts.state_space import generate
from lts.symmetry import count_orbits, parse_permutation
from naive.rewriting import Rewriter, value

NUMBERS = st.lists(st.integers(0, 4), max_size=5)
COMPARED = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


def terms(sort, texts, declarations=""):
    """The normal forms of expressions."""
    actions = "+".join(f"a({text})" for text in texts)
    specification = read_text(f"{declarations} act b; a: {sort}; init b + {actions};")
    rewriter = Rewriter(specification)
    alternatives = specification.initial.alternatives
    return [rewriter.normal(action.arguments[0]) for action in alternatives[1:]]


def values(sort, texts, declarations=""):
    return [value(term) for term in terms(sort, texts, declarations)]


def elements(term):
    """What a set or bag has, in the order of its term."""
    found = []
    while term.arguments:
        *element, term = term.arguments
        found.append(tuple(map(value, element)) if len(element) > 1 else value(element[0]))
    return found


def as_set(numbers):
    """A set in mCRL2; the empty one has a sort, too."""
    return f"{{{','.join(map(str, numbers))}}}" if numbers else "({0} - {0})"


def as_bag(numbers):
    return f"{{{','.join(f'{n}: 1' for n in numbers)}}}" if numbers else "{0: 0}"


@given(NUMBERS, NUMBERS)
def test_sets(one, other):
    x, y = as_set(one), as_set(other)
    found = terms("Set(Nat)", [f"{x} {op} {y}" for op in "+-*"])
    one, other = set(one), set(other)
    expected = [one | other, one - other, one & other]
    assert [elements(term) for term in found] == [sorted(s) for s in expected]
    texts = [f"{x} {op} {y}" for op in COMPARED] + [f"{n} in {x}" for n in range(5)]
    expected = [compare(one, other) for compare in COMPARED.values()]
    assert values("Bool", texts) == expected + [n in one for n in range(5)]
    assert values("Nat", [f"#{x}", f"#({x} + {y})"]) == [len(one), len(one | other)]


@given(NUMBERS, NUMBERS)
def test_bags(one, other):
    x, y = as_bag(one), as_bag(other)
    found = terms("Bag(Nat)", [f"{x} {op} {y}" for op in "+-*"])
    sets = terms("Set(Nat)", [f"Bag2Set({x})"])
    one, other = Counter(one), Counter(other)
    expected = [one + other, one - other, one & other]
    assert [elements(term) for term in found] == [sorted(b.items()) for b in expected]
    assert elements(sets[0]) == sorted(one)
    texts = [f"{x} {op} {y}" for op in COMPARED] + [f"{n} in {x}" for n in range(5)]
    expected = [compare(one, other) for compare in COMPARED.values()]
    assert values("Bool", texts) == expected + [n in one for n in range(5)]
    assert values("Nat", [f"count({n}, {x})" for n in range(5)]) == [one[n] for n in range(5)]


ELEMENTS = "sort D = struct c | d(Nat, Bool) | e(Set(Nat)) | f(Bag(Bool)) | g(Bool -> Bool)\n"
ELEMENTS += "| h(Set(Nat), Bool);"
OF_D = st.sampled_from(
    ["c", "d(0,true)", "d(1,false)", "d(1,true)", "e({})", "e({1})", "e({1,2})", "e({2})",
     "f({:})", "f({true: 2})", "f({true: 1, false: 3})", "g(lambda b: Bool. b)",
     "g(lambda b: Bool. !b)", "g(lambda b: Bool. true)", "h({1},true)", "h({2},false)",
     "h({0,2},true)"]
)  # fmt: skip


@given(st.lists(OF_D, min_size=1, max_size=5), st.randoms())
def test_equal_sets_and_bags_are_one_term(chosen, random):
    shuffled = random.sample(chosen, len(chosen))
    texts = [f"{{{','.join(order)}}}" for order in (chosen, shuffled, chosen + shuffled)]
    texts.append("+".join(f"{{{element}}}" for element in shuffled))
    found = terms("Set(D)", texts, ELEMENTS)
    assert len(set(found)) == 1
    assert len(elements(found[0])) == len(set(chosen))
    texts = [f"{{{','.join(f'{e}: 1' for e in order)}}}" for order in (chosen, shuffled)]
    texts.append(f"{{c: 2, {','.join(f'{e}: 1' for e in chosen)}}} - {{c: 2}}")
    assert len(set(terms("Bag(D)", texts, ELEMENTS))) == 1


def test_nested_set_elements_have_a_canonical_order():
    elements = ["h({1},true)", "h({2},true)", "h({0,2},true)"]
    texts = [f"{{{','.join(order)}}}" for order in permutations(elements)]
    assert len(set(terms("Set(D)", texts, ELEMENTS))) == 1
    # To be smaller than another one is to have a smaller set, which is a part of it.
    texts = ["h({1},true) < h({0,2},true)", "h({2},true) < h({0,2},false)"]
    assert values("Bool", texts, ELEMENTS) == [False, True]


def test_quantifiers_over_finite_sorts():
    few = "sort D = struct c | d | e(Bool); map p: D -> Bool; eqn p(c) = true; p(d) = false;"
    few += "var b: Bool; eqn p(e(b)) = b;"
    texts = ["forall x: D. p(x)", "exists x: D. p(x)", "forall x: D. p(x) || !p(x)",
             "exists x: D, b: Bool. x == e(b) && !p(x)", "forall x, y: D. p(x) && p(y) || x != y",
             "forall x: D. exists y: D. p(x) != p(y)", "exists x: D. forall y: D. p(x) != p(y)",
             "{x: D | p(x)} == {c, e(true)}", "{x: D | if(p(x), 2, 0)} == {e(true): 2, c: 2}",
             "exists s: Set(Bool). #s == 2", "forall f: Bool -> Bool. f(true) == f(f(f(true)))",
             "forall x: Bool. x == y whr y = true end"]  # fmt: skip
    expected = [False, True, True, True, False, True, False, True, True, True, True, False]
    assert values("Bool", texts, few) == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6))
def test_updates_of_functions_of_numbers(updates):
    after = "f" + "".join(f"[{n} -> {m}]" for n, m in updates)
    known = dict(updates)
    text = "map f: Nat -> Nat; f2: Nat -> Nat; eqn f2 = lambda n: Nat. n + 1; f = f2;"
    found = values("Nat", [f"({after})({n})" for n in range(5)], text)
    assert found == [known.get(n, n + 1) for n in range(5)]


@given(st.dictionaries(st.integers(0, 3), st.integers(0, 3)), st.randoms())
def test_equal_functions_are_one_term(changes, random):
    shuffled = random.sample(list(changes.items()), len(changes))
    text = "sort E = struct e(f: Nat -> Nat); map f: Nat -> Nat; var n: Nat; eqn f(n) = n;"
    same = [f"[{n} -> {m}]" for n, m in changes.items() if n != m]
    orders = ["".join(f"[{n} -> {m}]" for n, m in shuffled), "".join(same)]
    orders.append("[2 -> 7]" + "".join(f"[{n} -> {m}]" for n, m in {2: 2, **changes}.items()))
    specification = read_text(
        f"{text} act a; proc P(x: E) = a.P(); init {'+'.join(f'P(e(f{o}))' for o in orders)};"
    )
    rewriter = Rewriter(specification)
    calls = specification.initial.alternatives
    assert len({rewriter.normal(call.arguments[0]) for call in calls}) == 1


@given(st.lists(st.tuples(st.sampled_from("cde"), st.booleans()), max_size=5))
def test_functions_of_few_arguments_are_tables(updates):
    text = "sort D = struct c | d | e; map f: D -> Bool; var x: D; eqn f(x) = x == d;"
    after = "f" + "".join(f"[{n} -> {str(m).lower()}]" for n, m in updates)
    known = {"c": False, "d": True, "e": False, **dict(updates)}
    assert values("Bool", [f"({after})({n})" for n in "cde"], text) == list(known.values())
    table = "if(x == c, {}, if(x == d, {}, {}))".format(*(str(m).lower() for m in known.values()))
    texts = [f"{after} == (lambda x: D. {table})", f"{after} == {after}[c -> !(({after})(c))]"]
    assert values("Bool", texts, text) == [True, False]


def test_closures_capture_outer_variables():
    text = """
    sort F = Nat -> Nat;
    map plus: Nat -> F; twice: F -> F; compose: F # F -> F; apply: F # Nat -> Nat; up: Nat -> Nat;
    var n, m: Nat; f, g: F;
    eqn plus(n) = lambda m: Nat. n + m; twice(f) = lambda n: Nat. f(f(n)); up(n) = n + 1;
        compose(f, g) = lambda n: Nat. f(g(n)); apply(f, n) = f(n);
    """
    texts = ["plus(3)(4)", "twice(plus(3))(1)", "twice(twice(plus(3)[3 -> 9]))(0)",
             "compose(plus(1), lambda n: Nat. 2 * n)(5)", "apply(up, 7)", "twice(up)(0)",
             "(lambda n, m: Nat. 10 * n + m)(4, 2)", "(lambda n: Nat. lambda m: Nat. n)(1)(2)",
             "((lambda n: Nat. m) whr m = apply(up, 4) end)(1)"]  # fmt: skip
    assert values("Nat", texts, text) == [7, 7, 15, 11, 8, 2, 42, 1, 5]


def test_sums_have_each_set_and_function_once():
    text = """
    sort F = Bool -> Bool; act s: Nat; f: Bool # Bool; r, c: Set(Nat);
    init sum x: Set(Bool). s(#x) . sum g: F. f(g(true), g(false));
    """
    system = generate(read_text(text))
    assert (system.state_count, system.transition_count) == (3, 7)


def test_no_rules_of_sets_without_sets():
    specification = read_text("act a: Nat; init a(1 + 1);")
    assert not specification.sets
    assert not specification.bags
    assert not any("@" in f.name and f.name != "@succ" for f in specification.functions)
    specification = read_text("act a: Set(Nat); b: Bag(Bool); init delta;")
    assert [f.name for f in specification.sets["Set(Nat)"]] == ["{}", "@insert"]
    assert [f.name for f in specification.bags["Bag(Bool)"]] == ["{:}", "@insert"]


def test_no_rules_of_predicates_without_predicates():
    text = "act a: Bool; b: Set(Nat); init b(!{1} + {2} - !{3}).b({1} * !{2}).a(1 in !{2});"
    assert not _joining(read_text(text))
    calls = "a(true in {b: Bool | b}).a(1 in {i: Int | i > 3} + !{-1}).a(2 in {2} * !{3})"
    text = f"act a: Bool; init {calls};"
    assert {f.sort for f in _joining(read_text(text))} == {"Set(Int)"}


def _joining(specification):
    """What makes sets of others that are known by what is in them only."""
    return {f for f in specification.functions if f.name in ("@either", "@both", "@outside")}


def test_unread_function_parameters_have_apply_and_update():
    text = """
    sort D = struct c | d; act a;
    proc P(f: D -> Bool, g: D # D -> Bool, h: Nat -> D) = a . P();
    init P(lambda x: D. x == c, lambda x, y: D. x == y, lambda n: Nat. c);
    """
    specification = read_text(text)
    found = {(f.name, f.arguments[0]) for f in specification.functions if f.arguments}
    assert {(name, "(D->Bool)") for name in ("@apply", "@update")} <= found
    others = {name for name, sort in found if sort in ("(D#D->Bool)", "(Nat->D)")}
    assert not others & {"@apply", "@update"}


def test_rules_fit_their_sorts():
    text = """
    sort D = struct c | d(n: Nat, s: Set(Pos)) ? is_d; F = Nat -> D; G = Bool # D -> Real;
    map f: F; g: G; var k: Nat; b: Bool; x: D;
    eqn f(k) = if(k in {m: Nat | m > 2}, d(k, {2, 1} - !{2}), c);
        g(b, x) = if(b && is_d(x), floor(1 / 3) + exp(2, n(x)), max(-3, n(x)));
    act a: List(Bag(Nat)) # Bool # Real; b: Set(Bool) # Nat;
    init a([{1: 2} + Set2Bag({3}), {4: max(1, 0)}], f[1 -> c](2) == c, g(true, d(1, {})))
      . b(!{true} * {x: Bool | !x}, Int2Nat(succ(abs(-4) div 2) mod 3) + #[1, 2])
      . a([] <| {:}, (1 in {i: Int | i < 0} + !{-1}) && (c < d(0, {})), -round(2 / 3));
    """
    rules = read_text(text).rules
    assert len(rules) > 150
    for rule in rules:
        assert rule.left.sort == rule.right.sort
        assert rule.condition is None or rule.condition.sort == "Bool"
        for term in (rule.left, rule.right, rule.condition):
            for part, _ in applications(term) if term is not None else ():
                sorts = tuple(argument.sort for argument in part.arguments)
                assert sorts == part.function.arguments


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("#{:}", "0"),
        ("#{4: 2, 1: 3}", "5"),
        ("#({4: 2} - {4: 2})", "0"),
        ("pick({4, 1 + 2, 7})", "3"),
        ("pick({4: 2, 3: 1})", "3"),
        ("pick({3} - {3})", "pick({})"),
        ("#{1, 1, 2}", "2"),
    ],
)
def test_sizes_and_some_element_of_sets_and_bags(term, value):
    assert list(generate(read_text(f"act a: Nat; init a({term});")).labels) == [f"a({value})"]


def test_pick_depends_on_element_order():
    text = """sort P = struct p | q; act take: P;
        proc X(s: FSet(P)) = (s != {}) -> take(pick(s)) . X(s - {pick(s)});
        init X({p, q});"""
    assert list(generate(read_text(text)).labels) == ["take(p)", "take(q)"]
    with pytest.raises(NotSymmetric):
        count_orbits(linearise(read_text(text)), parse_permutation("(p q)"))
