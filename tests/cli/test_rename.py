"""`ltstool rename`, and labels by pattern everywhere."""

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, NameWarning, read, write
from lts.logic import check
from lts.system.renaming import rename
from ltstool.main import main

SYSTEM = LTS.from_transitions(
    [(0, "put(1)", 1), (1, "s_2(a)", 2), (2, "tau", 0), (2, "put", 0), (2, "puts(1)", 0)]
)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        ({"put": "get"}, ["get(1)", "s_2(a)", "tau", "get", "puts(1)"]),
        ({"put(...)": "get"}, ["get(1)", "s_2(a)", "tau", "get", "puts(1)"]),
        ({"put(*)": "get(*)"}, ["get(1)", "s_2(a)", "tau", "put", "puts(1)"]),
        ({"put*": "*"}, ["(1)", "s_2(a)", "tau", "", "s(1)"]),
        ({"s_?(*)": "s(?,*)"}, ["put(1)", "s(2,a)", "tau", "put", "puts(1)"]),
        ({"put(1)": "put", "put": "x"}, ["put", "s_2(a)", "tau", "x", "puts(1)"]),
        ({"*": "a"}, ["a", "a", "a", "a", "a"]),
    ],
)
def test_labels_are_renamed_by_pattern(names, labels):
    assert [label for _, label, _ in rename(SYSTEM, names)] == labels


def test_renaming_to_and_from_internal_labels():
    assert rename(SYSTEM, {"put": "tau", "puts": "i"}).internal == ("tau",)
    assert rename(SYSTEM, {"tau": "visible"}).internal == ()
    assert rename(LTS.from_transitions([(0, "a", 0)]), {"a": "tau"}).internal == ("tau",)
    own = SYSTEM.with_internal(["put"])
    assert rename(own, {"s_*": "t*"}).internal == ("put",)


@given(st.text("ab*?", max_size=5), st.text("ab", max_size=6))
def test_patterns_match_like_file_name_globs(pattern, label):
    system = LTS.from_transitions([(0, label, 0)])
    with pytest.warns(NameWarning) if not fits(pattern, label) else nothing():
        found = rename(system, {pattern: "new"})
    assert ([*found] == [(0, "new", 0)]) is fits(pattern, label)


def fits(pattern, label):
    if "*" in pattern or "?" in pattern:
        return re.fullmatch(fnmatch.translate(pattern), label) is not None
    return label == pattern


def nothing():
    import contextlib

    return contextlib.nullcontext()


def test_long_labels_are_matched_quickly():
    system = LTS.from_transitions([(0, "a" * 2000, 0)])
    with pytest.warns(NameWarning):
        rename(system, {"*a*a*b": "*"})


def test_the_command(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(SYSTEM, "x.aut")
    assert main(["rename", "x.aut", "put=get", "s_*(*)=s(*,*)", "-o", "y.fsm"]) == 0
    assert capfd.readouterr().err == ""
    assert [a for _, a, _ in read("y.fsm")] == ["get(1)", "s(2,a)", "tau", "get", "puts(1)"]
    assert main(["rename", "x.aut", "nope=x", "-o", "z.aut", "--json"]) == 0
    messages = capfd.readouterr()
    assert messages.err == "ltstool: warning: nothing to rename: no action or label is nope\n"
    assert messages.out == '{"labels": 5}\n'
    for wrong in ("put", "=a", "a=", "a=b=c", "a=*", "a*=**"):
        assert main(["rename", "x.aut", wrong, "-o", "w.aut"]) == 2, wrong
        messages = capfd.readouterr().err
        assert f"`{wrong}`" in messages or "has more `*` and `?` than" in messages
    assert main(["rename", "x.aut", "put=get", "-o", "x.aut"]) == 2
    assert not (tmp_path / "w.aut").exists()


def test_equals_sign_in_brackets_is_no_separator(tmp_path, capfd):
    write(LTS.from_transitions([(0, "a(x=1)", 0)]), tmp_path / "x.aut")
    assert main(["rename", str(tmp_path / "x.aut"), "a(x=1)=b"]) == 0
    assert capfd.readouterr().out.endswith('(0,"b",0)\n')


def test_label_patterns_are_uniform_across_commands(tmp_path, capfd):
    assert SYSTEM.hide(["put(...)"]) == SYSTEM.hide(["put"])
    for formula in ("<put(...)>true", "<put(*)>true"):
        assert check(SYSTEM, formula)
    assert not check(SYSTEM, "<puts(*)>true")
    (tmp_path / "x.mcrl").write_text("%@ include Bool\nact put: Bool proc X = put(T).X init X\n")
    for pattern in ("put", "put(...)", "put(*)", "p*"):
        assert main(["generate", str(tmp_path / "x.mcrl"), "--find", pattern]) == 0, pattern
    capfd.readouterr()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["minimse", "x"], "there is no command `minimse`; did you mean `minimise`?"),
        (
            ["minimise", "x", "-e", "weak", "--hidee=a"],
            "there is no option `--hidee` here; did you mean `--hide`?",
        ),
        (["convert", "x", "--to", "jsn"], "parquet, parts; did you mean `json`?"),
        ([], "a command is needed"),
        (["compare", "x"], "`compare` needs a second system"),
        (["compare"], "`compare` needs two systems"),
        (["check"], "`check` needs a file and a formula"),
        (["rename", "x"], "`rename` needs OLD=NEW"),
        (["reduce", "x"], "`reduce` needs --symmetry"),
    ],
)
def test_missing_arguments_give_usage_and_one_error(words, said, capfd):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    usage, messages = capfd.readouterr().err.splitlines()
    assert usage.startswith("usage: ltstool ")
    assert messages.startswith("ltstool: error: ")
    assert messages.endswith(said)


def test_help(capfd):
    for words in (["help"], ["help", "rename"], ["help", "minimize"]):
        with pytest.raises(SystemExit) as stopped:
            main(words)
        assert stopped.value.code == 0
        assert capfd.readouterr().out.startswith("usage: ltstool ")
    with pytest.raises(SystemExit):
        main(["help", "rename"])
    assert "examples:\n  ltstool rename a.aut send=put" in capfd.readouterr().out
