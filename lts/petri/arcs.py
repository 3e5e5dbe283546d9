"""The arcs of a net in PNML: their kinds, in the notations of all tools, and their inscriptions."""

from __future__ import annotations

from dataclasses import dataclass, field

from lts.errors import FormatError, SpecificationError, Unsupported
from lts.petri.declarations import DOT, structure_of
from lts.petri.elements import QUOTED, Element
from lts.petri.markings import number_of_tokens
from lts.petri.net import Arc, Constant, Place, Term, Times, variables_of
from lts.petri.terms import NetTerms

__all__ = ["Arcs"]

_INHIBITOR, _READ, _RESET = "inhibitor", "read", "reset"

_KINDS_OF_ARCS = {
    "normal": "",
    "inhibitor": _INHIBITOR,
    "inhibit": _INHIBITOR,
    "read": _READ,
    "test": _READ,
    "reset": _RESET,
}
"""The kinds of arcs by the words of all tools; a normal arc has the empty kind."""


@dataclass(eq=False)
class Arcs:
    """The arcs of a transition, by their kinds and directions."""

    takes: list[Arc] = field(default_factory=list)
    puts: list[Arc] = field(default_factory=list)
    inhibitors: list[tuple[str, int]] = field(default_factory=list)
    resets: list[str] = field(default_factory=list)
    reads: list[Arc] = field(default_factory=list)

    def add(self, element: Element, place: Place, terms: NetTerms, *, takes: bool) -> None:
        """Add an arc from the place if it `takes` tokens, and to the place otherwise."""
        kind = _kind_of_arc(element)
        if kind and not takes:
            raise element.error(
                SpecificationError,
                f"an arc of the kind `{kind}` leads from a place to a transition",
            )
        label = element.one_of("inscription", "hlinscription")
        coloured = label is not None and label.name == "hlinscription"
        structure = structure_of(label) if coloured else None
        term: Term
        if structure is not None:
            term = terms.term(structure.only(), place.sort)
        else:
            if place.sort != DOT:
                raise element.error(FormatError, "an arc with colours needs an inscription")
            plain = None if label is None else label.one_of("text", "value")
            count = 1 if plain is None or coloured else number_of_tokens(plain)
            term = Times(count, Constant(0, DOT), DOT)
        arc = Arc(element.the("id"), place.identifier, term, element.line)
        if kind in (_INHIBITOR, _RESET):
            count = _plain_weight(element, kind, arc.term)
            if kind == _RESET:
                self.resets.append(place.identifier)
            else:
                self.inhibitors.append((place.identifier, count))
            return
        (self.reads if kind else self.takes if takes else self.puts).append(arc)


def _plain_weight(element: Element, kind: str, term: Term) -> int:
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


def _kind_of_arc(element: Element) -> str:
    """Return the kind of an arc, which all notations in it must agree on."""
    kinds = set()
    for kind in _kinds_in_all_notations(element):
        if kind not in _KINDS_OF_ARCS:
            raise element.error(Unsupported, f"arcs of the kind `{kind}` are not read")
        kinds.add(_KINDS_OF_ARCS[kind])
    if len(kinds) > 1:
        shown = " and ".join(f"`{kind or 'normal'}`" for kind in sorted(kinds))
        raise element.error(FormatError, f"an arc of the kinds {shown}")
    return kinds.pop() if kinds else ""


def _kinds_in_all_notations(element: Element) -> list[str]:
    """Return the kind of an arc in each notation that it uses; tools write it in four ways."""
    found = [element.attributes.get("type", "")]
    for label in element.all("type", "arctype"):
        text = label.find("text")
        found += [label.attributes.get("value", ""), label.text, "" if text is None else text.text]
    return [kind.strip()[:QUOTED] for kind in found if kind.strip()]
