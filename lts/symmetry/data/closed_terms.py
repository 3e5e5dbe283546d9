"""Closed terms of a specification, parsed from text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Specification
from lts.specification.terms import identity, numeral
from lts.specification.values import Values
from lts.symmetry.permutation.notation import Element, Permutation, Structure, parse_structure

__all__ = ["ClosedTerms", "as_printed"]


class ClosedTerms:
    """The closed terms of a specification or linear process."""

    def __init__(self, declared: Specification | LinearProcess) -> None:
        self.specification = (
            declared.specification if isinstance(declared, LinearProcess) else declared
        )
        self.functions = {(f.name, f.arguments): f for f in declared.functions}
        if isinstance(declared, LinearProcess):
            self.functions |= {(f.name, f.arguments): f for f in self.specification.functions}

    @cached_property
    def values(self) -> Values:
        """The values of the specification."""
        return Values(self.specification)

    def term(self, text: str, sort: str | None = None) -> Application | None:
        """Return the closed term that a text denotes; None if it is not a term or uses an
        undeclared function.

        Functions written as tables of their values, and values that contain identities, which are
        printed as numbers, can only be resolved if `sort` is given.
        """
        if sort is not None and self.specification.identities:
            value = self.values.value(text, sort)
            if value is not None:
                return value
        structure = parse_structure(text)
        if structure is not None:
            return self._resolve(structure)
        if sort is None:
            return None
        return self.values.value(text, sort) if self.values.has_tables(sort) else None

    def _resolve(self, structure: Structure) -> Application | None:
        """Resolve a closed term; None if some function is not declared."""
        specification = self.specification
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
            key = (part.name, tuple(argument.sort for argument in arguments))
            function = self.functions.get(key)
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
            permutation,
            cycles=tuple(tuple(map(element, cycle)) for cycle in permutation.cycles),
            fixed=tuple(map(element, permutation.fixed)),
        )
        for permutation in permutations
    )
