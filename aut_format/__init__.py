"""Read, write and stream Aldebaran (.aut) files.

A file has a header `des (initial, transitions, states)`, followed by a line `(source, label,
target)` for every transition; states are numbered from 0. All dialects in use are read:

- any blanks (spaces, tabs) between the tokens, CRLF line ends, blank lines, no last line end,
  a mark of UTF-8 at the beginning;
- labels with quotes or without. A label starts after the first comma and ends before the last one
  of its line. In quotes it may hold anything, quotes, commas and brackets too; without, the blanks
  around it are no part of it;
- initial states other than 0, states without transitions, transitions that stand twice.

The bytes of a label are never changed: bytes that are not UTF-8 become lone surrogates in Python
(`surrogateescape`) and the same bytes again in a file. The header is written as `des (i,t,s)` and
every label in quotes; reading such a file gives exactly the LTS that was written. A `?` in the
header marks an unfinished file, which is refused unless `salvage` is requested.
"""

from __future__ import annotations

from aut_format.reader import Reader, loads, read
from aut_format.writer import Writer, dumps, write

__all__ = ["Reader", "Writer", "dumps", "loads", "read", "write"]
