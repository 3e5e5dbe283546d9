"""What a page shows: systems, the data of their states, classes of states, and a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lts.system import LTS

__all__ = ["Colouring", "Difference", "Shown", "Values"]


@dataclass(frozen=True, slots=True)
class Colouring:
    """Classes of the states of a system: states of one class have one colour.

    `classes` has the class of every state, `names` what each class is called. With `shared`, a
    class of one system of a page and the class of that number in another are the same, and light
    up together.
    """

    name: str
    classes: Sequence[int]
    names: Sequence[str]
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """A piece of the data of states: `indices` has for every state the place of its value in
    `values`, None where there is none in that state."""

    group: str
    name: str
    values: Sequence[str | None]
    indices: Sequence[int]


@dataclass(frozen=True, slots=True)
class Shown:
    """A system of a page. Transitions whose label is in `jumps` are dashed."""

    title: str
    system: LTS
    colourings: Sequence[Colouring] = ()
    values: Sequence[Values] = ()
    jumps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Difference:
    """What tells the two systems of a page apart, in words, and a run of one of them that shows it.

    `owner` is the place of the system that has the run, from state to state by `labels`; `weak`
    says that internal steps do not count where the other system follows. Where `judged`, `every`
    step of the run, or each of the `visible` ones, can only be matched by one to an equivalent
    state, which has the same class of the shared colouring.
    """

    text: str
    owner: int
    states: Sequence[int]
    labels: Sequence[str]
    weak: bool
    judged: Literal["every", "visible", "none"] = "none"
