"""Terms of formulas on a specification in muCRL: its sorts and functions, typed when read.

Besides there are operators, in the priorities of mCRL2: `==` and `!=` compare values of every sort,
others are about numbers of the library, and truth values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from lts import _engine
from lts.errors import SpecificationError
from lts.logic.nodes import DataTerm
from lts.logic.specification_data import as_data
from lts.logic.terms.text import Around, Given, TextTerms, sort_of
from lts.mcrl2.text import data_tree as tree
from lts.specification.signature import Signature
from lts.specification.specification import Application, Function, Specification, Variable
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Source

if TYPE_CHECKING:
    from lts.mucrl.static.terms import Resolver

__all__ = ["ResolvedTerms"]

_JOINED = ("!", "&&", "||", "=>")
_COMPARED = ("<", "<=", ">", ">=")


class ResolvedTerms(TextTerms):
    """Reads the terms of one formula, see `lts.logic.terms.text.TermReader`."""

    is_typed = True

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self._resolver: Resolver | None = None

    @cached_property
    def symbols(self) -> Signature:
        """The numbers of its functions."""
        return Signature(self.specification)

    @cached_property
    def engine(self) -> _engine.Data:
        """Its data in the engine, which values are terms of."""
        return self.symbols.data()

    def arguments(self, name: str, begin: int, end: int, around: Around) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)` behind the name of an action, of the sorts it takes."""
        found = self.all(begin, end, around)
        self._check_action(name, begin - len(name), found, around)
        return found

    def values(
        self, begin: int, end: int, slots: Sequence[int], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of `(term, ..)`, the values of variables."""
        found = self.all(begin, end, around)
        for term, slot in zip(found, slots, strict=False):
            self._expect(term, sort_of(around, slot), around)
        return found

    def condition(self, begin: int, end: int, around: Around) -> DataTerm:
        """Return the term of `(b)`, which says what is true."""
        return self._expect(super().condition(begin, end, around), "Bool", around)

    def term(self, begin: int, end: int, sort: str, around: Around) -> DataTerm:
        """Return a term of a sort; if that is empty, of whatever sort."""
        if sort == "Nat":
            self._need_numbers(begin, around)
        found = super().term(begin, end, sort, around)
        return self._expect(found, sort or found.sort, around)

    def offers(
        self, name: str, at: int, parts: Sequence[tuple[int, int] | int | None], around: Around
    ) -> tuple[DataTerm, ...]:
        """Return the terms of an action whose arguments are terms, variables, or anything."""
        found = super().offers(name, at, parts, around)
        self._check_action(name, at, found, around)
        return found

    def parameters(
        self, begin: int, end: int, around: Around
    ) -> list[tuple[str, int, str, DataTerm]]:
        """Return name, place, sort and first value of each parameter of `(n:Nat = 0, ..)`."""
        found = super().parameters(begin, end, around)
        for _, at, sort, value in found:
            self._expect(value, self._declared(sort, at, around), around)
        return found

    def sort(self, begin: int, end: int, around: Around) -> str:
        """Return the sort that a part of the text is, which is declared."""
        return self._declared(super().sort(begin, end, around), begin, around)

    # What terms are made of.

    def variable(self, slot: int, at: int, around: Around) -> DataTerm:
        """Return a variable of the formula."""
        return DataTerm("slot", (), slot, at, sort_of(around, slot))

    def number(self, digits: str, at: int, around: Around) -> DataTerm:
        """Return a number, or a constant that is called so."""
        return self.called(digits, (), at, around)

    def called(self, name: str, parts: tuple[DataTerm, ...], at: int, around: Around) -> DataTerm:
        """Return a function of terms: the one of this name that takes their sorts."""
        function = self._functions.get((name, tuple([part.sort for part in parts])))
        if function is not None:
            return as_data(function, parts, at)
        number = None if parts else self.specification.parameters.get(name)
        if number is not None:
            self._need_numbers(at, around)
            if number < 0:
                return self.operation(
                    "negative", (self.number(str(-number), at, around),), at, around
                )
        found = None if parts else self._constant(name)
        if found is None:
            found = self._resolved(name, parts, at, around)
        return _whole(found, at)

    @cached_property
    def _functions(self) -> dict[tuple[str, tuple[str, ...]], Function]:
        return {(f.name, f.arguments): f for f in self.specification.functions}

    def _constant(self, name: str) -> Application | None:
        """Return a number, a parameter of the text, or what is true or false in all languages."""
        of = self.specification
        if name in ("true", "false"):
            return of.true if name == "true" else of.false
        return of.numeral(str(of.parameters.get(name, name)))

    def _resolved(
        self, name: str, parts: tuple[DataTerm, ...], at: int, around: Around
    ) -> Application:
        """Return what the text itself would have here: successors of zero, if anything."""
        from lts.mucrl.text.tree import Term

        resolver, source = self._in(around), Source(around.text, around.file)
        places = tuple(Term(Name.at("", source.place(part.at))) for part in parts)
        whole = Term(Name.at(name, source.place(at)), places)
        scope: dict[str, Variable | None] = {one: None for one in around.data if around.data[one]}
        if parts:
            found = resolver.application(whole, [Variable("", p.sort) for p in parts], scope)
        else:
            found = resolver.leaf(whole, scope)
        resolver.declared.report.raise_errors()
        assert isinstance(found, Application)
        return found

    def operation(
        self, operator: str, parts: tuple[DataTerm, ...], at: int, around: Around
    ) -> DataTerm:
        """Return an operator and its parts, which have the sorts that it is for."""
        sort = "Bool"
        if operator in ("==", "!="):
            one, other = (part.sort for part in parts)
            if one != other:
                _wrong(around, at, f"`{operator}` compares `{one}` and `{other}`")
        elif operator in _JOINED:
            for part in parts:
                self._expect(part, "Bool", around)
        else:
            for part in parts:
                self._need_numbers(part.at, around)
                self._expect(part, "Nat", around)
            sort = "Bool" if operator in _COMPARED else "Nat"
        return DataTerm(operator, parts, "", at, sort)

    def other(self, node: tree.Data, given: Given, at: int, around: Around) -> DataTerm:
        """Raise the error that a text in muCRL has no such terms."""
        self.refuse(node, around)

    def _in(self, around: Around) -> Resolver:
        # What only errors need, and numbers that are none of the library.
        from lts.mucrl.static.declarations import Declarations
        from lts.mucrl.static.terms import Resolver
        from lts.mucrl.text.parser import parse

        if self._resolver is None:
            declared = Declarations(parse(self.specification.source), self.specification.strict)
            declared.report = Report(Source(around.text, around.file))
            self._resolver = Resolver(declared)
            self._resolver.numbers = self.specification.numbers
        return self._resolver

    def _declared(self, sort: str, at: int, around: Around) -> str:
        """Return a sort, which has to be declared."""
        if sort in self.specification.sorts:
            return sort
        declared = self._in(around).declared
        declared.sort(Name.at(sort, Source(around.text, around.file).place(at)))
        declared.report.raise_errors()
        return sort

    def _need_numbers(self, at: int, around: Around) -> None:
        if "Nat" not in self.specification.numbers:
            _wrong(around, at, "the specification has no numbers")

    def _expect(self, term: DataTerm, wanted: str, around: Around) -> DataTerm:
        if term.sort != wanted:
            message = f"a term of sort `{wanted}` is expected, this has sort `{term.sort}`"
            _wrong(around, term.at, message)
        return term

    def _check_action(
        self, name: str, at: int, terms: tuple[DataTerm, ...], around: Around
    ) -> None:
        """Check that an action takes arguments of these sorts; one that is not declared is told
        elsewhere."""
        takes = sorted(a.sorts for a in self.specification.actions if a.name == name)
        sorts = tuple(term.sort for term in terms)
        if takes and not any(_fit(terms, wanted) for wanted in takes):
            shown = " or ".join(f"({','.join(own)})" if own else "nothing" for own in takes)
            place = terms[0].at if terms and terms[0].operator != "any" else at
            _wrong(around, place, f"`{name}` takes {shown}, not ({','.join(sorts)})")


def _wrong(around: Around, at: int, message: str) -> NoReturn:
    """Raise what is wrong with a term, at a place of the formula."""
    source = Source(around.text, around.file)
    raise source.error(SpecificationError, message, source.place(at))


def _whole(term: Application, at: int) -> DataTerm:
    """Return a constant as formulas have it; a number may be successors of zero."""
    inner = [_whole(part, at) for part in term.arguments if isinstance(part, Application)]
    return as_data(term.function, tuple(inner), at)


def _fit(terms: Sequence[DataTerm], wanted: Sequence[str]) -> bool:
    """Whether arguments have the sorts that an action takes; anything is of every sort."""
    return len(terms) == len(wanted) and all(
        term.operator == "any" or term.sort == sort
        for term, sort in zip(terms, wanted, strict=True)
    )
