"""The scope of quantifiers and fixed points (binders) in formulas, as mCRL2 parses them.

In mCRL2 the scope of a binder after an operator ends at the first operator that binds less
strongly: `f && mu X. g && h || k` is `(f && (mu X. g && h)) || k`. After `!`, `[r]` or `<r>` it
ends at the first binary operator: `[r] mu X. g && h` is `([r] mu X. g) && h`. Otherwise it is as
large as possible, which is the rule of ltstool for all binders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from lts.logic.text.tokens import LEVELS, Token, Tokens

__all__ = ["bracketed", "ends_earlier"]

_TIGHTEST = 1 + max(LEVELS.values())
_PREFIX = ("!", "]", ">")
_JOINTS = (".", "*", "+")
"""Operators of regular formulas, which end a set of labels."""


def bracketed(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a formula with the brackets that make mCRL2's scopes explicit."""
    found: list[Token] = []
    # For each open bracket, the binding strengths of the inserted brackets that are open inside it,
    # and the number of its binders whose point has not come yet.
    open_levels: list[list[int]] = [[]]
    points = [0]

    def close(token: Token, level: int) -> None:
        while open_levels[-1] and open_levels[-1][-1] > level:
            open_levels[-1].pop()
            found.append(Token(")", token.at))

    for place, token in enumerate(tokens):
        text = token.text
        if text in (")", "]", ">", "}", ";", ""):
            close(token, -1)
            if text in (")", "]", ">", "}") and len(points) > 1:
                open_levels.pop()
                points.pop()
        elif text in LEVELS:
            close(token, LEVELS[text])
        elif text == "." and points[-1]:
            points[-1] -= 1
        elif text in _JOINTS:
            close(token, -1)
        elif text in ("mu", "nu", "forall", "exists") and tokens[place + 1].is_name:
            before = tokens[place - 1].text if place else ""
            level = _TIGHTEST if before in _PREFIX else LEVELS.get(before)
            if level is not None:
                open_levels[-1].append(level)
                found.append(Token("(", token.at))
            points[-1] += 1
        found.append(token)
        if text in ("(", "[", "<", "{"):
            open_levels.append([])
            points.append(0)
    return found


def ends_earlier(text: str) -> str | None:
    """Return the first operator at which the scope of a binder ends in mCRL2 but not here.

    None if both parse the formula alike. A scope that mCRL2 ends before a use of the declared name
    does not count, as mCRL2 would refuse the formula.
    """
    tokens = Tokens(text, "formula").tokens
    own = {id(token) for token in tokens}
    found = bracketed(tokens)
    begun: list[int] = []
    for place, token in enumerate(found):
        if id(token) in own:
            continue
        if token.text == "(":
            begun.append(place)
            continue
        names = _declared(found[begun.pop() + 2 :])
        rest = found[place + 1 :]
        if rest[0].text in LEVELS and names.isdisjoint(_until_closed(rest)):
            return rest[0].text
    return None


def _declared(tokens: Sequence[Token]) -> set[str]:
    """Return the names that a binder declares, from the tokens after `mu`, `nu`, `forall` or
    `exists`. `X(n: Nat = 0)` is one token and declares `X` and `n`."""
    words = takewhile(lambda token: token.text != ".", tokens)
    text = " ".join(token.text for token in words)
    return {*re.findall(r"^[\w']+", text), *re.findall(r"([\w']+)\s*[:,]", text)}


def _until_closed(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names in tokens up to the end of the enclosing bracket; `val(b)` is one token."""
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth < 0:
            return
        yield from re.findall(r"[\w']+", token.text)
