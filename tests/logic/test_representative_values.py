"""Quantifiers over sorts without an end of values, whose values in labels stand for all others.

By definition all values are tried. A formula that compares numbers with each other for equality
only, and for order with constants, does not tell apart those that are larger than all that is
written, so that a few of these are enough (`naive.formulas.VALUES`).
"""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import SpecificationError, mcrl2
from lts.equivalence import refines
from lts.logic import acceptance, check_process
from lts.logic import processes as processes_checked
from lts.logic.instances import Instances
from lts.state_space import generate
from lts.symmetry import parse_permutation
from naive import formulas as naive_formulas
from naive import relations
from strategies import examples

HEAD = "act a: Nat; b: Nat # Nat; c; proc P(s: Nat) = "


@st.composite
def processes(draw):
    """Return the text of a process of a few states, whose labels have numbers below 3."""
    number, state = st.integers(0, 2), st.integers(0, 2)
    label = st.builds("a({})".format, number) | st.builds("b({},{})".format, number, number)
    label |= st.sampled_from(["c", "tau"])
    rows = draw(st.lists(st.tuples(state, label, state), min_size=1, max_size=7))
    steps = [f"(s == {source}) -> {label} . P({target})" for source, label, target in rows]
    return f"{HEAD}{' + '.join(steps)}; init P(0);"


@st.composite
def actions(draw, scope):
    """Return a set of labels, mostly with a quantifier that no single argument decides."""
    drawn = naive_formulas.actions(scope, 1, naive_formulas.NUMBERS)
    if draw(st.booleans()):
        return draw(drawn)
    inner = (*scope, ("y9", "Nat"))
    condition = "val", draw(naive_formulas.terms("Bool", inner, naive_formulas.NUMBERS))
    pattern = "not", ("pattern", "a", [("var", "y9")])
    parts = draw(st.permutations([condition, draw(st.sampled_from([pattern, pattern[1]]))]))
    joined = (draw(st.sampled_from(["and", "or"])), *parts)
    return draw(st.sampled_from(["forall", "exists"])), "y9", "Nat", joined


@st.composite
def trees(draw):
    """Return a formula with quantifiers over numbers around some steps."""
    scope = (("x8", "Nat"), ("x9", "Nat"))[draw(st.integers(0, 1)) :]
    tree = draw(naive_formulas.trees(draw(st.integers(0, 3)), scope, world=naive_formulas.NUMBERS))
    name, _ = scope[0]
    for _ in range(draw(st.integers(1, 3))):
        action = draw(st.just(("pattern", "a", [("var", name)])) | actions(scope))
        step = draw(st.sampled_from(["can", "must"])), action, ("true",)
        other = draw(st.sampled_from([step, ("not", step)]))
        tree = draw(st.sampled_from(["and", "or"])), tree, other
    for _ in range(draw(st.integers(0, 1))):
        # The variables are used after steps that do not tell them.
        star = "star", draw(st.booleans()), draw(st.just(("true",)) | actions(scope)), tree
        step = draw(st.sampled_from(["can", "must"])), draw(actions(())), tree
        tree = draw(st.just(star) | st.just(step))
    for name, sort in scope:
        tree = draw(st.sampled_from(["forall", "exists"])), name, sort, tree
    return ("star", draw(st.booleans()), ("true",), tree) if draw(st.booleans()) else tree


def test_representative_values_give_the_full_verdict(monkeypatch):
    reached = Counter()
    of_state, of_actions = Instances.here, acceptance.in_actions
    of_system = processes_checked.explore

    def here(self, number, labels):
        found = of_state(self, number, labels)
        reached["asked of a state"] += 1
        reached["of a state, several parts"] += len(found) > 1
        return found

    def in_actions(*arguments):
        found = of_actions(*arguments)
        reached["asked of a label"] += found is not None
        return found

    def explore(*arguments, **named):
        reached["asked of the system"] += 1
        return of_system(*arguments, **named)

    monkeypatch.setattr(Instances, "here", here)
    monkeypatch.setattr(processes_checked, "explore", explore)
    monkeypatch.setattr(acceptance, "in_actions", in_actions)

    @settings(max_examples=examples(3), deadline=None)
    @given(processes(), trees())
    def as_all_values_say(text, tree):
        read = mcrl2.read_text(text)
        system = generate(read)
        expected = system.initial in naive_formulas.where(tree, relations.steps_of(system), {}, {})
        formula = naive_formulas.text(tree)
        formula = re.sub(r"\b[TF]\b", lambda found: {"T": "true", "F": "false"}[found[0]], formula)
        reached["all"] += 1
        try:
            found = check_process(read, formula, evidence=True)
        except SpecificationError as error:
            if "infinitely many values" not in str(error):
                raise
            return
        assert found.holds == expected, formula
        reached["decided"] += 1
        if found.evidence is not None:
            assert refines(system, found.evidence, "simulation").holds

    as_all_values_say()
    if reached["all"] >= 40:  # few tell little
        assert 2 * reached["decided"] >= reached["all"], reached
        assert 25 * reached["asked of a state"] >= reached["all"], reached
        assert 25 * reached["asked of the system"] >= reached["all"], reached
        assert 10 * reached["asked of a label"] >= reached["all"], reached


NAMES = ("x", "y", "z")


@st.composite
def orders(draw, names, depth=1):
    """Return a condition on some numbers, by their order, as a text."""
    if depth >= 0:
        operator = draw(st.sampled_from([" && ", " || "]))
        parts = draw(st.lists(orders(names, depth - 1), min_size=1, max_size=5))
        return f"({operator.join(parts)})"
    name = draw(st.sampled_from(names))
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([f"<a({name})>true", f"[a({name})]false"]))
    other = draw(st.sampled_from(names) | st.integers(0, 7).map(str))
    return f"val({name} {draw(st.sampled_from(['<', '<', '>', '>', '<=', '==', '!=']))} {other})"


def is_true(quantifiers, names, matrix, labels, env):
    """Whether a formula holds if each number is below the largest one so far, with some room.

    Between three numbers, and around what is written, a room of 8 is as good as any larger one.
    """
    if not names:
        text = re.sub(r"val|\btrue\b|\bfalse\b", "", matrix)
        text = re.sub(r"<a\((.)\)>", r"(\1 in labels)", text)
        text = re.sub(r"\[a\((.)\)\]", r"(\1 not in labels)", text)
        text = text.replace("&&", " and ").replace("||", " or ")
        return eval(text, {"labels": labels}, env)
    room = range(max([7, *labels, *env.values()]) + 9)
    each = (is_true(quantifiers[1:], names[1:], matrix, labels, env | {names[0]: n}) for n in room)
    return any(each) if quantifiers[0] == "exists" else all(each)


def test_order_of_numbers_is_represented():
    reached = Counter()

    @settings(max_examples=examples(2), deadline=None)
    @given(st.data())
    def as_all_values_say(data):
        names = NAMES[: data.draw(st.integers(1, 3))]
        kinds = st.lists(st.sampled_from(["exists", "forall"]), min_size=3, max_size=3)
        quantifiers, matrix = data.draw(kinds), data.draw(orders(names))
        labels = data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=2))
        prefix = zip(quantifiers, names, strict=False)
        formula = " ".join([*(f"{kind} {name}: Nat." for kind, name in prefix), matrix])
        steps = " + ".join(f"a({n}).delta" for n in labels)
        read = mcrl2.read_text(f"act a: Nat; init {steps};")
        reached["all"] += 1
        try:
            found = check_process(read, formula).holds
        except SpecificationError as error:
            if "infinitely many values" not in str(error):
                raise
            return
        reached["decided"] += 1
        between = re.search(r"[xyz] (<|<=|>) [xyz]", matrix) is not None
        reached["by the order of two variables"] += between
        assert found == is_true(quantifiers, names, matrix, labels, {}), formula

    as_all_values_say()
    if reached["all"] >= 40:
        assert 10 * reached["decided"] >= 9 * reached["all"], reached
        assert 10 * reached["by the order of two variables"] >= reached["all"], reached


@pytest.mark.parametrize(("formula", "holds"), [
    ("exists x, y, z: Nat. val(1 < y && y < x && x < z && z < 6)", True),
    ("exists x, y, z: Nat. val(2 < y && y < x && x < z && z < 6)", True),
    ("exists x, y, z: Nat. val(3 < y && y < x && x < z && z < 6)", False),
    ("forall x, y, z: Nat. val(x <= y || y <= z || z <= 4 || 7 <= x)", True),
    ("forall x, y, z: Nat. val(x <= y || y <= z || z <= 4 || 8 <= x)", False),
])  # fmt: skip
def test_gaps_between_label_numbers_are_tried(formula, holds):
    assert check_process(mcrl2.read_text("act a: Nat; init a(0).delta;"), formula).holds == holds


@pytest.mark.parametrize(("formula", "holds"), [
    ("exists n: Nat. [a(3) && val(n != 7)]false", True),
    ("forall n: Nat. <a(3) && val(n != 7)>true", False),
    ("forall n: Nat. <a(3) || val(n != 7)>true", True),
])  # fmt: skip
def test_comparisons_in_action_formulas_give_values(formula, holds):
    assert check_process(mcrl2.read_text("act a: Nat; init a(3).delta;"), formula).holds == holds


@pytest.mark.parametrize(("formula", "holds"), [
    ("exists n: List(Nat). [a(n)]false && val(n != [7])", True),
    ("exists n: List(Nat). [a(n)]false && val(n == [3])", False),
])  # fmt: skip
def test_lists_are_represented_by_the_compared_ones(formula, holds):
    text = "act a: List(Nat); init a([3]).delta;"
    assert check_process(mcrl2.read_text(text), formula).holds == holds


QUEUE = """sort Id = struct p1 | p2 | p3; act try, done: Id # Nat; free: Nat;
proc P(w: Nat, q: List(Id)) =
    (#q < 2 && w < 5) -> sum i: Id. (!(i in q)) -> try(i, w) . P(w + 1, q <| i)
    + (#q > 0) -> done(head(q), w) . P(w, tail(q)) + (w > 3) -> free(w) . delta;
init P(0, []);"""


@pytest.mark.parametrize(("formula", "holds"), [
    ("[true*] exists n: Nat. forall i: Id. [try(i,n)]false", True),
    ("[true*] forall i: Id. exists n: Nat. [try(i,n)]false && [done(i,n)]false", True),
    ("[true*] exists n: Nat. val(n > 3) && forall i: Id. [try(i,n)]false", True),
    ("[true*] exists n: Nat. val(n < 3) && forall i: Id. [try(i,n)]false", True),
    ("[true*] forall n: Nat. val(n > 2) || exists i: Id. <try(i,n)>true || <done(i,n)>true", False),
    ("<true*> forall i: Id. exists n: Nat. <try(i,n)>true && val(n * n == n)", True),
    ("<true*> forall n: Nat. <!free(n)>true", True),
    ("<true*.try(p1,2)> exists n: Nat. [try(p1,n)]false && [try(p2,n)]false && <try(p2,3)>true",
     True),
])  # fmt: skip
def test_orbit_verdicts_equal_verdicts_of_the_whole(formula, holds):
    process = mcrl2.read_text(QUEUE)
    every = [parse_permutation(text) for text in ("(p1 p2)", "(p1 p2 p3)")]
    assert check_process(process, formula).holds == holds
    assert check_process(process, formula, every).holds == holds
