"""Reductions among the .aut files that commands read: results are about their originals."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from aut_format.reader import REDUCTION
from lts.base.bounds import EXPANDED_TRANSITIONS
from lts.errors import FormatError, LtsError
from lts.system.lts import LTS
from ltstool.shared.files import also_read, is_standard, shown, symmetry_file, text_of

if TYPE_CHECKING:
    from lts.symmetry import Symmetry
    from ltstool.options.request import Request

FEW = 2_000_000
"""Up to this number of transitions the original is built even if a smaller system would do."""


def original(request: Request, file: str | None, system: LTS, *, bisimilar: bool = False) -> LTS:
    """Return a system that was read, or its original if it is a reduction.

    With `bisimilar`, any system that is strongly bisimilar to the original will do. With
    `--as-such`, the result is the encoding itself.
    """
    if request.reading.as_such:
        return bare(system)
    if not is_marked(system) and not _has_neighbour(file):
        return system
    found = reduction(request, file, system)
    if found is None:
        return system
    name = shown(file)
    least, states, transitions = _expanded(name, *found, bisimilar)
    request.note(
        f"{name} is a reduction: the result is that of its original, {states} states, "
        f"{transitions} transitions (--as-such reads the file itself)",
    )
    return least


def refuse_reduction(request: Request, file: str | None, system: LTS) -> LTS:
    """Return a system that was read; refuse a reduction unless it is read with `--as-such`."""
    if request.reading.as_such:
        return bare(system)
    if is_marked(system) or reduction(request, file, system) is not None:
        is_certified = "certificate" in request.given
        why = "--certificate applies to the file itself: " if is_certified else ""
        raise LtsError(
            f"{why}{shown(file)} is a reduction: write its original with `ltstool expand` "
            "first, or read the file itself with --as-such"
        )
    return system


def is_marked(system: LTS) -> bool:
    """Whether a system that was read is marked as a reduction."""
    return bool(system._engine.beginning(REDUCTION))


def bare(system: LTS) -> LTS:
    """Return the LTS that was read, without the mark of a reduction."""
    if not is_marked(system):
        return system
    from lts.symmetry.reduction.storage import unmarked

    return unmarked(system)


def reduction(request: Request, file: str | None, system: LTS) -> tuple[LTS, Symmetry] | None:
    """Return the encoding and the symmetry file of a system that was read, if it is a reduction.

    It is one if it is marked as one, or if it has rho-steps and there is a symmetry file beside it.
    """
    name = shown(file)
    if not _has_neighbour(file):
        if not is_marked(system):
            return None
        where = "" if is_standard(file) else f" as `{file}.sym`"
        raise LtsError(
            f"{name} is a reduction, but its symmetry file is not next to it{where}: write the "
            "original with `ltstool expand --symmetry FILE` first, or read the file itself with "
            "--as-such"
        )
    from lts.symmetry.reduction.storage import opened_reduction

    rho = r"rho_*\("
    try:
        symmetry = read_neighbour(request, symmetry_file(file))
        rho = r"(?!)" if symmetry.rho is None else re.escape(f"{symmetry.rho}(")
        if is_marked(system) or any(re.match(rho, label) for label in system.labels):
            return opened_reduction(system, symmetry)
    except LtsError as error:
        if is_marked(system) or any(re.match(rho, label) for label in system.labels):
            raise as_such_instead(name, error) from None
    return None


def as_such_instead(name: str, error: LtsError) -> LtsError:
    """Return an error about two files that do not belong together, with a remedy."""
    message = f"{name} does not match the symmetry file next to it: {error}"
    return FormatError(f"{message} (--as-such reads the file itself)")


def read_neighbour(request: Request, file: str) -> Symmetry:
    """Read the symmetry file beside a reduction."""
    from lts.symmetry import parse_symmetry_file

    also_read(request, [file])
    return parse_symmetry_file(text_of(file), name=file)


def _has_neighbour(file: str | None) -> bool:
    return file is not None and not is_standard(file) and os.path.isfile(symmetry_file(file))


def _expanded(
    name: str, encoding: LTS, symmetry: Symmetry, bisimilar: bool
) -> tuple[LTS, int, int]:
    """Return the original, or a bisimilar system, and the size of the original."""
    from lts.symmetry import encode, expand, minimise_quotient
    from lts.symmetry.reduction.rho_encoding import decoded

    try:
        quotient = decoded(encoding, symmetry)
    except FormatError as error:
        raise as_such_instead(name, error) from None
    states, transitions = quotient.count()
    most = EXPANDED_TRANSITIONS.default
    if transitions <= (FEW if bisimilar else most) and states <= most:
        return LTS(quotient.expand()), states, transitions
    if not bisimilar:
        raise LtsError(
            f"{name} is a reduction whose original is too large here ({states} states, "
            f"{transitions} transitions); --as-such reads the file itself"
        )
    least = minimise_quotient(quotient, "strong")
    found = encode(least, symmetry.generators, kind=symmetry.kind, order="bfs")
    return expand(found.encoding, found.symmetry), states, transitions
