"""The effect of `encap`, `hide` and `rename` on actions, as one function on names."""

from __future__ import annotations

from dataclasses import dataclass

from lts.linear.parallel.multi_actions import joined, split
from lts.specification.specification import Encap, Hide, Rename, Term

__all__ = ["IDENTITY", "Relabelling"]

_INTERNAL, _FORBIDDEN = "tau", "delta"  # reserved words, so never names of actions


@dataclass(frozen=True, slots=True)
class Relabelling:
    """A function on action names; names that are not listed are unchanged.

    Nested operators are composed to one relabelling, so that recursion through them has finitely
    many control states: hiding twice is hiding once.
    """

    images: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, operator: Encap | Hide | Rename) -> Relabelling:
        """Return the relabelling of an operator, without its body."""
        if isinstance(operator, Rename):
            pairs = dict(operator.pairs)
        else:
            image = _FORBIDDEN if isinstance(operator, Encap) else _INTERNAL
            pairs = dict.fromkeys(operator.actions, image)
        return cls(_ordered(pairs))

    def then(self, outer: Relabelling) -> Relabelling:
        """Return the composition: this relabelling first, then `outer`."""
        if not outer.images:
            return self
        around = dict(outer.images)
        inside = {name: around.get(image, image) for name, image in self.images}
        return Relabelling(_ordered({**around, **inside}))

    def applied(
        self, action: str | None, arguments: tuple[Term, ...]
    ) -> tuple[str | None, tuple[Term, ...]] | None:
        """Return a step's action and arguments after relabelling; None if the step is blocked."""
        if action is None or "|" not in action:
            if self.forbids(action):
                return None
            image = self(action)
            return image, (() if image is None else arguments)
        actions = split(action, arguments)
        if any(self.forbids(name) for name, _ in actions):
            return None
        images = [(self(name), own) for name, own in actions]
        return joined((name, own) for name, own in images if name is not None)

    def forbids(self, action: str | None) -> bool:
        """Whether steps with this action are blocked."""
        return dict(self.images).get(action or "") == _FORBIDDEN

    def __call__(self, action: str | None) -> str | None:
        """Return the image of an action; None is the internal action."""
        if action is None:
            return None
        image = dict(self.images).get(action, action)
        return None if image == _INTERNAL else image

    def around(self, text: str) -> str:
        """Return the text of a process, surrounded by operators with this effect."""
        kinds: dict[str, list[str]] = {"encap": [], "hide": [], "rename": []}
        for name, image in self.images:
            match image:
                case "delta":
                    kinds["encap"].append(name)
                case "tau":
                    kinds["hide"].append(name)
                case _:
                    kinds["rename"].append(f"{name}->{image}")
        for operator, names in kinds.items():
            if names:
                text = f"{operator}({{{','.join(names)}}},{text})"
        return text


IDENTITY = Relabelling()


def _ordered(pairs: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, image) for name, image in pairs.items() if name != image))
