"""Generation in partitions, against that of one machine: all of it, where it ends, and traces."""

import random
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from composition_expressions import networks
from grouped_options import grouped
from lts import mcrl2, mucrl
from lts.cluster import Parts, count_orbits_in_parts, generate_parts, levels
from lts.cluster.logs import DriverLog
from lts.cluster.transport import Local
from lts.cluster.worker import StateWorker
from lts.errors import LimitReached, LtsError, SpecificationError
from lts.formats import parts
from lts.mucrl import linearise
from lts.network import read_text
from lts.state_space.generation import Output, explore, refuse
from lts.state_space.settings import Goals, Limits, Settings
from lts.symmetry import parse_permutation
from naive.networks import written
from partitioned import NUMBERS, agree
from specifications import specifications
from strategies import examples

CASES = Path(__file__).parents[2] / "cases"


@pytest.mark.parametrize(
    ("case", "values"),
    [
        ("peterson", {"N": 3}),
        ("philosophers", {"N": 3}),
        ("abp", {}),
    ],
)
@pytest.mark.parametrize("partitions", [1, 3, 4])
def test_cases(case, values, partitions, tmp_path):
    specification = mucrl.read(CASES / f"{case}.mcrl", parameters=values)
    agree(linearise(specification), tmp_path / "a.parts", partitions)


@settings(max_examples=50)
@given(networks(), st.integers(1, 4), st.booleans())
def test_networks(tmp_path_factory, network, partitions, deadlocks):
    expression, files = network
    made = read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])
    path = tmp_path_factory.mktemp("network") / "a.parts"
    agree(made, path, partitions, deadlocks=deadlocks)


@pytest.mark.parametrize("steps", [1, 20])
def test_levels_in_several_supersteps(steps, tmp_path, monkeypatch):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    generate_parts(process, tmp_path / "b.parts", parts=Parts(3), goals=Goals(deadlocks=True))
    monkeypatch.setattr(levels, "STEPS", steps)
    pieces = []
    agree(process, tmp_path / "a.parts", 3)
    generate_parts(
        process,
        tmp_path / "a.parts",
        parts=Parts(3),
        settings=Settings(progress=pieces.append),
        goals=Goals(deadlocks=True),
    )
    whole = explore(process).statistics
    assert len(pieces) > whole.levels
    assert pieces[-1].levels == whole.levels
    for file in (tmp_path / "b.parts").iterdir():
        assert (tmp_path / "a.parts" / file.name).read_bytes() == file.read_bytes()


@settings(max_examples=examples(1))
@given(specifications(), st.integers(1, 5), st.sampled_from([1, 2, 9, levels.STEPS]), st.data())
def test_random_specifications(tmp_path_factory, text, partitions, steps, data):
    path = tmp_path_factory.mktemp("random") / "a.parts"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "STEPS", steps)
        random_specification(path, text, partitions, data)


def random_specification(path, text, partitions, data):
    process = linearise(mucrl.read_text(text))
    options = {}
    if data.draw(st.booleans()):
        options["limits"] = Limits(states=data.draw(st.integers(0, 40)))
    else:
        options["limits"] = Limits(states=3000)
    if data.draw(st.booleans()):
        options["deadlocks"] = True
        options["enough"] = data.draw(st.none() | st.integers(1, 3))
    if data.draw(st.booleans()):
        wanted = data.draw(st.sampled_from(["a", "b", "c", "tau"]))
        options["find"] = lambda label: label.startswith(wanted)
        options["enough"] = data.draw(st.none() | st.integers(1, 3))
    refused = None
    try:
        explore(process, **grouped(explore, **options))
    except (SpecificationError, LimitReached) as error:
        refused = error
    if refused is None:
        agree(process, path, partitions, **options)
        return
    with pytest.raises(type(refused)) as raised:
        generate_parts(process, path, **grouped(generate_parts, partitions=partitions, **options))
    assert str(raised.value) == str(refused)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("partitions", [1, 2, 5])
def test_values_are_equal_in_all_partitions(partitions, tmp_path):
    process = linearise(mcrl2.read_text(NUMBERS))
    limits = Limits(states=3000)
    whole = agree(process, tmp_path / "a.parts", partitions, limits=limits)
    assert whole.statistics.states > 100


ROWS = """
sort Bool
func T,F: -> Bool
sort Nat
func 0: -> Nat
     S: Nat -> Nat
map and: Bool # Bool -> Bool
    lt,eq: Nat # Nat -> Bool
    add,times: Nat # Nat -> Nat
    last: -> Nat
var m,n: Nat
    b: Bool
rew and(T,b) = b
    and(F,b) = F
    eq(0,0) = T
    eq(0,S(n)) = F
    eq(S(m),0) = F
    eq(S(m),S(n)) = eq(m,n)
    lt(n,0) = F
    lt(0,S(n)) = T
    lt(S(m),S(n)) = lt(m,n)
    add(0,n) = n
    add(S(m),n) = S(add(m,n))
    times(0,n) = 0
    times(S(m),n) = add(n,times(m,n))
    last = S(S(S(S(S(S(S(S(0))))))))
sort Row
func end: -> Row
     put: Nat # Row -> Row
map row: Nat -> Row
    twice: Row -> Row
var k: Nat
    r: Row
rew row(0) = end
    row(S(k)) = put(times(k,k),row(k))
    twice(end) = end
    twice(put(k,r)) = put(k,put(S(k),twice(r)))
act step
    show: Row
proc X(m: Nat, n: Nat) =
    step . X(S(m),n) <| lt(m,last) |> delta +
    step . X(m,S(n)) <| and(eq(m,last),lt(n,last)) |> delta +
    show(twice(row(m))) . X(m,n) <| T |> delta +
    show(twice(row(n))) . X(m,n) <| T |> delta
init X(0,0)
"""


@pytest.mark.parametrize("check", [False, True])
def test_label_only_terms_are_preserved(check, tmp_path):
    # The label of a row is found for `m`, and later once more for `n`, when much was dropped.
    process = linearise(mucrl.read_text(ROWS))
    for partitions in (1, 2, 3):
        whole = agree(process, tmp_path / f"{partitions}.parts", partitions, check=check)
    assert whole.statistics.states == 17
    assert len(whole.labels) == 10


def test_limits_truncate_sums_like_one_machine(tmp_path):
    text = "act a: Nat; proc X(n: Nat) = sum m: Nat . (m < 50) -> a(m) . X(n + m); init X(0);"
    process = linearise(mcrl2.read_text(text))
    for most in (7, 50, 51, 200):
        agree(process, tmp_path / "a.parts", 3, limits=Limits(states=most))
        agree(process, tmp_path / "a.parts", 3, limits=Limits(states=300, values=most))


def test_state_limit_bounds_values_of_infinite_sums(tmp_path):
    # Each value is a term of its own depth: to try all that a sum may have would take hours.
    text = """
sort Bool
func T,F: -> Bool
sort Nat
func 0: -> Nat
     S: Nat -> Nat
act a,b: Nat
proc X(n: Nat) = sum(m: Nat, a(n) . b(m) . X(S(n)))
init X(0)
"""
    process = linearise(mucrl.read_text(text))
    for most in (1, 2, 20, 130):
        for partitions in (1, 3):
            limits = Limits(states=most)
            agree(process, tmp_path / f"{most}.{partitions}.parts", partitions, limits=limits)


@pytest.mark.parametrize(
    "hide", [("c2", "c3", "c5", "c6", "i"), ("c*", "send(...)"), ("*",), ("r1(d1)", "c3(*)")]
)
def test_hidden_labels(hide, tmp_path):
    process = linearise(mucrl.read(CASES / "abp.mcrl"))
    lines = []
    explore(process, output=Output(columns=False, write=lines.append, hide=hide))
    generate_parts(process, tmp_path / "a.parts", parts=Parts(3), hide=hide)
    _, *rest = b"".join(parts.aut_blocks(tmp_path / "a.parts")).splitlines(keepends=True)
    assert b"".join(rest) == b"".join(lines)
    assert b'"tau"' in b"".join(rest)


@pytest.mark.parametrize(
    "text",
    [
        "init delta;",
        "proc X = a.X; init X;",
        "proc X(n: Nat) = a.X(n + 1); init X(0);",
        "proc X(n: Nat) = sum m: Nat . (m < 5) -> a.X(n + m); init X(0);",
    ],
)
@pytest.mark.parametrize("most", [0, 1, 2])
def test_small_state_limits_agree_with_one_machine(text, most, tmp_path):
    process = linearise(mcrl2.read_text(f"act a; {text}"))
    limits = Limits(states=most)
    for options in ({}, {"deadlocks": True, "enough": 1}, {"find": "a".__eq__, "enough": 1}):
        agree(process, tmp_path / "a.parts", 2, limits=limits, **options)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("partitions", [1, 3])
def test_stopped_run_resumes(partitions, tmp_path):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    path = tmp_path / "a.parts"
    expected = tmp_path / "b.parts"
    options = {"partitions": partitions, "deadlocks": True, "enough": None}
    generate_parts(process, expected, **grouped(generate_parts, **options))
    levels = 0
    chosen = random.Random(partitions)

    def stop(statistics):
        nonlocal levels
        levels += 1
        if chosen.random() < 0.3:
            raise Stopped

    stops, resume = 0, False
    while True:
        try:
            generate_parts(
                process, path, **grouped(generate_parts, progress=stop, resume=resume, **options)
            )
            break
        except Stopped:
            stops += 1
            resume = (tmp_path / "a.parts.run").is_dir()
    assert stops > 3
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.parts", "b.parts"]
    for file in expected.iterdir():
        assert (path / file.name).read_bytes() == file.read_bytes()


def test_run_of_another_process_is_refused(tmp_path):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    other = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 2}))
    path = tmp_path / "a.parts"

    def stop(statistics):
        raise Stopped

    with pytest.raises(Stopped):
        generate_parts(process, path, parts=Parts(2), settings=Settings(progress=stop))
    with pytest.raises(LtsError, match="--resume, or remove"):
        generate_parts(process, path, parts=Parts(2))
    with pytest.raises(LtsError, match=r"to another run, which differs in specification$"):
        generate_parts(other, path, parts=Parts(2, resume=True))
    with pytest.raises(LtsError, match="to another run, which differs in partitions"):
        generate_parts(process, path, parts=Parts(3, resume=True))
    log = tmp_path / "a.parts.run" / "levels.jsonl"
    # A line that was not completed does not count.
    log.write_bytes(log.read_bytes() + b'{"states": 3, "tran')
    short = tmp_path / "a.parts.run" / "partition-0001.log"
    kept = short.read_bytes()
    short.write_bytes(kept[:-1])
    with pytest.raises(LtsError, match="has lost data"):
        generate_parts(process, path, parts=Parts(2, resume=True))
    short.write_bytes(kept + b"T of a level that was not ended")
    generate_parts(process, path, parts=Parts(2, resume=True))
    assert parts.manifest(path).states == 668
    with pytest.raises(LtsError, match=r".*run does not exist: there is no run to resume"):
        generate_parts(process, path, parts=Parts(2, resume=True))


def counting(begin):
    """From a number to 40, with one of two processes, which take turns as they like."""
    text = """sort Bool Nat P func T,F:->Bool 0:->Nat S:Nat->Nat p1,p2:->P map lt:Nat#Nat->Bool
    var m,n:Nat rew lt(n,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n)
    act a:P up
    proc X(n:Nat,p:P) = sum(q:P,a(q).X(n,q)) + up.X(S(n),p) <| lt(n,MOST) |> delta
    init X(LEAST,p1)"""
    number = {name: "S(" * k + "0" + ")" * k for name, k in (("MOST", 40), ("LEAST", begin))}
    for name, shown in number.items():
        text = text.replace(name, shown)
    return linearise(mucrl.read_text(text))


def test_a_run_of_another_initial_state_is_refused(tmp_path):
    one, other = counting(1), counting(30)
    path = tmp_path / "a.parts"
    swap = parse_permutation("(p1 p2)")

    def stop(*numbers):
        raise Stopped

    with pytest.raises(Stopped):
        generate_parts(one, path, parts=Parts(2), settings=Settings(progress=stop))
    with pytest.raises(LtsError, match=r"to another run, which differs in specification$"):
        generate_parts(other, path, parts=Parts(2, resume=True))
    generate_parts(one, path, parts=Parts(2, resume=True))
    assert parts.manifest(path).states == 40
    run = tmp_path / "count"
    with pytest.raises(Stopped):
        count_orbits_in_parts(one, swap, parts=Parts(2, run=run), settings=Settings(progress=stop))
    with pytest.raises(LtsError, match=r"to another run, which differs in specification$"):
        count_orbits_in_parts(other, swap, parts=Parts(2, run=run, resume=True))
    assert count_orbits_in_parts(one, swap, parts=Parts(2, run=run, resume=True)).orbits == 40


def test_irreducible_term_error_leaves_no_files(tmp_path):
    text = """
    sort Bool D func T,F:->Bool d0,d1:->D map f:D->Bool var x:D rew f(d0)=T
    act a:D proc X(x:D) = a(x).a(x).a(x).Y(x) Y(x:D) = a(x).X(d1) <| f(x) |> delta
    init X(d0)
    """
    process = linearise(mucrl.read_text(text))
    with pytest.raises(SpecificationError) as whole:
        explore(process)
    for partitions in (1, 3):
        with pytest.raises(SpecificationError) as found:
            generate_parts(process, tmp_path / "a.parts", parts=Parts(partitions))
        assert str(found.value) == str(whole.value)
        assert list(tmp_path.iterdir()) == []


def test_time_and_memory_limits_hold_between_levels(tmp_path):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 4}))
    for limits, kind in [(Limits(time=1e-9), "time"), (Limits(memory=1), "memory")]:

        def workers(job):
            return Local(job, 1)

        options = {"partitions": 2, "limits": limits, "workers": workers}
        found = generate_parts(process, tmp_path / "a.parts", **grouped(generate_parts, **options))
        assert found.incomplete == kind
        with pytest.raises(LimitReached):
            refuse(process, found, limits)
        assert list(tmp_path.iterdir()) == []
        generate_parts(
            process, tmp_path / "b.parts", **grouped(generate_parts, partial=True, **options)
        )
        assert parts.manifest(tmp_path / "b.parts").incomplete == kind
        with pytest.raises(LtsError, match="is incomplete"):
            parts.read(tmp_path / "b.parts")
        for file in (tmp_path / "b.parts").iterdir():
            file.unlink()
        (tmp_path / "b.parts").rmdir()


def test_several_workers_at_a_time(tmp_path):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    for threads in (1, 2, 8):
        agree_threads = tmp_path / f"{threads}.parts"
        generate_parts(process, agree_threads, parts=Parts(4), settings=Settings(threads=threads))
        for file in agree_threads.iterdir():
            assert file.read_bytes() == (tmp_path / "1.parts" / file.name).read_bytes()


@pytest.mark.parametrize("place", ["log", "progress"])
def test_an_interrupt_between_levels_leaves_the_run(tmp_path, monkeypatch, place):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": 3}))
    level = DriverLog.level

    def interrupt(*reported):
        if place == "log":
            level(*reported)
        raise KeyboardInterrupt

    settings = Settings(progress=interrupt if place == "progress" else None)
    with monkeypatch.context() as patched:
        if place == "log":
            patched.setattr(DriverLog, "level", interrupt)
        found = generate_parts(process, tmp_path / "a.parts", parts=Parts(2), settings=settings)
    assert found.incomplete == "interrupted"
    assert [file.name for file in tmp_path.iterdir()] == ["a.parts.run"]
    resumed = generate_parts(process, tmp_path / "a.parts", parts=Parts(2, resume=True))
    assert resumed.incomplete is None
    assert [file.name for file in tmp_path.iterdir()] == ["a.parts"]


def test_interrupt_stops_worker_threads_in_a_level(tmp_path, monkeypatch):
    """The main thread alone hears of a signal, and another one has the work."""
    text = "%@ include Nat\nact a:Nat proc P=sum(n:Nat,a(n).P) init P"
    process = linearise(mucrl.read_text(text))
    expand = StateWorker.expand
    signals = iter([signal.SIGINT])

    def expand_interrupted(worker, inbox, until):
        for interrupt in signals:
            signal.raise_signal(interrupt)
        return expand(worker, inbox, until)

    monkeypatch.setattr(StateWorker, "expand", expand_interrupted)
    limits = Limits(values=2**40)
    found = generate_parts(
        process, tmp_path / "a.parts", parts=Parts(2), settings=Settings(threads=2, limits=limits)
    )
    assert found.incomplete == "interrupted"


def test_zero_partitions_are_refused(tmp_path):
    process = linearise(mucrl.read(CASES / "abp.mcrl"))
    with pytest.raises(LtsError, match="one partition"):
        generate_parts(process, tmp_path / "a.parts", parts=Parts(0))


def test_shared_terms_are_exchanged_compactly(tmp_path):
    """As trees they would have 2^90 leaves."""
    text = """sort T = struct leaf | node(T, T);
        act a;
        proc P(t: T, n: Nat) = (n < 90) -> a . P(node(t, t), n + 1);
        init P(leaf, 0);"""
    agree(linearise(mcrl2.read_text(text)), tmp_path / "a.parts", 3)
