"""Specifications where commands read a system."""

import json

import pytest

import aut_format
from lts import mcrl2, mucrl
from lts.state_space import generate
from ltstool.main import main

SPEC = """sort Bool Pid
func T,F:->Bool p1,p2,p3:->Pid
act try,enter,leave:Pid other
proc Lock = sum(p:Pid,try(p).enter(p).leave(p).Lock)
init Lock
"""
COUNTER = """act up, down; proc X(n:Nat) = (n < 3) -> up.X(n+1) + (n > 0) -> down.X(Int2Nat(n-1));
init X(0);
"""


@pytest.fixture
def files(tmp_path):
    lock, counter = tmp_path / "lock.mcrl", tmp_path / "counter.mcrl2"
    lock.write_text(SPEC)
    counter.write_text(COUNTER)
    systems = [generate(mucrl.read(str(lock))), generate(mcrl2.read(str(counter)))]
    names = [str(lock), str(counter)]
    for name, system in zip(names, systems, strict=True):
        aut_format.write(system, f"{name}.aut")
    return names


def ltstool(capfd, *words):
    code = main([*map(str, words)])
    return code, *capfd.readouterr()


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    "words",
    [
        ["info", "--json"],
        ["info", "--labels"],
        ["minimise", "-e", "strong"],
        ["minimise", "-e", "weak", "--hide", "try,up"],
        ["draw"],
        ["draw", "--to", "dot"],
    ],
)
def test_specification_results_equal_those_of_its_lts(capfd, files, number, words):
    command, *options = words
    file = files[number]
    of_system = ltstool(capfd, command, f"{file}.aut", *options)
    assert ltstool(capfd, command, file, "--threads", 2, *options) == of_system
    assert of_system[0] == 0


@pytest.mark.parametrize("command", [["compare", "-e", "branching"], ["compare", "-e", "trace"]])
def test_both_sides_of_a_comparison(capfd, files, command):
    for number, file in enumerate(files):
        for left, right in [(file, file), (file, f"{file}.aut"), (f"{file}.aut", file)]:
            assert ltstool(capfd, *command, left, right) == (0, "equivalent\n", "")
        code, out, _ = ltstool(capfd, *command, file, files[1 - number])
        assert code == 1
        assert out.startswith("not equivalent")


def test_preorders_of_specifications(capfd, files):
    lock, counter = files
    for relation in ("simulation", "ready-simulation", "trace", "failures-divergences"):
        for left in (lock, f"{lock}.aut"):
            code, out, _ = ltstool(capfd, "compare", left, lock, "--preorder", relation)
            assert (code, out) == (0, f"{lock} refines {left}\n")
        assert ltstool(capfd, "compare", lock, counter, "--preorder", relation)[0] == 1


def test_limits_report_partial_counts(capfd, files, tmp_path):
    lock, _ = files
    code, out, err = ltstool(capfd, "info", lock, "--max-states", 3, "--json")
    found = json.loads(out)
    assert code == 3
    assert found["found"]["states"] == 3
    assert "more than 3 states; 3 states and" in err
    drawn, least = tmp_path / "out.svg", tmp_path / "out.aut"
    for words in (["draw", "-o", drawn], ["minimise", "-e", "strong", "-o", least]):
        code, _, err = ltstool(capfd, words[0], lock, "--max-states", 3, *words[1:])
        assert (code, drawn.exists(), least.exists()) == (3, False, False)
        assert "more than 3 states" in err


def test_standard_input_with_a_language(capfd, files, monkeypatch):
    for file, language in zip(files, ("mucrl", "mcrl2"), strict=True):
        with open(file) as stream:
            monkeypatch.setattr("sys.stdin", stream)
            found = ltstool(capfd, "info", "-", "--language", language)
        assert found == ltstool(capfd, "info", file)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "SPEC", "--salvage"], "--salvage applies to an LTS"),
        (["info", "SPEC", "--as-such"], "--as-such applies to an LTS"),
        (["info", "AUT", "--set", "N=3"], "--set applies to a specification"),
        (["draw", "AUT", "--no-simplify", "all"], "--no-simplify applies to a specification"),
        (["minimise", "AUT", "-e", "strong", "--strict"], "--strict applies to a specification"),
        (["info", "SPEC", "--set", "N=3"], "N"),
    ],
)
def test_ineffective_options_are_refused(capfd, files, words, message):
    names = {"SPEC": files[0], "AUT": f"{files[0]}.aut"}
    code, out, err = ltstool(capfd, *(names.get(word, word) for word in words))
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("% a; remark\n" + SPEC, "mucrl"),
        (COUNTER, "mcrl2"),
        ("act a; % and nothing else\ninit a;", "mcrl2"),
    ],
)
def test_the_language_is_that_of_the_text(capfd, tmp_path, monkeypatch, text, language):
    read = mucrl.read_text if language == "mucrl" else mcrl2.read_text
    expected = aut_format.dumps(generate(read(text))).decode()
    for name in ("spec.txt", "spec", "spec.mcrl2" if language == "mcrl2" else "spec.mcrl"):
        (tmp_path / name).write_text(text)
        assert ltstool(capfd, "generate", tmp_path / name) == (0, expected, "")
    with open(tmp_path / "spec") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert ltstool(capfd, "generate", "-") == (0, expected, "")
    # What is said counts.
    other = {"mucrl": "mcrl2", "mcrl2": "mucrl"}[language]
    assert ltstool(capfd, "generate", tmp_path / "spec", "--language", other)[0] == 2


def test_ignore_time_option_drops_times(capfd, tmp_path):
    (tmp_path / "timed.mcrl2").write_text("act a, b; init a@1 . b@(1 + 2);")
    code, out, err = ltstool(capfd, "generate", tmp_path / "timed.mcrl2")
    assert (code, out) == (2, "")
    assert "(--ignore-time ignores times)" in err
    code, out, err = ltstool(capfd, "generate", "--ignore-time", tmp_path / "timed.mcrl2")
    assert (code, out) == (0, 'des (0,2,3)\n(0,"a",1)\n(1,"b",2)\n')
    assert "1:17: times are ignored (--ignore-time), from here on" in err
    formula = ["check", "--ignore-time", "-q", tmp_path / "timed.mcrl2", "<a.b>true"]
    assert ltstool(capfd, *formula) == (0, "true\n", "")
    (tmp_path / "m.mcrl").write_text(SPEC)
    code, _, err = ltstool(capfd, "generate", "--ignore-time", tmp_path / "m.mcrl")
    assert code == 2
    assert "--ignore-time applies only to mCRL2" in err
