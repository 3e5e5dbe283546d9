"""The sorts of expressions: from the tree to typed terms."""

from __future__ import annotations

from collections.abc import Iterable

from lts.errors import SpecificationError
from lts.mcrl2.data.signatures import MONOMORPHIC, REAL
from lts.mcrl2.data.symbols import FALSE, TRUE, numeral
from lts.mcrl2.static.declarations import Declarations, Scope, declared_as
from lts.mcrl2.static.operators import POLYMORPHIC, Make, list_of_elements
from lts.mcrl2.static.options import Choice, Typing, Undetermined, build, larger
from lts.mcrl2.text import data_tree
from lts.mcrl2.text.data_tree import place_of
from lts.mcrl2.text.tokens import WORDS, Name
from lts.specification.generators import Recursion, run
from lts.specification.source import Place
from lts.specification.spelling import near
from lts.specification.terms import Application, Function, Term

__all__ = ["Inference"]


class Inference:
    """Types expressions with the declarations; errors go to their report.

    An expression with something wrong in it has no options, and nothing is said of what it is used
    for.
    """

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.terms: list[Term] = []
        """The terms that were built."""

    def term(self, node: data_tree.Data, sort: str, scope: Scope, what: str) -> Term | None:
        """Return an expression as a term of a sort; None if it is none, which is told.

        `what` says what it is: "a condition".
        """
        typing = self.typing(node, scope)
        return self.as_sort(typing, sort, what)

    def typing(self, node: data_tree.Data, scope: Scope) -> Typing:
        """Return the options of an expression."""
        typing: Typing = run(self._typing(node, scope))
        return typing

    def as_sort(self, typing: Typing, sort: str, what: str) -> Term | None:
        """Return the term that an expression with these options is, of a sort."""
        if not typing.options:
            return None
        if typing.fit(sort) is None:
            best = typing.shown
            message = f"{what} must have sort `{sort}`, not `{best}`"
            if larger(sort, best):
                message += f" (`{best}2{sort}` makes it one)"
            self.declared.error(message, place_of(typing.node))
            return None
        return self.built(typing, sort)

    def built(self, typing: Typing, sort: str) -> Term | None:
        """Return the term of one of the sorts that an expression may have."""
        try:
            term: Term = run(build(typing, sort))
        except Undetermined as error:
            self.declared.error(error.message, place_of(error.node))
            return None
        self.terms.append(term)
        return term

    def _typing(self, node: data_tree.Data, scope: Scope) -> Recursion[Typing]:
        match node:
            case data_tree.Identifier(name):
                return self._identifier(node, name, scope)
            case data_tree.Number(digits):
                return _number(node, int(digits))
            case data_tree.ListOf(elements, place):
                parts = yield self._parts(elements, scope)
                typing = Typing(node)
                if all(part.options for part in parts):
                    list_of_elements(typing, parts)
                    if not typing.options:
                        shown = _listed(part.shown for part in parts)
                        self.declared.error(
                            f"the elements of a list have one sort, not {shown}", place
                        )
                return typing
            case data_tree.Operation(operator, operands):
                first = operands[0]
                if operator == "-" and len(operands) == 1 and isinstance(first, data_tree.Number):
                    return _number(node, -int(first.digits))
                parts = yield self._parts(operands, scope)
                return self._applied(node, operator, parts)
            case data_tree.Application(data_tree.Identifier(name), arguments):
                parts = yield self._parts(arguments, scope)
                if name in scope:
                    if scope[name] is not None:
                        self.declared.error(
                            f"`{name}` is a variable, so it takes no arguments", name.place
                        )
                    return Typing(node)
                return self._applied(node, name, parts)
            case data_tree.Where(body, assignments):
                inner = dict(scope)
                for name, value in assignments:
                    typing = yield self._typing(value, scope)
                    inner[str(name)] = self.built(typing, typing.best) if typing.options else None
                found: Typing = yield self._typing(body, inner)
                return found
        self._unsupported(node)
        return Typing(node)

    def _parts(
        self, nodes: Iterable[data_tree.Data], scope: Scope
    ) -> Recursion[tuple[Typing, ...]]:
        found = []
        for node in nodes:
            found.append((yield self._typing(node, scope)))
        return tuple(found)

    def _unsupported(self, node: data_tree.Data) -> None:
        match node:
            case data_tree.SetOf(_, place):
                self.declared.sorts.unsupported("sets are not supported", place)
            case data_tree.Bag(_, place):
                self.declared.sorts.unsupported("bags are not supported", place)
            case data_tree.Comprehension(_, _, place):
                self.declared.sorts.unsupported("comprehensions are not supported", place)
            case data_tree.Update(_, _, _, place):
                self.declared.sorts.unsupported("updates of functions are not supported", place)
            case data_tree.Binder(word):
                self.declared.sorts.unsupported(f"`{word}` is not supported", word.place)
            case _:
                self._no_values(place_of(node))

    def _no_values(self, place: Place) -> None:
        self.declared.sorts.unsupported("functions are not supported as values", place)

    def _identifier(self, node: data_tree.Data, name: Name, scope: Scope) -> Typing:
        typing = Typing(node)
        if name == "true" or name == "false":
            _leaf(typing, TRUE if name == "true" else FALSE)
        elif name in scope:
            term = scope[name]
            if term is not None:
                _leaf(typing, term)
        else:
            for function in self.declared.functions.get(name, ()):
                if not function.arguments:
                    _leaf(typing, Application(function))
            if not typing.options:
                self._unknown_constant(name, scope)
        return typing.close()

    def _unknown_constant(self, name: Name, scope: Scope) -> None:
        declared = self.declared
        if name in declared.wrong:
            return
        if declared.functions.get(name) or name in MONOMORPHIC or name in _POLYMORPHIC_NAMES:
            self._no_values(name.place)
            return
        if not declared.is_new("function", name):
            return
        if name in declared.actions or name in declared.processes:
            kind = "an action" if name in declared.actions else "a process"
            declared.error(f"`{name}` is {kind}, not data", name.place)
            return
        known = [*scope, *(n for n, found in declared.functions.items() if found)]
        declared.report.add(
            SpecificationError,
            lambda: f"`{name}` is no variable or constant in scope{near(name, known)}",
            name.place,
        )

    def _applied(self, node: data_tree.Data, name: Name, parts: tuple[Typing, ...]) -> Typing:
        """Return the options of a function applied to expressions."""
        typing = Typing(node)
        if not all(part.options for part in parts):
            return typing
        of_text = self.declared.functions.get(name, {})
        for function in (*of_text, *MONOMORPHIC.get(name, ())):
            if len(function.arguments) == len(parts):
                cost = 0
                for part, sort in zip(parts, function.arguments, strict=True):
                    of_part = part.cost(sort)
                    if of_part is None:
                        break
                    cost += of_part
                else:
                    shown = declared_as(function) if function in of_text else ""
                    choice = Choice(cost, _make(function), parts, function.arguments, shown=shown)
                    typing.offer(function.sort, choice)
        offer = POLYMORPHIC.get((str(name), len(parts)))
        if offer is not None:
            offer(str(name), typing, parts)
        if not typing.options:
            self._inapplicable(name, parts)
        return typing.close()

    def _inapplicable(self, name: Name, parts: tuple[Typing, ...]) -> None:
        """Tell why no function of a name takes these arguments."""
        declared = self.declared
        if name in declared.wrong:
            return
        if name in REAL:
            declared.sorts.unsupported("real numbers are not supported", name.place)
            return
        overloads = [*declared.functions.get(name, ()), *MONOMORPHIC.get(name, ())]
        if name in WORDS or not (name[0].isalpha() or name[0] == "_"):
            declared.error(
                f"there is no `{name}` of {_listed(part.shown for part in parts)}", name.place
            )
            return
        if not overloads and name in _POLYMORPHIC_NAMES:
            declared.error(
                f"there is no `{name}` of {_listed(part.shown for part in parts)}", name.place
            )
            return
        if not overloads:
            if declared.is_new("function", name):
                if name in declared.actions or name in declared.processes:
                    kind = "an action" if name in declared.actions else "a process"
                    declared.error(f"`{name}` is {kind}, not a function", name.place)
                    return
                known = [n for n, found in declared.functions.items() if found]
                known += [*MONOMORPHIC, *_POLYMORPHIC_NAMES]
                declared.report.add(
                    SpecificationError,
                    lambda: f"function `{name}` is not declared{near(name, known)}",
                    name.place,
                )
            return
        self.mismatch("function", name, parts, [(f.arguments, declared_as(f)) for f in overloads])

    def mismatch(
        self,
        kind: str,
        name: Name,
        parts: tuple[Typing, ...],
        overloads: list[tuple[tuple[str, ...], str]],
    ) -> None:
        """Tell that nothing declared under a name takes these arguments."""
        declared = self.declared
        if len(overloads) > 1:
            shown = [f"`{known}`" for _, known in overloads]
            if len(shown) > 6:
                shown[5:] = [f"{len(shown) - 5} more"]
            given = f"{name}({','.join(part.shown for part in parts)})"
            known = f"{', '.join(shown[:-1])} and {shown[-1]}"
            declared.error(f"there is no {kind} `{given}`; there are {known}", name.place)
            return
        wanted, only = overloads[0]
        if len(wanted) != len(parts):
            takes = f"{len(wanted)} argument{'s' if len(wanted) > 1 else ''}"
            if not wanted:
                takes = "no arguments"
            declared.error(f"`{only}` takes {takes}, not {len(parts)}", name.place)
            return
        for number, (part, sort) in enumerate(zip(parts, wanted, strict=True), 1):
            if part.cost(sort) is None:
                best = part.shown
                message = f"argument {number} of `{only}` has sort `{best}` instead of `{sort}`"
                if larger(sort, best):
                    message += f" (`{best}2{sort}` makes it one)"
                declared.error(message, place_of(part.node))
                return


_POLYMORPHIC_NAMES = frozenset(name for name, _ in POLYMORPHIC)


def _leaf(typing: Typing, term: Term) -> None:
    typing.offer(term.sort, Choice(0, lambda sort, terms: term))


def _make(function: Function) -> Make:
    return lambda sort, terms: Application(function, terms)


def _numeral(number: int) -> Choice:
    return Choice(0, lambda sort, terms: numeral(number, sort))


def _number(node: data_tree.Data, number: int) -> Typing:
    """Return the options of a numeral."""
    typing = Typing(node)
    sorts = ("Pos", "Nat", "Int")[0 if number > 0 else 2 if number < 0 else 1 :]
    for cost, sort in enumerate(sorts):
        choice = _numeral(number)
        choice.cost = cost
        choice.converted = cost > 0
        typing.options[sort] = choice
    return typing


def _listed(sorts: Iterable[str]) -> str:
    """Return sorts in words, each once."""
    shown = [f"`{sort}`" for sort in dict.fromkeys(sorts)]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
