"""Checks of labels for formats that cannot represent all of them."""

from __future__ import annotations

import warnings

from lts.errors import FormatError, FormatWarning
from lts.system import LTS

__all__ = ["refuse_line_ends", "remark_names", "unicode_labels"]


def used(system: LTS) -> list[str]:
    """Return the labels that occur on transitions."""
    return [label for label, count in system.label_counts().items() if count]


def refuse_line_ends(system: LTS, what: str) -> None:
    """Raise `FormatError` for a label with a line end, which a line-based format cannot
    represent."""
    for label in used(system):
        if "\n" in label:
            raise FormatError(
                f"the label {label!r} contains a line break, which a {what} file cannot represent"
            )


def unicode_labels(system: LTS, what: str) -> tuple[str, ...]:
    """Return the label table; raise `FormatError` for a label that is not Unicode."""
    for label in used(system):
        try:
            label.encode()
        except UnicodeEncodeError:
            message = (
                f"the label {label!r} is not valid UTF-8, which a {what} file cannot represent"
            )
            raise FormatError(message) from None
    return tuple(label.encode("utf-8", "replace").decode() for label in system.labels)


def remark_names(system: LTS, what: str) -> None:
    """Warn if readers of a format would take other labels as internal than those of the system."""
    labels = used(system)
    taken = "tau" if "tau" in labels else "i" if "i" in labels else None
    internal = [label for label in labels if label in system.internal]
    if internal != [taken] and (internal or taken is not None):
        shown = ",".join(internal)
        warnings.warn(
            f"a {what} file does not record which labels are internal: read it with `--tau "
            f"'{shown}'`",
            FormatWarning,
            stacklevel=3,
        )
