"""Notations of other tools and languages, and the notation here, for hints in errors.

An error of a text names what is meant if it stands where a habit does. For muCRL,
`lts.mucrl.text.errors` has hints of its own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

__all__ = ["COMMANDS", "HABITS", "OF_EQUATIONS", "Habit", "with_hint"]


class Habit(NamedTuple):
    """A notation of another language or tool, written by habit.

    `language` is that of the text in which it is wrong, `written` an example, and `here` what to do
    instead. An error is about it if it lies within, or at the end of, a part of a line that the
    regular expression `pattern` matches, and its message contains `message`.
    """

    language: str
    written: str
    here: str
    pattern: str
    message: str = ""


_AND_OR = "`and` is `&&`, `or` is `||`, `not` is `!`"
_WORDS_OF_TIME = r"\b(?:always|globally|finally|eventually|until|next|never)\b"

HABITS = (
    Habit("formula", "<->, [-]", "any action is `true`: `<true>`", r"[\[<]\s*-\s*[\]>.*]"),
    Habit("formula", "a -> b", "implication is `=>`", r"->"),
    Habit("formula", "tt, ff", "write `true` or `false`", r"\b(?:tt|ff|TRUE|FALSE)\b"),
    Habit("formula", "always a", "`A G p` is always, `A F p` eventually", _WORDS_OF_TIME),
    Habit("formula", "[]<>a", "`<>` and `[]` are about paths: `A G F p`", r"<>|\[\]"),
    Habit(
        "formula",
        "a U b",
        "formulas about paths follow `A` or `E`: `A (p U q)`",
        r"\w+(?:\([^()]*\))?\s+[UWR]\s",
    ),
    Habit(
        "formula",
        "[a]",
        "a formula follows: `[a]false` forbids a, `<a>true` asks for it",
        r"[\]>]\s*(?:\)|&&|\|\||$)",
        "expected a formula",
    ),
    Habit("formula", "a /\\ b", "`/\\` is `&&`, `\\/` is `||`", r"/\\|\\/"),
    Habit("formula", "~a", "negation is `!`", r"~"),
    Habit(
        "formula",
        "min X. a",
        "fixed points are `mu X. ..` and `nu X. ..`",
        r"\b(?:min|max|lfp|gfp)\b",
    ),
    Habit("formula", "a;b", "paths are joined by `.`", r";"),
    Habit("formula", "nodeadlock", "the property is `deadlock-free`", r"\bno[-_]?deadlocks?\b"),
    Habit("mcrl2", "a <> b", "unequal is `!=`", r"<>", "expected `)`"),
    Habit("mcrl2", "a and b", _AND_OR, r"\b(?:and|or)\b|\bnot\b\s+\w*"),
    Habit(
        "mcrl2",
        "if b then p else q",
        "a choice by data is `b -> p <> q`, of data `if(b, x, y)`",
        r"\bif\b\s+[^;]*?\bthen\b|\bthen\b|\belse\b",
    ),
    Habit(
        "mcrl2",
        "struct a, b",
        "alternatives are joined by `|`",
        r"\bstruct\b[^;]*,",
        "expected `;`",
    ),
    Habit("mcrl2", "enum a, b", "write `struct a | b`", r"\benum\b\s*\w*"),
    Habit("mcrl2", "a; P;", "a sequence is `a . P`", r";\s*\w+(?:\([^()]*\))?\s*;", "expected `=`"),
    Habit("mcrl2", "P := a", "a process is defined by `=`", r":=", "expected `=`"),
    Habit("mcrl2", "process P", "sections of processes begin with `proc`", r"\bprocess\b\s*\w*"),
    Habit("mcrl2", "p [] q", "choice is `+`", r"\[\]"),
    Habit(
        "mcrl2",
        "x % 2",
        "`%` begins a comment: the rest of a division is `mod`",
        r"\(.*%",
        "never closed",
    ),
    Habit("mcrl2", "// note", "a comment begins with `%`", r"//|/\*|--|^\s*#"),
    Habit(
        "mcrl2",
        "b && a",
        "an action under a condition is `b -> a`",
        r"\b(?:proc|init)\b.*&&|&&",
        "expected a process",
    ),
    Habit(
        "mcrl2",
        "skip, stop",
        "`tau` is an internal step, `delta` does nothing",
        r"\b(?:skip|stop|STOP|SKIP|nil|NIL)\b",
    ),
    Habit("mcrl2", "b <| c |> d", "a condition is `condition -> then <> otherwise`", r"<\|"),
)
"""Habits in texts."""

COMMANDS = {
    "mcrl22lps": "linearise",
    "lpspp": "linearise",
    "txt2lps": "linearise",
    "mcrl": "linearise",
    "lps2lts": "generate",
    "instantiator": "generate",
    "generator": "generate",
    "lps2lts-sym": "generate",
    "mcrl2i": "evaluate",
    "lpsxsim": "simulate",
    "lpssim": "simulate",
    "lpsxplore": "simulate",
    "ocis": "simulate",
    "tracepp": "simulate",
    "lpsreach": "info",
    "ltsinfo": "info",
    "bcg_info": "info",
    "ltsconvert": "minimise",
    "bcg_min": "minimise",
    "ltsmin-reduce": "minimise",
    "ltsmin": "minimise",
    "sigref": "minimise",
    "ltscompare": "compare",
    "ltsmin-compare": "compare",
    "bcg_cmp": "compare",
    "bisimulator": "compare",
    "bisim": "compare",
    "fdr": "compare",
    "fdr4": "compare",
    "refines": "compare",
    "lps2pbes": "check",
    "lts2pbes": "check",
    "pbes2bool": "check",
    "pbessolve": "check",
    "evaluator": "check",
    "evaluator4": "check",
    "spin": "check",
    "tlc": "check",
    "ltsgraph": "view",
    "ltsview": "view",
    "bcg_edit": "view",
    "bcg_draw": "draw",
    "bcg_io": "convert",
    "ltsmin-convert": "convert",
    "exp.open": "compose",
    "lpscombine": "compose",
    "svl": "run",
    "topspin": "reduce",
}
"""Commands of other tools, each with the command that does the same here."""

OF_EQUATIONS = ("lps2pbes", "lts2pbes", "pbes2bool", "pbessolve")
"""Those that make or read Boolean equation systems."""


_NEAR = 400
"""The number of characters on each side of an error among which a habit is looked for."""


def with_hint(language: str, message: str, line: str, column: int) -> str:
    """Return the message of an error at a column of a line, counted from 1; if a habit stands
    there, with what is meant by it in place of any other hint."""
    # Patterns may take the square of the length of a line, and are about a few words.
    near = max(0, column - _NEAR), column + _NEAR
    for pattern, habit in _compiled():
        if habit.language != language or habit.message not in message or habit.here in message:
            continue
        if any(each.start() < column <= each.end() + 1 for each in pattern.finditer(line, *near)):
            return f"{message.partition('; ')[0]}; {habit.here}"
    return message


@cache
def _compiled() -> list[tuple[re.Pattern[str], Habit]]:
    return [(re.compile(habit.pattern), habit) for habit in HABITS]
