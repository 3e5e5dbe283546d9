"""The files that a command reads and writes; `-` or no name is standard input or output."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, BinaryIO

from aut_format.output import check_writable, is_replaceable, writing
from lts.errors import FormatError, FormatWarning, LtsError, ReductionWarning
from lts.formats import files as formats
from lts.formats.names import FOREIGN, named
from lts.formats.packed import packing
from lts.system.lts import LTS

if TYPE_CHECKING:
    from lts.linear.declarations import Declared
    from lts.linear.process import LinearProcess
    from ltstool.options.request import Request


def is_standard(file: str | None) -> bool:
    """Return whether `file` is standard input or output."""
    return file in (None, "-")


def shown(file: str | None) -> str:
    """Return the name of an input file in messages."""
    return "standard input" if file is None or is_standard(file) else file


def text_of(file: str) -> str:
    """Return the content of a text file, whatever its bytes."""
    with open(file, encoding="utf-8-sig", errors="surrogateescape") as text:
        return text.read()


def standard_input() -> str:
    """Return the text of standard input."""
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def is_xml_given() -> bool:
    """Whether standard input begins as XML, which may be compressed by gzip; waits for its first
    bytes, unless it is a terminal."""
    if sys.stdin.isatty():
        return False
    buffer = sys.stdin.buffer
    if not isinstance(buffer, io.BufferedReader):
        return False  # its bytes could not be read again
    begin = buffer.peek()
    if begin.startswith(b"\x1f\x8b"):
        with suppress(zlib.error):
            begin = zlib.decompressobj(wbits=31).decompress(begin, 1 << 10)
    return begin.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def refuse_same(outputs: Mapping[str, str | None]) -> None:
    """Refuse to write two outputs to one file; `outputs` has the file of each, by a description."""
    seen: dict[str, str] = {}
    for what, file in outputs.items():
        place = "standard output" if file is None or is_standard(file) else os.path.realpath(file)
        other = seen.setdefault(place, what)
        if other != what and not place.startswith("/dev/"):
            shown = place if file is None or is_standard(file) else f"`{file}`"
            raise LtsError(f"{other} and {what} cannot both go to {shown}")


def read_lts(request: Request, file: str | None) -> LTS:
    """Read an LTS file as it is, in the format of its suffix or of `--from`, accepting an
    unfinished file with `--salvage`; a reduction is read as its encoding."""
    kind, salvage = request.reading.format, request.reading.salvage
    with remarking(request), request.phase(f"reading {shown(file)}"):
        found = named("-" if file is None else file, reading=True, format=kind)
        if salvage and found.format.name != "aut":
            more = "" if is_standard(file) else f", and {file} is not one"
            raise LtsError(f"--salvage applies only to .aut files{more}")
        if file is None or is_standard(file):
            try:
                return formats.read_from(sys.stdin.buffer, "<stdin>", found, salvage=salvage)
            except FormatError as error:
                if (error.line, error.column) == (1, 1) and "language" in request.takes.rows:
                    error.more = "(a specification on standard input needs --language)"
                raise
        return formats.read_named(file, found, salvage=salvage)


def write_lts(request: Request, system: LTS, out: str | None, *, kind: str | None = None) -> None:
    """Write a system in the format of the file's suffix, or in the format named `kind`."""
    with remarking(request):
        if out is None or is_standard(out):
            found = named("-", reading=False, format=kind)
            # A line between those of the output would be in the way.
            with nullcontext() if sys.stdout.isatty() else request.phase("writing"):
                formats.write_to(system, sys.stdout.buffer, found)
                sys.stdout.buffer.flush()
        else:
            with request.phase(f"writing {out}"):
                formats.write(system, out, format=kind)


def as_written(request: Request, system: LTS, out: str | None) -> LTS:
    """Return a system with the labels that it has once it is written: formats that know internal
    labels by their names write them as `tau`."""
    with remarking(request):
        return formats.as_written(system, named(out or "-", reading=False))


@contextmanager
def remarking(request: Request) -> Iterator[None]:
    """Turn format warnings into remarks."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        # Reductions are handled by their readers (`ltstool.shared.originals`).
        warnings.simplefilter("ignore", ReductionWarning)
        warnings.simplefilter("always", FormatWarning)
        yield
    for each in found:
        if issubclass(each.category, FormatWarning):
            request.warn(str(each.message))
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


@contextmanager
def open_output(request: Request, out: str | None, *, packed: bool = False) -> Iterator[BinaryIO]:
    """Open any other output for bytes; a file appears whole or not at all.

    With `packed` it is compressed if its suffix says so.
    """
    if out is None or is_standard(out):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        refuse_over(out, request.read)
        kind = named(out, reading=False).packing if packed else None
        with writing(out) as file, packing(file, kind) as text:
            yield text


def process_text(
    process: LinearProcess, heading: Sequence[str] = (), declared: Declared | None = None
) -> str:
    """Return a linear process as a text in the language of its specification, see
    `lts.mcrl2.printing.linear_text`."""
    if process.specification.communications is None:
        from lts.mcrl2.printing import linear_text

        return linear_text(process, heading, declared)
    from lts.mucrl import linear_text as mucrl_text

    return mucrl_text(process, heading)


def write_text(request: Request, out: str | None, text: str) -> None:
    """Write a text, whole or not at all."""
    with open_output(request, out) as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def also_read(request: Request, files: Iterable[str]) -> None:
    """Record further input files that no option names, and refuse outputs that would overwrite
    them."""
    more = [*files]
    request.read.extend(more)
    for out in filter(is_file, request.outputs):
        refuse_over(out, more)


def refuse_over(out: str, read: Iterable[str]) -> None:
    """Refuse to overwrite a file that is read, under whatever name."""
    if is_file(out) and any(is_file(file) and os.path.samefile(out, file) for file in read):
        raise LtsError(f"`{out}` is an input file: choose another name for the output")


def formula_file(formula: str) -> str | None:
    """Return the file of a formula: `@FILE`, or the name of an .mcf file."""
    if formula.lower().endswith((".pbes", ".bes")):
        raise LtsError(f"`{formula}` is {FOREIGN['.pbes']}")
    if formula.startswith("@"):
        return formula[1:]
    is_name = formula.lower().endswith(".mcf") and not set(formula) & set("<[")
    return formula if is_name else None


def check_format(out: str | None, *, only_aut: bool = False) -> None:
    """Refuse an output name whose suffix is not that of an LTS.

    With `only_aut` refuse all formats except .aut files, compressed or not, and folders of parts.
    """
    if out is None or is_standard(out):
        return
    found = named(out, reading=False)
    if only_aut and found.format.name not in ("aut", "parts"):
        raise LtsError(f"`{out}` is the output of a reduction: its name must end in .aut or .parts")


def symmetry_file(file: str | None) -> str:
    """Return the name of the symmetry file beside a reduction."""
    return f"{str(file).rstrip('/')}.sym"


def check_outputs(outs: Iterable[str]) -> None:
    """Raise `OSError` if one of the outputs could not be written now."""
    for out in outs:
        if os.path.isdir(out):
            from lts.formats.parts import is_parts

            if not is_parts(out):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), out)
        check_writable(out)


def format_of(out: str | None, formats: Mapping[str, str], default: str) -> str:
    """Return the format by a file's suffix; the default for a name without one."""
    if out is None or is_standard(out) or not is_replaceable(out):
        return default
    end = os.path.splitext(out)[1].lower()
    if not end:
        return default
    if end not in formats:
        known = ", ".join(formats)
        raise LtsError(
            f"`{out}`: unknown format `{end}`; the formats are {known} (or choose one with --to)"
        )
    return formats[end]


def is_file(file: str) -> bool:
    """Whether there is a file of this name."""
    return "\0" not in file and os.path.isfile(file)
