"""The bytes of a binary file as a source, with descriptions of its parts for errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from lts.errors import LtsError
from lts.text.source import Place, Source

__all__ = ["EQUATIONS", "LINEAR_PROCESS", "START", "LinearSource", "described", "is_binary"]

START = b"\x00\x8b\xaf"
"""The first bytes of every binary file of mCRL2."""

LINEAR_PROCESS = "linear_process_specification"
"""The first term of a linear process."""

E = TypeVar("E", bound=LtsError)


EQUATIONS = (
    "a Boolean equation system of mCRL2, which is not read: `ltstool check SPEC FORMULA` checks "
    "the formula on the specification itself"
)

_KINDS = {
    "labelled_transition_system": "an LTS of mCRL2, whose name should end in `.lts`",
    "probabilistic_labelled_transition_system": "a probabilistic LTS of mCRL2, which is not read",
    LINEAR_PROCESS: "a linear process of mCRL2, whose name should end in `.lps`",
    "parameterised_boolean_equation_system": EQUATIONS,
    "boolean_equation_system": EQUATIONS,
}
"""Kinds of files, by the first term."""


def described(mark: object) -> str:
    """Return what a binary file is whose first term is `mark`."""
    name = mark[0] if isinstance(mark, tuple) else None
    other = f"a binary file of mCRL2 that is not read (`{str(name)[:40]}`)"
    return _KINDS.get(name, other) if isinstance(name, str) else "another binary file of mCRL2"


def is_binary(text: str) -> bool:
    """Whether a text is a binary file, whose bytes that are not UTF-8 are lone surrogates."""
    return text[: len(START)].encode("utf-8", "surrogateescape").startswith(START)


@dataclass(frozen=True, slots=True)
class LinearSource(Source):
    """The bytes of a file as text; the line in a place is the number of a part of the file."""

    items: list[str] = field(default_factory=list, compare=False)
    """Descriptions of the parts, filled in while the file is read."""

    def error(self, kind: type[E], message: str, place: Place) -> E:
        """Return an error of class `kind` about the part at `place`."""
        items = self.items
        where = f"{items[place[0] - 1]}: " if place[0] <= len(items) else ""
        return kind(f"{where}{message}", file=self.file)
