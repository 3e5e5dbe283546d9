"""Messages of syntax errors: what was expected, and what was found."""

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
"""The place of an error, and a function that returns its message."""

# Descriptions of what is expected, by the first of these rules that may begin there.
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
"""Tokens that may end a declaration."""


def no_section(tokens: Tokens) -> Explanation:
    """Explain a text that does not begin with a section."""

    def message() -> str:
        words = listed([f"`{word}`" for word in SECTIONS])
        hint = illegal(tokens, 0) or near_section(tokens, 0)
        return f"expected a section ({words}), found {_found(tokens, 0)}{_after(hint)}"

    return tokens.place(0), message


def no_equations(tokens: Tokens, at: int) -> Explanation:
    """Explain a `var` section that is not followed by `rew`; token `at` is found instead."""
    return tokens.place(
        at
    ), lambda: f"expected `rew` after the variables, found {_found(tokens, at)}"


def unfinished(wrong: Wrong) -> Explanation:
    """Explain a declaration that is incomplete where the next one begins."""

    def message() -> str:
        found = f"`{wrong.word}`, which begins the next one"
        return f"expected {_expected(wrong)}, found {found}{_after(open_bracket(wrong))}"

    return wrong.tokens.place(wrong.at), message


def no_operator(tokens: Tokens, at: int) -> Explanation:
    """Explain a name that looks like the start of a definition, because an operator is missing."""
    if tokens.is_first(at):
        hint = "a definition is written `X = p` or `X(d:D) = p`"
    else:
        hint = "is a `.` missing before it?"
    return tokens.place(
        at
    ), lambda: f"expected an operator or a definition, found {_found(tokens, at)}; {hint}"


def explained(wrong: Wrong) -> Explanation:
    """Explain an unexpected token."""

    def message() -> str:
        found = _found(wrong.tokens, wrong.at)
        return f"expected {_expected(wrong)}, found {found}{_after(probable(wrong))}"

    return wrong.tokens.place(wrong.at), message


def false_head(wrong: Wrong, starts: Container[int]) -> int | None:
    """Return the token that was read as the name of a definition, but has no `=`; else None.

    `starts` are the tokens that look like the start of a definition.
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
    """Return the tokens of the section from `first` on that look like the start of a declaration.

    Parsing can resume at them after an error. They are a name, or names separated by commas, before
    `:`, and a name with optional brackets before `=`; in a `comm` section, a name before `|` and
    another name.
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
    """Return the closing bracket for each opening one."""
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
    return f"{shown}, which is not part of muCRL"
