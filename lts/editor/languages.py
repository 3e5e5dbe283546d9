"""The languages of texts that an editor shows, each with its reader and its lexer."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lts.errors import LtsError
from lts.text.grammar import Grammar
from lts.text.inclusion import Folders
from lts.text.report import Report
from lts.text.source import Source
from lts.text.uses import Recorded

__all__ = ["LANGUAGES", "Examined", "Extent", "Language", "ShownFile", "language_of"]

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
class ShownFile:
    """The text of a file as an editor shows it, which may not be saved, and its language."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its name, the endings of its files, its reader, and its lexer.

    `read` is given a text, the name of its file, what records the names, the folders outside its
    own from which it may include files, and the specifications that the editor shows; it raises the
    errors of the text. `tokens` returns the extents of the tokens of a text whose file has this
    name, and raises `ParseError` for one that has none; what is between tokens are blanks and
    comments. `words` returns the reserved words; `sections` those that begin a section.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    read: Callable[[str, str, Recorded, Sequence[str], Mapping[str, ShownFile]], object]
    tokens: Callable[[str, str], Sequence[Extent]]
    words: Callable[[], frozenset[str]]
    sections: Callable[[], tuple[str, ...]] = tuple

    def __reduce__(self) -> tuple[Callable[[str], Language], tuple[str]]:
        return _named, (self.name,)

    def examined(
        self,
        text: str,
        file: str,
        include_path: Sequence[str] = (),
        shown: Mapping[str, ShownFile] | None = None,
    ) -> Examined:
        """Return the errors of a text and its names, the latter as far as the reader came.

        `file` is the name of the file, beside which others are looked for; `shown` has, by file,
        the specifications that an editor shows. An `OSError` of another file is an error of the
        text.
        """
        names = Recorded()
        try:
            self.read(text, file, names, include_path, shown or {})
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
    return next((language for language in LANGUAGES.values() if end in language.endings), None)


# Readers.


def _read_mucrl(
    text: str, file: str, names: Recorded, include_path: Sequence[str], _: Mapping[str, ShownFile]
) -> object:
    from lts.mucrl.reader import read_text

    return read_text(text, file=file, uses=names, include_path=include_path)


def _read_mcrl2(
    text: str, file: str, names: Recorded, include_path: Sequence[str], _: Mapping[str, ShownFile]
) -> object:
    from lts.mcrl2.reader import read_text

    return read_text(text, file=file, uses=names)


def _read_network(
    text: str, file: str, names: Recorded, include_path: Sequence[str], _: Mapping[str, ShownFile]
) -> None:
    from lts.network.reader import check_text

    folder = os.path.dirname(file)
    check_text(text, file=file, folder=folder, uses=names, include_path=include_path)


def _read_formula(
    text: str,
    file: str,
    names: Recorded,
    include_path: Sequence[str],
    shown: Mapping[str, ShownFile],
) -> object:
    from lts.logic.check import is_deterministic, read

    if is_deterministic(text, None):
        return None
    name = _specification(text, file, shown)
    if name is None:
        return read(text, file, uses=names)
    from lts.logic.terms.typed import TypedTerms

    is_shown = name in shown
    if not is_shown and not Folders.of(os.path.dirname(file), include_path).have(name):
        raise LtsError(f"`{name}` is outside the folder of the formula", file=file)
    language = LANGUAGES[shown[name].language] if is_shown else language_of(name)
    declared = Recorded()
    try:
        if language is LANGUAGES["mcrl2"]:
            from lts import mcrl2

            specified = shown[name].text if is_shown else mcrl2.text_of(name)
            found = mcrl2.read_text(specified, file=name, uses=declared)
        else:
            from lts import mucrl

            specified = shown[name].text if is_shown else _content(name)
            found = mucrl.read_text(specified, file=name, uses=declared, include_path=include_path)
    finally:
        # If the specification has errors, the names before them are still offered.
        names.include(declared)
    return read(text, file, None, TypedTerms(found), names)


def _content(name: str) -> str:
    return Path(name).read_bytes().decode("utf-8", "surrogateescape")


_SPECIFICATION = re.compile(r"^[^\S\n]*%!\s*specification\s+(\S.*?)\s*$", re.MULTILINE)


def _specification(text: str, file: str, shown: Mapping[str, ShownFile]) -> str | None:
    """Return the specification that a formula is about, or None.

    It is the one that a line `%! specification FILE` names, or else that of the same name, or else
    the only one of the same folder that the editor shows.
    """
    said = _SPECIFICATION.search(text)
    folder = os.path.dirname(file)
    if said is not None:
        return os.path.join(folder, said[1])
    stem = os.path.splitext(file)[0]
    known = (stem + end for end in (".mcrl2", ".mcrl", ".mucrl"))
    same = next((name for name in known if name in shown or os.path.isfile(name)), None)
    beside = [name for name in shown if os.path.dirname(name) == folder]
    return same or (beside[0] if len(beside) == 1 else None)


# Lexers.


def _of_grammar(grammar: Callable[[], Grammar]) -> Callable[[str, str], list[Extent]]:
    def tokens(text: str, file: str) -> list[Extent]:
        return [(token.start_pos or 0, token.end_pos or 0) for token in grammar().tokens(text)[:-1]]

    return tokens


def _mucrl() -> Grammar:
    from lts.mucrl.text.build import grammar

    return grammar()


def _mucrl_words() -> frozenset[str]:
    return _mucrl().words


def _network_words() -> frozenset[str]:
    from lts.network.parser import grammar

    return grammar().words


def _mucrl_sections() -> tuple[str, ...]:
    from lts.mucrl.text.tokens import SECTIONS

    return SECTIONS


def _mcrl2_sections() -> tuple[str, ...]:
    from lts.mcrl2.text.tokens import SECTIONS

    return SECTIONS


def _mcrl2_words() -> frozenset[str]:
    from lts.mcrl2.text.tokens import WORDS

    return WORDS


def _formula_words() -> frozenset[str]:
    from lts.logic.text.tokens import NAMES

    return frozenset((*NAMES, *_mcrl2_words(), "form"))


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
        Language(
            "mucrl",
            "muCRL",
            (".mcrl", ".mucrl"),
            _read_mucrl,
            _of_grammar(_mucrl),
            _mucrl_words,
            _mucrl_sections,
        ),
        Language(
            "mcrl2",
            "mCRL2",
            (".mcrl2",),
            _read_mcrl2,
            _mcrl2_tokens,
            _mcrl2_words,
            _mcrl2_sections,
        ),
        Language("mcf", "Formula", (".mcf",), _read_formula, _formula_tokens, _formula_words),
        Language("exp", "EXP network", (".exp",), _read_network, _network_tokens, _network_words),
    )
}
"""All languages by name."""
