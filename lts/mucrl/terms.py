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
from lts.mucrl.static.declarations import Declarations
from lts.mucrl.static.terms import Resolver
from lts.mucrl.text.parser import parse
from lts.mucrl.text.tree import Term as Written
from lts.specification.specification import Specification
from lts.specification.terms import COMPUTED, Application, Function, Term, Variable
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Place, Source
from lts.text.uses import Uses

__all__ = ["Terms"]

_JOINED = ("!", "&&", "||", "=>")
_COMPARED = ("<", "<=", ">", ">=")
_CALCULATED = ("+", "-", "*", "div", "mod")

Scope = Mapping[str, Term]


class Terms:
    """Types parts of a text with the declarations of a specification.

    All methods raise `ParseError` and `SpecificationError` with the place in that text.
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

    def term(self, node: tree.Data, sort: str, scope: Scope) -> Term:
        """Return the term, which must be of this sort."""
        if sort == "Nat":
            self._need_numbers(tree.place_of(node))
        return self._expected(node, self._made(node, scope), sort)

    def terms(self, nodes: Sequence[tree.Data], sorts: Sequence[str], scope: Scope) -> list[Term]:
        """Return terms of these sorts; further terms may have any sort."""
        found = [self._made(node, scope) for node in nodes]
        for node, term, sort in zip(nodes, found, sorts, strict=False):
            self._expected(node, term, sort)
        return found

    def fits(self, node: tree.Data, sort: str, scope: Scope) -> bool:
        """Whether a term is of this sort."""
        return self._made(node, scope).sort == sort

    def arguments(
        self, name: Name, nodes: Sequence[tree.Data], scope: Scope, *, more: bool = False
    ) -> list[tuple[list[Term], tuple[str, ...]]]:
        """Return the arguments after a name, with their sorts; an action's must match its sorts.
        With `more` they match its first sorts."""
        found = [self._made(node, scope) for node in nodes]
        sorts = tuple(term.sort for term in found)
        takes = sorted(a.sorts for a in self.specification.actions if a.name == name)
        fitting = [own for own in takes if (own[: len(sorts)] if more else own) == sorts]
        if takes and not fitting:
            shown = " or ".join(f"({','.join(own)})" if own else "nothing" for own in takes)
            message = f"`{name}` takes {shown}, not ({','.join(sorts)})"
            self._wrong(message, tree.place_of(nodes[0]))
        return [(found, own) for own in fitting or [sorts]]

    def parameters(
        self, given: Sequence[tuple[Name, tree.Sort, tree.Data]], scope: Scope
    ) -> list[tuple[str, Term]]:
        """Return sort and initial value of each parameter of a fixed point."""
        return [
            (sort, self._expected(value, self._made(value, scope), sort))
            for _, of, value in given
            for sort in [self.sort(of)]
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
                terms = [self._made(part, scope) for part in parts]
                return self._applied(name, parts, terms, scope)
            case tree.Operation(operator, parts) if len(parts) == 1 + (operator != "!"):
                if operator in (*_JOINED, *_COMPARED, *_CALCULATED, "==", "!="):
                    terms = [self._made(part, scope) for part in parts]
                    return self._operation(str(operator), node, terms)
            case tree.Operation(operator, parts) if operator == "-":
                return self._operation("negative", node, [self._made(parts[0], scope)])
            case tree.Where(body, assigned):
                said = {str(name): self._made(value, scope) for name, value in assigned}
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
        places = tuple(Written(Name.at("", tree.place_of(part))) for part in parts)
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
        operand_sort = sort = "Bool"
        if operator in ("==", "!="):
            one, other = (term.sort for term in terms)
            if one != other:
                message = f"`{operator}` compares different sorts, `{one}` and `{other}`"
                self._wrong(message, tree.place_of(node))
            operand_sort = one
        elif operator not in _JOINED:
            self._need_numbers(tree.place_of(node))
            operand_sort, sort = "Nat", "Bool" if operator in _COMPARED else "Nat"
        for inner, term in zip(node.operands, terms, strict=True):
            self._expected(inner, term, operand_sort)
        return Application(_operator(operator, (operand_sort,) * len(terms), sort), tuple(terms))

    @property
    def _resolving(self) -> Resolver:
        # Names are resolved by the static checks of the text itself, to give their error messages.
        if self._resolver is None:
            declared = Declarations(parse(self.specification.source), self.specification.strict)
            declared.report = Report(self.source)
            self._resolver = Resolver(declared)
            self._resolver.numbers = self.specification.numbers
        return self._resolver

    def sort(self, node: tree.Sort) -> str:
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

    def _wrong(
        self,
        message: str,
        place: Place,
        kind: type[ParseError | SpecificationError] = SpecificationError,
    ) -> NoReturn:
        raise self.source.error(kind, message, place)


def _operator(name: str, sorts: tuple[str, ...], sort: str) -> Function:
    return Function(name, sorts, sort, native=COMPUTED)
