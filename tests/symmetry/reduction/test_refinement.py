"""Refinement on orbits: verdicts and counterexamples are those of the whole system."""

import itertools
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exchangeable import HEAD, STEP, text
from lts import LTS, LimitReached, NotProven, NotSymmetric, SpecificationError, Unsupported, mcrl2
from lts.equivalence import refines
from lts.mucrl import generate, linearise, read_text, simulate
from lts.state_space.settings import Internal, Limits, Settings
from lts.symmetry import RELATIONS, parse_permutation, refines_on_orbits
from lts.symmetry.data.certify import STRATEGIES
from naive import refinements, relations
from strategies import examples
from structures import GROUPS, STRUCTURES, specification

IDS = ("p1", "p2", "p3")
COUNTS = {"trace", "strong-failures"}
"""The relations that have internal steps as steps like any other."""


@st.composite
def systems(draw):
    """Steps of an implementation, and those of a specification that has most of them."""
    first = draw(st.tuples(st.just(0), st.sampled_from("uh"), st.none(), STEP.map(lambda s: s[3])))
    steps = [(*first, ("some(p)", "a")), *draw(st.lists(STEP, min_size=1, max_size=4))]
    kept = [step for step in steps if draw(st.integers(0, 4))]
    return steps, kept + draw(st.lists(STEP, max_size=2))


@st.composite
def loosened(draw, system):
    """The same, but its states are not symmetric: there is a copy of one, to which some steps lead,
    and internal steps come before others. What it allows stays the same."""
    steps = [(s, a, t) for s, of in enumerate(relations.steps_of(system)) for a, t in sorted(of)]
    copied, states = draw(st.integers(0, system.state_count - 1)), system.state_count
    found = [(states, a, t) for s, a, t in steps if s == copied]
    states += 1
    for s, a, t in steps:
        if t == copied and draw(st.booleans()):
            t = system.state_count
        if a != "tau" and not draw(st.integers(0, 5)):
            found += [(s, a, states), (states, "tau", t)]
            states += 1
        else:
            found.append((s, a, t))
    return LTS.from_transitions(found, state_count=states)


def check(name, large, process, found, hide=()):
    """Assert that the process has a counterexample, and that the specification has none such."""
    simulation = simulate(process)
    shown = found.counterexample
    simulation.replay(shown.steps)
    internal = {"tau", *hide}
    labels = [
        "tau" if step.label.partition("(")[0] in internal else step.label for step in shown.steps
    ]
    counts = name in COUNTS
    assert list(shown.trace) == [a for a in labels if counts or a != "tau"]
    steps = relations.steps_of(large)
    reach = relations.silent(steps)
    cycle = [s for s in range(len(steps)) if any(a == "tau" and s in reach[t] for a, t in steps[s])]
    allowed = {large.initial}
    for label in [*shown.trace, None]:
        if not counts:
            allowed = {t for s in allowed for t in reach[s]}
        if name == "failures-divergences":
            assert not any(reach[s] & set(cycle) for s in allowed)
        if label is not None:
            allowed = relations.after(steps, allowed, label)
    offered = {step.label.partition("(")[0]: step.label for step in simulation.steps}
    if shown.diverges:
        assert internal & set(offered)
    elif shown.refused is None:
        assert not allowed
    else:
        assert counts or not internal & set(offered)
        offered = {"tau" if a in internal else label for a, label in offered.items()}
        assert not offered & set(shown.refused)
        for s in allowed:
            own = {a for a, _ in steps[s]}
            assert ("tau" in own and not counts) or own & set(shown.refused)


PERMUTATIONS = {name: [parse_permutation(text) for text in GROUPS[name][0]] for name in GROUPS}


@settings(max_examples=examples(0.6))
@given(
    data=st.data(),
    both=systems(),
    name=st.sampled_from(RELATIONS),
    group=st.sampled_from(sorted(GROUPS)),
    strategy=st.sampled_from(STRATEGIES),
    threads=st.integers(1, 2),
)
def test_verdicts_equal_those_of_the_whole(data, both, name, group, strategy, threads):
    steps, allowed = both
    hide = data.draw(st.sampled_from([(), ("h",), ("h", "w")]))
    process = linearise(read_text(text(steps)))
    small, large = generate(process), generate(read_text(text(allowed)))
    assume(max(small.state_count, large.state_count) <= 40)
    large = large.hide(hide)
    # Internal steps that are put in are only no part of a trace where internal steps are none.
    loose = large if name in COUNTS else data.draw(loosened(tau(large)))
    found = refines_on_orbits(
        loose,
        process,
        name,
        PERMUTATIONS[group],
        internal=Internal(hidden=hide),
        settings=Settings(strategy=strategy, threads=threads),
    )
    assert found.order == len(GROUPS[group][1])
    shortest = refinements.shortest(name, tau(large), tau(small.hide(hide)))
    assert found.holds == (shortest is None) == (found.counterexample is None)
    if not found.holds:
        shown = found.counterexample
        assert len(shown.trace) == shortest
        check(name, tau(loose), process, found, hide)
        whole = refines(large, small.hide(hide), name).evidence
        assert len(whole.trace) == shortest


def tau(system):
    """The same with all internal labels written `tau`."""
    labels = ["tau" if label in system.internal else label for label in system.labels]
    rows = zip(system.source.tolist(), system.label.tolist(), system.target.tolist(), strict=True)
    steps = [(s, labels[a], t) for s, a, t in rows]
    return LTS.from_transitions(steps, state_count=system.state_count, initial=system.initial)


@settings(max_examples=examples(0.3))
@given(
    st.lists(
        st.sampled_from(sorted(set(STRUCTURES) - {"nested"})), min_size=1, max_size=2, unique=True
    ),
    st.sampled_from(sorted(GROUPS)),
    st.sampled_from(STRATEGIES),
)
def test_nodes_move_with_states(kinds, group, strategy):
    """What a deterministic process allows itself has a node for each class of states."""
    process = linearise(read_text(specification(kinds, shows=False)))
    system = generate(process)
    assume(system.state_count <= 500)
    found = refines_on_orbits(
        system, process, "trace", PERMUTATIONS[group], settings=Settings(strategy=strategy)
    )
    assert found.holds
    assert (found.nodes, found.pairs) == (system.state_count, system.state_count)
    alone = refines_on_orbits(system, process, "trace")
    assert (alone.holds, alone.order, alone.orbits) == (True, 1, system.state_count)


def images(steps, initial, element):
    """Return the image of each state of a deterministic process, by the labels that lead there."""
    found, waiting = {initial: initial}, [initial]
    for state in waiting:
        for label, target in steps[state].items():
            if label.startswith("see"):
                continue
            moved = re.sub(r"p(\d)", lambda one: f"p{element[int(one[1]) - 1]}", label)
            if target not in found:
                waiting.append(target)
            image = found.setdefault(target, steps[found[state]][moved])
            assert image == steps[found[state]][moved]
    return found


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("group", sorted(GROUPS))
@pytest.mark.parametrize("kind", sorted(set(STRUCTURES) - {"nested"}))
def test_pair_and_state_counts_match_definition(kind, group, strategy):
    """By the definitions, on all pairs of a deterministic process and of a specification that
    remembers the first id of the last label."""
    process = linearise(read_text(specification([kind], shows=False)))
    system = generate(process)
    steps = [{} for _ in range(system.state_count)]
    rows = zip(system.source.tolist(), system.label.tolist(), system.target.tolist(), strict=True)
    for source, label, target in rows:
        assert system.labels[label] not in steps[source], "it is deterministic"
        steps[source][system.labels[label]] = target

    def node(label):
        first = label.partition("(")[2][:2]
        return 1 + IDS.index(first) if first in IDS and not label.startswith("see") else 0

    allowed = [(one, label, node(label)) for one in range(4) for label in system.labels]
    allowed += [(1 + number, f"never({one})", 0) for number, one in enumerate(IDS)]
    found = refines_on_orbits(
        LTS.from_transitions(allowed),
        process,
        "trace",
        PERMUTATIONS[group],
        settings=Settings(strategy=strategy),
    )
    assert (found.holds, found.nodes) == (True, 4)

    pairs = {(system.initial, 0)}
    waiting = [*pairs]
    for state, _ in waiting:
        reached = {(target, node(label)) for label, target in steps[state].items()} - pairs
        pairs |= reached
        waiting += reached
    elements = [(images(steps, system.initial, e), (0, *e)) for e in GROUPS[group][1]]
    of_pairs, of_states = set(), set()
    for state, at in pairs:
        of_pairs.add(frozenset((states[state], nodes[at]) for states, nodes in elements))
        of_states.add(frozenset(states[state] for states, _ in elements))
    assert (found.pairs, found.orbits) == (len(pairs), len(of_pairs))
    assert (found.states, found.state_orbits) == (system.state_count, len(of_states))
    first = {min(orbit) for orbit in of_states}
    assert found.representatives == sum(state in first for state, _ in pairs)
    # A queue shows the order in which ids joined it: what fixes the queue fixes the last id too.
    differ = kind in ("set", "array") or (kind == "unordered" and group != "rotations")
    assert (found.orbits < found.representatives) == differ


# One takes two ids, one after the other, and then tells one of them.
TWO = """sort Bool P
func T,F:->Bool p1,p2,p3:->P
map other:P#P->Bool
var x:P
rew other(x,x)=F other(p1,p2)=T other(p1,p3)=T other(p2,p1)=T other(p2,p3)=T other(p3,p1)=T
  other(p3,p2)=T
act a,b,c:P
proc X = sum(p:P, a(p).sum(q:P, b(q).Y(q,p) <| other(p,q) |> delta))
Y(q:P,p:P) = WHAT
init X
"""


def apart(large, small, images):
    """Whether one deterministic system refines another, if states of both are represented each by
    itself, by the member of the orbit whose steps have the least labels. That is wrong."""
    systems = [relations.steps_of(system) for system in (large, small)]

    def moved(label, image):
        return re.sub("p[123]", lambda match: IDS[image[IDS.index(match[0])] - 1], label)

    def representatives(steps):
        orbit = {}
        for image in images:
            waiting, where = [(0, 0)], {}
            while waiting:
                s, t = waiting.pop()
                if s not in where:
                    where[s] = t
                    after = dict(steps[t])
                    waiting += [(u, after[moved(a, image)]) for a, u in steps[s]]
            for s, t in where.items():
                orbit.setdefault(s, set()).add(t)
        return {s: min(of, key=lambda t: (sorted(dict(steps[t])), t)) for s, of in orbit.items()}

    chosen = [representatives(steps) for steps in systems]
    waiting, seen = [(0, 0)], set()
    while waiting:
        pair = waiting.pop()
        if pair in seen:
            continue
        seen.add(pair)
        allowed = dict(systems[0][pair[0]])
        for a, t in systems[1][pair[1]]:
            if a not in allowed:
                return False
            waiting.append((chosen[0][allowed[a]], chosen[1][t]))
    return True


def deterministic(what):
    return generate(read_text(TWO.replace("WHAT", what)))


@pytest.mark.parametrize(
    ("allowed", "done", "holds"),
    [
        # One tells the first id and the other the second: their representatives tell the same.
        ("c(p).X", "c(q).X", False),
        # What the second id is good for changes the representative of one side only.
        ("sum(r:P, b(r).delta) + c(p).X", "b(q).delta + c(p).X", True),
    ],
)
def test_pairs_of_state_and_node_are_canonised_together(allowed, done, holds):
    large, small = deterministic(allowed), deterministic(done)
    assert apart(large, small, list(itertools.permutations((1, 2, 3)))) is not holds
    assert refines(large, small, "trace").holds is holds
    process = linearise(read_text(TWO.replace("WHAT", done)))
    for strategy in STRATEGIES:
        found = refines_on_orbits(
            large, process, "trace", PERMUTATIONS["all"], settings=Settings(strategy=strategy)
        )
        assert found.holds is holds
        if not holds:
            assert len(found.counterexample.trace) == 3
            check("trace", large, process, found)


def plain(body, declarations="act a,b,c"):
    return linearise(read_text(f"sort Bool func T,F:->Bool {declarations} proc X = {body} init X"))


@pytest.mark.parametrize("name", ["failures", "failures-divergences"])
def test_trace_counterexample_without_stable_states(name):
    stop = LTS.from_transitions([], state_count=1)
    process = plain("a.delta + tau.delta")
    found = refines_on_orbits(stop, process, name)
    assert not found.holds
    assert found.counterexample.trace == ("a",)
    assert found.counterexample.refused is None
    assert refines_on_orbits(stop, plain("tau.delta"), name).holds


@pytest.mark.parametrize("name", RELATIONS)
def test_a_process_without_parameters(name):
    process = linearise(
        read_text("""sort D Bool func T,F:->Bool d1,d2:->D act a: D
            proc P = sum(x:D, a(x).P) init P""")
    )
    assert not process.parameters
    swap = [parse_permutation("(d1 d2)")]
    for labels, holds in ((["a(d1)", "a(d2)"], True), ([], False)):
        ways = [(0, label, 0) for label in labels]
        allowed = LTS.from_transitions(ways, initial=0, state_count=1)
        found = refines_on_orbits(allowed, process, name, swap)
        assert found.holds == holds
        assert found.orbits == 1


def test_divergence_allows_every_continuation():
    large = LTS.from_transitions([(0, "a", 1), (1, "tau", 1)])
    process = plain("a.b.c.X")
    assert refines_on_orbits(large, process, "failures-divergences").holds
    found = refines_on_orbits(large, process, "failures")
    assert not found.holds
    assert found.counterexample.refused == ()
    assert not refines_on_orbits(large, plain("b.X"), "failures-divergences").holds
    # Nor is it looked at what comes later: that would have no end.
    counting = """sort Nat func 0:->Nat s:Nat->Nat map any:Nat->Bool var n:Nat
      rew any(0)=T any(s(n))=T act a,b"""
    endless = plain("a.Y(0) Y(n:Nat) = b.Y(s(n)) <| any(n) |> delta", counting)
    assert refines_on_orbits(large, endless, "failures-divergences").holds
    with pytest.raises(LimitReached, match="more than 20 orbits of pairs"):
        refines_on_orbits(
            LTS.from_transitions([(0, "a", 1), (1, "b", 1)]),
            endless,
            "failures-divergences",
            settings=Settings(limits=Limits(states=20)),
        )


ROUND = """sort Bool P
func T,F:->Bool IDS:->P
map next:P->P
rew NEXT
act enter,leave:P
proc X(p:P) = tau.X(next(p)) <| T |> delta + leave(p).delta
init sum(p:P, enter(p).X(p))
"""


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_orbit_cycles_are_divergences(count, strategy):
    """An internal step to another state of the orbit: no state has a loop, but all diverge."""
    ids = [f"p{i}" for i in range(1, count + 1)]
    turns = " ".join(f"next({p})={q}" for p, q in zip(ids, ids[1:] + ids[:1], strict=True))
    process = linearise(read_text(ROUND.replace("IDS", ",".join(ids)).replace("NEXT", turns)))
    large = LTS.from_transitions(
        [(0, f"enter({p})", 1) for p in ids] + [(1, f"leave({p})", 2) for p in ids]
    )
    cycle = [parse_permutation(f"({' '.join(ids)})")]
    found = refines_on_orbits(
        large, process, "failures-divergences", cycle, settings=Settings(strategy=strategy)
    )
    assert (found.holds, found.order) == (False, count)
    assert found.orbits <= 3
    assert found.counterexample.diverges
    assert len(found.counterexample.trace) == 1
    check("failures-divergences", large, process, found)
    held = refines_on_orbits(
        large, process, "failures", cycle, settings=Settings(strategy=strategy)
    )
    assert held.holds
    assert held.pairs == 1 + count + 1


def refused(large, process, name="trace", hide=(), group="all"):
    with pytest.raises(NotSymmetric) as raised:
        refines_on_orbits(
            large,
            process,
            name,
            PERMUTATIONS[group],
            internal=Internal(hidden=hide),
        )
    return str(raised.value)


USER = HEAD + "proc X = sum(p:P, u(p).v(p).w.X) init X\n"


def test_specification_must_be_symmetric():
    process = linearise(read_text(USER))
    rows = [(0, f"u({p})", i) for i, p in enumerate(IDS, 1)]
    rows += [(i, f"v({p})", 4) for i, p in enumerate(IDS, 1)] + [(4, "w", 0)]
    assert refines_on_orbits(
        LTS.from_transitions(rows), process, "trace", PERMUTATIONS["all"]
    ).holds
    missing = refused(LTS.from_transitions([row for row in rows if row[1] != "v(p2)"]), process)
    assert "`v(p1)` is allowed after the trace\n  u(p1)\n" in missing
    assert "not after\n  u(p2)" in missing
    additional = refused(LTS.from_transitions([*rows, (2, "w", 0)]), process)
    assert "`w` is allowed after the trace\n  u(p2)\n" in additional
    assert "not after\n  u(p1)" in additional
    # Of the same traces one may refuse more.
    rows += [(0, "u(p3)", 5)]
    assert refines_on_orbits(
        LTS.from_transitions(rows), process, "trace", PERMUTATIONS["all"]
    ).holds
    assert "refusals differ" in refused(LTS.from_transitions(rows), process, "failures")
    rows += [(5, "tau", 5)]
    large = LTS.from_transitions(rows)
    assert refines_on_orbits(large, process, "failures", PERMUTATIONS["all"]).holds
    assert "divergence" in refused(large, process, "failures-divergences")
    # A smaller group has less to keep.
    swap = [parse_permutation("(p1 p2)")]
    assert refines_on_orbits(large, process, "failures-divergences", swap).holds


def test_hiding_must_be_symmetric():
    process = linearise(read_text(USER))
    large = LTS.from_transitions([(0, f"u({p})", 0) for p in IDS] + [(0, "w", 0)])
    assert refines_on_orbits(
        large,
        process,
        "weak-trace",
        PERMUTATIONS["all"],
        internal=Internal(hidden=["v"]),
    ).holds
    every = LTS.from_transitions([(0, label, 0) for label in generate(process).labels])
    witness = refused(every.hide(["u(p1)"]), process, "weak-trace", hide=["u(p1)"])
    assert "is no symmetry of what" in witness
    # The label is none of the specification, so that only the process tells.
    witness = refused(large, process, "weak-trace", hide=["v", "u(p1)"])
    assert "u(p" in witness


def test_internal_labels_must_be_symmetric():
    text = "sort Bool D func T,F:->Bool d1,d2:->D act a,b:D proc X = sum(x:D,a(x).b(x).X) init X"
    process = linearise(read_text(text))
    swap = parse_permutation("(d1 d2)")
    for labels in (["a(d1)"], ["a(d1)", "b(d2)"]):
        internal = Internal(labels=["tau", *labels])
        with pytest.raises(NotSymmetric, match="and only one of them is internal or specified"):
            refines_on_orbits(generate(process), process, "weak-trace", swap, internal=internal)


@pytest.mark.parametrize("more", ["", "c(1)", "c(7)", "a(0)", "a(1,1)", "b(1)", "a", "1"])
def test_overloaded_arguments_move_by_their_sort(more):
    """The same texts may be arguments of other sorts, or of more, and labels of something else."""
    text = """act a: Pos; a: Bool; a: Pos # Bool; b: Pos # Pos;
proc P(id: Pos) = a(id) . P(id) + a(true) . P(id) + a(id, true) . P(id) + b(id, id) . P(id);
init allow({a, b}, P(1) || P(2) || P(3));
"""
    process = linearise(mcrl2.read_text(text, identities=()))
    system = generate(process)
    steps = [*system.transitions(), *([(0, more, 0)] if more else [])]
    [sort] = process.specification.identities
    swap = parse_permutation(f"({sort}(1) {sort}(2))")
    found = refines_on_orbits(LTS.from_transitions(steps), process, "trace", swap)
    assert found.holds
    rest = LTS.from_transitions([step for step in steps if step[1] != "a(3,true)"])
    assert not refines_on_orbits(rest, process, "trace", swap).holds
    rest = LTS.from_transitions([step for step in steps if step[1] != "a(2,true)"])
    with pytest.raises(NotSymmetric):
        refines_on_orbits(rest, process, "trace", swap)


def test_values_that_no_equation_fits_are_compared():
    text = """sort Bool D K func T,F:->Bool d0,d1,d2:->D c:->K map key:D->K
rew key(d2)=c act a:K proc X(u:K) = sum(x:D, a(key(x)).X(key(x))) init X(c)
"""
    process = linearise(read_text(text))
    swap = parse_permutation("(d0 d1)")
    found = refines_on_orbits(generate(process), process, "trace", swap)
    assert (found.holds, found.proof, found.normal_forms) == (True, "tested", ("key(d0)",))
    with pytest.raises(NotProven, match="no equation fits"):
        refines_on_orbits(generate(process), process, "trace", swap, Settings(proof="static"))


def test_the_process_must_be_symmetric():
    first = linearise(read_text(HEAD + "proc X = u(p1).X + u(p2).X init X\n"))
    large = LTS.from_transitions([(0, f"u({p})", 0) for p in IDS])
    assert "is no symmetry" in refused(large, first)
    # Also where the first step is not allowed: what is found must be symmetric, to be the shortest.
    assert "is no symmetry" in refused(LTS.from_transitions([(0, "w", 0)]), first)


def test_labels_that_only_the_specification_has():
    """Their text decides what they become: the process never does them."""
    process = linearise(read_text(USER))
    rows = [(0, f"u({p})", i) for i, p in enumerate(IDS, 1)]
    rows += [(i, f"v({p})", 4) for i, p in enumerate(IDS, 1)] + [(4, "w", 0)]
    foreign = rows + [(i, f"fail({p},now)", 4) for i, p in enumerate(IDS, 1)]
    large = LTS.from_transitions([*foreign, (4, "stuck", 4)])
    assert refines_on_orbits(large, process, "trace", PERMUTATIONS["all"]).holds
    found = refines_on_orbits(large, process, "failures", PERMUTATIONS["all"])
    assert found.counterexample.refused in [(f"fail({p},now)",) for p in IDS]
    check("failures", large, process, found)
    witness = refused(LTS.from_transitions([*rows, (1, "fail(p1,now)", 4)]), process)
    assert "`fail(p1,now)`" in witness


def test_results_do_not_depend_on_threads():
    kinds = ["queue", "set"]
    process = linearise(read_text(specification(kinds, shows=True)))
    large = generate(linearise(read_text(specification(kinds, shows=False))))
    found = [
        refines_on_orbits(
            large, process, "weak-trace", PERMUTATIONS["all"], settings=Settings(threads=n)
        )
        for n in (1, 2, 3)
    ]
    assert found[0].counterexample is not None
    assert len({(one.counterexample, one.orbits, one.pairs) for one in found}) == 1


def test_limits_and_misuse():
    process = linearise(read_text(USER))
    large = generate(process)
    for limits, message in [
        (Limits(states=2), "more than 2 "),
        (Limits(time=1e-9), "more than 1e-09 seconds"),
        (Limits(memory=1000), "of memory"),
        (Limits(values=1), "a sum over `p:P` has more than 1 values"),
    ]:
        with pytest.raises(LimitReached, match=message):
            refines_on_orbits(
                large, process, "trace", PERMUTATIONS["all"], settings=Settings(limits=limits)
            )
    with pytest.raises(Unsupported, match="simulation is not decided on orbits"):
        refines_on_orbits(large, process, "simulation")
    with pytest.raises(SpecificationError, match="not a term"):
        refines_on_orbits(large, process, "trace", [parse_permutation("(p1 p9)")])
    reports = []
    refines_on_orbits(
        large,
        process,
        "trace",
        settings=Settings(progress=lambda *numbers: reports.append(numbers)),
    )
    assert reports[-1][0] == large.state_count
    assert reports == sorted(reports)


def test_orbit_limit_bounds_values_of_infinite_sums():
    """The sum has no end: what is found of it reaches the limit of orbits before that of values."""
    text = "sort Bool N func T,F:->Bool 0:->N S:N->N act a:N b "
    text += "proc X(n:N) = sum(m:N, a(n).X(m)) init X(0)"
    process = linearise(read_text(text))
    with pytest.raises(LimitReached, match="more than 20 orbits of pairs"):
        refines_on_orbits(
            LTS.from_transitions([(0, "b", 0)]),
            process,
            "weak-trace",
            internal=Internal(hidden=["a"]),
            settings=Settings(limits=Limits(states=20, values=10**8)),
        )


def test_sum_value_bound_grows_until_exhausted():
    """Only the last of the values of a sum makes the step that is not allowed."""
    text = """%@ include Nat
act a: Nat b
proc X(n:Nat) = sum(m:Nat, a(m).X(if(eq(S(m),number),1,0)) <| lt(m,number) |> delta)
  + b.X(n) <| eq(n,1) |> delta
map number: -> Nat rew number = times(9,9) init X(0)"""
    process = linearise(read_text(text))
    found = refines_on_orbits(
        LTS.from_transitions([(0, "c", 0)]),
        process,
        "weak-trace",
        internal=Internal(hidden=["a"]),
        settings=Settings(limits=Limits(states=10)),
    )
    assert found.counterexample is not None
    assert found.counterexample.trace == ("b",)
    assert found.counterexample.steps[0].label == "a(80)"


AT_ONCE = """act a: Pos; b: Pos # Pos; c;
proc P(id: Pos, other: Pos) = a(id) . b(id, other) . c . P();
init P(1, 2) || P(2, 1);
"""


def test_multi_actions_with_identities_have_images():
    process = linearise(mcrl2.read_text(AT_ONCE, identities=["P.id", "P.other"]))
    moved = parse_permutation("(P.id(1) P.id(2)) (P.other(1) P.other(2))")
    system = generate(process)
    assert {"a(1)|b(2,1)", "b(1,2)|c", "c|c"} <= set(system.labels)
    assert refines_on_orbits(system, process, "trace", moved).holds
    for missing in ("a(1)|b(2,1)", "b(1,2)|c"):
        rows = [row for row in system.transitions() if row[1] != missing]
        with pytest.raises(NotSymmetric, match="its counterpart"):
            refines_on_orbits(LTS.from_transitions(rows), process, "trace", moved)
    rows = [row for row in system.transitions() if not re.fullmatch(r"a.*b.*", row[1])]
    found = refines_on_orbits(LTS.from_transitions(rows), process, "trace", moved)
    assert found.counterexample is not None
    assert "|" in found.counterexample.trace[-1]


@pytest.mark.parametrize("preorder", RELATIONS)
def test_counterexample_omits_hidden_parts_of_multi_actions(preorder):
    text = """
    sort Id = struct p1 | p2;
    act get, put: Id; done;
    proc P(x: Id) = get(x)|put(x) . done . P(x);
    init allow({get|put, done}, P(p1) || P(p2));
    """
    process = linearise(mcrl2.read_text(text))
    # The labels have blanks and another order, and are those of the process all the same.
    rows = [(0, "put(p1) | get( p1 )", 1), (0, "get(p2)|put(p2)", 1)]
    found = refines_on_orbits(
        LTS.from_transitions(rows),
        process,
        preorder,
        parse_permutation("(p1 p2)"),
        internal=Internal(hidden=["get"]),
    )
    assert found.order == 2
    assert found.counterexample is not None
    assert found.counterexample.trace[0] in ("put(p1)", "put(p2)")
    assert found.counterexample.steps[0].label in ("get(p1)|put(p1)", "get(p2)|put(p2)")
