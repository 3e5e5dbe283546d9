"""Suggestions for misspelt names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

__all__ = ["near", "nearest", "suggested"]

_MOST_COMPARED = 2000
"""Most known names that a misspelt one is compared with."""

_MOST_MISTAKES = 3


def near(name: str, known: Iterable[str]) -> str:
    """Return a question that suggests the nearest known name; empty if none is near.

    >>> near("hidee", ["hide", "strict"]), near("simplify", ["hide", "strict"])
    ('; did you mean `hide`?', '')
    """
    found = nearest(name, known)
    return "" if found is None else f"; did you mean `{found}`?"


_QUESTION = re.compile(r"`([^`]+)`[^`]*; did you mean `([^`]+)`\?$")


def suggested(message: str) -> tuple[str, str] | None:
    """Return the last name of a message that `near` ends, and the name suggested for it, or None.

    >>> suggested("`hidee` is not declared" + near("hidee", ["hide", "strict"]))
    ('hidee', 'hide')
    """
    found = _QUESTION.search(message)
    return None if found is None else (found[1], found[2])


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name from which another differs by the fewest mistakes, None if all differ
    by more than one mistake for each three letters, or more than three.

    A mistake is a letter too many, missing, or wrong, or two letters exchanged. Upper and lower
    case are the same, so that names in the wrong case are found first. Of the nearest names, the
    one with most of the letters is taken.
    """
    most = min(_MOST_MISTAKES, max(len(name) // 3, 1 if len(name) > 1 else 0))
    alike = (other for other in dict.fromkeys(known) if abs(len(other) - len(name)) <= most)
    found: list[str] = []
    folded = name.casefold()
    for other in islice(alike, _MOST_COMPARED):
        mistakes = _mistakes(folded, other.casefold(), most)
        if mistakes is None or other == name:
            continue
        found = [other] if mistakes < most else [*found, other]
        most = mistakes

    def shared(other: str) -> int:
        return sum(min(folded.count(c), other.casefold().count(c)) for c in {*folded})

    return max(found, key=shared, default=None)


def _mistakes(one: str, other: str, most: int) -> int | None:
    """Return the distance of two texts (Damerau and Levenshtein, without changes inside exchanged
    letters), None if it is more than `most`."""
    beyond = most + 1
    before: list[int] = []
    last = [min(column, beyond) for column in range(len(other) + 1)]
    for row, letter in enumerate(one, 1):
        # Only cells near the diagonal can have a distance of at most `most`.
        start, end = max(row - most, 1), min(row + most, len(other))
        line = [beyond] * (len(other) + 1)
        line[0] = min(row, beyond)
        for column in range(start, end + 1):
            same = letter == other[column - 1]
            least = min(last[column] + 1, line[column - 1] + 1, last[column - 1] + (not same))
            is_swap = row > 1 < column and letter == other[column - 2]
            if is_swap and one[row - 2] == other[column - 1]:
                least = min(least, before[column - 2] + 1)
            line[column] = min(least, beyond)
        if min(line) > most and min(last) > most:
            return None
        before, last = last, line
    return last[-1] if last[-1] <= most else None
