"""What the user is told of an error, in words and as JSON."""

from __future__ import annotations

import os

from lts.base.escaping import one_line
from lts.errors import LtsError


def as_json(error: Exception) -> dict[str, object]:
    """Return what is wrong: the first message, and every error in a text with its place."""
    if not isinstance(error, LtsError) or error.line is None:
        return {"error": describe(error)}
    keys = ("message", "file", "line", "column")
    errors = [{key: getattr(each, key) for key in keys} for each in error.errors]
    return {"error": error.message, "errors": errors}


def describe(error: Exception) -> str:
    """Return what the user is told of `error`."""
    if isinstance(error, OSError) and error.filename is not None:
        name = one_line(os.fsdecode(error.filename)) if error.filename else repr("")
        return f"{name}: {error.strerror}"
    if isinstance(error, OSError) and error.strerror is not None:
        return error.strerror
    if isinstance(error, RecursionError):
        return "the input is nested too deeply"
    return str(error) or type(error).__name__
