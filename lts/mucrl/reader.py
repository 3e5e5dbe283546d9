"""From the text of a specification to a checked specification."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path

from lts.mucrl.check import check
from lts.mucrl.parser import parse
from lts.mucrl.specification import Specification
from lts.mucrl.template import expand

__all__ = ["read", "read_text"]


def read(
    file: str | PathLike[str], *, parameters: Mapping[str, int] | None = None
) -> Specification:
    """Read and check a specification; `parameters` override those that its text declares.

    Bytes that are not UTF-8 are kept. Raises `ParseError`, `SpecificationError`, `Unsupported`
    with the place, `OSError` if the file cannot be read.
    """
    text = Path(file).read_bytes().decode("utf-8", "surrogateescape")
    return read_text(text, file=fspath(file), parameters=parameters)


def read_text(
    text: str, *, file: str | None = None, parameters: Mapping[str, int] | None = None
) -> Specification:
    """Check the text of a specification; `file` is what errors call it."""
    source, values = expand(text, file=file, parameters=parameters)
    return check(parse(source), values)
