"""Renaming of labels by patterns."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import lts._engine as _engine
from lts.base.argument_types import expect, expect_text
from lts.base.label_names import action_names, encoded, label_text, normal
from lts.base.regular import glob
from lts.errors import NameWarning
from lts.system.internal_labels import TAU, by_name

if TYPE_CHECKING:
    from lts.system.lts import LTS

__all__ = ["rename", "renamed"]


def rename(system: LTS, names: Mapping[str, str]) -> LTS:
    """Return an LTS with labels renamed; `names` maps old names to new ones.

    An old name is the name of an action, whose arguments are retained, an action with its
    arguments, a whole label, or a pattern for whole labels, in which `*` matches any characters and
    `?` one; `put(...)` matches all labels of `put`. Of a multi-action such as `get(1)|put(1)` each
    action is renamed by itself, unless the old name joins actions. In the new name, the first `*`
    or `?` is replaced by the match of the first one in the old name, and so on. If several old
    names match, the first is applied. An internal label stays internal only if it is not renamed; a
    label renamed to `tau` is internal if `tau` was, or if no other label is internal. An old name
    that matches no label causes a `NameWarning`.

    Raises `ValueError` if a new name has more `*` and `?` than the old one.

    >>> from lts import LTS
    >>> system = LTS.from_transitions([(0, "put(1)", 1), (1, "s_2(a)", 0)])
    >>> rename(system, {"put": "get", "s_*(?)": "send(*,?)"}).labels
    ('get(1)', 'send(2,a)')
    """
    hint = 'write rename({"old": "new"})'
    expect(names, Mapping, "a mapping of old names to new ones", hint)
    for name in (*names, *names.values()):
        expect_text(name, "a name of an action or label")
    rules = [_Rule(old, new) for old, new in names.items()]
    new = [renamed(label, rules) for label in system.labels]
    if idle := [rule.old for rule in rules if not rule.used]:
        said = f"nothing to rename: no action or label is {', '.join(idle)}"
        warnings.warn(said, NameWarning, stacklevel=3)
    numbers: dict[str, int] = {}
    for label in new:
        numbers.setdefault(label, len(numbers))
    import numpy as np

    new_numbers = np.array([numbers[label] for label in new], dtype=np.uint32)
    column: Any = new_numbers[system.label] if len(new_numbers) else system.label
    found = type(system).from_columns(
        system.source,  # type: ignore[arg-type]
        column,
        system.target,  # type: ignore[arg-type]
        numbers,
        system.initial,
        system.state_count,
    )
    internal = [
        label
        for label, old in zip(new, system.labels, strict=True)
        if old in system.internal and label == old
    ]
    if not system.internal or by_name(system.internal, [TAU]) or not internal:
        internal.append(TAU)
    return system._with_engine(found.with_internal(internal)._engine)


def renamed(label: str, rules: list[_Rule]) -> str:
    """Return the new name of a label."""
    [encoding] = encoded([label])
    read = _engine.read_label(encoding)
    is_one = read is None or len(read[0]) == 1
    whole = _first(label, rules if is_one else [rule for rule in rules if rule.joins])
    if read is None or whole is not None:
        return label if whole is None else whole
    actions = [label_text(encoding[start:end]) for start, end, *_ in read[0]]
    images = [_first(action, [rule for rule in rules if not rule.joins]) for action in actions]
    if not any(image is not None for image in images):
        return label
    new = [
        action if image is None else image for action, image in zip(actions, images, strict=True)
    ]
    # The actions of a label are written in order, and `tau` is none of them.
    return "|".join(sorted(text for text in new if text != "tau")) or "tau"


def _first(text: str, rules: list[_Rule]) -> str | None:
    """Return the new name of a label or action by the first rule that matches it."""
    return next((found for rule in rules if (found := rule.apply(text)) is not None), None)


class _Rule:
    """A pair of an old and a new name."""

    def __init__(self, old: str, new: str) -> None:
        if len(old) > len("(...)") and old.endswith("(...)"):
            old = old.removesuffix("(...)")
        self.old = old
        self.new = re.split(r"[*?]", new)
        self.normal = normal(old)
        self.joins = "|" in old
        """Whether it is for whole multi-actions."""
        self.used = False
        holes = len(re.findall(r"[*?]", old))
        if len(self.new) - 1 > holes:
            raise ValueError(f"`{new}` has more `*` and `?` than `{old}`")
        self.pattern = glob(old) if holes else None

    def apply(self, label: str) -> str | None:
        """Return the new name of a label or action; None if this rule does not match it."""
        if self.pattern is None:
            if normal(label) == self.normal:
                self.used = True
                return self.new[0]
            begins = len(label) - len(label.lstrip())
            if label.startswith(self.old, begins) and self.old in action_names([label]):
                self.used = True
                return label[:begins] + self.new[0] + label[begins + len(self.old) :]
            return None
        found = self.pattern.whole(label)
        if found is None:
            return None
        self.used = True
        text = self.new[0]
        for value, part in zip(found[1:], self.new[1:], strict=False):
            text += value + part
        return text
