"""Reads the formulas of the Model Checking Contest on Petri nets, in its XML.

The elements are those of the contest's property sets: reachability, CTL and LTL over numbers of
tokens and fireable transitions, and upper bounds. Formulas that mix them (CTL*) are read, too.
Places and transitions are named by their identifiers in the net, with all of their colours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from lts.base.bounds import PROPERTY_LEVELS
from lts.base.spelling import near
from lts.errors import FormatError, SpecificationError
from lts.logic.text.tokens import deeply
from lts.petri.elements import Element, read_elements, read_file
from lts.petri.net import Net, Truth

__all__ = [
    "FINAL",
    "GLOBAL_PROPERTIES",
    "NAMED_PROPERTIES",
    "PATH_QUANTIFIERS",
    "Arithmetic",
    "Count",
    "CountComparison",
    "Deadlock",
    "Fireable",
    "Formula",
    "Number",
    "Operation",
    "PlaceBound",
    "Property",
    "TokensIn",
    "global_property",
    "reachability",
    "read_properties",
    "read_properties_text",
]


@dataclass(frozen=True, slots=True)
class TokensIn:
    """The number of tokens in some places, of all colours."""

    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The sum of some numbers, or the first minus the second."""

    operator: Literal["+", "-"]
    parts: tuple[Count, ...]


Count = TokensIn | Number | Arithmetic


@dataclass(frozen=True, slots=True)
class CountComparison:
    """A comparison of two numbers."""

    relation: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Count
    right: Count


@dataclass(frozen=True, slots=True)
class Fireable:
    """Whether one of some transitions is enabled for some colours of its variables."""

    transitions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deadlock:
    """Whether no transition is enabled."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its arguments: a connective, a path quantifier, or an operator of paths."""

    operator: Literal["!", "&&", "||", "xor", "=>", "<=>", "A", "E", "G", "F", "X", "U"]
    parts: tuple[Formula, ...]


Formula = Truth | CountComparison | Fireable | Deadlock | Operation


@dataclass(frozen=True, slots=True)
class PlaceBound:
    """The question for the largest number of tokens in some places together, of all colours."""

    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """A formula or question with its identifier and its place in the file."""

    identifier: str
    description: str
    content: Formula | PlaceBound
    file: str
    line: int


def reachability(content: Formula | PlaceBound) -> tuple[bool, Formula] | None:
    """Return a pair for a formula that is decided by single reachable markings, without nested
    quantifiers: the answer that one marking can decide, and the formula that holds in the markings
    that decide it. Return None for any other formula."""
    match content:
        case Operation("E", (Operation("F", (inner,)),)) if _is_of_markings(inner):
            return True, inner
        case Operation("A", (Operation("G", (inner,)),)) if _is_of_markings(inner):
            return False, Operation("!", (inner,))
    return None


def _is_of_markings(formula: Formula) -> bool:
    """Whether a formula is about one marking alone."""
    if isinstance(formula, Operation):
        is_connective = any(formula.operator == operator for operator, _ in _CONNECTIVES.values())
        return is_connective and all(map(_is_of_markings, formula.parts))
    return True


PATH_QUANTIFIERS = ("A", "E")

_CONNECTIVES: Mapping[str, tuple[Literal["!", "&&", "||", "xor", "=>", "<=>"], int | None]] = {
    "negation": ("!", 1),
    "conjunction": ("&&", None),
    "disjunction": ("||", None),
    "exclusive-disjunction": ("xor", 2),
    "implication": ("=>", 2),
    "equivalence": ("<=>", 2),
}
"""The operator of each element, and the number of its arguments if there is only one."""

_QUANTIFIERS: Mapping[str, Literal["A", "E"]] = {"all-paths": "A", "exists-path": "E"}

_OF_PATHS: Mapping[str, Literal["G", "F", "X"]] = {"globally": "G", "finally": "F", "next": "X"}

_RELATIONS: Mapping[str, Literal["=", "!=", "<", "<=", ">", ">="]] = {
    "integer-eq": "=",
    "integer-ne": "!=",
    "integer-lt": "<",
    "integer-le": "<=",
    "integer-gt": ">",
    "integer-ge": ">=",
}

_ATOMS = ("true", "false", "deadlock", "is-fireable", *_RELATIONS)
_FORMULAS = (*_ATOMS, *_CONNECTIVES, *_QUANTIFIERS, *_OF_PATHS, "until")
_COUNTS = ("integer-constant", "tokens-count", "integer-sum", "integer-difference")

_NUMBER = re.compile(r"-?[0-9]{1,15}")
"""Sums of thousands of such numbers fit into 64 bits."""


GLOBAL_PROPERTIES = (
    *("ReachabilityDeadlock", "OneSafe", "StableMarking", "QuasiLiveness", "Liveness"),
)
"""The properties of whole nets in the contest."""

FINAL = "FinalMarking"
"""The property that a final marking is reachable."""

NAMED_PROPERTIES = (*GLOBAL_PROPERTIES, FINAL)
"""All properties of a net that have names."""


def global_property(name: str, net: Net) -> Property:
    """Return one of the contest's properties of a whole net, or `FinalMarking`, by its name.

    `ReachabilityDeadlock`: a deadlock is reachable. `OneSafe`: no place ever has more than one
    token. `StableMarking`: some place always has as many tokens as initially. `QuasiLiveness`: each
    transition may occur. `Liveness`: each transition may occur after whatever happened. Tokens of
    all colours count together, and a transition occurs for some colours of its variables.
    `FinalMarking`: one of the final markings of the net is reachable.
    """

    def some(inner: Formula) -> Operation:
        return Operation("E", (Operation("F", (inner,)),))

    def always(inner: Formula) -> Operation:
        return Operation("A", (Operation("G", (inner,)),))

    def number(place: str, relation: Literal["=", "<="], count: int) -> CountComparison:
        return CountComparison(relation, TokensIn((place,)), Number(count))

    each = [Fireable((transition.identifier,)) for transition in net.transitions]
    content: Formula
    match name:
        case "ReachabilityDeadlock":
            content = some(Deadlock())
        case "OneSafe":
            content = always(Operation("&&", tuple(number(p, "<=", 1) for p in net.places)))
        case "StableMarking":
            initial = {name: sum(place.tokens.values()) for name, place in net.places.items()}
            content = Operation("||", tuple(always(number(p, "=", n)) for p, n in initial.items()))
        case "QuasiLiveness":
            content = Operation("&&", tuple(map(some, each)))
        case "Liveness":
            content = Operation("&&", tuple(always(some(one)) for one in each))
        case "FinalMarking":
            if not net.finals:
                raise SpecificationError("the net has no final marking", file=net.file)
            markings = [
                Operation("&&", tuple(number(p, "=", marking.get(p, 0)) for p in net.places))
                for marking in net.finals
            ]
            content = some(Operation("||", tuple(markings)))
        case _:
            hint = near(name, NAMED_PROPERTIES)
            raise SpecificationError(f"`{name}` is no property of a net{hint}")
    return Property(name, "", content, net.file, 1)


def read_properties(path: str, net: Net) -> tuple[Property, ...]:
    """Read a property set of the Model Checking Contest, which may be compressed by gzip.

    Raises `FormatError` for a file that is not in the format, and `SpecificationError` for a name
    that the net does not have, each with the line and the identifier of the property.
    """
    return read_properties_text(read_file(path), net, file=path)


def read_properties_text(
    data: bytes | str, net: Net, *, file: str = "properties.xml"
) -> tuple[Property, ...]:
    """Read a property set from a text, or from its bytes."""
    text = data.encode() if isinstance(data, str) else data
    root = read_elements(text, file)
    if root.name != "property-set":
        raise root.error(
            FormatError, f"a file of properties begins with `property-set`, not `{root.name}`"
        )
    _refuse_attributes(root, root.namespace)
    identifiers = frozenset(transition.identifier for transition in net.transitions)
    reader = _Reader(net.places.keys(), identifiers, root.namespace)
    found: dict[str, Property] = {}
    with deeply("", file):
        for element in _children(root, "property"):
            one = reader.property(element)
            if one.identifier in found:
                raise element.error(FormatError, "two properties have this identifier")
            found[one.identifier] = one
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Reader:
    places: Collection[str]
    transitions: Collection[str]
    namespace: str

    def property(self, element: Element) -> Property:
        parts: dict[str, Element] = {}
        for part in _children(element, "id", "description", "formula"):
            if part.name in parts:
                raise part.error(FormatError, f"a property has only one `{part.name}`")
            parts[part.name] = part
        for name in ("id", "formula"):
            if name not in parts:
                raise element.error(FormatError, f"the property has no `{name}`")
        identifier = _text(parts["id"])
        level, depth = [element], 0
        while level:
            for inside in level:
                inside.owner = identifier
                _refuse_attributes(inside, self.namespace)
            if depth > PROPERTY_LEVELS.default:
                raise level[0].error(FormatError, PROPERTY_LEVELS.exceeded())
            read = [inside for inside in level if inside.name != "description"]
            level, depth = [child for inside in read for child in inside.children], depth + 1
        description = parts.get("description")
        _children(parts["formula"], *_FORMULAS, "place-bound")
        question = parts["formula"].only()
        content = (
            PlaceBound(self.names(question, "place", self.places))
            if question.name == "place-bound"
            else self.formula(question, of_paths=False)
        )
        said = "" if description is None else description.text.strip()
        return Property(identifier, said, content, element.file, element.line)

    def formula(self, element: Element, *, of_paths: bool) -> Formula:
        """Return a formula; one that is not about paths has operators of paths in path quantifiers
        only."""
        name = element.name
        if name in ("true", "false", "deadlock"):
            _children(element)
            return Deadlock() if name == "deadlock" else Truth(name == "true")
        if name == "is-fireable":
            return Fireable(self.names(element, "transition", self.transitions))
        if name in _RELATIONS:
            left, right = self.counts(element, 2)
            return CountComparison(_RELATIONS[name], left, right)

        def inside(outer: Element, number: int | None, of_paths: bool) -> tuple[Formula, ...]:
            children = _several(outer, number, _FORMULAS)
            return tuple(self.formula(child, of_paths=of_paths) for child in children)

        if name in _CONNECTIVES:
            operator, number = _CONNECTIVES[name]
            return Operation(operator, inside(element, number, of_paths))
        if name in _QUANTIFIERS:
            return Operation(_QUANTIFIERS[name], inside(element, 1, True))
        if not of_paths:
            raise element.error(
                FormatError, f"`{name}` is about paths: write it in `all-paths` or `exists-path`"
            )
        if name in _OF_PATHS:
            return Operation(_OF_PATHS[name], inside(element, 1, True))
        before, reach = _several(element, 2, ("before", "reach"))
        if (before.name, reach.name) != ("before", "reach"):
            raise element.error(FormatError, "`until` contains `before`, and then `reach`")
        return Operation("U", (*inside(before, 1, True), *inside(reach, 1, True)))

    def counts(self, element: Element, number: int | None) -> tuple[Count, ...]:
        return tuple(self.count(child) for child in _several(element, number, _COUNTS))

    def count(self, element: Element) -> Count:
        match element.name:
            case "integer-constant":
                text = _text(element)
                if not _NUMBER.fullmatch(text):
                    raise element.error(
                        FormatError, f"`{text}` is not a number of at most 15 digits"
                    )
                return Number(int(text))
            case "tokens-count":
                return TokensIn(self.names(element, "place", self.places))
            case "integer-sum":
                return Arithmetic("+", self.counts(element, None))
        return Arithmetic("-", self.counts(element, 2))

    def names(self, element: Element, kind: str, known: Collection[str]) -> tuple[str, ...]:
        """Return the names of some places or transitions, which the net must have; of places there
        may be none, which have no tokens."""
        found = []
        is_place = kind == "place"
        for child in _children(element, kind) if is_place else _several(element, None, (kind,)):
            name = _text(child)
            if name not in known:
                raise child.error(
                    SpecificationError, f"the net has no {kind} `{name}`{near(name, known)}"
                )
            found.append(name)
        return tuple(found)


def _several(element: Element, number: int | None, names: Collection[str]) -> list[Element]:
    """Return the children, as many as there should be, or at least one."""
    found = _children(element, *names)
    if len(found) != number and (number is not None or not found):
        expected = "an element" if number is None else _NUMBERS[number]
        raise element.error(
            FormatError, f"`{element.name}` should contain {expected}, not {len(found) or 'none'}"
        )
    return found


_NUMBERS = {1: "one element", 2: "two elements"}


def _refuse_attributes(element: Element, namespace: str) -> None:
    """Refuse an element with attributes, of which the format has none, or of another namespace."""
    if element.namespace != namespace:
        raise element.error(
            FormatError, f"`{element.name}` of the namespace `{element.namespace}` is not read"
        )
    for attribute in element.attributes:
        raise element.error(
            FormatError, f"the attribute `{attribute}` of `{element.name}` is not read"
        )


def _children(element: Element, *names: str) -> list[Element]:
    """Return the children, which have some of these names; there is no text beside them."""
    for child in element.children:
        if child.name not in names:
            hint = near(child.name, names)
            raise child.error(
                FormatError, f"`{element.name}` contains no element `{child.name}`{hint}"
            )
    if element.text.strip():
        raise element.error(FormatError, f"`{element.name}` contains text")
    return element.children


def _text(element: Element) -> str:
    """Return the text of an element that contains nothing else."""
    text = element.text.strip()
    if element.children or not text:
        raise element.error(FormatError, f"`{element.name}` contains a text and nothing else")
    return text
