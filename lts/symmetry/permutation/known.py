"""What is known of permutations, and the words for it, which are made here and nowhere else.

A permutation is *no symmetry* only where a witness shows that. What a proof lacks is no witness:
then it is *not proven to be a symmetry*. A group is *proven* once a proof is complete; where an
answer was found before, what was looked at is symmetric, and nothing is said of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from lts.errors import NotProven, NotSymmetric
from lts.symmetry.permutation.notation import Permutation

__all__ = [
    "NEEDED",
    "NOTHING",
    "REACHES",
    "SEEN",
    "SYSTEM",
    "Proof",
    "message",
    "refuted",
    "undecided",
]

SYSTEM, NEEDED, SEEN, NOTHING = REACHES = ("system", "needed", "seen", "nothing")
"""Of what a group is proven: of the whole system; of all of it that the answer depends on; of what
was looked at until an answer was found; of nothing, as the answer does not depend on it."""


def message(permutation: Permutation, *, is_refuted: bool, of: str = "", up_to: str = "") -> str:
    """Return whether a permutation is no symmetry, or not proven to be one.

    `of` is what it is to be a symmetry of, if not of the system; `up_to` an equivalence.
    """
    what = "is no symmetry" if is_refuted else "is not proven to be a symmetry"
    return f"`{permutation}` {what}{of and f' of {of}'}{up_to and f' up to {up_to}'}"


def refuted(
    permutation: Permutation, *, witness: str, which: int = 0, of: str = "", up_to: str = ""
) -> NotSymmetric:
    """Return that a permutation is no symmetry, as a witness shows."""
    said = message(permutation, is_refuted=True, of=of, up_to=up_to)
    return NotSymmetric(said, witness=witness, which=which, of=of)


def undecided(permutation: Permutation, *, missing: str, which: int = 0, of: str = "") -> NotProven:
    """Return that a permutation is not proven to be a symmetry, and what the proof lacks."""
    said = message(permutation, is_refuted=False, of=of)
    return NotProven(said, missing=missing, which=which, of=of)


@dataclass(frozen=True, slots=True)
class Proof:
    """How a group of an `order` is proven, and of what: one of `REACHES`.

    `by` is "vectors", "whole" or what `lts.symmetry.PROOFS` says; of `summands` the text proves
    `from_text`, and `situations` were compared with their images, for so many `seconds`.
    """

    order: int
    reach: str
    by: str
    summands: int
    from_text: int
    situations: int
    seconds: float

    def __str__(self) -> str:
        """In words."""
        return f"of order {self.order}, {self.how}"

    @property
    def how(self) -> str:
        """Return whether it is proven, and how, in words."""
        if self.reach == NOTHING:
            return "not proven, and not needed: A allows everything from the start"
        if self.reach == SEEN:
            return (
                "not proven: an answer was found before; what was looked at is symmetric, "
                f"{self._means}"
            )
        if self.by == "whole":
            return "shown on the whole system, which was generated"
        spared = "; not needed where A diverges, and allows everything"
        return f"proven {self._means}{spared if self.reach == NEEDED else ''}"

    @property
    def _means(self) -> str:
        if self.by == "vectors":
            return "from the vectors"
        if self.from_text == self.summands:
            return "from the text"
        compared = f"in {self.situations} local situations, {self.seconds:.2f} s"
        if not self.from_text:
            return compared
        of_text = f"from the text for {self.from_text} of {self.summands} summands"
        return f"{of_text}, and {compared}" if self.situations else of_text
