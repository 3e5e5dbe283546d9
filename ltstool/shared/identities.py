"""Which numbers of a specification are identities, by the command line and the text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from lts.base.bounds import IDENTITY_CLASSES
from ltstool.shared.files import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lts.mcrl2.identities.naming import Identities
    from lts.specification.specification import Specification
    from ltstool.options.table import Group

_SORT = re.compile(r"[\w']+(?:\.[\w']+)+")


def identities_of(group: Group, text: str, file: str) -> Sequence[str] | None:
    """Return the names of the classes of numbers that get sorts of their own; empty for all, None
    for none.

    Without a symmetry there are none, nor if it permutes other data.
    """
    symmetry = group.symmetry
    if symmetry is None:
        return None
    if group.identities is not None:
        return group.identities
    if symmetry == "auto":
        return ()
    is_path = not symmetry.lstrip().startswith("(") and Path(symmetry).is_file()
    said = _content(symmetry) if is_path else symmetry
    found = set(_SORT.findall(said))
    if not found:
        return None
    from lts import mcrl2

    known = mcrl2.numbers(text, file=file)
    named = [number for number in known if number.name in found]
    if not named:
        return None
    # Classes that turn out to be counts are named explicitly, so that the error says what makes
    # them counts.
    return [number.name for number in named if number.count is not None] or ()


def _content(file: str) -> str:
    """Return the contents of a symmetry file without comments."""
    lines = text_of(file).splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def numbers_of(specification: Specification) -> tuple[Identities, ...]:
    """Return the classes of numbers of an mCRL2 specification; none for other languages.

    Identities are listed if they have at least two literals, counts if they have one.
    """
    # Only muCRL specifications have these.
    if specification.communications is not None:
        return ()
    from lts import mcrl2

    found = mcrl2.numbers(specification.source.text, file=specification.source.file)
    return tuple(
        identities for identities in found if len(identities.literals) > (identities.count is None)
    )


def in_words(found: Sequence[Identities], *, are_chosen: bool = False) -> list[str]:
    """Describe classes of numbers in lines: identities, then counts with the reason.

    Unless the classes are chosen by name, identities beyond the limit are marked as left out.
    """
    lines = []
    for number, one in enumerate(identities for identities in found if identities.count is None):
        numbers = " ".join(map(str, one.literals))
        lines.append(f"identities `{one.name}`: {numbers}; {_uses(one)}")
        if number >= IDENTITY_CLASSES.default and not are_chosen:
            lines[-1] += (
                f" (left out: at most {IDENTITY_CLASSES.amount()} become sorts, see --identities)"
            )
    for identities in found:
        if identities.count is not None:
            where = f" in line {identities.place[0]}" if identities.place is not None else ""
            lines.append(
                f"counts `{identities.name}`: {identities.count}{where}; {_uses(identities)}"
            )
    return lines


_MOST = 6
"""Most uses that are listed."""


def _uses(one: Identities) -> str:
    shown = ", ".join(one.uses[:_MOST])
    more = len(one.uses) - _MOST
    return f"{shown}, {more} more" if more > 0 else shown
