"""The bytes of a binary file as a source, with descriptions of its parts for errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from lts.errors import LtsError
from lts.text.source import Place, Source

__all__ = ["LinearSource"]

E = TypeVar("E", bound=LtsError)


@dataclass(frozen=True, slots=True)
class LinearSource(Source):
    """The bytes of a file as text; the line in a place is the number of a part of the file."""

    items: list[str] = field(default_factory=list, compare=False)
    """Descriptions of the parts, filled in while the file is read."""

    def error(self, kind: type[E], message: str, place: Place) -> E:
        """Return an error of class `kind` about the part at `place`."""
        items = self.items
        where = f"{items[place[0] - 1]}: " if place[0] <= len(items) else ""
        return kind(f"{where}{message}", file=self.file)
