"""Permutations that are likely to be symmetries, and those that were refused, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from lts.errors import LimitReached, LtsError, NotProven, NotSymmetric
from lts.symmetry.data.find.automorphisms import order, written
from lts.symmetry.data.find.facts import Facts
from lts.symmetry.permutation.cycles import Images
from lts.symmetry.permutation.known import message
from lts.symmetry.permutation.notation import Permutation

__all__ = ["Proposal", "Refusal", "refusal_by"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A permutation that is not a symmetry, or was not proven to be one, and why.

    `of` names the object whose symmetry was asked for, if it is not the specification. With
    `is_limit` the question is open because the search reached a limit. `states` is the number of
    first states that exclude it, if these were enough; then no trace is known that refutes it.
    """

    permutation: Permutation
    witness: str
    refuted: bool
    of: str = ""
    is_limit: bool = False
    states: int | None = None

    @property
    def message(self) -> str:
        """Whether it was refuted or only not proven, in words."""
        return message(self.permutation, is_refuted=self.refuted, of=self.of)

    @property
    def error(self) -> LtsError:
        """The error that reports it."""
        error = LtsError(self.message)
        error.more = self.witness
        return error


@dataclass(frozen=True, slots=True)
class Proposal:
    """Permutations of the points of `facts` that are likely to generate a group of symmetries."""

    facts: Facts
    generators: tuple[Images, ...]
    refused: tuple[Refusal, ...] = ()

    @property
    def permutations(self) -> tuple[Permutation, ...]:
        """The generators as permutations of data."""
        return tuple(written(self.facts, images) for images in self.generators)

    @property
    def order(self) -> int:
        """The order of the group."""
        return order(self.facts, self.generators)


def refusal_by(error: LtsError, permutation: Permutation) -> Refusal:
    """Return the refusal of a permutation because of an error of its exploration or its proof."""
    if isinstance(error, NotSymmetric):
        return Refusal(permutation, error.witness, refuted=True, of=error.of)
    if isinstance(error, NotProven):
        return Refusal(permutation, error.missing, refuted=False, of=error.of)
    is_limit = isinstance(error, LimitReached)
    return Refusal(permutation, error.message, refuted=False, is_limit=is_limit)
