"""Steps that symmetries of their source exchange are counted, and one of them is followed."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LimitReached
from lts.mcrl2 import read_text
from lts.mucrl import generate, linearise
from lts.state_space.settings import Goals, Settings
from lts.symmetry import certified_quotient, count_orbits, parse_permutation
from strategies import examples

KEPT = ("free", "x", "other(x)", "pair(x, x)", "pair(x, y)", "only(x)")
CONDITIONS = ("true", "reg == free", "reg != free", "mode(x)", "!mode(x)", "reg == only(x)")
LABELS = ("a", "b(x)", "c(reg)", "tau")


@st.composite
def texts(draw):
    """Return a text and the number of its identities, which nothing distinguishes.

    Every user has components of its own: a loop of a few steps, in which it may keep an identity.
    A monitor shared by all has a register with identities inside and an array of modes.
    """
    count = draw(st.integers(2, 4))
    users = draw(st.integers(0, 2))
    names = [f"p{k}" for k in range(1, count + 1)]
    steps = []
    for _ in range(draw(st.integers(1, 4))):
        condition, label = draw(st.sampled_from(CONDITIONS)), draw(st.sampled_from(LABELS))
        kept = draw(st.sampled_from(("reg", "reg", *KEPT)))
        mode = draw(st.sampled_from(("mode", "mode", "mode[x -> true]", "mode[x -> false]")))
        binds = "x, y: Pid" if "y" in kept else "x: Pid"
        steps.append(f"sum {binds}. ({condition}) -> {label} . Monitor({kept}, {mode})")
    loop = draw(st.sampled_from(("try(i) . User(i)", "try(i) . go(i) . User(i)",
                                 "sum j: Pid. ask(i, j) . give(i, j) . User(i)")))  # fmt: skip
    components = " || ".join(["Monitor(free, lambda x: Pid. false)"] * draw(st.integers(0, 1))
                             + [f"User({name})" for name in names if users])  # fmt: skip
    if not components:
        components = "Monitor(free, lambda x: Pid. false)"
    text = f"""sort Pid = struct {" | ".join(names)};
         Kept = struct free | pair(Pid, Pid) | only(Pid);
    act a; b, try, go: Pid; c: Kept; ask, give: Pid # Pid;
    map other: Pid -> Kept;
    var x: Pid; eqn other(x) = only(x);
    proc Monitor(reg: Kept, mode: Pid -> Bool) = {" + ".join(steps)};
         User(i: Pid) = {loop};
    init {components};"""
    return text.replace("Monitor(x,", "Monitor(only(x),"), count


def test_counts_equal_those_of_the_whole_system():
    reached = Counter()

    @settings(max_examples=examples(2))
    @given(texts(), st.sampled_from(["refine", None]), st.integers(1, 2))
    def is_that_of_the_whole(drawn, strategy, threads):
        text, count = drawn
        process = linearise(read_text(text))
        group = [parse_permutation("(p1 p2)")]
        if count > 2:
            group.append(parse_permutation(f"({' '.join(f'p{k}' for k in range(1, count + 1))})"))
        how = Settings(strategy=strategy, threads=threads)
        try:
            system = generate(process, max_states=3000)
        except LimitReached:
            return
        found = count_orbits(process, group, how)
        sizes = system.state_count, system.transition_count
        assert (found.states, found.transitions) == sizes
        assert found.deadlocks == len(system.deadlocks())
        stored = certified_quotient(process, group, how)
        assert (found.orbits, found.steps) == (stored.quotient.orbits, stored.explored.steps)
        reached["merged"] += found.followed < found.steps
        reached["much"] += 2 * found.followed <= found.steps and found.steps > 10
        # Traces to goals on orbits are those of the system, however many steps were left out.
        goals = count_orbits(process, group, how, Goals(deadlocks=True))
        assert len(goals.traces) >= (found.deadlocks > 0)
        assert (goals.states, goals.orbits) == (found.states, found.orbits)

    is_that_of_the_whole()
    assert reached["merged"] > 10
    assert reached["much"] > 0
