"""How paths are searched: their automata, what is looked at, and what is shown, against games."""

from itertools import permutations

import pytest
from hypothesis import given

from lts import LTS
from lts.base.bounds import AUTOMATON_STATES, EVIDENCE
from lts.errors import LimitReached
from lts.logic import check, check_process, parse
from lts.logic.data import LabelData
from lts.logic.paths.quantifiers import Normaliser
from lts.logic.paths.tableau import automaton
from lts.logic.paths.walks import as_walks
from lts.mucrl import read_text
from naive.paths import written
from path_formulas import games_alone, trees


@pytest.mark.parametrize("word", ["G", "F", "F G", "true U", "a U", "a R", "false R"])
@pytest.mark.parametrize("inner", ["G F a", "F G a", "G F a || F G !a", "G F a && G F b"])
def test_prefix_independent_formulas_are_not_repeated(word, inner):
    system = read_text("sort Bool func T,F:->Bool act a,b proc X = a.Y + b.X Y = b.X + a.Y init X")
    for quantifier in "AE":
        again, once = (
            check_process(system, f"{quantifier} ({text})") for text in (f"{word} ({inner})", inner)
        )
        assert (again.holds, again.positions) == (once.holds, once.positions)


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("F (G F a || b)", True), ("F (G F b && a)", True), ("G (G F a || a)", False),
        ("G (F G b || a)", True), ("a U (G F b && b)", True), ("b R (F G a || a)", False),
    ],
)  # fmt: skip
def test_partly_prefix_dependent_formulas_are_repeated(formula, holds):
    """Of the path a b b b .."""
    system = read_text("sort Bool func T,F:->Bool act a,b proc X = a.Y Y = b.Y init X")
    for quantifier in "AE":
        assert check_process(system, f"{quantifier} ({formula})").holds == holds
        assert check_process(system, f"{quantifier} !({formula})").holds != holds


@pytest.mark.parametrize(("formula", "promised"), [
    ("E G (a => F (b && F a))", 2), ("E (G (F a || X b) && F G (F b || a))", 2),
    ("A (G F (a && X b) => G F (b && X b))", 1),
])  # fmt: skip
def test_formulas_with_many_obligations_use_the_game(formula, promised, monkeypatch):
    system = LTS.from_transitions([(0, "a", 0), (0, "b", 1), (1, "a", 0)])
    holds = [check(system, formula).holds]
    for most in (promised, promised - 1):
        monkeypatch.setattr("lts.logic.paths.walks.MOST_PROMISES", most)
        parsed = parse(formula)
        assert (as_walks(parsed, LabelData(parsed, system.labels)) is None) == (most < promised)
        holds.append(check(system, formula).holds)
    assert len({*holds}) == 1


def test_formulas_with_many_values_use_the_game():
    """A search has a state for each value, and no more than 4,096 states."""
    formula = "E exists n:0..4999. (X a(n) && X X b(n))"
    steps = [(0, "a(1)", 1), (0, "a(4900)", 1), (1, "b(4900)", 0)]
    assert not check(LTS.from_transitions(steps), formula).holds
    process = read_text(
        "%@ include Nat\nact a,b:Nat proc X = a(1).Y + a(4900).Y Y = b(4900).X init X"
    )
    found = check_process(process, formula)
    with games_alone():
        played = check_process(process, formula)
    assert (found.holds, found.positions) == (played.holds, played.positions)
    assert not found.holds


def test_path_searches_are_limited():
    system = LTS.from_transitions([(0, "a", 0), (0, "b", 1), (1, "a", 0)])
    formula = "E (G F a && F (b && X a))"
    assert check(system, formula, max_positions=5).holds
    with pytest.raises(LimitReached, match="more than 4 pairs of a subformula and a state"):
        check(system, formula, max_positions=4)


@pytest.mark.parametrize(("formula", "holds"), [("A F c", False), ("E G F c", True)])
def test_evidence_size_is_limited(formula, holds, lower):
    system = read_text(
        "sort Bool func T,F:->Bool act a,b,c proc X = a.Y + b.X Y = b.X + a.Z Z = c.X + b.Z init X"
    )
    pairs = check_process(system, formula).pairs
    for most in (pairs, pairs - 1):
        lower(EVIDENCE, most)
        found = check_process(system, formula, evidence=True)
        assert found.holds == holds
        assert (found.path is not None) == (found.evidence is not None) == (most == pairs)


@pytest.mark.parametrize(("formula", "holds"), [
    ("E (G F a && G F b)", True), ("A (F G a || F G b)", False),
])  # fmt: skip
def test_evidence_is_a_single_path(formula, holds):
    """One that goes to `a` and `b` in turn, though both can be reached from each of its states."""
    system = read_text("sort Bool func T,F:->Bool act a,b proc X = a.Y + b.X Y = b.X + a.Y init X")
    searched = check_process(system, formula, evidence=True)
    with games_alone():
        played = check_process(system, formula, evidence=True)
    for found in (searched, played):
        assert found.holds == holds
        assert {*found.path.steps} == {*found.evidence.transitions()}


@pytest.mark.parametrize("formula", [
    "E (a && X b)", "E (a && X (b && <b>true))", "E (a && X (b && E (b && X true)))",
    "A (a => X !b)", "E (E (a && X b) && a && X b && X X G d)", "<a.b>true",
])  # fmt: skip
def test_evidence_transitions_follow_system_order(formula):
    others = [(0, f"c{number}", 0) for number in range(7)]
    steps = [others[0], (1, "b", 2), *others[1:], (0, "a", 1), (2, "d", 2)]
    found = check(LTS.from_transitions(steps), formula)
    assert found.holds == (formula[0] != "A")
    shown = [*found.evidence.transitions()]
    assert {(0, "a", 1), (1, "b", 2)} <= {*shown}
    assert shown == [step for step in steps if step in shown]


def test_evidence_labels_follow_label_order():
    text = "sort Bool N func T,F:->Bool 0,1,2,3,4,5,6,7,8,9:->N act a:N b:N"
    specification = read_text(f"{text} init sum(n:N, a(n).sum(m:N, a(m).b(m).delta))")
    found = check_process(specification, "<a(8).a(1)>true", evidence=True)
    assert found.evidence.labels == ("a(1)", "a(8)")
    assert [*found.evidence.transitions()] == [(0, "a(8)", 1), (1, "a(1)", 2)]


TURNS = """sort Bool D func T,F:->Bool 1,2:->D act a:D b,c
proc P = a(1).Q + a(2).R Q = b.P + tau.delta R = c.R init P"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        # What is said of the end of a path, and of the step to it.
        ("E F !X true", True),
        ("A F !X true", False),
        ("E G X true", True),
        ("E !X true", False),
        ("E F (b && !X true)", False),
        ("E F (c && X !X true)", False),
        ("A F (c || !X true)", False),
        ("A G (tau => X !X true)", True),
        ("A G (a(1) => X (b || tau))", True),
        ("A G (a(1) => X b)", False),
        ("E (a(2) && X G c)", True),
        ("A (b R !c)", False),
        # Labels, and none.
        ("E F tau", True),
        ("A F tau", False),
        ("E G !tau", True),
        ('E F "a(1)"', True),
        ('A G !"c"', False),
        ("<tau|tau>true", False),
        ("<a(1)><tau|tau>true", True),
        ("<a(1)><tau|b>true", True),
        # Steps and conditions on data in one, for all values and for some.
        ("A forall n:D. (val(n == 1) || a(n))", False),
        ("E forall n:D. (val(n == 1) || a(n))", True),
        ("A forall n:D. (val(n == 1) || !a(n))", False),
        ("A exists n:D. (val(n == 1) && a(n))", False),
        ("E exists n:D. (val(n == 1) && a(n))", True),
        ("E exists n:D. (val(n == 2) && !a(n))", True),
        ("A exists n:D. (val(n == 2) && !a(n))", False),
        ("A forall n:D. (<a(n)>true || a(n))", True),
        ("E F forall n:D. [a(n)]false", True),
        ("E forall n:D. F (a(n) || b)", True),
        ("A forall n:D. exists m:D. F (a(n) || a(m))", True),
        # Fixed points of which one player has all choices, also where they go round without a step.
        ("mu X. exists n:D. !([a(n)]!X) || [true]false", False),
        ("mu X. exists n:D. !([a(n)]!(<b>X || <c>true))", True),
        ("nu X. exists n:D. <a(n)>nu Y. (<b>X || <c>Y)", True),
        ("mu X. mu Y. (<a(1)>X || <b>Y || <tau>true)", True),
        ("nu X. (val(true) && (nu Y. <a(1)>(<b>X && val(true))))", True),
        ("mu X. ([c]false && (mu Y. (X || <a(1)><tau>true)))", True),
        ("nu X. (val(true) && (mu Y. (X || Y)))", True),
        ("mu X. (val(true) && (mu Y. (X || Y)))", False),
        ("nu X. [a(2)]false && (nu Y. (X && Y))", False),
        ("nu X. <a(2)>true && (nu Y. (X && Y))", True),
        ("nu X. (X || <a(1)>X)", True),
        ("nu X. exists n:D. (X || <a(n)>X)", True),
        ("mu X. exists n:D. (X || <a(n)>X)", False),
        # Of states on a path, more than what the next step can be.
        ("E F <a(1)><b>true", True),
        ("E G <a(1)><b>true", False),
        ("A G [a(1)][b]true", True),
        ("A G [a(1)][b]false", False),
    ],
)
def test_searches_and_games_agree(formula, holds):
    system = read_text(TURNS)
    assert check_process(system, formula).holds == holds
    with games_alone():
        assert check_process(system, formula).holds == holds


def automaton_of(formula):
    parsed = parse(formula)
    normaliser = Normaliser(parsed, LabelData(parsed, ["a", "b"]))
    return automaton(normaliser, normaliser.normal(parsed.nodes[parsed.root][2][0], True))[1]


@given(trees("ab"))
def test_automaton_has_no_redundant_edges(tree):
    """None asks for more than another one that leads to the same and promises no more."""
    for edges in automaton_of(written(("E", tree))).values():
        for one, other in permutations(edges, 2):
            assert not (
                one.target == other.target
                and {*one.moment.states} <= {*other.moment.states}
                and one.moment.allowed in (None, other.moment.allowed)
                and (one.may_end or not other.may_end)
                and (one.has_step or not other.has_step)
                and one.promised <= other.promised
            )


@pytest.mark.parametrize("said", ["a || b || c", "!a && !b && !c", "a || !b || !c || b"])
def test_conditions_on_one_step_give_one_edge(said):
    for edges in automaton_of(f"E G ({said})").values():
        assert len([edge for edge in edges if edge.has_step]) == 1


def test_automaton_out_degree_is_bounded(lower):
    """They are counted before those that are needless go."""
    ways = " || ".join(f"({now} && X a)" for now in ("a", "b", "!a", "!b", "X b"))
    [*edges] = map(len, automaton_of(f"E ({ways})").values())
    assert (len(edges), max(edges)) == (4, 5)
    lower(AUTOMATON_STATES, 5)
    assert list(map(len, automaton_of(f"E ({ways})").values())) == edges
    lower(AUTOMATON_STATES, 4)
    with pytest.raises(LimitReached, match="more than 4 states, or edges of one"):
        automaton_of(f"E ({ways})")
    assert len(automaton_of("E X X a")) == 4
    lower(AUTOMATON_STATES, 3)
    with pytest.raises(LimitReached, match="more than 3 states, or edges of one"):
        automaton_of("E X X a")


SENDERS = """sort Bool P func T,F:->Bool p1,p2:->P act a,b:P c
proc X = sum(p:P, a(p).Y(p)) + c.X Y(p:P) = b(p).X + sum(q:P, a(q).Y(p))
init X
"""


@pytest.mark.parametrize(("formula", "fair", "most"), [
    ("A G F c", None, 6),
    ("E G F c", None, 4),
    ("A F G c", None, 4),
    ("E F G c", None, 4),
    ("A G (c || X c)", None, 6),
    ("E (G F c && G F b(p1))", None, 4),
    ("A (G F a(p1) || F G c)", None, 6),
    ("A (c U b(p1))", None, 2),
    ("E (c U (b(p1) || a(p1)))", None, 2),
    ("A (c W a(p1))", None, 2),
    ("A (a(p1) R !c)", None, 3),
    ("A X X c", None, 8),
    ("E X X c", None, 8),
    ("A G (a(p1) => F b(p1))", None, 6),
    ("E G (a(p1) => X a(p2))", None, 6),
    ("A forall p:P. G (a(p) => F b(p))", None, 9),
    ("E exists p:P. F b(p)", None, 4),
    ("A exists p:P. F b(p)", None, 3),
    ("E forall p:P. G F b(p)", None, 4),
    ("E forall p:P. F b(p)", None, 11),
    ("A forall p:P. (G F a(p) => G F b(p))", None, 13),
    ("E G (exists p:P. a(p))", None, 3),
    ("E G (forall p:P. !b(p))", None, 3),
    ("A G (forall p:P. a(p) => X !c)", None, 5),
    ("E F (exists p:P. a(p) && X b(p))", None, 6),
    ("A F E G c", None, 18),
    ("E G A F c", None, 25),
    ("A G (<c>true => F c)", None, 6),
    ("E (F G <c>true && G F !c)", None, 6),
    ("A WF(c)", None, 5),
    ("E SF(b(p1))", None, 4),
    ("A forall p:P. WF(a(p))", None, 9),
    ("E (G F c && F G !b(p1) && F a(p2))", None, 13),
    ("A ((F a(p1)) U c)", None, 6),
    ("E ((G F c) R (F a(p1)))", None, 12),
    ("E G G F F c", None, 4),
    ("A (F c && G (c => X c))", None, 9),
    ("E (F a(p1) && F a(p2) && F c)", None, 21),
    ("A (X true => F c)", None, 4),
    ("E F (c && X false)", None, 1),
    ("A G (c || X true)", None, 3),
    ("E G (c => F (a(p1) && F b(p1)))", None, 12),
    ("A G ((a(p1) U c) || b(p1))", None, 4),
    ("E G (F c && X F a(p1))", None, 4),
    ("A G F b(p1)", "forall p:P. WF(a(p))", 6),
    ("A F c", "forall p:P. WF(a(p))", 3),
    ("E F G c", "forall p:P. WF(a(p))", 4),
    ("A forall p:P. F a(p)", "forall p:P. WF(a(p))", 5),
    ("A G F b(p1)", "G F c", 6),
    ("A F c", "G F c", 3),
    ("E F G c", "G F c", 4),
    ("A forall p:P. F a(p)", "G F c", 5),
    ("A G F b(p1)", "SF(c)", 6),
    ("A F c", "SF(c)", 3),
    ("E F G c", "SF(c)", 4),
    ("A forall p:P. F a(p)", "SF(c)", 5),
    ("A G F b(p1)", "forall p:P. SF(b(p))", 6),
    ("A F c", "forall p:P. SF(b(p))", 3),
    ("E F G c", "forall p:P. SF(b(p))", 4),
    ("A forall p:P. F a(p)", "forall p:P. SF(b(p))", 5),
    ("A G F b(p1)", "WF(c)", 6),
    ("A F c", "WF(c)", 3),
    ("E F G c", "WF(c)", 4),
    ("A forall p:P. F a(p)", "WF(c)", 5),
    ("A G F b(p1)", "forall p:P. G F a(p)", 6),
    ("A F c", "forall p:P. G F a(p)", 3),
    ("E F G c", "forall p:P. G F a(p)", 4),
    ("A forall p:P. F a(p)", "forall p:P. G F a(p)", 5),
])  # fmt: skip
def test_number_of_positions_does_not_grow(formula, fair, most):
    """What makes the automaton of a formula larger is no mistake of the answer, but of the work."""
    found = check_process(read_text(SENDERS), formula, fair=fair)
    assert found.positions <= most
    with games_alone():
        assert check_process(read_text(SENDERS), formula, fair=fair).holds == found.holds


@pytest.mark.parametrize(("formula", "holds"), [
    ("E (G !c && G F a(p1))", True), ("E (G !b(p1) && G F (a(p1) && X b(p1)))", False),
    ("E (G !a(p1) && G F b(p1))", False), ("E (G !a(p1) && G F (b(p1) || c))", True),
    ("E (G c && G F a(p1))", False), ("E (F G c && G F !a(...))", True),
    ("E G F ((a(p1) && X b(p1)) || (<c>true && b(p1)))", True),
    ("E G F ((<c>true && b(p1)) || (<b(p1)>true && b(p2)))", False),
    ("A (G (a(...) || b(...)) => G F a(...))", True), ("A (G !c => G F b(p1))", False),
])  # fmt: skip
def test_steps_satisfy_all_conjoined_requirements(formula, holds):
    """Of a step that may not be everything, and is to be something again and again."""
    assert check_process(read_text(SENDERS), formula).holds == holds
    with games_alone():
        assert check_process(read_text(SENDERS), formula).holds == holds


@pytest.mark.parametrize("length", [14, 40])
def test_oversized_automata_are_refused(length):
    """Each obligation of a chain may be fulfilled or postponed."""
    system = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    chain = f"A ({'(F <a>true) U ' * length}<b>true)"
    with pytest.raises(LimitReached, match="the automaton of the formula"):
        check(system, chain)
