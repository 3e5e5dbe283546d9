"""Operators of a specification that name actions which their process never does."""

import random
import re

import pytest

from lts import LTS, mcrl2, mucrl
from lts.mucrl import generate

NEVER = r"(`\w+`) names what its process never does: (.*)"
HEAD = "act a, b, c, d; proc P = a . P; Q = b . Q; R = c . P;\n"


def remarks(text, language=mcrl2):
    found = (re.search(NEVER, remark) for remark in language.read_text(text).remarks)
    return [each[0] for each in found if each is not None]


@pytest.mark.parametrize(
    ("process", "operator", "named"),
    [
        ("allow({c}, P || Q)", "allow", "`c`"),
        ("allow({a, a|c, c|d}, P || Q)", "allow", "`a|c` (no `c`), `c|d` (no `c` or `d`)"),
        ("allow({c}, comm({a|b -> c}, P || Q))", None, ""),
        ("allow({c}, comm({a|d -> c}, P || Q))", "both", ""),
        ("block({a, d}, P)", "block", "`d`"),
        ("hide({b}, P)", "hide", "`b`"),
        ("rename({a -> b, c -> d}, P)", "rename", "`c`"),
        ("hide({b}, rename({a -> b}, P))", None, ""),
        ("hide({a}, rename({a -> b}, P))", "hide", "`a`"),
        ("hide({c, a}, R)", None, ""),
        ("a . hide({c}, P) + b", "hide", "`c`"),
    ],
)
def test_operators_naming_absent_actions_are_remarked(process, operator, named):
    found = remarks(HEAD + f"init {process};")
    if operator == "both":
        assert len(found) == 2
    else:
        shown = [f"`{operator}` names what its process never does: {named}"] if operator else []
        assert found == shown


def test_communications_of_several_components_are_known():
    text = "sort Bool\nfunc T, F: -> Bool\n"
    text += "act a b c d e f\ncomm a|b = d d|c = e\nproc P = a.P Q = b.Q R = c.R\n"
    assert remarks(text + "init encap({a, b, c, d}, hide({e}, P || Q || R))", mucrl) == []
    assert remarks(text + "init encap({a, f}, P || Q)", mucrl) == [
        "`encap` names what its process never does: `f`"
    ]


def test_occurring_actions_are_not_remarked_absent():
    """Against the labels of generated systems of processes without conditions."""
    rng, said = random.Random(1), 0
    for _ in range(150):
        inner = f"({rng.choice(['P', 'Q', 'R'])} || {rng.choice(['P', 'Q', 'R'])})"
        for _ in range(rng.randrange(3)):
            name, other = rng.sample("abcd", 2)
            inner = rng.choice(
                [
                    f"hide({{{name}}}, {inner})",
                    f"block({{{name}}}, {inner})",
                    f"rename({{{name} -> {other}}}, {inner})",
                    f"comm({{{name}|{other} -> {rng.choice('abcd')}}}, {inner})",
                    f"allow({{{name}, {name}|{other}}}, {inner})",
                ]
            )
        name = rng.choice("abcd")
        system = LTS.from_transitions(
            generate(mcrl2.read_text(HEAD + f"init {inner};")).transitions()
        )
        does = {part for label in system.labels for part in label.split("|")} - {"tau"}
        absent = f"`hide` names what its process never does: `{name}`" in remarks(
            HEAD + f"init hide({{{name}}}, {inner});"
        )
        said += absent
        assert not (absent and name in does)
    assert said > 20
