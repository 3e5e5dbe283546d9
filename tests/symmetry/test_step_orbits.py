"""A quotient has one row for each orbit of transitions, and facts count what the rows stand for.

The definition is the generated system, with facts from its states and transitions. If two rows were
in one orbit, or none of an orbit, labels would have more or fewer transitions there.
"""

from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facts import counted, reported
from lts import LTS
from lts.mucrl import generate, linearise, read_text
from lts.symmetry import (
    certified_quotient,
    count_orbits,
    facts_of_original,
    parse_permutation,
)
from strategies import examples

GROUPS = {
    "all": "(p1 p2), (p1 p2 p3 p4)",
    "product": "(p1 p2), (p3 p4)",
    "pairs": "(p1 p2), (p1 p3)(p2 p4)",
    "cyclic": "(p1 p2 p3 p4)",
}
HEAD = """%@ include Enum of none,p1..p4 as Pid
act a,u,v:Pid c:Pid#Pid d:Pid#Pid#Pid t
"""
ACTIONS = ("a(p)", "c(p,q)", "c(q,q)", "c(x,p)", "d(p,q,x)", "d(p,r,q)", "t", "a(y)")
GUARDS = (
    "not(eq(p,q))",
    "and(not(eq(p,x)),not(eq(q,x)))",
    "and(eq(x,none),not(eq(p,q)))",
    "eq(x,y)",
    "eq(p,q)",
    "T",
)


def random_text(random):
    """Two registers for an id, and perhaps four users that take turns."""
    summands = []
    for _ in range(random.randint(1, 4)):
        ids = [random.choice(("x", "y", "p", "q", "none")) for _ in range(2)]
        step = f"{random.choice(ACTIONS)}.X({ids[0]},{ids[1]}) <| {random.choice(GUARDS)} |> delta"
        for name in "rqp":
            if name in step:
                step = f"sum({name}:Pid, {step})"
        summands.append(step)
    users = "".join(f" || U(p{i})" for i in range(1, 5)) if random.random() < 0.3 else ""
    return f"""{HEAD}proc X(x:Pid,y:Pid) = {" + ".join(summands)}
U(i:Pid) = u(i).v(i).U(i)
init X(none,none){users}
"""


def test_stored_transitions_are_orbits_of_transitions():
    reached = Counter()

    @settings(max_examples=examples(2), suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 10**9), st.sampled_from(sorted(GROUPS)))
    def compare(seed, name):
        process = linearise(read_text(random_text(Random(seed))))
        generators = [parse_permutation(text) for text in GROUPS[name].split(", ")]
        system = generate(process)
        quotient = certified_quotient(process, generators).quotient
        size = system.state_count, system.transition_count
        assert quotient.count() == size
        explored = count_orbits(process, generators)
        assert (explored.states, explored.transitions) == size
        original = LTS(quotient.expand())
        assert (original.state_count, original.transition_count) == size
        assert reported(facts_of_original(quotient)) == counted(system) == counted(original)
        hidden = quotient.hide([label for label in quotient.labels if label[:1] in b"tu"])
        assert reported(facts_of_original(hidden)) == counted(LTS(hidden.expand()))
        reached[name] += LTS(quotient.graph()).transition_count < system.transition_count
        arguments = [{*label[2:-1].split(",")} for label in system.labels]
        reached["several ids"] += any(len(ids - {"none"}) > 1 for ids in arguments)
        reached["nondeterministic"] += reported(facts_of_original(quotient))[3] > 0

    compare()
    assert min(reached[name] for name in (*GROUPS, "several ids", "nondeterministic")) > 2, reached
