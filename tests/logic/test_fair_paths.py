"""Paths that are looked for, on orbits and without: against the game of the same formula."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exchangeable
from lts.equivalence import refines
from lts.errors import LtsError
from lts.logic import check, check_process, parse, satisfying_states
from lts.logic.paths.one_player import one_player
from lts.mucrl import generate, linearise, read, read_text
from lts.state_space.settings import Settings
from lts.symmetry import parse_permutation, parse_symmetry_file

CASES = Path(__file__).resolve().parents[2] / "cases"
STEP = "(exists k:Nat. raise(q,k) || sign(q,k) || pass(q,k)) || enter(q) || leave(q) || lower(q)"
WEAK = f"forall q:Pid. WF({STEP})"
STRONG = f"forall q:Pid. SF({STEP})"
GETS_IN = "A G forall p:Pid. (raise(p,1) => F enter(p))"
FORMULAS = [
    (GETS_IN, None, False),
    (GETS_IN, f"({WEAK}) && WF(first(...))", True),
    (GETS_IN, f"({STRONG}) && WF(first(...))", True),
    (GETS_IN, f"(forall q:Pid. val(q != p1) => WF({STEP})) && WF(first(...))", False),
    ("A G (raise(p3,1) => F enter(p3))", f"({WEAK}) && SF(first(...))", True),
    ("A (G F enter(p2) && G F leave(p1))", f"({STRONG}) && WF(first(...))", True),
    ("A G F exists p:Pid. enter(p)", WEAK, True),
    ("E (G F enter(p1) && F G !enter(p2))", f"({WEAK}) && WF(first(...))", False),
    ("E (G F enter(p1) && G F enter(p2) && F G !enter(p3))", "WF(first(...))", True),
    ("E G forall p:Pid. (enter(p) => X !leave(p))", None, True),
    ("E (!(exists p:Pid. enter(p)) U enter(p3))", None, True),
]


@pytest.fixture(scope="module")
def peterson():
    process = linearise(read(CASES / "peterson_turns.mcrl", parameters={"N": 3}))
    file = (CASES / "peterson_turns.sym").read_text(encoding="utf-8")
    symmetry = parse_symmetry_file(file, parameters=process.specification.parameters)
    return process, symmetry.generators, generate(process)


@pytest.mark.parametrize(("formula", "fair", "holds"), FORMULAS)
def test_path_search_agrees_with_the_game(peterson, formula, fair, holds):
    process, generators, system = peterson
    played = satisfying_states(system, formula, fair=fair)
    assert bool(played[system.initial]) == check(system, formula, fair=fair).holds == holds
    for group in ((), generators):
        for threads in (1, 2):
            found = check_process(
                process,
                formula,
                group,
                settings=Settings(threads=threads),
                fair=fair,
                evidence=threads == 1,
            )
            assert found.holds == holds
            assert found.explored <= found.positions <= found.pairs
            if threads > 1:
                continue
            # A path shows that there is one, and is one of the system.
            assert (found.path is not None) == (holds == formula.startswith("E"))
            assert refines(system, found.evidence, "simulation").holds


TWISTED = """
sort Bool Pid
func T,F:->Bool p1,p2:->Pid
map  eq:Pid#Pid->Bool not:Bool->Bool
var  x:Pid
rew  eq(x,x)=T eq(p1,p2)=F eq(p2,p1)=F not(T)=F not(F)=T
act  a:Pid d e h i
proc X(p:Pid) = {steps} + sum(q:Pid, a(q).delta <| not(eq(p,q)) |> delta)
     W(p:Pid) = sum(q:Pid, d.Y(q) <| not(eq(p,q)) |> delta) + h.delta
     Y(p:Pid) = a(p).X(p)
init sum(p:Pid, i.X(p))
"""


@pytest.mark.parametrize("steps", ["d.W(p) + e.Y(p)", "e.Y(p) + d.W(p)"])
@pytest.mark.parametrize("fair", ["(forall p:Pid. SF(a(p))) && SF(h)", "forall p:Pid. SF(a(p))"])
def test_excluded_paths_do_not_move_orbits(steps, fair):
    # X and Y go round for one p only; the two are exchanged on the way by W alone, where h can be
    # done, and is not.
    process = linearise(read_text(TWISTED.replace("{steps}", steps)))
    holds = "SF(h)" not in fair
    for group in ((), parse_permutation("(p1 p2)")):
        found = check_process(process, "E G F e || E G F d", group, fair=fair)
        assert found.holds == holds
        for action in ("e", "d"):
            found = check_process(process, f"E G F {action}", group, fair=fair, evidence=True)
            assert found.holds == holds
            assert (found.path is not None) == holds


KINDS = st.sampled_from(["WF", "SF"])
ASKED = st.sampled_from(["u(p)", "v(p)", "h(p)"])
GOALS = st.sampled_from(["u(...)", "v(...)", "h(...)", "u(p1)", "v(p2)", "true"])
PARTS = st.lists(st.tuples(KINDS, ASKED), min_size=1, max_size=3, unique=True)
FIRST = exchangeable.STEP.map(lambda step: (0, "u", None, step[3], ("some(p)", "a")))
SWAP, TURN = parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")


@contextmanager
def suppress_vacuous():
    """Suppress the error that a fairness assumption names an action that no step has."""
    try:
        yield
    except LtsError as error:
        if "about what never happens" not in error.message:
            raise


@given(
    FIRST, st.lists(exchangeable.STEP, min_size=1, max_size=7), PARTS, GOALS, st.sampled_from("GX"),
    st.sampled_from([(SWAP,), (TURN,), (SWAP, TURN)]),
)  # fmt: skip
def test_fairness_of_random_processes(first, steps, parts, goal, operator, group):
    specification = read_text(exchangeable.text([first, *steps]))
    system = generate(specification)
    fair = " && ".join(f"(forall p:P. {kind}({asked}))" for kind, asked in parts)
    formula = f"E {operator} F {goal}"
    played = bool(satisfying_states(system, formula, fair=fair)[system.initial])
    for permutations in ((), group):
        found = None
        with suppress_vacuous():
            found = check_process(specification, formula, permutations, fair=fair, evidence=True)
        if found is None:
            assert any(asked[0] not in system.actions for _, asked in parts)
            return
        assert found.holds == played
        assert (found.path is not None) == played
        assert refines(system, found.evidence, "simulation").holds


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("<true*.a>true", True),
        ("[true*.a]false", False),
        ("[true*]<true>true", False),
        ("mu X. <true>true && [!a]X", False),
        ("nu X. <a>X", True),
        ("[true*]!<tau>@", False),
        ("<a>true && [b]false", True),
        ("exists p:1..2. <a(p)>true", True),
        ("[true*] forall p:1..2. [a(p)] forall q:1..2. val(p != q) => [true*.b(q)]false", False),
        ("[true*]<true*.a>true", None),
        ("nu X. mu Y. <a>X || <b>Y", None),
        ("<a>true && <b>true", False),
        ("<a>[b]<c>true", None),
        ("mu X. exists p:1..2. (X || <a(p)>X)", True),
        ("nu X. exists p:1..2. (X || <a(p)>X)", None),
    ],
)
def test_one_player_formulas_are_recognised(formula, shown):
    found = one_player(parse(formula))
    assert (None if found is None else found.shown) == shown
