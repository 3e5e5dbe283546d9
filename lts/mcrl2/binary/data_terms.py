"""Typed terms as the terms of a file.

A value is the normal form that mCRL2 has for it: numbers in machine words, finite sets in order,
complements and comprehensions by `@set`, functions by `lambda` and updates. Terms in equations are
those of a specification before it is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from lts.mcrl2.binary.builder import Builder
from lts.mcrl2.binary.maker import Maker, Unwritable
from lts.mcrl2.data.sort_names import is_container, is_function, signature
from lts.mcrl2.static.sorts import Sorts
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.tokens import NAME, SORTS
from lts.mcrl2.text.tree import Specification as Tree
from lts.specification.generators import run
from lts.specification.specification import Rule, Specification
from lts.specification.terms import Application, Function, Term, variables_of
from lts.text.names import Name
from lts.text.report import Report

__all__ = ["DataTerms"]

_IDENTITY = re.compile(rf"{NAME}(?:\.[A-Za-z_0-9']+)+")
"""In the name of a sort, a sort of identities, which are numbers in the text."""


class DataTerms:
    """Converts sorts and terms of a specification."""

    def __init__(self, builder: Builder, specification: Specification, text: Tree) -> None:
        self.builder = builder
        self.specification = specification
        self.sorts = Sorts(text.sorts, Report(text.source))
        self.aliases = {
            str(alias.name): alias.sort for alias in text.sorts if alias.sort is not None
        }
        self._trees: dict[str, tree.Sort] = {}
        self._added: set[str] = set()
        self.functions: dict[tuple[str, int], list[tuple[tuple[tree.Sort, ...], tree.Sort]]] = {}
        """The sorts of arguments and result of the declared functions, by name and number of
        arguments."""
        for declared in text.functions:
            sort = self.resolved(declared.sort)
            if isinstance(sort, tree.Function):
                self._declare(str(declared.name), sort.arguments, sort.result)
            else:
                self._declare(str(declared.name), (), sort)
        for action in text.actions:
            for sort in action.sorts:
                self.name(sort)
        self._declare_structures()
        self._sorts: dict[int, tuple[tree.Sort, int]] = {}
        self.known: dict[tuple[int, int], tuple[Term, int]] = {}
        """The terms of values without variables, by the identity of the value and the sort."""

    def _declare(self, name: str, sorts: tuple[tree.Sort, ...], result: tree.Sort) -> None:
        self.functions.setdefault((name, len(sorts)), []).append((sorts, result))

    def add_sort(self, name: str) -> None:
        """Add a sort that the text does not declare."""
        self._added.add(name)
        self._trees[name] = tree.SortName(Name.at(name, (1, 1)))

    def add_function(self, function: Function) -> None:
        """Add a function that the text does not declare; raise `Unwritable`."""
        sorts = tuple(map(self.of_name, function.arguments))
        self._declare(function.name, sorts, self.of_name(function.sort))

    def _declare_structures(self) -> None:
        known = 0
        structures = self.sorts.structures
        while known < len(structures):
            # Names of fields may be those of further structures.
            for name, structure in [*structures.items()][known:]:
                known += 1
                own: tree.Sort = structure
                if name in self.sorts.declared:
                    own = tree.SortName(self.sorts.declared[name].name)
                self._trees[name] = own
                truth = tree.SortName(Name.at("Bool", structure.place))
                for made in structure.constructors:
                    fields = tuple(of for _, of in made.projections)
                    self._declare(str(made.name), fields, own)
                    for projection, of in made.projections:
                        self.name(of)
                        if projection is not None:
                            self._declare(str(projection), (own,), of)
                    if made.recogniser is not None:
                        self._declare(str(made.recogniser), (own,), truth)

    # Sorts.

    def resolved(self, sort: tree.Sort) -> tree.Sort:
        """Return a sort without the aliases that stand for it, other than names of structures."""
        while isinstance(sort, tree.SortName):
            of = self.aliases.get(str(sort.name))
            if of is None or isinstance(of, tree.StructuredSort):
                return sort
            sort = of
        return sort

    def name(self, sort: tree.Sort) -> str:
        """Return the name that a sort has in a typed specification."""
        if isinstance(sort, tree.SortName) and str(sort.name) in self._added:
            return str(sort.name)
        found = self.sorts.resolve(sort)
        assert found is not None, "the specification was checked"
        return found

    def sort(self, sort: tree.Sort, *, whole: bool = False) -> int:
        """Return the term of a sort; with `whole`, a structure is not abbreviated to its name."""
        if whole:
            return self._sort(sort)
        if id(sort) not in self._sorts:
            self._sorts[id(sort)] = sort, self._sort(self._named(self.resolved(sort)))
        return self._sorts[id(sort)][1]

    def _named(self, sort: tree.Sort) -> tree.Sort:
        """Return the name of a structure that is declared with one."""
        if isinstance(sort, tree.StructuredSort):
            declared = self.sorts.declared.get(self.name(sort))
            return sort if declared is None else tree.SortName(declared.name)
        return sort

    def _sort(self, sort: tree.Sort) -> int:
        builder = self.builder
        match sort:
            case tree.SortName(name):
                return builder.sort(str(name))
            case tree.Container(name, element):
                return builder.container(str(name), self.sort(element))
            case tree.Function(arguments, result):
                return builder.arrow(map(self.sort, arguments), self.sort(result))
            case tree.StructuredSort(constructors):
                return builder.term(
                    "SortStruct", builder.listed(map(self._constructor, constructors))
                )
        raise AssertionError(sort)

    def _constructor(self, one: tree.Constructor) -> int:
        builder = self.builder
        fields = (
            builder.term("StructProj", builder.term(str(of or "")), self.sort(inner))
            for of, inner in one.projections
        )
        name, recogniser = builder.term(str(one.name)), builder.term(str(one.recogniser or ""))
        return builder.term("StructCons", name, builder.listed(fields), recogniser)

    def of_name(self, name: str) -> tree.Sort:
        """Return the sort with this name in a typed specification."""
        if name not in self._trees:
            self._trees[name] = self._of_name(name)
        return self._trees[name]

    def _of_name(self, name: str) -> tree.Sort:
        at = (1, 1)
        if is_container(name):
            kind, _, inner = name[:-1].partition("(")
            return tree.Container(Name.at(kind, at), self.of_name(inner))
        if is_function(name):
            arguments, result = signature(name)
            return tree.Function(tuple(map(self.of_name, arguments)), self.of_name(result), at)
        if name in SORTS or name in self.sorts.declared:
            return tree.SortName(Name.at(name, at))
        raise Unwritable(name)

    def fits(self, typed: str, sort: tree.Sort) -> bool:
        """Whether a sort of the text has this name in the specification, where some numbers may be
        identities."""
        name = self.name(sort)
        if "." not in typed:
            return name == typed
        pattern = _IDENTITY.split(typed)
        return re.fullmatch("(?:Pos|Nat|Int)".join(map(re.escape, pattern)), name) is not None

    # Terms.

    def value(self, value: Term, sort: tree.Sort) -> int:
        """Return the term of a value of a sort, which has no variables; a value without a
        counterpart in mCRL2 is a constant, whose name is its text."""
        try:
            made: int = run(Maker(self, is_value=True).made(value, sort))
        except Unwritable:
            made = self.builder.constant(str(value), self.sort(sort))
        return made

    def equation(self, rule: Rule, variables: Iterable[tree.Variable]) -> list[int]:
        """Return variables, condition and sides of an equation; raise `Unwritable`."""
        declared = {str(declaration.name): declaration.sort for declaration in variables}
        builder = self.builder
        maker = Maker(self, is_value=False)
        terms = [term for term in (rule.left, rule.condition, rule.right) if term is not None]
        listed = []
        order = {name: place for place, name in enumerate(declared)}
        occurring = dict.fromkeys(v for term in terms for v in variables_of(term))
        for variable in sorted(occurring, key=lambda v: order.get(v.name, len(order))):
            sort = declared.get(variable.name)
            listed.append(maker.bind(variable, sort or self.of_name(variable.sort)))
        of = self.result(rule.left)
        left: int = run(maker.made(rule.left, of))
        right: int = run(maker.made(rule.right, of))
        truth = self.of_name("Bool")
        condition = builder.constant("true", self.sort(truth))
        if rule.condition is not None:
            condition = run(maker.made(rule.condition, truth))
        return [builder.listed(listed), condition, left, right]

    def result(self, term: Application) -> tree.Sort:
        """Return the sort of a term by the declaration of its function."""
        found = self.declared(term.function)
        return self.of_name(term.sort) if found is None else found[1]

    def declared(self, function: Function) -> tuple[tuple[tree.Sort, ...], tree.Sort] | None:
        """Return the sorts of the declaration of a function."""
        for sorts, result in self.functions.get((function.name, len(function.arguments)), ()):
            typed = (*function.arguments, function.sort)
            if all(map(self.fits, typed, (*sorts, result))):
                return sorts, result
        return None

    @cached_property
    def rules(self) -> Mapping[str, list[Rule]]:
        """The rules that define what the specification generates: quantifiers, sets, `whr`."""
        found: dict[str, list[Rule]] = {}
        for rule in self.specification.rules:
            if rule.left.function.name.startswith(("@exists ", "@set ", "@whr ")):
                found.setdefault(rule.left.function.name, []).append(rule)
        return found
