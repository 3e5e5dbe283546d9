"""Presentation of errors to the user, in words and as JSON."""

from __future__ import annotations

import os

from lts.base.escaping import one_line, short_name
from lts.errors import LtsError


def as_json(error: Exception) -> dict[str, object]:
    """Return an error for JSON: the first message, and all errors in a text with their places."""
    if not isinstance(error, LtsError) or error.line is None:
        return {"error": describe(error)}
    keys = ("message", "file", "line", "column")
    errors = [{key: getattr(each, key) for key in keys} for each in error.errors]
    return {"error": error.message, "errors": errors}


def describe(error: Exception) -> str:
    """Return the message for the user about `error`."""
    if isinstance(error, OSError) and error.filename is not None:
        name = one_line(short_name(os.fsdecode(error.filename))) if error.filename else repr("")
        return f"{name}: {error.strerror}"
    if isinstance(error, OSError) and error.strerror is not None:
        return error.strerror
    if isinstance(error, RecursionError):
        return "the input is nested too deeply"
    return str(error) or type(error).__name__
