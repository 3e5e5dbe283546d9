"""The languages of texts that an editor shows, each with its reader and its lexer."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lts.errors import LtsError
from lts.text.grammar import Grammar
from lts.text.inclusion import Folders
from lts.text.report import Report
from lts.text.source import Source
from lts.text.uses import Recorded

__all__ = ["LANGUAGES", "Examined", "Extent", "Language", "language_of"]

Extent = tuple[int, int]
"""Where a token begins and ends in a text."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The errors of a text, as `ltstool` prints them, and what its names stand for."""

    errors: tuple[LtsError, ...]
    unseen: int
    """How many errors are not listed."""
    names: Recorded = field(repr=False)


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its name, the endings of its files, its reader, and its lexer.

    `read` is given a text, the name of its file, what records the names, and the folders outside
    its own from which it may include files; it raises the errors of the text. `tokens` returns the
    extents of the tokens of a text whose file has this name, and raises `ParseError` for one that
    has none; what is between tokens are blanks and comments.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    read: Callable[[str, str, Recorded, Sequence[str]], object]
    tokens: Callable[[str, str], Sequence[Extent]]

    def __reduce__(self) -> tuple[Callable[[str], Language], tuple[str]]:
        return _named, (self.name,)

    def examined(self, text: str, file: str, include_path: Sequence[str] = ()) -> Examined:
        """Return the errors of a text, and the names that the reader recorded before the first
        fatal error.

        `file` is the name of the file, beside which others are looked for. An `OSError` of another
        file is an error of the text.
        """
        names = Recorded()
        try:
            self.read(text, file, names, include_path)
        except LtsError as error:
            return Examined(error.errors, error.unseen, names)
        except (OSError, RecursionError) as error:
            return Examined((LtsError(str(error), file=file),), 0, names)
        return Examined((), 0, names)


def _named(name: str) -> Language:
    return LANGUAGES[name]


def language_of(file: str) -> Language | None:
    """Return the language of a file by its name, or None.

    >>> language_of("cases/abp.mcrl").name, language_of("a.aut")
    ('mucrl', None)
    """
    end = os.path.splitext(file)[1].lower()
    return next((one for one in LANGUAGES.values() if end in one.endings), None)


# Readers.


def _read_mucrl(text: str, file: str, names: Recorded, include_path: Sequence[str]) -> object:
    from lts.mucrl.reader import read_text

    return read_text(text, file=file, uses=names, include_path=include_path)


def _read_mcrl2(text: str, file: str, names: Recorded, include_path: Sequence[str]) -> object:
    from lts.mcrl2.reader import read_text

    return read_text(text, file=file, uses=names)


def _read_network(text: str, file: str, names: Recorded, include_path: Sequence[str]) -> None:
    from lts.network.reader import check_text

    folder = os.path.dirname(file)
    check_text(text, file=file, folder=folder, uses=names, include_path=include_path)


def _read_formula(text: str, file: str, names: Recorded, include_path: Sequence[str]) -> object:
    from lts.logic.check import is_deterministic, read

    if is_deterministic(text, None):
        return None
    name = _specification(text, file)
    if name is None:
        return read(text, file, uses=names)
    from lts import mcrl2, mucrl
    from lts.logic.terms.typed import TypedTerms

    if not Folders.of(os.path.dirname(file), include_path).have(name):
        raise LtsError(f"`{name}` is outside the folder of the formula", file=file)
    declared = Recorded()
    if name.endswith(".mcrl2"):
        found = mcrl2.read_text(mcrl2.text_of(name), file=name, uses=declared)
    else:
        specified = Path(name).read_bytes().decode("utf-8", "surrogateescape")
        found = mucrl.read_text(specified, file=name, uses=declared, include_path=include_path)
    names.include(declared)
    return read(text, file, None, TypedTerms(found), names)


_SPECIFICATION = re.compile(r"^[^\S\n]*%!\s*specification\s+(\S.*?)\s*$", re.MULTILINE)


def _specification(text: str, file: str) -> str | None:
    """Return the specification that a formula is about, or None.

    It is the one that a line `%! specification FILE` names, or else that of the same name.
    """
    said = _SPECIFICATION.search(text)
    if said is not None:
        return os.path.join(os.path.dirname(file), said[1])
    stem = os.path.splitext(file)[0]
    known = (stem + end for end in (".mcrl2", ".mcrl", ".mucrl"))
    return next((name for name in known if os.path.isfile(name)), None)


# Lexers.


def _of_grammar(grammar: Callable[[], Grammar]) -> Callable[[str, str], list[Extent]]:
    def tokens(text: str, file: str) -> list[Extent]:
        return [(token.start_pos or 0, token.end_pos or 0) for token in grammar().tokens(text)[:-1]]

    return tokens


def _mucrl() -> Grammar:
    from lts.mucrl.text.build import grammar

    return grammar()


def _network_tokens(text: str, file: str) -> list[Extent]:
    from lts.network.parser import tokens_of

    found = tokens_of(Source(text, file))
    return [(token.start_pos or 0, token.end_pos or 0) for token in found]


def _mcrl2_tokens(text: str, file: str) -> list[Extent]:
    from lts.mcrl2.text.tokens import MCRL2
    from lts.text.tokens import tokens

    source = Source(text, file)
    report = Report(source)
    found = tokens(source, report, MCRL2)
    report.raise_errors()
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    begins = (lines[name.place[0] - 1] + name.place[1] - 1 for name in found.values[:-1])
    return [(at, at + len(name)) for at, name in zip(begins, found.values, strict=False)]


def _formula_tokens(text: str, file: str) -> list[Extent]:
    from lts.logic.text.formula import tokens_of
    from lts.logic.text.tokens import declared

    begin = declared(text)
    own = _mcrl2_tokens(text[:begin], file) if begin else []
    return [*own, *((token.begin, token.end) for token in tokens_of(text, file))]


LANGUAGES = {
    one.name: one
    for one in (
        Language("mucrl", "muCRL", (".mcrl", ".mucrl"), _read_mucrl, _of_grammar(_mucrl)),
        Language("mcrl2", "mCRL2", (".mcrl2",), _read_mcrl2, _mcrl2_tokens),
        Language("mcf", "Formula", (".mcf",), _read_formula, _formula_tokens),
        Language("exp", "EXP network", (".exp",), _read_network, _network_tokens),
    )
}
"""All languages by name."""
