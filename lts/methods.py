"""Methods of `LTS` that need packages above it.

The module of the class does not depend on these packages: it loads this one when such a method is
first used, as does `lts` itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lts.system import LTS

if TYPE_CHECKING:
    import pyarrow

__all__ = ["LTS"]


def write(self: LTS, file: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write the LTS in the format of the file's suffix; see `lts.write`."""
    from lts.formats.files import write

    write(self, file, format=format)


def to_arrow(self: LTS) -> pyarrow.Table:
    """Return the transitions as a table of Arrow: source, label (dictionary-encoded), target.

    The metadata of its schema have the rest of the LTS; a Parquet file holds the same table.
    """
    from lts.formats.parquet import table

    return table(self)


def _repr_html_(self: LTS) -> str:
    from lts.drawing.notebook import as_html

    return as_html(self)


METHODS: tuple[Any, ...] = (write, to_arrow, _repr_html_)
for method in METHODS:
    method.__qualname__ = f"LTS.{method.__name__}"
    setattr(LTS, method.__name__, method)
