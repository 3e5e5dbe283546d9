"""`ltstool split` and `ltstool generate --reduce`: specifications as networks."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import aut_format

PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]
CASES = Path(__file__).parents[2] / "cases"
ABP = CASES / "abp.mcrl"


def ltstool(*arguments, stdin=""):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, check=False, text=True
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_components_are_listed_and_written(folder):
    done = ltstool("split", ABP)
    assert done.stdout.splitlines() == [
        "component  states  transitions",
        "S              10           20",
        "K              10           17",
        "L               6            9",
        "R              11           23",
        "22 synchronisation vectors",
    ]
    assert not [*folder.iterdir()]
    report = json.loads(ltstool("split", ABP, "-o", "abp.exp", "--json").stdout)
    assert [one["file"] for one in report["components"]] == [f"abp.{n}.aut" for n in (1, 2, 3, 4)]
    assert {file.name for file in folder.iterdir()} == {
        "abp.exp", "abp.1.aut", "abp.2.aut", "abp.3.aut", "abp.4.aut",
    }  # fmt: skip
    assert ltstool("generate", ABP, "-o", "whole.aut").returncode == 0
    assert ltstool("compare", "abp.exp", "whole.aut", "-e", "strong").stdout == "equivalent\n"


@pytest.mark.parametrize(
    "case",
    [
        ("abp.mcrl",),
        ("peterson.mcrl", "--set", "N=2"),
        ("peterson.mcrl", "--set", "N=3"),
        ("butler.mcrl", "--set", "N=3"),
        ("butler.mcrl", "--set", "N=5"),
        ("mutex.mcrl",),
        ("three_tiers.mcrl",),
        ("list_stack.mcrl",),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("equivalence", ["branching", "divergence-preserving-branching", "weak"])
def test_generate_reduce_equals_generate_and_minimise(case, equivalence):
    name, *options = case
    file = CASES / name
    assert ltstool("generate", file, *options, "--reduce", equivalence, "-o", "a").returncode == 0
    assert ltstool("minimise", file, *options, "-e", equivalence, "-o", "b").returncode == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()


JOINED = {
    "allocator.mcrl",
    "allocator_steps.mcrl",
    "peterson_statements.mcrl",
    "peterson_turns.mcrl",
    "philosophers.mcrl",
}


MANY = {"hypercube.mcrl"}
"""As far as some of the nodes know, the message may go anywhere: more states than the whole has."""


@pytest.mark.parametrize("case", sorted({file.name for file in CASES.glob("*.mcrl")} - MANY))
def test_generate_reduce_handles_every_case_study(case):
    """Components that have no end by themselves are generated with what they run in."""
    limit = ["--max-states", "300000"]
    reduced = ltstool("generate", CASES / case, "--reduce", "branching", *limit, "-o", "a")
    assert reduced.returncode == 0
    assert ("is generated together with its context" in reduced.stderr) == (case in JOINED)
    assert ltstool("minimise", CASES / case, "-e", "branching", "-o", "b").returncode == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()


def test_generate_reduce_hides_actions_early():
    options = ["--hide", "r1", "--reduce", "branching"]
    reduced = ltstool("generate", ABP, *options, "--verbose", "-o", "a.aut")
    assert "the largest had" in reduced.stderr
    ltstool("generate", ABP, "--hide", "r1", "-o", "whole.aut")
    ltstool("minimise", "whole.aut", "-e", "branching", "-o", "b.aut")
    assert Path("a.aut").read_bytes() == Path("b.aut").read_bytes()


def test_plan_is_reported_as_json():
    done = ltstool("generate", ABP, "--reduce", "strong", "--order", "((1 2) (3 4))", "-o", "a.aut",
                   "--json")  # fmt: skip
    report = json.loads(done.stdout)
    assert report["components"] == ["S", "K", "L", "R"]
    members = [step["components"] for step in report["steps"]]
    assert members[4:] == [[1, 2], [3, 4], [1, 2, 3, 4]]
    assert report["states"] == aut_format.read("a.aut").state_count


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--reduce", "branching", "--deadlocks"], "--deadlocks needs the states of the whole"),
        (["--reduce", "branching", "--find", "r1"], "--find applies to the whole system"),
        (["--reduce", "branching", "--symmetry", "D"], "--symmetry applies to the whole system"),
        (["--reduce", "trace"], "the parts of a network are minimised modulo"),
        (["--order", "(1 2)"], "--order needs --reduce"),
    ],
)
def test_contradictory_options_are_refused(options, said, folder):
    done = ltstool("generate", ABP, *options, "-o", "out.aut")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not [*folder.iterdir()]


def test_infinite_components_exit_3(folder):
    for command in (["split", "-o", "net.exp"], ["generate", "--reduce", "strong", "-o", "a.aut"]):
        done = ltstool(*command, CASES / "philosophers.mcrl", "--max-states", 100)
        assert done.returncode == 3
        assert (
            "in isolation, with all values that others offer: more than 100 states" in done.stderr
        )
    # Together they have more, too.
    *_, remark, last = done.stderr.splitlines()
    assert "is generated together with its context" in remark
    assert last.startswith("ltstool: error: more than 100 states")
    assert not [*folder.iterdir()]


def test_names_of_networks(folder):
    for name in ("net.aut", "-"):
        done = ltstool("split", ABP, "-o", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert "name them with -o NAME.exp" in done.stderr
    assert ltstool("split", ABP, "-o", "absent/net.exp").returncode == 2
    assert not [*folder.iterdir()]


def test_a_specification_from_standard_input():
    done = ltstool("split", "-", "--language", "mcrl2", stdin="act a, b; init a || b;")
    assert done.stdout.splitlines()[-1] == "3 synchronisation vectors"
