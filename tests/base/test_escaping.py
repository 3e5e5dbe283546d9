"""Messages about names of any length."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lts.errors
from lts.base.escaping import LONGEST_MESSAGE, LONGEST_NAME, short_name, shortened
from programs import outcome

LONG = ["x" * 10_000, "a b " * 2_500, "\x1b[2J" * 2_500, "é☃ " * 3_000, 'a"b ' * 2_500]
LONG += ["`x" * 5_000, "\n`" * 5_000, "a` b" * 2_500, "\udc80" * 10_000]
ERRORS = [
    kind
    for _, kind in inspect.getmembers(lts.errors, inspect.isclass)
    if issubclass(kind, lts.errors.LtsError)
]


@given(st.text(), st.integers(8, 40))
def test_short_names_preserve_prefix_and_suffix(name, most):
    short = short_name(name, most)
    assert len(short) <= most
    if short != name:
        begin, end = short.split("...", 1) if name.count("...") == 0 else ("", "")
        assert len(name) > most
        assert name.startswith(begin)
        assert name.endswith(end)


@given(st.text("ab `\"'", max_size=LONGEST_NAME))
def test_short_messages_are_unchanged(message):
    assert shortened(message) == message


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("name", LONG)
def test_errors_shorten_long_names(kind, name):
    more = {
        "NotSymmetric": {"witness": f"after the trace\n  {name}"},
        "NotProven": {"missing": f"`{name}`"},
        "LimitReached": {"limit": 1, "found": {}},
        "RewritingLimit": {"limit": 1, "found": {}},
    }.get(kind.__name__, {"file": name, "line": 1, "column": 9_000, "text": name})
    for message in (f"`{name}` is not known", f"no label is {name}", f'"{name}" is no `file`'):
        shown = str(kind(message, **more))
        first, _, rest = shown.partition("\n")
        # The place, and the escapes of line breaks, come in addition.
        assert len(first) < 4 * LONGEST_MESSAGE + 1000
        if not {"`", '"', "\n"} & {*name} and "`" in message:
            assert name[: LONGEST_NAME + 1] not in first
        # The labels of a trace are separated by blanks.
        if not {" ", "\n"} & {*name}:
            assert name[: LONGEST_NAME + 1] not in rest


LABELS = ["x" * 10_000, "\x1b]0;x\x07" * 2_000, "a b " * 2_500]


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize(
    "words",
    [
        ["info", "NAME"],
        ["NAME"],
        ["info", "--NAME"],
        ["info", "a.aut", "--tau", "NAME"],
        ["info", "a.aut", "--hide", "NAME"],
        ["check", "a.aut", "<NAME>true"],
        ["check", "a.aut", "NAME"],
        ["check-symmetry", "a.aut", "--symmetry", "(a NAME)"],
        ["check-symmetry", "a.aut", "--symmetry", "(a c)"],
        ["compare", "a.aut", "NAME"],
        ["compare", "a.aut", "a.aut", "-e", "NAME"],
        ["generate", "m.mcrl", "--set", "NAME=1"],
        ["generate", "wrong.mcrl"],
        ["generate", "wrong.mcrl2"],
        ["compose", "wrong.exp"],
        ["convert", "a.aut", "out.NAME"],
        ["minimise", "a.aut", "-e", "strong", "-o", "NAME"],
        ["simulate", "a.aut", "--replay", "wrong.trace"],
        ["run", "wrong.toml"],
        ["expand", "a.aut", "--symmetry", "wrong.sym"],
    ],
)
def test_commands_shorten_long_names(tmp_path, monkeypatch, words, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.aut").write_text(f'des (0,3,2)\n(0,"a",1)\n(1,"{name}",0)\n(1,"c",0)\n')
    (tmp_path / "m.mcrl").write_text("act a\ninit delta\n")
    plain = name if name.isalnum() else "x" * 10_000
    (tmp_path / "wrong.mcrl").write_text(f"sort Bool func T,F:->Bool act a init {plain}\n")
    (tmp_path / "wrong.mcrl2").write_text(f"init {plain};\n")
    (tmp_path / "wrong.exp").write_text(f'"{name}" ||| a.aut\n')
    (tmp_path / "wrong.trace").write_text(f"{name}\n")
    (tmp_path / "wrong.toml").write_text(f'[steps.a]\nrun = "info {plain}"\nneeds = ["{plain}"]\n')
    (tmp_path / "wrong.sym").write_text(f"{name}\n")
    code, _, messages = outcome(*[word.replace("NAME", name) for word in words])
    assert code in (0, 1, 2)
    assert "bug in ltstool" not in messages
    assert "\x1b" not in messages
    assert "\x07" not in messages
    assert "x" * (LONGEST_NAME + 1) not in messages
    for line in messages.splitlines():
        assert len(line) < 2 * LONGEST_MESSAGE, len(line)
