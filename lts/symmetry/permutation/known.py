"""The status of permutations (symmetry, no symmetry, not proven) and its wording, which is made
here and nowhere else.

A permutation is *no symmetry* only if a witness shows that. An incomplete proof is no witness: then
it is *not proven to be a symmetry*. A group is *proven* once a proof is complete. If an exploration
ends before that because it has its answer, only the explored part is known to be symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass

from lts.errors import NotProven, NotSymmetric
from lts.symmetry.permutation.notation import Permutation

__all__ = [
    "EXPLORATION",
    "NEEDED",
    "NOTHING",
    "NO_PROOF",
    "PART",
    "REACHES",
    "SEEN",
    "SYSTEM",
    "TEXT",
    "Proof",
    "message",
    "refuted",
    "undecided",
]

SYSTEM, NEEDED, SEEN, NOTHING = REACHES = ("system", "needed", "seen", "nothing")
"""The part of the system that a proof covers: the whole system; the part that the answer depends
on; the part explored until an answer was found; nothing, as the answer does not depend on the
symmetry."""


TEXT, EXPLORATION, PART, NO_PROOF = ("text", "exploration", "explored part", "none")
"""How a group is proven, as JSON says it: from the text, vectors or transitions alone; by comparing
steps, of all states that matter; by comparing the steps that were explored until an answer was
found; or not, as nothing depends on a proof."""


def message(permutation: Permutation, *, is_refuted: bool, of: str = "", up_to: str = "") -> str:
    """Return the sentence that a permutation is no symmetry, or that it is not proven to be one.

    `of` names the object whose symmetry is meant, if not the system; `up_to` names an equivalence.
    """
    what = "is no symmetry" if is_refuted else "is not proven to be a symmetry"
    return f"`{permutation}` {what}{of and f' of {of}'}{up_to and f' up to {up_to}'}"


def refuted(
    permutation: Permutation, *, witness: str, which: int = 0, of: str = "", up_to: str = ""
) -> NotSymmetric:
    """Return the error that a permutation is not a symmetry, with a witness."""
    said = message(permutation, is_refuted=True, of=of, up_to=up_to)
    return NotSymmetric(said, witness=witness, which=which, of=of)


def undecided(permutation: Permutation, *, missing: str, which: int = 0, of: str = "") -> NotProven:
    """Return the error that a permutation is not proven to be a symmetry; `missing` names the gap
    in the proof."""
    said = message(permutation, is_refuted=False, of=of)
    return NotProven(said, missing=missing, which=which, of=of)


@dataclass(frozen=True, slots=True)
class Proof:
    """How a group of a given `order` is proven, and for what part of the system: one of `REACHES`.

    `by` is "vectors", "transitions", "whole" or one of `lts.symmetry.PROOFS`. The text proves
    `from_text` of the `summands`; for the others, `situations` were compared with their images, in
    `seconds`.
    """

    order: int
    reach: str
    by: str
    summands: int
    from_text: int
    situations: int
    seconds: float

    def __str__(self) -> str:
        """The proof in words."""
        return f"of order {self.order}, {self.how}"

    @property
    def kind(self) -> str:
        """How the group is proven, as JSON says it."""
        if self.order == 1 or self.reach == NOTHING:
            return NO_PROOF
        if self.reach == SEEN:
            return PART
        if self.by in ("vectors", "transitions"):
            return TEXT
        return TEXT if self.by != "whole" and self.from_text == self.summands else EXPLORATION

    @property
    def how(self) -> str:
        """Describe in words whether the group is proven, and how."""
        if self.reach == NOTHING:
            return "not proven, but not needed: A allows everything from the initial state"
        if self.reach == SEEN:
            return f"answered after exploring a part; on it the symmetry was checked {self._means}"
        if self.by == "whole":
            return "shown on the whole system, which was generated"
        spared = "; not needed where A diverges and so allows everything"
        return f"proven {self._means}{spared if self.reach == NEEDED else ''}"

    @property
    def _means(self) -> str:
        is_compared = self.means.endswith(" local situations")
        return f"{self.means}, {self.seconds:.2f} s" if is_compared else self.means

    @property
    def means(self) -> str:
        """Describe in words what proves the group: the text, or comparing situations."""
        if self.by in ("vectors", "transitions"):
            return f"from the {self.by}"
        if self.by == "whole":
            return "on the whole system, which was generated"
        if self.from_text == self.summands:
            return "from the text"
        compared = f"in {self.situations} local situations"
        if not self.from_text:
            return compared
        of_text = f"from the text for {self.from_text} of {self.summands} summands"
        return f"{of_text}, and {compared}" if self.situations else of_text
