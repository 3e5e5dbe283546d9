"""Options that would do nothing are refused: what each is for, by what a command reads."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping

from lts.errors import LtsError
from ltstool.shared.files import is_network, is_specification, is_standard

SPECIFICATION, NETWORK, LTS_FILE = "a specification", "a network", "an LTS"
EXPLORED = (SPECIFICATION, NETWORK)
"""What is not there before it is explored."""
ALL = (*EXPLORED, LTS_FILE)

OF_TEXT = ("parameters", "language", "strict", "no_simplify", "max_values")
"""Options that say how the text of a specification is read, which a component may be."""

MEANT: Mapping[str, Collection[str]] = {
    **dict.fromkeys((*OF_TEXT, "max_states"), EXPLORED),
    **dict.fromkeys(("strategy", "symmetry_proof", "proof_sample"), EXPLORED),
    "identities": (SPECIFICATION,),
    **dict.fromkeys(("salvage", "from"), (LTS_FILE,)),
    "as_such": (LTS_FILE, NETWORK),
}
"""What options are for. All others are for whatever is read."""

UNDER_SYMMETRY = ("strategy", "symmetry_proof", "proof_sample", "node_limit", "write_symmetry")
"""Options that say how a symmetry is used."""


def reads_specification(arguments: argparse.Namespace, file: str | None) -> bool:
    """Whether a file is a specification: by its name, or for standard input by `--language`."""
    language = getattr(arguments, "language", None)
    return is_specification(file) or (is_standard(file) and language is not None)


def is_explored(arguments: argparse.Namespace, file: str | None) -> bool:
    """Whether a file is a specification or a network, of which nothing is there before."""
    return kind_of(arguments, file) in EXPLORED


def kind_of(arguments: argparse.Namespace, file: str | None) -> str:
    """Return what a file is, by its name and the options."""
    if reads_specification(arguments, file):
        return SPECIFICATION
    return NETWORK if is_network(file) else LTS_FILE


def given(arguments: argparse.Namespace) -> Mapping[str, str]:
    """Return the options that the command line has, how they are written by what they set."""
    found: Mapping[str, str] = getattr(arguments, "given", {})
    return found


def refuse_idle(
    arguments: argparse.Namespace,
    *files: str | None,
    meant: Mapping[str, Collection[str]] | None = None,
) -> None:
    """Refuse options that are for none of the files that are read.

    `meant` says what options of this command are for, where that is something of its own.
    """
    kinds = {kind_of(arguments, file) for file in files}
    for option, shown in given(arguments).items():
        wanted = {**MEANT, **(meant or {})}.get(option, ALL)
        if kinds.isdisjoint(wanted):
            found = " and ".join(sorted(kinds))
            message = f"{shown} is for {' or '.join(wanted)}, and what is read is {found}"
            made = {SPECIFICATION: "generate", NETWORK: "compose"}.get(found)
            hint = "" if made is None or [*wanted] != [LTS_FILE] else f": {made} it first"
            raise LtsError(message + hint)


def refuse_given(arguments: argparse.Namespace, reasons: Mapping[str, str]) -> None:
    """Refuse options that mean nothing beside what else is said; reasons go on after names."""
    for option, shown in given(arguments).items():
        if option in reasons:
            raise LtsError(f"{shown} {reasons[option]}")


def refuse_alone(arguments: argparse.Namespace, options: Collection[str] = UNDER_SYMMETRY) -> None:
    """Refuse options that need a symmetry, which is not given."""
    refuse_given(arguments, dict.fromkeys(options, "needs --symmetry"))
