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
    return printed.err.removeprefix("ltstool: error: ").removeprefix("p.toml: ").strip()


def names_here():
    return sorted(os.listdir("."))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no steps: define one with a table [steps.NAME]"),
        ("[steps", "not valid TOML: "),
        ("[step.a]", "a pipeline has no `step`; did you mean `steps`?"),
        ("[steps]\na = 1", "`a` must be a table, [steps.a]"),
        ('[steps."a/b"]', "`a/b` is not a valid step"),
        ("[steps.a]", "step `a`: a step needs exactly one of `run`"),
        ('[steps.a]\nrun = ""', "step `a`: the command line is empty"),
        ('[steps.a]\nrun = "info \'a"', "step `a`: the command line is incomplete"),
        ("[steps.a]\nrun = 3", "step `a`: a command must be a string, or a list of words"),
        ('[steps.a]\nruns = "info a"', "step `a` has no `runs`; did you mean `run`?"),
        ('[steps.a]\nrun = "inof a"', "step `a`: there is no command `inof`; did you mean `info`?"),
        ('[steps.a]\nrun = "info a --jsn"', "step `a`: there is no option `--jsn` here; did you"),
        ('[steps.a]\nrun = "info --help"', "step `a`: it only prints help"),
        ('[steps.a]\nrun = "run b.toml"', "step `a`: `run` cannot be the command of a step"),
        (
            '[steps.a]\nrun = "info a"\nneeds = ["b"]',
            "step `a`: it needs step `b`, which does not exist",
        ),
        ('[steps.a]\nrun = "info a"\nneeds = "b"', "step `a`: `needs` must be a list of names"),
        ('[steps.a]\nrun = "info a"\nneeds = ["a"]', "step `a` needs itself"),
        ('[steps.a]\nrun = "info a"\nexpect = 1.5', "step `a`: `expect` must be true or false"),
        ('[steps.a]\nrun = "info a"\neach = 3', "`each` of step `a` must have a list of values"),
        ('[steps.a]\nrun = "info a"\neach = { N = [] }', "`each` of step `a` has an empty list"),
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
            "step `b[N=3]`: it needs step `a`, which has no variant with the same values",
        ),
    ],
)
def test_wrong_pipelines(capsys, text, said):
    assert refused(capsys, text).startswith(said)


def test_wrong_options(capsys):
    one = '[steps.one]\nrun = "info protocol.mcrl"\n'
    assert refused(capsys, one, "--only", "two").endswith("has no step `two`; there are `one`")
    assert "has not run" in refused(capsys, one, "--show", "one")
    assert "--max-memory does not apply to `run`: give it to the commands" in refused(
        capsys, one, "--max-memory", "1G"
    )
    assert "unknown format `.jpg`" in refused(capsys, one, "--picture", "a.jpg")
