"""Linear processes: simplified without a change of behaviour, printed so that they can be read."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LtsError
from lts.linear.simplify import SIMPLIFICATIONS
from lts.mucrl import generate, linear_text, linearise, read, read_text
from naive.systems import bisimilar
from specifications import specifications

CASES = Path(__file__).parents[2] / "cases"
BOOL = "sort Bool func T,F:->Bool map not:Bool->Bool rew not(T)=F not(F)=T "
MOST = 400


def linearised(text, simplifications=SIMPLIFICATIONS):
    """Return the linear process with its LTS; None if it is large or has no linear form."""
    try:
        process = linearise(read_text(text), simplifications=simplifications)
        return process, generate(process, max_states=MOST)
    except LtsError:
        return None


@settings(max_examples=2 * settings.default.max_examples)
@given(specifications(), st.sets(st.sampled_from(SIMPLIFICATIONS)))
def test_simplifications_keep_behaviour(text, chosen):
    plain = linearised(text, ())
    if plain is None:
        return
    process, simpler = linearised(text, chosen)
    assert bisimilar(plain[1], simpler)
    assert simpler.state_count <= plain[1].state_count
    assert chosen or process.remarks == ()


@settings(max_examples=2 * settings.default.max_examples)
@given(specifications(), st.booleans())
def test_printed_linear_process_has_the_same_transitions(text, simplify):
    found = linearised(text, SIMPLIFICATIONS if simplify else ())
    if found is None:
        return
    process, system = found
    again = linearise(read_text(linear_text(process)), simplifications=())
    assert set(generate(again).transitions()) == set(system.transitions())


STRUCTURES = """sort Bool D func T,F:->Bool c1,c2,c3,c4,c5:->D pair:D#D->D list:Bool#D->D
act a,b,c:D comm a|b=c
proc X = sum(x:Bool, a({one}).X + a(list(x,c1)).X)
Y(y:D) = b(y).Y({other}) + b(list(T,y)).Y(c5)
init encap({{a,b}}, X || Y({third}))
"""
"""Components that communicate values of a sort with many constants and structures."""


@st.composite
def structures(draw):
    """A text with equations between values that are made of others."""
    leaf = st.sampled_from(["c1", "c2", "c3", "c4", "c5"])
    term = leaf | st.builds("pair({},{})".format, leaf, leaf)
    one, other = draw(term), draw(term | st.just("pair(y,y)") | st.just("y"))
    return STRUCTURES.format(one=one, other=other, third=draw(term))


def test_printed_equations_may_be_reordered():
    reached = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(specifications() | structures(), st.booleans(), st.randoms(use_true_random=False))
    def is_the_same(text, simplify, random):
        found = linearised(text, SIMPLIFICATIONS if simplify else ())
        if found is None:
            return
        process, system = found
        printed = read_text(linear_text(process))
        rules = [*printed.rules]
        random.shuffle(rules)
        again = generate(linearise(replace(printed, rules=tuple(rules))))
        assert bisimilar(again, system)
        names = [rule.left.function.name for rule in rules]
        reached["compared"] += any(name.startswith("same_") for name in names)
        reached["by numbers"] += "rank" in names
        reached["by parts"] += "both" in names

    is_the_same()
    assert all(reached[what] for what in ("compared", "by numbers", "by parts")), reached


def test_equations_are_restored_from_a_printed_text():
    for case in ("abp", "philosophers"):
        process = linearise(read(CASES / f"{case}.mcrl"))
        again = linearise(read_text(linear_text(process)), simplifications=())
        kept, restored = (sum(len(s.equations) for s in p.summands) for p in (process, again))
        assert restored >= kept > 0


def test_printed_text_is_linear_in_control_states():
    text = BOOL + f"act a proc X = {'.'.join(['a'] * 200)}.X Y = a.Y init X || Y"
    process = linearise(read_text(text), simplifications=())
    printed = read_text(linear_text(process))
    assert len(printed.rules) < 250


def test_dead_assignments_remain_unless_reset():
    text = BOOL + ("act a:Bool d proc Z(x:Bool) = d X(x:Bool) = (d ||_ a(x)).(d.Z(x)) init X(T)")
    plain = generate(linearise(read_text(text), simplifications=()))
    for chosen in (("unused",), ("dead", "unused")):
        assert bisimilar(generate(linearise(read_text(text), simplifications=chosen)), plain)


@pytest.mark.parametrize("case", ["abp", "peterson", "philosophers"])
def test_the_case_studies_are_printed_as_specifications(case):
    process = linearise(read(CASES / f"{case}.mcrl"))
    system = generate(process)
    again = generate(read_text(linear_text(process)))
    assert (again.state_count, again.transition_count) == (
        system.state_count,
        system.transition_count,
    )


def simplified(text):
    process = linearise(read_text(BOOL + text))
    return process, " / ".join(process.remarks)


def test_constant_parameters():
    process, remarks = simplified(
        "act a:Bool#Bool proc X(x:Bool,y:Bool)=a(x,y).X(x,not(y)) init X(T,T)"
    )
    assert [p.variable.name for p in process.parameters] == ["X_y"]
    assert (
        "parameter `X_T_x` is always `T`" in remarks or "parameter `X_x` is always `T`" in remarks
    )


def test_unused_parameters():
    text = "act a proc X(x:Bool,y:Bool)=a.X(y,not(x)) init X(T,T)"
    process, remarks = simplified(text)
    assert process.parameters == ()
    assert "`X_x` is never used" in remarks
    assert "`X_y` is never used" in remarks
    assert generate(process).state_count == 1
    assert generate(linearise(read_text(BOOL + text), simplifications=())).state_count == 4


def test_dead_parameters_are_reset():
    text = (
        "act a,b:Bool proc X(x:Bool)=a(x).Y(x,not(x)) "
        "Y(x:Bool,y:Bool)=sum(z:Bool,b(y).Y(x,z)) + a(T).X(F) init X(T)"
    )
    process, remarks = simplified(text)
    assert "`X_T_x` is reset" in remarks or "`X_x` is reset" in remarks
    assert generate(process).state_count == 4


def test_unreachable_summands():
    text = "act a b c d comm a|b=c proc X=a.d.X Y=c.b.Y init encap({a,b,c},X||Y)"
    process, remarks = simplified(text)
    assert process.summands == ()
    assert "summand `d` (X line 1) is removed: it needs control states that are never" in remarks


def test_duplicate_summands():
    process, remarks = simplified("act a:Bool proc X(y:Bool)=a(y).X(y)+a(T).X(y) init X(T)")
    assert len(process.summands) == 1
    assert len(process.summands[0].duplicates) == 1
    assert "is removed: it duplicates the one of X_T line 1" in remarks


def test_duplicate_alternatives_give_one_summand():
    text = "act a:Bool proc X=sum(x:Bool,a(x).X)+sum(y:Bool,a(y).X) init X"
    assert len(linearise(read_text(BOOL + text), simplifications=()).summands) == 1


def test_unknown_simplifications_are_refused():
    with pytest.raises(ValueError, match="unknown simplification other"):
        linearise(read_text(BOOL + "init delta"), simplifications=["other"])


def test_equality_maps_are_solved_as_equations():
    text = BOOL + (
        "sort N func 0:->N S:N->N map same:N#N->Bool var n:N rew same(n,n)=T "
        "act a:N init sum(n:N, a(n) <| same(n,S(0)) |> delta)"
    )
    process = linearise(read_text(text))
    assert process.summands[0].variables == ()
    assert generate(process).labels == ("a(S(0))",)


FINITE = "sort D func d1,d2:->D map same:D#D->Bool f:D->D var d,e:D "


@pytest.mark.parametrize(
    ("rules", "condition", "labels"),
    [
        # A variable is not solved by a term that has it.
        ("same(d,d)=T same(d,e)=F f(d1)=d1 f(d2)=d1", "same(d,f(d))", {"a(d1)"}),
        # A map with another rule, before or after, does not only ask for what is the same.
        ("same(d,d)=T same(d1,d2)=T same(d2,d1)=F", "same(d,d2)", {"a(d1)", "a(d2)"}),
        ("same(d1,d2)=T same(d2,d1)=F same(d,d)=T", "same(d,d2)", {"a(d1)", "a(d2)"}),
    ],
)
def test_non_equations_are_evaluated_for_every_value(rules, condition, labels):
    text = f"{BOOL}{FINITE} rew {rules} act a:D init sum(d:D, a(d) <| {condition} |> delta)"
    assert set(generate(linearise(read_text(text))).labels) == labels
