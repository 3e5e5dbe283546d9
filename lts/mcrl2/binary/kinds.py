"""The kinds of binary files of mCRL2, by their first bytes and terms."""

from __future__ import annotations

__all__ = ["EQUATIONS", "LINEAR_PROCESS", "START", "described", "is_binary"]

START = b"\x00\x8b\xaf"
"""The first bytes of every binary file of mCRL2."""

LINEAR_PROCESS = "linear_process_specification"
"""The first term of a linear process."""

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
