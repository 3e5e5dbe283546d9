"""Checks of argument types, with a message that says what the function expects."""

from __future__ import annotations

import operator
from typing import SupportsIndex

__all__ = ["expect", "expect_limit", "expect_number", "expect_text"]

_LARGEST = 2**64 - 1
"""The largest number that the engine takes."""


def expect(value: object, kind: type | tuple[type, ...], what: str, hint: str = "") -> None:
    """Raise `TypeError` for a value of another type; `what` is the expectation, `hint` a remedy.

    >>> expect("(a b)", tuple, "a pair", "split the text")
    Traceback (most recent call last):
    TypeError: a pair is expected, not the text '(a b)': split the text
    """
    if not isinstance(value, kind):
        is_text = isinstance(value, str | bytes)
        shown = f"the text {value!r}" if is_text else f"an object of {type(value).__name__}"
        raise TypeError(f"{what} is expected, not {shown}{f': {hint}' if hint else ''}")


def expect_text(value: object, what: str, hint: str = "") -> None:
    """Raise `TypeError` for a value that is not a text; `what` is the expectation, `hint` ends the
    message.

    >>> expect_text(5, "the name of an equivalence")
    Traceback (most recent call last):
    TypeError: the name of an equivalence is expected, as a text, not an object of int
    """
    if not isinstance(value, str):
        kind = type(value).__name__
        raise TypeError(f"{what} is expected, as a text, not an object of {kind} {hint}".rstrip())


def expect_number(value: object, what: str) -> None:
    """Raise `TypeError` for a value that is no whole number, which numpy's are; `what` is the
    expectation.

    >>> expect_number("5", "the number of states")
    Traceback (most recent call last):
    TypeError: the number of states, a whole number, is expected, not the text '5'
    """
    if isinstance(value, bool):
        raise TypeError(f"{what}, a whole number, is expected, not {value}")
    expect(value, SupportsIndex, f"{what}, a whole number,")


def expect_limit(value: object, what: str) -> None:
    """Raise `TypeError` for a value that is no whole number, and `ValueError` for one that is
    negative or has more than 64 bits; `what` names the limit or the number of times.

    >>> expect_limit(-1, "the limit on states")
    Traceback (most recent call last):
    ValueError: the limit on states is a number from 0 to 2^64 - 1, not -1
    """
    expect_number(value, what)
    if not 0 <= operator.index(value) <= _LARGEST:  # type: ignore[arg-type]
        raise ValueError(f"{what} is a number from 0 to 2^64 - 1, not {value}")
