"""`ltstool run` says what is true now, wherever and however something changed since it ran."""

import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ltstool.main import main
from pipelines import run, went
from programs import CASES


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protocol.mcrl").write_bytes((CASES / "abp.mcrl").read_bytes())
    return tmp_path


LIVE, DEAD = 'des (0,2,2)\n(0,"a",1)\n(1,"b",0)\n', 'des (0,1,2)\n(0,"a",1)\n'
DEADLOCKS = '[steps.live]\nrun = "check a.aut deadlock-free"\n'


@pytest.mark.parametrize(
    "place", [".cache/work", ".config", "Library/Caches", ".matplotlib", "shm"]
)
def test_inputs_in_any_folder_are_tracked(capfd, folder, place, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    with TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as memory:
        work = Path(memory) if place == "shm" else folder / place
        work.mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(work)
        Path("a.aut").write_text(LIVE)
        assert run(capfd, DEADLOCKS)[0] == 0
        assert went(run(capfd, DEADLOCKS)[1]) == {"live": "kept"}
        Path("a.aut").write_text(DEAD)
        assert run(capfd, DEADLOCKS)[0] == 1
        monkeypatch.chdir(folder)


@pytest.mark.parametrize("file", ["a.aut", "now/a.aut", "now/../a.aut"])
def test_changed_symbolic_links_cause_a_rerun(capfd, folder, file):
    for name, text in (("one", LIVE), ("other", DEAD)):
        (folder / name / "inner").mkdir(parents=True)
        (folder / name / "a.aut").write_text(text)
    link = folder / file.split("/")[0]
    behind = {"a.aut": "a.aut", "now/a.aut": "", "now/../a.aut": "inner"}[file]

    def lead(name):
        link.unlink(missing_ok=True)
        link.symlink_to(folder / name / behind)

    text = DEADLOCKS.replace("a.aut", file)
    lead("one")
    assert run(capfd, text)[0] == 0
    assert went(run(capfd, text)[1]) == {"live": "kept"}
    lead("other")
    assert run(capfd, text)[0] == 1


def test_missing_or_changed_parts_are_remade(capfd, folder):
    text = (
        '[steps.parts]\nrun = "generate protocol.mcrl --partitions 2 -o x.parts"\n'
        '[steps.info]\nrun = "info x.parts"\n'
    )
    assert run(capfd, text)[0] == 0
    assert went(run(capfd, text)[1]) == {"parts": "kept", "info": "kept"}
    shutil.rmtree("x.parts")
    code, steps = run(capfd, text)
    assert (code, went(steps)["parts"]) == (0, "ran")
    first = next(iter(sorted(Path("x.parts").glob("states-*"))))
    first.write_bytes(first.read_bytes() + b"x")
    assert went(run(capfd, text)[1])["parts"] == "ran"


def test_probed_files_cause_a_rerun_when_created(capfd, folder):
    graph = 'digraph DiskGraph {\n1 [label="x=0",style = filled]\n'
    graph += '1 -> 2 [label="A"];\n2 [label="x=1"];\n}\n'
    (folder / "x.dot").write_text(graph)
    text = '[steps.info]\nrun = "info x.dot"\n'
    assert run(capfd, text)[0] == 0
    assert went(run(capfd, text)[1]) == {"info": "kept"}
    (folder / "x.cfg").write_text("SYMMETRY P\n")
    assert went(run(capfd, text)[1]) != {"info": "kept"}


def test_altered_records_are_discarded(capfd, folder):
    (folder / "a.aut").write_text(LIVE)
    run(capfd, DEADLOCKS)
    file = folder / ".p.toml.run" / "records.json"
    whole = json.loads(file.read_text())
    for altered in (
        [],
        {"format": 2},
        {"format": 2, "steps": []},
        {"format": 2, "steps": {"live": 3}},
    ):
        file.write_text(json.dumps(altered))
        assert went(run(capfd, DEADLOCKS)[1]) == {"live": "ran"}
    for key in whole["steps"]["live"]:
        for value in (None, True, "x", [5], {"a": 1}, {"a": [1]}):
            record = {**whole["steps"]["live"], key: value}
            file.write_text(json.dumps({**whole, "steps": {"live": record}}))
            # What is right by its type and wrong in fact is another matter.
            assert main(["run", "p.toml", "-q", "--dry-run"]) == 0
    capfd.readouterr()
    record = {**whole["steps"]["live"], "seconds": None}
    file.write_text(json.dumps({**whole, "steps": {"live": record}}))
    assert went(run(capfd, DEADLOCKS)[1]) == {"live": "ran"}
