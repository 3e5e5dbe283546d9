"""Counts, times and sizes on the command line, for argparse: their units and ranges, and messages
about others. One reader, `quantity`, reads all of them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lts.base.bounds import OPTION_VALUE, THREADS

if TYPE_CHECKING:
    from fractions import Fraction

_MULTIPLES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BYTES = {
    unit + end: factor
    for power, letter in enumerate("kmgt", 1)
    for unit, factor in ((letter, 1000**power), (f"{letter}i", 1024**power))
    for end in ("", "b")
} | {"": 1, "b": 1}
_SECONDS: dict[str, int | str] = {
    **dict.fromkeys(("", "s", "sec"), 1),
    **dict.fromkeys(("m", "min"), 60),
    "h": 3600,
    "d": 86400,
    "ms": "1/1000",
}
_DIGITS = 18
"""Digits that a number can have after the point; one with twice as many before it is too large for
every option."""


def quantity(text: str, units: Mapping[str, int | str]) -> Fraction | None:
    """Return a number with one of the units, such as `10`, `1e6`, `2.5M` or `10s`; None for other
    text. Numbers too large for an option become just too large.

    >>> quantity("1e6", {"": 1}), quantity("1.5h", {"h": 3600}), quantity("5x", {"": 1})
    (Fraction(1000000, 1), Fraction(5400, 1), None)
    """
    from fractions import Fraction

    number = rf"([0-9]*)(\.[0-9]{{1,{_DIGITS}}})?(?:e([+-]?[0-9]{{1,9}}))?"
    match = re.fullmatch(rf"{number}\s*([a-z]*)", text.strip().lower(), re.ASCII)
    if match is None or match[4] not in units or not (match[1] or match[2]):
        return None
    whole, point = match[1].lstrip("0"), match[2] or ""
    exponent = int(match[3] or 0)
    if not (whole + point).strip("0."):
        return Fraction(0)
    if max(len(whole), len(whole) + exponent) > 2 * _DIGITS:
        return Fraction(OPTION_VALUE.default + 1)
    if exponent < -10 * _DIGITS:
        return Fraction(1, OPTION_VALUE.default)
    return Fraction(f"0{whole}{point}") * Fraction(10) ** exponent * Fraction(units[match[4]])


def natural_number(text: str) -> int:
    """Return a number >= 0."""
    return 0 if natural(text) == 0 else positive(text)


def positive(text: str) -> int:
    """Return a number >= 1."""
    number = natural(text)
    if not number:
        raise argparse.ArgumentTypeError(f"expected a number, at least 1, not `{clipped(text)}`")
    if number > OPTION_VALUE.default:
        raise argparse.ArgumentTypeError(OPTION_VALUE.exceeded_by(clipped(text)))
    return number


def thread_count(text: str) -> int:
    """Return a number of threads."""
    number = positive(text)
    if number > THREADS.default:
        raise argparse.ArgumentTypeError(THREADS.exceeded_by(clipped(text)))
    return number


def number_or_all(text: str) -> int | None:
    """Return a number >= 1, or None for `all`."""
    return None if text == "all" else positive(text)


def natural(text: str) -> int | None:
    """Return a whole number such as `1000`, `1e3` or `1k`, None for other text; huge numbers become
    just too large."""
    number = quantity(text, _MULTIPLES)
    if number is None or number.denominator != 1:
        return None
    return min(int(number), OPTION_VALUE.default + 1)


def assignment(text: str) -> tuple[str, int]:
    """Return the name and the number of NAME=NUMBER."""
    name, equals, digits = text.partition("=")
    number = natural(digits)
    if not equals or not name.isidentifier() or number is None:
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, not `{clipped(text)}`")
    if number > OPTION_VALUE.default:
        raise argparse.ArgumentTypeError(OPTION_VALUE.exceeded_by(clipped(text)))
    return name, number


def size(text: str) -> int:
    """Return a size in bytes: `K`, `M`, `G` and `T` are powers of 1000, `Ki`, `Mi`, .. of 1024."""
    number = quantity(text, _BYTES)
    if number is None or not 1 <= number <= OPTION_VALUE.default:
        raise argparse.ArgumentTypeError(
            f"expected a size such as 500M or 4G, not `{clipped(text)}`"
        )
    return int(number)


def seconds(text: str) -> float:
    """Return a positive time in seconds: `90`, `10s`, `5m`, `1.5h` or `2d`."""
    number = quantity(text, _SECONDS)
    if not number or number > OPTION_VALUE.default:
        raise argparse.ArgumentTypeError(
            f"expected a time, more than 0, such as 90, 10s, 5m or 2h, not `{clipped(text)}`"
        )
    return float(number)


def clipped(text: str) -> str:
    """Return a long text truncated for a message."""
    return text if len(text) <= 40 else f"{text[:40]}..."
