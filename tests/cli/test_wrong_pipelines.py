"""`ltstool run` refuses what is no pipeline before any step runs."""

import os

import pytest

from ltstool.main import main
from programs import CASES


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protocol.mcrl").write_bytes((CASES / "abp.mcrl").read_bytes())
    return tmp_path


def refused(capsys, text, *options):
    """Return what is said of a pipeline that is refused, before any step runs."""
    with open("p.toml", "w", encoding="utf-8") as file:
        file.write(text)
    before = names_here()
    assert main(["run", "p.toml", *options]) == 2
    assert names_here() == before
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.removeprefix("ltstool: ").removeprefix("p.toml: ").strip()


def names_here():
    return sorted(os.listdir("."))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no step: a table [steps.NAME] is one"),
        ("[steps", "no TOML: "),
        ("[step.a]", "a pipeline has no `step`; did you mean `steps`?"),
        ("[steps]\na = 1", "`a` is no table: [steps.a]"),
        ('[steps."a/b"]', "`a/b` is no name for a step"),
        ("[steps.a]", "step `a`: it has one of `run`"),
        ('[steps.a]\nrun = ""', "step `a`: the command line is empty"),
        ('[steps.a]\nrun = "info \'a"', "step `a`: the command line has no end"),
        ("[steps.a]\nrun = 3", "step `a`: a command is a line, or a list of words"),
        ('[steps.a]\nruns = "info a"', "step `a` has no `runs`; did you mean `run`?"),
        ('[steps.a]\nrun = "inof a"', "step `a`: there is no command `inof`; did you mean `info`?"),
        ('[steps.a]\nrun = "info a --jsn"', "step `a`: unrecognized arguments: --jsn; did you"),
        ('[steps.a]\nrun = "info --help"', "step `a`: it does nothing but print help"),
        ('[steps.a]\nrun = "run b.toml"', "step `a`: `run` is no command for a step"),
        ('[steps.a]\nrun = "info a"\nneeds = ["b"]', "step `a`: it needs `b`, which is no step"),
        ('[steps.a]\nrun = "info a"\nneeds = "b"', "step `a`: `needs` is a list of names"),
        ('[steps.a]\nrun = "info a"\nneeds = ["a"]', "step `a` needs itself"),
        ('[steps.a]\nrun = "info a"\nexpect = 1.5', "step `a`: `expect` is true or false"),
        ('[steps.a]\nrun = "info a"\neach = 3', "`each` of step `a` has a list of values"),
        ('[steps.a]\nrun = "info a"\neach = { N = [] }', "`each` of step `a` has a list without"),
        (
            '[steps.a]\nrun = "convert x a.aut"\n[steps.b]\nrun = "convert y ./a.aut"',
            "steps `a` and `b` both write `./a.aut`",
        ),
        (
            '[steps.a]\nrun = "convert b.aut a.aut"\n[steps.b]\nrun = "convert a.aut b.aut"',
            "steps need each other: `",
        ),
        (
            '[steps.a]\nrun = "info a{N}"\neach.N = [1, 2]\n'
            '[steps.b]\nrun = "info b"\nneeds = ["a"]\neach.N = [3]',
            "step `b[N=3]`: it needs `a`, which has no step with its values",
        ),
    ],
)
def test_wrong_pipelines(capsys, text, said):
    assert refused(capsys, text).startswith(said)


def test_wrong_options(capsys):
    one = '[steps.one]\nrun = "info protocol.mcrl"\n'
    assert refused(capsys, one, "--only", "two").endswith("has no step `two`: there are `one`")
    assert "has not run" in refused(capsys, one, "--show", "one")
    assert "--max-memory is for the commands" in refused(capsys, one, "--max-memory", "1G")
    assert "there is no format `.jpg`" in refused(capsys, one, "--picture", "a.jpg")
