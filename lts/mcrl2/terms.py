"""Terms in another text, such as a formula, over the data of a specification.

They are parsed, typed and interpreted exactly like the terms of the specification itself.
Predefined functions that only they use are added to a specification with the same data, see
`Terms.specification`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from lts.errors import ParseError
from lts.mcrl2.data.symbols import function
from lts.mcrl2.static.check import Checker
from lts.mcrl2.static.declarations import Scope, declared_as
from lts.mcrl2.static.options import Typing, larger
from lts.mcrl2.text import data_tree, tree
from lts.mcrl2.text.constants import set_constants
from lts.mcrl2.text.data import data
from lts.mcrl2.text.tokens import MCRL2
from lts.mcrl2.trees import tree_of
from lts.specification import gc_pause
from lts.specification.processes import ActionName
from lts.specification.specification import Specification
from lts.specification.terms import Application, Term, Variable
from lts.text.names import Name
from lts.text.reader import Reader
from lts.text.report import Failed, Report
from lts.text.source import Place, Source
from lts.text.tokens import END, tokens
from lts.text.uses import Uses

__all__ = ["Terms", "closed_term"]

T = TypeVar("T")


def closed_term(specification: Specification, source: Source) -> tuple[Application, Specification]:
    """Return the term that a text consists of, and the specification's data with what it uses.

    Raises `ParseError`, `SpecificationError` or `Unsupported` with the place in the text.
    """
    report = Report(source)
    reader = Reader(tokens(source, report, MCRL2))
    report.raise_errors()
    try:
        node = data(reader)
        if reader.kind != END:
            raise reader.failed("an operator or the end")
    except Failed as error:
        raise source.error(ParseError, error.message, error.place) from None
    terms = Terms(specification, source)
    (found,) = terms.terms([node], [], {})
    assert isinstance(found, Application), "there are no variables around it"
    return found, terms.specification


class Terms:
    """Types parts of a text with the declarations of a specification.

    The text may begin with declarations of its own, which end at `declared`. All methods raise
    `ParseError`, `SpecificationError` or `Unsupported` with the place in that text.
    """

    def __init__(self, specification: Specification, source: Source, declared: int = 0) -> None:
        self.of = specification
        self.source = source
        own = tree_of(Source(source.text[:declared], source.file))
        with gc_pause.suspended():
            of = specification
            text = tree_of(of.source, ignores_time=of.ignores_time)
            set_constants(text, specification.parameters)
            # From here on, errors are errors in the other text.
            text.source, text.end = source, (1, 1)
            count = len(text.equations)
            self._add(own, text)
            self.checker = Checker(text)
        self.declared = self.checker.declared
        self.inference = self.checker.inference
        self.declared.report = self.declared.sorts.report = Report(source)
        self._refuse_others(own, count)
        for action in own.actions:
            # A repeated declaration refers to the same action.
            sorts = [self._resolved(self.declared.sorts.resolve(sort)) for sort in action.sorts]
            known = self.declared.actions[action.name]
            known.setdefault(ActionName(str(action.name), tuple(sorts)), action.name)

    def record(self, uses: Uses) -> None:
        """Give the places of variables to `uses`, from now on."""
        self.declared.uses = uses

    def _refuse_others(self, own: tree.Specification, count: int) -> None:
        """Raise an error for declarations that differ from those of the specification.

        `count` is the number of equations in the specification.
        """
        for variable in own.globals:
            sort = self._resolved(self.declared.sorts.resolve(variable.sort))
            known = self.declared.globals[variable.name]
            if known is not None and known.sort != sort:
                message = f"`{variable.name}` is a `{known.sort}` in the specification"
                self.declared.error(message, variable.name.place)
        rules = [rule for rule in self.checker.rules[:count] if rule is not None]
        defined = {rule.left.function for rule in rules}
        for rule in self.checker.rules[count:]:
            if rule is not None and rule.left.function in defined and rule not in rules:
                message = (
                    f"the specification has different equations for `{rule.left.function.name}`"
                )
                self.declared.error(message, rule.place)
        self.declared.report.raise_errors()

    def _add(self, own: tree.Specification, text: tree.Specification) -> None:
        """Add declarations to the specification's, except variables that it already has."""
        places = [d.name.place for d in own.definitions] + [place for _, place in own.initial]
        if places:
            message = "a formula cannot declare processes"
            raise self.source.error(ParseError, message, min(places))
        text.sorts += own.sorts
        text.functions += own.functions
        text.equations += own.equations
        known = {variable.name for variable in text.globals}
        text.globals += [variable for variable in own.globals if variable.name not in known]

    @cached_property
    def specification(self) -> Specification:
        """The specification's data with all that the terms use; it ends the typing of terms."""
        with gc_pause.suspended():
            return self.checker.specification(self.checker.parts(), self.of.strict)

    def sort(self, node: data_tree.Sort) -> str:
        """Return the sort that a text denotes."""
        return self._resolved(self.declared.sorts.resolve(node))

    def term(self, node: data_tree.Data, sort: str, scope: Mapping[str, Variable]) -> Term:
        """Return the term of this sort; a number may have a larger one."""
        return self._of_sort(self._typed(node, scope), sort)

    def terms(
        self, nodes: Sequence[data_tree.Data], sorts: Sequence[str], scope: Mapping[str, Variable]
    ) -> list[Term]:
        """Return terms of these sorts; those without an entry in `sorts` have their own sorts.

        A number may have a larger sort than required.
        """
        found = []
        for place, node in enumerate(nodes):
            typing = self._typed(node, scope)
            sort = sorts[place] if place < len(sorts) else typing.best
            found.append(self._of_sort(typing, sort))
        return found

    def fits(self, node: data_tree.Data, sort: str, scope: Mapping[str, Variable]) -> bool:
        """Whether a term is of this sort."""
        return self._typed(node, scope).fit(sort) is not None

    def arguments(
        self,
        name: Name,
        nodes: Sequence[data_tree.Data],
        scope: Mapping[str, Variable],
        *,
        more: bool = False,
    ) -> list[tuple[list[Term], tuple[str, ...]]]:
        """Return the arguments after the name of an action, with its sorts, for each declaration
        that they fit; with `more` it may have further sorts.

        They have their own sorts if there is no action of that name. Only if no declaration fits
        otherwise, a number of a larger sort than that of the action does, and is not converted.
        """
        parts = [self._typed(node, scope) for node in nodes]
        overloads = self.declared.actions.get(name, {})
        count = len(parts)
        known = {a: a.sorts[:count] if more else a.sorts for a in overloads}
        as_many = sorted(a.sorts for a, first in known.items() if len(first) == count)

        def fits(sorts: Sequence[str], *, also_larger: bool) -> bool:
            pairs = zip(parts, sorts, strict=False)
            return all(
                one.fit(sort) is not None or (also_larger and larger(sort, one.best))
                for one, sort in pairs
            )

        fitting = [sorts for sorts in as_many if fits(sorts, also_larger=False)]
        fitting = fitting or [sorts for sorts in as_many if fits(sorts, also_larger=True)]
        if overloads and not fitting:
            shown = [(first, declared_as(action)) for action, first in known.items()]
            self.inference.mismatch("action", name, tuple(parts), shown)
            self.declared.report.raise_errors()
        if not overloads:
            fitting = [tuple(typed.best for typed in parts)]

        def built(sorts: Sequence[str]) -> list[Term]:
            return [
                self._built(typed, sort if typed.fit(sort) is not None else typed.best)
                for typed, sort in zip(parts, sorts, strict=False)
            ]

        return [(built(sorts), sorts) for sorts in fitting]

    def parameters(
        self,
        given: Sequence[tuple[Name, data_tree.Sort, data_tree.Data]],
        scope: Mapping[str, Variable],
    ) -> list[tuple[str, Term]]:
        """Return sort and initial value of each parameter of a fixed point."""
        found = []
        for _, of, value in given:
            sort = self._resolved(self.declared.sorts.resolve(of))
            found.append((sort, self._of_sort(self._typed(value, scope), sort)))
        return found

    def quantified(self, kind: str, variable: Variable, said: Term, at: Place) -> Term | None:
        """Return a quantified term, decided by the engine; None over a small sort.

        `kind` is `forall` or `exists`. The caller expands a quantifier over a small sort by itself.
        """
        if self.declared.values.all(variable.sort) is not None:
            return None
        word = Name.at(kind, at)
        found = self.inference.binders.said(word, (variable,), said)
        self.inference.terms.append(found)
        return found

    # Shared helpers.

    def _resolved(self, found: T | None) -> T:
        """Return a result; raise the reported errors, if any."""
        self.declared.report.raise_errors()
        assert found is not None
        return found

    def _typed(self, node: data_tree.Data, scope: Mapping[str, Variable]) -> Typing:
        around: Scope = {**self.declared.globals, **scope}
        return self._resolved(self.inference.typing(node, around))

    def _of_sort(self, typing: Typing, sort: str) -> Term:
        if typing.fit(sort) is not None or not larger(sort, typing.best):
            return self._made(self.inference.as_sort(typing, sort, "this"))
        of = typing.best
        made = Application(function(f"{of}2{sort}", (of,), sort), (self._built(typing, of),))
        self.inference.terms.append(made)
        return made

    def _built(self, typing: Typing, sort: str) -> Term:
        return self._made(self.inference.built(typing, sort))

    def _made(self, found: Term | None) -> Term:
        self.inference.look_at_comparisons()
        self.declared.report.raise_errors()
        assert found is not None
        return found
