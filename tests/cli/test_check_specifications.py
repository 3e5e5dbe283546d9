"""`ltstool check` on specifications."""

import json

import pytest

import aut_format
from lts.logic import check
from ltstool.main import main
from programs import outcome

SPEC = """sort Bool Pid
func T,F:->Bool p1,p2,p3:->Pid
act try,enter,leave:Pid
proc Lock = sum(p:Pid,try(p).enter(p).leave(p).Lock)
init Lock
"""
COUNTER = "act up: Nat; proc X(n:Nat) = up(n).X(n+1); init X(0);"


@pytest.fixture
def files(tmp_path):
    lock, counter = tmp_path / "lock.mcrl", tmp_path / "counter.mcrl2"
    lock.write_text(SPEC)
    counter.write_text(COUNTER)
    return lock, counter


def ltstool(capfd, *words):
    code = main([*map(str, words)])
    return code, *capfd.readouterr()


def test_verdict_and_exploration_statistics(capfd, files):
    lock, counter = files
    formula = "forall p:Pid. [true*.enter(p)]<leave(p)>true"
    assert ltstool(capfd, "check", lock, formula) == (
        0,
        "true\n",
        "ltstool: note: explored 7 states, 25 pairs of a state and a subformula\n",
    )
    code, out, err = ltstool(capfd, "check", counter, "<up(1)>true", "-q", "--json")
    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "holds": False, "unknown_actions": [], "pairs": 1, "states": 1, "positions": 1,
        "explored": 1, "order": 1, "proof": "none",
    }  # fmt: skip
    code, out, err = ltstool(capfd, "check", counter, "<true*.up(99)>true", "-v")
    assert (code, out) == (0, "true\n")
    assert "explored" in err


def test_a_formula_in_a_file(capfd, files, tmp_path):
    lock, _ = files
    formula = tmp_path / "formula.mcf"
    formula.write_text("% again and again\nform nu X. <true*.enter(p3)>X;\n")
    assert ltstool(capfd, "check", lock, formula, "-q")[:2] == (0, "true\n")
    assert ltstool(capfd, "check", lock, f"@{formula}", "-q")[:2] == (0, "true\n")
    formula.write_text("\n[true*]forall p:Pid.\n  [entered(q)]false")
    code, out, err = ltstool(capfd, "check", lock, formula)
    assert (code, out) == (2, "")
    assert f"{formula}:3:12: `q` is not a variable or constant in scope" in err
    code, _, err = ltstool(capfd, "check", lock, formula, "--evidence", formula)
    assert code == 2
    assert "is an input file: choose another name" in err


def test_a_formula_file_that_is_not_there(capfd, files):
    for name in ("none.mcf", "@none.mcf"):
        code, _, err = ltstool(capfd, "check", files[0], name)
        assert (code, err) == (2, "ltstool: error: none.mcf: No such file or directory\n")


def test_evidence(capfd, files, tmp_path):
    lock, _ = files
    shown = tmp_path / "shown.aut"
    code, *_ = ltstool(capfd, "check", lock, "enter(p2) inevitable", "--evidence", shown)
    assert code == 1
    assert not check(aut_format.read(shown), "enter(p2) inevitable").holds
    assert aut_format.read(shown).state_count < 7


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        *(("E G (nu X. X)", 0), ("A F (mu X. X)", 1), ("A G (nu X. X)", 0), ("E F (mu X. X)", 1)),
        *(("E (nu X. X U mu Y. Y)", 1), ("E X nu X. X && X", 0)),
    ],
)
def test_traces_of_immediately_decided_fixed_points(capfd, files, tmp_path, formula, code):
    """Of a system and of a specification: a path, or the reason why there is none."""
    lock, _ = files
    system, shown = tmp_path / "lock.aut", tmp_path / "shown.aut"
    assert ltstool(capfd, "generate", lock, "-o", system)[0] == 0
    for file in (system, lock):
        for option in ("--trace", "--evidence"):
            assert ltstool(capfd, "check", file, formula, option, shown)[0] == code


def test_limits(capfd, files, tmp_path):
    _, counter = files
    shown = tmp_path / "shown.aut"
    for words, message in [
        (["--max-states", 20], "more than 20 states; 20 states and"),
        (["--timeout", "0.05"], "more than 0.05 seconds"),
        (["--max-memory", "1K"], "of memory"),
    ]:
        words = ["check", counter, "deadlock-free", "--evidence", shown, *words]
        code, out, err = ltstool(capfd, *words)
        assert (code, out, shown.exists()) == (3, "", False)
        assert message in err
    code, out, _ = ltstool(capfd, "check", counter, "deadlock-free", "--max-states", 20, "--json")
    assert json.loads(out)["found"]["states"] == 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["LOCK", "[true*]"], "expected a formula, not the end"),
        (["LOCK", "true", "--as-such"], "--as-such applies to an LTS"),
        (["LOCK", "true", "--set", "N=3"], "N"),
        (["AUT", "true", "--set", "N=3"], "--set applies to a specification"),
        (["AUT", "forall p:Pid. true"], "without a specification (write a range such as"),
    ],
)
def test_wrong_use(capfd, files, tmp_path, words, message):
    system = tmp_path / "lock.aut"
    system.write_text('des (0,1,2)\n(0,"a",1)\n')
    names = {"LOCK": files[0], "AUT": system}
    code, out, err = ltstool(capfd, "check", *(names.get(word, word) for word in words))
    assert (code, out) == (2, "")
    assert message in err


def test_hidden_and_unknown_actions_are_remarked(capfd, files):
    lock, _ = files
    code, out, err = ltstool(capfd, "check", lock, "<try(p1)>true", "--hide", "try,nobody")
    assert (code, out) == (1, "false\n")
    assert "nothing to hide: no action or label is nobody" in err
    _, _, err = ltstool(capfd, "check", lock, "<entr(...)>true")
    assert "no label is `entr(...)`; did you mean `enter(...)`?" in err
    assert ltstool(capfd, "check", lock, "<tau><tau>true", "--tau", "try(p1),enter(p1)")[0] == 0


@pytest.mark.parametrize(
    ("name", "is_absent"),
    [("try(p1)", False), ("try(*)", False), ("t*", False), ("nobody(p1)", True), ("tr", True)],
)
def test_names_of_hidden_labels_are_compared_with_actions(capfd, files, name, is_absent):
    """Which labels there are is not known beforehand, only their actions."""
    code, _, err = ltstool(capfd, "check", files[0], "<enter(p1)>true", "--hide", name)
    assert (code, "nothing to hide" in err) == (1, is_absent)


def test_declared_actions_that_never_occur_are_remarked(capfd, tmp_path):
    """An answer about a blocked or hidden action is no clean one."""
    file = tmp_path / "both.mcrl2"
    file.write_text(
        "act get, put, both: Nat; free;\nproc P = sum n: Nat. (n < 2) -> get(n) . P + free . P;\n"
        "proc Q = sum n: Nat. (n < 2) -> put(n) . Q;\n"
        "init allow({both, free}, comm({get|put -> both}, P || Q));\n"
    )
    for formula, words, never in [
        ("[true*.get(1)]false", [], "get(1)"),
        ("[true*.both(1)]false", ["--hide", "both"], "both(1)"),
        ("[true*.both(7)]false", [], None),
        ("[true*.get|put]false", [], "get"),
    ]:
        code, out, err = ltstool(capfd, "check", file, formula, *words)
        assert (code, out) == (0, "true\n")
        assert (f"`{never}` never occurs" in err) == (never is not None)
    code, out, err = ltstool(capfd, "check", file, "[true*.get(1)]false", "--json")
    assert json.loads(out)["unknown_actions"] == ["get(1)"]


def test_a_property_of_the_whole_system(capfd, files):
    assert ltstool(capfd, "check", files[0], "deterministic")[:2] == (0, "true\n")


def test_standard_input(files):
    with open(files[0], "rb") as text:
        words = ("check", "-", "deadlock-free", "--language", "mucrl")
        code, out, _ = outcome(*words, stdin=text)
    assert (code, out) == (0, "true\n")


SYMMETRY = ["--symmetry", "Pid"]


def test_on_orbits(capfd, files, tmp_path):
    lock, _ = files
    formula = "[true*] forall p,q:Pid. val(p != q) => [enter(p)][leave(q)]false"
    code, out, err = ltstool(capfd, "check", lock, formula, *SYMMETRY)
    assert (code, out) == (0, "true\n")
    assert (
        "orbits of pairs of a state and a subformula, under a group of order 6, proven from" in err
    )
    code, out, err = ltstool(capfd, "check", lock, formula, "--symmetry", "auto", "-q", "--json")
    plain = json.loads(ltstool(capfd, "check", lock, formula, "-q", "--json")[1])
    found = json.loads(out)
    assert (found["holds"], found["order"]) == (True, 6)
    assert found["positions"] < plain["positions"] == found["pairs"]
    shown = tmp_path / "shown.aut"
    words = ["check", lock, "enter(p3) inevitable", *SYMMETRY, "--evidence", shown, "-v"]
    code, out, err = ltstool(capfd, *words)
    assert (code, out) == (1, "false\n")
    assert "group        of order 6, proven from the text\norbits       " in err
    # It is that of p3, and of nobody else.
    labels = aut_format.read(shown).labels
    assert not check(aut_format.read(shown), "enter(p3) inevitable").holds
    assert not {"enter(p3)", "leave(p3)"} & set(labels)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["LOCK", "true", "--strategy", "refine"], 2, "--strategy needs --symmetry"),
        (["LOCK", "true", "--symmetry-proof", "static"], 2, "--symmetry-proof needs --symmetry"),
        (["AUT", "true", *SYMMETRY], 2, "sorts and `auto` apply only to specifications"),
        (["AUT", "true", "--symmetry", "(c d)"], 2, "moves nothing"),
        (
            ["LOCK", "deterministic", *SYMMETRY],
            2,
            "--symmetry applies to formulas that are checked on the fly on a specification",
        ),
        (["LOCK", "true", "--symmetry", "Qid"], 2, "Qid"),
        (["LOCK", '<"x|y">true', *SYMMETRY], 3, "the image of the label `x|y`"),
    ],
)
def test_options_not_available_on_orbits(capfd, files, tmp_path, words, code, message):
    system = tmp_path / "lock.aut"
    system.write_text('des (0,1,2)\n(0,"a",1)\n')
    names = {"LOCK": files[0], "AUT": system}
    found, out, err = ltstool(capfd, "check", *(names.get(word, word) for word in words))
    assert (found, out) == (code, "")
    assert message in err
