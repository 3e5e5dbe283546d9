"""Methods of `LTS` that need packages above it.

The module of the class does not depend on these packages: it loads this one when such a method is
first used, as does `lts` itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lts.system.lts import LTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow

    from lts.drawing.notebook import Picture
    from lts.equivalence.comparison import Comparison
    from lts.logic.check import Verdict
    from lts.symmetry.labels.detection import Detection
    from lts.symmetry.permutation.notation import Permutation
    from lts.symmetry.reduction.rho_encoding import Reduction
    from lts.verbs import System
    from lts.web.notebook import Page

__all__ = ["LTS"]


def write(self: LTS, file: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write the LTS in the format of the file's suffix; see `lts.write`."""
    from lts.formats.files import write

    write(self, file, format=format)


def minimise(
    self: LTS, equivalence: str, *, keep_unreachable: bool = False, max_states: int | None = None
) -> LTS:
    """Return the smallest equivalent LTS; see `lts.minimise`."""
    from lts.equivalence.minimisation import minimise

    return minimise(self, equivalence, keep_unreachable=keep_unreachable, max_states=max_states)


def minimize(
    self: LTS, equivalence: str, *, keep_unreachable: bool = False, max_states: int | None = None
) -> LTS:
    """Another spelling of `minimise`."""
    return minimise(self, equivalence, keep_unreachable=keep_unreachable, max_states=max_states)


def compare(
    self: LTS, other: System, equivalence: str, *, max_states: int | None = None
) -> Comparison:
    """Compare with another system modulo an equivalence; see `lts.compare`."""
    from lts.verbs import compare

    return compare(self, other, equivalence, max_states=max_states)


def bisimilar(self: LTS, other: System, equivalence: str = "strong") -> bool:
    """Return whether another system is equivalent, by default strongly bisimilar; see
    `lts.bisimilar`."""
    from lts.verbs import bisimilar

    return bisimilar(self, other, equivalence)


def classes(self: LTS, equivalence: str) -> Any:
    """Return the class of each state modulo an equivalence; see `lts.equivalence.classes`."""
    from lts.equivalence.minimisation import classes

    return classes(self, equivalence)


def determinise(self: LTS, *, max_states: int | None = None) -> LTS:
    """Return the smallest deterministic LTS with the same weak traces.

    Raises `LimitReached` for more than `max_states` sets of states; see `lts.determinise`.
    """
    from lts.verbs import determinise

    return determinise(self, max_states=max_states)


def check(self: LTS, formula: str, *, fair: str | None = None) -> Verdict:
    """Check a formula in the initial state; see `lts.check`."""
    from lts.logic.check import check

    return check(self, formula, fair=fair)


def find_symmetry(self: LTS, equivalence: str = "strong") -> Detection:
    """Return the symmetries modulo an equivalence; see `lts.find_symmetry`."""
    from lts.symmetry.labels.detection import find_symmetry

    return find_symmetry(self, equivalence)


def reduce(self: LTS, permutations: Permutation | Sequence[Permutation]) -> Reduction:
    """Return the reduction under permutations; see `lts.reduce`."""
    from lts.symmetry.reduction.rho_encoding import reduce

    return reduce(self, permutations)


def draw(
    self: LTS,
    permutations: Permutation | Sequence[Permutation] | None = None,
    *,
    layout: str = "automatic",
    max_states: int | None = None,
) -> Picture:
    """Return a picture of the LTS, coloured by the orbits of its symmetries; see `lts.draw`."""
    from lts.verbs import draw

    return draw(self, permutations, layout=layout, max_states=max_states)


def view(
    self: LTS,
    other: System | None = None,
    *,
    equivalence: str | None = None,
    title: str = "",
    max_states: int | None = None,
) -> Page:
    """Return a web page that shows the LTS, or two systems beside each other; see `lts.view`."""
    from lts.verbs import view

    return view(self, other, equivalence=equivalence, title=title, max_states=max_states)


def to_arrow(self: LTS) -> pyarrow.Table:
    """Return the transitions as a table of Arrow: source, label (dictionary-encoded), target.

    The metadata of its schema have the rest of the LTS; a Parquet file holds the same table.
    """
    from lts.formats.parquet import table

    return table(self)


def _repr_html_(self: LTS) -> str:
    from lts.drawing.notebook import as_html

    return as_html(self)


METHODS: tuple[Any, ...] = (
    *(write, minimise, minimize, determinise, classes, compare, bisimilar, check),
    *(find_symmetry, reduce, draw, view),
    *(to_arrow, _repr_html_),
)
for method in METHODS:
    method.__qualname__ = f"LTS.{method.__name__}"
    setattr(LTS, method.__name__, method)
