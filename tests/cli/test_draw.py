"""`ltstool draw`."""

import json
import re
from xml.etree import ElementTree

import pytest

import aut_format
from lts import LTS
from ltstool.main import main

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [(0, f"a(d{i})", i) for i in (1, 2, 3)] + [(i, f"b(d{i})", 0) for i in (1, 2, 3)]


def write(path, rows, **more):
    aut_format.write(LTS.from_transitions(rows, **more), path)
    return str(path)


def circles(group):
    return [circle.get("fill") for circle in group.iter(f"{SVG}circle")]


def texts(group):
    return ["".join(text.itertext()) for text in group.iter(f"{SVG}text")]


def panels(path):
    found = ElementTree.parse(path).getroot().findall(f"{SVG}g")
    return [group for group in found if group.get("class") != "legend"]


def test_an_lts_and_its_reduction(tmp_path):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "a.svg"
    assert main(["draw", file, "--symmetry", "(d1 d2 d3)", "-o", str(out)]) == 0
    original, reduction = panels(out)
    white, *others = circles(original)
    assert white == "#ffffff"
    assert len(others) == 3
    assert len(set(others)) == 1
    assert circles(reduction) == [white, others[0]]
    assert {a for _, a, _ in ROWS} <= set(texts(original))
    assert "original: 4 states, 6 transitions" in texts(original)
    dashed = [path for path in reduction.iter(f"{SVG}path") if path.get("stroke-dasharray")]
    assert len(dashed) == len([text for text in texts(reduction) if text.startswith("rho(")]) > 0


def test_draw_uses_all_symmetries_by_default(tmp_path):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "a.svg"
    assert main(["draw", file, "-o", str(out)]) == 0
    [panel] = panels(out)
    assert len(set(circles(panel)[1:])) == 1


def test_dot(tmp_path):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "a.dot"
    assert main(["draw", file, "--symmetry", "(d1 d2 d3)", "-o", str(out)]) == 0
    text = out.read_text()
    assert text.count("subgraph") == 2
    assert len(set(re.findall(r's0_[123] \[.*fillcolor="(.*)"', text))) == 1
    assert 'label="b(d1)"' in text
    assert main(["draw", file, "--to", "svg", "-o", str(out)]) == 0
    assert out.read_text().startswith("<svg")


def test_symmetry_of_the_minimal_system_is_remarked(tmp_path, capfd):
    rows = [(0, "a(1)", 1), (0, "a(2)", 2), (0, "a(2)", 3)]
    file, out = write(tmp_path / "a.aut", rows), tmp_path / "a.svg"
    assert main(["draw", file, "-o", str(out)]) == 0
    assert "`(1 2)` is not shown: minimise" in capfd.readouterr().err
    assert main(["draw", file, "--symmetry", "(1 2)"]) != 0


def test_json(tmp_path, capfd):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "a.svg"
    command = ["draw", file, "--symmetry", "(d1 d2 d3)", "--json"]
    assert main(command) == 0
    original, reduction = json.loads(capfd.readouterr().out)
    assert (original["states"], original["transitions"]) == (4, 6)
    assert original["orbits"] == [[1, 2, 3]]
    assert (reduction["states"], reduction["orbits"]) == (2, [[1]])
    assert main([*command, "-o", str(out)]) == 0
    assert json.loads(capfd.readouterr().out) == [original, reduction]
    assert len(panels(out)) == 2


def test_labels_are_escaped_in_svg(tmp_path):
    rows = [(0, '<&">\x07]]>', 0), (0, "a" * 99, 0), (0, "é😀\udcff", 1)]
    file, out = write(tmp_path / "a.aut", rows), tmp_path / "a.svg"
    assert main(["draw", file, "-o", str(out)]) == 0
    [panel] = panels(out)
    assert '<&">\ufffd]]>' in texts(panel)
    titles = [title.text for title in panel.iter(f"{SVG}title")]
    assert any("a" * 99 in title for title in titles)  # the label that is shortened


@pytest.mark.parametrize("more", [[], ["--symmetry", "(1 2)"]])
def test_too_large_systems_are_refused(tmp_path, capfd, more):
    file = write(tmp_path / "a.aut", [(i, "a(1)", i + 1) for i in range(200)])
    assert main(["draw", file, *more]) == 2
    assert "201 states are too many to draw, at most 200" in capfd.readouterr().err
    # What cannot be reached is not drawn.
    file = write(tmp_path / "a.aut", [(0, "a", 1)], state_count=1000)
    assert main(["draw", file]) == 0


def test_no_specification():
    assert main(["draw", "a.mcrl"]) == 2


def test_titles_ids_and_the_legend(tmp_path):
    rows = [*ROWS, (0, "tau", 4)]
    file, out = write(tmp_path / "a.aut", rows), tmp_path / "a.svg"
    assert main(["draw", file, "--symmetry", "(d1 d2 d3)", "-o", str(out)]) == 0
    root = ElementTree.parse(out).getroot()
    titled = {
        group.get("id"): group.findtext(f"{SVG}title")
        for group in root.iter(f"{SVG}g")
        if group.get("id")
    }
    assert titled["panel-0-state-0"] == "state 0, initial"
    assert titled["panel-0-state-4"] == "state 4, deadlock"
    assert titled["panel-0-state-1"] == titled["panel-0-state-2"].replace("2", "1", 1)
    assert titled["panel-0-step-0-3"] == "a(d3)"
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(set(ids)) == len(ids)
    legend = [group for group in root if group.get("class") == "legend"]
    expected = ["orbit 0 of 3 states", "deadlock", "internal step", "rho-step"]
    assert [text for group in legend for text in texts(group)] == expected
    [original, _] = panels(out)
    # A deadlock is a square, so four of five states are circles.
    assert len(circles(original)) == 4


def test_many_orbits_are_hatched(tmp_path):
    triples = [(0, f"a{k}({d})", 1 + 2 * k + i) for k in range(20) for i, d in enumerate("xy")]
    file, out = write(tmp_path / "a.aut", triples), tmp_path / "a.svg"
    assert main(["draw", file, "-o", str(out)]) == 0
    root = ElementTree.parse(out).getroot()
    fills = {
        rect.get("fill")
        for group in root.iter(f"{SVG}g")
        if "-state-" in group.get("id", "")
        for rect in group.findall(f"{SVG}rect")
    }
    assert len(fills) == 20
    defined = {f"url(#{pattern.get('id')})" for pattern in root.iter(f"{SVG}pattern")}
    assert defined == {fill for fill in fills if fill.startswith("url")}
    assert len(defined) == 12
    assert main(["draw", file, "--to", "dot", "-o", str(out)]) == 0
    looks = re.findall(
        r'tooltip="orbit (\d+)", style=filled(?:, shape=(\w+))?, fillcolor="(.*)"', out.read_text()
    )
    assert len(set(looks)) == len({look[1:] for look in looks}) == 20


@pytest.mark.parametrize("end", ["png", "pdf", "bmp"])
def test_other_formats_are_refused(tmp_path, capfd, end):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / f"a.{end}"
    assert main(["draw", file, "-o", str(out)]) == 2
    assert (
        f"unknown format `.{end}`; the formats are .svg, .dot, .gv, .tex" in capfd.readouterr().err
    )
    assert not out.exists()


def test_max_states_allows_larger_drawings(tmp_path, capfd):
    file, out = write(tmp_path / "a.aut", [(i, "a", i + 1) for i in range(250)]), tmp_path / "a.svg"
    assert main(["draw", file, "-o", str(out)]) == 2
    assert main(["draw", file, "--max-states", "251", "-o", str(out)]) == 0
    assert main(["draw", file, "--max-states", "250", "-o", str(out)]) == 2
    assert "251 states are too many to draw, at most 250" in capfd.readouterr().err
    assert main(["draw", "cases/abp.mcrl", "--max-states", "50", "-o", str(out)]) == 3


def test_the_orbits_of_a_specification(tmp_path):
    words = ["cases/mutex.mcrl", "--set", "N=3", "--symmetry", "Pid", "-q"]
    out = tmp_path / "a.svg"
    assert main(["draw", *words, "-o", str(out)]) == 0
    original, reduction = panels(out)
    assert "original: 20 states, 48 transitions" in texts(original)
    coloured = circles(original)
    assert set(circles(reduction)) == set(coloured)
    # What is hidden moves all the same.
    assert main(["draw", *words, "--hide", "try,enter,leave", "-o", str(out)]) == 0
    assert circles(panels(out)[0]) == coloured
    assert not {text for text in texts(panels(out)[0]) if text.startswith("try")}
