"""Files of LTSs in all formats: read and written by the end of their name, packed or not.

`names` says which formats there are, `files` reads and writes, `packed` unpacks gzip and Zstandard
on the way; the others are a format each. Aldebaran files themselves are `aut_format`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.lazy import loader

if TYPE_CHECKING:
    from lts.formats.files import read, write
    from lts.formats.names import FORMATS, Format, named

__all__ = ["FORMATS", "Format", "named", "read", "write"]

_HOME = dict.fromkeys(("read", "write"), "lts.formats.files") | dict.fromkeys(
    ("FORMATS", "Format", "named"), "lts.formats.names"
)

__getattr__ = loader("lts.formats", _HOME)
