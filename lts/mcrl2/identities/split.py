"""Gives numbers that are identities sorts of their own.

Nothing else changes: identities are the same numbers and are written in the same way.
`docs/algorithms/detection.md` proves that the system remains the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lts.mcrl2.data.finite import Values
from lts.mcrl2.data.functions import Closure
from lts.mcrl2.identities.classes import Tree, sort_of
from lts.mcrl2.identities.naming import Identities, chosen, classes, join
from lts.mcrl2.identities.parts import TypedParts
from lts.mcrl2.identities.uses import Uses, function_again
from lts.specification.generators import run
from lts.specification.terms import Function, Variable, identity
from lts.specification.traversal import terms_in

__all__ = ["identities_of", "split"]


def identities_of(parts: TypedParts) -> tuple[Identities, ...]:
    """Return all classes of numbers of a specification, identities and counts."""
    return tuple(classes(Uses(parts)).values())


def split(parts: TypedParts, names: Sequence[str] | None) -> TypedParts:
    """Return a specification in which the named identities, or all, have sorts of their own.

    Raises `SpecificationError` if a name is unknown, or is that of a count.
    """
    uses = Uses(parts)
    join(uses, names or ())
    selected = chosen(uses, classes(uses), names)
    if not selected:
        return parts
    for top, item in selected.items():
        top.name = item.name
    functions = {f: function_again(f, s) for f, s in uses.functions.items()}
    closures = {}
    for again in uses.closures:
        symbol, closure = again()
        assert isinstance(closure, Closure)
        closures[symbol] = closure
    initial = run(uses.initial())
    rules = [again() for again in uses.rules]
    definitions = {}
    for name, (variables, _) in parts.definitions.items():
        own = [Variable(v.name, sort_of(t))
               for v, t in zip(variables, uses.parameters[name], strict=True)]  # fmt: skip
        definitions[uses.process_name(name)] = tuple(own), run(uses.definitions[name]())
    terms = [term for rule in rules for term in (rule.left, *rule.results)]
    for body in (initial, *(body for _, body in definitions.values())):
        terms += terms_in(body)
    return replace(
        parts,
        functions={functions[f]: place for f, place in parts.functions.items()},
        rules=rules,
        closures=closures,
        values=_values(parts.values, functions, uses),
        structures={
            sort: tuple([functions[f] for f in own]) for sort, own in parts.structures.items()
        },
        actions={uses.action(action): place for action, place in parts.actions.items()},
        definitions=definitions,
        initial=initial,
        sorts=[*parts.sorts, *dict.fromkeys(map(sort_of, _trees(uses)))],
        terms=terms,
        identities={
            item.name: tuple([identity(number, item.name) for number in item.literals])
            for item in selected.values()
        },
    )


def _trees(uses: Uses) -> list[Tree]:
    """Return the trees of all declarations."""
    found = [tree for trees in uses.parameters.values() for tree in trees]
    found += [tree for trees in uses.actions.values() for tree in trees]
    for signature in uses.functions.values():
        found += [*signature.arguments, signature.result]
    return found


def _values(values: Values, functions: dict[Function, Function], uses: Uses) -> Values:
    """Return the values of sorts, where named classes are sorts."""
    made = Values(values.rewritten)
    for sort, constructors in values.constructors.items():
        made.constructors[sort] = tuple([functions[f] for f in constructors])
    made.predicates = {*values.predicates}
    for symbol, signature in uses.functions.items():
        if symbol.sort in values.predicates:
            made.predicates.add(sort_of(signature.result))
    return made
