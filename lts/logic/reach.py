"""How far quantifiers and fixed points reach in formulas of mCRL2: brackets are put around them.

There they reach over operators that bind as much as the one before them, or more:
`f && mu X. g && h || k` is `(f && (mu X. g && h)) || k`. Behind `!`, `[r]` and `<r>` they reach
over none: `[r] mu X. g && h` is `([r] mu X. g) && h`. Elsewhere they reach as far to the right as
they can.
"""

from __future__ import annotations

from collections.abc import Sequence

from lts.logic.tokens import LEVELS, Token

__all__ = ["bracketed"]

_TIGHTEST = 1 + max(LEVELS.values())
_PREFIX = ("!", "]", ">")
_JOINTS = (".", "*", "+")
"""Words that end a set of labels in a path."""


def bracketed(tokens: Sequence[Token]) -> list[Token]:
    """Return the words of a formula with brackets around what would reach too far without."""
    found: list[Token] = []
    # For each open bracket the least level of what is put into brackets inside of it, and how many
    # points still belong to binders.
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
