"""What `compare` says can be replayed: by `simulate` on both systems, and by `check`."""

import io
import json

import pytest

from lts.equivalence import EQUIVALENCES, PREORDERS
from lts.equivalence.names import COMPARED
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
    # These systems have an `i`, which is remarked on every time.
    remarks = [line for line in err.splitlines(True) if "is read as internal" not in line]
    return code, out, "".join(remarks)


RELATIONS = [("-e", name) for name in EQUIVALENCES]
RELATIONS += [("--preorder", name) for name in PREORDERS]


@pytest.mark.parametrize("relation", RELATIONS, ids=" ".join)
def test_evidence_trace_replays_on_its_system(capsys, monkeypatch, files, tmp_path, relation):
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
        known = COMPARED if relation[0] == "-e" else PREORDERS
        counts_internal = known[relation[1]].counts_internal
        assert [a for a in labels if a != "i" or counts_internal] == shown["trace"]
    if relation[1] == "trace":
        code, _, err = ltstool(capsys, monkeypatch, *replay[1])
        assert code == 2
        assert f"step {len(labels)} of the trace" in err


def test_trace_has_the_labels_before_hiding(capsys, monkeypatch, files, tmp_path):
    trace = tmp_path / "a.trace"
    hidden = ["--hide", "insert coin,stuck", "--trace", trace]
    preorder = ["--preorder", "failures"]
    code, out, _ = ltstool(capsys, monkeypatch, "compare", *files, *preorder, *hidden)
    assert code == 1
    assert "only" in out
    assert trace.read_text().startswith("%trace 1\n1 insert coin\n")
    assert ltstool(capsys, monkeypatch, "simulate", files[1], "--replay", trace)[0] == 0


def test_hiding_in_one_system_gives_no_remark(capsys, monkeypatch, files):
    words = ["compare", *files, "-e", "weak", "--hide"]
    assert ltstool(capsys, monkeypatch, *words, "stuck")[2] == ""
    err = ltstool(capsys, monkeypatch, *words, "stuck,absent")[2]
    assert err == "ltstool: warning: nothing to hide: no action or label is absent\n"


def test_only_one_system_may_be_standard_input(capsys, monkeypatch, files):
    code, out, err = ltstool(
        capsys, monkeypatch, "compare", "-", files[1], "-e", "strong", stdin=RIGHT
    )
    assert (code, out, err) == (0, "equivalent\n", "")
    code, _, err = ltstool(capsys, monkeypatch, "compare", "-", "-", "-e", "strong")
    assert code == 2
    assert err == "ltstool: error: only one of the two systems can come from standard input\n"


def test_long_evidence_is_shortened_in_text_output(capsys, monkeypatch, tmp_path):
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
        "<tea>true": "no label is `tea`, but some labels have arguments: "
        "write `tea(...)` for any of them",
        "<i>true": "`i` is internal here: write `tau` in a formula",
        "<tae(...)>true": "no label is `tae(...)`; did you mean `tea(...)`?",
        "<xyz>true": "no label is `xyz`",
    }
    for formula, hint in hints.items():
        words = ["check", files[0], formula]
        assert ltstool(capsys, monkeypatch, *words) == (1, "false\n", f"ltstool: warning: {hint}\n")
        assert ltstool(capsys, monkeypatch, *words, "-q")[2] == ""
    shown = json.loads(ltstool(capsys, monkeypatch, *words, "-q", "--json")[1])
    assert shown == {"holds": False, "unknown_actions": ["xyz"]}


def test_formula_with_hidden_action_suggests_tau(capsys, monkeypatch, files):
    for formula, action in (('<"insert coin">true', "insert coin"), ("<tea(...)>true", "tea(...)")):
        hide = ["--hide", action.partition("(")[0]]
        code, _, err = ltstool(capsys, monkeypatch, "check", files[0], formula, *hide)
        assert code == 1
        assert err == f"ltstool: warning: `{action}` is hidden: write `tau` in a formula\n"


def test_equal_systems_write_no_evidence_files(capsys, monkeypatch, files, tmp_path):
    trace = tmp_path / "a.trace"
    words = ["compare", files[0], files[0], "-e", "weak", "--trace", trace]
    code, out, err = ltstool(capsys, monkeypatch, *words)
    assert (code, out) == (0, "equivalent\n")
    assert err == f"ltstool: note: there is no difference, so {trace} is not written\n"
    assert not trace.exists()


def test_formula_file_errors_have_a_position(capsys, monkeypatch, files, tmp_path):
    file = tmp_path / "formula.mcf"
    file.write_text("% the machine takes coins\n<insert coin>true\n")
    code, _, err = ltstool(capsys, monkeypatch, "check", files[0], f"@{file}")
    assert code == 2
    assert err.startswith(f"ltstool: error: {file}:2:9: expected `>`, not `coin`")


LOCK = """%@ parameter N = 3
%@ include Enum of p1..p@{N} as Pid
act try,enter,leave: Pid ask,grant,release,free: Pid
comm ask|grant = enter release|free = leave
proc User(i:Pid) = try(i).ask(i).release(i).User(i)
     Lock = sum(i:Pid, grant(i)).sum(i:Pid, free(i)).Lock
init encap({ask,grant,release,free}, User(p1) || User(p2) ||
%@ for i in 3..N
  User(p@{i}) ||
%@ end
  Lock)
"""
ALTERNATE = "des (0,9,4)\n" + "".join(
    f'(0,"enter(p{i})",{i})\n({i},"leave(p{i})",0)\n({i},"lose(p{i})",0)\n' for i in (1, 2, 3)
)


@pytest.fixture
def lock(tmp_path):
    (tmp_path / "lock.mcrl").write_text(LOCK)
    (tmp_path / "alternate.aut").write_text(ALTERNATE)
    return str(tmp_path / "alternate.aut"), str(tmp_path / "lock.mcrl")


@pytest.mark.parametrize("symmetry", [[], ["--symmetry", "Pid"], ["--symmetry", "auto", "-q"]])
def test_a_specification_refines_an_lts(capsys, monkeypatch, lock, tmp_path, symmetry):
    words = ["compare", *lock, "--hide", "try", *symmetry, "--preorder"]
    code, out, _ = ltstool(capsys, monkeypatch, *words, "weak-trace")
    assert (code, out) == (0, f"{lock[1]} refines {lock[0]}\n")
    trace = tmp_path / "refusal.trace"
    code, out, _ = ltstool(
        capsys, monkeypatch, *words, "failures", "--trace", trace, "--json", "--threads", 2
    )
    shown = json.loads(out)
    assert (code, shown["refines"]) == (1, False)
    [entered] = shown["evidence"]["trace"]
    assert shown["evidence"]["refuses"] == [entered.replace("enter", "lose")]
    code, out, _ = ltstool(capsys, monkeypatch, "simulate", lock[1], "--replay", trace, "--json")
    assert json.loads(out.splitlines()[-1])["position"] == len(trace.read_text().splitlines()) - 1
    assert shown["order"] == (6 if symmetry else 1)
    assert shown["nodes"] == 4


def test_orbit_refinement_counterexample_replays(capsys, monkeypatch, lock, tmp_path):
    once = tmp_path / "once.aut"
    once.write_text('des (0,3,2)\n(0,"enter(p1)",1)\n(0,"enter(p2)",1)\n(0,"enter(p3)",1)\n')
    trace = tmp_path / "a.trace"
    words = ["compare", once, lock[1], "--preorder", "weak-trace", "--symmetry", "Pid", "-v"]
    code, out, err = ltstool(capsys, monkeypatch, *words, "--hide", "try", "--trace", trace)
    assert code == 1
    assert f"{lock[1]} does not refine {once}\nonly {lock[1]} has the trace\n  enter(p" in out
    assert "group        of order 6, proven from the text" in err
    _, _, err = ltstool(capsys, monkeypatch, *words, "--hide", "try", "--symmetry-proof", "tested")
    assert "group        of order 6, answered after exploring a part; on it the symmetry" in err
    labels = [line.partition(" ")[2] for line in trace.read_text().splitlines()[1:]]
    assert [label.partition("(")[0] for label in labels] == ["try", "enter", "leave"]
    code, out, _ = ltstool(capsys, monkeypatch, "simulate", lock[1], "--replay", trace, "--json")
    assert json.loads(out.splitlines()[-1])["position"] == 3
    uneven = tmp_path / "uneven.aut"
    uneven.write_text('des (0,1,2)\n(0,"enter(p1)",1)\n')
    words[1] = uneven
    code, out, err = ltstool(capsys, monkeypatch, *words, "--hide", "try")
    assert code == 2
    assert "is no symmetry of what the specification allows" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["MCRL", "AUT", "--preorder", "trace", "--symmetry", "Pid"], "--symmetry needs `-e"),
        (["AUT", "MCRL", "--preorder", "simulation", "--symmetry", "Pid"], "not decided on orbits"),
        (["AUT", "MCRL", "--preorder", "trace", "--as-such"], "apply only to reductions"),
        (["AUT", "AUT", "--preorder", "trace", "--set", "N=3"], "--set applies to a specification"),
    ],
)
def test_options_not_for_specifications_are_refused(capsys, monkeypatch, lock, words, message):
    files = {"AUT": lock[0], "MCRL": lock[1]}
    code, _, err = ltstool(capsys, monkeypatch, "compare", *(files.get(w, w) for w in words))
    assert code == 2
    assert message in err


def test_limits_of_a_specification(capsys, monkeypatch, lock):
    words = ["compare", *lock, "--preorder", "weak-trace", "--hide", "try", "--symmetry", "Pid"]
    for limit, message in [
        (["--max-states", 4], "more than 4 orbits of pairs; 5 orbits of pairs were found"),
        (["--timeout", "1e-9"], "more than 1e-09 seconds"),
        (["--max-memory", "1K"], "of memory"),
        (["--max-states", 2], "has more than 2 sets of states"),
    ]:
        code, _, err = ltstool(capsys, monkeypatch, *words, *limit)
        assert code == 3
        assert message in err


def test_isomorphism_with_the_map_or_a_reason(capsys, monkeypatch, files, tmp_path):
    evidence = tmp_path / "evidence.json"
    words = ["-e", "isomorphism", "--evidence", evidence, "--json"]
    code, out, err = ltstool(capsys, monkeypatch, "compare", *files, *words)
    assert (code, err) == (1, "")
    reason = {"differs": "states", "left": 4, "right": 6}
    assert json.loads(out) == {"equivalent": False, "evidence": reason, "map": None}
    assert json.loads(evidence.read_text()) == reason
    again = tmp_path / "again.aut"
    again.write_text("des (3,4,4)\n(0,coffee(1),1)\n(3,insert coin,2)\n(2,i,0)\n(0,tea( 1 ),1)\n")
    code, out, _ = ltstool(capsys, monkeypatch, "compare", files[0], again, *words)
    assert code == 0
    assert json.loads(out) == {"equivalent": True, "evidence": None, "map": [3, 2, 0, 1]}
    assert json.loads(evidence.read_text()) == {"map": [3, 2, 0, 1]}
    words = ["-e", "iso", "--trace", evidence]
    code, _, err = ltstool(capsys, monkeypatch, "compare", *files, *words)
    assert code == 2
    assert err.endswith("no trace shows that systems are not isomorphic: leave out --trace\n")
