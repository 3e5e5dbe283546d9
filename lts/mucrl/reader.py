"""Reads and checks muCRL specifications."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path

from lts.base.argument_types import expect_text
from lts.errors import ParseError
from lts.mucrl.static.check import check
from lts.mucrl.text.directives import expand
from lts.mucrl.text.parser import parse
from lts.specification import gc_pause
from lts.specification.specification import Specification
from lts.text.uses import Uses

__all__ = ["read", "read_text"]


def read(
    file: str | PathLike[str],
    *,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
    include_path: Iterable[str | PathLike[str]] = (),
) -> Specification:
    """Read and check a specification; `parameters` override those that its text declares.

    By default a closed term that no equation matches is a value, and a communication function that
    is not associative is applied as the text brackets its operators; with `strict` both are errors.
    Files that the text includes must be below its folder or one of `include_path`.
    Bytes that are not valid UTF-8 are preserved. Raises `ParseError`, `SpecificationError` or
    `Unsupported` with the place of the error, and `OSError` if the file cannot be read.
    """
    data = Path(file).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        message = "the text is in UTF-16, not in UTF-8 or ASCII"
        raise ParseError(message, file=fspath(file), line=1, column=1)
    text = data.decode("utf-8", "surrogateescape")
    return read_text(
        text, file=fspath(file), parameters=parameters, strict=strict, include_path=include_path
    )


def read_text(
    text: str,
    *,
    file: str | None = None,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
    include_path: Iterable[str | PathLike[str]] = (),
    uses: Uses | None = None,
) -> Specification:
    """Read and check the text of a specification, like `read`; `file` is its name in errors.

    Without a `file`, it may include files below the current folder. `uses` is given the places of
    all names. Lines end with LF or CRLF, or with CR if the text has no LF; a byte order mark is
    allowed.
    """
    expect_text(text, "the text of a specification")
    text = text.removeprefix("\ufeff")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    with gc_pause.suspended():
        source, values = expand(text, file=file, parameters=parameters, include_path=include_path)
        return check(parse(source), values, strict=strict, uses=uses)
