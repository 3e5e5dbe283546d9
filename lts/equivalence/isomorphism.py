"""Isomorphism: whether a bijection between the states makes two systems equal, with the map or a
reason why there is none."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Literal

import lts._engine as _engine
from lts.base.bounds import WRONG_IMAGES
from lts.base.label_names import label_text
from lts.errors import LimitReached
from lts.system.lts import LTS
from lts.trace import label_shown

__all__ = ["WRONG_CHOICES", "Mismatch", "StateClass", "isomorphism"]

WRONG_CHOICES = WRONG_IMAGES.default
"""Default limit on wrong choices in the search for an isomorphism."""

SHOWN = 20
"""Most classes of states in a message."""


@dataclass(frozen=True, slots=True)
class StateClass:
    """A class of states that no isomorphism separates, by the property that defines it.

    The states are in the class number `within`, and are `initial` or not, or have exactly `count`
    transitions with `label` that lead `to` or come `from` states of a class. The class of all
    states has none of these.
    """

    within: int | None = None
    initial: bool | None = None
    label: str | None = None
    to: int | None = None
    origin: int | None = None
    count: int | None = None

    def __str__(self) -> str:
        if self.within is None:
            return "all states"
        if self.initial is not None:
            return "the initial state" if self.initial else "the states that are not initial"
        assert self.label is not None
        number = "no" if self.count == 0 else self.count
        where = f"to class {self.to}" if self.to is not None else f"from class {self.origin}"
        plural = "" if self.count == 1 else "s"
        shown = label_shown(self.label)
        return f"states of class {self.within} with {number} transition{plural} {shown} {where}"

    def as_json(self) -> dict[str, object]:
        """Return the class as a JSON object."""
        named = {
            "within": self.within,
            "initial": self.initial,
            "label": self.label,
            "to": self.to,
            "from": self.origin,
            "count": self.count,
        }
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why two systems are not isomorphic.

    They have different numbers, `left` and `right`, of what `differs` says: of states or of
    transitions, of transitions with `label`, or of states in the last of `classes`, each of which
    refers to earlier ones. If it is a `search`, no such number was found, but every map is wrong;
    `wrong` is the number of wrong choices of corresponding states.
    """

    differs: Literal["states", "transitions", "label", "class", "search"]
    left: int | None = None
    right: int | None = None
    label: str | None = None
    classes: tuple[StateClass, ...] = ()
    wrong: int = 0

    def describe(self, left: str, right: str) -> str:
        """Describe the reason in words; `left` and `right` are the names of the systems."""
        if self.differs == "search":
            choices = "1 choice" if self.wrong == 1 else f"{self.wrong} choices"
            return (
                "corresponding states have the same numbers of transitions to corresponding "
                f"states, but every map is wrong: the search ended after {choices}"
            )
        if self.differs != "class":
            what: str = self.differs
            if self.label is not None:
                what = f"transitions with the label {label_shown(self.label)}"
            return f"{left} has {self.left} {what}, {right} has {self.right}"
        last = len(self.classes) - 1
        about = f"states in class {last}: {self.left} of {left}, {self.right} of {right}"
        if len(self.classes) > SHOWN:
            return f"{about}; its definition takes {len(self.classes)} classes, too many to show"
        lines = (f"  class {number}: {each}" for number, each in enumerate(self.classes))
        return "\n".join([f"{about}, where", *lines])

    def as_json(self) -> dict[str, object]:
        """Return the reason as a JSON object."""
        if self.differs == "search":
            return {"differs": self.differs, "wrong": self.wrong}
        found: dict[str, object] = {
            "differs": self.differs,
            "left": self.left,
            "right": self.right,
        }
        if self.label is not None:
            found["label"] = self.label
        if self.classes:
            found["classes"] = [each.as_json() for each in self.classes]
        return found


def isomorphism(
    left: LTS, right: LTS, *, wrong_choices: int = WRONG_CHOICES
) -> array[int] | Mismatch:
    """Return the image of every state of `left` under an isomorphism to `right`, or a reason why
    there is none.

    An isomorphism is a bijection between all states, reachable or not, that maps the initial state
    to the initial one, and the set of transitions to that of the other system. Labels are compared
    by their normal form, all internal labels as one. Raises `LimitReached` if more than
    `wrong_choices` choices of corresponding states are wrong.
    """
    found = _engine.isomorphism(left._engine, right._engine, wrong_choices)
    if found is None:
        raise LimitReached(
            f"{WRONG_IMAGES.amount(wrong_choices)}, or 500 nested ones, did not decide whether "
            "the systems are isomorphic",
            limit=wrong_choices,
            found={"choices": wrong_choices},
        )
    if found["images"] is not None:
        images = array("I")
        images.frombytes(memoryview(found["images"]))
        return images
    internal = min([*left.internal, *right.internal], default="tau")

    def text(label: bytes | None) -> str:
        return internal if label is None else label_text(label)

    def defined(
        within: int, initial: bool | None, steps: tuple[bool, bytes | None, int, int] | None
    ) -> StateClass:
        if initial is not None:
            return StateClass(within, initial)
        if steps is None:
            return StateClass()
        forwards, label, other, count = steps
        to, origin = (other, None) if forwards else (None, other)
        return StateClass(within, None, text(label), to, origin, count)

    what, numbers = found["what"], found["numbers"] or (None, None)
    return Mismatch(
        what,
        numbers[0],
        numbers[1],
        text(found["label"]) if what == "label" else None,
        tuple(defined(*each) for each in found["classes"] or ()),
        found["wrong"],
    )
