"""Reductions in files: an encoding is marked as one, and each of its two files identifies the
other.

The encoding has an additional transition, a loop of the initial state whose label is
`rho-encoding(sha256:..)` with the hash of its symmetry file. The symmetry file has a key `encoding`
with the hash of the encoding file as it would be without the loop. A plain encoding lacks the loop:
only its symmetry file, beside it, says that it is one.
"""

from __future__ import annotations

import os
import re
import warnings
from array import array
from collections.abc import Iterator
from dataclasses import replace

import aut_format
import lts._engine as _engine
from aut_format.output import together, writing
from aut_format.reader import REDUCTION
from aut_format.writer import blocks, blocks_with, header
from lts.errors import FormatError, ReductionWarning
from lts.symmetry.permutation.file import Symmetry, parse_symmetry_file
from lts.system.lts import LTS

__all__ = [
    "checked",
    "is_marked",
    "marked",
    "read_reduction",
    "unmarked",
    "write_reduction",
    "written",
]

_MARK = re.compile(r"rho-encoding\(sha256:([0-9a-f]{64})\)")


def write_reduction(
    encoding: LTS,
    symmetry: Symmetry,
    file: str | os.PathLike[str],
    symmetry_file: str | os.PathLike[str] | None = None,
    *,
    plain: bool = False,
) -> None:
    """Write an encoding and its symmetry file, by default FILE.sym.

    If it is `plain`, nothing but the encoding is written to its file, so that any tool can compare
    it; the symmetry file still identifies it.
    """
    path = f"{os.fspath(file)}.sym" if symmetry_file is None else symmetry_file
    if plain:
        own = identified(encoding, symmetry)
        with together(), writing(path) as out:
            out.write(str(own).encode("utf-8", "surrogateescape"))
            aut_format.write(encoding, file)
        return
    with together(), writing(path) as out:
        with writing(file) as opened:
            chunks, finished = written(encoding, symmetry)
            opened.writelines(chunks)
        out.write(str(finished()).encode("utf-8", "surrogateescape"))


def read_reduction(
    file: str | os.PathLike[str], symmetry_file: str | os.PathLike[str] | None = None
) -> tuple[LTS, Symmetry]:
    """Read an encoding and its symmetry file, by default FILE.sym.

    Raises `FormatError` if one of them was changed since it was written.
    """
    path = f"{os.fspath(file)}.sym" if symmetry_file is None else os.fspath(symmetry_file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReductionWarning)
        encoding = aut_format.read(file)
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as opened:
        symmetry = parse_symmetry_file(opened.read(), name=path)
    return opened_reduction(encoding, symmetry)


def opened_reduction(encoding: LTS, symmetry: Symmetry) -> tuple[LTS, Symmetry]:
    """Check that both belong together; return them without the marks that say so."""
    return checked(encoding, symmetry), replace(symmetry, encoding=None)


class _Finished:
    """The symmetry of an encoding, completed once the encoding has been written."""

    def __init__(self, symmetry: Symmetry) -> None:
        self.symmetry = symmetry

    def __call__(self) -> Symmetry:
        return self.symmetry


def written(encoding: LTS, symmetry: Symmetry) -> tuple[Iterator[bytes], _Finished]:
    """Return the blocks of an encoding's file, and an object that gives the symmetry file after
    them."""
    _refuse_marked(encoding)
    import hashlib

    finished = _Finished(symmetry)
    digest = hashlib.sha256()

    def mark() -> bytes:
        finished.symmetry = replace(symmetry, encoding=f"sha256:{digest.hexdigest()}")
        loop = f'({encoding.initial},"rho-encoding(sha256:{_hash(finished.symmetry)})"'
        return f"{loop},{encoding.initial})\n".encode("ascii")

    def chunks() -> Iterator[bytes]:
        for number, block in enumerate(blocks_with(encoding, mark)):
            # The header counts the loop, but the hash is taken without it.
            digest.update(block if number else header(encoding))
            yield block

    return chunks(), finished


def marked(encoding: LTS, symmetry: Symmetry) -> tuple[LTS, Symmetry]:
    """Return an encoding with its mark, and its symmetry file; for formats other than text."""
    symmetry = identified(encoding, symmetry)
    label = f"rho-encoding(sha256:{_hash(symmetry)})"
    row = (encoding.initial, len(encoding.labels), encoding.initial)
    engine = encoding._engine
    columns = [
        array("I", memoryview(column).cast("B").cast("I")) + array("I", [end])
        for column, end in zip((engine.source, engine.label, engine.target), row, strict=True)
    ]
    source, labels, target = columns
    names = [*encoding.labels, label]
    found = LTS.from_columns(source, labels, target, names, encoding.initial, encoding.state_count)
    return found.with_internal(encoding.internal), symmetry


def identified(encoding: LTS, symmetry: Symmetry) -> Symmetry:
    """Return the symmetry file of an encoding, with its hash, for the encoding without its mark."""
    _refuse_marked(encoding)
    return replace(symmetry, encoding=fingerprint(encoding))


def _refuse_marked(encoding: LTS) -> None:
    if is_marked(encoding):
        label = encoding.labels[encoding._engine.beginning(REDUCTION)[0]]
        raise FormatError(
            f"the label `{label}` marks reductions: a system with this label cannot be reduced"
        )


def is_marked(system: LTS) -> bool:
    """Whether a system is marked as a reduction."""
    return bool(system._engine.beginning(REDUCTION))


def unmarked(system: LTS) -> LTS:
    """Return the encoding without its mark."""
    return _split(system)[0]


def checked(encoding: LTS, symmetry: Symmetry) -> LTS:
    """Return the encoding without its mark, checked against its symmetry file.

    Raises `FormatError` if the two files do not belong together, or the encoding was changed since
    it was written, as far as their hashes tell.
    """
    bare, mark = _split(encoding)
    if mark is not None and mark != _hash(symmetry):
        raise FormatError("the symmetry file does not belong to this reduction, or was changed")
    if symmetry.encoding is not None and symmetry.encoding != fingerprint(bare):
        raise FormatError("the reduction does not belong to this symmetry file, or was changed")
    return bare


def fingerprint(encoding: LTS) -> str:
    """Return the hash that identifies an encoding: that of its file without the mark."""
    import hashlib

    digest = hashlib.sha256()
    for block in blocks(encoding):
        digest.update(block)
    return f"sha256:{digest.hexdigest()}"


def _hash(symmetry: Symmetry) -> str:
    import hashlib

    text = str(symmetry).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()


def _split(system: LTS) -> tuple[LTS, str | None]:
    """Return the encoding without its mark, and the hash in the mark."""
    marks = system._engine.beginning(REDUCTION)
    if not marks:
        return system, None
    label = memoryview(system._engine.label).cast("B").cast("I")
    [number, *others] = marks
    row = len(label) - 1 if label[-1] == number else label.tolist().index(number)
    sources = memoryview(system._engine.source).cast("B").cast("I")
    targets = memoryview(system._engine.target).cast("B").cast("I")
    found = _MARK.fullmatch(system.labels[number])
    twice = _engine.label_counts(system._engine)[number] > 1
    if found is None or others or twice or not sources[row] == targets[row] == system.initial:
        raise FormatError(
            "the mark of a reduction must be one loop `rho-encoding(sha256:..)` of the initial "
            "state"
        )
    source, bare_label, target = (
        array("I", column[:row]) + array("I", column[row + 1 :])
        for column in (sources, label, targets)
    )
    if number < len(system.labels) - 1:
        bare_label = array("I", (a - (a > number) for a in bare_label))
    labels = [*system.labels[:number], *system.labels[number + 1 :]]
    bare = LTS.from_columns(source, bare_label, target, labels, system.initial, system.state_count)
    return bare.with_internal(system.internal), found[1]
