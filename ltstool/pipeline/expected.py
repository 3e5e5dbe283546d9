"""Comparison of the output of a step with what is expected."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from ltstool.pipeline.steps import Expectation

__all__ = ["mismatch"]

_SAYS = {0: "yes", 1: "no", 2: "wrong use or input", 3: "a limit was reached", 130: "interrupted"}
_SHOWN = 60


def mismatch(expect: Expectation, code: int, printed: bytes) -> str | None:
    """Return a description of the difference between the result of a step and the expectation; None
    if there is none.

    `code` is its exit code, `printed` its output. Without an expectation, exit code 0 is expected.
    """
    expected = _code(expect)
    if expected is not None:
        return (
            None if code == expected else f"expected {_in_words(expected)}, found {_in_words(code)}"
        )
    if code not in (0, 1):
        return f"expected a result, found {_in_words(code)}"
    text = printed.decode("utf-8", "surrogateescape")
    if isinstance(expect, str):
        return None if expect in text else f"expected `{expect}`, which is not part of its output"
    found = None
    with suppress(ValueError):
        found = json.loads(text)
    if not isinstance(found, dict):
        return "expected a table, but its output is not JSON: add --json to the command"
    return _difference(expect, found, "")


def _code(expect: Expectation) -> int | None:
    """Return the expected exit code, if nothing else is expected."""
    if expect is None:
        return 0
    if isinstance(expect, bool):
        return 0 if expect else 1
    return expect if isinstance(expect, int) else None


def _in_words(code: int) -> str:
    return f"{_SAYS[code]} (exit code {code})" if code in _SAYS else f"exit code {code}"


def _difference(expected: Any, found: Any, path: str) -> str | None:
    """Return the first place where `found` does not contain what is `expected`."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            here = f"{path}.{key}".lstrip(".")
            if key not in found:
                return f"expected {here}, found only {', '.join(map(str, found)) or 'nothing'}"
            if (inner := _difference(value, found[key], here)) is not None:
                return inner
        return None
    # `true` is not the number 1 here, although Python has True == 1.
    if expected == found and isinstance(expected, bool) == isinstance(found, bool):
        return None
    return f"expected {path} {_short(expected)}, found {_short(found)}".replace("  ", " ")


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
