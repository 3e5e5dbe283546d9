"""Networks in networks: the text of an included file replaces its name.

So an operator at the end of the file may extend beyond it, as in `"part.exp" ||| other` where the
file ends with `hide G in one`. The replacement is made on tokens; for the places of errors, the
lines of all files are concatenated.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lts.base.bounds import COMPONENTS
from lts.errors import LimitReached, LtsError, ParseError
from lts.network.building import text_of
from lts.network.parser import components_of, language_of, reaches, tokens_of
from lts.text.grammar import place_of
from lts.text.inclusion import Folders, NotIncluded, real_path
from lts.text.source import Origin, Place, Source

if TYPE_CHECKING:
    from lark import Token

__all__ = ["IncludedText", "included"]


@dataclass
class IncludedText:
    """A text with all its inclusions: its tokens, and the lines that they are in."""

    tokens: list[Token]
    source: Source
    folders: dict[str, str]
    """The folder of each file, to which the names in it are relative."""
    remarks: list[tuple[str, Place]]
    allowed: Folders
    """The folders that texts named in these ones must be below."""

    def folder(self, place: Place) -> str:
        """Return the folder to which names at a place are relative."""
        return self.folders[self.source.origin(place[0]).file or ""]


def included(source: Source, folder: str, path: str | None, allowed: Folders) -> IncludedText:
    """Return a text with the networks that it includes.

    `path` is that of the text, if it has one; included files must be below the `allowed` folders.
    Raises `ParseError` for a syntax error, `LtsError` for a text that includes itself, and
    `LimitReached` for more than `COMPONENTS`.
    """
    made = _Inclusion(allowed, {source.file or "": folder})
    part = made.expanded(source, None, () if path is None else (real_path(path),))
    whole = Source("\n".join(made.lines), source.file, tuple(made.origins))
    return IncludedText(part.tokens, whole, made.folders, made.remarks, allowed)


@dataclass(frozen=True)
class _Part:
    """The tokens of a text with all its inclusions, and the number of its components."""

    tokens: list[Token]
    count: int
    _reaching: dict[str, bool] = field(default_factory=dict)

    def reaches(self, follows: Token | None) -> bool:
        """Whether the last operator extends to the token that follows the text."""
        if follows is None:
            return False
        if follows.type not in self._reaching:
            self._reaching[follows.type] = reaches(self.tokens, follows)
        return self._reaching[follows.type]


@dataclass
class _Inclusion:
    allowed: Folders
    folders: dict[str, str]
    lines: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    remarks: list[tuple[str, Place]] = field(default_factory=list)
    known: dict[str, _Part] = field(default_factory=dict)

    def expanded(self, source: Source, included_at: str | None, around: tuple[str, ...]) -> _Part:
        """Return a text with all its inclusions."""
        first = len(self.lines)
        lines = source.text.split("\n")
        self.lines += lines
        self.origins += (
            Origin(source.file, number, included_at) for number in range(1, len(lines) + 1)
        )
        own = tokens_of(source)
        if included_at is None and not any(map(_is_network, own)):
            return _Part(own, 0)
        if included_at is not None and language_of(own) is not None:
            message = f"an included network must not have a header: that of {included_at} applies"
            raise source.error(ParseError, message, place_of(own[0]))
        components = components_of(source, own)
        count = len(components)
        folder = self.folders[source.file or ""]
        found: list[Token] = []
        for token, follows in zip(own, [*own[1:], None], strict=True):
            if not (_is_network(token) and place_of(token) in components):
                found.append(_lower(token, first))
                continue
            part = self.file(source, folder, token, around)
            count += part.count - 1
            if count > COMPONENTS.default:
                limit = COMPONENTS.default
                raise LimitReached(COMPONENTS.exceeded(), limit=limit, found={"components": count})
            found += part.tokens
            if part.reaches(follows):
                line, column = place_of(token)
                message = (
                    f"`{text_of(token)}` ends with an operator whose scope extends beyond the "
                    "included text: put the name in brackets"
                )
                self.remarks.append((message, (first + line, column)))
        return _Part(found, count)

    def file(self, source: Source, folder: str, token: Token, around: tuple[str, ...]) -> _Part:
        """Return an included file with all its inclusions."""
        path, place = os.path.join(folder, text_of(token)), place_of(token)
        real = real_path(path)
        if real in around:
            message = f"`{text_of(token)}`: this network is a component of itself"
            raise source.error(LtsError, message, place)
        if real not in self.known:
            try:
                text = self.allowed.read(path)
            except NotIncluded as why:
                raise source.error(LtsError, f"`{text_of(token)}`: {why}", place) from None
            self.folders[path] = os.path.dirname(path)
            at = ":".join(map(str, (source.file, *place)))
            self.known[real] = self.expanded(Source(text, path), at, (*around, real))
        return self.known[real]


def _is_network(token: Token) -> bool:
    return token.type in ("STRING", "FILE") and text_of(token).lower().endswith(".exp")


def _lower(token: Token, lines: int) -> Token:
    """Return a token moved down by a number of lines."""
    assert token.line is not None
    assert token.end_line is not None
    found = token.new_borrow_pos(token.type, token.value, token)
    found.line, found.end_line = token.line + lines, token.end_line + lines
    return found
