"""The contents of a page: systems, the data and classes of their states, and a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Colouring", "Difference", "Shown", "Values"]


@dataclass(frozen=True, slots=True)
class Colouring:
    """Classes of the states of a system; states of one class have the same colour.

    `classes` has the class of every state, `names` the names of classes. With `shared`, classes of
    the same number in both systems of a page are the same, and are highlighted together.
    """

    name: str
    classes: Sequence[int]
    names: Sequence[str]
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """One variable of the data of states: `indices` has, for every state, the position of its value
    in `values`, None if the variable has no value there."""

    group: str
    name: str
    values: Sequence[str | None]
    indices: Sequence[int] | npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Shown:
    """A system on a page. Transitions whose label is in `jumps` are dashed."""

    title: str
    system: LTS
    colourings: Sequence[Colouring] = ()
    values: Sequence[Values] = ()
    jumps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between the two systems of a page, in words, with a run of one of them that
    shows it.

    `owner` is the position of the system with the run, which visits `states` by steps `labels`.
    With `weak`, the other system may add internal steps when it follows. `judged` says which steps
    of the run (`every` one, or the `visible` ones) must be matched by a step to an equivalent
    state, that is one of the same class of the shared colouring.
    """

    text: str
    owner: int
    states: Sequence[int]
    labels: Sequence[str]
    weak: bool
    judged: Literal["every", "visible", "none"] = "none"
