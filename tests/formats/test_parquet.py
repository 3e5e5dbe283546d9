"""Parquet files: of ours, of others, and damaged ones; and what is only written."""

import json
import subprocess
import sys

import networkx
import pandas
import pyarrow
import pytest
from pyarrow import parquet

from lts import LTS, FormatError, FormatWarning, LtsError, read, write

ROWS = [(0, "a", 1), (1, "tau", 2), (1, "tau", 2), (2, "b", 0)]


def system():
    return LTS.from_transitions(ROWS, initial=1, state_count=5)


def test_parquet_file_is_a_plain_table(tmp_path):
    write(system(), tmp_path / "x.parquet")
    frame = pandas.read_parquet(tmp_path / "x.parquet")
    assert [tuple(row) for row in frame.itertuples(index=False)] == ROWS
    assert list(frame.columns) == ["source", "label", "target"]
    facts = json.loads(parquet.read_schema(tmp_path / "x.parquet").metadata[b"lts"])
    assert facts == {"initial": 1, "states": 5, "internal": ["tau"]}


def test_foreign_tables_are_accepted(tmp_path):
    frame = pandas.DataFrame(
        {"target": [1, 0], "weight": [0.5, 1.0], "label": ["a", "b"], "source": [0, 1]}
    )
    frame.to_parquet(tmp_path / "x.parquet")
    with pytest.warns(FormatWarning, match="left out: `weight`"):
        found = read(tmp_path / "x.parquet")
    assert list(found) == [(0, "a", 1), (1, "b", 0)]
    assert (found.initial, found.state_count) == (0, 2)


def test_files_of_many_row_groups(tmp_path, monkeypatch):
    from lts.formats import parquet as ours

    monkeypatch.setattr(ours, "GROUP_ROWS", 7)
    large = LTS.from_transitions([(n, f"a{n % 13}", n // 2) for n in range(100)])
    write(large, tmp_path / "x.parquet")
    assert parquet.ParquetFile(tmp_path / "x.parquet").num_row_groups == 15
    assert list(read(tmp_path / "x.parquet")) == list(large)


def test_labels_that_no_transition_has_are_not_read(tmp_path):
    labels = pyarrow.DictionaryArray.from_arrays([2, 0], ["a", "b", "c"])
    table = pyarrow.table({"source": [0, 1], "label": labels, "target": [1, 0]})
    parquet.write_table(table, tmp_path / "x.parquet")
    assert {*read(tmp_path / "x.parquet").labels} == {"a", "c"}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": [0], "label": ["a"]}, "the columns source, label and target are required"),
        ({"source": [0], "label": [1], "target": [0]}, "label has type int64, not texts"),
        ({"source": [0.5], "label": ["a"], "target": [0]}, "source has type double, not integers"),
        (
            {"source": [-1], "label": ["a"], "target": [0]},
            "source contains a number that is not a state",
        ),
        (
            {"source": [0], "label": ["a"], "target": [2**32]},
            "target contains a number that is not",
        ),
        ({"source": [0], "label": [None], "target": [0]}, "label has type null|without a value"),
        (
            {"source": [0], "label": ["a"], "target": [2**32 - 2]},
            "too many states without transitions",
        ),
    ],
)
def test_wrong_tables(columns, message, tmp_path):
    parquet.write_table(pyarrow.table(columns), tmp_path / "x.parquet")
    with pytest.raises(FormatError, match=message):
        read(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    "facts",
    [
        *(b"", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"initial": 0, "states": 2}'),
        b'{"initial": 3, "states": 2, "internal": []}',
        b'{"initial": 0, "states": 1, "internal": []}',
    ],
)
def test_wrong_metadata(facts, tmp_path):
    table = pyarrow.table({"source": [0], "label": ["a"], "target": [1]})
    parquet.write_table(table.replace_schema_metadata({b"lts": facts}), tmp_path / "x.parquet")
    with pytest.raises(FormatError, match="metadata"):
        read(tmp_path / "x.parquet")


def test_damaged_files_are_refused(tmp_path):
    write(system(), tmp_path / "x.parquet")
    data = (tmp_path / "x.parquet").read_bytes()
    for end in range(0, len(data), 7):
        (tmp_path / "x.parquet").write_bytes(data[:end])
        with pytest.raises(FormatError):
            read(tmp_path / "x.parquet")


def test_graphml(tmp_path):
    odd = LTS.from_transitions([(0, 'a <&> "b"\r\n', 1), (1, "tau", 0), (0, " ", 0)], initial=1)
    write(odd, tmp_path / "x.graphml")
    graph = networkx.read_graphml(tmp_path / "x.graphml", force_multigraph=True)
    edges = [(s, found["label"], t) for s, t, found in graph.edges(data=True)]
    assert sorted(edges) == sorted((f"n{s}", a, f"n{t}") for s, a, t in odd)
    assert [n for n, found in graph.nodes(data=True) if found.get("initial")] == ["n1"]
    internal = [found["label"] for _, _, found in graph.edges(data=True) if found.get("internal")]
    assert internal == ["tau"]
    for label in ("\x00", "\udcff"):
        with pytest.raises(FormatError, match="the label"):
            write(LTS.from_transitions([(0, label, 0)]), tmp_path / "y.graphml")
        assert not (tmp_path / "y.graphml").exists()


def test_json(tmp_path):
    write(system(), tmp_path / "x.json")
    found = json.loads((tmp_path / "x.json").read_text())
    assert [(s, found["labels"][a], t) for s, a, t in found["transitions"]] == ROWS
    assert (found["initial"], found["states"], found["internal"]) == (1, 5, ["tau"])
    write(LTS.from_transitions([]), tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text())["transitions"] == []


MUTANTS = """
import io, random
from lts import LTS, LtsError
from lts.formats import parquet
written = io.BytesIO()
parquet.write(LTS.from_transitions([(0, "a", 1), (1, "ab !1", 2), (2, "c(d)", 0)]), written)
accepted = 0
for seed in range(4000):
    chance, data = random.Random(seed), bytearray(written.getvalue())
    for _ in range(chance.choice((1, 1, 2, 4))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        parquet.read(io.BytesIO(data), None)
        accepted += 1
    except LtsError:
        pass
print(accepted)
"""


def test_damaged_metadata_do_not_abort_python():
    """Exceptions of C++ that pyarrow does not catch would abort the process."""
    done = subprocess.run([sys.executable, "-c", MUTANTS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    assert 100 < int(done.stdout) < 3_900


def test_broken_package_is_not_reported_missing(monkeypatch, tmp_path):
    """Without memory for its libraries, importing a package fails as well."""

    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == "pyarrow":
                raise ImportError("libarrow.so: cannot allocate memory")

    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(LtsError, match=r"could not be loaded: .*cannot allocate memory"):
        write(system(), tmp_path / "x.parquet")


def test_ignored_columns_are_named(tmp_path):
    columns = {"source": [0], "label": ["a"], "target": [1]}
    table = pyarrow.table({**columns, "__index_level_0__": [7]})
    parquet.write_table(table, tmp_path / "index.parquet")
    assert [*read(tmp_path / "index.parquet")] == [(0, "a", 1)]
    table = pyarrow.table({"probability": [0.5], **columns, **{f"x{n}": [n] for n in range(5)}})
    parquet.write_table(table, tmp_path / "x.parquet")
    with pytest.warns(FormatWarning, match=r"left out: `probability`, `x0`.* and others"):
        assert [*read(tmp_path / "x.parquet")] == [(0, "a", 1)]
