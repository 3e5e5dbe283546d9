"""Internal or not: the same on every way, whatever actions are called."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
from ltstool.main import main
from strategies import systems

SPECIFICATION = """
%@ include Enum of d1,d2 as D
act one,two: D
    {name}
proc X(d:D) = one(d).{name}.two(d).{name}.X(d)
init {around}
"""


def run(*argv):
    assert main([*map(str, argv), "-q"]) == 0


def sizes(file, capfd):
    capfd.readouterr()
    run("expand", file, "--count", "--json")
    found = json.loads(capfd.readouterr().out)
    return found["states"], found["transitions"]


@pytest.mark.parametrize("name", ["i", "step", "I"])
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("relation", ["strong", "branching", "weak"])
def test_minimisation_routes_agree(name, hidden, relation, tmp_path, capfd):
    around = "X(d1) || X(d2)"
    around = f"hide({{{name}}}, {around})" if hidden else around
    specification = tmp_path / "spec.mcrl"
    specification.write_text(SPECIFICATION.format(name=name, around=around))
    out = {key: tmp_path / f"{key}.aut" for key in ("all", "least", "way1", "way2", "way3", "way4")}
    run("generate", specification, "-o", out["all"])
    run("minimise", "-e", relation, out["all"], "-o", out["least"])
    least = aut_format.read(out["least"])
    expected = least.state_count, least.transition_count
    symmetry = ["--symmetry", "D"]
    run("minimise", "-e", relation, specification, *symmetry, "-o", out["way1"])
    run("reduce", specification, *symmetry, "-o", tmp_path / "r.aut")
    run("generate", specification, *symmetry, "-o", tmp_path / "g.aut")
    for reduced, way in (("r", "way2"), ("g", "way3")):
        written = f"{tmp_path / reduced}.aut.sym"
        minimise = ["minimise", "-e", relation, tmp_path / f"{reduced}.aut"]
        run(*minimise, "--symmetry", written, "-o", out[way])
    run("minimise", "-e", relation, out["all"], "--permute", "(d1 d2)", "-o", out["way4"])
    assert {way: sizes(out[way], capfd) for way in out if way.startswith("way")} == dict.fromkeys(
        ("way1", "way2", "way3", "way4"), expected
    )
    run("expand", out["way2"], "-o", tmp_path / "e.aut")
    run("compare", "-e", "strong", tmp_path / "e.aut", out["least"])


@settings(max_examples=20)
@given(systems(labels=("tau", "i", "a")), st.sampled_from(["strong", "branching", "weak"]))
def test_commands_preserve_internal_labels(tmp_path_factory, system, relation):
    folder = tmp_path_factory.mktemp("i")
    source, out = folder / "in.aut", folder / "out.aut"
    aut_format.write(system, source)
    for command in (
        ["convert", source],
        ["convert", "--reachable", source],
        ["minimise", "-e", relation, source],
        ["reduce", "--permute", "()", source],
    ):
        run(*command, "-o", out)
        if command[0] == "reduce":
            run("expand", out, "-o", out.with_suffix(".all.aut"))
            out = out.with_suffix(".all.aut")
        run("compare", "-e", relation, source, out)


def test_internal_label_i_gives_a_remark(tmp_path, capfd):
    file = tmp_path / "i.aut"
    file.write_text('des (0,1,1)\n(0,"i",0)\n')
    remark = "is read as internal"
    for command in (["info"], ["minimise", "-e", "weak"], ["check-symmetry", "--permute", "()"]):
        assert main([*command, str(file)]) == 0
        assert remark in capfd.readouterr().err
        for options in (["-q"], ["--tau", ""], ["--tau", "i"]):
            assert main([*command, str(file), *options]) == 0
            assert remark not in capfd.readouterr().err


def test_labels_written_as_tau_give_a_remark(tmp_path, capfd):
    file = tmp_path / "step.aut"
    file.write_text('des (0,2,2)\n(0,"step",0)\n(0,"a",1)\n')
    assert main(["convert", str(file), "--tau", "step"]) == 0
    written = "internal labels are written as `tau` in .aut files: "
    assert f"{written}`step`" in capfd.readouterr().err
    assert main(["minimise", "-e", "strong", str(file), "--tau", "a"]) == 0
    assert f"{written}`a`" in capfd.readouterr().err


LABELS = ("one(d1)", "one(d2)", "two(d1)", "step", "other", "tau")
TWO = """
%@ include Enum of d1,d2 as D
act one,two: D
    step,other
proc X(d:D) = one(d).(step + tau).two(d).{more}.X(d)
init X(d1) || X(d2)
"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Two specifications, and their systems; what tells them apart is `other` for `step`."""
    folder = tmp_path_factory.mktemp("pair")
    for name, more in (("a", "step"), ("b", "(step + other)"), ("c", "tau")):
        (folder / f"{name}.mcrl").write_text(TWO.format(more=more))
        run("generate", folder / f"{name}.mcrl", "-o", folder / f"{name}.aut")
    return folder


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(LABELS), unique=True),
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from(
        [
            *(["--preorder", name] for name in ("trace", "weak-trace", "failures", "fd")),
            *(["-e", name] for name in ("strong", "branching", "weak", "divbranching")),
        ]
    ),
)
def test_tau_option_gives_equal_verdicts_on_orbits(pair, tau, left, right, relation):
    """What is internal is applied to what is explored by orbits as to an .aut file, or refused."""

    def code(suffix, *more):
        files = [str(pair / f"{left}{suffix}"), str(pair / f"{right}{suffix}")]
        if "--preorder" in relation:
            files[0] = str(pair / f"{left}.aut")
        return main(["compare", *files, *relation, "--tau", ",".join(tau), "-q", *more])

    expected = code(".aut")
    assert expected in (0, 1)
    assert code(".mcrl") == expected
    on_orbits = code(".mcrl", "--symmetry", "D")
    moved = {"one(d1)", "one(d2)", "two(d1)"} & set(tau)
    # A label that is internal has to stay where it is, or else that is refused.
    assert on_orbits == expected or (moved and on_orbits == 2)
