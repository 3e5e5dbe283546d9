"""Orbits in partitions, against those of one machine: all numbers, proofs, refusals and limits."""

import signal
import threading
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import exchangeable
import mapped_pairs
import three_processes
from grouped_options import grouped
from lts import LimitReached, LtsError, NotProven, NotSymmetric, SpecificationError
from lts.cluster import Parts, count_orbits_in_parts, levels
from lts.cluster.orbits.worker import OrbitWorker
from lts.mucrl import linearise, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import STRATEGIES, count_orbits, parse_permutation
from ltstool.main import main
from naive.groups import closure
from partitioned import SYMMETRIC, case
from strategies import examples

CASES = Path(__file__).parents[2] / "cases"
PROOFS = ("certificate", "tested")
NUMBERS = (
    *("order", "strategy", "orbits", "steps", "states", "transitions", "deadlocks"),
    *("complete", "certified", "summands", "from_text", "proof", "normal_forms"),
)
REFUSED = (NotProven, NotSymmetric, SpecificationError, LimitReached)


def numbers(explored):
    """The order only if the group moves a state: partitions do not look at labels."""
    names = [name for name in NUMBERS if name != "order" or explored.states > explored.orbits]
    return {name: getattr(explored, name) for name in names}


def agree(process, generators, partitions, **options):
    """What is found in partitions is what one machine finds; returns that, or what it refuses."""
    refused = None
    try:
        whole = count_orbits(process, generators, **grouped(count_orbits, **options))
    except REFUSED as error:
        refused = error
    if refused is not None:
        with pytest.raises(type(refused)) as raised:
            count_orbits_in_parts(
                process,
                generators,
                **grouped(count_orbits_in_parts, partitions=partitions, **options),
            )
        if not isinstance(refused, LimitReached):  # which tells how much was found
            assert str(raised.value).partition("\n")[0] == str(refused).partition("\n")[0]
        return refused
    found = count_orbits_in_parts(
        process, generators, **grouped(count_orbits_in_parts, partitions=partitions, **options)
    )
    assert numbers(found) == numbers(whole)
    return found


@pytest.mark.parametrize("partitions", [1, 3, 4])
@pytest.mark.parametrize(("name", "values"), SYMMETRIC)
def test_cases(name, values, partitions):
    process, generators = case(name, **values)
    for proof in PROOFS:
        found = agree(process, generators, partitions, proof=proof)
        assert found.states > found.orbits
        assert (found.situations == 0) == (found.from_text == found.summands)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_superstep_size_does_not_change_results(strategy, monkeypatch):
    process, generators = case("peterson_turns", N=3)
    monkeypatch.setattr(levels, "STEPS", 1)
    for threads in (1, 2, 6):
        agree(process, generators, 3, strategy=strategy, threads=threads)


OPTIONS = st.fixed_dictionaries(
    {
        "strategy": st.sampled_from([None, *STRATEGIES]),
        "proof": st.sampled_from(PROOFS),
        "sample": st.sampled_from([0, 1, 32]),
        "threads": st.integers(1, 2),
    }
)
PARTITIONS = st.integers(1, 3)


@settings(max_examples=examples(1), deadline=None)
@given(
    st.lists(exchangeable.STEP, min_size=1, max_size=6),
    st.sampled_from(["(p1 p2)", "(p1 p2 p3)", "(p1 p2), (p1 p2 p3)"]),
    PARTITIONS,
    st.sampled_from([1, levels.STEPS]),
    OPTIONS,
)
def test_exchangeable_values(steps, name, partitions, together, options):
    first = (0, "u", None, 1, ("some(p)", "a"))
    process = linearise(read_text(exchangeable.text([first, *steps])))
    generators = [parse_permutation(text) for text in name.split(", ")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "STEPS", together)
        found = agree(process, generators, partitions, **options)
    assert found.certified
    event(f"deadlocks: {found.deadlocks > 0}")


@settings(max_examples=examples(1.5), deadline=None)
@given(
    st.sampled_from([(), (), ("d1", "e", "d3")]).flatmap(
        lambda constants: three_processes.specifications(constants=constants)
    ),
    st.sampled_from(["(d1 d2 d3)", "(d1 d2)", "(d1 d2), (d1 d2 d3)"]),
    PARTITIONS,
    OPTIONS,
)
def test_processes_that_are_permuted_and_arrays(text, name, partitions, options):
    process = linearise(read_text(text))
    generators = [parse_permutation(text) for text in name.split(", ")]
    found = agree(process, generators, partitions, limits=Limits(states=3000), **options)
    event(type(found).__name__)


@settings(max_examples=examples(0.7), deadline=None)
@given(
    st.lists(mapped_pairs.PERMUTATION, min_size=1, max_size=2),
    mapped_pairs.STEPS,
    st.sampled_from(sorted(mapped_pairs.BODIES)),
    PARTITIONS,
    OPTIONS,
    st.booleans(),
)
def test_values_moved_by_maps(functions, seeds, shape, partitions, options, torn):
    steps = closure(seeds, functions)
    if torn and steps:
        steps.remove(max(steps))
    process = linearise(read_text(mapped_pairs.text_of(functions, sorted(steps), shape)))
    generators = [parse_permutation(f"() with g{i}") for i in range(len(functions))]
    found = agree(process, generators, partitions, **options)
    event(type(found).__name__)


@settings(max_examples=examples(0.3), deadline=None)
@given(
    st.tuples(*[st.integers(0, mapped_pairs.COUNT - 1)] * mapped_pairs.COUNT),
    mapped_pairs.STEPS,
    st.sampled_from(sorted(mapped_pairs.BODIES)),
    PARTITIONS,
)
def test_maps_that_may_be_no_permutations(function, seeds, shape, partitions):
    steps = closure(seeds, [function])
    process = linearise(read_text(mapped_pairs.text_of([function], sorted(steps), shape)))
    found = agree(process, parse_permutation("() with g0"), partitions)
    event(type(found).__name__)


COUNTER = """sort Bool N P func T,F:->Bool 0:->N S:N->N p1,p2,p3:->P
map lt,eq:N#N->Bool top:->N var m,n:N
rew lt(m,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n)
    eq(0,0)=T eq(0,S(n))=F eq(S(m),0)=F eq(S(m),S(n))=eq(m,n)
    top={top}
act a:P odd:P
proc X(n:N) = sum(p:P, a(p).X(S(n))) <| lt(n,top) |> delta
            + odd({odd}).X(n) <| eq(n,{at}) |> delta
init X(0)
"""


def number(n):
    return "S(" * n + "0" + ")" * n


@pytest.mark.parametrize("partitions", [1, 2, 3, 4, 7])
def test_asymmetry_seen_by_one_partition_is_refused(partitions, monkeypatch):
    """States are fixed by the group, all of them; one of them has a step that is not symmetric."""
    witnesses = []
    prove = OrbitWorker.prove

    def proving(worker):
        proven = prove(worker)
        witnesses.append(proven.witness)
        return proven

    monkeypatch.setattr(OrbitWorker, "prove", proving)
    for at in range(6):
        text = COUNTER.format(top=number(6), odd="p1", at=number(at))
        process = linearise(read_text(text))
        for proof in PROOFS:
            witnesses.clear()
            error = agree(process, parse_permutation("(p1 p2 p3)"), partitions, proof=proof)
            assert isinstance(error, NotSymmetric)
            # Ways to move parameters are tried one by one; every time one partition sees it.
            seen = sum(witness is not None for witness in witnesses)
            assert seen * partitions == len(witnesses) > 0
        # One that is not reached is nobody's.
        text = COUNTER.format(top=number(6), odd="p1", at=number(9))
        assert agree(linearise(read_text(text)), parse_permutation("(p1 p2)"), partitions).states


@pytest.mark.parametrize("partitions", [1, 2, 3, 9])
@pytest.mark.parametrize(
    "body",
    [
        "proc X = sum(p:P, a(p).X) + sum(p:P, a(p).X) init X",  # the same step twice
        "proc X = sum(p:P, a(p)) init X",
        "proc X = sum(p:P, delta) init X",
        "proc X(p:P,q:P) = sum(r:P, a(r).X(r,q)) + sum(r:P, w.X(p,r)) init sum(p:P,w.X(p,p))",
        "proc X(p:P) = a(p).X(p) + w.delta init X(p1) || X(p2) || X(p3)",
        "proc X(p:P) = a(p) init X(p1) || X(p2) || X(p3)",
        "proc X(p:P) = a(p).X(p) init X(p1) || X(p2)",
        "proc X(p:P) = a(p).X(p) init X(p1)",
    ],
)
def test_small_systems(body, partitions):
    process = linearise(read_text(f"sort Bool P func T,F:->Bool p1,p2,p3:->P act a:P w {body}"))
    for name in ("(p1 p2 p3)", "(p1 p2)", "(p2 p3)"):
        for strategy in STRATEGIES:
            for proof in PROOFS:
                agree(process, parse_permutation(name), partitions, strategy=strategy, proof=proof)


UNFITTING = """sort Bool func T,F:->Bool
sort P func p1,p2,p3:->P
sort Two func apart:->Two two:P#P->Two
rew two(p1,p2)=two(p2,p3) two(p1,p3)=two(p2,p3) two(p2,p1)=two(p2,p3) two(p3,p2)=two(p3,p1)
act meet see:Two
proc X(u:Two) = sum(p:P,sum(q:P,meet.X(two(p,q)))) + see(u).X(u)
init X(apart)
"""


@pytest.mark.parametrize("partitions", [1, 2, 4])
def test_values_of_constructors_with_equations(partitions):
    process = linearise(read_text(UNFITTING))
    swaps = [parse_permutation("(p1 p2)"), parse_permutation("(p2 p3)")]
    for strategy in STRATEGIES:
        for swap in swaps:
            assert agree(process, swap, partitions, strategy=strategy).orbits > 0
        found = agree(process, swaps, partitions, strategy=strategy)
        assert found.proof == "whole"


def test_limits(monkeypatch):
    process, generators = case("peterson_turns", N=4)
    monkeypatch.setattr(levels, "STEPS", 100)
    for partitions in (1, 3):
        for limits, shown in [
            (Limits(states=100), "more than 100 orbits"),
            (Limits(time=1e-9), "more than 1e-09 seconds"),
            (Limits(memory=1), "0 MB of memory are not enough"),
        ]:
            with pytest.raises(LimitReached, match=shown) as raised:
                count_orbits_in_parts(
                    process, generators, parts=Parts(partitions), settings=Settings(limits=limits)
                )
            if limits.memory is None:
                assert set(raised.value.found) == {"orbits", "transitions"}
        exact = Limits(states=1363)
        assert agree(process, generators, partitions, limits=exact).orbits == 1363
        assert isinstance(
            agree(process, generators, partitions, limits=Limits(states=1)), Exception
        )


@pytest.mark.parametrize("partitions", [1, 3])
def test_sums_with_many_values(partitions):
    text = """%@ include Nat
    sort P func p1,p2:->P act a:P#Nat
    proc X(n:Nat) = sum(p:P, sum(m:Nat, a(p,m).X(m) <| lt(m,S(S(n))) |> delta)) init X(0)"""
    process = linearise(read_text(text))
    swap = parse_permutation("(p1 p2)")
    for most in (1, 5, 40):
        found = agree(process, swap, partitions, limits=Limits(states=most, values=30))
        assert isinstance(found, LimitReached)
        with pytest.raises(LimitReached):
            count_orbits_in_parts(
                process, swap, parts=Parts(partitions), settings=Settings(limits=Limits(values=5))
            )


def test_irreducible_term_is_an_error():
    text = """sort Bool D func T,F:->Bool d0,d1:->D map f:D->Bool var x:D rew f(d0)=T
    act a:D proc X(x:D) = a(x).a(x).Y(x) Y(x:D) = a(x).X(d1) <| f(x) |> delta init X(d0)"""
    process = linearise(read_text(text))
    for partitions in (1, 3):
        assert isinstance(agree(process, parse_permutation("(d0 d1)"), partitions), Exception)


def test_interrupt_stops_worker_threads(monkeypatch):
    """The main thread alone hears of a signal, and another one has the work."""
    process, generators = case("peterson_turns", N=7)
    expand = OrbitWorker.expand

    def expand_interrupted(worker, inbox, until):
        for interrupt in signals:
            signal.pthread_kill(threading.main_thread().ident, interrupt)
        return expand(worker, inbox, until)

    monkeypatch.setattr(OrbitWorker, "expand", expand_interrupted)
    for threads in (1, 2):
        signals = iter([signal.SIGINT])
        begun = monotonic()
        with pytest.raises(KeyboardInterrupt):
            count_orbits_in_parts(
                process, generators, parts=Parts(2), settings=Settings(threads=threads)
            )
        assert monotonic() - begun < 20


def test_zero_partitions_are_refused():
    process, generators = case("mutex")
    with pytest.raises(LtsError, match="one partition"):
        count_orbits_in_parts(process, generators, parts=Parts(0))


TURNS = [str(CASES / "peterson_turns.mcrl"), "--symmetry", str(CASES / "peterson_turns.sym")]


def test_output_equals_that_of_one_machine(capsys):
    shown = []
    for more in ([], ["--json"]):
        for where in ([], ["--partitions", "3"], ["--partitions", "2", "--threads", "2"]):
            assert main(["reduce", *TURNS, "--count", *more, *where]) == 0
            shown.append(capsys.readouterr().out)
        assert len(set(shown[-3:])) == 1
    assert main(["reduce", *TURNS, "--count", "--partitions", "2", "--max-states", "9"]) == 3
    assert "more than 9 orbits" in capsys.readouterr().err


def test_options_not_for_partitions_are_refused(capsys, tmp_path):
    system = tmp_path / "a.aut"
    system.write_text('des (0,1,2)\n(0,"a(1)",1)\n')
    for arguments, message in [
        ([*TURNS, "--resume"], "--resume applies only to --partitions or --cluster"),
        ([*TURNS, "--count", "--run", "a"], "--run applies only to --partitions or --cluster"),
        ([*TURNS, "--count", "--partitions", "2", "--resume"], "--run NAME"),
        ([str(system), "--symmetry", "(1 2)", "--count", "--partitions", "2"], "a specification"),
        ([str(system), "--symmetry", "(1 2)", "--count", "--cluster"], "a specification"),
    ]:
        assert main(["reduce", *arguments]) == 2
        assert message in capsys.readouterr().err
    assert main(["reduce", *TURNS[:2], "(1 2)", "--count", "--partitions", "2"]) == 1
    assert "`(1 2)` is no symmetry" in capsys.readouterr().err
