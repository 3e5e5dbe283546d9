"""Files of LTSs in all formats, chosen by the suffix of the file name, compressed or not.

`names` lists the formats, `files` reads and writes, `packed` decompresses gzip and Zstandard on the
fly; every other module is one format. Aldebaran files are in the package `aut_format`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.formats.files import read, write
    from lts.formats.names import FORMATS, Format, named

__all__ = ["FORMATS", "Format", "named", "read", "write"]

_HOME = dict.fromkeys(("read", "write"), "lts.formats.files") | dict.fromkeys(
    ("FORMATS", "Format", "named"), "lts.formats.names"
)

__getattr__ = loader("lts.formats", _HOME)
