"""From the text of a specification to a typed specification."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

from lts.errors import ParseError
from lts.expected import expect_text
from lts.mcrl2.identities.naming import Identities
from lts.mcrl2.static.check import check, numbers_in
from lts.mcrl2.text.constants import set_constants
from lts.mcrl2.trees import source_of, tree_of
from lts.specification import gc_pause
from lts.specification.specification import Specification
from lts.text.source import Source

__all__ = ["numbers", "read", "read_text", "text_of"]


def read(
    file: str | PathLike[str],
    *,
    parameters: Mapping[str, int] | None = None,
    strict: bool = False,
    ignores_time: bool = False,
    identities: Sequence[str] | None = None,
) -> Specification:
    """Read and check a specification of mCRL2 (its language reference, release 202507).

    A file that begins as a binary one does is a linear process, whatever it is called: `.lps`.
    `parameters` gives constants of the text, `map N: Pos; eqn N = 3;`, other numbers. A closed term
    that no equation fits is a value; with `strict` it is an error. Times, as in
    `a@3`, are refused, or else ignored, with a remark. Bytes that are not UTF-8 are kept.
    Numbers that `identities` names, such as `P.id`, get sorts of their own,
    so that symmetries can exchange them; `P.id+get.1` is one sort for both. If there are no names,
    those have that the text names in a line `%! identities P.id, get.1`, else all that count
    nothing. Raises `ParseError`, `SpecificationError`, `Unsupported` with the place, `OSError` if
    the file cannot be read.
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
    """Return the text of a file; raise `ParseError` for one in UTF-16, `OSError`.

    The text of a binary file is its bytes: those that are no UTF-8 are lone surrogates.
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
) -> Specification:
    """Check the text of a specification, as `read` does; `file` is what errors call it."""
    source = _source(text, file)
    if identities is not None and not identities:
        identities = _said(source.text)
    with gc_pause.suspended():
        tree = tree_of(source, ignores_time=ignores_time)
        constants = set_constants(tree, parameters or {})
        found = check(tree, strict=strict, identities=identities)
        return replace(found, parameters=constants)


def numbers(text: str, *, file: str | None = None) -> tuple[Identities, ...]:
    """Return the classes of numbers of a specification: identities, and what counts.

    Numbers are of one class if they are passed on to one another or compared. Raises what
    `read_text` raises.

    >>> [(one.name, one.literals, one.count) for one in numbers('''
    ...     act a: Pos # Nat; proc P(id: Pos, n: Nat) = a(id, n) . P(id, n + 1);
    ...     init P(1, 0) || P(2, 0);''')]
    [('P.id', (1, 2), None), ('P.n', (0,), 'added')]
    """
    source = _source(text, file)
    with gc_pause.suspended():
        return numbers_in(tree_of(source))


_IDENTITIES = re.compile(r"^\s*%!\s*identities\b(.*)$", re.MULTILINE)


def _said(text: str) -> list[str]:
    """Return what a text says are identities: `%! identities P.id, get.1`."""
    names = (name.strip() for said in _IDENTITIES.findall(text) for name in said.split(","))
    return [name for name in names if name]


def _source(text: str, file: str | None) -> Source:
    expect_text(text, "the text of a specification")
    return source_of(text, file)
