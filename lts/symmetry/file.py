"""Symmetry files: what a reduction is a reduction of, in TOML."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lts.errors import FormatError
from lts.mucrl.template import substitute_expressions
from lts.symmetry.notation import Permutation, parse_permutation

__all__ = ["VERSION", "Symmetry", "parse_symmetry_file"]

VERSION = 1


@dataclass(frozen=True, slots=True)
class Symmetry:
    """The generator of a cyclic group, and what expansion needs to know of a reduction.

    `kind` says what the generator permutes: `labels` of an LTS, or data of `sorts` in a
    specification. `order` is the order of the group on states and labels, `rho` the prefix of
    rho-labels, `cycles` the permutation of whole labels; they are None or empty in a file that is
    input only. `states` and `transitions` are the exact size of the original.
    """

    kind: str
    generator: Permutation
    order: int | None = None
    rho: str | None = None
    states: int | None = None
    transitions: int | None = None
    cycles: Permutation | None = None

    def __str__(self) -> str:
        lines = [
            "# The symmetry that a reduction was made with; `ltstool expand` needs it.",
            f"version = {VERSION}",
            f"kind = {_quoted(self.kind)}",
            f"generators = [{_quoted(str(self.generator))}]",
        ]
        for key in ("order", "states", "transitions"):
            value = getattr(self, key)
            if value is not None:
                lines.append(f"{key} = {value}")
        if self.rho is not None:
            lines.append(f"rho = {_quoted(self.rho)}")
        if self.cycles is not None:
            lines.append("cycles = [")
            for cycle in self.cycles.cycles:
                lines.append(f"    {_quoted(str(Permutation((cycle,))))},")
            lines.append("]")
        return "\n".join(lines) + "\n"


def parse_symmetry_file(
    text: str, *, name: str | None = None, parameters: Mapping[str, int] | None = None
) -> Symmetry:
    """Parse a symmetry file; `@{expression}` stands for a value of the specification's parameters.

    Raises `FormatError` for a file that is none, `ParseError` for a permutation that is none.
    """
    try:
        table = tomllib.loads(substitute_expressions(text, parameters or {}))
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise FormatError(f"not a symmetry file: {error}", file=name) from None

    def field(key: str, kind: type, default: Any = None) -> Any:
        value = table.get(key, default)
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise FormatError(f"`{key}` must be of type {kind.__name__}", file=name)
        return value

    if field("version", int) != VERSION:
        raise FormatError(f"`version` must be {VERSION}", file=name)
    kind = field("kind", str)
    if kind not in ("labels", "sorts"):
        raise FormatError('`kind` must be "labels" or "sorts"', file=name)
    generators = field("generators", list, [])
    if len(generators) != 1 or not isinstance(generators[0], str):
        raise FormatError("`generators` must hold one permutation", file=name)
    cycles = field("cycles", list)
    if cycles is not None and not all(isinstance(cycle, str) for cycle in cycles):
        raise FormatError("`cycles` must hold permutations", file=name)
    joined = None
    if cycles is not None:
        joined = parse_permutation(" ".join(cycles), name=name) if cycles else Permutation(())
    return Symmetry(
        kind=kind,
        generator=parse_permutation(generators[0], name=name),
        order=field("order", int),
        rho=field("rho", str),
        states=field("states", int),
        transitions=field("transitions", int),
        cycles=joined,
    )


def _quoted(text: str) -> str:
    """Return a TOML string, a literal one where that is easier to read."""
    if '"' in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=True)  # JSON's escapes are among TOML's
