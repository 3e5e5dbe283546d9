"""The lexical rules of mCRL2, and of data in other texts that use the notation of mCRL2."""

from __future__ import annotations

from lts.text.tokens import Lexicon

__all__ = [
    *("CONTAINERS", "MCRL2", "NAME", "NAME_OF_OTHERS", "NUMBER_OF_OTHERS", "OTHERS", "SECTIONS"),
    *("SIGNS", "SORTS", "WORDS"),
]

SECTIONS = ("sort", "cons", "map", "glob", "var", "eqn", "act", "proc", "init")
"""The keywords that begin a section."""

SORTS = ("Bool", "Pos", "Nat", "Int", "Real")
"""The predefined sorts."""

CONTAINERS = ("List", "Set", "Bag", "FSet", "FBag")
"""The predefined sort constructors."""

WORDS = frozenset(
    (
        *SECTIONS, *SORTS, *CONTAINERS, "struct", "true", "false", "div", "mod", "in",
        "lambda", "forall", "exists", "whr", "end", "delta", "tau", "sum", "dist",
        "block", "allow", "hide", "rename", "comm",
    )
)  # fmt: skip
"""The reserved words, which cannot be names."""

_IN_CONDITIONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "&&", "=>", "in", "-", "*"))


def _hint(kind: str, expected: str) -> str:
    """Return a hint for a token found in place of the expected one."""
    if kind == "=":
        return "; did you mean `==`?"
    if kind in _IN_CONDITIONS and expected.startswith("an operator or"):
        return " (a condition with operators needs parentheses)"
    if kind == "<>":
        return " (it belongs to no `->`)"
    return ""


SIGNS = (
    r"&&|\|\|_|\|\||\|>|\||=>|==|=|!=|!|<=|<>|<<|<\||<|>=|>|->|-|\+\+|\+"
    r"|[#*/.,;:?@()\[\]{}]"
)
"""The operators and brackets, a regular expression."""


NAME = "[A-Za-z_][A-Za-z_0-9']*"
"""A name or a reserved word, a regular expression."""


def _token(name: str, number: str) -> str:
    return rf"[ \t\r\f\v]+|%.*|({name})|({number})|({SIGNS})|(.)"


MCRL2 = Lexicon(WORDS, _token(NAME, "[0-9]+"), frozenset(SECTIONS), hint=_hint)
"""The lexical rules of mCRL2."""

_OF_DATA = frozenset((
    *SORTS, *CONTAINERS, "true", "false", "div", "mod", "in", "whr", "end", "lambda", "forall",
    "exists",
))  # fmt: skip
NUMBER_OF_OTHERS = r"(?:0|[1-9][0-9]*)(?![\w'^\\])"
NAME_OF_OTHERS = rf"(?!{NUMBER_OF_OTHERS})[A-Za-z0-9_][\w'^\\]*"

OTHERS = Lexicon(_OF_DATA, _token(NAME_OF_OTHERS, NUMBER_OF_OTHERS), names=_OF_DATA)
"""The lexical rules of terms with names of muCRL, and of texts in labels."""
