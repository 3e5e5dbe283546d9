"""Left sides of equations of mCRL2: what they look for may be headed by any function."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import SpecificationError, Unsupported
from lts.mcrl2 import read_text
from lts.mucrl import generate
from naive.rewriting import Rewriter

HEAD = """sort D, W;
cons d, e: D; c: D -> D;
map k: W; g: D -> W; h: W # D -> W; n: Nat -> W; l: List(D) -> W; s: D -> D;
"""
# The arguments that rules of one function look for, which do not overlap: whether the rule of
# `f(d)` is in the way of another one for a term that no equation fits is not asked here.
OF_W = ["k", "g(x)", "g(x)", "h(k,x)", "h(g(x),x)", "h(g(x),y)", "h(h(w,x),y)", "n(0)", "n(i + 1)",
        "l([])", "l(x |> r)", "g(s(x))"]  # fmt: skip
OF_D = ["d", "e", "c(x)", "s(x)", "c(s(x))", "s(s(x))"]
RESULTS = {"x": ["x", "c(x)", "s(x)"], "y": ["y"], "w": ["d"], "i": ["d"], "r": ["d"]}
VARIABLES = "var x, y: D; w: W; i: Nat; r: List(D); b: Bool; eqn"


def overlap(one, other):
    """Whether two of the patterns may fit one term, for all that one sees of their heads."""
    return one.partition("(")[0] == other.partition("(")[0]


@st.composite
def rules(draw):
    found = []
    for name, patterns in (("f", OF_W), ("p", OF_D), ("m", OF_W)):
        chosen = []
        for pattern in draw(st.lists(st.sampled_from(patterns), min_size=2, max_size=8)):
            if not any(overlap(pattern, other) for other in chosen):
                chosen.append(pattern)
        for pattern in chosen:
            own = [v for v in "xywir" if v in pattern]
            results = [result for v in own for result in RESULTS[v]] or ["e"]
            condition = draw(
                st.sampled_from(["", "", f"p({draw(st.sampled_from(OF_D[:2]))}) == d -> "])
            )
            if name == "p":
                condition = ""
            second = ""
            if name == "m":
                second = "," + draw(st.sampled_from(["y", "x", "d"]))
                results += ["x"] * (second == ",x") + ["y"] * (second == ",y")
            found.append(
                f"{condition}{name}({pattern}{second}) = {draw(st.sampled_from(results))};"
            )
    return found


OF_TERMS = {"D": [("d", ""), ("e", ""), ("c", "D"), ("s", "D"), ("f", "W"), ("p", "D"),
                  ("m", "WD")],
            "W": [("k", ""), ("g", "D"), ("h", "WD"), ("n", "N"), ("l", "L")],
            "N": [("0", ""), ("1", ""), ("2", "")],
            "L": [("[]", ""), ("[d]", ""), ("[c(e), d]", "")]}  # fmt: skip


def terms(sort, depth):
    choices = [term for term in OF_TERMS[sort] if depth > 0 or not term[1]]
    return st.sampled_from(choices).flatmap(
        lambda one: st.tuples(*(terms(part, depth - 1) for part in one[1])).map(
            lambda parts: one[0] + (f"({','.join(parts)})" if parts else "")
        )
    )


OF_F = st.builds("f({})".format, terms("W", 3))
ASKED = st.one_of(
    OF_F, OF_F, st.builds("m({},{})".format, terms("W", 2), terms("D", 2)), terms("D", 4)
)


def test_normal_forms_match_definition():
    reached = Counter()

    @settings(max_examples=60)
    @given(rules(), st.lists(ASKED, min_size=2, max_size=6))
    def check(rules, asked):
        text = HEAD + "map f: W -> D; p: D -> D; m: W # D -> D;\n" + VARIABLES
        text = f"{text} {' '.join(rules)}\n" if rules else text.removesuffix(VARIABLES)
        text += "act a: D; b;\ninit b" + "".join(f" + a({term})" for term in asked) + ";\n"
        specification = read_text(text)
        naive = Counting(specification)
        wanted = {
            f"a({written(naive.normal(alternative.arguments[0]))})"
            for alternative in alternatives(specification)
        }
        reached[naive.looked_inside] += 1
        assert set(generate(specification).labels) == {"b", *wanted}

    check()
    assert reached[True] >= reached.total() / 10


def alternatives(specification):
    return [
        alternative for alternative in specification.initial.alternatives if alternative.arguments
    ]


def written(term):
    """A term as labels have it: with numbers, and the lists that there are."""
    return str(term).replace("|>(c(e),|>(d,[]))", "[c(e),d]").replace("|>(d,[])", "[d]")


class Counting(Rewriter):
    """Knows whether some rule looked for a map, and found it."""

    looked_inside = False

    def step(self, term):
        found = super().step(term)
        if term.function.name in "fpm" and found.function != term.function:
            inside = [part for part in term.arguments if not part.function.constructor]
            self.looked_inside |= any(part.function.name in "kghnls" for part in inside)
        return found


@pytest.mark.parametrize(
    ("equations", "term", "expected"),
    [
        # What is no value may be `d`: the rule for `d` is in the way of one for anything else.
        ("f(d) = e; f(x) = d;", "f(s(d))", "f(s(d))"),
        ("f(s(x)) = x; f(y) = e;", "f(s(d))", "d"),
        ("f(s(x)) = x; f(d) = e;", "f(s(s(d)))", "s(d)"),
        ("f(d) = e; f(s(x)) = x;", "f(s(d))", "d"),
        ("f(s(s(x))) = x; f(s(d)) = e;", "f(s(d))", "e"),
        ("f(s(x)) = x;", "f(c(d))", "f(c(d))"),
        # What has equations, of which none fits.
        ("p(d) = d; f(p(x)) = x;", "f(p(e))", "e"),
        ("p(d) = d; f(p(x)) = x;", "f(p(d))", "f(d)"),
        ("p(d) = d; f(s(x)) = x; f(p(x)) = e;", "f(p(s(d)))", "e"),
    ],
)
def test_first_matching_rule_is_applied(equations, term, expected):
    text = f"{HEAD} map f, p: D -> D; var x, y: D; eqn {equations} act a: D; init a({term});"
    assert generate(read_text(text)).labels == (f"a({expected})",)


def test_rules_with_maps_on_left_sides_solve_unknowns():
    """`f(s(x))` is `x` whatever `x` is, so that there is one such value to find."""
    text = f"{HEAD} map f: D -> D; var x: D; eqn f(s(x)) = x; f(d) = e; act a: D;"
    text += "init sum x: D. (f(s(x)) == c(d)) -> a(x);"
    assert generate(read_text(text)).labels == ("a(c(d))",)


NESTED = "".join(f" whr x{i} = x{i - 1} + x{i - 1} end" for i in range(40, 0, -1))


@pytest.mark.parametrize(
    ("process", "labels"),
    [
        (f"a(x40{NESTED} whr x0 = 1 end)", {f"a({2**40})"}),
        (
            f"sum n: Nat. (n < 3) -> a(x40{NESTED} whr x0 = n end)",
            {f"a({n * 2**40})" for n in range(3)},
        ),
        (
            f"sum n: Nat. (n < 9 && x40 < {2**42}{NESTED} whr x0 = n end) -> a(n)",
            {f"a({n})" for n in range(4)},
        ),
        ("a(f(3))", {f"a({3 * 2**40})"}),
        (f"a((lambda y: Nat. x40 + y{NESTED} whr x0 = 1 end)(7))", {f"a({2**40 + 7})"}),
    ],
)
def test_nested_whr_clauses_are_only_names(process, labels):
    text = f"map f: Nat -> Nat; var m: Nat; eqn f(m) = x40{NESTED} whr x0 = m end;"
    assert set(generate(read_text(f"{text} act a: Nat; init {process};")).labels) == labels


def test_large_whr_values_are_refused_on_left_sides():
    inside = "".join(f" whr x{i} = h(x{i - 1},x{i - 1}) end" for i in range(9, 0, -1))
    text = f"map k: W; h: W # W -> W; f: W -> W; eqn f(x9{inside} whr x0 = k end) = k; init delta;"
    with pytest.raises(Unsupported, match="so large a value is not supported on the left side"):
        read_text(f"sort W; {text}")


def test_rule_condition_uses_matched_variables():
    text = f"{HEAD} map f: W -> D; var x: D; eqn x == d -> f(g(x)) = e; act a: D; "
    assert set(generate(read_text(text + "init a(f(g(d))) + a(f(g(e)));")).labels) == {
        "a(e)",
        "a(f(g(e)))",
    }


def test_invalid_rules_are_errors():
    with pytest.raises(SpecificationError):
        read_text(f"{HEAD} map f: W -> D; var x: D; eqn f(g(x)) = y; init delta;")


# As mCRL2 202607 has it: a left side is compared as it stands, and nothing in it is computed.
UNMATCHED = [
    ("Nat", "var p: Pos; eqn f(p) = 6;", ["f(0)", "f(1)", "f(7)"], "Pos2Nat"),
    ("Nat", "var p: Pos; eqn f(succ(p)) = 6;", ["f(0)", "f(3)"], "Pos2Nat"),
    ("Nat", "var n: Nat; eqn f(succ(n)) = n;", ["f(0)", "f(3)"], "Pos2Nat"),
    ("Nat", "var n: Nat; eqn f(n + 1) = n;", ["f(0)", "f(3)"], "+"),
    ("Pos", "var p: Pos; eqn f(succ(p)) = p;", ["f(1)", "f(3)"], "succ"),
    ("Int", "eqn f(-1) = 6; f(-(2)) = 5;", ["f(-1)", "f(-2)", "f(1)"], "-"),
    ("Int", "eqn f(-0) = 6;", ["f(0)"], "-"),
    ("Int", "var p: Pos; eqn f(-p) = p; f(p) = p;", ["f(-7)", "f(7)"], "-"),
    ("Real", "eqn f(1/2) = 6;", ["f(1/2)", "f(2)"], "/"),
    ("Real", "var i: Int; eqn f(i) = 6;", ["f(1/2)", "f(-1)", "f(2)"], "a fraction"),
    ("Set(Nat)", "eqn f({1}) = 6;", ["f({1})", "f({})", "f({2})"], "a set or bag"),
    ("FSet(Nat)", "var n: Nat; eqn f({n}) = n;", ["f({1})", "f({})"], "a set or bag"),
    ("FSet(Nat)", "var n: Nat; s: FSet(Nat); eqn f({n} + s) = n;", ["f({1,2})"], "a set or bag"),
    ("FBag(Nat)", "var n: Nat; eqn f({n: 2}) = n;", ["f({1:2})", "f({:})"], "a set or bag"),
]


@pytest.mark.parametrize(("sort", "rules", "terms", "reason"), UNMATCHED)
def test_unmatchable_left_sides_give_a_remark(sort, rules, terms, reason):
    text = f"map f: {sort} -> Int; {rules} act a: Int; init {' + '.join(f'a({t})' for t in terms)};"
    specification = read_text(text)
    assert set(generate(specification).labels) == {f"a({term})" for term in terms}
    assert any(
        "no value matches this left side" in r and reason in r for r in specification.remarks
    )


MATCHED = [
    ("Nat", "eqn f(0) = 5; f(17) = 8;", {"f(0)": "5", "f(17)": "8", "f(2)": "f(2)"}),
    ("Pos", "eqn f(1) = 5; f(100) = 8;", {"f(1)": "5", "f(100)": "8", "f(2)": "f(2)"}),
    ("Int", "eqn f(3) = 8;", {"f(3)": "8", "f(-3)": "f(-3)"}),
    ("Int", "var n: Nat; eqn f(n) = n + 1;", {"f(3)": "4", "f(0)": "1", "f(-3)": "f(-3)"}),
    ("Real", "eqn f(3) = 8;", {"f(3)": "8", "f(1/3)": "f(1/3)"}),
    ("Set(Nat)", "eqn f({}) = 0;", {"f({})": "0", "f({1} - {1})": "0", "f({1})": "f({1})"}),
    ("FBag(Nat)", "eqn f({:}) = 0;", {"f({:})": "0", "f({1:1})": "f({1:1})"}),
]


@pytest.mark.parametrize(("sort", "rules", "terms"), MATCHED)
def test_values_match_constructor_patterns(sort, rules, terms):
    text = f"map f: {sort} -> Int; {rules} act a: Int; init {' + '.join(f'a({t})' for t in terms)};"
    specification = read_text(text)
    assert set(generate(specification).labels) == {f"a({value})" for value in terms.values()}
    assert specification.remarks == ()
