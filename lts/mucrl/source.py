"""The text of a specification: where it came from, and errors that point into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lts.errors import LtsError

__all__ = ["Place", "Source"]

Place = tuple[int, int]
"""Line and column, both from 1, in the text as it is parsed."""

E = TypeVar("E", bound=LtsError)


@dataclass(frozen=True, slots=True)
class Source:
    """The text that is parsed, and for each of its lines the line of the file it stands for.

    The two differ where a parametrised file was expanded. `line_numbers` is None when they do not.
    """

    text: str
    file: str | None = None
    line_numbers: tuple[int, ...] | None = None

    def line_number(self, line: int) -> int:
        """Return the line of the file that `line` of the text stands for."""
        return line if self.line_numbers is None else self.line_numbers[line - 1]

    def error(self, kind: type[E], message: str, place: Place) -> E:
        """Return an error of `kind` at `place`, with the line it is in."""
        line, column = place
        lines = self.text.split("\n")
        text = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
        return kind(message, file=self.file, line=self.line_number(line), column=column, text=text)
