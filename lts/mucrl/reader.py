"""From the text of a specification to a checked specification."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path

from lts.errors import ParseError
from lts.expected import expect_text
from lts.mucrl.static.check import check
from lts.mucrl.text.directives import expand
from lts.mucrl.text.parser import parse
from lts.specification import gc_pause
from lts.specification.specification import Specification

__all__ = ["read", "read_text"]


def read(
    file: str | PathLike[str],
    *,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
) -> Specification:
    """Read and check a specification; `parameters` override those that its text declares.

    A closed term that no equation fits is a value, and communication that is not associative means
    what the brackets of the text say; with `strict` both are errors. Bytes that are not UTF-8 are
    kept. Raises `ParseError`, `SpecificationError`, `Unsupported` with the place, `OSError` if the
    file cannot be read.
    """
    data = Path(file).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        message = "the text is in UTF-16, not in UTF-8 or ASCII"
        raise ParseError(message, file=fspath(file), line=1, column=1)
    text = data.decode("utf-8", "surrogateescape")
    return read_text(text, file=fspath(file), parameters=parameters, strict=strict)


def read_text(
    text: str,
    *,
    file: str | None = None,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
) -> Specification:
    """Check the text of a specification, as `read` does; `file` is what errors call it.

    Lines end with LF, CRLF or, where there is no LF, CR; a mark of the encoding may stand first.
    """
    expect_text(text, "the text of a specification")
    text = text.removeprefix("\ufeff")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    with gc_pause.suspended():
        source, values = expand(text, file=file, parameters=parameters)
        return check(parse(source), values, strict=strict)
