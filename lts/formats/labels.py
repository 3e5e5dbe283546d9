"""Checks of labels for formats that cannot represent all of them."""

from __future__ import annotations

import warnings

from lts.errors import FormatError, FormatWarning
from lts.system.internal_labels import by_name, used_labels
from lts.system.lts import LTS

__all__ = ["refuse_line_breaks", "remark_visible", "unicode_labels"]


def refuse_line_breaks(system: LTS, what: str) -> None:
    """Raise `FormatError` for a label with a line end, which a line-based format cannot
    represent."""
    for label in used_labels(system):
        if "\n" in label:
            raise FormatError(
                f"the label {label!r} contains a line break, which a {what} file cannot represent"
            )


def unicode_labels(system: LTS, what: str) -> tuple[str, ...]:
    """Return the label table; raise `FormatError` for a label that is not Unicode."""
    for label in used_labels(system):
        try:
            label.encode()
        except UnicodeEncodeError:
            message = (
                f"the label {label!r} is not valid UTF-8, which a {what} file cannot represent"
            )
            raise FormatError(message) from None
    return tuple(label.encode("utf-8", "replace").decode() for label in system.labels)


def remark_visible(system: LTS, what: str) -> None:
    """Warn if readers of a format would take a visible label as internal."""
    labels = used_labels(system)
    taken = by_name(labels)
    if not {*system.internal}.issuperset(taken):
        warnings.warn(
            f"`{taken[0]}` is visible here, but internal to readers of {what} files: read it with "
            "`--tau ''`",
            FormatWarning,
            stacklevel=3,
        )
