"""The static rules of mCRL2: from a syntax tree to a typed specification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lts.errors import Unsupported
from lts.mcrl2.data.finite import Values
from lts.mcrl2.data.library import Library
from lts.mcrl2.data.sort_names import element_of, is_bag, is_function, is_set
from lts.mcrl2.identities.naming import Identities
from lts.mcrl2.identities.parts import TypedParts
from lts.mcrl2.identities.split import identities_of, split
from lts.mcrl2.static.alphabets import check_renamings
from lts.mcrl2.static.declarations import Declarations
from lts.mcrl2.static.inference import Inference
from lts.mcrl2.static.processes import Processes
from lts.mcrl2.static.rules import Rules
from lts.mcrl2.text import tree
from lts.mcrl2.text.data_tree import place_of
from lts.specification import specification as typed
from lts.specification.alphabets import without_effect
from lts.text.uses import Uses

__all__ = ["Checker", "check", "numbers_in"]


def check(
    tree: tree.Specification,
    *,
    strict: bool = False,
    identities: Sequence[str] | None = None,
    uses: Uses | None = None,
) -> typed.Specification:
    """Resolve every name and check every static rule.

    With `strict`, a closed term that no equation matches is not a value. The numbers named by
    `identities` get sorts of their own; None stands for all numbers that are identities. `uses` is
    given the places of all names, also if there are errors. Raises `SpecificationError` with the
    place of each violation, and `Unsupported` for constructs of mCRL2 that are not supported here.
    """
    checker = Checker(tree, uses)
    parts = checker.parts()
    if identities is not None:
        parts = split(parts, identities or None)
    return checker.specification(parts, strict)


def numbers_in(tree: tree.Specification) -> tuple[Identities, ...]:
    """Return the classes of numbers in a specification; raises the same errors as `check`."""
    return identities_of(Checker(tree).parts())


class Checker:
    """Types equations and processes, then adds the rules of the predefined functions that they use.

    Raises all errors in the text. Afterwards, further terms can be typed with `inference`; these
    then belong to the `parts`, too.
    """

    def __init__(self, tree: tree.Specification, uses: Uses | None = None) -> None:
        self.tree = tree
        self.declared = Declarations(tree, uses)
        self.inference = Inference(self.declared)
        self.processes = Processes(self.inference)
        rules = Rules(self.inference)
        self.rules = [rules.rule(equation) for equation in self.tree.equations]
        distinguished = self.declared.values.distinguished
        for name, left in self.inference.binders.currying.mixed:
            if any(f.sort in distinguished for f in self.declared.functions.get(name, ())):
                continue
            message = (
                "a function that is applied to a different number of argument lists "
                "elsewhere is not supported"
            )
            self.declared.error(f"{message} on the left side", place_of(left), Unsupported)
        self.definitions = {
            name: (parameters, self.processes.body_of(definition, parameters, scope))
            for name, definition, parameters, scope in self.declared.headers
        }
        self.first = self._initial()
        check_renamings(self.declared, self.definitions, self.first)
        self.declared.sorts.remarks += without_effect(self.definitions, self.first, "block")
        self.inference.look_at_comparisons()
        self.declared.report.raise_errors()

    def parts(self) -> TypedParts:
        """Return the typed parts of the text and of everything typed since."""
        declared = self.declared
        closures = self.inference.binders.closures
        made = [
            rule for known in self.inference.binders.quantifiers.values() for rule in known.values()
        ]
        made += self.inference.binders.sets + self.inference.binders.wheres
        currying = self.inference.binders.currying
        made += currying.rules(self.inference.binders.value)
        of_text = [rule for rule in self.rules if rule is not None]
        return TypedParts(
            source=self.tree.source,
            functions={
                **{function: name.place for function, name in declared.all_functions().items()},
                **{rule.left.function: rule.place for rule in made},
                **dict.fromkeys(currying.next.values(), (1, 1)),
            },
            rules=(*of_text, *declared.structure_rules, *made),
            closures=closures,
            values=declared.values,
            structures=declared.structures,
            actions={
                action: name.place
                for overloads in declared.actions.values()
                for action, name in overloads.items()
            },
            definitions=self.definitions,
            initial=self.first,
            sorts=(*declared.sorts.used,),
            terms=(*self.inference.terms, *(term for rule in made for term in rule.results)),
            identities={},
        )

    def specification(self, parts: TypedParts, strict: bool) -> typed.Specification:
        """Return the specification with these parts, and the rules of the predefined functions that
        they use."""
        declared = self.declared
        library = Library(parts.functions, parts.structures, parts.values, parts.closures)
        for sort in parts.sorts:
            library.use_sort(sort)
        for term in parts.terms:
            library.use(term)
        library.complete()
        self.sorts_have_normal_forms(library.sorts, parts.values)
        self.complements_are_known(library, parts.values)
        # Equal functions in labels may have different normal forms, so they must not count as
        # values: whether actions can communicate would depend on the form.
        shown = {s for a in parts.actions for sort in a.sorts for s in parts.values.reached(sort)}
        return typed.Specification(
            source=self.tree.source,
            sorts=tuple(dict.fromkeys((*declared.sorts.names, *library.sorts))),
            functions=tuple(
                replace(f, native=None) if f.sort in shown and is_function(f.sort) else f
                for f in (*parts.functions, *library.functions)
            ),
            rules=(*parts.rules, *library.rules),
            actions=frozenset(parts.actions),
            communications=None,
            loose=True,
            definitions=parts.definitions,
            initial=parts.initial,
            parameters={},
            strict=strict,
            ignores_time=self.tree.ignores_time,
            remarks=declared.remarks,
            truth=("true", "false"),
            numbers=library.numbers,
            fractions=library.fractions,
            lists=library.lists,
            sets=library.sets,
            bags=library.bags,
            identities=parts.identities,
            closures={
                symbol: (closure.captured, closure.variables, closure.body)
                for symbol, closure in parts.closures.items()
            },
            tables={
                sort: arguments
                for sort in library.sorts
                if is_function(sort) and (arguments := parts.values.arguments(sort)) is not None
            },
        )

    def sorts_have_normal_forms(self, sorts: Iterable[str], values: Values) -> None:
        """Raise an error if there are sets or bags over a sort without a total order."""
        declared = self.declared
        for sort in sorts:
            if is_set(sort) or is_bag(sort):
                element = element_of(sort)
                if not values.is_ordered(element):
                    message = f"`{sort}` is not supported: values of `{element}` have no order"
                    place = declared.sorts.places.get(sort, self.tree.end)
                    declared.sorts.unsupported(message, place)
        declared.report.raise_errors()

    def complements_are_known(self, library: Library, values: Values) -> None:
        """Raise an error if it is unknown whether the complement of a finite set is infinite."""
        declared = self.declared
        for sort in [f.sort for f in library.functions if f.name == "@complement"]:
            element = element_of(sort)
            if values.all(element) is None and not values.is_infinite(element):
                message = f"`!` is not supported for `{sort}`: `{element}` has too many values"
                place = declared.sorts.places.get(sort, self.tree.end)
                declared.sorts.unsupported(message, place)
        declared.report.raise_errors()

    def _initial(self) -> typed.Process:
        if not self.tree.initial:
            self.declared.error("there is no `init`", self.tree.end)
        for _, place in self.tree.initial[1:]:
            self.declared.error("there is already an `init`", place)
        scope = self.declared.globals
        bodies = [self.processes.body(process, None, scope) for process, _ in self.tree.initial]
        return bodies[0] if bodies else typed.DELTA
