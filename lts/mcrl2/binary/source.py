"""The bytes of a binary file in the place of a text, and what stands where in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from lts.errors import LtsError
from lts.text.source import Place, Source

__all__ = ["START", "LinearSource", "is_binary"]

START = b"\x00\x8b\xaf"
"""How every binary file of mCRL2 begins, a linear process or an LTS."""

E = TypeVar("E", bound=LtsError)


def is_binary(text: str) -> bool:
    """Whether a text is the bytes of a binary file, those that are no UTF-8 as lone surrogates."""
    return text[: len(START)].encode("utf-8", "surrogateescape").startswith(START)


@dataclass(frozen=True, slots=True)
class LinearSource(Source):
    """The bytes of a file as text. Places are numbers of what stands there, such as a summand."""

    items: list[str] = field(default_factory=list, compare=False)
    """What stands at the places, in words; known when the tree is made."""

    def error(self, kind: type[E], message: str, place: Place) -> E:
        """Return an error of `kind` about what stands at `place`."""
        items = self.items
        where = f"{items[place[0] - 1]}: " if place[0] <= len(items) else ""
        return kind(f"{where}{message}", file=self.file)
