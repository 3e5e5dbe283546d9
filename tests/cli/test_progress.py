"""What a terminal shows while a command works, and at its end."""

import re
import threading
import time
from types import SimpleNamespace

import pytest

import lts._engine as _engine
from ltstool.main import main
from ltstool.options.parser import parse
from ltstool.shared import progress, streams
from terminals import Terminal, attached


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.01)
    return attached(monkeypatch, Terminal())


def begin(enabled=True):
    return progress.Progress(enabled=enabled)


def wait_for(terminal, text):
    while text not in terminal.getvalue():
        assert terminal.came.wait(60)
        terminal.came.clear()


def test_phase_is_shown_and_erased(terminal):
    shown = begin()
    with shown.phase("working"):
        wait_for(terminal, "working, 0 s")
    assert re.fullmatch(r"(\r\x1b\[Kworking, \d+ s(, [\d,]+ MB)?)+\r\x1b\[K", terminal.getvalue())


def test_only_the_innermost_phase_is_shown(terminal):
    shown = begin()
    with shown.phase("outer"):
        with shown.phase("inner"):
            wait_for(terminal, "inner")
            before = terminal.getvalue()
            terminal.came.clear()
            assert terminal.came.wait(60)
            assert "outer" not in terminal.getvalue()[len(before) :]
        wait_for(terminal, "outer")


def test_short_phases_are_not_shown(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 1e6)
    shown = begin()
    with shown.phase("working"):
        pass
    shown.summary(time.monotonic())
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(
    ("terminal_there", "words"),
    [
        (False, ["minimise", "-e", "strong"]),
        (True, ["minimise", "-e", "strong", "--quiet"]),
        (True, ["simulate", "FILE"]),
    ],
)
def test_progress_is_off_when_quiet_or_without_terminal(monkeypatch, terminal_there, words):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    found = attached(monkeypatch, Terminal(terminal_there))
    shown = parse(words)[1].progress
    threads = threading.active_count()
    with shown.phase("working"):
        assert threading.active_count() == threads
    shown.summary(0.0)
    assert found.getvalue() == ""


def test_failed_phase_is_erased(terminal):
    shown = begin()

    def fail():
        with shown.phase("working"):
            wait_for(terminal, "working")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert not shown.running


def test_progress_without_threads_is_no_error(terminal, monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    shown = begin()
    with shown.phase("working"):
        pass
    assert terminal.getvalue() == ""


def test_summary_line_has_time_and_memory(terminal, tmp_path, monkeypatch):
    (tmp_path / "a.aut").write_text('des (0,2,2)\n(0,"a",1)\n(1,"b",0)\n')
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    code = main(["compare", str(tmp_path / "a.aut"), str(tmp_path / "a.aut"), "-e", "strong"])
    assert code == 0
    last = terminal.getvalue().splitlines()[-1]
    assert re.search(r"\d+\.\d s(, at most [\d,]+ MB)?$", last)


def test_progress_lines_in_a_pipe_on_request(monkeypatch):
    monkeypatch.setattr(progress, "LINE_PAUSE", 0.01)
    found = attached(monkeypatch, Terminal(terminal=False))
    with progress.Progress(enabled=True, lines=True).phase("working"):
        wait_for(found, "working")
    lines = found.getvalue().splitlines()
    assert all(re.fullmatch(r"ltstool: note: working, \d+ s(, [\d,]+ MB)?", line) for line in lines)
    assert parse(["info", "--progress"])[1].progress.enabled
    assert not parse(["info"])[1].progress.enabled


def test_progress_lines_in_a_pipe_are_rate_limited(monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.01)
    monkeypatch.setattr(progress, "LINE_PAUSE", 0.3)
    found = attached(monkeypatch, Terminal(terminal=False))
    began = time.monotonic()
    with progress.Progress(enabled=True, lines=True).phase("working"):
        wait_for(found, "working")
        assert time.monotonic() - began >= 0.29
        time.sleep(0.1)
        assert len(found.getvalue().splitlines()) == 1 or time.monotonic() - began >= 0.59


def test_explorations_write_progress_lines(monkeypatch):
    monkeypatch.setattr(progress, "LINE_PAUSE", 0.0)
    found = attached(monkeypatch, Terminal(terminal=False))
    with progress.Progress(enabled=True, lines=True).exploration() as report:
        report(1000, 10)
        report(2000, 20)
    lines = found.getvalue().splitlines()
    assert [line.partition(" explored")[0] for line in lines] == [
        "ltstool: note: 1,000 orbits, 10",
        "ltstool: note: 2,000 orbits, 20",
    ]


@pytest.mark.parametrize("words", [["info", "-q"], ["simulate", "FILE"]])
def test_ineffective_progress_option_is_refused(words, capsys):
    assert main([*words, "--progress"]) == 2
    assert "--progress has no effect " in capsys.readouterr().err


@pytest.mark.parametrize(("width", "shown"), [(0, 50), (20, 19), (3, 3), (51, 50), (50, 49)])
def test_a_line_fits_the_terminal(terminal, monkeypatch, width, shown):
    monkeypatch.setattr(terminal, "fileno", lambda: 9, raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda file: SimpleNamespace(columns=width))
    streams.show_line("x" * 50)
    assert len(terminal.getvalue().removeprefix("\r\x1b[K")) == shown


def test_view_reports_its_phases(tmp_path, monkeypatch):
    texts = []
    phase = progress.Progress.phase

    def noted(self, text):
        texts.append(text)
        return phase(self, text)

    monkeypatch.setattr(progress.Progress, "phase", noted)
    words = ["view", "cases/peterson.mcrl", "--set", "N=2", "-o", str(tmp_path / "p.html")]
    assert main(words) == 0
    assert texts[-2:] == ["finding the data of states", "making the page"]


def test_narrow_lines_drop_the_least_important_part():
    text, facts = "reading results/of/today/system.aut", ["45 %", "12 s left"]
    whole = f"{text}, 45 %, 12 s left, 30 s, 1,234 MB"

    def fitted(width):
        return progress.fitted(text, facts, ["30 s", "1,234 MB"], width)

    assert fitted(None) == fitted(len(whole) + 1) == whole
    assert fitted(len(whole)) == f"{text}, 45 %, 12 s left, 30 s"
    assert fitted(53) == f"{text}, 45 %, 12 s left"
    assert fitted(40) == "reading .../system.aut, 45 %, 12 s left"
    cut = progress.fitted("minimising: collecting transitions", ["84 %"], ["3 s"], 40)
    assert cut == "minimising: collecting transit..., 84 %"
    for width in range(38, len(whole) + 3):
        line = fitted(width)
        assert len(line) < width
        assert re.match(r"reading (\.\.\.)?.*\.aut, 45 %, 12 s left", line)


def test_exploration_shows_later_stages(monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.01)
    found = attached(monkeypatch, Terminal())
    shown = begin()
    with shown.exploration() as report:
        time.sleep(0.02)
        report(1000, 10)
        assert "1,000 orbits, 10 explored" in found.getvalue()
        with _engine.Stage("property", 16, items=True) as stage:
            stage.reach(3)
            wait_for(found, "property 3 of 16, 0 s")
        time.sleep(0.02)
        report(2000, 10)
        assert "2,000 orbits" not in found.getvalue()
        report(2000, 1010)
        wait_for(found, "2,000 orbits, 1,010 explored")
    assert found.getvalue().endswith("\r\x1b[K")
