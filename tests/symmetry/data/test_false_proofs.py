"""What looks like the library's and is not: nothing is proven from the text because of its name.

Everything here is asked with the proof alone (`sample=0`), and held against the comparison of all
steps with those of their images, and against the generated system.
"""

from contextlib import nullcontext

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lts import LTS, Defect, LimitReached, LtsError, NotProven, NotSymmetric, mcrl2
from lts.logic import check_process
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Goals, Limits, Settings
from lts.symmetry import (
    certified_quotient,
    count_orbits,
    parse_permutation,
    refines_on_orbits,
)
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.library_arrays import Indexed
from lts.symmetry.data.proof import from_text as static_proof
from strategies import examples

SET = "%@ include Enum of d1,d2 as D\n%@ include Set of D as X\n"
ARRAY = "%@ include Enum of d1,d2 as D\n%@ include Array of D, D as A\n"
LOOK = """act ok b: D
proc Y(s:X) = sum(x:D, b(x).Z(insert(s,x)))
Z(s:X) = ok.Z(s) <| not(contains(s,u)) |> delta
init Y(empty_X)
"""
FILL = """act a,b: D
proc X = sum(x:D, b(x).Y({fill}))
Y(f:A) = sum(x:D, a(get(f,x)).Y(f))
init X
"""
COLLECT = """act a,b: D c
proc Y(s:X) = sum(x:D, b(x).Y(insert(s,x)) <| not(contains(s,x)) |> delta)
  + sum(x:D, a(x).Y(s) <| contains(s,x) |> delta){more}
init Y(empty_X)
"""
MAP = """%@ include Enum of d1,d2 as D
%@ include Enum of e1,e2 as E
%@ include Map of D, E as M
var m: M rew some(e1,some(e2,m)) = some(e1,none(m))
act a,b: D#E
proc Y(m:M) = sum(x:D,sum(e:E,b(x,e).Y(set(m,x,e)) <| not(contains(m,x)) |> delta))
  + sum(x:D,sum(e:E,a(x,e).Y(m) <| contains(m,x) |> delta))
init Y(empty_M)
"""
# An equality that says no of d and d, and yes of others: what is compared first decides.
ODD = """%@ include Enum of d1,d2,d3 as D
sort E func p,q,r: -> E map eq: E#E -> Bool var x,y: E
rew eq(p,p)=F eq(q,q)=F eq(r,r)=F eq(x,y)=T
%@ include Array of D, E as A
act same,differ
proc Y(f:A,g:A) = sum(x:D,sum(e:E,sum(h:E,same.Y(set(f,x,e),set(g,x,h)) <| eq(f,g) |>
  differ.Y(set(f,x,e),set(g,x,h)))))
init Y(filled_A(p),filled_A(p))
"""

WRONG = {
    "a constant of the number of d1": SET + "map u: -> D rew number(u)=0 " + LOOK,
    "a constant of the number of d2": SET + "map u: -> D rew number(u)=S(0) " + LOOK,
    "such a constant in a set": SET
    + "map u: -> D rew number(u)=S(0) "
    + COLLECT.format(more=" + c.Y(insert(s,u))"),
    "an equation for a filling": ARRAY
    + "rew filled_A(d1)=filled_A(d2) "
    + FILL.format(fill="filled_A(x)"),
    "an equation for elements": SET + "var s:X rew in(in(s))=in(s) " + COLLECT.format(more=""),
    "an equation for keys": MAP,
    "an equation for numbers": SET.replace("d1,d2", "d1,d2,d3")
    + "var n:Nat rew S(S(n))=S(0) "
    + COLLECT.format(more=""),
}


def verdict(process, permutation, proof):
    try:
        found = count_orbits(
            process,
            parse_permutation(permutation),
            settings=Settings(proof=proof, sample=0, limits=Limits(3000)),
        )
    except (NotProven, NotSymmetric):
        return None
    return found.orbits, found.states, found.transitions


@pytest.mark.parametrize("name", sorted(WRONG))
def test_lookalikes_of_library_units_are_not_trusted(name):
    process = linearise(read_text(WRONG[name]))
    for proof in ("tested", "certificate", "static"):
        assert verdict(process, "(d1 d2)", proof) is None


def test_false_equality_functions_are_not_trusted():
    process = linearise(read_text(ODD))
    assert not any(
        function.name == "eq"
        for known in GroupAction(process, [parse_permutation("(d1 d2)")]).indexed.values()
        for function in known.commuting
    )
    assert verdict(process, "(d1 d2)", "certificate") == verdict(process, "(d1 d2)", "tested")


INDEXED = """sort D func d1,d2,d3:->D {more} map number:D->Nat {numbers}
sort E func e:->E g:E->E map eq:E#E->Bool var x,y:E rew {equal}
%@ include Array of D, E as A
act b:Nat#E proc X(f:A,n:Nat) = sum(x:D, b(n,get(f,x)).X(set(f,x,g(e)),0)) init X(filled_A(e),1)
"""
NUMBERED = "rew number(d1)=0 number(d2)=1 number(d3)=2"


def arrays_known(permutation, more="", numbers=NUMBERED, equal="eq(x,x)=T"):
    """The functions of arrays that are known to commute, by name."""
    text = INDEXED.format(more=more, numbers=numbers, equal=equal)
    process = linearise(read_text("%@ include Nat\n" + text, strict=True))
    known = GroupAction(process, [parse_permutation(permutation)]).indexed
    return {function.name for one in known.values() for function in one.commuting}


def test_indices_need_distinct_fixed_numbers():
    known = {"get", "set", "if", "eq", "filled_A"}
    assert arrays_known("(d1 d2)") == known
    assert arrays_known("(d1 d2)", numbers="rew number(d1)=5 number(d2)=1 number(d3)=0") == known
    assert arrays_known("(d1 d2)", "map flip:Nat->Nat") == known
    assert not arrays_known("(d1 d2) with flip", "map flip:Nat->Nat")
    assert not arrays_known("(d1 d2)", numbers="rew number(d1)=0 number(d2)=1")
    more = "next:D->D"
    for last in ("", " number(next(x))=3", " number(next(x))=S(number(x))"):
        numbers = f"var x:D {NUMBERED}{last}"
        assert not arrays_known("(d1 d2)", more, numbers)


@pytest.mark.parametrize(
    ("equal", "is_reflexive"),
    [
        ("eq(x,x)=T", True),
        ("eq(x,x)=T eq(x,y)=F", True),
        ("eq(e,g(x))=F eq(g(x),e)=F eq(x,x)=T", True),
        ("eq(x,x)=F", False),
        ("eq(e,e)=F eq(x,x)=T", False),
        ("eq(e,e)=T eq(g(x),g(x))=F", False),
        ("eq(e,y)=T eq(x,x)=T", False),
        ("eq(x,g(y))=T eq(x,x)=F", False),
        ("eq(x,y)=F", False),
        ("eq(x,x)=eq(e,x)", False),
        ("eq(e,g(x))=F", False),
    ],
)
def test_array_equality_needs_reflexive_elements(equal, is_reflexive):
    assert ("eq" in arrays_known("(d1 d2)", equal=equal)) is is_reflexive


def test_sets_are_not_permuted_when_truth_values_move():
    """What is in becomes what is not: inserting does not commute with that."""
    process = linearise(
        read_text("""%@ include Enum of d1,d2 as D
%@ include Set of D as Chosen
act k:Bool b:D a:D#Bool
proc Z = sum(t:Bool, k(t).Y(put(put(empty_Chosen,d1,t),d2,t)))
Y(s:Chosen) = sum(x:D, b(x).Y(insert(s,x))) + sum(x:D, a(x,contains(s,x)).Y(s))
init Z
""")
    )
    for proof in ("tested", "certificate", "static"):
        assert verdict(process, "(d1 d2) with not", proof) is None


# Sorts of names of their own, so that what is known of other units is not of these.
UNITS = """%@ include Nat
%@ include Enum of q1,q2 as Q
%@ include Enum of r1,r2 as R
%@ include {unit} as {sort}
{added}
act b,a: Q
proc Y(f:{sort}) = sum(x:Q,sum(y:R,b(x).Y({put}))) + sum(x:Q, a(x).Y(f) <| {get} |> delta)
init Y({start})
"""
KINDS = {
    "array": ("Array of Q, R", "set(f,x,y)", "eq(get(f,x),r1)", "filled_{}(r1)"),
    "map": ("Map of Q, R", "set(f,x,y)", "contains(f,x)", "empty_{}"),
    "set": ("Set of Q", "insert(f,x)", "contains(f,x)", "empty_{}"),
}


@pytest.mark.parametrize(
    ("kind", "added", "is_library"),
    [
        *((kind, "", True) for kind in KINDS),
        *((kind, "map other: Q -> Nat rew other(q1)=0 other(q2)=0", True) for kind in KINDS),
        ("array", "rew and(T,T)=F", False),
        ("array", "var f:{} x:Q rew get(f,x)=r1", False),
        ("array", "var f:{} x:R rew item(x,item(x,f))=f", False),
        ("map", "var f:{} x:Q rew contains(f,x)=T", False),
        ("map", "var f:{} rew none(none(f))=f", False),
        ("set", "var f:{} x:Q rew insert(f,x)=f", False),
        ("set", "var f:{} rew in(in(f))=f", False),
        *((kind, "func new: -> {}", False) for kind in KINDS),
        *((kind, "map new: -> {}", False) for kind in KINDS),
        *((kind, "map new: -> Q rew number(new)=1", False) for kind in KINDS),
        *((kind, "func new: -> Q rew number(new)=0", False) for kind in KINDS),
        *((kind, "rew S(S(0))=0", False) for kind in KINDS),
    ],
)
def test_modified_library_units_are_not_trusted(kind, added, is_library):
    unit, put, get, start = KINDS[kind]
    sort = f"Unit{sum(map(ord, kind + added))}"
    text = UNITS.format(
        unit=unit, sort=sort, added=added.format(sort), put=put, get=get, start=start.format(sort)
    )
    process = linearise(read_text(text))
    group_action = GroupAction(process, [parse_permutation("(q1 q2)")])
    assert (sort in group_action.indexed) == is_library
    static = verdict(process, "(q1 q2)", "static")
    assert (static is not None) == is_library
    if is_library:
        system = generate(process)
        assert static[1:] == (system.state_count, system.transition_count)


@pytest.mark.parametrize(
    ("element", "permutation", "is_free"),
    [
        ("E", "(d1 d2)", True),
        ("W", "(d1 d2)", False),
        ("V", "(d1 d2)", False),
        ("E", "(d1 d2) with turned", False),
        ("D", "(d1 d2)", True),
    ],
)
def test_array_actions_need_elements_without_rules(element, permutation, is_free):
    """Not where items are made by constructors with rules, or moved by maps."""
    process = linearise(
        read_text(f"""%@ include Nat
%@ include Enum of d1,d2 as D
%@ include Enum of e1,e2 as E
sort W V func w:W->W o:->W v:W->V
map eq: V#V -> Bool eq: W#W -> Bool number: V -> Nat number: W -> Nat turned: E -> E
var x: W rew w(w(x))=x turned(e1)=e2 turned(e2)=e1
%@ include Array of D, {element} as Kept
act b: {element}
proc X(f:Kept) = sum(x:D, b(get(f,x)).X(f)) + sum(x:D,sum(y:{element}, b(y).X(set(f,x,y))))
init sum(y:{element}, b(y).X(filled_Kept(y)))
""")
    )
    group_action = GroupAction(process, [parse_permutation(permutation)])
    assert "Kept" in group_action.indexed
    assert group_action.is_free("Kept") is is_free


FUNCTIONS = """sort D = struct d0 | d1 | d2; P = struct p1 | p2;
  A = struct array(one: Nat -> D, other: Nat -> D);
map asked: (Nat -> D) -> Bool; start: Nat -> D; get: A # P -> (Nat -> D);
  put: A # P # (Nat -> D) -> A;
var f, g, h: Nat -> D; n: Nat;
eqn asked(f) = {asked}; start(n) = d0; get(array(f, g), p1) = f; get(array(f, g), p2) = g;
  put(array(f, g), p1, h) = array(h, g); put(array(f, g), p2, h) = array(f, h);
act a: D; b;
proc X(f: Nat -> D) = sum d: D. a(d).X(f[0 -> d]) + sum d: D. a(d).X(f[1 -> d])
    + asked(f) -> b.X(f);
  Y(k: A) = sum i: P, d: D. a(d).Y(put(k, i, get(k, i)[0 -> d]))
    + sum i: P. asked(get(k, i)) -> b.Y(k);
init {init};
"""


@pytest.mark.parametrize(
    ("asked", "is_symmetric"), [("f(0) == f(1)", True), ("f(0) == d1 && f(1) == d1", False)]
)
def test_updated_functions_are_considered_as_values(asked, is_symmetric):
    """What is made of them by changes counts, too."""
    process = linearise(mcrl2.read_text(FUNCTIONS.format(asked=asked, init="X(start)")))
    assert GroupAction(process, [parse_permutation("(d1 d2)")]).lifted[0].moves_in("(Nat->D)")
    tested = verdict(process, "(d1 d2)", "tested")
    assert (tested is not None) is is_symmetric
    for proof in ("certificate", "static"):
        assert verdict(process, "(d1 d2)", proof) == tested


def test_group_action_on_updated_functions_is_unknown():
    """A change to what a function was before is none, and what its image was is another value."""
    text = FUNCTIONS.format(asked="f(0) == f(1)", init="Y(array(start, start))")
    group_action = GroupAction(
        linearise(mcrl2.read_text(text)), [parse_permutation("(p1 p2) (d1 d2)")]
    )
    assert group_action.cells is not None
    assert not group_action.is_free("A")


def test_sampling_detects_a_wrong_proof(monkeypatch):
    """Where the proof itself is wrong, the sample that is compared all the same tells."""
    process = linearise(read_text(WRONG["an equation for elements"]))
    trusting = dict.fromkeys(["insert", "contains", "empty_X"], ())

    def by_name(process, arrays, moved, evaluate):
        functions = process.specification.functions
        commuting = {f: trusting[f.name] for f in functions if f.name in trusting}
        return {sort: Indexed(get.sort, commuting) for sort, get in arrays.items()}

    monkeypatch.setattr("lts.symmetry.data.library_arrays.library_arrays", by_name)
    monkeypatch.setattr(static_proof.TextProof, "wrong_rules", lambda self, rules: None)
    swap = parse_permutation("(d1 d2)")
    allowed = LTS.from_transitions([(0, label, 0) for label in generate(process).labels])
    for asked in (
        lambda: count_orbits(process, swap),
        lambda: certified_quotient(process, swap),
        lambda: check_process(process, "nu X. [true]X", swap),
        lambda: refines_on_orbits(allowed, process, "trace", swap),
    ):
        with pytest.raises(Defect, match="steps differ"):
            asked()
    found = count_orbits(process, parse_permutation("(d1 d2)"), settings=Settings(sample=0))
    assert found.from_text == found.summands
    assert found.sampled == 0


@pytest.mark.parametrize(("put", "asked"), [("d1", "d2"), ("d2", "d1")])
def test_traces_of_a_wrong_proof_are_rejected(put, asked, monkeypatch):
    """What was found on orbits is done step by step in the system, where it is possible or not."""
    process = linearise(
        read_text(f"""{SET}act b,ok
proc Y(s:X) = b.Z(insert(s,{put}))
Z(s:X) = ok.Z(s) <| contains(s,{asked}) |> delta
init Y(empty_X)
""")
    )
    monkeypatch.setattr(static_proof.TextProof, "difference", lambda self, summand, image: None)
    wrong = nullcontext()
    if put == "d2":  # the other state is explored, in place of this one
        wrong = pytest.raises(NotProven, match="could not be replayed in the system")
    with wrong:
        found = count_orbits(
            process,
            parse_permutation("(d1 d2)"),
            settings=Settings(sample=0),
            goals=Goals(find="ok".__eq__),
            whole=False,
        )
        assert found.traces == ()


# Additions to a specification with arrays, maps and sets, most of which nothing in it needs.
BASE = """%@ include Nat
%@ include Enum of d1..d3 as D
%@ include Enum of e1,e2 as E
%@ include Array of D, E as A
%@ include Map of D, E as M
%@ include Set of D as X
{added}
act t: D#E r: D n: Nat k
proc P(f:A,m:M,s:X) = {body}
init P(filled_A(e1),empty_M,empty_X)
"""
ADDED = st.sampled_from(
    [
        *("map u: -> D rew number(u)=0", "map u: -> D rew number(u)=S(S(0))", "map u: -> D"),
        *("map u: -> D rew number(u)=9", "map w: -> E", "map w: -> E rew number(w)=0"),
        *("rew filled_A(e2)=filled_A(e1)", "var f:A rew item(e1,item(e1,f))=item(e1,f)"),
        *("var f:A rew item(e2,f)=f", "var s:X rew in(in(s))=in(s)", "var s:X rew out(in(s))=s"),
        *("var m:M rew none(none(m))=none(m)", "var m:M rew some(e2,m)=none(m)"),
        *("var m:M e:E rew some(e,m)=some(e1,m)", "var n:Nat rew S(S(n))=n", "rew S(S(0))=0"),
        *("var x,y:E rew eq(x,y)=T", "rew eq(e1,e2)=T", "rew and(F,T)=T", "rew not(F)=F"),
        *("var f:A x:D rew get(f,x)=e1", "rew number(d3)=0", "map v: -> X", "map v: -> A"),
        *(
            "func d0: -> D",
            "func d0: -> D rew number(d0)=0",
            "func new: -> X",
            "rew if(T,d1,d2)=d2",
        ),
        *("func new: X -> X", "var s:X x:D rew insert(s,x)=s", "rew lt(d1,d2)=F", "rew e2=e1"),
        *("map f: A -> E var g:A x:E rew f(item(x,g))=x f(filled_A(x))=x", "rew d3=d2"),
        *("", "", "map num: D -> Nat rew num(d1)=0 num(d2)=0 num(d3)=0"),
    ]
)
AFTER = st.sampled_from(
    [
        *("set(f,x,e),m,s", "f,set(m,x,e),s", "f,m,insert(s,x)", "f,m,remove(s,x)", "f,m,s"),
        *("filled_A(e),m,s", "filled_A(get(f,x)),m,s", "f,remove(m,x),s", "f,m,put(s,x,T)"),
        *("f,m,union(s,insert(empty_X,x))", "if(eq(f,filled_A(e)),set(f,x,e),f),m,s"),
        *("f,m,insert(s,{u})", "set(f,{u},e),m,s", "f,m,difference(s,insert(empty_X,x))"),
    ]
)
WHEN = st.sampled_from(
    [
        *("T", "contains(s,x)", "contains(m,x)", "eq(get(f,x),e)", "is_empty(s)", "is_empty(m)"),
        *("not(contains(s,{u}))", "eq(f,filled_A(e))", "eq(m,set(m,x,e))", "lt(size(s),2)"),
        *("and(contains(m,x),eq(e,e1))", "eq(s,insert(s,x))", "not(contains(s,x))"),
    ]
)
DO = st.sampled_from(["t(x,e)", "t(x,get(f,x))", "r(x)", "n(size(s))", "n(size(m))", "k", "r({u})"])
STEPS = st.lists(st.tuples(DO, AFTER, WHEN), min_size=1, max_size=3)


@settings(max_examples=examples(1.5), deadline=None)
@given(
    ADDED,
    ADDED,
    STEPS,
    st.sampled_from(["(d1 d2)", "(d1 d2 d3)", "(d2 d3)", "(e1 e2)", "(d1 d3) (e1 e2)"]),
)
def test_additions_to_the_library_give_no_false_proof(first, second, steps, permutation):
    added = first if second == first else f"{first}\n{second}"
    constant = "u" if "map u" in added else "d0" if "func d0" in added else "d2"
    body = " + ".join(
        f"sum(x:D,sum(e:E,{do}.P({after}) <| {when} |> delta))" for do, after, when in steps
    ).replace("{u}", constant)
    try:
        process = linearise(read_text(BASE.format(added=added, body=body)))
        found = {p: verdict(process, permutation, p) for p in ("tested", "certificate", "static")}
    except LimitReached:
        event("too large")
        return
    except LtsError as error:
        event(type(error).__name__)
        return
    event(", ".join(f"{proof}: {numbers is not None}" for proof, numbers in found.items()))
    assert found["certificate"] == found["tested"]
    if found["static"] is not None:
        assert found["static"] == found["tested"]
    if found["tested"] is not None:
        system = generate(process)
        assert found["tested"][1:] == (system.state_count, system.transition_count)
