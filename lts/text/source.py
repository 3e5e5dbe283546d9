"""The text of a specification: where it came from, and errors that point into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lts.errors import LtsError

__all__ = ["NO_PLACE", "Origin", "Place", "Source"]

Place = tuple[int, int]
"""Line and column, both from 1, in the text as it is parsed."""

NO_PLACE: Place = (1, 1)
"""Of what is defined without any text: no declaration of a text begins there, but a word for it."""

E = TypeVar("E", bound=LtsError)


@dataclass(frozen=True, slots=True)
class Origin:
    """The line of a file that a line of the text stands for.

    `included` is the place, `file:line`, where the user's own file includes this one; else None.
    `of_library` says that it is a line of the library.
    """

    file: str | None
    line: int
    included: str | None = None
    of_library: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """The text that is parsed, and for each of its lines the one that it stands for.

    The two differ where a parametrised file was expanded. `origins` is None when they do not.
    """

    text: str
    file: str | None = None
    origins: tuple[Origin, ...] | None = None

    def origin(self, line: int) -> Origin:
        """Return the line of a file that `line` of the text stands for."""
        return Origin(self.file, line) if self.origins is None else self.origins[line - 1]

    @property
    def files(self) -> frozenset[str]:
        """The files that its lines are of; of the library the names of its units."""
        if self.origins is None:
            return frozenset(() if self.file is None else (self.file,))
        return frozenset(origin.file for origin in self.origins if origin.file is not None)

    def line_number(self, line: int) -> int:
        """Return the number of that line in its file."""
        return self.origin(line).line

    def place(self, at: int) -> Place:
        """Return the place of a character of the text, or of its end."""
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def at(self, place: Place) -> int:
        """Return the character that stands at a place of the text."""
        begin = 0
        for _ in range(place[0] - 1):
            begin = self.text.index("\n", begin) + 1
        return begin + place[1] - 1

    def error(self, kind: type[E], message: str, place: Place) -> E:
        """Return an error of `kind` at `place`, with the line it is in."""
        line, column = place
        origin = self.origin(line)
        if origin.included is not None:
            message += f" (included at {origin.included})"
        lines = self.text.split("\n")
        text = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        return kind(message, file=origin.file, line=origin.line, column=column, text=text)
