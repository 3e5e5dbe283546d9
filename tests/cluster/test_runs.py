"""Folders of runs: who may begin in one, go on in one, and remove one."""

import os
import shutil
from pathlib import Path

import pytest

from grouped_options import grouped
from lts import mcrl2, mucrl
from lts.cluster import Parts, generate_parts, locks
from lts.cluster.orbits.worker import OrbitWorker
from lts.cluster.part_worker import PartWorker
from lts.errors import LtsError
from lts.formats import parts
from lts.mucrl import linearise
from ltstool.main import main

CASES = Path(__file__).parents[2] / "cases"
TURNS = [str(CASES / "peterson_turns.mcrl"), "--symmetry", str(CASES / "peterson_turns.sym")]
TWICE = "act a, b; proc X = a . b . delta; init X;"


class Stopped(Exception):
    pass


def stop(*_):
    raise Stopped


@pytest.fixture
def process():
    return linearise(mcrl2.read_text(TWICE))


@pytest.fixture
def run(tmp_path):
    """The folder of a run of nothing."""
    (tmp_path / "a.parts.run").mkdir()
    return tmp_path / "a.parts.run"


def generated(process, tmp_path, **options):
    generate_parts(
        process, tmp_path / "a.parts", **grouped(generate_parts, partitions=2, **options)
    )
    assert [file.name for file in tmp_path.iterdir()] == ["a.parts"]
    return parts.manifest(tmp_path / "a.parts").states


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("line", [None, b"", b'["', b'["0a0b0c0d", {"partitions": 2'])
def test_empty_run_folder_is_reused(line, resume, process, run, tmp_path):
    if line is not None:
        (run / "levels.jsonl").write_bytes(line)
        (run / "lock").touch()
    assert generated(process, tmp_path, resume=resume) == 3


def test_reused_run_folder_resumes(process, run, tmp_path):
    with pytest.raises(Stopped):
        generated(process, tmp_path, resume=True, progress=stop)
    assert run.is_dir()
    assert generated(process, tmp_path, resume=True) == 3


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("line", ["", '["', "{", None])
@pytest.mark.parametrize(
    "name", ["notes.txt", "levels.jsonl.old", "partition-0000.log", "more/a", "lock/a", "lock"]
)
def test_foreign_folders_are_not_removed(name, line, resume, process, run, tmp_path):
    (run / name).parent.mkdir(exist_ok=True)
    (run / name).write_text("mine")
    if line is not None:
        (run / "levels.jsonl").write_text(line)
    with pytest.raises(
        LtsError, match=r"a\.parts\.run already exists and does not belong to a run$"
    ):
        generated(process, tmp_path, resume=resume)
    assert (run / name).read_text() == "mine"
    assert line is None or (run / "levels.jsonl").read_text() == line
    assert not (tmp_path / "a.parts").exists()


@pytest.mark.parametrize("content", ["mine", "{", "\n"])
def test_foreign_level_logs_are_not_removed(content, process, run, tmp_path):
    (run / "levels.jsonl").write_text(content)
    with pytest.raises(LtsError):
        generated(process, tmp_path)
    assert (run / "levels.jsonl").read_text() == content


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("there", [False, True])
def test_a_link_is_refused(resume, there, process, tmp_path):
    if there:
        (tmp_path / "b").mkdir()
    (tmp_path / "a.parts.run").symlink_to(tmp_path / "b")
    with pytest.raises(LtsError, match=r"a\.parts\.run already exists and is a link$"):
        generated(process, tmp_path, resume=resume)
    assert (tmp_path / "a.parts.run").is_symlink()


def test_existing_file_is_not_replaced_by_a_run(process, tmp_path):
    (tmp_path / "a.parts.run").write_text("mine")
    with pytest.raises(LtsError, match=r"already exists and is not a folder$"):
        generated(process, tmp_path)
    with pytest.raises(LtsError, match="run to resume"):
        generated(process, tmp_path, resume=True)
    assert (tmp_path / "a.parts.run").read_text() == "mine"


@pytest.mark.parametrize("resume", [False, True])
def test_locked_run_folder_is_refused(resume, process, run, tmp_path):
    lock = locks.locked(str(run))
    with pytest.raises(LtsError, match=r"belongs to a run in progress$"):
        generated(process, tmp_path, resume=resume)
    os.close(lock)
    assert run.is_dir()
    assert generated(process, tmp_path, resume=resume) == 3


def test_run_folder_stays_locked_during_removal(process, tmp_path, monkeypatch):
    removed = []
    remove = shutil.rmtree

    def removing(directory, *arguments, **options):
        if str(directory).endswith(".run"):
            with pytest.raises(LtsError, match=r"belongs to a run in progress$"):
                generate_parts(process, tmp_path / "a.parts", parts=Parts(2, resume=True))
            removed.append(directory)
        remove(directory, *arguments, **options)

    monkeypatch.setattr(shutil, "rmtree", removing)
    assert generated(process, tmp_path) == 3
    assert len(removed) == 1


def minimising(folder):
    parts.write(mucrl.generate(mucrl.read(CASES / "abp.mcrl")), folder)
    return ["minimise", str(folder), "-e", "strong"]


def test_unwritable_output_is_refused_before_exploration(process, tmp_path, monkeypatch, capsys):
    minimise = minimising(tmp_path / "a.parts")

    def never(*_):
        raise AssertionError

    monkeypatch.setattr(OrbitWorker, "expand", never)
    monkeypatch.setattr(PartWorker, "load", never)
    (tmp_path / "there").write_text("mine")
    for name in ("folder", "folder.parts"):
        (tmp_path / name).mkdir()
    kept = sorted(file.name for file in tmp_path.iterdir())
    nowhere, beside = str(tmp_path / "nowhere" / "x.aut"), str(tmp_path / "x.aut")
    reduce = ["reduce", *TURNS]
    run = ["--run", str(tmp_path / "x")]
    for words in (
        [*reduce, *run, "-o", nowhere],
        [*reduce, *run, "-o", str(tmp_path / "there" / "x.aut")],
        [*reduce, *run, "-o", beside, "--write-symmetry", nowhere],
        [*minimise, "-o", nowhere],
        [*minimise, "-o", str(tmp_path / "folder")],
        [*minimise, "-o", str(tmp_path / "folder.parts")],
    ):
        assert main([*words, "--partitions", "2"]) == 2
        said = capsys.readouterr().err
        assert str(tmp_path) in said
        assert said.count("\n") == 1
        assert sorted(file.name for file in tmp_path.iterdir()) == kept


@pytest.mark.parametrize("kind", ["reduce", "count", "minimise"])
def test_run_folder_remains_until_output_is_complete(kind, tmp_path, monkeypatch, capsys):
    reduce, out = ["reduce", *TURNS], str(tmp_path / "x.aut")
    words, writes = {
        "reduce": ([*reduce, "-o", out], "ltstool.symmetric.reductions.write"),
        "count": ([*reduce, "--count", "--run", out], "ltstool.commands.reduce.facts"),
        "minimise": (
            [*minimising(tmp_path / "a.parts"), "-o", out],
            "ltstool.shared.files.write_lts",
        ),
    }[kind]
    words += ["--partitions", "2"]

    def full(*_, **settings):
        raise OSError(28, "No space left on device", out)

    with monkeypatch.context() as patch:
        patch.setattr(writes, full, raising=False)
        assert main(words) == 2
    assert capsys.readouterr().err.count("No space left") == 1
    assert (tmp_path / "x.aut.run").is_dir()
    assert main([*words, "--resume"]) == 0
    assert not (tmp_path / "x.aut.run").exists()
    assert Path(out).exists() == (kind != "count")
    found = [file.read_bytes() for file in sorted(tmp_path.glob("x.*"))], capsys.readouterr().out
    assert main(words) == 0
    again = [file.read_bytes() for file in sorted(tmp_path.glob("x.*"))], capsys.readouterr().out
    assert found == again
