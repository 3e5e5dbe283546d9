"""The text of a specification, and errors with the line of the file that they occur in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lts.errors import LtsError
from lts.text.habits import with_hint

__all__ = ["NO_PLACE", "Origin", "Place", "Source"]

Place = tuple[int, int]
"""Line and column, from 1, in the text as parsed."""

_LONGEST_LINE = 1000
"""Longest line in which habits are looked for."""
NO_PLACE: Place = (1, 1)
"""The place of predefined functions and rules: no declaration can begin there, since its keyword
does."""

E = TypeVar("E", bound=LtsError)


@dataclass(frozen=True, slots=True)
class Origin:
    """The file and line that a line of the parsed text comes from.

    `included` is the place, `file:line`, of the inclusion in the user's own file, if the line is
    included; else None. `of_library` says whether the line is part of the library. `replaced` has,
    for each part of the file's line that parameters replaced, where it began and ended, as indices
    from 0, and the length of the text that replaced it.
    """

    file: str | None
    line: int
    included: str | None = None
    of_library: bool = False
    replaced: tuple[tuple[int, int, int], ...] = ()

    def column(self, column: int, length: int = 1) -> int | None:
        """Return the column, in the file, of a word; None if a part of the word was replaced."""
        moved = 0
        for begin, end, new in self.replaced:
            if column - 1 + moved + length <= begin:
                break
            if column - 1 + moved < begin + new:
                return None
            moved += end - begin - new
        return column + moved


@dataclass(frozen=True, slots=True)
class Source:
    """The text to parse, and the origin of each of its lines.

    Lines of the text differ from those of the file where inclusions and parameters were expanded;
    `origins` is None if nothing was. The `language` decides about hints
    (`lts.text.habits`).
    """

    text: str
    file: str | None = None
    origins: tuple[Origin, ...] | None = None
    language: str = ""

    def origin(self, line: int) -> Origin:
        """Return the file and line that `line` of the text comes from."""
        return Origin(self.file, line) if self.origins is None else self.origins[line - 1]

    @property
    def files(self) -> frozenset[str]:
        """The files that the lines come from; for the library, the names of its units."""
        if self.origins is None:
            return frozenset(() if self.file is None else (self.file,))
        return frozenset(origin.file for origin in self.origins if origin.file is not None)

    def line_number(self, line: int) -> int:
        """Return the number, in its file, of a line of the text."""
        return self.origin(line).line

    def in_file(self, place: Place, length: int = 1) -> Place | None:
        """Return the place of a word in the file; None if it is in another file, or replaced."""
        origin = self.origin(place[0])
        column = origin.column(place[1], length)
        if origin.included is not None or column is None:
            return None
        return origin.line, column

    def place(self, at: int) -> Place:
        """Return the place of the character at an index, or of the end of the text."""
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def at(self, place: Place) -> int:
        """Return the index of the character at a place."""
        begin = 0
        for _ in range(place[0] - 1):
            begin = self.text.index("\n", begin) + 1
        return begin + place[1] - 1

    def error(self, kind: type[E], message: str, place: Place) -> E:
        """Return an error of class `kind` at `place`, with the text of its line."""
        line, column = place
        origin = self.origin(line)
        if origin.included is not None:
            message += f" (included at {origin.included})"
        lines = self.text.split("\n")
        text = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        if self.language and len(text) <= _LONGEST_LINE:
            message = with_hint(self.language, message, text, column)
        return kind(message, file=origin.file, line=origin.line, column=column, text=text)
