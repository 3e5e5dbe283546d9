"""Folders of parts: what is written is read back, as plain tables too, and damage is told."""

import json
import shutil
import tempfile
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aut_format
from lts import LTS, read, write
from lts.errors import FormatError, LtsError
from lts.formats import parts
from ltstool.main import main
from strategies import systems

ROOT = Path(__file__).parents[2]

LABELS = ("tau", "i", "", 'a "quoted", (label)', "\udcff\udc80", "é", "a\tb")


def same(one, other):
    return (
        transitions(one) == transitions(other)
        and one.initial == other.initial
        and one.internal == other.internal
        and one.state_count == other.state_count
    )


def transitions(system):
    columns = zip(system.source, system.label, system.target, strict=True)
    return [(source, system.labels[label], target) for source, label, target in columns]


def by_source(system):
    """Transitions in the order of their sources, found the slow way."""
    return sorted(transitions(system), key=lambda row: row[0])


@given(system=systems(labels=LABELS), partitions=st.integers(1, 5), internal=st.booleans())
def test_written_parts_read_back_equal(tmp_path_factory, system, partitions, internal):
    path = tmp_path_factory.mktemp("parts") / "a.parts"
    if internal:
        system = system.with_internal(["a\tb", ""])
    parts.write(system, path, partitions=partitions)
    found = parts.read(path)
    assert found.state_count == system.state_count
    assert found.initial == system.initial
    assert set(found.internal) == set(system.internal)
    if partitions == 1:
        assert same(found, system)
    rows = transitions(found)
    expected = by_source(system)
    assert rows == expected if partitions > 1 else sorted(rows) == sorted(expected)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            text = aut_format.dumps(found)
        except FormatError:  # of an internal label beside a visible `tau`
            with pytest.raises(FormatError):
                b"".join(parts.aut_blocks(path))
        else:
            assert b"".join(parts.aut_blocks(path)) == text
    owned = []
    for partition in range(partitions):
        states = pq.read_table(path / f"states-{partition:04d}.parquet").column("state")
        table = pq.read_table(path / f"transitions-{partition:04d}.parquet")
        assert table.column_names == ["source", "label", "target"]
        assert not any(field.nullable for field in table.schema)
        assert set(table.column("source").to_pylist()) <= set(states.to_pylist())
        owned += states.to_pylist()
    assert sorted(owned) == list(range(system.state_count))


def test_many_blocks_are_read_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(parts.reading, "BATCH_ROWS", 7)
    random = np.random.default_rng(3)
    source = np.sort(random.integers(0, 40, 500)).astype(np.uint32)
    label = random.integers(0, 3, 500).astype(np.uint32)
    target = random.integers(0, 40, 500).astype(np.uint32)
    system = LTS.from_columns(source, label, target, ["a", "b", "c"], 5, 40)
    for partitions in (1, 2, 3, 50):
        parts.write(system, tmp_path / "a.parts", partitions=partitions)
        assert same(parts.read(tmp_path / "a.parts"), system)


def test_parts_folders_are_read_and_replaced(tmp_path):
    system = LTS.from_transitions([(0, "a", 1), (1, "tau", 0)])
    write(system, tmp_path / "a.parts")
    assert same(read(tmp_path / "a.parts"), system)
    assert same(read(f"{tmp_path}/a.parts/"), system)
    # A folder of parts is replaced, another one is not.
    write(LTS.from_transitions([(0, "b", 0)]), tmp_path / "a.parts")
    assert read(tmp_path / "a.parts").labels == ("b",)
    (tmp_path / "b.parts").mkdir()
    (tmp_path / "b.parts" / "mine.txt").write_text("precious")
    with pytest.raises(LtsError, match=r"b\.parts already exists and is not an LTS in parts"):
        write(system, tmp_path / "b.parts")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.parts", "b.parts"]


def damaged(name):
    """Return what damages the file of this name in some way."""

    def cut(path):
        content = (path / name).read_bytes()
        (path / name).write_bytes(content[:-1])

    def change(path):
        content = bytearray((path / name).read_bytes())
        content[len(content) // 2] ^= 1
        (path / name).write_bytes(bytes(content))

    def remove(path):
        (path / name).unlink()

    return [(cut, "bytes"), (change, "hash differs"), (remove, f"{name} of the folder is missing")]


def with_field(field, value):
    """Return an edit of the manifest that sets a field."""

    def edit(path):
        facts = json.loads((path / "manifest.json").read_text())
        facts[field] = value
        (path / "manifest.json").write_text(json.dumps(facts))

    return edit


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        *damaged("labels.parquet"),
        *damaged("transitions-0001.parquet"),
        (with_field("format", "other"), "not the manifest of an LTS"),
        (with_field("version", 2), "has version 2; only version 1 is supported"),
        (with_field("states", 7), "contradicts itself"),
        (with_field("partitions", 3), "contradicts itself"),
        (with_field("partitions", "3"), "was changed or damaged"),
        (with_field("initial", 99), "contradicts itself"),
        (with_field("internal", [3]), "was changed or damaged"),
        (with_field("files", {}), "contradicts itself"),
        (with_field("incomplete", "states"), "incomplete: writing it ended with `states`"),
        (lambda path: (path / "manifest.json").write_text("{"), "not the manifest of an LTS"),
        (lambda path: (path / "manifest.json").unlink(), "has no manifest.json"),
    ],
)
def test_damaged_parts_are_refused(damage, message, tmp_path):
    system = LTS.from_transitions([(s, "ab"[s % 2], (s + 1) % 9) for s in range(9)])
    path = tmp_path / "a.parts"
    parts.write(system, path, partitions=2)
    damage(path)
    for reader in (parts.read, lambda path: list(parts.aut_blocks(path))):
        with pytest.raises(FormatError, match=message):
            reader(path)


def test_missing_parts_are_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        parts.read(tmp_path / "none.parts")
    with pytest.raises(LtsError, match="one partition"):
        parts.write(LTS.from_transitions([(0, "a", 0)]), tmp_path / "a.parts", partitions=0)


def test_more_states_than_an_lts_has(tmp_path):
    big = 2**40
    with parts.FolderWriter(tmp_path / "a.parts", 1) as folder:
        part = parts.PartWriter(folder.directory, 0)
        part.states(np.array([0, big - 1], np.uint64))
        column = np.array([0, big - 1], np.uint64)
        part.transitions(column, np.zeros(2, np.uint32), column[::-1].copy())
        files = part.close()
        with pytest.raises(FormatError):
            parts.manifest(folder.directory)
        folder.finish(["a"], states=2, transitions=2, files=files)
    with pytest.raises(FormatError, match="a number that is not a state"):
        parts.read(tmp_path / "a.parts")
    facts = json.loads((tmp_path / "a.parts" / "manifest.json").read_text())
    shutil.rmtree(tmp_path / "a.parts")
    assert facts["states"] == 2


def test_labels_that_no_aut_file_holds(tmp_path):
    parts.write(LTS.from_transitions([(0, "two\nlines", 0)]), tmp_path / "a.parts")
    assert parts.read(tmp_path / "a.parts").labels == ("two\nlines",)
    with pytest.raises(FormatError, match="line"):
        list(parts.aut_blocks(tmp_path / "a.parts"))


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@example(LTS.from_transitions([(1, "a", 0), (0, "a", 1)]), 1, 40, False, True)
@given(
    systems(labels=LABELS),
    st.integers(1, 3),
    st.integers(1, 40),
    st.booleans(),
    st.booleans(),
)
def test_conversion_by_chunks_gives_the_same_folder(system, partitions, block, ordered, ended):
    if ordered:
        rows = sorted(system.transitions(), key=lambda row: row[0])
        system = LTS.from_transitions(rows, initial=system.initial, state_count=system.state_count)
    with tempfile.TemporaryDirectory() as name, mock.patch("aut_format.reader._BLOCK", block):
        folder = Path(name)
        text = aut_format.dumps(system)
        (folder / "s.aut").write_bytes(text if ended else text.rstrip(b"\n"))
        system = aut_format.read(folder / "s.aut")
        parts.write(system, folder / "whole.parts", partitions=partitions)
        reader = aut_format.Reader(folder / "s.aut")
        found = parts.write_stream(reader, folder / "pieces.parts", partitions=partitions)
        sources = system.source.tolist()
        if partitions > 1 and sources != sorted(sources):
            assert found is None
            assert not (folder / "pieces.parts").exists()
        else:
            assert found is not None
            assert found[1] == system.transition_count
            assert contents(folder / "pieces.parts") == contents(folder / "whole.parts")
        assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def test_invalid_text_leaves_no_folder(tmp_path, capfd):
    bad = tmp_path / "bad.aut"
    bad.write_text('des (0,3,2)\n(0,"a",1)\n(1,"b",7)\n', encoding="utf-8")
    for out, found in (("one.parts", 2), ("out.parts", 2)):
        assert main(["convert", str(bad), str(tmp_path / out)]) == found
        assert "bad.aut:3:8" in capfd.readouterr().err
    short = tmp_path / "short.aut"
    short.write_text('des (0,3,2)\n(0,"a",1)\n', encoding="utf-8")
    assert main(["convert", str(short), str(tmp_path / "out.parts")]) == 2
    assert "the header says 3 transitions, but the file has 1" in capfd.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.aut", "short.aut"]
    reader = aut_format.Reader(short)
    with pytest.raises(LtsError, match="not read to its end"):
        _ = reader.system


def test_reductions_are_refused_by_chunked_conversion(tmp_path, capfd):
    reduced = tmp_path / "r.aut"
    case = [str(ROOT / "cases/mutex.mcrl"), "--symmetry", str(ROOT / "cases/mutex.sym")]
    assert main(["reduce", *case, "-o", str(reduced)]) == 0
    assert main(["convert", str(reduced), str(tmp_path / "r.parts")]) == 2
    assert "is a reduction" in capfd.readouterr().err
    assert not (tmp_path / "r.parts").exists()
    assert main(["convert", str(reduced), str(tmp_path / "r.parts"), "--as-such"]) == 0
    assert main(["convert", str(tmp_path / "r.parts"), str(tmp_path / "again.aut")]) == 0
