"""Everything that is wrong with a text, told at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lts.errors import LtsError, ParseError
from lts.text.source import Place, Source

__all__ = ["Failed", "Report", "listed"]

SHOWN = 10
"""How many errors are told; of more, only the number."""


class Failed(Exception):
    """Something is wrong with a text: what, and where, as an error of a kind."""

    def __init__(self, message: str, place: Place, kind: type[LtsError] = ParseError) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.kind = kind


def listed(words: Sequence[str]) -> str:
    """Return words of which one is meant."""
    return ", ".join(words[:-1]) + " or " + words[-1] if words[1:] else words[0]


class Report:
    """Collects the errors in one text, each told once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: list[tuple[Place, type[LtsError], str | Callable[[], str]]] = []

    def add(self, kind: type[LtsError], message: str | Callable[[], str], place: Place) -> None:
        """Note an error; a message that is work to make is made if it is shown."""
        self._found.append((place, kind, message))

    def __bool__(self) -> bool:
        return bool(self._found)

    def raise_errors(self) -> None:
        """Raise what was found, if anything: the first error of the text, which has the others.

        It is of its own kind: `Unsupported` comes first only where nothing else is wrong before.
        """
        if not self._found:
            return
        found = sorted(self._found, key=lambda error: error[0])
        shown = [
            self.source.error(kind, message if isinstance(message, str) else message(), place)
            for place, kind, message in found[:SHOWN]
        ]
        first = shown[0]
        first.others = tuple(shown[1:])
        first.unseen = len(found) - len(shown)
        raise first
