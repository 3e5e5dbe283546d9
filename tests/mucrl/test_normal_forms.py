"""Values that no equation fits, and constructors with equations: held against an interpreter that
rewrites by itself and knows of all values by listing them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LimitReached, SpecificationError
from lts.mucrl import explore, generate, linearise, read_text, simulate
from lts.specification import specification as t
from naive.mucrl import Interpreter
from naive.rewriting import values_by_rounds
from naive.systems import bisimilar

BOOL = "sort Bool func T,F:->Bool\n"


class Stuck(Exception):
    """A condition is neither true nor false."""


class NormalForms(Interpreter):
    """Sums range over what terms of constructors come to, and where the
    variable is called `any..` over all normal forms of a few levels."""

    def steps(self, p):
        if isinstance(p, t.Condition):
            found = self.normal(p.condition)
            if found not in (self.specification.true, self.specification.false):
                raise Stuck
        elif isinstance(p, t.Sum):
            everything = p.variable.name.startswith("any")
            for value in self.closed(p.variable.sort, everything):
                yield from self.steps(t.instantiate(p.body, {p.variable: value}))
            return
        yield from super().steps(p)

    def closed(self, sort, everything):
        if everything not in self.values:
            functions = [
                f
                for f in self.specification.functions
                if f.constructor or (everything and f.sort != "Bool")
            ]
            self.values[everything], _ = values_by_rounds(functions, self.normal, 4)
        return self.values[everything][sort]


# `s` counts modulo 2 or 3, `one` is another name; `k` and `m` have equations for some arguments.
# `same` compares by constructors, which the solver finds out, `eq` by the one rule that suits all.
HEAD = f"""{BOOL}
sort D func d0,d1:->D
sort E func e:->E s:E->E one:->E
sort G func g:->G h:D->G
map k:E->E m:D->G c:->G same,eq:G#G->Bool sameD:D#D->Bool eq:E#E->Bool
zero:E->Bool
act a,b,r:E p,q,o:G d,f
comm b|r=a p|q=o
"""
SAME = (
    "var x,y:D i,j:E u,v:G rew\n"
    "sameD(d0,d0)=T sameD(d0,d1)=F sameD(d1,d0)=F sameD(d1,d1)=T\n"
    "same(g,g)=T same(g,h(x))=F same(h(x),g)=F same(h(x),h(y))=sameD(x,y)\n"
    "eq(u,u)=T eq(u,v)=F eq(i,i)=T eq(i,j)=F\n"
    "zero(e)=T zero(s(i))=F zero(one)=F zero(i)=F\n"
)
OF_E = ["e", "one", "s(e)", "s(s(e))", "s(one)", "k(e)", "k(one)", "k(s(k(e)))"]
OF_G = ["g", "h(d0)", "h(d1)", "m(d0)", "m(d1)", "c"]


@st.composite
def texts(draw):
    rules = [draw(st.sampled_from(["s(s(e))=e one=s(e)", "s(s(s(i)))=i", "s(s(i))=i"]))]
    rules += draw(
        st.sets(st.sampled_from(["one=s(e)", "one=e", "k(e)=one", "m(d0)=g", "m(d1)=h(d0)"]))
    )
    if "one=e" in rules and any("one=s(e)" in rule for rule in rules):
        rules.remove("one=e")
    one, other = (draw(st.sampled_from(OF_E)) for _ in range(2))
    third, fourth = (draw(st.sampled_from(OF_G)) for _ in range(2))
    body = draw(
        st.sampled_from(
            [
                f"X = sum(i:E, a(i)).X + sum(u:G, o(u) <| same(u,{third}) |> delta)",
                f"X = sum(i:E, a(s(i)) <| eq(i,{one}) |> delta).X + d",
                f"X = b({one}).b({other}).X Y = sum(anyE:E, r(anyE).a(k(anyE))).Y",
                f"X = b({one}) Y = sum(anyE:E, r(anyE).(f <| eq(anyE,{other}) |> d)).Y",
                f"X = p({third}).X Y = sum(anyG:G, q(anyG).o(anyG) <| same(anyG,{fourth}) |> d)",
                f"X = p({third}).X Y = sum(anyG:G, q(anyG) <| eq(anyG,{fourth}) |> delta).Y",
                f"X = sum(i:E, a(i) <| zero(s(i)) |> delta).X + b({one})",
                "X = sum(i:E, sum(j:E, a(s(j)) <| eq(s(j),s(i)) |> d) <| zero(s(s(i))) |> d).X",
                f"X = p({third}).X Y = sum(x:D, q(m(x)).o(h(x))).Y",
                f"X = b({one}).X Y = sum(anyE:E, r(k(anyE)).a(anyE)).Y",
                f"X = sum(u:G, p(u)) Y = sum(anyG:G, q(anyG).(d <| eq(anyG,{third}) |> f))",
                f"X = (p({third})+b({one})).(p({fourth})+b({other})).X Y = q({third}).Y+r({one}).Y",
            ]
        )
    )
    process = "encap({b,r,p,q},X||Y)" if " Y = " in body else "X"
    return f"{HEAD}{SAME} {' '.join(sorted(rules))}\nproc {body}\ninit {process}"


@settings(max_examples=3 * settings.default.max_examples, deadline=None)
@given(texts())
def test_generation_is_bisimilar_to_the_interpreter(text):
    specification = read_text(text)
    try:
        expected = NormalForms(specification).system(60)
    except Stuck:
        return
    found = generate(specification, check=True)
    assert bisimilar(found, expected)
    assert sorted(set(found.transitions())) == sorted(found.transitions())


@given(texts())
def test_strict_generation_is_equal_or_refused(text):
    try:
        strict = generate(read_text(text, strict=True))
    except SpecificationError:
        return
    plain = explore(linearise(read_text(text)))
    if not plain.normal_forms:
        # A constant without equations is a value of its own, which strictly no sum ranges over.
        names_constant = re.search(r"\bc\b", text.partition("proc")[2])
        assert names_constant or list(strict.transitions()) == list(plain.lts.transitions())


def test_equations_are_not_inverted_on_reducible_terms():
    # Of i only p(p(0)), p(p(p(0))) .. are negative after one is added, and these are never found to
    # be none.
    text = BOOL + "sort I func 0:->I s,p:I->I map neg:I->Bool var i:I rew s(p(i))=i p(s(i))=i "
    text += "neg(0)=F neg(s(i))=F neg(p(i))=T act a:I init sum(i:I, a(i) <| neg(s(i)) |> delta)"
    with pytest.raises(LimitReached, match="more than 5 values"):
        generate(read_text(text), max_values=5)
    head, _, _ = text.partition("init")
    one = f"{head}init a(s(p(p(0)))) <| neg(s(p(p(0)))) |> delta"
    assert generate(read_text(one)).labels == ("a(p(0))",)


def test_irreducible_functions_are_reported_once():
    text = f"{HEAD}{SAME} k(e)=e proc X(i:E) = a(i).X(s(k(i))) init X(k(s(e)))"
    finite = explore(linearise(read_text(text.replace("s(k(i))", "e"))))
    assert finite.normal_forms == ("k(s(e))",)
    assert list(finite.lts.transitions()) == [(0, "a(k(s(e)))", 1), (1, "a(e)", 1)]
    assert explore(linearise(read_text(f"{HEAD}init d"))).normal_forms == ()


def test_a_condition_has_to_be_true_or_false():
    text = BOOL + "map f:Bool->Bool act a b:Bool init a.(b(f(T)) <| f(T) |> delta)"
    with pytest.raises(SpecificationError, match=r"2:\d+: the condition `f\(T\)` is neither"):
        generate(read_text(text))
    assert generate(read_text(text.replace("<| f(T) |>", "<| T |>"))).labels == ("a", "b(f(T))")


def test_steps_are_simulated_with_normal_forms():
    simulation = simulate(read_text(BOOL + "map f:Bool->Bool act b:Bool init b(f(T))"))
    assert [step.label for step in simulation.steps] == ["b(f(T))"]


@pytest.mark.parametrize(
    ("process", "labels"),
    [
        ("(a||b)||d", {"a", "b", "d", "c", "e"}),
        ("a||b||d", {"a", "b", "d", "c", "e"}),
        ("a||(b||d)", {"a", "b", "d", "c"}),
        ("(a||d)||b", {"a", "b", "d", "c"}),
        ("(a|b)|d", {"e"}),
        ("a|(b|d)", set()),
    ],
)
def test_non_associative_communication_follows_brackets(process, labels):
    # a|b = c, and c with d is e; b with d is nothing.
    text = f"{BOOL}act a b c d e comm a|b=c c|d=e init {process}"
    specification = read_text(text)
    assert len(specification.remarks) == 1
    assert specification.remarks[0].startswith("2:20: communication is not associative: ")
    assert set(generate(specification).labels) == labels
    with pytest.raises(SpecificationError, match="communication is not associative"):
        read_text(text, strict=True)
