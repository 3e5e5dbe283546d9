"""Formulas: what they are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Actions", "Formula", "Node", "unquoted"]


@dataclass(frozen=True, slots=True)
class Actions:
    """A set of labels: `accepts(label, internal)`; equal texts are equal sets."""

    text: str
    accepts: Callable[[str, bool], bool] = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        from lts.logic.formula import parse_actions

        return parse_actions, (self.text,)

    @property
    def plain(self) -> str:
        """The text without quotes, if it is one label."""
        return unquoted(self.text) if self.text.startswith('"') else self.text


Node = tuple[str, int | Actions | None, tuple[int, ...]]
"""Operator (`and`, `or`, `not`, `can`, `must`, `mu`, `nu`, `var`); actions, or the number of the
node that binds a variable; parts. Parts come before what they are parts of, but for bound ones."""


@dataclass(frozen=True, slots=True)
class Formula:
    """The nodes of a formula, and the number of the one that is all of it.

    `named` are the actions that are named in it, one label or `name(...)` each.
    """

    nodes: tuple[Node, ...]
    root: int
    named: tuple[Actions, ...] = ()


def unquoted(text: str) -> str:
    """Return the label that stands in quotation marks."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])
