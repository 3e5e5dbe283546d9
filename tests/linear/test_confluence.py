"""Internal steps that commute with all others are left out: the result is equivalent to the whole
system, modulo divergence-preserving branching bisimulation."""

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lts import LimitReached, compare, mcrl2
from lts.linear.linearise import linearise
from lts.mucrl import generate, read_text
from lts.symmetry import certified_quotient, parse_permutation
from process_texts import texts
from strategies import examples

EQUIVALENCE = "divergence-preserving-branching"


def both(specification, most=400):
    """Return the system, and that without confluent internal steps, with at most so many states."""
    return [
        generate(linearise(specification, confluence=left_out), max_states=most)
        for left_out in (False, True)
    ]


STEPS = ["tau", "tau", "tau", "a(x)", "b(y)", "go(x)", "get(x)", "put(y)", "say", "listen"]
UPDATES = ["x", "y", "other(x)", "d1", "d2"]


@st.composite
def components(draw):
    """Return a text of two or three components, each a graph of control states with two data, whose
    steps are often internal and sometimes communicate."""
    parts, bodies = [], []
    for name in "PQR"[: draw(st.integers(2, 3))]:
        count = draw(st.integers(1, 5))
        for state in range(count):
            steps = []
            for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
                target = f"{name}{draw(st.integers(0, count - 1))}"
                data = ",".join(draw(st.sampled_from(UPDATES)) for _ in "xy")
                step = f"{draw(st.sampled_from(STEPS))}.{target}({data})"
                around = draw(
                    st.sampled_from(["{}"] * 6 + ["({} <| is(x) |> delta)", "sum(y:D, {})"])
                )
                steps.append(around.format(step))
            bodies.append(f"{name}{state}(x:D,y:D) = {' + '.join(steps)}")
        parts.append(f"{name}0({draw(st.sampled_from(['d1,d1', 'd1,d2', 'd2,d1']))})")
    beside = " || ".join(parts)
    hidden = draw(st.sampled_from(["", "a", "b,done", "a,b,done"]))
    init = f"encap({{get,put,say,listen}}, {beside})"
    return f"""sort Bool D func T,F:->Bool d1,d2:->D map is:D->Bool other:D->D
rew is(d1)=T is(d2)=F other(d1)=d2 other(d2)=d1
act a,b,go,get,put,pass:D say,listen,done
comm get|put = pass say|listen = done
proc {chr(10).join(bodies)}
init {f"hide({{{hidden}}}, {init})" if hidden else init}
"""


def test_systems_are_equivalent():
    reached = Counter()

    @settings(max_examples=examples(2))
    @given(components() | texts("mucrl"))
    def is_equivalent(text):
        try:
            whole, found = both(read_text(text))
        except LimitReached:
            return
        assert compare(whole, found, equivalence=EQUIVALENCE)
        reached["all"] += 1
        reached["fewer"] += found.state_count < whole.state_count
        reached["half"] += 2 * found.state_count <= whole.state_count
        assert found.state_count <= whole.state_count

    is_equivalent()
    assert reached["fewer"] > 0
    assert reached["half"] > 0


@settings(max_examples=examples(0.5))
@given(texts("mcrl2"))
def test_systems_in_mcrl2_are_equivalent(text):
    try:
        whole, found = both(mcrl2.read_text(text))
    except LimitReached:
        return
    assert compare(whole, found, equivalence=EQUIVALENCE)


IDS = """%@ include Enum of p1,p2,p3 as Pid
act a,b,go,get,put,pass:Pid say,listen,done
comm get|put = pass say|listen = done
"""


@st.composite
def alike(draw):
    """Return a text of three components that differ in their identities alone."""
    count = draw(st.integers(3, 5))
    bodies = []
    for state in range(count):
        steps = []
        for _ in range(draw(st.sampled_from([1, 1, 1, 1, 2]))):
            action = draw(
                st.sampled_from(["tau"] * 4 + ["a(i)", "a(i)", "b(j)", "b(j)", "get(i)", "put(j)"])
            )
            target, kept = draw(st.integers(0, count - 1)), draw(st.sampled_from("ijjk"))
            call = f"P{target}(i,{kept})"
            step = f"{action}.{call}"
            steps.append(f"sum(k:Pid, {step})" if "k" in call else step)
        bodies.append(f"P{state}(i:Pid,j:Pid) = {' + '.join(steps)}")
    beside = " || ".join(f"P0(p{k},p{k})" for k in (1, 2, 3))
    return f"{IDS}proc {chr(10).join(bodies)}\ninit encap({{get,put,say,listen}}, {beside})\n"


def test_confluence_reduction_preserves_symmetries():
    reached = Counter()
    group = [parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")]

    @settings(max_examples=examples(0.5))
    @given(alike())
    @example(
        f"{IDS}proc P0(i:Pid,j:Pid) = a(i).tau.b(j).P0(i,j)\n"
        "init P0(p1,p1) || P0(p2,p2) || P0(p3,p3)"
    )
    def are_kept(text):
        specification = read_text(text)
        process = linearise(specification, confluence=True)
        try:
            whole, found = both(specification, 5000)
        except LimitReached:
            return
        quotient = certified_quotient(process, group)
        assert quotient.quotient.count() == (found.state_count, found.transition_count)
        reached["both"] += quotient.quotient.orbits < found.state_count < whole.state_count

    are_kept()
    assert reached["both"] > 0


BOOL = "sort Bool func T,F:->Bool "


def system(text):
    return sorted(generate(linearise(read_text(BOOL + text), confluence=True)).transitions())


def test_internal_steps_are_fused_with_their_predecessor():
    assert system("act a,b proc P = a.tau.tau.b.P init P") == [
        (0, "a", 1),
        (1, "b", 0),
    ]
    assert system("act a init tau.tau.a.delta") == [(0, "a", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "act a,b proc P = a.P + tau.b.P init P",  # a choice is made
        "act a proc P = a.Q Q = tau.Q init P",  # divergence
        "act a proc P = a.Q Q = tau.R R = tau.Q init P",
        "sort D func d1,d2:->D act a:D proc P = sum(d:D, tau.a(d).P) init P",  # a choice of data
    ],
)
def test_non_confluent_internal_steps_remain(text):
    whole, found = both(read_text(BOOL + text))
    assert compare(whole, found, equivalence=EQUIVALENCE)
    assert any(label == "tau" for _, label, _ in found.transitions())


def test_confluent_steps_are_remarked():
    text = f"{BOOL}act a,b proc P = a.tau.b.P init P"
    [remark, *_] = linearise(read_text(text), confluence=True).remarks
    assert remark.startswith("internal step (P line 1) is taken together with")
    assert not linearise(read_text(text.replace("tau", "a")), confluence=True).remarks
