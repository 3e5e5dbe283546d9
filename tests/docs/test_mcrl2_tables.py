"""What docs/mcrl2.md says of the language and of commands is so: each row is tried."""

import shlex
from pathlib import Path

import pytest

from lts import LtsError, mcrl2
from lts.state_space import generate
from programs import outcome
from tables import rows

PAGE = (Path(__file__).parents[2] / "docs" / "mcrl2.md").read_text(encoding="utf-8")


def marked(mark):
    """Return the section behind a mark of the page."""
    return PAGE.partition(f"({mark})=\n## ")[2].partition("\n## ")[0]


CONSTRUCTS, COMMANDS = rows(marked("constructs")), rows(marked("commands-of-mcrl2"))


def test_both_tables_exist():
    assert len(CONSTRUCTS) > 15
    assert len(COMMANDS) > 15


@pytest.mark.parametrize(("construct", "text", "taken"), CONSTRUCTS)
def test_documented_constructs_are_accepted(construct, text, taken):
    text = text.strip("`")
    if taken.startswith("yes"):
        assert generate(mcrl2.read_text(text)).transition_count > 0, construct
        return
    reason = taken.removeprefix("no: ").replace("`", "")
    with pytest.raises(LtsError) as error:
        generate(mcrl2.read_text(text))
    assert reason in str(error.value).replace("`", "")


NO = (
    "--deadlocks --trace out.trc -o out.aut",  # there is none
    "--divergence",
    # B does less than A does, and refuses what A does then.
    "-e weak",
    *(f"--preorder {one}" for one in ("failures", "strong-failures", "impossible-futures")),
)
"""How the commands end whose answer is no."""


@pytest.mark.parametrize(("theirs", "ours"), COMMANDS)
def test_documented_commands_run(tmp_path, theirs, ours):
    (tmp_path / "a.mcrl2").write_text(
        "act work, rest; proc P = work . rest . P; init P;", encoding="utf-8"
    )
    (tmp_path / "a.aut").write_text('des (0,2,2)\n(0,"work",1)\n(1,"rest",0)\n', encoding="utf-8")
    (tmp_path / "b.aut").write_text('des (0,1,2)\n(0,"work",1)\n', encoding="utf-8")
    (tmp_path / "f.mcf").write_text("[true*]<true>true", encoding="utf-8")
    (tmp_path / "a.trc").write_text("work\nrest\n", encoding="utf-8")
    for words in (
        ["convert", "a.aut", "a.lts"],
        ["linearise", "a.mcrl2", "-o", "a.lps"],
        ["generate", "a.mcrl2", "--find", "rest"],
    ):
        more = ["--trace", "a.trace"] if words[0] == "generate" else []
        assert outcome(*words, *more, cwd=tmp_path)[0] == 0
    program, *words = shlex.split(ours.strip("`"))
    assert program == "ltstool"
    code, _, messages = outcome(*words, cwd=tmp_path)
    assert code == ours.strip("`").endswith(tuple(f" {no}" for no in NO)), messages
    written = [word for word in words if word.startswith("out.") and word != "out.trc"]
    assert all((tmp_path / name).exists() for name in written), theirs
