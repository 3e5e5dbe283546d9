"""Internal labels in formats without a mark for them, where only the name of a label says that it
is internal."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lts.base.label_names import normal
from lts.errors import FormatError, FormatWarning

if TYPE_CHECKING:
    from lts.system.lts import LTS

__all__ = ["BY_NAME", "TAU", "by_name", "named_internal", "used_labels", "with_tau"]

TAU = "tau"

BY_NAME = (TAU, "i")
"""The first of these that is the label of a transition is read as internal."""

_SHOWN = 5


def used_labels(system: LTS) -> list[str]:
    """Return the labels that occur on transitions."""
    return [label for label, count in system.label_counts().items() if count]


def by_name(labels: Collection[str], names: Sequence[str] = BY_NAME) -> list[str]:
    """Return the labels that are read as internal, where these `names` are.

    >>> by_name(["a", "tau ", "tau", "i"])
    ['tau ', 'tau']
    """
    for name in names:
        if found := [label for label in labels if name in label and normal(label) == name]:
            return found
    return []


def named_internal(system: LTS, what: str, names: Sequence[str] = BY_NAME) -> LTS:
    """Return a system that a format can represent in which `names` are read as internal.

    If other labels are internal, all internal ones are renamed to `tau`, with a `FormatWarning`.
    Raises `FormatError` if `tau` is a visible label, so that no name is left for them. A system
    without internal steps is returned as it is.
    """
    used = used_labels(system)
    internal = {*system.internal}.intersection(used)
    taken = by_name(used, names)
    if not internal or internal == {*taken}:
        return system
    others = [label for label in used if label in internal and normal(label) != TAU]
    shown = ", ".join(f"`{label}`" for label in others[:_SHOWN])
    if len(others) > _SHOWN:
        shown += f" and {len(others) - _SHOWN} others"
    if not internal.issuperset(by_name(used, [TAU])):
        raise FormatError(
            f"`tau` is a visible label here, so {what} files cannot tell that {shown} "
            f"{'is' if len(others) == 1 else 'are'} internal"
        )
    message = f"internal labels are written as `tau` in {what} files: {shown}"
    warnings.warn(message, FormatWarning, stacklevel=3)
    return with_tau(system)


def with_tau(system: LTS) -> LTS:
    """Return a system whose internal labels are all called `tau`; a visible `tau` is not expected
    to occur."""
    import numpy as np

    internal = {*system.internal}
    names = [TAU if label in internal else label for label in system.labels]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    new_numbers = np.array([numbers[name] for name in names], dtype=np.uint32)
    column = new_numbers[system.label] if len(new_numbers) else system.label
    found = type(system).from_columns(
        system.source,  # type: ignore[arg-type]
        column,  # type: ignore[arg-type]
        system.target,  # type: ignore[arg-type]
        numbers,
        system.initial,
        system.state_count,
    )
    return system._with_engine(found.with_internal([TAU])._engine)
