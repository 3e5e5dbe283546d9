"""Closed terms of a specification, from their text."""

from __future__ import annotations

from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Specification
from lts.symmetry.permutation.notation import Structure, parse_structure

__all__ = ["closed_term", "resolve"]


def closed_term(declared: Specification | LinearProcess, text: str) -> Application | None:
    """Return the term that a text is; None if it is none, or some function is not declared."""
    structure = parse_structure(text)
    return None if structure is None else resolve(declared, structure)


def resolve(declared: Specification | LinearProcess, structure: Structure) -> Application | None:
    """Resolve a closed term; None if some function is not declared."""
    known = list(declared.functions)
    if isinstance(declared, LinearProcess):
        known += declared.specification.functions
    functions = {(f.name, f.arguments): f for f in known}
    terms: list[Application] = []
    for part, _ in structure.inside_out():
        count = len(part.parts)
        arguments = tuple(terms[len(terms) - count :])
        del terms[len(terms) - count :]
        function = functions.get((part.name, tuple(argument.sort for argument in arguments)))
        if function is None:
            return None
        terms.append(Application(function, arguments))
    return terms[0]
