"""The markings of a net in PNML: numbers of tokens, multisets of colours, final markings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from lts.base.bounds import TOKENS
from lts.errors import FormatError, SpecificationError, Unsupported
from lts.petri.declarations import DOT, structure_of
from lts.petri.elements import QUOTED, Element
from lts.petri.net import Colour, Place, Sort, Term, variables_of
from lts.petri.terms import NetTerms

__all__ = ["final_markings", "initial_marking", "number_of_tokens"]

_TOKENS = re.compile(r"[0-9]+")

_MOST_DIGITS = 20
"""The most digits of a number, with leading zeros."""


def initial_marking(place: Element, sort: Sort, terms: NetTerms) -> dict[Colour, int]:
    """Return the initial number of tokens of each colour in a place of a sort, if it is not 0."""
    label = place.one_of("initialMarking", "hlinitialMarking")
    tokens: dict[Colour, int] = {}
    if label is not None and label.name == "hlinitialMarking":
        marking = structure_of(label)
        if marking is not None:
            term = terms.term(marking.only(), sort)
            tokens = dict(_evaluated(marking, term))
    elif label is not None:
        plain = label.one_of("text", "value")
        if plain is not None and plain.text.strip():
            if sort != DOT:
                raise plain.error(FormatError, "an initial marking of colours is a `structure`")
            tokens = {0: number_of_tokens(plain)}
    return {colour: number for colour, number in tokens.items() if number}


def final_markings(
    net: Element, places: Mapping[str, Place], identifier_of: Callable[[Element, str], str]
) -> Iterator[dict[str, int]]:
    """Yield the final markings, as ProM writes them; `identifier_of` resolves a reference."""
    found = net.find("finalmarkings")
    for marking in [] if found is None else found.all("marking"):
        tokens: dict[str, int] = {}
        for element in marking.all("place"):
            identifier = identifier_of(element, "idref")
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
            tokens[identifier] = 0 if text is None else number_of_tokens(text)
        yield tokens


def number_of_tokens(element: Element) -> int:
    """Return the number of tokens that an element contains as its text."""
    text = element.text.strip()
    if element.name == "value":
        # PIPE writes the kind of the tokens first, and `lts/petri/pnml.py` refuses several.
        text = text.removeprefix("Default,").strip()
    if not _TOKENS.fullmatch(text):
        raise element.error(FormatError, f"`{text[:QUOTED]}` is no number of tokens")
    if len(text) > _MOST_DIGITS or int(text) > TOKENS.default:
        raise _too_many(element)
    return int(text)


def _too_many(element: Element) -> Unsupported:
    return element.error(Unsupported, TOKENS.exceeded())


def _evaluated(element: Element, term: Term) -> dict[Colour, int]:
    if variables_of(term):
        raise element.error(SpecificationError, "an initial marking has no variables")
    try:
        found = dict(term.value({}))
    except SpecificationError as error:
        raise element.error(SpecificationError, error.message) from None
    if max(found.values(), default=0) > TOKENS.default:
        raise _too_many(element)
    return found
