"""Reference languages, which the header of a network names, and the conventions that they set."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase

__all__ = ["CO_ACTION", "LANGUAGES", "NO_LANGUAGE", "Language"]

CO_ACTION = "'"
"""The prefix of a co-action in CCS; its partner is the label without it."""


_CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)
_CLASS = re.compile(r"(\[:\w+:\])")


@dataclass(frozen=True, slots=True)
class Language:
    """The conventions that a network takes from its reference language.

    A label that is `hidden` is an internal step, in components and as a result. Labels whose gate
    is `termination` synchronise all operands. With `capitals`, labels in operators are converted to
    upper case. `\\` restricts or, with `backslash_hides`, hides; `||` synchronises on all labels
    or, with `bars_communicate`, on the gates that communicate.
    """

    name: str
    hidden: str
    termination: str | None
    capitals: bool = False
    backslash_hides: bool = False
    bars_communicate: bool = False

    def written(self, label: str) -> str:
        """Return a label written in an operator, in upper case if the language says so.

        The names of hidden steps and of termination are not converted.

        >>> LANGUAGES["ccs"].written("get"), LANGUAGES["lotos"].written("exit")
        ('GET', 'exit')
        """
        if not self.capitals or label in (self.hidden, self.termination):
            return label
        # Do not convert the name of a character class, as in `[[:digit:]]`: it is not part of a
        # label.
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
"""The conventions where the text names no language."""
