"""`ltstool find-symmetry`."""

import json
import tomllib

import pytest

import aut_format
from lts import LTS
from lts.symmetry import parse_symmetry_file
from ltstool.main import main


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.aut"
    rows = [(0, f"a(d{i})", i) for i in (1, 2, 3)] + [(i, f"b(d{i})", 0) for i in (1, 2, 3)]
    aut_format.write(LTS.from_transitions(rows), path)
    return str(path)


def test_a_symmetry_file_is_written(file, tmp_path):
    out = tmp_path / "a.sym"
    assert main(["find-symmetry", file, "-o", str(out)]) == 0
    table = tomllib.loads(out.read_text())
    assert (table["order"], table["generators"]) == (6, ["(d2 d3)", "(d1 d2)"])
    assert out.read_text().count("# orbit: ") == 2
    symmetry = parse_symmetry_file(out.read_text())
    assert out.read_text().endswith(f"\n{symmetry}")


def test_json(file, capfd):
    assert main(["find-symmetry", file, "--json", "--any"]) == 0
    assert json.loads(capfd.readouterr().out)["order"] == 6


def test_json_beside_the_symmetry_file(file, tmp_path, capfd):
    out = tmp_path / "a.sym"
    assert main(["find-symmetry", file, "--json", "-o", str(out)]) == 0
    report = json.loads(capfd.readouterr().out)
    table = tomllib.loads(out.read_text())
    assert (report["order"], report["generators"]) == (table["order"], table["generators"])
    orbits = [["a(d1)", "a(d2)", "a(d3)"], ["b(d1)", "b(d2)", "b(d3)"]]
    assert sorted(report["orbits"]) == orbits
    assert main(["find-symmetry", file, "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == report


def test_labels_of_any_text(tmp_path, capfd):
    path = tmp_path / "a.aut"
    aut_format.write(LTS.from_transitions([(0, "a\x01(😀)", 1), (0, "a\x01(é)", 1)]), path)
    assert main(["find-symmetry", str(path)]) == 0
    assert tomllib.loads(capfd.readouterr().out)["order"] == 2


def test_labels_of_several_lines(tmp_path, capfd):
    path = tmp_path / "a.aut"
    aut_format.write(LTS.from_transitions([(0, f"a\r{n}", n) for n in range(1, 4)]), path)
    assert main(["find-symmetry", str(path), "--any"]) == 0
    text = capfd.readouterr().out
    assert tomllib.loads(text)["order"] == 6
    assert "all permutations of " in text


def test_missing_symmetry_and_missing_file(tmp_path):
    path = tmp_path / "a.aut"
    aut_format.write(LTS.from_transitions([(0, "a(1)", 1)]), path)
    out = tmp_path / "a.sym"
    assert main(["find-symmetry", str(path), "-o", str(out)]) == 1
    assert parse_symmetry_file(out.read_text()).order == 1
    assert main(["find-symmetry", "a.mcrl"]) == 2


@pytest.mark.parametrize(
    "processes", ["X(i:P) = tau.X(i) init X(p1) || X(p2)", "X(i:P) = c(i).delta init X(p1)"]
)
def test_no_candidates_exit_without_a_refutation(processes, tmp_path, capsys):
    path = tmp_path / "one.mcrl"
    path.write_text(f"%@ include Enum of p1,p2 as P\nact c: P\nproc {processes}\n")
    assert main(["find-symmetry", str(path)]) == 3
    assert "none was found" in capsys.readouterr().out
