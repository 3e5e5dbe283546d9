"""Reads nets in PNML (ISO/IEC 15909-2): place/transition nets and symmetric nets."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field

from lts.base.bounds import NET_LEVELS
from lts.base.spelling import near
from lts.errors import FormatError, FormatWarning, SpecificationError, Unsupported
from lts.petri.arcs import Arcs
from lts.petri.declarations import DOT, NetDeclarations, structure_of
from lts.petri.elements import QUOTED, Element, read_elements, read_file, refuse_unknown
from lts.petri.grammar import NEUTRAL, SKIPPED, TABLE, TOOLS
from lts.petri.labels import Labels, check_label, labelled, makes_invisible
from lts.petri.markings import final_markings, initial_marking
from lts.petri.net import Class, Condition, Net, Place, Transition, Truth, variables_of
from lts.petri.terms import NetTerms

__all__ = ["read", "read_text"]

_KINDS = (
    *("ptnet", "symmetricnet", "pt-net", "highlevelnet", "pt-hlpng"),
    # Those of other tools for place/transition nets; the last two are `P/T net` and none.
    *("pnmlcoremodel", "ptnetb", "t net", ""),
)
"""The last part of the types of nets that may be read."""


def read(path: str, *, labels: Labels | None = None, net: str | None = None) -> Net:
    """Read a net in PNML, which may be compressed by gzip. If the file contains several nets, `net`
    is the identifier of the net to read.

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
    root.children = [child for child in root.children if child.name != "net" or child is chosen]
    refuse_unknown(root, TABLE)
    _remark_unread(root, file)
    return _Reader(chosen, file, labels).net()


_OF_TAPAAL = ("query", "constant", "shared-place", "shared-transition", "inputArc", "transportArc")

_NAMED = 20
"""The most nets of a file that an error names."""


def _chosen(root: Element, identifier: str | None) -> Element:
    """Return the net of a file with this identifier, by default its only one."""
    nets = root.all("net")
    found = [net for net in nets if identifier in (None, net.attributes.get("id", ""))]
    if len(found) == 1:
        return found[0]
    names = [net.attributes.get("id", "")[:QUOTED] for net in nets]
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
    """Warn once about elements that are known and left out; raise `Unsupported` for those that may
    have an effect."""
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
class _Reader:
    root: Element
    file: str
    labels: Labels | None
    declarations: NetDeclarations = field(default_factory=NetDeclarations)
    references: dict[str, str] = field(default_factory=dict)

    @property
    def terms(self) -> NetTerms:
        return NetTerms(self.declarations)

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
                self.declarations.add(declaration)
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
        arcs = {i: Arcs() for i, e in elements.items() if e.name == "transition"}
        for element in arcs_read.values():
            self.arc(element, places, arcs)
        transitions = [self.transition(elements[identifier], of) for identifier, of in arcs.items()]
        if not places:
            raise self.root.error(FormatError, "the net has no places")
        used = [
            sort
            for sort in self.declarations.sorts.values()
            if isinstance(sort, Class) and len(sort) > 1
        ]
        name = self.root.attributes.get("id", "net")
        of_label = labelled(transitions, [elements[identifier] for identifier in arcs], self.labels)
        finals = tuple(final_markings(self.root, places, self.end))
        return Net(name, self.file, places, of_label, tuple(dict.fromkeys(used)), finals)

    def place(self, element: Element) -> Place:
        kind = structure_of(element.find("type"))
        sort = DOT if kind is None else self.declarations.sort(kind.only())
        return Place(element.the("id"), sort, initial_marking(element, sort, self.terms))

    def arc(self, element: Element, places: dict[str, Place], arcs: dict[str, Arcs]) -> None:
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
        arcs[transition].add(element, place, self.terms, takes=takes)

    def end(self, element: Element, attribute: str) -> str:
        name, seen = element.the(attribute), 0
        while name in self.references:
            name = self.references[name]
            seen += 1
            if seen > len(self.references):
                raise element.error(SpecificationError, "references go round in a circle")
        return name

    def transition(self, element: Element, arcs: Arcs) -> Transition:
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
        structure = structure_of(element.find("condition"))
        guard: Condition = Truth(True)
        if structure is not None:
            guard = self.terms.condition(structure.only())
        used = variables_of(guard)
        for arc in (*arcs.takes, *arcs.puts, *arcs.reads):
            used |= variables_of(arc.term)
        return Transition(
            identifier,
            tuple(v for v in self.declarations.variables.values() if v in used),
            guard,
            # Tokens that are read are taken and put back.
            (*arcs.takes, *arcs.reads),
            (*arcs.puts, *arcs.reads),
            element.line,
            label=identifier,
            inhibitors=tuple(arcs.inhibitors),
            resets=tuple(dict.fromkeys(arcs.resets)),
        )
