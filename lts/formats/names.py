"""The formats, and detection of a file's format by its suffix."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from lts.errors import FormatError
from lts.mcrl2.binary.kinds import EQUATIONS
from lts.system.internal_labels import BY_NAME, TAU

__all__ = [
    "ENDINGS",
    "FOREIGN",
    "FORMATS",
    "PACKINGS",
    "Format",
    "Named",
    "endings",
    "kind_by_name",
    "kind_of_file",
    "named",
]


class Format(NamedTuple):
    """A format: its name, suffixes and description, and whether it can be read and written.

    `internal` are the names by which it knows internal labels: the first of them that occurs. None
    are needed where a file lists its internal labels. `module` has `read(text, name)` and
    `blocks(system)`, or one of them; formats without one are special cases of `files.py`.
    """

    name: str
    endings: tuple[str, ...]
    title: str
    is_read: bool = True
    is_text: bool = True
    internal: tuple[str, ...] = ()
    module: str | None = None


FORMATS = {
    entry.name: entry
    for entry in (
        Format("aut", (".aut",), "Aldebaran", internal=BY_NAME),
        Format("fsm", (".fsm",), "FSM of mCRL2", internal=BY_NAME, module="lts.formats.fsm"),
        Format("lts", (".lts",), "an LTS of mCRL2", is_text=False, internal=(TAU,)),
        Format(
            "dot",
            (".dot", ".gv"),
            "DOT of Graphviz, AutomataLib, AALpy and TLC",
            internal=BY_NAME,
        ),
        Format("parquet", (".parquet",), "Parquet", is_text=False),
        Format("parts", (".parts",), "a folder of Parquet files", is_text=False),
        Format("graphml", (".graphml",), "GraphML", is_read=False, module="lts.formats.graphml"),
        Format("json", (".json",), "JSON", is_read=False, module="lts.formats.json_text"),
    )
}
"""All formats by name."""

PACKINGS = {".gz": "gzip", ".zst": "zstd"}
"""Compressions of text formats, by suffix."""

ENDINGS = (*(e for f in FORMATS.values() if f.is_read for e in f.endings), *PACKINGS)
"""Suffixes of files that can be read."""

SPECIFICATIONS = {
    ".mcrl": "a specification",
    ".mucrl": "a specification",
    ".mcrl2": "a specification",
    ".lps": "a specification",
    ".exp": "a network",
    ".pnml": "a net",
}
"""Suffixes of other files, from which an LTS can be generated."""

FOREIGN = {
    ".trc": "a trace of mCRL2, which `ltstool simulate SPEC --replay TRACE` follows",
    ".pbes": EQUATIONS,
    ".bes": EQUATIONS,
}
"""Suffixes of files that users of these formats have as well."""

_BEGIN = 1 << 16
"""Most bytes of comments and declarations before the element `pnml` of a file."""
_PNML = re.compile(rb"<(\w+:)?pnml[\s>]")

PACKED = (".pnml",)
"""Those of them that may be compressed by gzip."""


def kind_by_name(file: str) -> str | None:
    """Return the kind of a file by its suffix: an LTS, a specification, a network or a net.

    A BCG file is an LTS, although only CADP reads it. None for other suffixes.

    >>> kind_by_name("a.aut.gz"), kind_by_name("a.mcrl2"), kind_by_name("a.txt")
    ('an LTS', 'a specification', None)
    """
    stem, end = os.path.splitext(os.path.basename(file).lower())
    if end in SPECIFICATIONS:
        return SPECIFICATIONS[end]
    if end in PACKINGS:
        end = os.path.splitext(stem)[1]
    if end in PACKED:
        return SPECIFICATIONS[end]
    known = any(end in entry.endings for entry in FORMATS.values())
    return "an LTS" if known or end == ".bcg" else None


def kind_of_file(file: str) -> str | None:
    """Return the kind of a file by its name, or by its beginning if the suffix says nothing: a net
    in PNML may have any name, such as `net.xml`."""
    kind = kind_by_name(file)
    if kind is None and os.path.isfile(file):
        with open(file, "rb") as opened:
            begin = opened.read(_BEGIN)
        if begin.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and _PNML.search(begin):
            return SPECIFICATIONS[".pnml"]
    return kind


class Named(NamedTuple):
    """The format and compression of a file, by its name."""

    format: Format
    packing: str | None = None


_AUT = Named(FORMATS["aut"])


def named(file: str, *, reading: bool, format: str | None = None) -> Named:
    """Return format and compression of a file by its name; without a suffix it is an .aut file.

    `format` is the name of a format and overrides the suffix. Raises `FormatError` for an unknown
    suffix, or for reading a format that is only written.
    """
    base = os.path.basename(file.rstrip("/")).lower()
    stem, packed = os.path.splitext(base)
    packing = PACKINGS.get(packed)
    if packing is None:
        stem = base
    if format is not None:
        if format not in FORMATS:
            raise FormatError(f"unknown format `{format}`; the formats are {', '.join(FORMATS)}")
        found = FORMATS[format]
    else:
        end = os.path.splitext(stem)[1]
        if not end:
            return Named(_AUT.format, packing)
        if end in SPECIFICATIONS and (packing is None or end in PACKED):
            what = SPECIFICATIONS[end]
            if reading:
                raise FormatError(f"`{file}` is {what}: lts.generate returns its LTS")
            raise FormatError(f"`{file}` has the name of {what}, but the output is an LTS")
        if end == ".bcg":
            text = f"{stem.removesuffix(end)}.aut"
            command = f"bcg_io {base} {text}" if reading else f"bcg_io {text} {base}"
            hint = "converts it to .aut" if reading else "converts .aut to it"
            raise FormatError(f"`{file}`: BCG files are read only by CADP: `{command}` {hint}")
        known = next((entry for entry in FORMATS.values() if end in entry.endings), None)
        if known is None:
            if end in FOREIGN:
                raise FormatError(f"`{file}` is {FOREIGN[end]}")
            shown = end if packing is None else end + packed
            raise FormatError(
                f"`{file}`: unknown format `{shown}`; the formats are {endings(reading=reading)}"
            )
        found = known
    if reading and not found.is_read:
        raise FormatError(f"`{file}`: {found.title} can be written, but not read")
    if packing is not None and not found.is_text:
        raise FormatError(f"`{file}`: {found.title} is already compressed: leave out `{packed}`")
    return Named(found, packing)


def endings(*, reading: bool) -> str:
    """Return the suffixes that can be read, or written, for a message."""
    suffixes = [e for f in FORMATS.values() if f.is_read or not reading for e in f.endings]
    return f"{', '.join(suffixes)}, and text formats compressed as {' or '.join(PACKINGS)}"
