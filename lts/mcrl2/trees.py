"""The syntax tree of a specification, from a text or a binary file."""

from __future__ import annotations

from lts.mcrl2.binary.kinds import is_binary
from lts.mcrl2.binary.source import LinearSource
from lts.mcrl2.text import tree
from lts.mcrl2.text.parser import parse
from lts.text.source import Source

__all__ = ["source_of", "tree_of"]


def source_of(text: str, file: str | None) -> Source:
    """Return the source to parse; a text that is the bytes of a binary file is a `LinearSource`."""
    if is_binary(text):
        return LinearSource(text, file)
    text = text.removeprefix("\ufeff")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return Source(text, file, language="mcrl2")


def tree_of(source: Source, *, ignores_time: bool = False) -> tree.Specification:
    """Return the syntax tree; with `ignores_time`, time stamps are to be ignored.

    Raises `ParseError` with the errors in a text, and `FormatError` for a malformed binary file.
    """
    if isinstance(source, LinearSource):
        from lts.mcrl2.binary.process import linear_tree

        found = linear_tree(source)
    else:
        found = parse(source)
    found.ignores_time = ignores_time
    return found
