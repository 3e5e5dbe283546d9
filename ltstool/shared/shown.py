"""Formatting of results for people: named facts, and tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lts.base.escaping import one_line
from lts.base.label_names import action_names
from lts.base.spelling import near

if TYPE_CHECKING:
    from lts.symmetry import Permutation


def facts(found: Mapping[str, object], width: int = 13) -> str:
    """Return facts with one line for each, after its name; very long numbers are rounded."""
    return "\n".join(f"{name:<{width}}{rounded(str(value))}" for name, value in found.items())


LONG = 60
"""The most digits of a number that is shown in full; JSON has all digits of all numbers."""


def rounded(text: str) -> str:
    """Return a text with its long numbers rounded, such as orders of groups on many values.

    >>> rounded(f"of order {10**70 // 7}")
    'of order 1.429*10^69'
    """
    return re.sub(rf"(?<![\w.])\d{{{LONG + 1},}}(?![\w.])", _rounded, text)


def _rounded(number: re.Match[str]) -> str:
    from decimal import Decimal

    mantissa, _, exponent = f"{Decimal(number[0]):.3e}".partition("e+")
    return f"{mantissa}*10^{exponent}"


def aligned(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), *, rule: bool = False
) -> str:
    """Return a table, with the columns of `right` right-aligned and a `rule` under the head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [*rows[:1], *([["-" * width for width in widths]] if rule else []), *rows[1:]]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in lines
    )


def plural(count: int, noun: str) -> str:
    """Return a count with the singular or plural of a noun.

    >>> plural(1, "step"), plural(2, "step")
    ('1 step', '2 steps')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def group_shown(generators: Sequence[Permutation], sorts: Mapping[str, str] | None = None) -> str:
    """Return a group in words, by its generators where it is not a full symmetric group; `sorts`
    has the sorts of elements."""
    from lts.symmetry.permutation.description import factors

    return one_line(", ".join(factor.text(sorts or {}) for factor in factors(generators)))


def unknown_action(
    action: str, labels: Iterable[str], internal: Iterable[str], as_written: Iterable[str]
) -> str:
    """Return the message that an action in a formula matches no label.

    `labels` are the visible labels, `as_written` all labels before hiding.
    """
    known = [*labels]
    name = action.removesuffix("(...)")
    if name in internal:
        return f"`{name}` is internal here: write `tau` in a formula"
    if name in (as_written if action == name else action_names(as_written)):
        return f"`{action}` is hidden: write `tau` in a formula"
    if name in action_names(known):
        return (
            f"no label is `{action}`, but some labels have arguments: write `{name}(...)` "
            "for any of them"
        )
    names = known if action == name else [f"{shown}(...)" for shown in action_names(known)]
    hint = near(action, names)
    if not hint and "(" in name:
        hint = near(name.partition("(")[0], action_names(known))
    return f"no label is `{action}`{hint}"
