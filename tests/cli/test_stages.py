"""The stages that commands say they are in, on systems that take them a while."""

import re
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import aut_format
from lts import _engine
from lts.network import Network, reduce
from lts.system import LTS
from ltstool.main import main
from ltstool.shared import progress
from terminals import Terminal, attached

STATES = 600_000
TRIES = 5
"""How often a command is run until all of its stages have been seen: some last milliseconds."""


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
    for number, name, kind, count, total in (one for stages in watched.seen for one in stages):
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
def test_a_command_says_how_far_it_is(folder, tmp_path, words, names):
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


def test_the_share_of_a_stage_never_falls(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.001)
    found = attached(monkeypatch, Terminal())
    words = ["minimise", str(folder / "big.aut"), "-e", "branching", "-o", str(tmp_path / "o.aut")]
    assert main(words) == 0
    lines = found.getvalue().split("\r\x1b[K")
    shown = [re.fullmatch(r"(.*?), (\d+) %,.*", line) for line in lines]
    before = {}
    for stage, percent in (match.groups() for match in shown if match):
        assert before.get(stage, 0) <= int(percent) <= 100
        before[stage] = int(percent)
    begins = {re.sub(r"/.*/", "", stage) for stage in before}
    assert {"reading big.aut", "writing o.aut"} <= begins
    assert any(re.search(r"minimising: \d+ rounds?, [\d,]+ blocks", line) for line in lines)


def test_a_narrow_terminal_shows_the_share(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.001)
    found = attached(monkeypatch, Terminal())
    monkeypatch.setattr(found, "fileno", lambda: 9, raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda file: SimpleNamespace(columns=40))
    words = ["minimise", str(folder / "big.aut"), "-e", "branching", "-o", str(tmp_path / "o.aut")]
    assert main(words) == 0
    *lines, _ = found.getvalue().split("\r\x1b[K")
    assert max(map(len, lines)) < 40
    assert any(re.match(r"reading \.\.\..*/big\.aut, \d+ %", line) for line in lines)
    assert any(re.match(r"writing \.\.\..*/o\.aut, \d+ %", line) for line in lines)
    assert any(re.match(r"minimising: .*, \d+ %", line) for line in lines)


def test_the_time_left_appears(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.005)
    monkeypatch.setattr("ltstool.shared.remaining.LEAST", 0.01)
    found = attached(monkeypatch, Terminal())
    assert main(["convert", str(folder / "big.aut"), str(tmp_path / "o.fsm")]) == 0
    assert re.search(r"writing [^,]*o\.fsm, \d+ %, \d+ s left, \d+ s", found.getvalue())


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


def test_a_stage_of_python_lasts_as_long_as_its_context():
    with _engine.Stage("outer", 7, items=True) as outer:
        outer.reach(3)
        with _engine.Stage("inner", 10) as inner:
            inner.add(4)
            inner.reach(2)
            inner.add(9)
            (first, *told), (second, *within) = _engine.stages()
            assert first < second
            assert (told, within) == (["outer", "items", 3, 7], ["inner", "share", 10, 10])
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
