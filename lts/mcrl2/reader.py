"""Reads and checks mCRL2 specifications."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

from lts.base.argument_types import expect_text
from lts.errors import ParseError
from lts.mcrl2.identities.naming import Identities
from lts.mcrl2.static.check import check, numbers_in
from lts.mcrl2.text.constants import set_constants
from lts.mcrl2.trees import source_of, tree_of
from lts.specification import gc_pause
from lts.specification.specification import Specification
from lts.text.source import Source
from lts.text.uses import Uses

__all__ = ["numbers", "read", "read_text", "text_of"]


def read(
    file: str | PathLike[str],
    *,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
    ignores_time: bool = False,
    identities: Sequence[str] | None = None,
) -> Specification:
    """Read and check an mCRL2 specification (language reference, release 202507).

    A file that begins like a binary file is read as a linear process (`.lps`), whatever its name.
    `parameters` override constants of the text, such as `map N: Pos; eqn N = 3;`. A closed term
    that no equation matches is a value; with `strict` it is an error. Time stamps, as in `a@3`, are
    refused or, with `ignores_time`, ignored with a remark. Bytes that are not valid UTF-8 are
    preserved.

    The numbers named by `identities`, such as `P.id`, get sorts of their own, so that symmetries
    can permute them; `P.id+get.1` is one sort for both. By default, the names are those in a line
    `%! identities P.id, get.1` of the text, or else all numbers that are never counted with.

    Raises `ParseError`, `SpecificationError` or `Unsupported` with the place of the error, and
    `OSError` if the file cannot be read.
    """
    return read_text(
        text_of(file),
        file=fspath(file),
        parameters=parameters,
        strict=strict,
        ignores_time=ignores_time,
        identities=identities,
    )


def text_of(file: str | PathLike[str]) -> str:
    """Return the text of a file; raise `ParseError` for UTF-16, and `OSError`.

    The text of a binary file is its bytes; those that are not valid UTF-8 become lone surrogates.
    """
    data = Path(file).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        message = "the text is in UTF-16, not in UTF-8 or ASCII"
        raise ParseError(message, file=fspath(file), line=1, column=1)
    return data.decode("utf-8", "surrogateescape")


def read_text(
    text: str,
    *,
    file: str | None = None,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
    ignores_time: bool = False,
    identities: Sequence[str] | None = None,
    uses: Uses | None = None,
) -> Specification:
    """Read and check the text of a specification, like `read`; `file` is its name in errors.

    `uses` is given the places of all names.
    """
    source = _source(text, file)
    if identities is not None and not identities:
        identities = _said(source.text)
    with gc_pause.suspended():
        tree = tree_of(source, ignores_time=ignores_time)
        constants = set_constants(tree, parameters or {})
        found = check(tree, strict=strict, identities=identities, uses=uses)
        return replace(found, parameters=constants)


def numbers(text: str, *, file: str | None = None) -> tuple[Identities, ...]:
    """Return the classes of numbers of a specification, identities and counts.

    Numbers that are passed on to one another, or compared, are in one class. Raises the same errors
    as `read_text`.

    >>> [(one.name, one.literals, one.count) for one in numbers('''
    ...     act a: Pos # Nat; proc P(id: Pos, n: Nat) = a(id, n) . P(id, n + 1);
    ...     init P(1, 0) || P(2, 0);''')]
    [('P.id', (1, 2), None), ('P.n', (0,), 'added')]
    """
    source = _source(text, file)
    with gc_pause.suspended():
        return numbers_in(tree_of(source))


_IDENTITIES = re.compile(r"^[^\S\n]*%!\s*identities\b(.*)$", re.MULTILINE)


def _said(text: str) -> list[str]:
    """Return the identities that a text declares, as in `%! identities P.id, get.1`."""
    names = (name.strip() for said in _IDENTITIES.findall(text) for name in said.split(","))
    return [name for name in names if name]


def _source(text: str, file: str | None) -> Source:
    expect_text(text, "the text of a specification")
    return source_of(text, file)
