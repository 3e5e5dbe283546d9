"""Declarations and labels of a file to write, from a specification."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence

from lts.base.label_names import Named, normal, read_actions
from lts.errors import FormatWarning
from lts.mcrl2.binary.builder import Builder, FileDeclarations
from lts.mcrl2.binary.data_terms import DataTerms
from lts.mcrl2.binary.maker import Unwritable
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.constants import set_constants
from lts.mcrl2.text.tokens import NAME, SORTS
from lts.mcrl2.text.tree import Specification as Tree
from lts.mcrl2.trees import tree_of
from lts.specification.generators import Recursion, run
from lts.specification.label_terms import LabelTerms, TypedAction
from lts.specification.specification import Rule, Specification
from lts.specification.terms import NUMERAL, Term, Variable, functions_in, variables_of

__all__ = ["OfLabels", "actions_of"]

_NAME = re.compile(NAME)


class OfLabels:
    """The labels of a specification: their actions have the sorts of its declarations, and their
    arguments are the terms that mCRL2 has for these values."""

    def __init__(self, builder: Builder, labels: LabelTerms) -> None:
        self.builder, self.typed = builder, labels
        is_mcrl2 = labels.specification.communications is None
        of = OfMcrl2 if is_mcrl2 else OfMucrl
        self.of: OfMcrl2 | OfMucrl = of(builder, labels.specification)
        self.declared = self.of.declared
        if isinstance(self.of, OfMcrl2) and (left_out := self.of.left_out):
            lines = ", ".join(map(str, left_out[:5])) + (", .." if len(left_out) > 5 else "")
            message = f"the equations of these lines are left out of .lts files: {lines}"
            warnings.warn(message, FormatWarning, stacklevel=6)

    def labels(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """Return the arguments of the terms of those labels that the specification has."""
        found: dict[str, list[int]] = {}
        ambiguous = ""
        for text in texts:
            made = []
            for actions in self.typed.meanings.get(text, ()):
                terms = [self.of.action(action) for action in actions]
                if None not in terms:
                    made.append(self.builder.listed(term for term in terms if term is not None))
            if made:
                found[text] = [made[0], self.builder.untimed]
                ambiguous = ambiguous or (text if len({*made}) > 1 else "")
        if ambiguous:
            message = f"several labels of different sorts or forms have the text `{ambiguous}`"
            warnings.warn(f"{message}, and are one here", FormatWarning, stacklevel=6)
        return found

    def actions(self, needed: Iterable[Named]) -> dict[Named, int]:
        """Return the terms of actions of labels that were renamed or hidden in part."""
        found: dict[Named, int] = {}
        for name, given in needed:
            known = self.typed.actions.get((name, given))
            term = None if known is None else self.of.action(known)
            like = self.typed.given.get(given, ())
            if known is None and len(like) == 1:
                term = self.of.renamed(TypedAction(name, next(iter(like))))
            if term is not None:
                found[name, given] = term
        return found


class OfMcrl2:
    """The declarations of a specification in mCRL2, and its actions."""

    def __init__(self, builder: Builder, specification: Specification) -> None:
        self.builder, self.specification = builder, specification
        self.tree: Tree = tree_of(specification.source, ignores_time=specification.ignores_time)
        set_constants(self.tree, specification.parameters)
        self.terms = DataTerms(builder, specification, self.tree)
        self.left_out: list[int] = []
        """The lines of equations that have no counterpart."""
        self.declared = self._declarations()

    def _declarations(self) -> FileDeclarations:
        found, builder, terms = FileDeclarations(), self.builder, self.terms
        for one in self.tree.sorts:
            name = builder.term(str(one.name))
            if one.sort is None:
                found.sorts.append((b"SortId", [name]))
            else:
                sort = terms.sort(one.sort, whole=True)
                found.aliases.append((b"SortRef", [builder.sort(str(one.name)), sort]))
        for declared in self.tree.functions:
            section = found.constructors if declared.constructor else found.functions
            given = [builder.term(str(declared.name)), terms.sort(declared.sort)]
            section.append((b"OpIdNoIndex", given))
        found.actions = dict.fromkeys(
            builder.label(str(action.name), map(terms.sort, action.sorts))
            for action in self.tree.actions
        )
        rules = self.specification.rules[: len(self.tree.equations)]
        for rule, equation in zip(rules, self.tree.equations, strict=True):
            try:
                made = terms.equation(rule, equation.variables)
            except Unwritable:
                self.left_out.append(self.tree.source.line_number(equation.place[0]))
                continue
            found.equations.append((b"DataEqn", made))
        return found

    def action(self, action: TypedAction) -> int | None:
        """Return the term of an action that is declared."""
        sorts = self.sorts_of(action.name, action.sorts)
        return None if sorts is None else self._made(action, sorts)

    def sorts_of(self, name: str, sorts: Sequence[str]) -> Sequence[tree.Sort] | None:
        """Return the sorts that an action is declared with, given those of its arguments."""
        for action in self.tree.actions:
            is_named = str(action.name) == name and len(action.sorts) == len(sorts)
            if is_named and all(map(self.terms.fits, sorts, action.sorts)):
                return action.sorts
        return None

    def renamed(self, action: TypedAction) -> int | None:
        """Return the term of an action that has the arguments of a declared one."""
        try:
            sorts = [self.terms.of_name(sort) for sort in action.sorts]
        except Unwritable:
            return None
        self.declared.actions[self.builder.label(action.name, map(self.terms.sort, sorts))] = None
        return self._made(action, sorts)

    def _made(self, action: TypedAction, sorts: Iterable[tree.Sort]) -> int:
        sorts = [*sorts]
        values = map(self.terms.value, action.arguments, sorts)
        return self.builder.action(action.name, map(self.terms.sort, sorts), values)


class OfMucrl:
    """The declarations of a specification in muCRL, and its actions.

    A sort with the name of one of mCRL2 has an apostrophe. The numbers of the library are those of
    mCRL2, so that equations about how they are built are left out.
    """

    def __init__(self, builder: Builder, specification: Specification) -> None:
        self.builder, self.specification = builder, specification
        self.built = {f for of in specification.numbers.values() for f in of.constructors}
        self.names: dict[str, str] = {}
        """The names here of sorts that have others in the text."""
        for name in {*SORTS}.intersection(specification.sorts).difference(specification.numbers):
            self.names[name] = name
            while self.names[name] in {*SORTS, *specification.sorts}:
                self.names[name] += "'"
        self.declared = self._declarations()
        self._known: dict[int, tuple[Term, int]] = {}

    def sort(self, name: str) -> int:
        """Return a sort by its name."""
        return self.builder.sort(self.names.get(name, name))

    def _declarations(self) -> FileDeclarations:
        found, builder, of = FileDeclarations(), self.builder, self.specification
        for name in of.sorts:
            if name not in of.numbers:
                found.sorts.append((b"SortId", [builder.term(self.names.get(name, name))]))
        for function in of.functions:
            if function not in self.built and function.native != NUMERAL:
                section = found.constructors if function.constructor else found.functions
                result = self.sort(function.sort)
                if function.arguments:
                    result = builder.arrow(map(self.sort, function.arguments), result)
                section.append((b"OpIdNoIndex", [builder.term(function.name), result]))
        for rule in of.rules:
            if not self.built.intersection(functions_in((rule.left, *rule.results))):
                found.equations.append((b"DataEqn", self._equation(rule)))
        actions = sorted(of.actions, key=lambda action: (action.name, action.sorts))
        found.actions = dict.fromkeys(
            builder.label(action.name, map(self.sort, action.sorts)) for action in actions
        )
        return found

    def _equation(self, rule: Rule) -> list[int]:
        builder = self.builder
        terms = (rule.left, *rule.results)
        variables = dict.fromkeys(v for term in terms for v in variables_of(term))
        self._known = {}
        sides = [run(self._made(side)) for side in (rule.left, rule.right)]
        true = builder.constant("true", builder.sort("Bool"))
        return [builder.listed(map(self._variable, variables)), true, *sides]

    def _variable(self, variable: Variable) -> int:
        name = self.builder.term(variable.name)
        return self.builder.term("DataVarId", name, self.sort(variable.sort))

    def _made(self, term: Term) -> Recursion[int]:
        """Return the term of a term; each shared part is converted once."""
        if isinstance(term, Variable):
            return self._variable(term)
        if id(term) not in self._known:
            function, builder = term.function, self.builder
            given = []
            for argument in term.arguments:
                given.append(((yield self._made(argument)), self.sort(argument.sort)))
            if function.sort in self.specification.numbers and function.name.isdecimal():
                made = builder.number(int(function.name), "Nat")
            elif given:
                made = builder.applied(function.name, given, self.sort(term.sort))
            else:
                made = builder.constant(function.name, self.sort(term.sort))
            self._known[id(term)] = term, made
        return self._known[id(term)][1]

    def action(self, action: TypedAction) -> int | None:
        """Return the term of an action."""
        values = [run(self._made(argument)) for argument in action.arguments]
        return self.builder.action(action.name, map(self.sort, action.sorts), values)

    def renamed(self, action: TypedAction) -> int | None:
        """Return the term of an action that has the arguments of a declared one."""
        self.declared.actions[self.builder.label(action.name, map(self.sort, action.sorts))] = None
        return self.action(action)


def actions_of(label: str) -> list[Named] | None:
    """Return the actions of a label in order; None if it is not in the syntax of mCRL2."""
    found = sorted(read_actions(label), key=_shown)
    is_named = all(_NAME.fullmatch(name) and name != "tau" for name, _ in found)
    if is_named and normal("|".join(map(_shown, found))) == normal(label):
        return found
    return None


def _shown(action: Named) -> str:
    name, given = action
    return f"{name}({','.join(given)})" if given else name
