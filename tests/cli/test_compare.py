"""What `compare` says can be replayed: by `simulate` on both systems, and by `check`."""

import io
import json

import pytest

from lts.equivalence import EQUIVALENCES
from ltstool.main import main

# The left one serves tea or coffee, whichever is wanted; the right one has made up its mind.
LEFT = 'des (0,4,4)\n(0,"insert coin",1)\n(1,"i",2)\n(2,"tea(1)",3)\n(2,"coffee(1)",3)\n'
RIGHT = """\
des (0,6,6)
(0,"insert coin",1)
(0,"insert coin",2)
(1,"tea(1)",3)
(2,"i",4)
(4,"coffee(1)",3)
(3,"stuck",5)
"""


@pytest.fixture
def files(tmp_path):
    left, right = tmp_path / "left.aut", tmp_path / "right.aut"
    left.write_text(LEFT)
    right.write_text(RIGHT)
    return str(left), str(right)


def ltstool(capsys, monkeypatch, *arguments, stdin=""):
    """Return the exit code, standard output and standard error of a command."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
    code = main([*map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


RELATIONS = [("-e", name) for name in EQUIVALENCES]
RELATIONS += [("--preorder", name) for name in ("trace", "weak-trace", "failures")]


@pytest.mark.parametrize("relation", RELATIONS, ids=" ".join)
def test_the_trace_replays_on_the_system_that_has_it(
    capsys, monkeypatch, files, tmp_path, relation
):
    evidence, trace = tmp_path / "evidence", tmp_path / "a.trace"
    output = ["--evidence", evidence, "--trace", trace, "--json"]
    code, out, err = ltstool(capsys, monkeypatch, "compare", *files, *relation, *output)
    assert (code, err) == (1, "")
    shown = json.loads(out)["evidence"]
    sides = files if shown["only"] == "left" else files[::-1]
    replay = [["simulate", file, "--replay", trace, "--json"] for file in sides]
    code, out, _ = ltstool(capsys, monkeypatch, *replay[0])
    assert code == 0
    labels = [line.partition(" ")[2] for line in trace.read_text().splitlines()[1:]]
    assert json.loads(out.splitlines()[-1])["position"] == len(labels)
    if "formula" in shown:
        assert labels == shown["along"]
        formula = evidence.read_text()
        for given in (formula, f"@{evidence}"):
            words = [["check", file, given] for file in sides]
            assert [ltstool(capsys, monkeypatch, *each)[0] for each in words] == [0, 1]
    else:
        assert evidence.read_text() == trace.read_text()
        assert [a for a in labels if a != "i" or relation[1] == "trace"] == shown["trace"]
    if relation[1] == "trace":
        code, _, err = ltstool(capsys, monkeypatch, *replay[1])
        assert code == 2
        assert f"step {len(labels)} of the trace" in err


def test_a_trace_has_the_names_that_were_hidden(capsys, monkeypatch, files, tmp_path):
    trace = tmp_path / "a.trace"
    hidden = ["--hide", "insert coin,stuck", "--trace", trace]
    preorder = ["--preorder", "failures"]
    code, out, _ = ltstool(capsys, monkeypatch, "compare", *files, *preorder, *hidden)
    assert code == 1
    assert "only" in out
    assert trace.read_text().startswith("%trace 1\n1 insert coin\n")
    assert ltstool(capsys, monkeypatch, "simulate", files[1], "--replay", trace)[0] == 0


def test_what_is_hidden_in_one_system_only_is_no_mistake(capsys, monkeypatch, files):
    words = ["compare", *files, "-e", "weak", "--hide"]
    assert ltstool(capsys, monkeypatch, *words, "stuck")[2] == ""
    err = ltstool(capsys, monkeypatch, *words, "stuck,absent")[2]
    assert err == "ltstool: nothing to hide: no action or label is absent\n"


def test_one_system_may_come_through_a_pipe_but_not_both(capsys, monkeypatch, files):
    code, out, err = ltstool(
        capsys, monkeypatch, "compare", "-", files[1], "-e", "strong", stdin=RIGHT
    )
    assert (code, out, err) == (0, "equivalent\n", "")
    code, _, err = ltstool(capsys, monkeypatch, "compare", "-", "-", "-e", "strong")
    assert code == 2
    assert err == "ltstool: only one of the two systems can come from standard input\n"


def test_long_evidence_is_cut_for_readers(capsys, monkeypatch, tmp_path):
    files = []
    for length in (3000, 3001):
        rows = "".join(f"({i},a,{i + 1})\n" for i in range(length))
        files.append(tmp_path / f"{length}.aut")
        files[-1].write_text(f"des (0,{length},{length + 1})\n{rows}")
    evidence = tmp_path / "evidence"
    words = ["compare", *files, "-e", "strong", "--evidence", evidence]
    _, out, _ = ltstool(capsys, monkeypatch, *words)
    lines = out.splitlines()
    assert lines[1].endswith("of 9007 characters, too long to be shown; a run along it begins")
    assert lines[2] == "  " + "a " * 200 + "... (and 2801 more)"
    assert evidence.read_text() == "<a>" * 3001 + "true\n"
    _, out, _ = ltstool(capsys, monkeypatch, "compare", *files, "-e", "trace")
    assert out.endswith(" ... (and 2801 more)\n")


def test_a_long_formula_is_checked_from_its_file(capsys, monkeypatch, tmp_path):
    files = [tmp_path / "x.aut", tmp_path / "y.aut"]
    rows = [(0, "a", 1), (0, "a", 2)]
    for i in range(1, 400, 2):
        rows += [
            (i, "a", i + 2),
            (i + 1, "a", i + 3),
            (i + 1, "a", i + 2),
            (i, "b", i),
            (i + 1, "c", 1),
        ]
    for file, last in zip(files, "de", strict=True):
        each = [*rows, (401, last, 401)]
        lines = "".join(f"({s},{a},{t})\n" for s, a, t in each)
        file.write_text(f"des (0,{len(each)},403)\n{lines}")
    evidence = tmp_path / "formula"
    code, out, _ = ltstool(
        capsys, monkeypatch, "compare", *files, "-e", "strong", "--evidence", evidence
    )
    assert (code, len(out) < 3000) == (1, True)
    sides = files if f"only {files[0]}" in out else files[::-1]
    words = [["check", file, f"@{evidence}"] for file in sides]
    assert [ltstool(capsys, monkeypatch, *each)[0] for each in words] == [0, 1]


def test_a_misspelt_action_is_remarked_on(capsys, monkeypatch, files):
    hints = {
        "<Tea(1)>true": "no label is `Tea(1)`; did you mean `tea(1)`?",
        "<tea>true": "no label is `tea`, but some have arguments: `tea(...)` is any of them",
        "<i>true": "`i` is internal here: a formula calls it `tau`",
        "<tae(...)>true": "no label is `tae(...)`; did you mean `tea(...)`?",
        "<xyz>true": "no label is `xyz`",
    }
    for formula, hint in hints.items():
        words = ["check", files[0], formula]
        assert ltstool(capsys, monkeypatch, *words) == (1, "false\n", f"ltstool: {hint}\n")
        assert ltstool(capsys, monkeypatch, *words, "-q")[2] == ""
    shown = json.loads(ltstool(capsys, monkeypatch, *words, "-q", "--json")[1])
    assert shown == {"holds": False, "unknown_actions": ["xyz"]}


def test_an_error_in_a_formula_file_is_told_with_its_place(capsys, monkeypatch, files, tmp_path):
    file = tmp_path / "formula.mcf"
    file.write_text("% the machine takes coins\n<insert coin>true\n")
    code, _, err = ltstool(capsys, monkeypatch, "check", files[0], f"@{file}")
    assert code == 2
    assert err.startswith(f"ltstool: {file}:2:9: expected `>`, not `coin`")
