"""Minimisation in partitions, against that of one machine, byte for byte."""

import random
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
from grouped_options import grouped
from lts import mucrl
from lts.base.label_names import unmatched
from lts.cluster import Parts, generate_parts, minimise_parts, refinement
from lts.cluster.part_worker import PartWorker
from lts.cluster.transport import Local, Lost
from lts.equivalence import minimise
from lts.errors import FormatError, LtsError, Unsupported
from lts.formats import parts
from lts.mucrl import linearise
from lts.state_space.settings import Limits, Settings
from partitioned import EQUIVALENCES, difficult_systems, system_of
from programs import outcome
from strategies import examples

CASES = Path(__file__).parents[2] / "cases"


def agree(system, path, *, hide=(), partitions=(1, 2, 3, 5), **options):
    """All that partitions find is what one machine finds."""

    def hidden(lts):
        return lts.hide_any(hide) if hide else lts

    for equivalence in EQUIVALENCES:
        least = minimise(hidden(system), equivalence)
        for number in partitions:
            found = minimise_parts(
                path,
                equivalence,
                **grouped(minimise_parts, partitions=number, labels=hidden, **options),
            )
            assert aut_format.dumps(found) == aut_format.dumps(least)
            assert found.internal == least.internal


@settings(max_examples=examples(3))
@given(
    difficult_systems(),
    st.integers(1, 4),
    st.sampled_from([1, 2, 64]),
    st.sampled_from([(), (), ("a",), ("a", "b"), ("*",)]),
    st.integers(1, 5),
    st.sampled_from([1, 2, refinement.BLOCKS]),
)
def test_random_systems(tmp_path_factory, system, written, pairs, hide, partitions, blocks):
    path = tmp_path_factory.mktemp("random") / "a.parts"
    parts.write(system, path, partitions=written)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refinement, "FIRST_PAIRS", pairs)
        patch.setattr(refinement, "BLOCKS", blocks)
        agree(system, path, hide=hide, partitions=(partitions, 3))


CYCLES = {
    # Every partition has a part of the cycle, and one state of it can leave it.
    "a cycle through all": (6, [(s, 0, (s + 1) % 6) for s in range(6)] + [(4, 1, 4)]),
    "a cycle that is left by an internal step": (
        6,
        [*((s, 0, (s + 1) % 5) for s in range(5)), (2, 0, 5), (5, 1, 5), (0, 1, 0)],
    ),
    "two cycles, one behind the other": (
        8,
        [(s, 0, (s + 1) % 4) for s in range(4)]
        + [(4 + s, 0, 4 + (s + 1) % 4) for s in range(4)]
        + [(1, 0, 6), (0, 1, 0), (5, 2, 5)],
    ),
    "a loop, and none": (4, [(0, 1, 1), (0, 1, 2), (1, 0, 1), (2, 0, 3)]),
    "no step": (5, []),
}


CHAINS = {
    # No step stays in a block, so that no cycle does; nothing diverges.
    "an internal chain": (40, [(s, 0, s + 1) for s in range(39)] + [(39, 1, 39)]),
    "an internal chain that turns back": (
        40,
        [(s, 0, (s + 17) % 40) for s in range(40) if s != 23] + [(23, 1, 0), (7, 2, 7)],
    ),
}


def agree_in_order(seed, states, rows, path):
    """The same of a system whose states are numbered in another order, for another seed than 0."""
    order = list(range(states))
    if seed:
        random.Random(seed).shuffle(order)
    rows = [(order[s], a, order[t]) for s, a, t in rows]
    system = system_of(states, rows, ["tau", "a", "b"], order[0])
    parts.write(system, path, partitions=2)
    agree(system, path, partitions=(1, 3, 7, states + 2))


@pytest.mark.parametrize("blocks", [1, refinement.BLOCKS])
@pytest.mark.parametrize("name", CYCLES)
@pytest.mark.parametrize("seed", range(2))
def test_internal_cycles(name, seed, blocks, tmp_path, monkeypatch):
    monkeypatch.setattr(refinement, "BLOCKS", blocks)
    agree_in_order(seed, *CYCLES[name], tmp_path / "a.parts")


@pytest.mark.parametrize("blocks", [1, refinement.BLOCKS])
@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("seed", range(2))
def test_internal_chains(name, seed, blocks, tmp_path, monkeypatch):
    monkeypatch.setattr(refinement, "BLOCKS", blocks)
    agree_in_order(seed, *CHAINS[name], tmp_path / "a.parts")


@pytest.mark.parametrize(
    ("case", "values", "hide"),
    [
        ("peterson", {"N": 4}, ()),
        ("peterson", {"N": 4}, ("critical*",)),
        ("peterson", {"N": 5}, ("critical*", "*(p1)")),
        ("philosophers", {"N": 4}, ()),
        ("philosophers", {"N": 4}, ("down*", "up*")),
        ("abp", {}, ("c*",)),
    ],
)
def test_cases(case, values, hide, tmp_path):
    process = linearise(mucrl.read(CASES / f"{case}.mcrl", parameters=values))
    generate_parts(process, tmp_path / "a.parts", parts=Parts(3))
    system = parts.read(tmp_path / "a.parts")
    assert unmatched(hide, system.labels) == []
    agree(system, tmp_path / "a.parts", hide=hide, partitions=(3, 4))


def peterson(tmp_path, states=3):
    process = linearise(mucrl.read(CASES / "peterson.mcrl", parameters={"N": states}))
    generate_parts(process, tmp_path / "a.parts", parts=Parts(3))
    return tmp_path / "a.parts"


def test_several_workers_at_a_time(tmp_path):
    path = peterson(tmp_path)
    agree(parts.read(path), path, hide=("critical*",), partitions=(4,), threads=3)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("blocks", [10, refinement.BLOCKS])
@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_stopped_run_resumes(equivalence, blocks, tmp_path, monkeypatch):
    monkeypatch.setattr(refinement, "BLOCKS", blocks)
    path, out = peterson(tmp_path), tmp_path / "out.aut"
    least = minimise(parts.read(path), equivalence)
    other = "strong" if equivalence == "branching" else "branching"
    chosen, stops, resume = random.Random(3), 0, False
    reported = []

    def stop(done, blocks):
        reported.append(blocks)
        if chosen.random() < 0.6:
            raise Stopped

    options = {"partitions": 3, "run": out}
    while True:
        try:
            found = minimise_parts(
                path,
                equivalence,
                **grouped(minimise_parts, progress=stop, resume=resume, **options),
            )
            break
        except Stopped:
            stops, resume = stops + 1, True
            with pytest.raises(LtsError, match="--resume, or remove the folder"):
                minimise_parts(path, equivalence, **grouped(minimise_parts, **options))
            with pytest.raises(LtsError, match="which differs in equivalence"):
                minimise_parts(path, other, **grouped(minimise_parts, resume=True, **options))
    assert stops > 1
    assert reported[-1] == least.state_count
    assert aut_format.dumps(found) == aut_format.dumps(least)
    assert [file.name for file in tmp_path.iterdir()] == ["a.parts"]


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_run_stopped_after_the_last_round_resumes(equivalence, tmp_path, monkeypatch):
    path, out = peterson(tmp_path), tmp_path / "out.aut"
    hidden = {"labels": lambda system: system.hide_any(["set*", "wait"])}
    least = minimise(hidden["labels"](parts.read(path)), equivalence)
    options = {"partitions": 3, "run": out, **hidden}

    def stopped(rounds):
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(refinement.Refinement, "signatures", stopped)
        with pytest.raises(Stopped):
            minimise_parts(path, equivalence, **grouped(minimise_parts, **options))
    # Blocks are final, and workers have all to learn anew.
    found = minimise_parts(path, equivalence, **grouped(minimise_parts, resume=True, **options))
    assert aut_format.dumps(found) == aut_format.dumps(least)


class Losing(Local):
    """Workers that are lost where `loses` says so of a superstep, or a call of all."""

    def __init__(self, job, loses):
        super().__init__(job, 1)
        self.loses, self.lost = loses, []

    def step(self, method, arguments):
        self.lose(method)
        return super().step(method, arguments)

    def call_all(self, method, *arguments):
        self.lose(method)
        return super().call_all(method, *arguments)

    def lose(self, method):
        if self.loses(method, len(self.lost)):
            self.lost.append(method)
            raise Lost(method)


@pytest.mark.parametrize("blocks", [3, refinement.BLOCKS])
@pytest.mark.parametrize("run", [None, "out.aut"])
@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_lost_workers_are_replaced(equivalence, run, blocks, tmp_path, monkeypatch):
    monkeypatch.setattr(refinement, "BLOCKS", blocks)
    path = peterson(tmp_path)

    def labels(system):
        return system.hide_any(["set*", "wait"])

    least = aut_format.dumps(minimise(labels(parts.read(path)), equivalence))
    lost = set()
    for seed in range(8):
        chosen, transports = random.Random(seed), []

        def workers(job, chosen=chosen, transports=transports):
            # Fewer and fewer, so that there is an end.
            transports.append(Losing(job, lambda _, lost: chosen.random() < 0.1 / (1 + lost)))
            return transports[0]

        kept = None if run is None else tmp_path / run
        options = {"partitions": 3, "labels": labels, "workers": workers, "run": kept}
        assert (
            aut_format.dumps(
                minimise_parts(path, equivalence, **grouped(minimise_parts, **options))
            )
            == least
        )
        lost.update(transports[0].lost)
    assert {"sign", "apply"} <= lost


@pytest.mark.parametrize("run", [None, "out.aut"])
@pytest.mark.parametrize("method", ["sign", "merge", "signatures", "initial_block"])
def test_workers_lost_after_the_last_round(method, run, tmp_path, monkeypatch):
    path = peterson(tmp_path)
    least = minimise(parts.read(path), "strong")

    transports, last = [], []

    def workers(job):
        transports.append(Losing(job, lambda name, lost: last and name == method and not lost))
        return transports[0]

    signatures = refinement.Refinement.signatures

    def begun(self):
        last.append(True)
        return signatures(self)

    monkeypatch.setattr(refinement.Refinement, "signatures", begun)
    kept = None if run is None else tmp_path / run
    found = minimise_parts(path, "strong", parts=Parts(3, run=kept, workers=workers))
    assert transports[0].lost == [method]
    assert aut_format.dumps(found) == aut_format.dumps(least)


def test_interrupt_stops_a_refinement_round(tmp_path, monkeypatch):
    """The main thread alone hears of a signal, and another one has the work."""
    path = peterson(tmp_path)
    for threads in (1, 2):
        sign = PartWorker.sign
        signals = iter([signal.SIGINT])

        def interrupted(worker, inbox, *arguments, sign=sign, signals=signals):
            for interrupt in signals:
                signal.raise_signal(interrupt)
            return sign(worker, inbox, *arguments)

        monkeypatch.setattr(PartWorker, "sign", interrupted)
        with pytest.raises(KeyboardInterrupt):
            minimise_parts(path, "strong", parts=Parts(3), settings=Settings(threads=threads))
        monkeypatch.undo()


def test_damaged_folders_are_refused(tmp_path):
    path = peterson(tmp_path)
    file = path / "transitions-0001.parquet"
    kept = file.read_bytes()
    for damaged in (kept[:-5], kept[:100] + bytes([kept[100] ^ 1]) + kept[101:]):
        file.write_bytes(damaged)
        with pytest.raises(FormatError):
            minimise_parts(path, "strong", parts=Parts(2, run=tmp_path / "out.aut"))
        assert [file.name for file in tmp_path.iterdir()] == ["a.parts"]
    file.unlink()
    with pytest.raises(FormatError, match="is missing"):
        minimise_parts(path, "strong", parts=Parts(2))


def test_unsupported_partitioned_minimisation_is_refused(tmp_path):
    path = peterson(tmp_path)
    with pytest.raises(Unsupported, match=r"only modulo .*, not weak$"):
        minimise_parts(path, "weak", parts=Parts(2))
    with pytest.raises(LtsError, match="one partition"):
        minimise_parts(path, "strong", parts=Parts(0))
    limited = Settings(limits=Limits(states=10))
    with pytest.raises(LtsError, match="has no limit but that of memory"):
        minimise_parts(path, "strong", settings=limited, parts=Parts(2))


def test_output_equals_that_of_one_machine(tmp_path):
    path = peterson(tmp_path)
    for out in ("least.aut", "least.parts"):
        for equivalence in EQUIVALENCES:
            command = ["minimise", path, "-e", equivalence, "--hide", "critical*"]
            written = []
            for more in ([], ["--partitions", 4]):
                assert outcome(*command, *more, "-o", tmp_path / out) == (0, "", "")
                files = sorted((tmp_path / out).iterdir()) if "parts" in out else [tmp_path / out]
                written.append([file.read_bytes() for file in files])
            assert written[0] == written[1]
    assert sorted(f.name for f in tmp_path.iterdir()) == ["a.parts", "least.aut", "least.parts"]


def test_standard_output_has_no_run_folder(tmp_path):
    path = peterson(tmp_path)
    least = minimise(parts.read(path), "strong")
    for more in ([], ["-o", "/dev/stdout"]):
        command = ["minimise", path, "-e", "strong", "--partitions", 2, *more]
        assert outcome(*command) == (0, aut_format.dumps(least).decode(), "")


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        (["-e", "weak"], "not weak"),
        (
            ["-e", "strong", "--classes", "x"],
            "--classes cannot be combined with a minimisation in partitions",
        ),
        (["-e", "strong", "--keep-unreachable"], "--keep-unreachable cannot be combined"),
        (["-e", "strong", "--resume"], "--resume needs the name of the output"),
        (["-e", "strong", "--resume", "-o", "x.aut"], "run to resume"),
    ],
)
def test_inapplicable_options_are_refused(options, reported, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, printed, said = outcome("minimise", peterson(tmp_path), *options, "--partitions", 2)
    assert (code, printed, said.count("\n")) == (2, "", 1)
    assert reported in said


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    for more in (["--partitions", 2], ["--cluster"]):
        code, _, said = outcome("minimise", tmp_path / "a.aut", "-e", "strong", *more)
        assert code == 2
        assert "minimise only a folder of parts" in said
    code, _, said = outcome("minimise", tmp_path / "a.aut", "-e", "strong", "--resume")
    assert code == 2
    assert "--resume applies only to --partitions or --cluster" in said
