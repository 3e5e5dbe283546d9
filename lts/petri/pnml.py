"""Reads nets in PNML (ISO/IEC 15909-2): place/transition nets and symmetric nets."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Literal, TypeVar

from lts.base.bounds import COLOURS, COLOURS_TOGETHER, FACTORS, NET_LEVELS, TOKENS
from lts.base.spelling import near
from lts.errors import FormatError, FormatWarning, SpecificationError, Unsupported
from lts.petri.elements import Element, read_elements, read_file, refuse_unknown
from lts.petri.grammar import NEUTRAL, SKIPPED, TABLE, TOOLS
from lts.petri.labels import Labels, check_label, labelled, makes_invisible
from lts.petri.net import (
    PLAIN,
    Arc,
    Class,
    Colour,
    Comparison,
    Condition,
    Constant,
    Difference,
    Every,
    Junction,
    Negation,
    Net,
    Part,
    Place,
    Product,
    Shift,
    Sort,
    Sum,
    Term,
    Times,
    Transition,
    Truth,
    Tuple,
    Variable,
    variables_of,
)

__all__ = ["read", "read_text"]

Found = TypeVar("Found")

DOT = Class("dot", ("dot",))

_KINDS = (
    *("ptnet", "symmetricnet", "pt-net", "highlevelnet", "pt-hlpng"),
    # Those of other tools for place/transition nets; the last two are `P/T net` and none.
    *("pnmlcoremodel", "ptnetb", "t net", ""),
)
"""The last part of the types of nets that may be read."""

_RELATIONS: dict[str, Literal["=", "!=", "<", "<=", ">", ">="]] = {
    "equality": "=",
    "inequality": "!=",
    "lessthan": "<",
    "lessthanorequal": "<=",
    "greaterthan": ">",
    "greaterthanorequal": ">=",
    # Those of elements of partitions.
    "ltp": "<",
    "gtp": ">",
    # Those of numbers, which elements of ranges are.
    "lt": "<",
    "leq": "<=",
    "gt": ">",
    "geq": ">=",
}

_INHIBITOR, _READ, _RESET = "inhibitor", "read", "reset"

_KINDS_OF_ARCS = {
    "normal": "",
    "inhibitor": _INHIBITOR,
    "inhibit": _INHIBITOR,
    "read": _READ,
    "test": _READ,
    "reset": _RESET,
}
"""The kinds of arcs in the words of all tools; the usual one has no name."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,100}")
_TOKENS = re.compile(r"[0-9]+")

_MOST_DIGITS = 20
"""The most digits of a number, with leading zeros."""

_SHOWN = 100
"""The most characters of a text that an error quotes."""


def read(path: str, *, labels: Labels | None = None, net: str | None = None) -> Net:
    """Read a net in PNML, which may be compressed by gzip. Of a file of several, `net` is the
    identifier of the one to read.

    Labels begin with the identifiers of transitions (`id`), or with their names (`name`); by
    default with the names if all identifiers are generated, and all names exist and differ.

    Raises `FormatError` for a file that is not in the format, `SpecificationError` for a net
    without a meaning, and `Unsupported` for other kinds of nets, each with the line and the
    identifier of what it is about.
    """
    return read_text(read_file(path), file=path, labels=labels, net=net)


def read_text(
    data: bytes | str,
    *,
    file: str = "net.pnml",
    labels: Labels | None = None,
    net: str | None = None,
) -> Net:
    """Read a net in PNML from a text, or from its bytes."""
    text = data.encode() if isinstance(data, str) else data
    root = read_elements(text, file, deepest=NET_LEVELS, skipped=SKIPPED)
    if root.name != "pnml":
        raise root.error(FormatError, f"a PNML file begins with `pnml`, not `{root.name}`")
    for element in (root, *root.all("net")):
        if found := element.all(*_OF_TAPAAL):
            raise found[0].error(
                Unsupported, "this is a project of TAPAAL, with timed arcs: export it as PNML"
            )
    chosen = _chosen(root, net)
    root.children = [one for one in root.children if one.name != "net" or one is chosen]
    refuse_unknown(root, TABLE)
    _remark_unread(root, file)
    return _Reader(chosen, file, labels).net()


_OF_TAPAAL = ("query", "constant", "shared-place", "shared-transition", "inputArc", "transportArc")

_NAMED = 20
"""The most nets of a file that an error names."""


def _chosen(root: Element, identifier: str | None) -> Element:
    """Return the net of a file with this identifier, by default its only one."""
    nets = root.all("net")
    found = [one for one in nets if identifier in (None, one.attributes.get("id", ""))]
    if len(found) == 1:
        return found[0]
    names = [one.attributes.get("id", "")[:_SHOWN] for one in nets]
    known = ", ".join(f"`{name}`" for name in names[:_NAMED])
    known += ", .." if len(names) > _NAMED else ""
    if not nets:
        raise root.error(FormatError, "the file contains no net")
    if identifier is None:
        raise root.error(
            FormatError, f"the file contains {len(nets)} nets, of which --net chooses one: {known}"
        )
    if found:
        raise found[1].error(FormatError, f"the file contains several nets `{identifier}`")
    hint = near(identifier, names)
    raise root.error(FormatError, f"the file contains no net `{identifier}`{hint} (known: {known})")


def _remark_unread(root: Element, file: str) -> None:
    """Warn once about what is known and left out, and refuse it if it may have an effect."""
    unread: dict[str, None] = {}
    kinds: dict[str, Element] = {}
    """Timed transitions and others: the first of each."""
    waiting = [root]
    for element in waiting:  # grows during the loop
        waiting += element.children
        name = element.name
        if name in TOOLS and not makes_invisible(element):
            tool = element.attributes.get("tool")
            unread[f"`{name}`" if tool is None else f"`{name}` of {tool[:40]}"] = None
        elif name in NEUTRAL:
            value = element.find("value")
            shown = "" if value is None else value.text.strip()
            if not re.fullmatch(NEUTRAL[name], shown):
                raise element.error(Unsupported, f"`{name}` is not read, unless it has no effect")
        elif name == "transition":
            timed = element.find("timed")
            value = None if timed is None else timed.find("value")
            kinds.setdefault("" if value is None else value.text.strip(), element)
        elif name == "definition" and element.the("type") != "rate":
            raise element.error(Unsupported, "definitions other than those of rates are not read")
        elif name == "token" and element.the("id") != "Default":
            raise element.error(Unsupported, "tokens of several kinds are not read")
        elif name == "namedsort" and element.text.strip():
            unread["text beside the elements of `namedsort`"] = None
    if "true" in kinds and len(kinds) > 1:
        raise kinds["true"].error(
            Unsupported, "`timed` is read only of all transitions: others have priority"
        )
    if unread:
        named = ", ".join([*unread][:5]) + (" and others" if len(unread) > 5 else "")
        warnings.warn(f"{file}: left out: {named}", FormatWarning, stacklevel=4)


@dataclass(eq=False)
class _Arcs:
    """The arcs of a transition."""

    takes: list[Arc] = field(default_factory=list)
    puts: list[Arc] = field(default_factory=list)
    inhibitors: list[tuple[str, int]] = field(default_factory=list)
    resets: list[str] = field(default_factory=list)
    reads: list[Arc] = field(default_factory=list)


@dataclass(eq=False)
class _Reader:
    root: Element
    file: str
    labels: Labels | None
    sorts: dict[str, Sort] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    partitions: dict[str, tuple[Class, tuple[int, ...]]] = field(default_factory=dict)
    """For each partition the class of its elements, and the number of each colour's element."""
    ranges: dict[tuple[str, int, int], Class] = field(default_factory=dict)
    colours: int = 0
    """The number of colours of all classes so far."""

    def net(self) -> Net:
        kind = self.root.attributes.get("type", "").rstrip("/").rpartition("/")[2].lower()
        if kind not in _KINDS:
            raise self.root.error(
                Unsupported,
                f"nets of the type `{kind}` are not read: only symmetric nets and "
                "place/transition nets",
            )
        pages = [self.root]
        for page in pages:  # grows during the loop
            pages += page.all("page")
        for page in pages:
            for declaration in page.all("declaration"):
                self.declare(declaration)
        self.references: dict[str, str] = {}
        elements: dict[str, Element] = {}
        # WoPeD writes arcs with the same identifier, to which nothing refers.
        arcs_read: dict[tuple[str, ...], Element] = {}
        for page in pages:
            for element in page.children:
                identifier = element.attributes.get("id", "")
                match element.name:
                    case "place" | "transition":
                        known = element.the("id") in elements or identifier in self.references
                        elements[identifier] = element
                    case "arc":
                        key = (element.the("id"), *map(element.the, ("source", "target")))
                        known = key in arcs_read
                        arcs_read[key] = element
                    case "referencePlace" | "referenceTransition":
                        known = element.the("id") in elements or identifier in self.references
                        self.references[identifier] = element.the("ref")
                    case _:
                        continue
                if known:
                    raise element.error(FormatError, "the identifier occurs twice")
        for page in pages:
            for element in page.all("referencePlace", "referenceTransition"):
                found = elements.get(self.end(element, "ref"))
                kind = element.name.removeprefix("reference").lower()
                if found is None or found.name != kind:
                    raise element.error(SpecificationError, f"it refers to no {kind}")
        places = {i: self.place(e) for i, e in elements.items() if e.name == "place"}
        arcs = {i: _Arcs() for i, e in elements.items() if e.name == "transition"}
        for element in arcs_read.values():
            self.arc(element, places, arcs)
        transitions = [self.transition(elements[identifier], of) for identifier, of in arcs.items()]
        if not places:
            raise self.root.error(FormatError, "the net has no places")
        used = [sort for sort in self.sorts.values() if isinstance(sort, Class) and len(sort) > 1]
        name = self.root.attributes.get("id", "net")
        of_label = labelled(transitions, [elements[identifier] for identifier in arcs], self.labels)
        finals = tuple(self.finals(places))
        return Net(name, self.file, places, of_label, tuple(dict.fromkeys(used)), finals)

    def finals(self, places: dict[str, Place]) -> Iterator[dict[str, int]]:
        """Yield the final markings, as ProM writes them."""
        found = self.root.find("finalmarkings")
        for marking in [] if found is None else found.all("marking"):
            tokens: dict[str, int] = {}
            for element in marking.all("place"):
                identifier = self.end(element, "idref")
                place = places.get(identifier)
                if place is None:
                    raise element.error(SpecificationError, f"there is no place `{identifier}`")
                if len(place.sort) > 1:
                    raise element.error(
                        Unsupported, f"the final marking of `{identifier}`, which has colours"
                    )
                if identifier in tokens:
                    raise element.error(FormatError, f"`{identifier}` stands twice in a marking")
                text = element.find("text")
                tokens[identifier] = 0 if text is None else self.plain(text)
            yield tokens

    def declare(self, declaration: Element) -> None:
        inside = self.structure(declaration)
        if inside is not None and inside.only().name != "declarations":
            raise inside.error(Unsupported, f"declarations by `{inside.only().name}` are not read")
        waiting = [] if inside is None else inside.only().children
        # Declarations may use later ones.
        while waiting:
            left = []
            for element in waiting:
                if all(name in self.sorts for name in _sorts_in(element)):
                    self.declared(element)
                else:
                    left.append(element)
            if len(left) == len(waiting):
                name = next(name for name in _sorts_in(left[0]) if name not in self.sorts)
                raise left[0].error(SpecificationError, f"no sort `{name}` is declared")
            waiting = left

    def declared(self, element: Element) -> None:
        match element.name:
            case "namedsort":
                identifier = element.the("id")
                if identifier in self.sorts:
                    raise element.error(SpecificationError, "the sort is declared twice")
                self.sorts[identifier] = self.sort(element.only(), identifier)
            case "variabledecl":
                identifier = element.the("id")
                if identifier in self.variables:
                    raise element.error(SpecificationError, "the variable is declared twice")
                name = element.attributes.get("name", identifier)
                sort = self.sort(element.only())
                self.variables[identifier] = Variable(identifier, name, sort)
            case "partition":
                self.partition(element)
            case other:
                raise element.error(Unsupported, f"declarations by `{other}` are not read")

    def partition(self, element: Element) -> None:
        base = self.sort(element.children[0]) if element.children else None
        if not isinstance(base, Class):
            raise element.error(SpecificationError, "a partition is one of a class of colours")
        if element.the("id") in self.partitions:
            raise element.error(SpecificationError, "the partition is declared twice")
        parts = element.all("partitionelement")
        numbers = [-1] * len(base)
        identifier = element.the("id")
        of_parts = Class(identifier, tuple(part.the("id") for part in parts))
        for number, part in enumerate(parts):
            for member in part.children:
                found = self.constants.get(member.attributes.get("declaration", ""))
                if found is None or found.sort != base:
                    raise member.error(SpecificationError, "this is no colour of the class")
                assert isinstance(found.colour, int)
                if numbers[found.colour] >= 0:
                    name = base.shown(found.colour)
                    raise member.error(SpecificationError, f"`{name}` is in two elements")
                numbers[found.colour] = number
            if part.the("id") in self.constants:
                raise part.error(SpecificationError, "the name is that of a colour or part, too")
            self.constants[part.the("id")] = Constant(number, of_parts)
        if -1 in numbers:
            name = base.names[numbers.index(-1)]
            raise element.error(SpecificationError, f"`{name}` is in no element of the partition")
        self.partitions[identifier] = (of_parts, tuple(numbers))

    def sort(self, element: Element, identifier: str = "") -> Sort:
        """Return the sort that an element describes; `identifier` is the name it is given."""
        found: Sort
        match element.name:
            case "usersort":
                found = self.known(element, "declaration", self.sorts, "sort")
            case "dot":
                found = DOT
            case "bool":
                found = Class("bool", ("false", "true"))
            case "cyclicenumeration" | "finiteenumeration":
                constants = element.all("feconstant")
                names = tuple(one.attributes.get("name", one.the("id")) for one in constants)
                if not names:
                    raise element.error(SpecificationError, "the class has no colours")
                if len({*names}) < len(names) or not all(map(PLAIN.fullmatch, names)):
                    # In labels, names must not look like several.
                    names = tuple(one.the("id") for one in constants)
                self.add_colours(element, len(names))
                found = Class(identifier, names, element.name == "cyclicenumeration")
                for number, one in enumerate(constants):
                    if self.constants.setdefault(one.the("id"), Constant(number, found)) != (
                        Constant(number, found)
                    ):
                        raise one.error(SpecificationError, "the colour is declared twice")
            case "finiteintrange":
                start, end = (self.number(element, of) for of in ("start", "end"))
                if end < start:
                    raise element.error(SpecificationError, f"{start} to {end} is no range")
                if (identifier, start, end) not in self.ranges:
                    self.add_colours(element, end - start + 1)
                    numbers = tuple(map(str, range(start, end + 1)))
                    self.ranges[identifier, start, end] = Class(identifier, numbers, start=start)
                found = self.ranges[identifier, start, end]
            case "productsort":
                if not element.children:
                    raise element.error(SpecificationError, "a product of no sorts")
                factors = tuple(self.sort(child) for child in element.children)
                # The number of colours is computed by hand: `len` is limited to 64 bits.
                if prod(map(len, factors)) > COLOURS.default:
                    raise element.error(Unsupported, f"a sort has at most {COLOURS.amount()}")
                found = Product(identifier, factors)
                if _factors(found) > FACTORS.default:
                    raise element.error(Unsupported, f"a product has at most {FACTORS.amount()}")
            case other:
                raise element.error(Unsupported, f"sorts by `{other}` are not read")
        return found

    def add_colours(self, element: Element, count: int) -> None:
        """Refuse too many colours of a class, or of all classes, before they are made."""
        if count > COLOURS.default:
            raise element.error(Unsupported, f"a sort has at most {COLOURS.amount()}")
        self.colours += count
        if self.colours > COLOURS_TOGETHER.default:
            raise element.error(
                Unsupported, f"the sorts have together at most {COLOURS_TOGETHER.amount()}"
            )

    def number(self, element: Element, attribute: str) -> int:
        text = element.the(attribute).strip()
        if not _NUMBER.fullmatch(text):
            raise element.error(FormatError, f"`{text[:_SHOWN]}` is no number")
        return int(text)

    def structure(self, label: Element | None) -> Element | None:
        """Return the structure of a label; None if the label is missing or empty.

        The texts of coloured nets have no standard syntax, so a label that has only a text is
        refused."""
        if label is None:
            return None
        found, text = label.find("structure"), label.find("text")
        if found is not None and found.children:
            return found
        if text is not None and text.text.strip():
            raise label.error(
                Unsupported, f"`{label.name}` has a text without a structure, which is not read"
            )
        return None if label.name != "type" else found

    def one_of(self, element: Element, *names: str) -> Element | None:
        """Return the child with one of these names, which exclude each other."""
        found = element.all(*names)
        if len(found) > 1:
            both = " and ".join(f"`{each.name}`" for each in found)
            raise element.error(FormatError, f"`{element.name}` has {both}")
        return found[0] if found else None

    def place(self, element: Element) -> Place:
        kind = self.structure(element.find("type"))
        sort = DOT if kind is None else self.sort(kind.only())
        label = self.one_of(element, "initialMarking", "hlinitialMarking")
        tokens: dict[Colour, int] = {}
        if label is not None and label.name == "hlinitialMarking":
            marking = self.structure(label)
            if marking is not None:
                term = self.term(marking.only(), sort)
                tokens = dict(self.evaluated(marking, term))
        elif label is not None:
            plain = self.one_of(label, "text", "value")
            if plain is not None and plain.text.strip():
                if sort != DOT:
                    raise plain.error(FormatError, "an initial marking of colours is a `structure`")
                tokens = {0: self.plain(plain)}
        return Place(element.the("id"), sort, {c: n for c, n in tokens.items() if n})

    def plain(self, element: Element) -> int:
        text = element.text.strip()
        if element.name == "value":
            # PIPE writes the kind of the tokens first, and `_remark_unread` sees to that there is
            # only one.
            text = text.removeprefix("Default,").strip()
        if not _TOKENS.fullmatch(text):
            raise element.error(FormatError, f"`{text[:_SHOWN]}` is no number of tokens")
        if len(text) > _MOST_DIGITS or int(text) > TOKENS.default:
            raise self.too_many(element)
        return int(text)

    def too_many(self, element: Element) -> Unsupported:
        return element.error(Unsupported, TOKENS.exceeded())

    def evaluated(self, element: Element, term: Term) -> dict[Colour, int]:
        if variables_of(term):
            raise element.error(SpecificationError, "an initial marking has no variables")
        try:
            found = dict(term.value({}))
        except SpecificationError as error:
            raise element.error(SpecificationError, error.message) from None
        if max(found.values(), default=0) > TOKENS.default:
            raise self.too_many(element)
        return found

    def arc(self, element: Element, places: dict[str, Place], arcs: dict[str, _Arcs]) -> None:
        kind = _kind_of_arc(element)
        source, target = (self.end(element, of) for of in ("source", "target"))
        if source in places and target in arcs:
            place, transition, takes = places[source], target, True
        elif source in arcs and target in places:
            place, transition, takes = places[target], source, False
        else:
            for end in (source, target):
                if end not in places and end not in arcs:
                    raise element.error(SpecificationError, f"there is no `{end}`")
            raise element.error(SpecificationError, "an arc connects a place with a transition")
        if kind and not takes:
            raise element.error(
                SpecificationError,
                f"an arc of the kind `{kind}` leads from a place to a transition",
            )
        label = self.one_of(element, "inscription", "hlinscription")
        coloured = label is not None and label.name == "hlinscription"
        structure = self.structure(label) if coloured else None
        term: Term
        if structure is not None:
            term = self.term(structure.only(), place.sort)
        else:
            if place.sort != DOT:
                raise element.error(FormatError, "an arc with colours needs an inscription")
            plain = None if label is None else self.one_of(label, "text", "value")
            count = 1 if plain is None or coloured else self.plain(plain)
            term = Times(count, Constant(0, DOT), DOT)
        of, arc = arcs[transition], Arc(element.the("id"), place.identifier, term, element.line)
        if kind in (_INHIBITOR, _RESET):
            count = self.plain_weight(element, kind, arc.term)
            if kind == _RESET:
                of.resets.append(place.identifier)
            else:
                of.inhibitors.append((place.identifier, count))
            return
        (of.reads if kind else of.takes if takes else of.puts).append(arc)

    def plain_weight(self, element: Element, kind: str, term: Term) -> int:
        """Return the weight of an arc that inhibits or resets."""
        if term.sort != DOT:
            raise element.error(
                Unsupported, f"arcs of the kind `{kind}` are read at places without colours only"
            )
        if variables_of(term):
            raise element.error(Unsupported, f"an arc of the kind `{kind}` has no variables")
        count = term.value({}).total()
        if count < 1 or (kind == _RESET and count > 1):
            raise element.error(Unsupported, f"an arc of the kind `{kind}` of the weight {count}")
        return count

    def end(self, element: Element, attribute: str) -> str:
        name, seen = element.the(attribute), 0
        while name in self.references:
            name = self.references[name]
            seen += 1
            if seen > len(self.references):
                raise element.error(SpecificationError, "references go round in a circle")
        return name

    def transition(self, element: Element, arcs: _Arcs) -> Transition:
        identifier = element.the("id")
        check_label(element, identifier, "identifier")
        for at, arc in enumerate(arcs.reads):
            if arc.place in arcs.resets or any(
                other.place == arc.place for other in (*arcs.takes, *arcs.reads[:at])
            ):
                raise element.error(
                    Unsupported,
                    f"it reads tokens of `{arc.place}`, from where it has another arc: some tools "
                    "want enough tokens for both, others for each",
                )
        structure = self.structure(element.find("condition"))
        guard: Condition = Truth(True)
        if structure is not None:
            guard = self.condition(structure.only())
        used = variables_of(guard)
        for arc in (*arcs.takes, *arcs.puts, *arcs.reads):
            used |= variables_of(arc.term)
        return Transition(
            identifier,
            tuple(v for v in self.variables.values() if v in used),
            guard,
            # Tokens that are read are taken and put back.
            (*arcs.takes, *arcs.reads),
            (*arcs.puts, *arcs.reads),
            element.line,
            label=identifier,
            inhibitors=tuple(arcs.inhibitors),
            resets=tuple(dict.fromkeys(arcs.resets)),
        )

    def condition(self, element: Element) -> Condition:
        match element.name:
            case "and" | "or":
                parts = tuple(self.condition(self.subterm(child)) for child in element.children)
                return Junction(element.name == "and", parts)
            case "not":
                return Negation(self.condition(self.subterm(element.only())))
            case "imply":
                one, other = (self.condition(self.subterm(c)) for c in self.two(element))
                return Junction(False, (Negation(one), other))
            case "booleanconstant":
                text = element.the("value").strip().lower()
                if text not in ("true", "false"):
                    raise element.error(FormatError, f"`{text}` is no truth value")
                return Truth(text == "true")
            case name if name in _RELATIONS:
                children = [self.subterm(child) for child in self.two(element)]
                left = self.colour(children[0])
                right = self.colour(children[1])
                if _shape(left.sort) != _shape(right.sort):
                    raise element.error(SpecificationError, "colours of two classes are compared")
                return Comparison(_RELATIONS[name], left, right)
        raise element.error(Unsupported, f"conditions with `{element.name}` are not read")

    def two(self, element: Element) -> list[Element]:
        if len(element.children) != 2:
            count = len(element.children)
            raise element.error(FormatError, f"`{element.name}` is about two terms, not {count}")
        return element.children

    def subterm(self, element: Element) -> Element:
        return element.only() if element.name == "subterm" else element

    def colour(self, element: Element) -> Term:
        """Return a term for one colour."""
        found = self.term(element, None)
        if not _is_single(found):
            raise element.error(SpecificationError, "this is no single colour")
        return found

    def term(self, element: Element, expected: Sort | None) -> Term:
        """Return a term; `expected` is the sort that it should have, if known."""
        found = self.untyped(element, expected)
        if expected is not None and _shape(found.sort) != _shape(expected):
            raise element.error(
                SpecificationError,
                f"a term of `{found.sort.identifier}`, where `{expected.identifier}` is expected",
            )
        return found

    def untyped(self, element: Element, expected: Sort | None) -> Term:
        parts = [self.subterm(child) for child in element.children]
        match element.name:
            case "subterm":
                return self.term(element.only(), expected)
            case "variable":
                return self.known(element, "refvariable", self.variables, "variable")
            case "useroperator":
                name = element.the("declaration")
                if name not in self.constants and self.sorts.get(name) == DOT:
                    return Constant(0, DOT)  # as some tools write `dotconstant`
                return self.known(element, "declaration", self.constants, "colour")
            case "dotconstant":
                return Constant(0, DOT)
            case "finiteintrangeconstant":
                return self.of_range(element, expected)
            case "all" | "empty":
                sort = self.sort(element.only()) if element.children else expected
                if sort is None:
                    raise element.error(FormatError, f"`{element.name}` of which sort?")
                return Every(sort) if element.name == "all" else Sum((), sort)
            case "add":
                terms = tuple(self.term(part, expected) for part in parts)
                self.alike(element, terms)
                return Sum(terms, terms[0].sort)
            case "subtract":
                terms = tuple(self.term(part, expected) for part in parts)
                self.alike(element, terms)
                first, *others = terms
                return Difference(first, Sum(tuple(others), first.sort), first.sort)
            case "numberof" | "scalarproduct":
                if len(parts) == 1:
                    return self.term(parts[0], expected)
                self.two(element)
                term = self.term(parts[1], expected)
                return Times(self.count(parts[0]), term, term.sort)
            case "tuple":
                factors: tuple[Sort | None, ...] = (None,) * len(parts)
                if isinstance(expected, Product) and len(expected.factors) == len(parts):
                    factors = expected.factors
                terms = tuple(map(self.term, parts, factors))
                if len(terms) == 1:
                    return terms[0]
                return Tuple(terms, Product("", tuple(term.sort for term in terms)))
            case "successor" | "predecessor":
                of = self.term(self.subterm(element.only()), expected)
                if not isinstance(of.sort, Class) or not _is_single(of):
                    raise element.error(SpecificationError, f"`{element.name}` of no colour")
                return Shift(of, 1 if element.name == "successor" else -1, of.sort)
            case "partitionelementof":
                name = element.the("refpartition")
                if name not in self.partitions:
                    raise element.error(SpecificationError, f"there is no partition `{name}`")
                sort, numbers = self.partitions[name]
                of = self.colour(self.subterm(element.only()))
                if not isinstance(of.sort, Class) or len(of.sort) != len(numbers):
                    raise element.error(SpecificationError, f"no colour of the class of `{name}`")
                return Part(of, numbers, sort)
        raise element.error(Unsupported, f"terms with `{element.name}` are not read")

    def alike(self, element: Element, terms: tuple[Term, ...]) -> None:
        if not terms:
            raise element.error(FormatError, f"`{element.name}` of nothing")
        if len({_shape(term.sort) for term in terms}) > 1:
            raise element.error(SpecificationError, "terms of two sorts are put together")

    def of_range(self, element: Element, expected: Sort | None) -> Constant:
        inside = element.find("finiteintrange")
        value = self.number(element, "value")
        sort: Sort | None = expected
        if inside is not None:
            start, end = (self.number(inside, of) for of in ("start", "end"))
            named = [
                s
                for s in self.sorts.values()
                if isinstance(s, Class) and self.ranges.get((s.identifier, start, end)) is s
            ]
            sort = expected if expected in named else named[0] if named else self.sort(inside)
        if not isinstance(sort, Class) or not 0 <= value - sort.start < len(sort):
            raise element.error(SpecificationError, f"{value} is not in the range")
        return Constant(value - sort.start, sort)

    def count(self, element: Element) -> int:
        if element.name != "numberconstant":
            raise element.error(Unsupported, f"a number as `{element.name}` is not read")
        count = self.number(element, "value")
        if count < 0:
            raise element.error(SpecificationError, "a number of tokens is not negative")
        return count

    def known(self, element: Element, attribute: str, of: dict[str, Found], what: str) -> Found:
        name = element.the(attribute)
        if name not in of:
            raise element.error(SpecificationError, f"no {what} `{name}` is declared")
        return of[name]


def _kind_of_arc(element: Element) -> str:
    """Return the kind of an arc, which all notations in it must agree on."""
    kinds = set()
    for kind in _said_kinds(element):
        if kind not in _KINDS_OF_ARCS:
            raise element.error(Unsupported, f"arcs of the kind `{kind}` are not read")
        kinds.add(_KINDS_OF_ARCS[kind])
    if len(kinds) > 1:
        shown = " and ".join(f"`{kind or 'normal'}`" for kind in sorted(kinds))
        raise element.error(FormatError, f"an arc of the kinds {shown}")
    return kinds.pop() if kinds else ""


def _said_kinds(element: Element) -> list[str]:
    """Return the kinds that an arc is said to have, in the notations of all tools."""
    found = [element.attributes.get("type", "")]
    for label in element.all("type", "arctype"):
        text = label.find("text")
        found += [label.attributes.get("value", ""), label.text, "" if text is None else text.text]
    return [kind.strip()[:_SHOWN] for kind in found if kind.strip()]


def _factors(sort: Sort) -> int:
    """Return the number of classes in a sort."""
    return sum(map(_factors, sort.factors)) if isinstance(sort, Product) else 1


def _sorts_in(element: Element) -> list[str]:
    """Return the sorts that a declaration uses."""
    inside = [element]
    for one in inside:  # grows during the loop
        inside += one.children
    return [one.the("declaration") for one in inside if one.name == "usersort"]


def _shape(sort: Sort) -> object:
    """Return what two sorts have in common that have the same colours: names do not count."""
    if isinstance(sort, Product):
        return tuple(map(_shape, sort.factors))
    return (sort.names, sort.start)


def _is_single(term: Term) -> bool:
    """Whether a term is one colour and no multiset."""
    match term:
        case Variable() | Constant():
            return True
        case Shift(of) | Part(of):
            return _is_single(of)
        case Tuple(parts):
            return all(map(_is_single, parts))
        case Times(1, inside):
            return _is_single(inside)
        case Sum((inside,)):
            return _is_single(inside)
    return False
