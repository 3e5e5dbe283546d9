"""Reference languages: what is named in the header of a network, and what each of them sets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase

__all__ = ["CO_ACTION", "LANGUAGES", "NO_LANGUAGE", "Language"]

CO_ACTION = "'"
"""What a label begins with whose partner in CCS is the label without it."""


_CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)
_CLASS = re.compile(r"(\[:\w+:\])")


@dataclass(frozen=True, slots=True)
class Language:
    """What a network takes from its reference language.

    A label that is `hidden` is an internal step, of components and of what comes out. Labels whose
    gate is `termination` need all operands. With `capitals`, labels in operators of the text are
    turned to capitals. `\\` restricts or, where `backslash_hides`, hides; `||` synchronises on all
    labels or, where `bars_communicate`, on the gates that communicate.
    """

    name: str
    hidden: str
    termination: str | None
    capitals: bool = False
    backslash_hides: bool = False
    bars_communicate: bool = False

    def written(self, label: str) -> str:
        """Return a label in an operator of the text as it is meant.

        The names of hidden steps and of termination stay as they are.

        >>> LANGUAGES["ccs"].written("get"), LANGUAGES["lotos"].written("exit")
        ('GET', 'exit')
        """
        if not self.capitals or label in (self.hidden, self.termination):
            return label
        # The name of a class of characters, as in `[[:digit:]]`, is no part of a label.
        return "".join(
            part if part.startswith("[:") else part.translate(_CAPITALS)
            for part in _CLASS.split(label)
        )


LANGUAGES = {
    language.name: language
    for language in (
        Language("lotos", "i", "exit", capitals=True),
        Language("elotos", "i", "exit"),
        Language("ccs", "t", None, capitals=True),
        Language("csp", "t", "delta", capitals=True, backslash_hides=True),
        Language("mcrl", "tau", None, bars_communicate=True),
    )
}
NO_LANGUAGE = Language("", "i", "exit")
"""What holds where the text names no language."""
