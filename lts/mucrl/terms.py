"""Terms in another text, such as a formula, over the data of a muCRL specification.

They have the syntax of mCRL2, restricted to what exists in muCRL; names are the specification's
sorts and functions, overloaded as in its own terms. In addition, `==` and `!=` compare values of
any sort; the other operators are those of the library's numbers and of the Booleans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from lts.errors import ParseError, SpecificationError
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.data import data, expressions, first_values, in_brackets
from lts.mcrl2.text.sorts import sort as read_sort
from lts.mcrl2.text.tokens import OTHERS
from lts.mucrl.static.declarations import Declarations
from lts.mucrl.static.terms import Resolver
from lts.mucrl.text.parser import parse
from lts.mucrl.text.tree import Term as Written
from lts.specification.specification import Specification
from lts.specification.terms import COMPUTED, Application, Function, Term, Variable
from lts.text.names import Name
from lts.text.reader import part
from lts.text.report import Report
from lts.text.source import Place, Source
from lts.text.uses import Uses

__all__ = ["Terms"]

_JOINED = ("!", "&&", "||", "=>")
_COMPARED = ("<", "<=", ">", ">=")
_CALCULATED = ("+", "-", "*", "div", "mod")

Scope = Mapping[str, Term]
Placed = tuple[Term, int]
"""A term, and the position in the text where it begins."""


class Terms:
    """Types parts of a text with the declarations of a specification.

    A part is given by its begin and end position in the text. All methods raise `ParseError` and
    `SpecificationError` with the place in that text.
    """

    def __init__(self, specification: Specification, source: Source, declared: int = 0) -> None:
        if declared:
            message = "declarations before `form` are for specifications in mCRL2"
            raise source.error(ParseError, message, (1, 1))
        self.specification = specification
        self.source = source
        self.functions = {(f.name, f.arguments): f for f in specification.functions}
        self.uses = Uses()
        self._resolver: Resolver | None = None

    def record(self, uses: Uses) -> None:
        """Give the places of variables to `uses`, from now on."""
        self.uses = uses

    def sort(self, begin: int, end: int) -> str:
        """Return the sort that this part of the text names."""
        return self._sort(part(self.source, (begin, end), read_sort, OTHERS))

    def term(self, begin: int, end: int, sort: str, scope: Scope) -> Placed:
        """Return the term, which must be of this sort."""
        node = part(self.source, (begin, end), data, OTHERS)
        if sort == "Nat":
            self._need_numbers(tree.place_of(node))
        return self._expected(node, self._made(node, scope), sort), self._at(node)

    def terms(self, begin: int, end: int, sorts: Sequence[str], scope: Scope) -> list[Placed]:
        """Return the terms of `(term, ..)`, of these sorts; further terms may have any sort."""
        nodes = part(self.source, (begin, end), in_brackets, OTHERS)
        found = [self._made(node, scope) for node in nodes]
        for node, term, sort in zip(nodes, found, sorts, strict=False):
            self._expected(node, term, sort)
        return [(term, self._at(node)) for node, term in zip(nodes, found, strict=True)]

    def fits(self, begin: int, end: int, sort: str, scope: Scope) -> bool:
        """Whether this part of the text is a term of this sort."""
        return self._made(part(self.source, (begin, end), data, OTHERS), scope).sort == sort

    def arguments(
        self, name: str, begin: int, end: int, scope: Scope, *, more: bool = False
    ) -> list[tuple[list[Placed], tuple[str, ...]]]:
        """Return the terms of `(term, ..)` after a name, with their sorts; an action's must match
        its sorts. With `more` they are `(term, ..`, and match its first sorts."""
        read = expressions if more else in_brackets
        nodes = part(self.source, (begin + more, end), read, OTHERS)
        found = [(self._made(node, scope), self._at(node)) for node in nodes]
        sorts = tuple(term.sort for term, _ in found)
        takes = sorted(a.sorts for a in self.specification.actions if a.name == name)
        fitting = [own for own in takes if (own[: len(sorts)] if more else own) == sorts]
        if takes and not fitting:
            shown = " or ".join(f"({','.join(own)})" if own else "nothing" for own in takes)
            message = f"`{name}` takes {shown}, not ({','.join(sorts)})"
            self._wrong(message, self.source.place(found[0][1]))
        return [(found, own) for own in fitting or [sorts]]

    def parameters(self, begin: int, end: int, scope: Scope) -> list[tuple[str, int, str, Term]]:
        """Return name, position, sort and initial value of each parameter of `(n: D = d, ..)`."""
        return [
            (str(name), self.source.at(name.place), sort, term)
            for name, of, value in part(self.source, (begin, end), first_values, OTHERS)
            for sort in [self._sort(of)]
            for term in [self._expected(value, self._made(value, scope), sort)]
        ]

    # Building terms from syntax trees.

    def _made(self, node: tree.Data, scope: Scope) -> Term:
        match node:
            case tree.Identifier(name) | tree.Number(name):
                if name not in scope:
                    return self._applied(name, (), (), scope)
                self.uses.variable(name)
                return scope[name]
            case tree.Application(tree.Identifier(name) | tree.Number(name), parts):
                terms = [self._made(one, scope) for one in parts]
                return self._applied(name, parts, terms, scope)
            case tree.Operation(operator, parts) if len(parts) == 1 + (operator != "!"):
                if operator in (*_JOINED, *_COMPARED, *_CALCULATED, "==", "!="):
                    terms = [self._made(one, scope) for one in parts]
                    return self._operation(str(operator), node, terms)
            case tree.Operation(operator, parts) if operator == "-":
                return self._operation("negative", node, [self._made(parts[0], scope)])
            case tree.Where(body, assigned):
                said = {str(name): self._made(one, scope) for name, one in assigned}
                return self._made(body, {**scope, **said})
        word, place = tree.described(node)
        self._wrong(
            f"{word} can be used only in terms for an mCRL2 specification", place, ParseError
        )

    def _applied(
        self, name: Name, parts: Sequence[tree.Data], terms: Sequence[Term], scope: Scope
    ) -> Term:
        """Return the function with this name and these argument sorts, applied to terms."""
        function = self.functions.get((name, tuple([term.sort for term in terms])))
        if function is not None:
            self.uses.use(name, ("function", str(name), function.arguments))
            return Application(function, tuple(terms))
        of, number = self.specification, None
        if not parts:
            if name in ("true", "false"):
                return of.true if name == "true" else of.false
            value = of.parameters.get(name)
            if value is not None:
                self._need_numbers(name.place)
            number = of.numeral(str(abs(value)) if value is not None else name)
            if number is not None and value is not None and value < 0:
                return Application(_operator("negative", ("Nat",), "Nat"), (number,))
        return self._resolved(name, parts, terms, scope) if number is None else number

    def _resolved(
        self, name: Name, parts: Sequence[tree.Data], terms: Sequence[Term], scope: Scope
    ) -> Term:
        """Resolve a name as the specification itself does: expand numerals, or raise an error."""
        resolver = self._resolving
        places = tuple(Written(Name.at("", tree.place_of(one))) for one in parts)
        around: dict[str, Variable | None] = dict.fromkeys(scope)
        whole, found = Written(name, places), None
        if parts:
            found = resolver.application(whole, [*terms], around)
        else:
            found = resolver.leaf(whole, around)
        resolver.declared.report.raise_errors()
        assert found is not None
        return found

    def _operation(self, operator: str, node: tree.Operation, terms: Sequence[Term]) -> Term:
        """Return the application of an operator, whose operands must have suitable sorts."""
        wanted = sort = "Bool"
        if operator in ("==", "!="):
            one, other = (term.sort for term in terms)
            if one != other:
                message = f"`{operator}` compares different sorts, `{one}` and `{other}`"
                self._wrong(message, tree.place_of(node))
            wanted = one
        elif operator not in _JOINED:
            self._need_numbers(tree.place_of(node))
            wanted, sort = "Nat", "Bool" if operator in _COMPARED else "Nat"
        for inner, term in zip(node.operands, terms, strict=True):
            self._expected(inner, term, wanted)
        return Application(_operator(operator, (wanted,) * len(terms), sort), tuple(terms))

    @property
    def _resolving(self) -> Resolver:
        # Names are resolved by the static checks of the text itself, to give their error messages.
        if self._resolver is None:
            declared = Declarations(parse(self.specification.source), self.specification.strict)
            declared.report = Report(self.source)
            self._resolver = Resolver(declared)
            self._resolver.numbers = self.specification.numbers
        return self._resolver

    def _sort(self, node: tree.Sort) -> str:
        """Return the name of a declared sort."""
        if not isinstance(node, tree.SortName):
            self._wrong("a sort in muCRL must be a name", tree.place_of_sort(node))
        if node.name not in self.specification.sorts:
            self._resolving.declared.sort(node.name)
            self._resolving.declared.report.raise_errors()
        return str(node.name)

    def _expected(self, node: tree.Data, term: Term, sort: str) -> Term:
        if term.sort != sort:
            message = f"expected a term of sort `{sort}`, found one of sort `{term.sort}`"
            self._wrong(message, tree.place_of(node))
        return term

    def _need_numbers(self, place: Place) -> None:
        if "Nat" not in self.specification.numbers:
            self._wrong("the specification has no numbers", place)

    def _at(self, node: tree.Data) -> int:
        return self.source.at(tree.place_of(node))

    def _wrong(
        self,
        message: str,
        place: Place,
        kind: type[ParseError | SpecificationError] = SpecificationError,
    ) -> NoReturn:
        raise self.source.error(kind, message, place)


def _operator(name: str, sorts: tuple[str, ...], sort: str) -> Function:
    return Function(name, sorts, sort, native=COMPUTED)
