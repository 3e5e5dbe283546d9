"""Directives: parametrised specifications, and inclusion of files and library units.

A directive is a comment that begins with `%@`; a text without one is left as it is:

    %@ parameter N = 2
    %@ include Queue of Nat as Buffer
    %@ for i in 1..N
    ... @{i} ... @{i % N + 1} ...
    %@ end

`@{expression}` is replaced by the value of an integer expression over parameters and loop
variables (`+ - * // % **`, parentheses); `..` includes both ends, and a loop from 1 to 0 is empty.

`include` inserts another text in place of the line: a unit of the library by its name, or a file by
its name in quotes. A text that begins with `%@ unit Queue of Element` is a template: in it,
`@{Element}` is replaced by the name given after `of`, `@{Queue}` by the one after `as`. With `..`
after the last name, as in `%@ unit Enum of Value..`, it takes any number of names: `Value` is then
their number and `Value[1]` the first. A unit that was included already with the same names is
skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lts.base.bounds import EXPANDED_LINES, LOOP_ITERATIONS
from lts.errors import ParseError, SpecificationError
from lts.mucrl.text.expressions import Value, evaluate
from lts.text.inclusion import Folders, NotIncluded, real_path
from lts.text.source import Origin, Source

__all__ = ["expand", "library_file", "library_units", "substitute_expressions"]

_NAME = r"[A-Za-z0-9^_'\\](?:[A-Za-z0-9^_'\\-]*[A-Za-z0-9^_'\\])?"
_WORD = r"[A-Za-z]\w*"
_DIRECTIVE = re.compile(r"\s*%@(.*)")
_PARAMETER = re.compile(rf"\s*parameter\s+({_WORD})\s*=\s*([0-9]{{1,18}})\s*$")
# Possessive quantifiers do not backtrack: matching takes time linear in the line.
_FOR = re.compile(rf"\s*+for\s++({_WORD})\s++in\s++(?=[^.])([^.]*+)\.\.\s*+(\S.*+)$")
_END = re.compile(r"\s*end\s*$")
_UNIT = re.compile(rf"\s*unit\s+({_WORD})(?:\s+of\s+({_WORD}(?:\s*,\s*{_WORD})*(?:\.\.)?))?\s*$")
_INCLUDE = re.compile(
    rf"""\s*+include\s++(?:"([^"]+)"|({_WORD}))(?:\s++of\s++(\S++(?:\s++(?!as\s)\S++)*))?(?:\s++as\s++({_NAME}))?\s*+$"""
)
_NAMES = re.compile(rf"({_NAME})(?:\s*\.\.\s*({_NAME}))?")
_EXPRESSION = re.compile(r"@\{([^{}\n]*)\}")

_EXPECTED = (
    "expected `%@ parameter NAME = NUMBER`, `%@ for NAME in FIRST..LAST`, `%@ end` or "
    "`%@ include UNIT of NAMES as NAME`"
)


def expand(
    text: str,
    *,
    file: str | None = None,
    parameters: Mapping[str, int] | None = None,
    include_path: Iterable[str | os.PathLike[str]] = (),
) -> tuple[Source, dict[str, int]]:
    """Expand the directives of a text; return it with the values of all its parameters.

    `parameters` override the defaults in the text. The name of an included file is relative to the
    folder of the text that it is in; the file must be below the folder of `file`, or below one of
    `include_path`. Raises `ParseError` for a malformed directive or a file that cannot be included,
    `SpecificationError` for a parameter that the text does not declare.
    """
    folders = Folders.of(os.path.dirname(file or ""), include_path)
    expansion = _Expansion(parameters or {}, folders)
    if file is not None:
        expansion.opened.append(real_path(file))
    expansion.expand(_Text(text, file))
    return expansion.result(Source(text, file))


def substitute_expressions(text: str, parameters: Mapping[str, int]) -> str:
    """Return the text with every `@{expression}` replaced by its value.

    Raises `ValueError` for an expression that cannot be evaluated.
    """
    return _EXPRESSION.sub(lambda match: str(evaluate(match[1], parameters)), text)


def library_units() -> dict[str, str]:
    """Return the texts of the library's units by name."""
    from importlib import resources

    folder = resources.files("lts.mucrl").joinpath("library")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".mcrl"))
    return {name[:-5]: folder.joinpath(name).read_text(encoding="utf-8") for name in names}


def library_file(unit: str) -> str:
    """Return the name of a library unit's file, as shown in errors."""
    return f"library/{unit}.mcrl"


class _Text:
    """A text that is being expanded: its lines, and the values of its own names."""

    def __init__(
        self,
        text: str,
        file: str | None,
        included: str | None = None,
        of_library: bool = False,
    ) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.file = file
        self.included = included
        self.of_library = of_library
        self.names: dict[str, Value] = {}
        self.plain = not any(map(_DIRECTIVE.match, self.lines))
        """Whether the text has no directives; then `@{..}` is not expanded either."""

    def origin(self, at: int, replaced: tuple[tuple[int, int, int], ...] = ()) -> Origin:
        return Origin(self.file, at + 1, self.included, self.of_library, replaced)

    def error(self, at: int, message: str) -> ParseError:
        origins = tuple(map(self.origin, range(len(self.lines))))
        source = Source(self.text, self.file, origins)
        return source.error(ParseError, message, (at + 1, 1))


@dataclass(frozen=True, slots=True)
class _Include:
    """The operands of an `include` directive, with expressions evaluated."""

    file: str | None
    unit: str | None
    arguments: tuple[str, ...] | None
    name: str | None

    def __str__(self) -> str:
        return f'"{self.file}"' if self.file is not None else f"`{self.unit}`"


class _Expansion:
    """The lines of the expansion, each with the line of a file that it comes from."""

    def __init__(self, given: Mapping[str, int], folders: Folders) -> None:
        self.given = given
        self.folders = folders
        self.parameters: dict[str, int] = {}
        self.out: list[str] = []
        self.origins: list[Origin] = []
        self.iterations = 0
        self.opened: list[str] = []
        """The files that are being expanded, outermost first, to detect cyclic inclusion."""
        self.included: set[tuple[str, tuple[str, ...] | None, str | None]] = set()

    def result(self, raw: Source) -> tuple[Source, dict[str, int]]:
        for name in self.given:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise SpecificationError(
                    f"there is no parameter `{name}` (parameters: {known})", file=raw.file
                )
        text = "\n".join(self.out)
        if text == raw.text:
            return raw, self.parameters
        return Source(text, raw.file, tuple(self.origins)), self.parameters

    def expand(self, text: _Text, include: _Include | None = None) -> None:
        """Expand a whole text, as a unit if it is included as one."""
        start = 0
        for at, line in enumerate(text.lines):
            directive = _DIRECTIVE.match(line)
            unit = directive and _UNIT.match(directive[1])
            if unit:
                if include is None:
                    message = "a unit is not a specification: include it with `%@ include`"
                    raise text.error(at, message)
                self.bind(text, at, unit, include)
                start = at + 1
            if directive:
                break
        if start == 0 and include is not None and (include.arguments or include.name):
            raise text.error(0, f"{include} is included with names, but has no `%@ unit` line")
        self.block(text, start, len(text.lines), {})

    def bind(self, text: _Text, at: int, unit: re.Match[str], include: _Include) -> None:
        """Bind the names of a unit to those of the include directive."""
        formals = [name.strip() for name in (unit[2] or "").split(",") if name.strip()]
        arguments: list[Value] = list(include.arguments or ())
        expected = str(len(formals))
        if formals and formals[-1].endswith(".."):
            formals[-1] = formals[-1][:-2]
            last = len(formals) - 1
            expected = f"at least {last}"
            if len(arguments) >= last:
                arguments[last:] = [(include.arguments or ())[last:]]
        if len(arguments) != len(formals):
            shown = f"of {', '.join(formals)} " if formals else ""
            raise text.error(
                at,
                f"`include {unit[1]} {shown}as {unit[1]}` takes {expected} names after `of`, not "
                f"{len(include.arguments or ())}",
            )
        text.names = {
            unit[1]: include.name or unit[1],
            **dict(zip(formals, arguments, strict=True)),
        }

    def block(self, text: _Text, start: int, stop: int, variables: Mapping[str, int]) -> None:
        """Expand the lines from `start` up to, but not including, `stop`."""
        at = start
        while at < stop:
            directive = _DIRECTIVE.match(text.lines[at])
            if directive is None:
                self.emit(text, at, variables)
                at += 1
            elif parameter := _PARAMETER.match(directive[1]):
                if variables or parameter[1] in self.parameters:
                    raise text.error(at, "a parameter must be declared once, outside loops")
                self.parameters[parameter[1]] = self.given.get(parameter[1], int(parameter[2]))
                at += 1
            elif loop := _FOR.match(directive[1]):
                end = _matching_end(text, at, stop)
                first, last = (self.number(text, at, loop[i].strip(), variables) for i in (2, 3))
                for value in range(first, last + 1):
                    self.iterations += 1
                    if self.iterations > LOOP_ITERATIONS.default:
                        raise text.error(at, f"loops have {LOOP_ITERATIONS.exceeded()}")
                    self.block(text, at + 1, end, {**variables, loop[1]: value})
                at = end + 1
            elif include := _INCLUDE.match(self.filled(text, at, directive[1], variables)):
                self.include(text, at, include)
                at += 1
            elif _END.match(directive[1]):
                raise text.error(at, "`%@ end` without `%@ for`")
            elif _UNIT.match(directive[1]):
                raise text.error(at, "`%@ unit` must be the first directive of a file")
            else:
                raise text.error(at, _EXPECTED)

    def include(self, text: _Text, at: int, match: re.Match[str]) -> None:
        """Expand an included text here, unless it was included before."""
        arguments = None if match[3] is None else _listed(match[3])
        if match[3] is not None and arguments is None:
            raise text.error(at, f"expected names after `of`, with commas, not `{match[3]}`")
        include = _Include(match[1], match[2], arguments, match[4])
        if include.file is None:
            file = key = library_file(include.unit or "")
        elif "\0" in include.file:
            raise text.error(at, f"{include} is not a valid file name")
        else:
            file = os.path.join(os.path.dirname(text.file or ""), include.file)
            key = real_path(file)
        if key in self.opened:
            raise text.error(at, f"{include} includes itself")
        if (key, include.arguments, include.name) in self.included:
            return
        self.included.add((key, include.arguments, include.name))
        place = text.included if text.of_library else f"{text.file or 'text'}:{at + 1}"
        content = self.content(text, at, include, file)
        self.opened.append(key)
        self.expand(_Text(content, file, place, include.file is None), include)
        self.opened.pop()

    def content(self, text: _Text, at: int, include: _Include, file: str) -> str:
        if include.file is not None:
            try:
                return self.folders.read(file)
            except NotIncluded as why:
                raise text.error(at, f"cannot include {include}: {why}") from None
        units = library_units()
        if include.unit not in units:
            known = ", ".join(units)
            raise text.error(at, f"the library has no unit {include} (units: {known})")
        return units[include.unit]

    def emit(self, text: _Text, at: int, variables: Mapping[str, int]) -> None:
        if len(self.out) >= EXPANDED_LINES.default:
            raise text.error(at, f"the expansion has {EXPANDED_LINES.exceeded()}")
        line = text.lines[at]
        replaced: list[tuple[int, int, int]] = []
        self.out.append(self.filled(text, at, line, variables, replaced))
        self.origins.append(text.origin(at, tuple(replaced)))

    def filled(
        self,
        text: _Text,
        at: int,
        line: str,
        variables: Mapping[str, int],
        replaced: list[tuple[int, int, int]] | None = None,
    ) -> str:
        """Return a line with every `@{expression}` replaced by its value; say what was replaced."""
        if text.plain or "@{" not in line:
            return line

        def value(match: re.Match[str]) -> str:
            found = str(self.value(text, at, match[1], variables))
            if replaced is not None:
                replaced.append((match.start(), match.end(), len(found)))
            return found

        return _EXPRESSION.sub(value, line)

    def number(self, text: _Text, at: int, expression: str, variables: Mapping[str, int]) -> int:
        value = self.value(text, at, expression, variables)
        if isinstance(value, str):
            raise text.error(at, f"`{expression}` is a name, not a number")
        return value

    def value(
        self, text: _Text, at: int, expression: str, variables: Mapping[str, int]
    ) -> int | str:
        try:
            return evaluate(expression, {**self.parameters, **text.names, **variables})
        except ValueError as error:
            raise text.error(at, str(error)) from None


def _matching_end(text: _Text, at: int, stop: int) -> int:
    depth = 0
    for line in range(at, stop):
        directive = _DIRECTIVE.match(text.lines[line])
        if directive and _FOR.match(directive[1]):
            depth += 1
        elif directive and _END.match(directive[1]):
            depth -= 1
            if depth == 0:
                return line
    raise text.error(at, "`%@ for` without `%@ end`")


def _listed(names: str) -> tuple[str, ...] | None:
    """Return the names in a list separated by commas, with `p1..p3` expanded; None if malformed."""
    found: list[str] = []
    for part in names.split(","):
        match = _NAMES.fullmatch(part.strip())
        if match is None:
            return None
        if match[2] is None:
            found.append(match[1])
            continue
        first, last = (re.fullmatch(r"(.*?)([0-9]{1,18})", name) for name in match.groups())
        if first is None or last is None or first[1] != last[1]:
            return None
        if not int(first[2]) - 1 <= int(last[2]) < int(first[2]) + LOOP_ITERATIONS.default:
            return None
        found += (f"{first[1]}{number}" for number in range(int(first[2]), int(last[2]) + 1))
    return tuple(found)
