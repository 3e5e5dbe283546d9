"""Which formats there are, and which one a file is in, by the end of its name."""

from __future__ import annotations

import os
from dataclasses import dataclass

from lts.errors import FormatError

__all__ = ["ENDINGS", "FORMATS", "PACKINGS", "Format", "Named", "endings", "kind_by_name", "named"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, how names of its files end, what it is, and what can be done with it."""

    name: str
    endings: tuple[str, ...]
    title: str
    is_read: bool = True
    is_text: bool = True


FORMATS = {
    entry.name: entry
    for entry in (
        Format("aut", (".aut",), "Aldebaran"),
        Format("fsm", (".fsm",), "FSM of mCRL2"),
        Format("lts", (".lts",), "an LTS of mCRL2", is_text=False),
        Format("dot", (".dot", ".gv"), "DOT of Graphviz, AutomataLib, AALpy and TLC"),
        Format("parquet", (".parquet",), "Parquet", is_text=False),
        Format("parts", (".parts",), "a folder of Parquet files", is_text=False),
        Format("graphml", (".graphml",), "GraphML", is_read=False),
        Format("json", (".json",), "JSON", is_read=False),
    )
}
"""Every format by its name."""

PACKINGS = {".gz": "gzip", ".zst": "zstd"}
"""How a text can be packed, by how its name ends then."""

ENDINGS = (*(e for f in FORMATS.values() if f.is_read for e in f.endings), *PACKINGS)
"""How the names of files end that are read."""

SPECIFICATIONS = {
    ".mcrl": "a specification",
    ".mucrl": "a specification",
    ".mcrl2": "a specification",
    ".lps": "a specification",
    ".exp": "a network",
}
"""What else there is, of which an LTS is made."""


def kind_by_name(file: str) -> str | None:
    """Return what a file is by the end of its name: an LTS, a specification or a network.

    None if the name does not say it.

    >>> kind_by_name("a.aut.gz"), kind_by_name("a.mcrl2"), kind_by_name("a.txt")
    ('an LTS', 'a specification', None)
    """
    stem, end = os.path.splitext(os.path.basename(file).lower())
    if end in SPECIFICATIONS:
        return SPECIFICATIONS[end]
    if end in PACKINGS:
        end = os.path.splitext(stem)[1]
    return "an LTS" if any(end in entry.endings for entry in FORMATS.values()) else None


@dataclass(frozen=True, slots=True)
class Named:
    """What the name of a file says: the format, and how it is packed, if it is."""

    format: Format
    packing: str | None = None


_AUT = Named(FORMATS["aut"])


def named(file: str, *, reading: bool, format: str | None = None) -> Named:
    """Return what the name of a file says of it; one without an end is an .aut file.

    `format` is the name of the format where the file's name is not to decide. Raises `FormatError`
    for an end that is not known, or a format that is only written.
    """
    base = os.path.basename(file.rstrip("/")).lower()
    stem, packed = os.path.splitext(base)
    packing = PACKINGS.get(packed)
    if packing is None:
        stem = base
    if format is not None:
        if format not in FORMATS:
            raise FormatError(f"there is no format `{format}`, only {', '.join(FORMATS)}")
        found = FORMATS[format]
    else:
        end = os.path.splitext(stem)[1]
        if not end:
            return Named(_AUT.format, packing)
        if end in SPECIFICATIONS and packing is None:
            what = SPECIFICATIONS[end]
            if reading:
                raise FormatError(f"`{file}` is {what}: what is read here is an LTS")
            raise FormatError(f"`{file}` has the name of {what}: what is written is an LTS")
        if end == ".bcg":
            text = f"{stem.removesuffix(end)}.aut"
            ways = f"bcg_io {base} {text}" if reading else f"bcg_io {text} {base}"
            hint = "makes an .aut file of it" if reading else "makes one of an .aut file"
            raise FormatError(f"`{file}`: only CADP has BCG files: `{ways}` {hint}")
        known = next((entry for entry in FORMATS.values() if end in entry.endings), None)
        if known is None:
            shown = end if packing is None else end + packed
            raise FormatError(
                f"`{file}`: there is no format `{shown}`; known are {endings(reading=reading)}"
            )
        found = known
    if reading and not found.is_read:
        raise FormatError(f"`{file}`: {found.title} is written, not read")
    if packing is not None and not found.is_text:
        raise FormatError(f"`{file}`: {found.title} is packed already: leave `{packed}` out")
    return Named(found, packing)


def endings(*, reading: bool) -> str:
    """Return how the names of files end that are read, or written, for a message."""
    ends = [e for f in FORMATS.values() if f.is_read or not reading for e in f.endings]
    return f"{', '.join(ends)}, and texts packed as {' or '.join(PACKINGS)}"
