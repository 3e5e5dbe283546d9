"""What can go wrong, as the user is told it."""

from __future__ import annotations

from typing import Any

from lts.base.escaping import one_line

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
    "SpecificationError",
    "Unsupported",
]


class LtsError(Exception):
    """The root: a message for the user, and the place it is about when there is one.

    `file`, `line` and `column` (both from 1) say where; `text` is the line itself, drawn with a
    caret under the column. Where more is wrong, `others` are the errors after this one, and
    `unseen` counts those that are not listed.
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
        self.more = ""
        """What stands below the message, in lines of its own."""
        self.file = file
        self.line = line
        self.column = column
        self.text = text
        self.others: tuple[LtsError, ...] = ()
        self.unseen = 0

    def __reduce__(self) -> tuple[Any, ...]:
        # Classes with arguments of their own are not called again, so that all can be pickled.
        return _remade, (type(self), self.args, self.__dict__)

    @property
    def errors(self) -> tuple[LtsError, ...]:
        """This error and the others, in the order of the text."""
        return (self, *self.others)

    @property
    def place(self) -> str:
        """`file:line:column`, as far as known."""
        parts = [one_line(self.file or ""), self.line, self.column]
        return ":".join(str(part) for part in parts if part)

    def __str__(self) -> str:
        shown = [error.drawn() for error in self.errors]
        if self.unseen:
            shown.append(f"and {self.unseen} more")
        return "\n".join(shown)

    def drawn(self) -> str:
        """Return this error alone: place, message, the line and a caret."""
        # Names and labels in a message may have line ends, which begin no line here.
        shown = one_line(f"{self.place}: {self.message}" if self.place else self.message)
        if self.text and self.column is not None:
            text, column = _window(self.text, self.column)
            # A character each, so that the caret stays; a terminal obeys none of them.
            text = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
            lead = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
            shown += f"\n  {text}\n  {lead}^"
        return f"{shown}\n{self.more}" if self.more else shown


def _remade(
    kind: type[LtsError], arguments: tuple[object, ...], fields: dict[str, object]
) -> LtsError:
    """Return a copy of an error."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


_WIDTH = 120
"""Characters that are shown of a line; a file may be one line of any length."""


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

    Of several permutations, `which` is the number of one that is not. `of` is what it is no
    symmetry of, if that is something else than the system, as a formula.
    """

    def __init__(self, message: str, *, witness: str, which: int = 0, of: str = "") -> None:
        super().__init__(message)
        self.more = self.witness = witness
        self.which = which
        self.of = of


class NotProven(LtsError):
    """Whether a permutation is a symmetry is not known; `missing` says what the proof lacks.

    Of several permutations, `which` is the number of one that is not proven. `of` is what it is to
    be a symmetry of, if that is something else than the system, as a formula.
    """

    def __init__(self, message: str, *, missing: str, which: int = 0, of: str = "") -> None:
        super().__init__(message)
        self.more = self.missing = missing
        self.which = which
        self.of = of


class Defect(LtsError):
    """Two ways to compute the same disagree: the program is wrong, whatever the input."""


class LimitReached(LtsError):
    """A limit stopped the work; `found` says what is known so far (for instance states)."""

    def __init__(self, message: str, *, limit: float, found: dict[str, int]) -> None:
        super().__init__(message)
        self.limit = limit
        self.found = found


class FormatWarning(UserWarning):
    """A file does not hold all that is read or written, or does not say all that is needed."""


class NameWarning(UserWarning):
    """A name is given for something, and matches nothing."""


class ReductionWarning(UserWarning):
    """A file is read as an LTS whose file says that it is the reduction of another one."""


class Unsupported(LtsError):
    """The input is legal, but this is not something ltstool does."""
