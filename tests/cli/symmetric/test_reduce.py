"""`ltstool reduce`: on the fly, counted, with every strategy."""

import io
import json

import pytest

import aut_format
from lts.mucrl import generate, read
from ltstool.main import main

STACK = ["cases/list_stack.mcrl", "--symmetry", "cases/list_stack.sym"]


@pytest.fixture(autouse=True)
def root(monkeypatch, pytestconfig):
    monkeypatch.chdir(pytestconfig.rootpath)


@pytest.mark.parametrize("options", [[], ["--strategy", "enumerate"], ["--threads", "2"]])
def test_count(options, capfd):
    assert main(["reduce", *STACK, "--count", "--json", *options]) == 0
    report = json.loads(capfd.readouterr().out)
    system = generate(read("cases/list_stack.mcrl"))
    assert report == {
        "order": 8,
        "orbits": 210,
        "states": system.state_count,
        "transitions": system.transition_count,
        "proof": "text",
    }


def test_count_of_an_lts(tmp_path, capfd):
    file = tmp_path / "a.aut"
    system = generate(read("cases/abp.mcrl"))
    aut_format.write(system, file)
    assert main(["reduce", str(file), "--symmetry", "(d1 d2)", "--count"]) == 0
    shown = capfd.readouterr().out.split()
    assert shown[-1] == str(system.transition_count)


def test_the_reduction_does_not_depend_on_threads(tmp_path):
    for threads in ("1", "2", "3"):
        out = str(tmp_path / threads)
        assert main(["reduce", *STACK, "--threads", threads, "-o", out]) == 0
    files = [(tmp_path / name).read_bytes() for name in ("1", "2", "3")]
    assert files[0] == files[1] == files[2]


def test_too_many_elements_to_enumerate(capfd):
    wide = ["--set", "nodes=9", "--set", "data=3"]
    assert main(["reduce", *STACK, *wide, "--count", "--strategy", "enumerate"]) == 2
    assert "too many elements to enumerate" in capfd.readouterr().err


def test_contradictory_options_are_refused(tmp_path, capfd):
    assert main(["reduce", *STACK, "--count", "-o", str(tmp_path / "r.aut")]) == 2
    assert "leave out -o" in capfd.readouterr().err
    file = tmp_path / "a.aut"
    aut_format.write(generate(read("cases/abp.mcrl")), file)
    arguments = ["reduce", str(file), "--symmetry", "(d1 d2)", "--strategy", "refine"]
    assert main([*arguments, "-o", str(tmp_path / "r.aut")]) == 2
    assert "--strategy applies to a specification or a network" in capfd.readouterr().err
    assert not (tmp_path / "r.aut").exists()


def test_a_limit_stops_the_count(capfd):
    assert main(["reduce", *STACK, "--count", "--max-states", "100"]) == 3
    assert "100" in capfd.readouterr().err


def test_a_search_under_a_symmetry(tmp_path, capfd, monkeypatch):
    trace = tmp_path / "pop.trace"
    arguments = ["generate", *STACK, "--find", "pop(t2,d2)", "--trace", str(trace), "--json"]
    assert main(arguments) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["files"] == [str(trace)]
    assert report["traces"][0]["steps"][-1][0] == "pop(t2,d2)"
    assert not report["complete"]
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["simulate", STACK[0], "--replay", str(trace), "--json"]) == 0
    assert main(["generate", *STACK, "--find", "lock1"]) == 1
    assert capfd.readouterr().out.endswith("none found\n")


def test_a_generation_under_a_symmetry_is_a_reduction(tmp_path, capfd):
    one, other = str(tmp_path / "one.aut"), str(tmp_path / "other.aut")
    assert main(["generate", *STACK, "-o", one, "--verbose"]) == 0
    assert "orbits       210\n" in capfd.readouterr().err
    assert main(["reduce", *STACK, "-o", other]) == 0
    for name in (one, f"{one}.sym"):
        beside = name.replace("one", "other")
        assert (tmp_path / name).read_bytes() == (tmp_path / beside).read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--hide", "push"], "hide labels when the reduction is minimised"),
        (["--check"], "leave out --symmetry"),
        (["--partial"], "leave out --partial"),
        (["--deadlocks", "-o", "x.aut"], "leave out -o"),
        (["--trace", "x.trace"], "needs a search: add"),
        (["--json", "-o", "x.aut"], "--deadlocks, --find or --multiaction"),
    ],
)
def test_options_incompatible_with_symmetry_are_refused(options, message, capfd):
    assert main(["generate", *STACK, *options]) == 2
    assert message in capfd.readouterr().err


def test_options_that_need_a_symmetry(capfd):
    assert main(["generate", STACK[0], "--strategy", "refine"]) == 2
    assert "--strategy needs --symmetry" in capfd.readouterr().err


def test_orbit_process_is_written(tmp_path, capfd):
    out = tmp_path / "orbits.mcrl"
    assert main(["reduce", *STACK, "--as-process", "quotient", "--json", "-o", str(out)]) == 0
    assert json.loads(capfd.readouterr().out)["order"] == 8
    assert generate(read(out)).state_count == 210
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--order", "bfs"], "--order applies to a reduction"),
        (["--plain"], "--plain applies to a reduction"),
        (["--write-symmetry", "x.sym"], "--write-symmetry applies to a reduction"),
        (["--tau", "tau"], "leave out --tau"),
        (["--partitions", "2"], "leave out --partitions"),
        (["--max-states", "3", "--symmetry-proof", "tested"], "more than 3 orbits"),
    ],
)
def test_refused_orbit_process_leaves_no_file(tmp_path, capfd, options, message):
    out = tmp_path / "orbits.mcrl"
    code = main(["reduce", *STACK, "--as-process", "quotient", "-o", str(out), *options])
    assert code == (3 if "3" in options else 2)
    assert message in capfd.readouterr().err
    assert not out.exists()


def test_a_reduction_as_a_process_expands(tmp_path, capfd):
    out, generated, whole = (str(tmp_path / name) for name in ("red.mcrl", "red.aut", "whole.aut"))
    assert main(["reduce", *STACK, "--as-process", "-o", out]) == 0
    assert main(["generate", out, "-o", generated]) == 0
    assert main(["expand", generated, "--symmetry", f"{out}.sym", "-o", whole]) == 0
    original = str(tmp_path / "original.aut")
    assert main(["generate", STACK[0], "-o", original]) == 0
    capfd.readouterr()
    assert main(["compare", whole, original, "-e", "isomorphism"]) == 0
    assert capfd.readouterr().out == "isomorphic\n"
    text = (tmp_path / "red.aut").read_text().replace("rho(g1)", "rho(g999)")
    (tmp_path / "red.aut").write_text(text)
    assert main(["expand", generated, "--symmetry", f"{out}.sym"]) == 2
    assert "`rho(g999)` names none of the symmetry file's `elements`" in capfd.readouterr().err
    assert main(["reduce", *STACK, "--as-process"]) == 2
    assert "name its symmetry file with `--write-symmetry FILE`" in capfd.readouterr().err


def test_plain_reductions_of_one_system_are_isomorphic(tmp_path, capfd):
    rows = ["(0,a(d1),1)", "(0,a(d2),2)", "(1,b(d1),3)", "(2,b(d2),3)", "(3,c,0)"]
    moved = {"0": "2", "1": "3", "2": "0", "3": "1"}
    names = [tmp_path / name for name in ("one.aut", "other.aut")]
    names[0].write_text("des (0,5,4)\n" + "\n".join(rows) + "\n")
    lines = [f"({moved[row[1]]}{row[2:-2]}{moved[row[-2]]})" for row in reversed(rows)]
    names[1].write_text("des (2,5,4)\n" + "\n".join(lines) + "\n")
    reduced = [tmp_path / f"reduced_{name.name}" for name in names]
    for name, out in zip(names, reduced, strict=True):
        words = ["reduce", str(name), "--symmetry", "(d1 d2)", "--plain", "-o", str(out)]
        assert main(words) == 0
        assert "rho-encoding" not in out.read_text()
        whole = str(tmp_path / "whole.aut")
        assert main(["expand", str(out), "-o", whole]) == 0
        assert main(["compare", whole, str(name), "-e", "isomorphism"]) == 0
    words = ["compare", *map(str, reduced), "-e", "isomorphism"]
    assert main([*words, "--as-such"]) == 0
    for out in reduced:
        out.with_name(f"{out.name}.sym").unlink()
    assert main(words) == 0


def test_process_output_needs_a_specification_suffix(tmp_path, capfd):
    out = tmp_path / "orbits.aut"
    assert main(["reduce", *STACK, "--as-process", "-o", str(out)]) == 2
    assert "named as an LTS" in capfd.readouterr().err
