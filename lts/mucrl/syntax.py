"""The syntax of muCRL: the tree of a specification, and the parser that builds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from lts.errors import ParseError
from lts.mucrl.source import Place, Source

if TYPE_CHECKING:
    import lark

__all__ = [
    "ActionDeclaration",
    "AtTime",
    "Before",
    "Call",
    "Choice",
    "Communication",
    "Condition",
    "Definition",
    "Delta",
    "Encap",
    "Equation",
    "FunctionDeclaration",
    "Hide",
    "LeftMerge",
    "Name",
    "Parallel",
    "Process",
    "Rename",
    "Sequence",
    "Specification",
    "Sum",
    "Synchronous",
    "Tau",
    "Term",
    "VariableDeclaration",
    "parse",
]


class Name(str):
    """A name as it stands in the text, and where."""

    __slots__ = ("place",)
    place: Place

    @classmethod
    def at(cls, text: str, place: Place) -> Name:
        """Return `text` as a name that stands at `place`."""
        name = cls(text)
        name.place = place
        return name


@dataclass(frozen=True, slots=True)
class Term:
    """`name` or `name(term, ..)`: a variable or the application of a function."""

    name: Name
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """`delta`, the process that does nothing."""

    place: Place


@dataclass(frozen=True, slots=True)
class Tau:
    """`tau`, the internal step."""

    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """`name` or `name(term, ..)`: an action or a process."""

    name: Name
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """`first . second`."""

    first: Process
    second: Process


@dataclass(frozen=True, slots=True)
class Choice:
    """`p + q + ..`."""

    alternatives: tuple[Process, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """`then <| condition |> otherwise`."""

    then: Process
    condition: Term
    otherwise: Process


@dataclass(frozen=True, slots=True)
class Sum:
    """`sum(variable:sort, body)`, the choice over all values of a sort."""

    variable: Name
    sort: Name
    body: Process


@dataclass(frozen=True, slots=True)
class Parallel:
    """`p || q || ..`."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Synchronous:
    """`p | q | ..`, whose first steps communicate."""

    processes: tuple[Process, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class LeftMerge:
    """`first ||_ second`, where the first step is one of `first`."""

    first: Process
    second: Process
    place: Place


@dataclass(frozen=True, slots=True)
class Encap:
    """`encap({action, ..}, body)`, which forbids actions."""

    actions: tuple[Name, ...]
    body: Process
    place: Place


@dataclass(frozen=True, slots=True)
class Hide:
    """`hide({action, ..}, body)`, which makes actions internal."""

    actions: tuple[Name, ...]
    body: Process
    place: Place


@dataclass(frozen=True, slots=True)
class Rename:
    """`rename({old -> new, ..}, body)`."""

    pairs: tuple[tuple[Name, Name], ...]
    body: Process
    place: Place


@dataclass(frozen=True, slots=True)
class AtTime:
    """`process @ time`: parsed, so that it can be refused by name."""

    process: Process
    time: Term
    place: Place


@dataclass(frozen=True, slots=True)
class Before:
    """`first << second`: parsed, so that it can be refused by name."""

    first: Process
    second: Process
    place: Place


Process = (
    Delta
    | Tau
    | Call
    | Sequence
    | Choice
    | Condition
    | Sum
    | Parallel
    | Synchronous
    | LeftMerge
    | Encap
    | Hide
    | Rename
    | AtTime
    | Before
)


@dataclass(frozen=True, slots=True)
class FunctionDeclaration:
    """`name : arguments -> sort` under `func` (a constructor) or `map`."""

    name: Name
    arguments: tuple[Name, ...]
    sort: Name
    constructor: bool


@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """`name : sort`."""

    name: Name
    sort: Name


@dataclass(frozen=True, slots=True)
class Equation:
    """`left = right`, under the variables of its section."""

    variables: tuple[VariableDeclaration, ...]
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class ActionDeclaration:
    """`name : arguments`."""

    name: Name
    arguments: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Communication:
    """`first | second = result`."""

    first: Name
    second: Name
    result: Name


@dataclass(frozen=True, slots=True)
class Definition:
    """`name(parameters) = body`."""

    name: Name
    parameters: tuple[VariableDeclaration, ...]
    body: Process


@dataclass(slots=True)
class Specification:
    """Everything a text declares, in its order; nothing is checked yet."""

    source: Source
    sorts: list[Name] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    actions: list[ActionDeclaration] = field(default_factory=list)
    communications: list[Communication] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    initial: list[tuple[Process, Place]] = field(default_factory=list)


def parse(source: Source) -> Specification:
    """Parse the text of a specification.

    Raises `ParseError` with the place and what was expected there.
    """
    import lark

    try:
        tree = _parser().parse(source.text)
    except lark.UnexpectedToken as error:
        raise _unexpected(source, error) from None
    except lark.UnexpectedCharacters as error:
        char = source.text[error.pos_in_stream or 0]
        shown = repr(char) if char.isprintable() else f"byte {ord(char) & 0xFF:#04x}"
        place = (error.line, error.column)
        raise source.error(ParseError, f"{shown} is no part of muCRL", place) from None
    return _build(source, tree)


@cache
def _parser() -> lark.Lark:
    import lark

    grammar = resources.files("lts.mucrl").joinpath("grammar.lark").read_text(encoding="utf-8")
    return lark.Lark(
        grammar, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=True
    )


_SHOWN = {"NAME": "a name", "$END": "the end of the text"}


def _unexpected(source: Source, error: lark.UnexpectedToken) -> ParseError:
    parser = _parser()
    patterns = {terminal.name: terminal.pattern.value for terminal in parser.terminals}

    def shown(terminal: str) -> str:
        return _SHOWN.get(terminal) or f"`{patterns[terminal]}`"

    expected = [shown(name) for name in sorted(error.accepts or error.expected)]
    listed = ", ".join(expected[:-1]) + " or " + expected[-1] if expected[1:] else expected[0]
    if error.token.type == "$END":
        lines = source.text.split("\n")
        while len(lines) > 1 and not lines[-1].strip():
            lines.pop()
        place = (len(lines), len(lines[-1].rstrip()) + 1)
        return source.error(ParseError, f"the text ends where {listed} is expected", place)
    place = (error.token.line or 1, error.token.column or 1)
    message = f"`{error.token}` stands where {listed} is expected"
    return source.error(ParseError, message, place)


def _build(source: Source, tree: Any) -> Specification:
    """Turn the parse tree into a specification, section by section."""
    specification = Specification(source)
    for section in tree.children:
        kind, parts = section.data, section.children
        if kind == "sorts":
            specification.sorts += map(_name, parts)
        elif kind in ("constructors", "maps"):
            for part in parts:
                specification.functions += _functions(part, kind == "constructors")
        elif kind == "equations":
            variables: list[VariableDeclaration] = []
            for part in parts:
                if part is None:
                    continue
                if part.data == "variables":
                    names, sort = part.children
                    variables += (
                        VariableDeclaration(_name(n), _name(sort)) for n in names.children
                    )
                else:
                    left, right = map(_term, part.children)
                    specification.equations.append(Equation(tuple(variables), left, right))
        elif kind == "actions":
            for part in parts:
                names, *sorts = part.children
                arguments = tuple(_name(sort) for sort in sorts if sort is not None)
                specification.actions += (
                    ActionDeclaration(_name(n), arguments) for n in names.children
                )
        elif kind == "communications":
            specification.communications += (
                Communication(*map(_name, part.children)) for part in parts
            )
        elif kind == "definitions":
            for part in parts:
                name, *parameters, body = part.children
                declared = tuple(
                    VariableDeclaration(*map(_name, p.children)) for p in parameters if p
                )
                specification.definitions.append(Definition(_name(name), declared, _process(body)))
        else:
            place = (section.meta.line, section.meta.column)
            specification.initial.append((_process(parts[0]), place))
    return specification


def _name(token: Any) -> Name:
    return Name.at(str(token), (token.line, token.column))


def _functions(part: Any, constructor: bool) -> list[FunctionDeclaration]:
    names, *arguments, sort = part.children
    sorts = tuple(_name(argument) for argument in arguments if argument is not None)
    return [
        FunctionDeclaration(_name(name), sorts, _name(sort), constructor) for name in names.children
    ]


def _term(tree: Any) -> Term:
    name, *arguments = tree.children
    return Term(_name(name), tuple(_term(a) for a in arguments if a is not None))


def _names(tree: Any) -> tuple[Name, ...]:
    return tuple(_name(token) for token in tree.children)


def _process(tree: Any) -> Process:
    parts = tree.children
    place = (tree.meta.line, tree.meta.column) if not tree.meta.empty else (1, 1)
    match tree.data:
        case "delta":
            return Delta(place)
        case "tau":
            return Tau(place)
        case "call":
            name, *arguments = parts
            return Call(_name(name), tuple(_term(a) for a in arguments if a is not None))
        case "sequence":
            return Sequence(_process(parts[0]), _process(parts[1]))
        case "choice":
            return Choice(tuple(map(_process, parts)))
        case "condition":
            return Condition(_process(parts[0]), _term(parts[1]), _process(parts[2]))
        case "sum":
            return Sum(_name(parts[0]), _name(parts[1]), _process(parts[2]))
        case "parallel":
            return Parallel(tuple(map(_process, parts)), place)
        case "synchronous":
            return Synchronous(tuple(map(_process, parts)), place)
        case "left_merge":
            return LeftMerge(_process(parts[0]), _process(parts[1]), place)
        case "encap":
            return Encap(_names(parts[0]), _process(parts[1]), place)
        case "hide":
            return Hide(_names(parts[0]), _process(parts[1]), place)
        case "rename":
            *pairs, body = parts
            renamed = tuple((_name(p.children[0]), _name(p.children[1])) for p in pairs)
            return Rename(renamed, _process(body), place)
        case "at_time":
            return AtTime(_process(parts[0]), _term(parts[1]), place)
        case "before":
            return Before(_process(parts[0]), _process(parts[1]), place)
    raise AssertionError(tree.data)
