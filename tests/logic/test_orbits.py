"""Formulas on orbits: answers and evidence are those of the whole system."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exchangeable
from lts import LimitReached, NotProven, NotSymmetric, mcrl2
from lts.equivalence import refines
from lts.errors import SpecificationError
from lts.logic import check, check_process
from lts.mucrl import generate, linearise, read, read_text
from lts.state_space.settings import Internal, Limits, Settings
from lts.symmetry import parse_permutation
from lts.symmetry.data.certify import STRATEGIES
from naive import formulas as naive_formulas
from naive import relations

CASES = Path(__file__).parents[2] / "cases"
SWAP, TURN = parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")
FIRST = exchangeable.STEP.map(lambda step: (0, "u", None, step[3], ("some(p)", "a")))
PROCESS = st.tuples(FIRST, st.lists(exchangeable.STEP, max_size=6)).map(lambda p: [p[0], *p[1]])


@given(
    steps=PROCESS,
    tree=naive_formulas.trees(world=naive_formulas.IDS),
    group=st.sampled_from([(SWAP,), (TURN,), (SWAP, TURN)]),
    strategy=st.sampled_from([None, *STRATEGIES]),
)
def test_a_formula_holds_where_its_meaning_says(steps, tree, group, strategy):
    specification = read_text(exchangeable.text(steps))
    system = generate(specification)
    expected = system.initial in naive_formulas.where(tree, relations.steps_of(system), {}, {})
    formula = naive_formulas.text(tree)
    found = check_process(
        specification, formula, group, settings=Settings(strategy=strategy), evidence=True
    )
    assert found.holds == expected
    assert found.positions <= found.pairs
    assert refines(system, found.evidence, "simulation").holds
    plain = check_process(specification, formula)
    assert plain.holds == expected


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("mu X. X", False),
        ("nu X. X && X", True),
        ("<true>(mu X(b:Bool = true). X(!b) || X(b))", False),
        ("nu X. (X && nu Y. (Y && X)) && [true]X", True),
        ("A F (mu X. X || X)", False),
        ("A G (nu X. X && X)", True),
    ],
)
def test_who_goes_round_without_a_step_comes_to_an_end(formula, holds):
    specification = read(CASES / "mutex.mcrl")
    for group in [(), (parse_permutation("(p1 p2)"),)]:
        found = check_process(specification, formula, group, evidence=True)
        assert found.holds == holds


@given(steps=PROCESS, hidden=st.sampled_from(["u", "h", "u(p1)"]))
def test_what_is_hidden_is_to_be_symmetric(steps, hidden):
    specification = read_text(exchangeable.text(steps))
    formula = "[true*](<tau>true => (exists p:P. <tau.v(p)>true) || <tau.tau>true)"
    if hidden == "u(p1)":
        with pytest.raises(NotSymmetric, match="only one of them is internal"):
            check_process(
                specification,
                formula,
                (SWAP, TURN),
                internal=Internal(hidden=[hidden]),
            )
        return
    found = check_process(
        specification,
        formula,
        (SWAP, TURN),
        internal=Internal(hidden=[hidden]),
    )
    assert found.holds == check(generate(specification).hide([hidden]), formula).holds


@st.composite
def uneven(draw):
    """A process of which one action, or condition, is about one id."""
    text = exchangeable.text(draw(PROCESS))
    head, body = text.split("proc ")
    places = [at for at in range(len(body)) if body.startswith(("(p)", ",p)"), at)]
    at = draw(st.sampled_from(places))
    chosen = draw(st.sampled_from(["p1", "p2", "p3"]))
    return f"{head}proc {body[: at + 1]}{chosen}{body[at + 2 :]}"


@given(
    text=uneven(),
    tree=naive_formulas.trees(world=naive_formulas.IDS),
    group=st.sampled_from([(SWAP,), (TURN,), (SWAP, TURN)]),
    proof=st.sampled_from(["certificate", "static", "tested"]),
)
def test_what_is_no_symmetry_gives_no_wrong_answer(text, tree, group, proof):
    specification = read_text(text)
    try:
        found = check_process(
            specification, naive_formulas.text(tree), group, settings=Settings(proof=proof)
        )
    except (NotSymmetric, NotProven):
        return
    steps = relations.steps_of(generate(specification))
    assert found.holds == (0 in naive_formulas.where(tree, steps, {}, {}))


FORMULAS = {
    "[true*.criticalin(p1).(!criticalout(p1))*.criticalin(p2)]false": True,
    "forall p,q:Pid. val(p != q) => [true*.criticalin(p).(!criticalout(p))*.criticalin(q)]false":
        True,
    "<true*.criticalin(p3)>true": True,
    "criticalin(p3) inevitable": False,
    "deadlock-free": True,
    "nu X. [true*](exists p:Pid. <true*.criticalin(p)>true)": True,
    "[true*.criticalin(p1)]mu X. [!criticalin(p2)]X && <true>true": False,
}  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_case_study(formula, threads):
    specification = read(CASES / "peterson.mcrl", parameters={"N": 3})
    process = linearise(specification)
    formula = formula.replace("Pid", "P") if "Pid" not in specification.sorts else formula
    found = check_process(process, formula, TURN, settings=Settings(threads=threads), evidence=True)
    system = generate(process)
    whole = check(system, formula)
    assert found.holds == whole.holds == FORMULAS[formula]
    assert refines(system, found.evidence, "simulation").holds
    plain = check_process(process, formula)
    assert plain.holds == whole.holds
    assert found.order == 3
    if plain.explored == plain.positions:
        # All there is was looked at.
        assert found.positions <= plain.positions


NAMED = """sort Bool Pid
func T,F:->Bool p1,p2,p3:->Pid
map after,odd:Pid->Pid
rew after(p1)=p2 after(p2)=p3 after(p3)=p1 odd(p1)=p2 odd(p2)=p1 odd(p3)=p3
act try,enter:Pid other
proc Lock = sum(p:Pid,try(p).enter(p).Lock)
init Lock
"""


@pytest.mark.parametrize("formula", [
    "forall p:Pid. <try(p)>[enter(after(p))]false",
    "<try(p1).enter(p1).try(after(after(p1)))>true",
    "nu X(p:Pid = p2). [true]X(after(p)) && <true>true",
    '<"try(p3)"."enter(p3)">true && !<"try(p3)"."enter(p1)">true',
    "[try(p1)]<exists q:Pid. enter(q) && val(q == p1)>true",
])  # fmt: skip
def test_functions_that_treat_all_data_alike(formula):
    specification = read_text(NAMED)
    found = check_process(specification, formula, TURN)
    assert found.holds == check_process(specification, formula).holds
    assert found.holds


@pytest.mark.parametrize(
    ("formula", "group", "message"),
    [
        ("forall p:Pid. <try(odd(p))>true", TURN, "`odd(p1)` is `p2`, and the image of that"),
        ("forall p:Pid. <try(after(p))>true", SWAP, "`after(p1)` is `p2`, and the image"),
        ('<"a|b">true', TURN, "what a permutation makes of the label `a|b` is not known"),
    ],
)
def test_what_is_not_proven_is_refused(formula, group, message):
    with pytest.raises(NotProven) as caught:
        check_process(read_text(NAMED), formula, group)
    assert message in str(caught.value)


BOOLS = "sort Bool func T,F:->Bool act a:Bool init sum(b:Bool, a(b).delta)"
NUMBERS = """%@ include Nat
act a:Nat proc X(x:Nat) = a(x).X(x) init X(0) || X(1) || X(2)
"""
SEVERAL = """sort Bool D N func T,F:->Bool p,q:->D 0:->N s:N->N
map g:D#N->D h:D->D k:D#D->D var d,e:D n:N rew g(d,n)=d h(p)=p k(d,e)=d
act a:D b:D b:N c:N init sum(d:D, a(d).b(d).delta) + c(0).delta
"""


@pytest.mark.parametrize(("text", "group", "formula", "why"), [
    (BOOLS, "(T F)", "<a(T)>true", "the truth values are moved"),
    (NUMBERS, "(0 1)", "exists m:0..1. exists n:0..m. <a(n)>true", "`n` has bounds that depend"),
    (NUMBERS, "(0 1)", "exists n:0..1. val(n + 1 == 1) && <a(n)>true", "`+` computes with what"),
    (NUMBERS, "(0 1)", "exists n:0..1. val(n < 1) && <a(n)>true", "`<` computes with what"),
    (SEVERAL, "(p q)", "exists d:D. <a(g(d,0))>true", "whether `g` treats infinitely many data"),
    (SEVERAL, "(p q)", "exists d:D. <a(h(d))>true", "`h(q)` is no value that constructors make"),
    (SEVERAL, "(p q)", "exists d:D. <a(d)><b(d)>true", "`b` is declared for data of several sorts"),
    (SEVERAL, "(p q)", '<"a(p)"><"b(p)">true', "makes of the label `b(p)` is not known"),
    (SEVERAL, "(p q)", '!<"a(p,q)">true', "makes of the label `a(p,q)` is not known"),
    (SEVERAL, "(p q)", '!<"a(h(q))">true', "the image of h(q) does not have the images of"),
    (SEVERAL, "(p q)", 'exists d:D. <a(k(d,p))>true && !<"a(h(q))">true',
     "`h(q)` is no value that `D` is built of"),
    (SEVERAL, "(p q)", '!<"a(z)">true', "makes of the label `a(z)` is not known"),
])  # fmt: skip
def test_what_is_not_known_to_move_is_refused(text, group, formula, why):
    specification = read_text(text)
    assert check_process(specification, formula).holds
    with pytest.raises(NotProven) as caught:
        check_process(specification, formula, parse_permutation(group))
    assert why in str(caught.value)


def test_labels_that_nothing_prints(monkeypatch):
    """They are no text of a label, so that they need not be moved."""
    specification, swap = read_text(SEVERAL), parse_permutation("(p q)")
    for label in ("a( p)", "a(h(p))", "c"):
        for group in ((), swap):
            assert not check_process(specification, f'<"{label}">true', group).holds
    for most in (4, 3):
        monkeypatch.setattr("lts.logic.movable.MOST_CASES", most)
        refused = pytest.raises(NotProven, match="`k` has more than 3 cases")
        with nullcontext() if most == 4 else refused:
            assert check_process(specification, "exists d:D. <a(k(d,p))>true", swap).holds


TWO_SORTS = """sort Bool D E func T,F:->Bool p,q:->D u,v:->E map f:E->E g:D->D h:D#E->D var d:D x:E
rew f(u)=v f(v)=v g(d)=d h(d,x)=d
act a:D e:E b:D#E c
init sum(d:D, a(d).sum(x:E, e(x).b(d,x).delta)) + sum(x:E, e(x).c.delta)
"""
OF_ONE_NAME = """sort Bool D E func T,F:->Bool p,q:->D u,v:->E
act a:D a:D#E c:E c:E#E
init sum(d:D, a(d).sum(x:E, a(d,x).c(x).delta))
"""
PAIRS = """%@ include Nat
sort P func p,q:->P
act a:Nat#P proc X(x:Nat,i:P) = a(x,i).X(x,i) init X(0,p) || X(1,p) || X(0,q) || X(1,q)
"""


@pytest.mark.parametrize(("text", "group", "formula"), [
    (TWO_SORTS, ["(p q)", "(u v)"], "exists d:D. <a(g(d))>true"),
    (TWO_SORTS, ["(p q)", "(u v)"], "exists d:D. <a(h(d,u))>true"),
    (TWO_SORTS, ["(p q)", "(u v)"], "exists d:D, x:E. <a(d)><e(x)><b(d,x)>val(d == p)"),
    (TWO_SORTS, ["(p q)"], "exists x:E. <e(f(x))><c>true"),
    (TWO_SORTS, ["(p q)"], "<zz(p)>true || <e(u)>true"),
    (TWO_SORTS, ["(p q)"], '<"e(u)"."c">true'),
    (TWO_SORTS, ["(u v)"], '<"e(u)"."c">true'),
    (NUMBERS, ["(0 1)"], "exists n:Nat. <a(n)>true"),
    (NUMBERS, ["(0 1)"], "forall n:Nat. [a(n)]<a(n)>true"),
    (NUMBERS, ["(0 1)"], "nu X(n:Nat = 0). <a(n)>X(n)"),
    (NUMBERS, ["(0 1)"], "exists n:0..1. val(n == 1) && <a(n)>true"),
    (PAIRS, ["(p q)"], "exists m:0..1. exists n:0..m. exists i:P. <a(n,i)>val(n == m)"),
    (PAIRS, ["(p q)"], "forall i:P. exists n:0..1. <a(n + 0,i)>true"),
    (PAIRS, ["(p q)"], "nu X(n:Nat = 0, i:P = q). <a(n,i)>X(1 - n, i)"),
    (PAIRS, ["(p q)"], "forall i:P. <a(2 - 1,i)>true"),
    (OF_ONE_NAME, ["(p q)"], "exists d:D. <a(d)>exists x:E. <a(d,x)>true"),
    (OF_ONE_NAME, ["(p q)"], "<true*.c(u)>true"),
    (OF_ONE_NAME, ["(p q)"], '<true*."c(u)">true'),
    (OF_ONE_NAME, ["(p q)"], '<true*."a(p,u)" . "c(u)">true'),
    (OF_ONE_NAME, ["(p q)"], "<true*.c(u,v)>true || <c(v,v)>true || <a(...)>true"),
])  # fmt: skip
def test_what_moves_with_all_permutations_or_stays(text, group, formula):
    for generators in ([], group):
        found = check_process(read_text(text), formula, [parse_permutation(p) for p in generators])
        assert found.holds


ARRAYS = """sort D = struct p | q; act a: D -> Bool; b: D;
init sum f: D -> Bool. a(f) . sum d: D. f(d) -> b(d) . delta;
"""
NUMBERED = """act a, b: Nat; proc P(id: Nat) = a(id) . b(3) . P(id); init P(1) || P(2);"""


@pytest.mark.parametrize(("text", "group", "formula", "why"), [
    (ARRAYS, "(p q)", "exists f:D->Bool. <a(f)>true", "values of `(D->Bool)` have arrays in them"),
    (NUMBERED, "(P.id(1) P.id(2))", "exists n:0..3. <a(n)>true",
     "`Nat` stands where numbers are `P.id`, which may be moved"),
    (NUMBERED, "(P.id(1) P.id(2))", "nu X(n:Nat = 1). <a(n)>true",
     "`Nat` stands where numbers are `P.id`, which may be moved"),
    (NUMBERED, "(P.id(1) P.id(2))", "<a(1)>true", None),
    (NUMBERED, "(P.id(1) P.id(2))", "<true*.b(1 + 2)>true", None),
])  # fmt: skip
def test_what_is_not_known_to_move_of_values_in_mcrl2(text, group, formula, why):
    specification = mcrl2.read_text(text, identities=["P.id"] if text is NUMBERED else ())
    assert check_process(specification, formula).holds
    if why is None:
        assert check_process(specification, formula, parse_permutation(group)).holds
        return
    with pytest.raises(NotProven) as caught:
        check_process(specification, formula, parse_permutation(group))
    assert why in str(caught.value)


@pytest.mark.parametrize("group", [["(p q)", "(u v)"], ["(u v)", "(p q)"]])
@pytest.mark.parametrize("formula", [
    "exists x:E. <e(f(x))>true", "nu X(x:E = f(u)). <e(x)>true || X(f(x))",
])  # fmt: skip
def test_the_permutation_is_named_that_a_formula_is_not_known_to_move_with(group, formula):
    with pytest.raises(NotProven) as caught:
        check_process(read_text(TWO_SORTS), formula, [parse_permutation(p) for p in group])
    assert str(caught.value).startswith("`(u v)` is not proven to be a symmetry")
    assert "`f(u)` is `v`, and the image of that is not what" in str(caught.value)


@pytest.mark.parametrize("bounds", ["0..1", "0..0", "1..1", "0..2", "2..2", "1..0"])
@pytest.mark.parametrize("group", [[], ["(0 1)"], ["(1 2)"], ["(0 1 2)"], ["(0 1)", "(0 1 2)"]])
def test_bounds_are_moved_to_themselves(bounds, group):
    specification = read_text(NUMBERS)
    low, high = map(int, bounds.split(".."))
    moves = {"(0 1)": {0: 1, 1: 0}, "(1 2)": {1: 2, 2: 1}, "(0 1 2)": {0: 1, 1: 2, 2: 0}}
    values = set(range(low, high + 1))
    stays = all({moves[one].get(v, v) for v in values} == values for one in group)
    for formula, holds in (
        (f"exists n:{bounds}. <a(n)>true", bool(values)),
        (f"forall n:{bounds}. <a(n)>true", True),
    ):
        with nullcontext() if stays else pytest.raises(NotProven, match="`n` may be `"):
            found = check_process(specification, formula, [parse_permutation(p) for p in group])
            assert found.holds == holds


def test_what_is_no_symmetry_is_refused():
    text = NAMED.replace("try(p).enter(p)", "try(p).enter(odd(p))")
    with pytest.raises(NotSymmetric):
        check_process(read_text(text), "[true*]<true>true", TURN)
    # Also where the answer is known before the difference is met.
    with pytest.raises((NotSymmetric, NotProven)):
        check_process(read_text(text), "<true.true.true.true>true", TURN)


def test_limits():
    specification = read(CASES / "peterson.mcrl", parameters={"N": 4})
    turn = parse_permutation("(p1 p2 p3 p4)")
    with pytest.raises(LimitReached, match="more than 100 orbits of pairs"):
        check_process(
            specification, "deadlock-free", turn, settings=Settings(limits=Limits(states=100))
        )


OTHER_VALUES = """sort Bool D E func T,F:->Bool p,q:->D 0,1:->E map f:D->D s:E->E rew 1=s(0)
act a:D c:E init sum(d:D, a(d).a(f(d)).delta) + sum(x:E, c(x).delta)
"""
OF_MCRL2 = "sort D = struct p | q; map f: D -> D; act a: D; init sum d: D. a(d).a(f(d)).delta;"


@pytest.mark.parametrize(("text", "formula", "value"), [
    (OTHER_VALUES, "<a(p)><a(f(p))>true", "f(p)"),
    (OTHER_VALUES, "<c(1)>true", "s(0)"),
    (OTHER_VALUES, "exists x:E. val(x == 0) && <c(x)>true", "s(0)"),
    (OF_MCRL2, "<a(p)><a(f(p))>true", "f(p)"),
])  # fmt: skip
def test_what_no_constructors_make_is_not_moved(text, formula, value):
    """A permutation of constructors says nothing of values that are none of them."""
    specification = mcrl2.read_text(text) if text is OF_MCRL2 else read_text(text)
    assert check_process(specification, formula).holds
    with pytest.raises(SpecificationError) as refused:
        check_process(specification, formula, parse_permutation("(p q)"))
    assert refused.value.message == f"`{value}` is no value that constructors make: not on orbits"


def test_numbers_that_the_text_does_not_have_are_told_with_their_place():
    """Where numbers are identities, the text may have no others for what a variable ranges over."""
    specification = mcrl2.read_text(NUMBERED, identities=["P.id"])
    formula = "exists p:Pos. val(p < 3) && <true*.b(p)>true"
    assert not check_process(specification, formula).holds
    with pytest.raises(SpecificationError, match="values such as `1` cannot stand") as refused:
        check_process(specification, formula, parse_permutation("(P.id(1) P.id(2))"))
    assert (refused.value.line, refused.value.column) == (1, 8)


def test_a_strict_text_has_no_such_values():
    specification = read_text(OTHER_VALUES, strict=True)
    with pytest.raises(SpecificationError, match="constructors make: which --strict refuses"):
        check_process(specification, "exists x:E. val(x == 0) && <c(x)>true")
    numbers = read_text(
        "sort Bool N func T,F:->Bool 0:->N s:N->N act c:N init c(s(0)).delta", strict=True
    )
    assert check_process(numbers, "<c(s(0))>true && !<c(s(s(0)))>true").holds
