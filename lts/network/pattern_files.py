"""Files of patterns for `hide`, `cut` and `rename`, as read by CADP's tools (`caesar_hide_1`)."""

from __future__ import annotations

import re

from lts.errors import LtsError, ParseError
from lts.network.building import rename_rule
from lts.network.labels import Pattern
from lts.network.tree import Labels, PatternFile, Rules
from lts.text.report import Failed
from lts.text.source import Source

__all__ = ["ENDINGS", "read_labels", "read_rules"]

ENDINGS = {"hide": (".hid", ".hide"), "cut": (".cut",), "rename": (".ren", ".rename")}
"""The endings of file names for each operator."""
_RULE = re.compile(r'("(?:[^"\\]|\\.)*"|.*?)(?<!\s)\s*->\s*(.*)')


def read_labels(source: Source, file: PatternFile) -> Labels:
    """Return the labels in a file for `hide` or `cut`; raise `ParseError` for a malformed file."""
    all_but, lines = _read(source, file)
    return Labels(tuple(_pattern(source, text, file, at) for at, text in lines), all_but)


def read_rules(source: Source, file: PatternFile) -> Rules:
    """Return the rules in a file for `rename`; raise `ParseError` for a malformed file."""
    all_but, lines = _read(source, file)
    if all_but:
        raise source.error(ParseError, "`rename` has no `all but`", (1, 1))
    rules = []
    for at, text in lines:
        found = _RULE.fullmatch(text)
        if found is None:
            raise source.error(ParseError, "expected `pattern -> text`", (at, 1))
        pattern = _pattern(source, found[1], file, at)
        try:
            rules.append(rename_rule(pattern, _unquoted(found[2]), (at, 1)))
        except Failed as failed:
            raise source.error(ParseError, failed.message, failed.place) from None
    return tuple(rules)


def _read(source: Source, file: PatternFile) -> tuple[bool, list[tuple[int, str]]]:
    """Return whether the first line is `all but`, and the numbered lines with patterns."""
    numbered = enumerate(map(str.strip, source.text.split("\n")), 1)
    lines = [(at, text) for at, text in numbered if text]
    at, first = lines[0] if lines else (1, "")
    operator, *more = first.split() or [""]
    if operator != file.operator or more not in ([], ["all", "but"]):
        message = f"a file for `{file.operator}` must begin with the line `{file.operator}`"
        raise source.error(ParseError, message, (at, 1))
    return bool(more), lines[1:]


def _pattern(source: Source, text: str, file: PatternFile, at: int) -> Pattern:
    try:
        return Pattern(_unquoted(text), file.mode, place=file.place)
    except LtsError as error:
        message = f"this is not a valid regular expression: {error.message}"
        raise source.error(ParseError, message, (at, 1)) from None


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
