"""The files a command reads and writes: `-`, or none, is standard input and output."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from aut_format.output import check_writable, is_replaceable, writing
from lts.errors import FormatWarning, LtsError, ReductionWarning
from lts.formats import files as formats
from lts.formats.names import named
from lts.formats.packed import packing
from lts.system import LTS
from ltstool.shared.progress import phase


def is_standard(file: str | None) -> bool:
    """Return whether `file` stands for standard input or output."""
    return file in (None, "-")


def is_specification(file: str | None) -> bool:
    """Whether a file is a specification, by its name."""
    return file is not None and Path(file).suffix.lower() in (".mcrl", ".mucrl", ".mcrl2", ".lps")


def is_network(file: str | None) -> bool:
    """Whether a file is the text of a network, by its name."""
    return file is not None and file.lower().endswith(".exp")


def refuse_same(outputs: Mapping[str, str | None]) -> None:
    """Refuse to write two things to one file; `outputs` has the file of each, by what it is."""
    seen: dict[str, str] = {}
    for what, file in outputs.items():
        place = "standard output" if file is None or is_standard(file) else os.path.realpath(file)
        other = seen.setdefault(place, what)
        if other != what and not place.startswith("/dev/"):
            shown = place if file is None or is_standard(file) else f"`{file}`"
            raise LtsError(f"{other} and {what} cannot both go to {shown}")


def read_lts(file: str | None, *, salvage: bool = False, kind: str | None = None) -> LTS:
    """Read a file as it is, in the format that its name says; a reduction as the LTS that it has.

    `kind` is the name of the format where the name of the file is not to decide. Raises `LtsError`
    for a specification, which is none.
    """
    if kind is None and is_specification(file):
        raise LtsError(f"{file} is a specification: `ltstool generate` makes an .aut file of it")
    if kind is None and is_network(file):
        raise LtsError(f"{file} is a network: `ltstool compose` makes an .aut file of it")
    with remarking(), phase(f"reading {'standard input' if file is None else file}"):
        if file is None or is_standard(file):
            found, name = named("-", reading=True, format=kind), "<stdin>"
            if salvage and found.format.name != "aut":
                raise LtsError("--salvage is for .aut files")
            return formats.read_from(sys.stdin.buffer, name, found, salvage=salvage)
        found = named(file, reading=True, format=kind)
        if salvage and found.format.name != "aut":
            raise LtsError(f"--salvage is for .aut files, and {file} is none")
        return formats.read_named(file, found, salvage=salvage)


def write_lts(system: LTS, out: str | None, *, kind: str | None = None) -> None:
    """Write a system in the format that the name of the file says, or of the name `kind`."""
    with remarking():
        if out is None or is_standard(out):
            formats.write_to(system, sys.stdout.buffer, named("-", reading=False, format=kind))
            sys.stdout.buffer.flush()
        else:
            with phase(f"writing {out}"):
                formats.write(system, out, format=kind)


@contextmanager
def remarking() -> Iterator[None]:
    """Say what is remarkable about the formats of files on standard error, unless `-q`."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        # Whoever reads a reduction sees to it (`ltstool.shared.originals`).
        warnings.simplefilter("ignore", ReductionWarning)
        warnings.simplefilter("always", FormatWarning)
        yield
    for each in found:
        if issubclass(each.category, FormatWarning):
            if not _quiet:
                print(f"ltstool: {each.message}", file=sys.stderr)
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


@contextmanager
def open_output(out: str | None, *, packed: bool = False) -> Iterator[BinaryIO]:
    """Open any other output for bytes; a file appears whole or not at all.

    With `packed` it is packed if its name says so.
    """
    if out is None or is_standard(out):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        _refuse_over(out, _read)
        kind = named(out, reading=False).packing if packed else None
        with writing(out) as file, packing(file, kind) as text:
            yield text


INPUTS = ("file", "left", "right", "specification", "symmetry", "other_symmetry", "replay", "other")
OUTPUTS = ("output", "out", "write_symmetry", "certificate", "classes", "evidence", "trace", "plot")

_read: list[str] = []
_written: list[str] = []
"""Files of the command that runs: what it reads, as far as known; what it will write over."""
_quiet: list[bool] = []
"""Not empty where remarks are not wanted."""


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse to write over what is read, and where nothing can be written, before much is done; say
    what becomes of other names of a file."""
    given = [getattr(arguments, name, None) for name in INPUTS]
    given.append(formula_file(getattr(arguments, "formula", "")))
    _read[:] = (file for file in given if isinstance(file, str))
    _written.clear()
    _quiet[:] = [True] * bool(getattr(arguments, "quiet", False))
    for file in filter(_is_file, written(arguments)):
        _written.append(file)
        _refuse_over(file, _read)
        if not arguments.quiet and is_replaceable(file) and os.stat(file).st_nlink > 1:
            said = f"`{file}` has other names (hard links), which keep what it was"
            print(f"ltstool: {said}", file=sys.stderr)
    _check_places(written(arguments))


def written(arguments: argparse.Namespace) -> list[str]:
    """Return the files that a command is to write, as far as its words tell."""
    found = []
    for name in OUTPUTS:
        out = getattr(arguments, name, None)
        if not isinstance(out, str) or is_standard(out):
            continue
        found.append(out)
        if name == "output" and getattr(arguments, "write_symmetry", "") is None:
            found.append(f"{out}.sym")
    return found


def _refuse_over(out: str, read: Iterable[str]) -> None:
    """Refuse to write over a file that is read, under whatever name."""
    if _is_file(out) and any(_is_file(file) and os.path.samefile(out, file) for file in read):
        raise LtsError(f"`{out}` is read: what is written needs another name")


def refuse_written(read: Iterable[str]) -> None:
    """Note that files are read of which no argument tells; refuse to write over them later."""
    more = [*read]
    _read.extend(more)
    for out in _written:
        _refuse_over(out, more)


def formula_file(formula: str) -> str | None:
    """Return the file that a formula is in: `@FILE`, or the name of an .mcf file."""
    if formula.startswith("@"):
        return formula[1:]
    is_name = formula.lower().endswith(".mcf") and not set(formula) & set("<[")
    return formula if is_name else None


def check_format(out: str | None, *, only_aut: bool = False) -> None:
    """Refuse to write under a name that says that it is something else than an LTS.

    With `only_aut` refuse all formats but that of .aut files, packed or not.
    """
    if out is None or is_standard(out):
        return
    found = named(out, reading=False)
    if only_aut and found.format.name != "aut":
        raise LtsError(f"`{out}` is to be a reduction, which only .aut files hold")


def _check_places(outs: Iterable[str]) -> None:
    """Raise `OSError` if one of the outputs could not be written now."""
    for out in outs:
        if os.path.isdir(out):
            from lts.formats.parts import is_parts

            if not is_parts(out):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), out)
        check_writable(out)


def format_of(out: str | None, formats: Mapping[str, str], default: str) -> str:
    """Return the format that the name of a file asks for; a name without an end is no matter."""
    if out is None or is_standard(out) or not is_replaceable(out):
        return default
    end = os.path.splitext(out)[1].lower()
    if not end:
        return default
    if end not in formats:
        known = ", ".join(formats)
        raise LtsError(f"`{out}`: there is no format `{end}`, only {known} (`--to` says which)")
    return formats[end]


def _is_file(file: str) -> bool:
    return "\0" not in file and os.path.isfile(file)
