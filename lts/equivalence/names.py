"""The equivalences by name."""

from __future__ import annotations

import difflib

from lts.errors import LtsError

__all__ = ["EQUIVALENCES", "equivalence_name"]

EQUIVALENCES = {
    "strong": ("bisim", "strong-bisim", "strong-bisimulation"),
    "weak": ("weak-bisim", "weak-bisimulation", "observational"),
}
"""Every equivalence with the other names that it is known by."""


def equivalence_name(name: str) -> str:
    """Return the name of an equivalence that is given by its name or an alias.

    Raises `LtsError` for an unknown one.
    """
    names = {alias: full for full, aliases in EQUIVALENCES.items() for alias in (full, *aliases)}
    if name in names:
        return names[name]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    known = ", ".join(EQUIVALENCES)
    raise LtsError(f"there is no equivalence `{name}`{hint} (known: {known})")
