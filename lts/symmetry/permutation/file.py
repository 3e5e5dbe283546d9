"""Symmetry files in TOML: the group under which a system was reduced."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lts.base.spelling import near
from lts.errors import FormatError
from lts.mucrl.text.directives import substitute_expressions
from lts.symmetry.permutation.notation import Origin, Permutation, parse_permutation

__all__ = ["VERSION", "Symmetry", "parse_symmetry_file"]

VERSION = 1

_KEYS = (
    *("version", "kind", "generators", "equivalence", "order", "states", "transitions"),
    *("rho", "encoding", "cycles", "points", "actions", "elements"),
)


@dataclass(frozen=True, slots=True)
class Symmetry:
    """The generators of a group, and the data of a reduction that its expansion needs.

    `kind` says what the generators permute: `labels` of an LTS, or data of `sorts` in a
    specification. With an `equivalence` they are symmetries of labels up to that equivalence, which
    need not be symmetries of states. `order` is the order of the group on states and labels, `rho`
    the prefix of rho-labels. `actions` has for each generator the permutation of whole labels
    (quoted elements) and of `points` (unquoted ones). The points distinguish the elements of the
    group. There are none if the rho-steps are powers of the only generator; the file then has its
    `cycles`. With `elements`, rho-steps name elements of the group; these are the names with their
    permutations of the points. `states` and `transitions` are the exact size of the original,
    `encoding` identifies the encoding that the file belongs to. All of these are None or empty in a
    file that is only input.
    """

    kind: str
    generators: tuple[Permutation, ...]
    order: int | None = None
    rho: str | None = None
    states: int | None = None
    transitions: int | None = None
    points: tuple[str, ...] = ()
    actions: tuple[Permutation, ...] | None = None
    encoding: str | None = None
    equivalence: str | None = None
    elements: tuple[tuple[str, Permutation], ...] = ()

    def __repr__(self) -> str:
        order = "" if self.order is None else f", order {self.order}"
        return f"<Symmetry: {len(self.generators)} generators of {self.kind}{order}>"

    def __str__(self) -> str:
        made = "# The symmetry that a reduction was made with; `ltstool expand` needs it."
        lines = [
            *([made] if self.rho is not None else ()),
            f"version = {VERSION}",
            f"kind = {_quoted(self.kind)}",
            f"generators = [{', '.join(_quoted(str(g)) for g in self.generators)}]",
        ]
        if self.equivalence is not None:
            lines.append(f"equivalence = {_quoted(self.equivalence)}")
        for key in ("order", "states", "transitions"):
            value = getattr(self, key)
            if value is not None:
                lines.append(f"{key} = {value}")
        if self.rho is not None:
            lines.append(f"rho = {_quoted(self.rho)}")
        if self.encoding is not None:
            lines.append(f"encoding = {_quoted(self.encoding)}")
        if self.points:
            lines.append(f"points = [{', '.join(map(_quoted, self.points))}]")
        if self.actions is not None and len(self.actions) == 1 and not self.points:
            lines.append("cycles = [")
            for cycle in self.actions[0].cycles:
                lines.append(f"    {_quoted(str(Permutation((cycle,))))},")
            lines.append("]")
        elif self.actions is not None:
            lines.append("actions = [")
            for action in self.actions:
                lines.append("    [")
                for cycle in action.cycles:
                    lines.append(f"        {_quoted(str(Permutation((cycle,))))},")
                lines.append("    ],")
            lines.append("]")
        if self.elements:
            lines.append("elements = [")
            for name, element in self.elements:
                lines.append(f"    [{_quoted(name)}, {_quoted(str(element))}],")
            lines.append("]")
        return "\n".join(lines) + "\n"


def parse_symmetry_file(
    text: str, *, name: str | None = None, parameters: Mapping[str, int] | None = None
) -> Symmetry:
    """Parse a symmetry file; `@{expression}` is replaced by the value of the expression, in which
    the specification's parameters may occur.

    Raises `FormatError` if it is not a symmetry file, `ParseError` for an ill-formed permutation.
    """
    try:
        content = substitute_expressions(text, parameters or {})
        table = tomllib.loads(content)
    except (ValueError, RecursionError) as error:  # tomllib raises both
        bytes_left = any("\udc80" <= c <= "\udcff" for c in text)
        why = f"it is not valid UTF-8: {error}" if bytes_left else str(error)
        raise FormatError(f"not a symmetry file: {why}", file=name) from None

    def field(key: str, kind: type, default: Any = None) -> Any:
        value = table.get(key, default)
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise FormatError(f"`{key}` must be of type {kind.__name__}", file=name)
        return value

    def texts(key: str, value: Any) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise FormatError(f"`{key}` must be a list of strings", file=name)
        return value

    if unknown := [key for key in table if key not in _KEYS]:
        hint = near(unknown[0], _KEYS)
        raise FormatError(f"unknown key `{unknown[0]}` in a symmetry file{hint}", file=name)
    if field("version", int) != VERSION:
        found = "is missing: it" if "version" not in table else ""
        raise FormatError(" ".join(f"`version` {found} must be {VERSION}".split()), file=name)
    kind = field("kind", str)
    if kind not in ("labels", "sorts"):
        found = "is missing: it" if "kind" not in table else ""
        text = f'`kind` {found} must be "labels" or "sorts"'
        raise FormatError(" ".join(text.split()), file=name)
    generators = texts("generators", field("generators", list, []))
    if not generators:
        raise FormatError("`generators` must contain at least one permutation", file=name)
    cycles = field("cycles", list)  # one action
    actions = field("actions", list, None if cycles is None else [cycles])
    if actions is not None:
        if len(actions) != len(generators):
            raise FormatError("`actions` must have as many entries as `generators`", file=name)
        joined = [" ".join(texts("actions", cycles)) for cycles in actions]
        actions = tuple(
            parse_permutation(cycles, name=name) if cycles else Permutation(()) for cycles in joined
        )
    elements = [texts("elements", pair) for pair in field("elements", list, [])]
    if any(len(pair) != 2 for pair in elements):
        raise FormatError("`elements` must be pairs of a name and a permutation", file=name)
    if len({pair[0] for pair in elements}) < len(elements):
        raise FormatError("`elements` must have different names", file=name)
    return Symmetry(
        kind=kind,
        generators=tuple(
            parse_permutation(generator, name=name, origin=origin)
            for generator, origin in zip(
                generators, _origins(content, generators, name), strict=True
            )
        ),
        order=field("order", int),
        rho=field("rho", str),
        states=field("states", int),
        transitions=field("transitions", int),
        points=tuple(texts("points", field("points", list, []))),
        actions=actions,
        encoding=field("encoding", str),
        equivalence=field("equivalence", str),
        elements=tuple((key, parse_permutation(text, name=name)) for key, text in elements),
    )


def _origins(content: str, generators: list[str], name: str | None) -> Iterator[Origin | None]:
    """Yield the places of generators in a file; None for one written with escapes."""
    at = max(0, content.find("generators"))
    for generator in generators:
        found = content.find(generator, at)
        if found < 0:
            yield None
            continue
        at = found + len(generator)
        start = content.rfind("\n", 0, found) + 1
        end = content.find("\n", at)
        yield Origin(
            name or "symmetry file",
            generator,
            line=content.count("\n", 0, found) + 1,
            before=content[start:found],
            after=content[at : end if end >= 0 else len(content)],
        )


def _quoted(text: str) -> str:
    """Return a TOML string, a literal one where that is easier to read.

    `@{` is escaped, because `parse_symmetry_file` would replace it by a value.
    """
    if '"' in text and "'" not in text and "@{" not in text and _is_plain(text):
        return f"'{text}'"
    # TOML has JSON's escapes except for pairs of surrogates. A lone surrogate stands for an
    # undecodable byte, for which TOML has no escape: the file contains the byte itself, as the
    # system's file does.
    shown = json.dumps(text, ensure_ascii=False).replace("@{", "\\u0040{")
    return "".join(c if _is_plain(c) else f"\\U{ord(c):08x}" for c in shown)


def _is_plain(text: str) -> bool:
    return all(c.isprintable() or "\udc80" <= c <= "\udcff" for c in text)
