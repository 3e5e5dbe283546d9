"""All errors in a text, reported at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lts.errors import SHOWN, LtsError, ParseError, SpecificationError
from lts.text.names import Name
from lts.text.source import Place, Source

__all__ = ["Failed", "Report", "Reporting", "listed"]


class Failed(Exception):
    """An error in a text: its message, its place, and the class of error to raise."""

    def __init__(self, message: str, place: Place, kind: type[LtsError] = ParseError) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.kind = kind


def listed(words: Sequence[str]) -> str:
    """Return a list of alternatives in words: `a, b or c`."""
    return ", ".join(words[:-1]) + " or " + words[-1] if words[1:] else words[0]


class Report:
    """Collects the errors in one text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: list[tuple[Place, type[LtsError], str | Callable[[], str]]] = []

    def add(self, kind: type[LtsError], message: str | Callable[[], str], place: Place) -> None:
        """Add an error; a message that is expensive to build may be given as a function."""
        self._found.append((place, kind, message))

    def __bool__(self) -> bool:
        return bool(self._found)

    def raise_errors(self) -> None:
        """Raise the first error in the text, if any, with the others attached to it.

        The errors keep their classes: an `Unsupported` is raised only if no other error precedes
        it.
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


class Reporting:
    """What the declarations of every language have in common: a report, to which errors are added,
    and the names whose errors it has already."""

    def __init__(self, source: Source) -> None:
        self.report = Report(source)
        self._reported: set[tuple[str, ...]] = set()

    def error(self, message: str, place: Place, kind: type[LtsError] = SpecificationError) -> None:
        """Add an error to the report."""
        self.report.add(kind, message, place)

    def is_new(self, *what: str) -> bool:
        """Whether this error was not reported before; it then counts as reported."""
        if what in self._reported:
            return False
        self._reported.add(what)
        return True

    def line(self, name: Name) -> str:
        """Return in words the line of a name."""
        source = self.report.source
        origin = source.origin(name.place[0])
        elsewhere = "" if origin.file == source.file else f" of {origin.file}"
        return f"line {origin.line}{elsewhere}"
