"""From the text of a specification to a typed specification."""

from __future__ import annotations

import codecs
from os import PathLike, fspath
from pathlib import Path

from lts.errors import ParseError
from lts.expected import expect_text
from lts.mcrl2.static.check import check
from lts.mcrl2.text.parser import parse
from lts.specification import gc_pause
from lts.specification.source import Source
from lts.specification.specification import Specification

__all__ = ["read", "read_text"]


def read(file: str | PathLike[str], *, strict: bool = False) -> Specification:
    """Read and check a specification of mCRL2 (its language reference, release 202507).

    A closed term that no equation fits is a value; with `strict` it is an error. Bytes that are
    not UTF-8 are kept. Raises `ParseError`, `SpecificationError`, `Unsupported` with the place,
    `OSError` if the file cannot be read.
    """
    data = Path(file).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        message = "the text is in UTF-16, not in UTF-8 or ASCII"
        raise ParseError(message, file=fspath(file), line=1, column=1)
    return read_text(data.decode("utf-8", "surrogateescape"), file=fspath(file), strict=strict)


def read_text(text: str, *, file: str | None = None, strict: bool = False) -> Specification:
    """Check the text of a specification, as `read` does; `file` is what errors call it."""
    expect_text(text, "the text of a specification")
    text = text.removeprefix("\ufeff")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    with gc_pause.suspended():
        return check(parse(Source(text, file)), strict=strict)
