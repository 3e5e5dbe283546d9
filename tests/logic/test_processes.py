"""Formulas with data on specifications, against their meaning on the whole system."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lts import LimitReached, LtsError, NotSymmetric, SpecificationError, mcrl2, mucrl
from lts.base.bounds import INSTANCES
from lts.equivalence import refines
from lts.logic import check, check_process
from lts.logic.instances import Instances
from lts.mucrl import linearise
from lts.state_space import generate
from lts.state_space.settings import Internal, Limits, Settings
from lts.symmetry import parse_permutation
from naive import formulas as naive_formulas
from naive import relations
from specifications import specifications

CASES = Path(__file__).resolve().parents[2] / "cases"


@given(specification=specifications(), tree=naive_formulas.trees())
def test_verdicts_match_the_semantics(specification, tree):
    read = mucrl.read_text(specification)
    try:
        system = generate(read, max_states=200)
    except LimitReached:
        assume(False)
    expected = system.initial in naive_formulas.where(tree, relations.steps_of(system), {}, {})
    found = check_process(read, naive_formulas.text(tree), evidence=True)
    assert found.holds == expected
    assert found.states <= system.state_count
    assert found.explored <= found.positions == found.pairs
    # What is shown is a part of the system.
    assert refines(system, found.evidence, "simulation").holds


LOCK = """sort Bool Pid
func T,F:->Bool p1,p2,p3:->Pid
map eq:Pid#Pid->Bool after:Pid->Pid
var x:Pid
rew eq(x,x)=T after(p1)=p2 after(p2)=p3 after(p3)=p1
act try,enter,leave:Pid
proc Lock = sum(p:Pid,try(p).enter(p).leave(p).Lock)
init Lock
"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("deadlock-free", True),
        ("[true*] forall p:Pid. [enter(p)]<leave(p)>true", True),
        ("[true*] forall p:Pid. [enter(p)] exists q:Pid. val(q != p) && <leave(q)>true", False),
        ("<true*.enter(after(p3))>true", True),
        ("[exists p:Pid. try(p) && val(p == p1)] <enter(p1)>true", True),
        ("[true*.(exists p:Pid. try(p) && val(after(p) != p2))] <enter(p1)>true", False),
        ("forall p,q:Pid. <try(p)>(<enter(q)>true => val(p == q))", True),
        ("nu X(last:Pid = p1). [try(...)]X(last) && forall p:Pid. [enter(p)]X(p)"
         " && [leave(last)]X(last) && [leave(...) && !leave(last)]false", True),
        ("form [true*]<true>true;", True),
        ("enter(p1) before leave(p1)", True),
    ],
)  # fmt: skip
def test_verdicts_on_a_lock(formula, holds):
    specification = mucrl.read_text(LOCK)
    found = check_process(specification, formula)
    assert found.holds == holds
    assert found.evidence is None  # nobody asked for it
    assert check(generate(specification), formula.replace("after(p) != p2", "p != p1")
                 .replace("after(p3)", "p1")).holds == holds  # fmt: skip


COUNTER = """act up, down; get: Nat;
proc X(n:Nat) = (n < 5) -> up.X(n+1) + (n > 0) -> down.X(Int2Nat(n-1)) + get(n).X(n); init X(0);
"""
ENDLESS = "act up: Nat; proc X(n:Nat) = up(n).X(n+1); init X(0);"


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("nu X(n:Nat = 0). val(n <= 5) && [up]X(n + 1) && [down]X(n - 1) && <get(n)>true", True),
        ("nu X(n:Nat = 0). val(n <= 4) && [up]X(n + 1) && [down]X(n - 1)", False),
        ("forall n:0..5. <true*.get(n)>true", True),
        ("forall n:0..6. <true*.get(n)>true", False),
        ("exists m,n:0..5. val(m * n == 20 && m < n) && <true*.get(m).true*.get(n)>true", True),
        ("[true*] forall n:0..9. [get(n)] val(n mod 6 == n)", True),
    ],
)
def test_numbers(formula, holds):
    specification = mcrl2.read_text(COUNTER)
    assert check_process(specification, formula).holds == holds
    assert check(generate(specification), formula).holds == holds


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("<get(N)>true", True),
        ("<get(N + 1)>true", False),
        ("forall n:1..N. <get(n)>true", True),
        ("forall n:0..N. <get(n)>true", False),
        ("exists n:0..N. val(n + 1 == N) && <get(n)>true", True),
        # What follows from what follows: read from the right.
        ("val(N == 3 => N == 3 => N == 3)", True),
        ("val(N == 3 => N == 2 => N == 3)", True),
        ("val(N == 2 => N == 2 => N == 3)", False),
    ],
)
def test_parameters_of_the_text_are_numbers(formula, holds):
    text = """%@ parameter N = 2
    %@ include Bool
    %@ include Nat
    act get:Nat init get(1).delta + get(2).delta"""
    assert check_process(mucrl.read_text(text), formula).holds == holds


OF_TWO_SORTS = """%@ parameter N = 2
%@ include Bool
%@ include Nat
sort D func p,q:->D map f,g:D->D h:D#D->D h:D->D big:Nat->D x:->Nat var d:D n:Nat
rew f(p)=q f(q)=p h(d,p)=d h(d,q)=p h(d)=d big(n)=q
act a:D a:Nat b c:Nat#Bool t:D
init a(p).a(1).b.c(2,T).t(p).delta
"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("<a>true", False),
        ("<b>true", False),
        ("<a(p)><a(1)><b>true", True),
        ("<a(f(q))>true", True),
        ("<a(h(p,p))>true", True),
        ("<a(h(p))>true", True),
        ("<a(h(p,q))>true", True),
        ("<a(g(p))>true", False),
        ("val(g(p) == p)", False),
        ("val(g(p) == g(p))", True),
        ("<a(p)><a(N - 1)>true", True),
        ("<a(p)><a(x)>true", False),
        ("<a(p)><a(1)><b><c(N,true)>true", True),
        ("<a(p)><a(1)><b><c(N,T)>true", True),
        ("<a(p)><a(1)><b><c(2,!false)>true", True),
        ("exists n:0..4. <a(p)><a(1)><b><c(n,T)>true", True),
        ("exists n:Nat. <a(n)>true", False),
        ("<true*.exists n:Nat, b:Bool. (c(n,b) && val(b))>true", True),
        ("<true*.exists n:Nat, b:Bool. (c(n,b) && val(!b))>true", False),
        ("<true*.exists d:D. (t(d) && val(d == f(q)))>true", True),
        ("nu X(n:Nat = 2). val(n < 1) || X(n - 1)", True),
        ("mu X(d:D = p). val(d == q) || X(f(d))", True),
        ("nu X(d:D = g(p)). X(d)", True),
        ("forall d:D. val(f(f(d)) == d)", True),
        ("forall d:D. val(g(d) == d)", False),
        ("exists n:1..2. val(n == N)", True),
        ("exists n:1..N. val(n == N)", True),
        ("val(true)", True),
        ("val(T)", True),
        ("val(true == T)", True),
        ("<a(p)>true || <a(2)>true", True),
        ("<true*.t(big(1))>true", False),
        ("<true*.t(...)>true", True),
        ("exists d:D. <true*.t(d)>true", True),
        ("exists n:Nat. val(n < 3) && <true*.c(n,T)>true", True),
        ("exists n:Nat. val(n == 2) && <true*.c(n,T)>true", True),
        ("exists n:Nat. val(n < 200) && <true*.c(n,T)>true", True),
        ("exists n:Nat. val(n < 200 && n > 150) && [true*.c(n,T)]false", True),
        ("val(3 - 5 < 0)", True),
        ("val(5 div 2 == 2 && 5 mod 2 == 1)", True),
    ],
)
def test_terms_are_those_of_the_text(formula, holds):
    assert check_process(mucrl.read_text(OF_TWO_SORTS), formula).holds == holds


DIGITS = """sort Bool D func T,F:->Bool 0,1:->D map f:D->D rew f(0)=1 f(1)=0
act a:D init sum(d:D, a(d).a(f(d)).delta)
"""


@pytest.mark.parametrize(("formula", "holds"), [
    ("exists d:D. <a(d)><a(f(d))>val(f(f(d)) == d)", True),
    ("exists d:D. <a(d)><a(d)>true", False), ("forall d:D. <a(f(d))>val(f(d) != d)", True),
])  # fmt: skip
def test_digits_may_be_user_functions(formula, holds):
    assert check_process(mucrl.read_text(DIGITS), formula).holds == holds


def test_actions_that_the_text_does_not_have_are_named():
    found = check_process(mucrl.read_text(OF_TWO_SORTS), "<zz(p)>true || <yy>true || <b>true")
    assert (found.holds, found.unknown) == (False, ("zz(p)", "yy"))


@pytest.mark.parametrize("formula", ["<true*.{}>true", "[true*.{}]false", "A G !{}"])
def test_seen_labels_are_known_where_their_name_alone_is_internal(formula):
    """`a` without arguments is internal, so that only the labels seen show that `a(1)` is not."""
    text = "act a; a: Nat; proc P(n: Nat) = a . (n < 2) -> a(n) . P(n + 1); init P(0);"
    for label, unknown in (("a(1)", ()), ("b", ("b",)), ("b(1)", ("b(1)",))):
        found = check_process(
            mcrl2.read_text(text), formula.format(label), internal=Internal(labels=["a"])
        )
        assert found.unknown == unknown


UNBOUND = (
    "nothing bounds `n`, and `Nat` has infinitely many values, or none: write `n:0..9`, or "
    "bound it: a condition such as `val(n < 9)`, or an action with `n` as an argument"
)


@pytest.mark.parametrize(
    ("formula", "column", "message"),
    [
        ("<b(1)>true", 4, "`b` takes nothing, not (Nat)"),
        ("<a(T)>true", 4, "`a` takes (D) or (Nat), not (Bool)"),
        ("<a(p)><a(N(1))>true", 10, "function `N` is not declared"),
        ("<a(p)><a(2(1))>true", 10, "function `2` is not declared"),
        ("exists n:Nat. <a(p)><a(1)><b><c(n + 1,T)>true", 8, UNBOUND),
        ("exists n:Nat. <a(p)><a(n + 1)>true", 8, UNBOUND),
        ("exists n:Nat, b:Bool. <a(p)><a(1)><b><c(n + 1,b)>val(b)", 8, UNBOUND),
        ("nu X(n:Nat = 2). X(n - 1)", 20, "`n` is given -1, which is not a `Nat`"),
        ("exists n:1..x. val(n == N)", 13, "`x` is not a number"),
        ("exists n:1..p. true", 13, "expected a term of sort `Nat`, found one of sort `D`"),
        ("val(true(1))", 5, "function `true` is not declared"),
        ("val(1 < g(p))", 9, "expected a term of sort `Nat`, found one of sort `D`"),
    ],
)
def test_terms_that_the_text_does_not_have(formula, column, message):
    with pytest.raises(SpecificationError) as caught:
        check_process(mucrl.read_text(OF_TWO_SORTS), formula)
    assert str(caught.value).startswith(f"formula:1:{column}: {message}\n")


def test_steps_with_several_communications():
    # Which send goes with which receipt does not show in the parts of the text that a step is of.
    text = """act s,r,t: Nat;
    init allow({t|t}, comm({s|r->t},
        (s(1)|s(2)) || (sum n: Nat. r(n)) || (sum m: Nat. r(m))));
    """
    read = mcrl2.read_text(text)
    assert check_process(read, "<true>true && [true][true]false").holds
    assert not check_process(read, "[true*]<true>true").holds


def test_determinism_of_a_process_is_refused():
    with pytest.raises(LtsError, match="`deterministic` is about a whole system: generate it"):
        check_process(mucrl.read_text(OF_TWO_SORTS), "deterministic")


BUFFER = """act send, recv: Nat; both: Nat # Nat; skip;
proc X(n:Nat) = (n < 4) -> send(n).Y(n) + skip.X(0);
     Y(n:Nat) = recv(n).X(n+1) + both(n, n+1).Y(n);
init X(0);
"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("[true*] forall n:Nat. [send(n)]<recv(n)>true", True),
        ("[true*] forall n:Nat. [send(n)]<recv(n + 1)>true", False),
        ("exists n:Nat. <send(n)>[recv(n)] exists m:Nat. <send(m)>val(m == n + 1)", True),
        ("[true*] forall m,n:Nat. [both(m, n)] val(n == m + 1)", True),
        ("[true*] forall n:Nat. val(n < 2) => [send(n)]val(n < 2)", True),
        ("[true*] forall n:Nat. val(n < 2) => [send(n)]val(n < 1)", False),
        ("<true*> exists n:Nat. val(n > 2) && <send(n)>true", True),
        ("![true*]!exists n:Nat. val(n == 3) && <send(n)>true", True),
        ("![true*]!exists n:Nat. val(n == 4) && <send(n)>true", False),
        ("[true*.(exists n:Nat. send(n) && val(n > 3))]false", True),
        ("[true*.(exists n:Nat. send(n) && val(n > 2))]false", False),
        ("!exists n:Nat. <recv(n)>true", True),
        ("!forall n:Nat. [recv(n)]false", False),
        ("!exists n:Nat. <send(n)>val(n == 0)", False),
        ("!forall n:Nat. [send(n)]val(n > 0)", True),
        ("[exists n:Nat. send(n)]<(true . skip)>true", True),
        ("[exists n:Nat. send(n)]<(skip . true)>true", False),
        ("<(exists n:Nat. send(n)) . ((exists n:Nat. recv(n)) . skip)>true", True),
        ("<(exists n:Nat. send(n)) . ((exists n:Nat. recv(n)) . (skip . skip))>true", True),
        ("<(exists n:Nat. send(n)) . ((exists n:Nat. send(n)) . skip)>true", False),
        ("[true*] forall n:Nat. [send(n) || recv(n)] val(n <= 3)", True),
        ("[true*] forall n:Nat. [send(n)]val(n <= 3) && [recv(n)]val(n <= 3)", True),
        ("[true*] forall n:Nat. [send(n)]val(n <= 3) && [recv(n)]val(n <= 2)", False),
        ("<true*> exists n:Nat. <send(n)>val(n > 4) || <recv(n)>val(n > 2)", True),
        ("forall n:Nat. [!send(n)]true", True),
        ("forall n:Nat. <send(n)>true", False),
        ("<forall n:Nat. send(n)>true", False),
        ("<true*> forall n:Nat. [recv(n)]val(n <= 2) || [true]false", True),
        ("[true*] exists n:Nat. [send(n)]false && [recv(n)]false", True),
    ],
)
def test_labels_bound_variables(formula, holds):
    specification = mcrl2.read_text(BUFFER)
    assert check_process(specification, formula).holds == holds
    system = generate(specification)
    for ranges in (formula, formula.replace(":Nat.", ":0..6.")):
        assert check(system, ranges).holds == holds
    assert check_process(specification, formula.replace(":Nat.", ":0..6.")).holds == holds


@pytest.mark.parametrize(
    "formula",
    [
        "exists n:Nat. val(n > 2) && <true*.send(n + 1)>true",
        "forall n:Nat. <send(n + 1)>true",
        "<forall n:Nat. send(n + 1)>true",
        "forall n:Nat. [send(n + 1)]true",
        "forall n:Nat. [true]val(n * n <= 2)",
    ],
)
def test_variables_unbounded_by_labels_are_refused(formula):
    with pytest.raises(
        SpecificationError, match="`Nat` has infinitely many values, or none: write"
    ):
        check_process(mcrl2.read_text(BUFFER), formula)


def test_infinite_fixed_point_instances_reach_a_limit(lower):
    specification = mcrl2.read_text(BUFFER)
    system = generate(specification)
    for kind, holds in (("nu", True), ("mu", False)):
        for formula in (
            f"{kind} X(n:Nat = 0). X((n + 1) mod 200)",
            f"{kind} X(n:Nat = 0). nu Y(m:Nat = 0). X((n + 1) mod 90) && [skip]Y(n)",
            f"{kind} X(n:Nat = 0). val(n == n) && X(n mod 3 + 1)",
        ):
            assert check_process(specification, formula).holds == holds
            assert check(system, formula).holds == holds
    lower(INSTANCES, 1000)
    for checked in (check_process, lambda _, formula: check(system, formula)):
        with pytest.raises(
            LimitReached, match="more than 1000 instances of subformulas with different data"
        ):
            checked(specification, "nu X(n:Nat = 0). X(n + 1)")


def test_exploration_is_driven_by_the_formula():
    endless = mcrl2.read_text(ENDLESS)
    found = check_process(endless, "<up(0).up(1)>true", evidence=True)
    assert found.holds
    assert found.states == 2
    assert list(found.evidence.transitions()) == [(0, "up(0)", 1), (1, "up(1)", 2)]
    assert check_process(endless, "<true*.up(1000)>true").holds
    assert not check_process(endless, "[true*.up(1000)]false").holds
    with pytest.raises(LimitReached, match="more than 100 states; 100 states and"):
        check_process(endless, "[true*]<true>true", settings=Settings(limits=Limits(states=100)))
    with pytest.raises(LimitReached, match="more than 50 pairs"):
        check_process(endless, "[true*]<true>true", settings=Settings(limits=Limits(positions=50)))
    # It is decided before the limit would stop it.
    assert check_process(
        endless, "<true.true>true", settings=Settings(limits=Limits(states=2))
    ).holds


@pytest.mark.parametrize(
    ("formula", "column", "message"),
    [
        ("forall p:Qid. true", 10, "sort `Qid` is not declared; did you mean `Pid`?"),
        ("forall n:0..3. true", 10, "the specification has no numbers"),
        ("<enter(p9)>true", 8, "`p9` is not a variable or constant in scope"),
        ("<enter(p1,p1)>true", 8, "`enter` takes (Pid), not (Pid,Pid)"),
        ("<enter(T)>true", 8, "`enter` takes (Pid), not (Bool)"),
        ("val(p1)", 5, "expected a term of sort `Bool`, found one of sort `Pid`"),
        ("val(p1 == T)", 5, "`==` compares different sorts, `Pid` and `Bool`"),
        ("val(!p1)", 6, "expected a term of sort `Bool`, found one of sort `Pid`"),
        ("val(T && p1)", 10, "expected a term of sort `Bool`, found one of sort `Pid`"),
        ("val(p1 => T)", 5, "expected a term of sort `Bool`, found one of sort `Pid`"),
        ("val(p1 < p2)", 5, "the specification has no numbers"),
        ("val(p1 + p2 == p1)", 5, "the specification has no numbers"),
        ("val(eq(p1,p2))", 5, "`eq(p1,p2)` does not reduce to T or F"),
        ("nu X(p:Pid = T). X(p1)", 14, "expected a term of sort `Pid`"),
        ("forall p:Pid. p", 15, "`p` is data; write `val(p)` for its truth value"),
        ("nu X(p:Pid = p1). X", 19, "`X` takes 1 value, not 0"),
        ("val(p1", 4, "this `(` is never closed"),
        ("val()", 5, "expected an expression, found `)`"),
        ("val(p1 ==)", 10, "expected an expression, found `)`"),
        ("val([p1] == p1)", 5, "a list can be used only in terms for an mCRL2 specification"),
        ("<try({p1})>true", 6, "a set can be used only in terms for an mCRL2 specification"),
        ("val(p1 / p2 == p1)", 8, "`/` can be used only in terms for an mCRL2 specification"),
        ("true && val(eq(p1,p1) => )", 26, "expected an expression, found `)`"),
        ("forall p. true", 8, "`p` needs a sort"),
        ("forall p(q):Pid. true", 8, "expected a variable, without arguments"),
        ("<exists p(1):Pid. try(p1)>true", 9, "expected a variable, without arguments"),
    ],
)
def test_errors_have_position_and_message(formula, column, message):
    with pytest.raises(LtsError) as caught:
        check_process(mucrl.read_text(LOCK), formula)
    assert message in str(caught.value) or "is not a truth value" in str(caught.value)
    assert (caught.value.line, caught.value.column) == (1, column)


def test_ill_sorted_fixed_point_arguments_are_refused():
    with pytest.raises(SpecificationError, match="`n` is given -1, which is not a `Nat`"):
        check_process(mcrl2.read_text(COUNTER), "nu X(n:Nat = 0). [true]X(n - 1)")


def test_unknown_actions_are_reported():
    found = check_process(mucrl.read_text(LOCK), "[true*]!<entre(...) || leaf || leave(p1)>true")
    assert found.unknown == ("entre(...)", "leaf")
    # One of which the steps that were looked at have none is an action all the same.
    assert check_process(mucrl.read_text(LOCK), "<leave(p1)>true || true").unknown == ()
    assert check_process(mucrl.read_text(LOCK), "<leave(p1)>true").unknown == ()


def test_hidden_actions_match_tau():
    specification = mucrl.read_text(LOCK)
    assert check_process(
        specification,
        "<tau><enter(p1)>true",
        internal=Internal(hidden=["try"]),
    ).holds
    assert not check_process(specification, "<tau><enter(p1)>true").holds
    assert check_process(
        specification,
        "<tau>true && !<try(p1)>true",
        internal=Internal(labels=["try(p1)"]),
    ).holds


@pytest.mark.parametrize(
    "formula", ["[true*]<true>true", "nu X(n: Nat = 0). [true]X(n)", "E G true"]
)
def test_symmetries_keep_labels_internal(formula):
    text = """sort D = struct d1 | d2 | d3; act a: D; b; proc P = (sum d: D. a(d)).b.P; init P;"""
    process, swap = mcrl2.read_text(text), parse_permutation("(d1 d2)")
    message = r"`a\(d[12]\)` is mapped to `a\(d[12]\)`, and only one of them is internal"
    with pytest.raises(NotSymmetric, match=message):
        check_process(process, formula, swap, internal=Internal(labels=["a(d1)"]))
    for both in (["a(d1)", "a(d2)"], ["a(d3)"]):
        assert check_process(process, formula, swap, internal=Internal(labels=both)).holds


@pytest.mark.parametrize("proof", [None, "tested"])
@pytest.mark.parametrize("formula", ["nu X(n: Nat = 0). [true]X(n)", "E F <b>true"])
def test_symmetry_is_proven_in_all_visited_states(formula, proof):
    text = """sort D = struct d1 | d2; act a: D; b;
    proc P(n: Nat) = sum d: D. (n < 3 || n == 3 && d == d1) -> a(d).P(n + 1); init P(0);"""
    process, swap = mcrl2.read_text(text), parse_permutation("(d1 d2)")
    with pytest.raises(
        NotSymmetric, match=r"is possible after the trace\s+a\(d1\) a\(d1\) a\(d1\)"
    ):
        check_process(process, formula, swap, Settings(proof=proof))
    found = check_process(process, "<true><true>true", swap, Settings(proof="tested"))
    assert found.holds


def test_limit_omits_states_queried_last():
    # Both ways are in the queue when the limit is near: the one that is met first is looked at.
    text = "act a,b,c: Nat; proc P(n: Nat) = sum k: Nat. (k < 3) -> a(k).Q(n,Int2Nat(2-k));"
    text += " Q(n,m: Nat) = b(m).R(m); R(m: Nat) = (m == 2) -> c(m).P(0); init P(0);"
    process = mcrl2.read_text(text)
    found = check_process(
        process, "<a(0).b(2).c(2)>true", settings=Settings(limits=Limits(states=5))
    )
    assert found.holds
    with pytest.raises(LimitReached, match="more than 2 states"):
        check_process(process, "<a(0).b(2).c(2)>true", settings=Settings(limits=Limits(states=2)))


SHORT = """
sort P = struct p1 | p2;
act a: P # Nat; b: P;
proc X(p: P) = b(p). Z(p); Z(p: P) = sum n: Nat. (n < 5) -> a(p, n). Y(p, n);
  Y(p: P, n: Nat) = (n > 1) -> b(p). X(p);
init X(p1) || X(p2);
"""
ONE_STEP = [*(f"a(p{p},{n})" for p in (1, 2) for n in range(5)), "b(p1)", "b(p2)", "true"]


@st.composite
def modal(draw, depth=3, names=()):
    kind = draw(st.integers(0, 8 if depth else 1))
    label = draw(st.sampled_from(ONE_STEP))
    inner = modal(depth - 1, names) if depth else None
    match kind:
        case 0:
            return draw(st.sampled_from(["true", "false", *names, *names]))
        case 1:
            return draw(st.sampled_from([f"<{label}>true", f"[{label}]false"]))
        case 2 | 3:
            return f"<{label}>({draw(inner)})" if kind == 2 else f"[{label}]({draw(inner)})"
        case 4 | 5:
            return f"(({draw(inner)}) {'&&' if kind == 4 else '||'} ({draw(inner)}))"
        case 6:
            name = f"X{len(names)}"
            body = f"[true]{name} && ({draw(modal(depth - 1, (*names, name)))})"
            return f"(nu {name}. {body})"
        case 7:
            return f"({draw(st.sampled_from('AE'))} {draw(st.sampled_from('FG'))} [{label}]false)"
    return f"<true*.{label}>({draw(inner)})"


@cache
def whole(text):
    return generate(linearise(mcrl2.read_text(text)))


def test_truncated_steps_give_no_wrong_verdict():
    reached = Counter()

    @settings(deadline=None, max_examples=80)
    @given(modal(), st.integers(1, 6), st.booleans())
    def example(formula, values, moved):
        process = linearise(mcrl2.read_text(SHORT))
        permutations = parse_permutation("(p1 p2)") if moved else ()
        few = Settings(limits=Limits(values=values))
        try:
            found = check_process(process, formula, permutations, few).holds
        except LimitReached:
            reached["limit"] += 1
            return
        reached["decided"] += 1
        assert found == check(whole(SHORT), formula).holds

    example()
    assert reached["limit"] > 5
    assert reached["decided"] > 5


@pytest.mark.parametrize("permutation", ["()", "(p1 p2)"])
@pytest.mark.parametrize(
    "formula", ["[b(p1)][a(p1,3)]false", "<b(p1)>[a(p1,4)]false", "E X [a(p1,4)]false"]
)
def test_truncated_sums_give_no_refutation(formula, permutation):
    process = linearise(mcrl2.read_text(SHORT))
    permutations = parse_permutation(permutation) if permutation != "()" else ()
    few = Settings(limits=Limits(values=3))
    with pytest.raises(LimitReached, match="more than 3 values"):
        check_process(process, formula, permutations, few)


@pytest.mark.parametrize("permutation", ["()", "(p1 p2)"])
@pytest.mark.parametrize("formula", ["<b(p1).a(p1,1)>true", "<true*.b(p2)>true"])
def test_verdicts_before_a_limit_hold(formula, permutation):
    process = linearise(mcrl2.read_text(SHORT))
    permutations = parse_permutation(permutation) if permutation != "()" else ()
    few = Settings(limits=Limits(values=3))
    assert check_process(process, formula, permutations, few, evidence=True).holds


LARGE = [
    "deadlock-free",
    "E G F [true]false",
    "nu X. <true>true && [true]X && [true](mu Y. <true>Y || [true]false || <true>true)",
    "[true*](mu X. [true]false || <true>X)",
]


@pytest.fixture(scope="module")
def large():
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 5}))
    return process, generate(process)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("formula", LARGE)
def test_verdicts_on_large_systems_need_not_explore_all(large, formula, threads):
    # So many that their store is given another shape, twice.
    process, system = large
    found = check_process(process, formula, settings=Settings(threads=threads))
    assert found.holds == check(system, formula).holds
    assert found.states <= system.state_count
    one = check_process(process, formula)
    assert (found.states, found.positions, found.explored) == (
        one.states,
        one.positions,
        one.explored,
    )


def test_full_exploration_counts_every_state(large):
    process, system = large
    assert system.state_count > 1 << 16
    for formula in ("deadlock-free", LARGE[2]):
        assert check_process(process, formula).states == system.state_count


@pytest.mark.parametrize(
    "formula",
    ["deadlock-free", "[true*]<true>true", "<a(-1)>true", "[b]false"],
)
def test_value_limit_equals_that_of_generation(formula):
    read = mcrl2.read_text("act a: Nat; b; proc P = sum n: Nat. a(n) . P; init P;")
    limited = Settings(limits=Limits(values=2000))
    with pytest.raises(LimitReached) as generated:
        generate(read, max_values=2000)
    said = str(generated.value).partition(";")[0]
    assert "more than 2000 values in one state" in said
    with pytest.raises(LimitReached) as checked:
        check_process(read, formula, settings=limited)
    assert str(checked.value).partition(";")[0] == said


def test_constant_label_sets_are_not_evaluated_per_label(monkeypatch):
    asked = Counter()

    def counting(self, number, label):
        asked[label] += 1
        return has(self, number, label)

    has = Instances.has
    monkeypatch.setattr(Instances, "has", counting)
    read = mcrl2.read_text("act a: Nat; proc P = sum n: Nat. (n < 50) -> a(n) . P; init P;")
    assert check_process(read, "nu X. [true]X && <true>true").holds
    assert not check_process(read, "<false>true").holds
    assert not asked
    assert check_process(read, "[!a(60)]<true>true").holds
    assert len(asked) == 50
