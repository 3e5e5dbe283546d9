"""What can go wrong, as the user is told it."""

from __future__ import annotations

__all__ = [
    "FormatError",
    "LimitReached",
    "LtsError",
    "NotSymmetric",
    "ParseError",
    "SpecificationError",
    "Unsupported",
]


class LtsError(Exception):
    """The root: a message for the user, and the place it is about when there is one.

    `file`, `line` and `column` (both from 1) say where; `text` is the line itself, drawn with a
    caret under the column.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.text = text

    @property
    def place(self) -> str:
        """`file:line:column`, as far as known."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)

    def __str__(self) -> str:
        shown = f"{self.place}: {self.message}" if self.place else self.message
        if self.text is not None and self.column is not None:
            lead = "".join("\t" if c == "\t" else " " for c in self.text[: self.column - 1])
            shown += f"\n  {self.text}\n  {lead}^"
        return shown


class ParseError(LtsError):
    """The text is not in the language: the message says what was expected."""


class SpecificationError(LtsError):
    """The text is in the language but breaks a static rule, or cannot be evaluated."""


class FormatError(LtsError):
    """A file is not in the format it should be in."""


class NotSymmetric(LtsError):
    """A permutation is not a symmetry; `witness` shows why, in words."""

    def __init__(self, message: str, *, witness: str) -> None:
        super().__init__(f"{message}\n{witness}")
        self.witness = witness


class LimitReached(LtsError):
    """A limit stopped the work; `found` says what is known so far (for instance states)."""

    def __init__(self, message: str, *, limit: int, found: dict[str, int]) -> None:
        super().__init__(message)
        self.limit = limit
        self.found = found


class Unsupported(LtsError):
    """The input is legal, but this is not something ltstool does."""
