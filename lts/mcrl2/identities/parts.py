"""The typed parts of a specification, before the rules of the predefined functions are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lts.mcrl2.data.finite import Values
from lts.mcrl2.data.functions import Closure
from lts.specification.processes import ActionName, Process, ProcessName
from lts.specification.specification import Rule
from lts.specification.terms import Application, Function, Term, Variable
from lts.text.source import Place, Source

__all__ = ["Definitions", "TypedParts"]

Definitions = Mapping[ProcessName, tuple[tuple[Variable, ...], Process]]
"""The parameters and bodies of the defined processes."""


@dataclass(frozen=True, slots=True)
class TypedParts:
    """The typed parts of a specification.

    `functions` are those of the text, with places, and those generated for it. `rules` are the
    text's equations, then those of its structured sorts, then those generated: for quantifiers,
    sets, and functions applied more than once. `closures` are the functions used as values. `terms`
    are further terms whose functions are used.
    """

    source: Source
    functions: Mapping[Function, Place]
    rules: Sequence[Rule]
    closures: Mapping[Function, Closure]
    values: Values
    structures: Mapping[str, tuple[Function, ...]]
    actions: Mapping[ActionName, Place]
    definitions: Definitions
    initial: Process
    sorts: Sequence[str]
    terms: Sequence[Term]
    identities: Mapping[str, tuple[Application, ...]]
