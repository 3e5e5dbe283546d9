"""What a syntax error is told as: what was expected, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Container

from lts.mucrl.text.errors.suggestions import (
    PROCESS,
    Wrong,
    illegal,
    near_section,
    open_bracket,
    probable,
)
from lts.mucrl.text.tokens import ILLEGAL, SECTIONS, Tokens
from lts.text.grammar import END
from lts.text.report import listed
from lts.text.source import Place

__all__ = [
    "Explanation",
    "declarations",
    "explained",
    "false_head",
    "no_equations",
    "no_operator",
    "no_section",
    "unfinished",
]

Explanation = tuple[Place, Callable[[], str]]
"""Where, and the message."""

# What is waited for, by the first of these rules that may begin there.
_EXPECTED = {
    "equation": "an equation",
    "definition": "a definition",
    "declaration": "a declaration",
    "communication": "a communication",
    "variable_list": "a variable",
    "term": "a term",
    "single": "a process",
    "sort": "a sort",
    "function": "a function",
    "variable": "a variable",
    "action": "an action",
}
_OPERATORS = frozenset((".", "+", "||", "|", "||_", "<|", "<<", "@"))
_LAST = ("NAME", ")", "delta", "tau")
"""What a declaration may end with."""


def no_section(tokens: Tokens) -> Explanation:
    """Explain a text that does not begin with a section."""

    def message() -> str:
        words = listed([f"`{word}`" for word in SECTIONS])
        hint = illegal(tokens, 0) or near_section(tokens, 0)
        return f"expected a section ({words}), found {_found(tokens, 0)}{_after(hint)}"

    return tokens.place(0), message


def no_equations(tokens: Tokens, at: int) -> Explanation:
    """Explain a `var` section that no `rew` follows; token `at` stands in its place."""
    return tokens.place(
        at
    ), lambda: f"expected `rew` after the variables, found {_found(tokens, at)}"


def unfinished(wrong: Wrong) -> Explanation:
    """Explain a declaration that is not finished where the next one begins."""

    def message() -> str:
        found = f"`{wrong.word}`, which begins the next one"
        return f"expected {_expected(wrong)}, found {found}{_after(open_bracket(wrong))}"

    return wrong.tokens.place(wrong.at), message


def no_operator(tokens: Tokens, at: int) -> Explanation:
    """Explain a name that was taken as that of a definition because no operator precedes it."""
    if tokens.is_first(at):
        hint = "a definition is written `X = p` or `X(d:D) = p`"
    else:
        hint = "is a `.` missing before it?"
    return tokens.place(
        at
    ), lambda: f"expected an operator or a definition, found {_found(tokens, at)}; {hint}"


def explained(wrong: Wrong) -> Explanation:
    """Explain a token that is not allowed where it stands."""

    def message() -> str:
        found = _found(wrong.tokens, wrong.at)
        return f"expected {_expected(wrong)}, found {found}{_after(probable(wrong))}"

    return wrong.tokens.place(wrong.at), message


def false_head(wrong: Wrong, starts: Container[int]) -> int | None:
    """Return the name of a definition that is none, because it has no `=`.

    `starts` are the tokens that seem to begin a definition.
    """
    if wrong.keyword != "proc":
        return None
    if wrong.expected.keys() == {"=", "("}:
        head = wrong.at - 1
    elif wrong.expected.keys() == {":"} and wrong.before(2) == "(":
        head = wrong.at - 3
    else:
        return None
    return head if head > wrong.begin and head not in starts else None


def declarations(tokens: Tokens, keyword: str, first: int) -> list[int]:
    """Return the tokens of a section, which begins at `first`, that seem to begin a declaration.

    They are where parsing may go on after an error: the names before `:`, and a name, perhaps with
    something in brackets, before `=`.
    """
    kinds = tokens.kinds
    end = kinds.index(END, first)
    closing = _closing(kinds, first, end)
    found = []
    at = first
    while at < end:
        if kinds[at] == "NAME" and (at == first or tokens.is_first(at) or kinds[at - 1] in _LAST):
            last = at
            if keyword in ("rew", "proc"):
                if kinds[at + 1] == "(":
                    last = closing.get(at + 1, at)
                if kinds[last + 1] == "=":
                    found.append(at)
            elif keyword == "comm":
                if kinds[at + 1] == "|" and kinds[at + 2] == "NAME":
                    found.append(at)
            else:
                while kinds[last + 1] == "," and kinds[last + 2] == "NAME":
                    last += 2
                if kinds[last + 1] == ":":
                    found.append(at)
                at = last
        at += 1
    return found


def _closing(kinds: list[str], first: int, end: int) -> dict[int, int]:
    """Return the closing bracket of each opening one."""
    still_open: list[int] = []
    found = {}
    for at in range(first, end):
        if kinds[at] in ("(", "{"):
            still_open.append(at)
        elif kinds[at] in (")", "}") and still_open:
            found[still_open.pop()] = at
    return found


def _expected(wrong: Wrong) -> str:
    words: list[str] = []
    rest: list[str] = []
    for terminal, rules in wrong.expected.items():
        if terminal == END or terminal in _OPERATORS:
            continue
        known = next((word for symbol, word in _EXPECTED.items() if symbol in rules), None)
        if known is not None and terminal in PROCESS:
            words.append(known)
        elif terminal == "NAME":
            rest.append("a name")
        elif terminal != "(" or len(wrong.expected) == 1 or "=" in wrong.expected:
            rest.append(f"`{terminal}`")
    operators = _OPERATORS & wrong.expected.keys()
    if len(operators) > 1:
        words.insert(0, "an operator")
    else:
        rest += (f"`{operator}`" for operator in operators)
    if END in wrong.expected:
        rest.append("the next section")
    return listed([*dict.fromkeys(words), *rest])


def _after(hint: str | None) -> str:
    return f"; {hint}" if hint else ""


def _found(tokens: Tokens, at: int) -> str:
    text = tokens.values[at]
    if tokens.kinds[at] != ILLEGAL:
        return f"`{text}`" if text else "the end of the text"
    if "\udc80" <= text <= "\udcff":
        shown = f"the byte {ord(text) & 0xFF:#04x}"
    else:
        shown = f"`{text}`" if text.isprintable() else f"the character {ord(text):#04x}"
    return f"{shown}, which is no part of muCRL"
