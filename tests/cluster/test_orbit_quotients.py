"""Quotients that are put together from partitions, against those of one machine: the same bytes.

Also below a bound of memory, and where a run is stopped, or loses workers.
"""

import random
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import aut_format
import exchangeable
import mapped_pairs
import three_processes
from grouped_options import grouped
from lts import LimitReached, LtsError, NotProven, NotSymmetric, SpecificationError
from lts.cluster import Parts, certified_quotient_in_parts, count_orbits_in_parts, levels, turns
from lts.cluster.orbits.worker import OrbitWorker
from lts.cluster.transport import Local, Lost
from lts.mucrl import linearise, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import STRATEGIES, certified_quotient, encode, parse_permutation
from ltstool.main import main
from naive.groups import closure
from partitioned import SYMMETRIC, case
from strategies import examples

CASES = Path(__file__).parents[2] / "cases"
MUCH = 1 << 40
NUMBERS = ("order", "orbits", "steps", "states", "transitions", "deadlocks", "normal_forms")
REFUSED = (NotProven, NotSymmetric, SpecificationError, LimitReached)


def written(certified, generators):
    """All that may be written of a quotient."""
    found = []
    for order in ("bfs", "greedy"):
        reduction = encode(certified.quotient, generators, kind="sorts", order=order)
        found.append((aut_format.dumps(reduction.encoding), str(reduction.symmetry)))
    return found


def numbers(explored):
    """The order only if the group moves a state: partitions do not look at labels."""
    names = [name for name in NUMBERS if name != "order" or explored.states > explored.orbits]
    return [getattr(explored, name) for name in names]


def agree(process, generators, partitions, **options):
    """What partitions make is what one machine makes; returns that, or what it refuses."""
    given = {name: options[name] for name in options if name not in ("run", "workers")}
    limits = given.get("limits", Limits())
    given["limits"] = Limits(states=limits.states, values=limits.values)
    refused = None
    try:
        whole = certified_quotient(process, generators, **grouped(certified_quotient, **given))
    except REFUSED as error:
        refused = error
    if refused is not None:
        with pytest.raises(REFUSED) as raised:
            certified_quotient_in_parts(
                process,
                generators,
                **grouped(certified_quotient_in_parts, partitions=partitions, **options),
            )
        assert type(raised.value) is type(refused)
        return refused
    found = certified_quotient_in_parts(
        process,
        generators,
        **grouped(certified_quotient_in_parts, partitions=partitions, **options),
    )
    assert numbers(found.explored) == numbers(whole.explored)
    assert found.quotient.count() == (whole.explored.states, whole.explored.transitions)
    assert written(found, generators) == written(whole, generators)
    return found


@pytest.mark.parametrize("partitions", [1, 3, 4])
@pytest.mark.parametrize(("name", "values"), SYMMETRIC)
def test_cases(name, values, partitions):
    process, generators = case(name, **values)
    for proof in ("certificate", "tested"):
        assert agree(process, generators, partitions, proof=proof, threads=2).order > 1


@pytest.fixture
def always_short(monkeypatch):
    """Whoever does not work is put away, and levels are done in small pieces."""
    monkeypatch.setattr(turns.Turns, "is_short", lambda self, more: True)
    monkeypatch.setattr(levels, "STEPS", 300)


@pytest.mark.parametrize("partitions", [1, 3, 4])
def test_spilling_preserves_the_quotient(always_short, partitions, tmp_path):
    costs = []
    for name, values in [("peterson_turns", {"N": 4}), ("list_stack", {}), ("mutex", {})]:
        process, generators = case(name, **values)
        options = {"limits": Limits(memory=MUCH), "spilled": costs.append}
        found = certified_quotient_in_parts(
            process,
            generators,
            **grouped(
                certified_quotient_in_parts,
                partitions=partitions,
                run=tmp_path / "a.aut",
                **options,
            ),
        )
        whole = certified_quotient(process, generators)
        assert written(found, generators) == written(whole, generators)
        count = count_orbits_in_parts(
            process, generators, **grouped(count_orbits_in_parts, partitions=partitions, **options)
        )
        assert numbers(count) == numbers(whole.explored)
    assert len(costs) == 6
    assert all(cost.written and cost.read for cost in costs)
    assert list(tmp_path.iterdir()) == []


def test_spilled_orbits_with_a_changed_layout(always_short, tmp_path):
    """After some orbits the table of images is made anew, in a shape that suits them."""
    process, generators = case("peterson_turns", N=5)
    whole = certified_quotient(process, generators)
    found = certified_quotient_in_parts(
        process, generators, parts=Parts(1), settings=Settings(limits=Limits(memory=MUCH))
    )
    assert whole.explored.orbits > 1 << 14
    assert written(found, generators) == written(whole, generators)


class Stopped(Exception):
    pass


class Losing(Local):
    """Workers of which one is lost now and then, in the midst of a superstep."""

    chosen = random.Random(3)
    lost = 0
    left = 9

    def step(self, method, arguments):
        found = super().step(method, arguments)
        if self.left and self.chosen.random() < 0.04:
            self.left -= 1
            Losing.lost += 1
            raise Lost("gone")
        return found


def lossy(job):
    return Losing(job, 1)


def until_done(work, stop):
    """What work gives at last, which is stopped and goes on; how often it was."""
    for number in range(999):
        try:
            return work(progress=stop, resume=number > 0), number
        except Stopped:
            pass
    raise AssertionError("it does not end")


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("partitions", [1, 3])
def test_stopped_run_resumes(rows, partitions, monkeypatch, tmp_path):
    monkeypatch.setattr(levels, "STEPS", 200)
    monkeypatch.setattr(turns.Turns, "is_short", lambda self, more: True)
    chosen = random.Random(partitions)
    explore = certified_quotient_in_parts if rows else count_orbits_in_parts
    Losing.lost = stops = 0
    for name, values in [("peterson_turns", {"N": 4}), ("list_stack", {}), ("three_tiers", {})]:
        process, generators = case(name, **values)
        for proof in ("certificate", "tested"):
            whole = certified_quotient(process, generators, settings=Settings(proof=proof))

            def work(proof=proof, process=process, generators=generators, **options):
                memory = chosen.choice([None, MUCH])
                return explore(
                    process,
                    generators,
                    **grouped(
                        explore,
                        partitions=partitions,
                        proof=proof,
                        run=tmp_path / "a.aut",
                        workers=chosen.choice([None, lossy]),
                        limits=Limits(memory=memory),
                        **options,
                    ),
                )

            def stop(*_):
                if chosen.random() < 0.2:
                    raise Stopped

            found, number = until_done(work, stop)
            stops += number
            if rows:
                assert written(found, generators) == written(whole, generators)
                found = found.explored
            assert numbers(found) == numbers(whole.explored)
            assert list(tmp_path.iterdir()) == []
    assert stops > 9
    assert Losing.lost > 9


OPTIONS = st.fixed_dictionaries(
    {
        "strategy": st.sampled_from([None, *STRATEGIES]),
        "proof": st.sampled_from(["certificate", "tested"]),
        "sample": st.sampled_from([0, 1, 32]),
        "threads": st.integers(1, 2),
    }
)
PARTITIONS = st.integers(1, 4)
SETTINGS = st.tuples(st.sampled_from([1, 7, levels.STEPS]), st.booleans(), st.booleans())


def agree_under(kind, *arguments, **options):
    """Agree where pieces are of so many steps, workers take turns or not, and are lost or not."""
    steps, bounded, loses = kind
    chosen = random.Random(steps)
    if bounded:
        options["limits"] = Limits(states=options["limits"].states, memory=MUCH)
    elif loses:
        options["workers"] = lossy
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "STEPS", steps)
        patch.setattr(turns.Turns, "is_short", lambda self, more: chosen.random() < 0.6)
        return agree(*arguments, **options)


@settings(max_examples=examples(1), deadline=None)
@given(
    st.lists(exchangeable.STEP, min_size=1, max_size=6),
    st.sampled_from(["(p1 p2)", "(p1 p2 p3)", "(p1 p2), (p1 p2 p3)"]),
    PARTITIONS,
    SETTINGS,
    OPTIONS,
)
def test_exchangeable_values(steps, name, partitions, kind, options):
    first = (0, "u", None, 1, ("some(p)", "a"))
    process = linearise(read_text(exchangeable.text([first, *steps])))
    generators = [parse_permutation(text) for text in name.split(", ")]
    agree_under(kind, process, generators, partitions, limits=Limits(), **options)


@settings(max_examples=examples(1.5), deadline=None)
@given(
    st.sampled_from([(), (), ("d1", "e", "d3")]).flatmap(
        lambda constants: three_processes.specifications(constants=constants)
    ),
    st.sampled_from(["(d1 d2 d3)", "(d1 d2)", "(d1 d2), (d1 d2 d3)"]),
    PARTITIONS,
    SETTINGS,
    OPTIONS,
)
def test_processes_that_are_permuted_and_arrays(text, name, partitions, kind, options):
    process = linearise(read_text(text))
    generators = [parse_permutation(text) for text in name.split(", ")]
    limits = Limits(states=1000)
    found = agree_under(kind, process, generators, partitions, limits=limits, **options)
    event(type(found).__name__)


@settings(max_examples=examples(0.7), deadline=None)
@given(
    st.lists(mapped_pairs.PERMUTATION, min_size=1, max_size=2),
    mapped_pairs.STEPS,
    st.sampled_from(sorted(mapped_pairs.BODIES)),
    PARTITIONS,
    SETTINGS,
    OPTIONS,
    st.booleans(),
)
def test_values_that_maps_move(functions, seeds, shape, partitions, kind, options, torn):
    steps = closure(seeds, functions)
    if torn and steps:
        steps.remove(max(steps))
    process = linearise(read_text(mapped_pairs.text_of(functions, sorted(steps), shape)))
    generators = [parse_permutation(f"() with g{i}") for i in range(len(functions))]
    found = agree_under(kind, process, generators, partitions, limits=Limits(), **options)
    event(type(found).__name__)


ODD = """sort Bool N P func T,F:->Bool 0:->N S:N->N p1,p2,p3:->P
map lt,eq:N#N->Bool top:->N var m,n:N
rew lt(m,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n)
    eq(0,0)=T eq(0,S(n))=F eq(S(m),0)=F eq(S(m),S(n))=eq(m,n)
    top=S(S(S(S(S(S(0))))))
act a:P odd:P
proc X(n:N) = sum(p:P, a(p).X(S(n))) <| lt(n,top) |> delta
            + odd(p1).X(n) <| eq(n,S(0)) |> delta
init X(0)
"""


@pytest.mark.parametrize("partitions", [1, 2, 3])
def test_steps_before_a_stop_are_proven(partitions, monkeypatch, tmp_path):
    """The step that is not symmetric is met early, and never again."""
    monkeypatch.setattr(levels, "STEPS", 1)
    process, swap = linearise(read_text(ODD)), parse_permutation("(p1 p2 p3)")
    chosen = random.Random(1)
    for explore in (count_orbits_in_parts, certified_quotient_in_parts):

        def work(explore=explore, **options):
            where = {"partitions": partitions, "run": tmp_path / "a"}
            return explore(process, swap, **grouped(explore, proof="tested", **where, **options))

        stops = 0

        def stop(orbits, explored):
            nonlocal stops
            if explored > 3 and chosen.random() < 0.5:
                stops += 1
                raise Stopped

        with pytest.raises(NotSymmetric):
            until_done(work, stop)
        assert stops > 0
        assert list(tmp_path.iterdir()) == []


def test_run_of_another_process_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(levels, "STEPS", 100)
    process, generators = case("peterson_turns", N=4)

    def stop(*_):
        raise Stopped

    run = tmp_path / "a.aut"
    with pytest.raises(Stopped):
        certified_quotient_in_parts(
            process, generators, parts=Parts(3, run=run), settings=Settings(progress=stop)
        )
    kept = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert len(kept) == 5
    other, _ = case("peterson_turns", N=3)
    swap = parse_permutation("(p1 p2)")
    for what, process_, given_, options in [
        ("partitions", process, generators, {"partitions": 2}),
        ("symmetry", process, swap, {}),
        ("specification", other, generators, {}),
        ("proof", process, generators, {"proof": "tested"}),
        ("strategy", process, generators, {"strategy": "refine"}),
        ("max_states", process, generators, {"limits": Limits(states=9)}),
    ]:
        options = {"partitions": 3, "run": run, "resume": True} | options
        with pytest.raises(LtsError, match=f"another run, which differs in {what}"):
            certified_quotient_in_parts(
                process_, given_, **grouped(certified_quotient_in_parts, **options)
            )
    with pytest.raises(LtsError, match="which differs in written"):
        count_orbits_in_parts(process, generators, parts=Parts(3, run=run, resume=True))
    with pytest.raises(LtsError, match="a run that was stopped: resume it with --resume"):
        certified_quotient_in_parts(process, generators, parts=Parts(3, run=run))
    with pytest.raises(LtsError, match="there is no"):
        count_orbits_in_parts(process, generators, parts=Parts(3, run=tmp_path / "b", resume=True))
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == kept
    log = next(tmp_path.rglob("partition-0001.log"))
    log.write_bytes(log.read_bytes()[:-1])
    with pytest.raises(LtsError, match="has lost data"):
        certified_quotient_in_parts(process, generators, parts=Parts(3, run=run, resume=True))
    log.write_bytes(kept[log])
    # What stands behind what was ended, in any log, is of a level that was not.
    for file in kept:
        file.write_bytes(kept[file] + b"torn")
    found = certified_quotient_in_parts(process, generators, parts=Parts(3, run=run, resume=True))
    assert written(found, generators) == written(
        certified_quotient(process, generators), generators
    )
    assert list(tmp_path.iterdir()) == []


def test_limits_leave_a_resumable_run(monkeypatch, tmp_path):
    monkeypatch.setattr(levels, "STEPS", 100)
    process, generators = case("peterson_turns", N=4)
    options = {"partitions": 2, "run": tmp_path / "a"}
    for limits in (Limits(states=1000), Limits(states=0), Limits(states=1)):
        with pytest.raises(LimitReached, match="orbits"):
            certified_quotient_in_parts(
                process,
                generators,
                **grouped(certified_quotient_in_parts, limits=limits, **options),
            )
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(LimitReached, match="seconds"):
        certified_quotient_in_parts(
            process,
            generators,
            **grouped(certified_quotient_in_parts, limits=Limits(time=1e-9), **options),
        )
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]
    found = certified_quotient_in_parts(
        process, generators, **grouped(certified_quotient_in_parts, resume=True, **options)
    )
    assert written(found, generators) == written(
        certified_quotient(process, generators), generators
    )
    exact = Limits(states=1363)
    assert agree(process, generators, 3, limits=exact).explored.orbits == 1363


def test_worker_errors_end_the_run(monkeypatch, tmp_path):
    text = """sort Bool D func T,F:->Bool d0,d1:->D map f:D->Bool var x:D rew f(d0)=T
    act a:D proc X(x:D) = a(x).a(x).Y(x) Y(x:D) = a(x).X(d1) <| f(x) |> delta init X(d0)"""
    process = linearise(read_text(text))
    for partitions in (1, 3):
        with pytest.raises((SpecificationError, NotProven, NotSymmetric)):
            certified_quotient_in_parts(
                process, parse_permutation("(d0 d1)"), parts=Parts(partitions, run=tmp_path / "a")
            )
        assert list(tmp_path.iterdir()) == []


TURNS = [str(CASES / "peterson_turns.mcrl"), "--symmetry", str(CASES / "peterson_turns.sym")]


def test_output_equals_that_of_one_machine(capsys, tmp_path):
    a, b = tmp_path / "a.aut", tmp_path / "b.aut"
    assert main(["reduce", *TURNS, "-o", str(a)]) == 0
    for more in (["--partitions", "3"], ["--partitions", "2", "--max-memory", "1T"]):
        assert main(["reduce", *TURNS, "-o", str(b), *more]) == 0
        assert a.read_bytes() == b.read_bytes()
        assert Path(f"{a}.sym").read_bytes() == Path(f"{b}.sym").read_bytes()
    said = capsys.readouterr().err
    assert said.count("of memory") == 1
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["a.aut", "a.aut.sym", "b.aut", "b.aut.sym"]
    assert main(["reduce", *TURNS, "-o", str(b), "--partitions", "2", "--max-states", "9"]) == 3
    assert a.read_bytes() == b.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == names


def test_interrupted_command_resumes(capsys, monkeypatch, tmp_path):
    out = tmp_path / "a.aut"
    number = OrbitWorker.number
    calls = []

    def interrupted(worker, inbox, firsts, cut):
        calls.append(1)
        if len(calls) == 20:
            raise KeyboardInterrupt
        return number(worker, inbox, firsts, cut)

    monkeypatch.setattr(OrbitWorker, "number", interrupted)
    monkeypatch.setattr(levels, "STEPS", 20)
    for words in (["-o", str(out)], ["--count", "--run", str(tmp_path / "b")]):
        calls.clear()
        words = ["reduce", *TURNS, "--partitions", "2", *words]
        assert main(words) == 130
        assert "--resume goes on with this run" in capsys.readouterr().err
        assert [file.suffix for file in tmp_path.iterdir() if file.is_dir()] == [".run"]
        assert not out.exists() or "--count" in words
        assert main(words) == 2
        assert "--resume" in capsys.readouterr().err
        assert main([*words, "--resume"]) == 0
    assert main(["reduce", *TURNS, "-o", str(tmp_path / "c.aut")]) == 0
    assert out.read_bytes() == (tmp_path / "c.aut").read_bytes()
    assert not list(tmp_path.glob("*.run"))
