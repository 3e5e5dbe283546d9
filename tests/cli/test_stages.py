"""The stages that commands say they are in, on systems that take them a while."""

import io
import os
import re
import threading
from functools import partial

import numpy as np
import pytest

import aut_format
from lts import _engine, formats
from lts.formats.files import read_from
from lts.formats.names import named
from lts.network import Network, reduce
from lts.system.lts import LTS
from ltstool.main import main
from ltstool.shared import progress
from terminals import Terminal, attached

STATES = 600_000
TRIES = 20
"""How often a command is run at most until all of its stages have been seen: some last
milliseconds, in which a busy machine may do something else."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a system whose transitions are in no order, and a ring under rotation."""
    made = tmp_path_factory.mktemp("stages")
    random = np.random.default_rng(1)
    every = np.arange(STATES, dtype=np.uint32)
    source = np.concatenate([every // 2, random.integers(0, STATES, STATES, dtype=np.uint32)])
    target = np.concatenate([every, random.integers(0, STATES, STATES, dtype=np.uint32)])
    label = random.integers(0, 3, 2 * STATES, dtype=np.uint32)
    order = random.permutation(2 * STATES)
    columns = (column[order].copy() for column in (source, label, target))
    system = LTS.from_columns(*columns, ["tau", "a", "b"], 0, STATES)
    aut_format.write(system, made / "big.aut")
    return made


class Watched:
    """The stages seen, every millisecond, while the context lasts."""

    def __enter__(self):
        self.seen = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while not self.ended.wait(0.001):
            self.seen.append(_engine.stages())

    def __exit__(self, *error):
        self.ended.set()
        self.thread.join()

    @property
    def names(self):
        return {name for stages in self.seen for _, name, *_ in stages}


def run(folder, words):
    with Watched() as watched:
        assert main([word.replace("IN", str(folder / "big.aut")) for word in words]) in (0, 1)
    assert _engine.stages() == []
    last = {}
    for number, name, kind, count, total in (stage for stages in watched.seen for stage in stages):
        before = last.setdefault(number, (name, kind, 0, total))
        assert (name, kind, total) == (before[0], before[1], before[3])
        assert before[2] <= count, f"the count of {name} falls"
        assert total is None or count <= total
        last[number] = (name, kind, count, total)
    return watched


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["info", "IN", "-q"], {"reading", "divergence", "components", "finding components"}),
        (
            ["minimise", "IN", "-e", "branching", "-q", "-o", "OUT.aut"],
            {"reading", "sorting transitions", "collecting transitions", "rounds", "blocks"}
            | {"numbering states", "writing"},
        ),
        (["minimise", "IN", "-e", "strong", "-q", "-o", "OUT.aut.gz"], {"hashing states"}),
        (["minimise", "IN", "-e", "weak", "-q", "-o", "OUT.fsm"], {"sketching states", "writing"}),
        (["compare", "IN", "IN", "-e", "branching", "-q"], {"reading", "blocks"}),
        (
            ["check", "IN", "[true*](<a>true || <true>true)", "-q"],
            {"reading", "positions", "attractors"},
        ),
        (["convert", "IN", "OUT.parts", "-q"], {"reading"}),
        (["convert", "IN", "OUT.parquet", "-q"], {"reading", "writing"}),
    ],
)
def test_commands_report_their_stages(folder, tmp_path, words, names):
    words = [word.replace("OUT", str(tmp_path / "out")) for word in words]
    seen = set()
    for _ in range(TRIES):
        seen |= run(folder, words).names
        if names <= seen:
            return
    assert names <= seen


def test_the_totals_are_those_of_the_files(folder, tmp_path):
    small, big = tmp_path / "small.aut", tmp_path / "big.aut"
    words = ["cases/peterson.mcrl", "--set", "N=5", "--symmetry", "auto", "-o", str(small), "-q"]
    assert main(["reduce", *words]) == 0
    seen = {}
    for _ in range(TRIES):
        stages = run(folder, ["expand", str(small), "-q", "-o", str(big)]).seen
        seen |= {name: total for every in stages for _, name, _, _, total in every}
        if {"expanding orbits", "writing"} <= seen.keys():
            break
    states, transitions = aut_format.read(big).state_count, aut_format.read(big).transition_count
    assert seen["expanding orbits"] == states + transitions
    assert seen["writing"] == transitions
    for _ in range(TRIES):
        stages = run(folder, ["minimise", str(big), "-e", "strong", "-q", "-o", str(small)]).seen
        totals = {total for every in stages for _, name, _, _, total in every if name == "reading"}
        if totals:
            break
    assert totals == {big.stat().st_size}


@pytest.fixture
def lines(monkeypatch):
    """Run a command until its lines on a terminal match some patterns; yield those of each run."""

    def shown(words, *patterns):
        seen = []
        for _ in range(TRIES):
            found = attached(monkeypatch, Terminal())
            assert main(words) == 0
            # The last piece is what was printed in the end.
            *lines, _ = found.getvalue().split("\r\x1b[K")
            seen += lines
            yield lines
            if all(any(re.search(pattern, line) for line in seen) for pattern in patterns):
                return
        pytest.fail(f"not all of {patterns} are in {seen}")

    monkeypatch.setattr(progress, "PAUSE", 0.001)
    return shown


def test_share_of_a_stage_is_monotone(folder, tmp_path, lines):
    words = ["minimise", str(folder / "big.aut"), "-e", "branching", "-o", str(tmp_path / "o.aut")]
    expected = [r"^reading .*big\.aut, \d+ %,", r"^writing .*o\.aut, \d+ %,"]
    for found in lines(words, *expected, r"minimising: \d+ rounds?, [\d,]+ blocks"):
        shown = [re.fullmatch(r"(.*?), (\d+) %,.*", line) for line in found]
        before = {}
        for stage, percent in (match.groups() for match in shown if match):
            assert before.get(stage, 0) <= int(percent) <= 100
            before[stage] = int(percent)


def test_a_narrow_terminal_shows_the_share(folder, tmp_path, monkeypatch, lines):
    monkeypatch.setattr(Terminal, "fileno", lambda self: 9, raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda file: os.terminal_size((40, 20)))
    words = ["minimise", str(folder / "big.aut"), "-e", "branching", "-o", str(tmp_path / "o.aut")]
    expected = [r"^reading \.\.\..*/big\.aut, \d+ %", r"^writing \.\.\..*/o\.aut, \d+ %"]
    for found in lines(words, *expected, r"^minimising: .*, \d+ %"):
        assert max(map(len, found), default=0) < 40


def test_the_time_left_appears(folder, tmp_path, monkeypatch, lines):
    monkeypatch.setattr(progress, "PAUSE", 0.005)
    monkeypatch.setattr("ltstool.shared.remaining.LEAST", 0.01)
    words = ["convert", str(folder / "big.aut"), str(tmp_path / "o.fsm")]
    for found in lines(words, r"writing [^,]*o\.fsm, \d+ %, \d+ s left, \d+ s"):
        assert all("%" in line for line in found if " s left" in line)


def test_components_are_counted():
    one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    vectors = [({n: label}, f"{label}{n}") for n in range(3) for label in "ab"]
    seen = []
    reduce(
        Network.of([one] * 3, vectors),
        "strong",
        order="node",
        report=lambda step: seen.append([stage[1:] for stage in _engine.stages()]),
    )
    assert seen == [
        *[[("component", "items", number, 3)] for number in (1, 2, 3)],
        [("merging 3 of 3 parts", "share", 0, 0)],
    ]


class Recorded:
    """A stage that is kept in a list, with its count."""

    def __init__(self, all_of_them, name, total=None, *, items=False):
        self.name, self.total, self.items, self.count = name, total, items, 0
        all_of_them.append(self)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def reach(self, count):
        self.count = max(self.count, count)

    def add(self, steps):
        self.count += steps


@pytest.fixture
def recorded(monkeypatch):
    found = []
    for module in ("lts._engine", "lts.formats.mcrl2_lts"):
        monkeypatch.setattr(f"{module}.Stage", partial(Recorded, found))
    return found


@pytest.mark.parametrize(
    "suffix", ["aut", "aut.gz", "aut.zst", "fsm", "lts", "parquet", "parts", "graphml", "json"]
)
def test_every_format_reports_progress_to_completion(recorded, tmp_path, suffix):
    rows = [(s, f"a({s % 7})", (s + 1) % 200_000) for s in range(200_000)]
    file = tmp_path / f"ring.{suffix}"
    formats.write(LTS.from_transitions(rows), file)
    (written,) = recorded
    assert (written.name, written.total) == ("writing", len(rows))
    assert len(rows) <= written.count < len(rows) + (1 << 18)
    if suffix in ("graphml", "json", "parquet"):
        return  # not read, or at once
    recorded.clear()
    formats.read(file)
    (read,) = recorded
    size = len(rows) if suffix == "parts" else file.stat().st_size
    assert (read.name, read.total) == ("reading", size)
    # In a binary file, the items after the transitions are read at once.
    assert size - (64 if suffix == "lts" else 0) <= read.count <= size


def test_streams_without_size_report_bytes(recorded):
    data = b'des (0,1,2)\n(0,"a",1)\n'
    read_from(io.BytesIO(data), None, named("-", reading=True))
    assert [(one.name, one.total, one.count) for one in recorded] == [("bytes", None, len(data))]


def test_streams_report_progress_to_completion(recorded, folder, tmp_path):
    parts, again = tmp_path / "big.parts", tmp_path / "again.aut"
    assert main(["convert", str(folder / "big.aut"), str(parts)]) == 0
    size = (folder / "big.aut").stat().st_size
    assert [(one.name, one.total, one.count) for one in recorded] == [("reading", size, size)]
    recorded.clear()
    assert main(["convert", str(parts), str(again)]) == 0
    rows = aut_format.read(folder / "big.aut").transition_count
    assert [(one.name, one.total, one.count) for one in recorded] == [("writing", rows, rows)]


def test_a_page_counts_its_colourings(recorded):
    from lts.web import page

    system = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    page(system, equivalences=["strong", "weak"], formulas=["<a>true"])
    page(system)
    reported = [(one.name, one.items, one.count, one.total) for one in recorded if one.total]
    assert reported == [("colouring", True, 3, 3), ("colouring", True, 1, 1)]


def test_a_stage_of_python_lasts_as_long_as_its_context():
    with _engine.Stage("outer", 7, items=True) as outer:
        outer.reach(3)
        with _engine.Stage("inner", 10) as inner:
            inner.add(4)
            inner.reach(2)
            inner.add(9)
            (first, *reported), (second, *within) = _engine.stages()
            assert first < second
            assert (reported, within) == (["outer", "items", 3, 7], ["inner", "share", 10, 10])
        assert [name for _, name, *_ in _engine.stages()] == ["outer"]

        def fail():
            with _engine.Stage("fails"):
                assert [kind for _, _, kind, *_ in _engine.stages()] == ["items", "found"]
                raise KeyError

        with pytest.raises(KeyError):
            fail()
    assert _engine.stages() == []
    stage = _engine.Stage("not begun", 3)
    stage.add(1)
    assert _engine.stages() == []


def test_an_abandoned_writer_leaves_no_stage(folder):
    system = aut_format.read(folder / "big.aut")
    blocks = aut_format.writer.blocks(system)
    next(blocks), next(blocks)
    assert [name for _, name, *_ in _engine.stages()] == ["writing"]
    blocks.close()
    assert _engine.stages() == []
