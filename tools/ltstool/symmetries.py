"""What `--symmetry` means for a specification: a permutation, a file, sorts, or what is found."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError, NotSymmetric
from ltstool.options import remark
from ltstool.specifications import read_symmetry

if TYPE_CHECKING:
    from lts.mucrl import LinearProcess
    from lts.symmetry import Found, Symmetry

AUTO = "auto"


def symmetry_of(
    arguments: argparse.Namespace, process: LinearProcess, options: dict[str, Any]
) -> Symmetry:
    """Return the symmetry that `--symmetry` names; `options` are those of an exploration.

    `auto` is proven already; what else is named is not. A file wins over a sort of its name.
    """
    from lts.symmetry import Symmetry, find_in_specification, symmetric_sorts

    text: str = arguments.symmetry
    if text == AUTO:
        found = find_in_specification(process, **options)
        if not found.generators:
            witness = broken(found) or "no sort has several constants that could be permuted"
            raise NotSymmetric("no symmetry of the specification was found", witness=witness)
        shown = ", ".join(f"`{generator}`" for generator in found.generators)
        remark(arguments, f"found {shown}: a group of order {found.order}")
        return Symmetry(kind="sorts", generators=found.generators)
    if text.lstrip().startswith("(") or Path(text).exists():
        return read_symmetry(text, process.specification.parameters)
    names = [name.strip() for name in text.split(",")]
    known = process.specification.sorts
    if not any(name in known for name in names) and ("/" in text or "." in text):
        raise LtsError(f"there is no symmetry file `{text}`")
    sorts = symmetric_sorts(process, names)
    for value in sorts.fixed:
        remark(arguments, f"`{value}` stays where it is: the text treats it in a way of its own")
    return Symmetry(kind="sorts", generators=sorts.generators)


def broken(found: Found) -> str:
    """Return what breaks the symmetry of sorts, in lines."""
    from lts.symmetry import breaks

    return "\n".join(str(item) for item in breaks(found.proposal))
