"""Errors and warnings for the user."""

from __future__ import annotations

from typing import Any

from lts.base.escaping import one_line, short_name, short_names, shortened

__all__ = [
    "Defect",
    "FormatError",
    "FormatWarning",
    "LimitReached",
    "LtsError",
    "NameWarning",
    "NotProven",
    "NotSymmetric",
    "ParseError",
    "ReductionWarning",
    "RewritingLimit",
    "SpecificationError",
    "Unsupported",
]


SHOWN = 10
"""Most errors in a text that are shown; the others are only counted."""


class LtsError(Exception):
    """The base class: a message for the user, with the place that it is about if there is one.

    `file`, `line` and `column` (both from 1) are the place; `text` is the line itself, shown with a
    caret under the column. Long names in the message are shortened. If there are more errors,
    `others` has those after this one, and `unseen` counts those that are not listed.
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
        message = shortened(message)
        super().__init__(message)
        self.message = message
        self.more = ""
        """Further lines below the message."""
        self.file = file
        self.line = line
        self.column = column
        self.text = text
        self.others: tuple[LtsError, ...] = ()
        self.unseen = 0

    def __reduce__(self) -> tuple[Any, ...]:
        # Restored without calling the constructor, whose arguments differ between subclasses.
        return _remade, (type(self), self.args, self.__dict__)

    @property
    def errors(self) -> tuple[LtsError, ...]:
        """This error and the others, in the order of the text."""
        return (self, *self.others)

    @property
    def place(self) -> str:
        """The place as `file:line:column`, as far as known."""
        parts = [one_line(short_name(self.file or "")), self.line, self.column]
        return ":".join(str(part) for part in parts if part)

    def __str__(self) -> str:
        shown = [error.drawn() for error in self.errors]
        if self.unseen:
            shown.append(f"and {self.unseen} more")
        return "\n".join(shown)

    def drawn(self) -> str:
        """Return this error alone: place, message, the line and a caret."""
        # Names and labels in a message may contain line ends, which must not begin a new line here.
        shown = one_line(f"{self.place}: {self.message}" if self.place else self.message)
        if self.text and self.column is not None:
            text, column = _window(self.text, self.column)
            # One character for each, so that the caret stays in place; a terminal must not
            # interpret them.
            text = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
            lead = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
            shown += f"\n  {text}\n  {lead}^"
        if self.more:
            shown += "".join(f"\n{short_names(line)}" for line in self.more.split("\n"))
        return shown


def _remade(
    kind: type[LtsError], arguments: tuple[object, ...], fields: dict[str, object]
) -> LtsError:
    """Return a copy of a pickled error."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


_WIDTH = 120
"""Most characters of a line that are shown; a file may be a single line of any length."""


def _window(text: str, column: int) -> tuple[str, int]:
    """Return the part of a line around a column, and the column in it."""
    if len(text) <= _WIDTH:
        return text, column
    start = max(0, min(column - _WIDTH // 2, len(text) - _WIDTH))
    end = start + _WIDTH
    shown = ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")
    return shown, column - start + (3 if start else 0)


class ParseError(LtsError):
    """The text is not in the language: the message says what was expected."""


class SpecificationError(LtsError):
    """The text is in the language but breaks a static rule, or cannot be evaluated."""


class FormatError(LtsError):
    """A file is not in the format it should be in."""


class NotSymmetric(LtsError):
    """A permutation is not a symmetry; `witness` shows why, in words.

    For several permutations, `which` is the number of one that is not. `of` names the object that
    it is not a symmetry of, such as a formula, if it is not the system.
    """

    def __init__(self, message: str, *, witness: str, which: int = 0, of: str = "") -> None:
        super().__init__(message)
        self.more = self.witness = witness
        self.which = which
        self.of = of


class NotProven(LtsError):
    """It is not known whether a permutation is a symmetry; `missing` says what the proof lacks.

    For several permutations, `which` is the number of one that is not proven. `of` names the object
    whose symmetry is meant, such as a formula, if it is not the system.
    """

    def __init__(self, message: str, *, missing: str, which: int = 0, of: str = "") -> None:
        super().__init__(message)
        self.more = self.missing = missing
        self.which = which
        self.of = of


class Defect(LtsError):
    """Two ways to compute the same result disagree: a bug of the program, whatever the input."""


class LimitReached(LtsError):
    """A limit stopped the work; `found` has the results so far (for instance numbers of states)."""

    def __init__(self, message: str, *, limit: float, found: dict[str, int]) -> None:
        super().__init__(message)
        self.limit = limit
        self.found = found


class RewritingLimit(LimitReached):
    """Rewriting one value took `limit` steps, perhaps without end: exploring less does not help."""


class FormatWarning(UserWarning):
    """A file cannot represent, or lacks, some of the information in an LTS."""


class NameWarning(UserWarning):
    """A given name matches nothing."""


class ReductionWarning(UserWarning):
    """A file was read as an LTS although it is marked as the reduction of another one."""


class Unsupported(LtsError):
    """The input is legal, but ltstool does not support it."""
