"""`ltstool view`."""

import base64
import io
import json
import re
from pathlib import Path

import pytest

import aut_format
from lts import LTS
from ltstool.main import main
from page_contents import colouring, content, rows, values

ROWS = [(0, "a(d1)", 1), (0, "a(d2)", 2), (1, "b(d1)", 0), (2, "b(d2)", 0)]


def write(path, rows, **more):
    aut_format.write(LTS.from_transitions(rows, **more), path)
    return str(path)


def pages(path):
    return content(path.read_bytes())["systems"]


def test_page_is_written_to_the_working_folder(tmp_path, monkeypatch, capsys):
    (tmp_path / "elsewhere").mkdir()
    file = write(tmp_path / "elsewhere" / "small.aut", ROWS)
    monkeypatch.chdir(tmp_path)
    assert main(["view", file]) == 0
    assert capsys.readouterr().out == "small.html: open it in a browser\n"
    assert rows(pages(tmp_path / "small.html")[0]) == ROWS
    # Again, and over what is no page of ltstool.
    assert main(["view", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "page": "small.html",
        "states": 3,
        "transitions": 4,
    }
    (tmp_path / "small.html").write_text("<h1>mine</h1>")
    assert main(["view", file]) == 2
    assert "is not a page of ltstool" in capsys.readouterr().err
    assert (tmp_path / "small.html").read_text() == "<h1>mine</h1>"


def test_to_standard_output(tmp_path, capfdbinary):
    assert main(["view", write(tmp_path / "a.aut", ROWS), "-o", "-"]) == 0
    [system] = content(capfdbinary.readouterr().out)["systems"]
    assert rows(system) == ROWS


def followed(path):
    """Return the trace that a page follows, as a text."""
    [text] = re.findall(
        rb'<script type="text/plain" id="replay">([^<]*)</script>', path.read_bytes()
    )
    return base64.b64decode(text).decode("utf-8", "surrogateescape")


def test_a_trace_that_the_page_follows(tmp_path, capsys):
    # Of equal labels the choice is written, as of the second `a`; a plain trace leaves it open.
    file = write(tmp_path / "a.aut", [(0, "a", 1), (0, "a", 2), (2, "\udcffλ", 0)])
    trace, out = tmp_path / "t.trace", tmp_path / "p.html"
    trace.write_bytes("a\n\udcffλ\n".encode("utf-8", "surrogateescape"))
    assert main(["view", file, "--replay", str(trace), "-o", str(out)]) == 0
    assert followed(out) == "%trace 1\n2 a\n1 \udcffλ\n"
    assert main(["view", file, file, "--replay", str(trace), "-o", str(out)]) == 0
    assert followed(out) == "%trace 1\n2 a\n1 \udcffλ\n"
    assert main(["view", file, "-o", str(out)]) == 0
    assert followed(out) == ""
    (tmp_path / "t.seq").write_text('"a"\n')
    assert main(["view", file, "--replay", str(tmp_path / "t.seq"), "-o", str(out)]) == 0
    assert followed(out) == "%trace 1\n1 a\n"
    # Labels are those of the page.
    trace.write_text("tau\n")
    words = ["--replay", str(trace), "-o", str(tmp_path / "q.html")]
    assert main(["view", file, "--hide", "a", *words]) == 0
    capsys.readouterr()
    (tmp_path / "q.html").unlink()
    assert main(["view", file, *words]) == 2
    assert "step 1 of the trace: `tau` is not possible, but `a`" in capsys.readouterr().err
    assert not (tmp_path / "q.html").exists()
    reduction = tmp_path / "r.aut"
    given = write(tmp_path / "b.aut", ROWS)
    assert main(["reduce", given, "--symmetry", "(d1 d2)", "-o", str(reduction)]) == 0
    assert main(["view", str(reduction), *words]) == 2
    assert "--replay applies to a system" in capsys.readouterr().err


def test_view_has_the_requested_colourings(tmp_path):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "p.html"
    words = ["-e", "strong", "-e", "weak", "--formula", "<b(...)>true", "--symmetry", "(d1 d2)"]
    assert main(["view", file, *words, "-o", str(out)]) == 0
    [system] = pages(out)
    assert colouring(system, "<b(...)>true") == ["does not hold", "holds", "holds"]
    orbits = colouring(system, "orbits")
    assert orbits[1] == orbits[2] != orbits[0]
    assert len(set(colouring(system, "strong blocks"))) == 3
    assert main(["view", file, "--hide", "b", "-o", str(out)]) == 0
    assert {label for _, label, _ in rows(pages(out)[0])} == {"a(d1)", "a(d2)", "tau"}


def test_a_formula_from_a_file(tmp_path):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "p.html"
    (tmp_path / "f.mcf").write_text("<true>\n  true")
    assert main(["view", file, "--formula", f"@{tmp_path / 'f.mcf'}", "-o", str(out)]) == 0
    assert set(colouring(pages(out)[0], "<true> true")) == {"holds"}
    assert (
        main(["view", file, "--formula", f"@{tmp_path / 'f.mcf'}", "-o", str(tmp_path / "f.mcf")])
        == 2
    )


def test_a_specification_with_its_data(tmp_path):
    out = tmp_path / "p.html"
    assert main(["view", "cases/abp.mcrl", "--hide", "c2", "-o", str(out)]) == 0
    [system] = pages(out)
    assert system["states"] == 97
    known = values(system)
    assert {each["S", "n"] for each in known if ("S", "n") in each} == {"0", "1"}
    assert len({tuple(each.items()) for each in known}) == 97


def test_a_network(tmp_path):
    write(tmp_path / "one.aut", [(0, "a", 1), (1, "b", 0)])
    (tmp_path / "n.exp").write_text('"one.aut" || "one.aut"')
    out = tmp_path / "p.html"
    assert main(["view", str(tmp_path / "n.exp"), "-o", str(out)]) == 0
    [system] = pages(out)
    assert system["states"] == len({tuple(each.items()) for each in values(system)}) > 1


@pytest.mark.parametrize(
    ("words", "orbits"),
    [
        (["cases/peterson.mcrl", "--set", "N=3", "--symmetry", "Pid"], 130),
        (["cases/peterson.mcrl", "--set", "N=3", "--symmetry", "auto"], 130),
        (["cases/peterson.mcrl", "--set", "N=3", "--symmetry", "cases/peterson.sym"], 224),
        (["cases/lamps.mcrl", "--set", "N=4", "--symmetry", "() with rotated"], 6),
        (
            [
                "cases/hanoi.mcrl",
                "--set",
                "poles=4",
                "--set",
                "discs=4",
                "--hide",
                "move",
                "--symmetry",
                "Pole",
            ],
            51,
        ),
        (["NETWORK", "--symmetry", "auto"], 3),
        (["NETWORK", "--symmetry", "(1 2)"], 3),
    ],
)
def test_view_shows_orbits_of_the_source(words, orbits, tmp_path):
    for number in (1, 2):
        text = f'des (0,2,2)\n(0,"go({number})",1)\n(1,"back({number})",0)\n'
        (tmp_path / f"{number}.aut").write_text(text)
    (tmp_path / "n.exp").write_text('"1.aut" ||| "2.aut"')
    out = tmp_path / "p.html"
    given = [str(tmp_path / "n.exp") if word == "NETWORK" else word for word in words]
    assert main(["view", *given, "-q", "-o", str(out)]) == 0
    [system] = pages(out)
    assert len(set(colouring(system, "orbits"))) == orbits


def test_piped_specification_is_read_once(tmp_path, monkeypatch):
    data = io.BytesIO(Path("cases/hanoi.mcrl").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data))
    out = tmp_path / "p.html"
    assert main(["view", "--language", "mucrl", "--symmetry", "auto", "-q", "-o", str(out)]) == 0
    assert colouring(pages(out)[0], "orbits")


def test_a_reduction_beside_its_original(tmp_path, capsys):
    file, out = tmp_path / "r.aut", tmp_path / "p.html"
    given = write(tmp_path / "a.aut", ROWS)
    assert main(["reduce", given, "--symmetry", "(d1 d2)", "-o", str(file)]) == 0
    assert main(["view", str(file), "-o", str(out)]) == 0
    original, reduction = pages(out)
    assert (original["states"], reduction["states"]) == (3, 2)
    assert set(colouring(original, "orbits")) == set(colouring(reduction, "orbits"))
    assert main(["view", str(file), "--as-such", "-o", str(out)]) == 0
    [system] = pages(out)
    assert system["states"] == 2
    capsys.readouterr()
    assert main(["view", str(file), "-e", "weak", "-o", str(out)]) == 2
    assert "is a reduction, shown next to its original" in capsys.readouterr().err


def test_two_systems(tmp_path, capsys):
    left = write(tmp_path / "left.aut", [(0, "a", 1), (1, "b", 2), (1, "c", 2)])
    right = write(tmp_path / "right.aut", [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)])
    out = tmp_path / "p.html"
    assert main(["view", left, right, "-e", "strong", "--json", "-o", str(out)]) == 0
    assert json.loads(capsys.readouterr().out)["equivalent"] is False
    said = content(out.read_bytes())
    assert said["title"].endswith("are not equivalent modulo strong bisimulation")
    assert said["difference"]["labels"][0] == "a"
    assert main(["view", left, right, "-e", "trace", "-o", str(out)]) == 0
    assert content(out.read_bytes())["difference"] is None
    assert main(["view", left, right, "-o", str(out)]) == 0
    assert content(out.read_bytes())["difference"] is None


@pytest.mark.parametrize(
    ("words", "message", "code"),
    [
        (["FILE", "-e", "nothing"], "nothing", 2),
        (["FILE", "-e", "trace"], "no blocks of states", 2),
        (["FILE", "--formula", "<a"], "", 2),
        (["FILE", "--max-states", "2"], "3 states are too many for a page", 3),
        (["cases/abp.mcrl", "--max-states", "2"], "more than 2 states", 3),
        (["FILE", "--symmetry", "(d1 d9)"], "d9", 1),
        (["cases/peterson.mcrl", "--symmetry", "Pidd"], "unknown sort `Pidd`", 2),
        (
            ["cases/philosophers.mcrl", "--set", "N=3", "--symmetry", "(p1 p2)"],
            "is no symmetry",
            1,
        ),
        (["FILE", "--symmetry", "auto"], "sorts and `auto` apply only to specifications", 2),
        (["FILE", "FILE", "--symmetry", "(d1 d2)"], "--symmetry applies to one system", 2),
        (["FILE", "FILE", "-e", "weak", "-e", "strong"], "give -e once", 2),
        (["-", "-"], "only one of the two systems", 2),
        (["FILE", "--set", "N=3"], "--set applies to a specification", 2),
        (["missing.aut"], "missing.aut", 2),
    ],
)
def test_refused_options_leave_no_page(words, message, code, tmp_path, capsys):
    file, out = write(tmp_path / "a.aut", ROWS), tmp_path / "p.html"
    given = [file if word == "FILE" else word for word in words]
    assert main(["view", *given, "-o", str(out)]) == code
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_title_has_the_parameters(tmp_path, capfd):
    out = tmp_path / "a.html"
    command = ["view", "cases/mutex.mcrl", "--set", "N=2", "-o", str(out)]
    assert main(command) == 0
    assert "<title>cases/mutex.mcrl, N=2</title>" in out.read_text()
    file = tmp_path / "a.aut"
    aut_format.write(LTS.from_transitions([(0, "a", 0)]), file)
    assert main([command[0], str(file), *command[1:]]) == 0
    assert f"<title>{file} and cases/mutex.mcrl, N=2</title>" in out.read_text()
