"""Numbers on the command line, for argparse: their ranges, and messages about others."""

from __future__ import annotations

import argparse
import re

MOST = 2**63 - 1
"""The largest number that an option accepts."""

THREADS = 1024
"""The largest number of threads."""

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def natural_number(text: str) -> int:
    """Return a number >= 0."""
    return 0 if natural(text) == 0 else positive(text)


def positive(text: str) -> int:
    """Return a number >= 1."""
    number = natural(text)
    if not number:
        raise argparse.ArgumentTypeError(f"expected a number, at least 1, not `{clipped(text)}`")
    if number > MOST:
        raise argparse.ArgumentTypeError(f"{clipped(text)} is more than {MOST}")
    return number


def thread_count(text: str) -> int:
    """Return a number of threads."""
    number = positive(text)
    if number > THREADS:
        raise argparse.ArgumentTypeError(f"{clipped(text)} is more than {THREADS}")
    return number


def number_or_all(text: str) -> int | None:
    """Return a number >= 1, or None for `all`."""
    return None if text == "all" else positive(text)


def natural(text: str) -> int | None:
    """Return a number given in digits, None for other text; huge numbers become just too large."""
    if not (text.isascii() and text.isdecimal()):
        return None
    return int(text) if len(text) <= len(str(MOST)) else MOST + 1


def assignment(text: str) -> tuple[str, int]:
    """Return the name and the number of NAME=NUMBER."""
    name, equals, digits = text.partition("=")
    number = natural(digits)
    if not equals or not name.isidentifier() or number is None:
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, not `{clipped(text)}`")
    if number > MOST:
        raise argparse.ArgumentTypeError(f"{clipped(text)} is more than {MOST}")
    return name, number


def size(text: str) -> int:
    """Return a size in bytes, given as a number with the suffix K, M, G or T."""
    match = re.fullmatch(
        r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE
    )
    number = 0 if match is None else int(float(match[1]) * _UNITS[match[2].upper()])
    if not 0 < number <= MOST:
        raise argparse.ArgumentTypeError(
            f"expected a size such as 500M or 4G, not `{clipped(text)}`"
        )
    return number


def seconds(text: str) -> float:
    """Return a positive time in seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds, more than 0, not `{clipped(text)}`")
    return number


def clipped(text: str) -> str:
    """Return a long text truncated for a message."""
    return text if len(text) <= 40 else f"{text[:40]}..."
