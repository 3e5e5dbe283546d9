"""Closed terms of a specification, parsed from text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Specification
from lts.specification.terms import identity, numeral
from lts.specification.values import Values
from lts.symmetry.permutation.notation import Element, Permutation, Structure, parse_structure

__all__ = ["as_printed", "closed_term"]


def closed_term(
    declared: Specification | LinearProcess, text: str, sort: str | None = None
) -> Application | None:
    """Return the closed term that a text denotes; None if it is not a term or uses an undeclared
    function.

    Functions written as tables of their values, and values that contain identities, which are
    printed as numbers, can only be resolved if `sort` is given.
    """
    specification = declared.specification if isinstance(declared, LinearProcess) else declared
    if sort is not None and specification.identities:
        value = Values(specification).value(text, sort)
        if value is not None:
            return value
    structure = parse_structure(text)
    if structure is not None:
        return _resolve(declared, structure)
    if sort is None:
        return None
    values = Values(specification)
    return values.value(text, sort) if values.has_tables(sort) else None


def _resolve(declared: Specification | LinearProcess, structure: Structure) -> Application | None:
    """Resolve a closed term; None if some function is not declared."""
    known = list(declared.functions)
    if isinstance(declared, LinearProcess):
        specification = declared.specification
        known += specification.functions
    else:
        specification = declared
    functions = {(f.name, f.arguments): f for f in known}
    terms: list[Application] = []
    for part, _ in structure.inside_out():
        count = len(part.parts)
        if count == 1 and part.name in specification.identities:
            [digits] = part.parts
            if numeral(digits.name) is None:
                return None
            terms[-1] = identity(int(digits.name), part.name)
            continue
        arguments = tuple(terms[len(terms) - count :])
        del terms[len(terms) - count :]
        function = functions.get((part.name, tuple(argument.sort for argument in arguments)))
        if function is None:
            number = None if arguments else specification.numeral(part.name)
            if number is None and not arguments and specification.identities:
                number = numeral(part.name)
            if number is None:
                return None
            terms.append(number)
        else:
            terms.append(Application(function, arguments))
    return terms[0]


def as_printed(
    specification: Specification, permutations: Sequence[Permutation]
) -> tuple[Permutation, ...]:
    """Return permutations with numbers as they occur in labels: `2` for `S(S(0))`."""
    if "Nat" not in specification.numbers:
        return tuple(permutations)
    successor = specification.numbers["Nat"].constructors[1].name

    def element(given: Element) -> Element:
        structure = None if given.quoted else parse_structure(given.text)
        if structure is None:
            return given
        printed: list[Structure] = []
        for part, _ in structure.inside_out():
            count = len(part.parts)
            parts = tuple(printed[len(printed) - count :])
            del printed[len(printed) - count :]
            if part.name == successor and count == 1 and specification.numeral(parts[0].name):
                printed.append(Structure(str(int(parts[0].name) + 1)))
            else:
                printed.append(Structure(part.name, parts))
        return Element(str(printed[0]))

    return tuple(
        replace(
            one,
            cycles=tuple(tuple(map(element, cycle)) for cycle in one.cycles),
            fixed=tuple(map(element, one.fixed)),
        )
        for one in permutations
    )
