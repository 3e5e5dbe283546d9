"""Type inference: from syntax trees of expressions to typed terms."""

from __future__ import annotations

from collections.abc import Iterable

from lts.base.bounds import MEANINGS
from lts.base.spelling import near
from lts.errors import SpecificationError, Unsupported
from lts.mcrl2.data.signatures import MONOMORPHIC
from lts.mcrl2.data.sort_names import element_of, function_sort, is_function, is_set
from lts.mcrl2.data.symbols import FALSE, TRUE, numeral
from lts.mcrl2.static.binders import Binders
from lts.mcrl2.static.declarations import Declarations, Scope, declared_as
from lts.mcrl2.static.operators import POLYMORPHIC, Make, counted, listed
from lts.mcrl2.static.options import Choice, Typing, Undetermined, build, in_words, larger
from lts.mcrl2.text import data_tree
from lts.mcrl2.text.data_tree import place_of
from lts.mcrl2.text.tokens import WORDS
from lts.specification.generators import Recursion, run
from lts.specification.terms import Application, Function, Term, Variable
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["Inference"]


class Inference:
    """Types expressions with the declarations; errors are added to their report.

    An expression with an error has no options, and causes no errors in the expressions around it.
    """

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.binders = Binders(declared)
        self._compared: dict[tuple[str, Place], Name] = {}
        self._shared = declared.tree.shared
        self._once: dict[tuple[int, tuple[tuple[str, Term | None], ...]], Typing] = {}
        self.terms: list[Term] = []
        """All terms built so far."""

    def term(self, node: data_tree.Data, sort: str, scope: Scope, what: str) -> Term | None:
        """Return an expression as a term of a sort; None after an error, which is reported.

        `what` describes the expression in errors: "a condition".
        """
        typing = self.typing(node, scope)
        return self.as_sort(typing, sort, what)

    def typing(self, node: data_tree.Data, scope: Scope) -> Typing:
        """Return the options of an expression."""
        typing: Typing = run(self._typing(node, scope))
        return typing

    def as_sort(self, typing: Typing, sort: str, what: str) -> Term | None:
        """Return the term of a sort that an expression with these options denotes."""
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
        """Build the term of an expression for one of its possible sorts."""
        term = self._built(typing, sort)
        if term is not None:
            term = self.binders.settled(term)
            self.terms.append(term)
        return term

    def _built(self, typing: Typing, sort: str) -> Term | None:
        """Build a part of a term, in which a `lambda` may still be applied."""
        try:
            term: Term = run(build(typing, sort))
        except Undetermined as error:
            self.declared.error(error.message, place_of(error.node))
            return None
        return term

    def _typing(self, node: data_tree.Data, scope: Scope) -> Recursion[Typing]:
        if id(node) in self._shared:
            return self._typed_once(node, scope)
        return self._typed(node, scope)

    def _typed_once(self, node: data_tree.Data, scope: Scope) -> Recursion[Typing]:
        """Return the options of an expression that has several occurrences.

        They are determined once for each meaning of its free variables.
        """
        _, names = self._shared[id(node)]
        key = id(node), tuple([(name, scope.get(name)) for name in sorted(names)])
        if key not in self._once:
            self._once[key] = yield self._typed(node, scope)
            if len(self._once) > len(self._shared) + MEANINGS.default:
                message = f"shared expressions have {MEANINGS.exceeded()}"
                raise self.declared.tree.source.error(Unsupported, message, place_of(node))
        return self._once[key]

    def _typed(self, node: data_tree.Data, scope: Scope) -> Recursion[Typing]:
        typing = Typing(node)
        found: Typing
        match node:
            case data_tree.Identifier(name):
                return self._identifier(typing, name, scope)
            case data_tree.Number(digits):
                return _number(node, int(digits))
            case data_tree.Sorted(inner_data, of):
                found = yield self._typing(inner_data, scope)
                sort = self.declared.sorts.resolve(of)
                if sort is None or found.fit(sort) is None:
                    return found
                typing.offer(sort, Choice(0, lambda _, terms: terms[0], (found,), (sort,)))
                return typing.close()
            case data_tree.ListOf(elements, place):
                parts = yield self._parts(elements, scope)
                self._collected("List", typing, parts, place)
                return typing
            case data_tree.SetOf(elements, place):
                parts = yield self._parts(elements, scope)
                self._collected("Set", typing, parts, place)
                return typing
            case data_tree.Bag(elements, place):
                parts = yield self._parts([element for element, _ in elements], scope)
                counts = yield self._parts([count for _, count in elements], scope)
                self._collected("Bag", typing, parts, place, counts)
                return typing
            case data_tree.Comprehension(variable, body, place):
                inner, bound = self.binders.inner((variable,), scope)
                with self.declared.within((variable,), inner):
                    of_body = yield self._typing(body, inner)
                if bound is not None and of_body.options:
                    self.binders.comprehension(typing, bound[0], of_body, place)
                return typing
            case data_tree.Binder(word, variables, body):
                inner, bound = self.binders.inner(variables, scope)
                with self.declared.within(variables, inner):
                    of_body = yield self._typing(body, inner)
                if bound is not None and of_body.options:
                    if word == "lambda":
                        self.binders.lambda_(typing, bound, of_body)
                    else:
                        self.binders.quantified(word, typing, bound, of_body)
                return typing
            case data_tree.Update(function, argument, value, place):
                parts = yield self._parts((function, argument, value), scope)
                self.binders.updated(typing, parts, place)
                return typing.close()
            case data_tree.Operation(operator, operands):
                first = operands[0]
                if operator == "-" and len(operands) == 1 and isinstance(first, data_tree.Number):
                    number = -int(first.digits)
                    if number < 0:
                        return _number(node, number)
                parts = yield self._parts(operands, scope)
                return self._applied(node, operator, parts)
            case data_tree.Application(data_tree.Identifier(name), arguments):
                parts = yield self._parts(arguments, scope)
                if name in scope:
                    term = scope[name]
                    if term is None:
                        return typing
                    if not is_function(term.sort):
                        message = f"`{name}` is a variable, so it takes no arguments"
                        self.declared.error(message, name.place)
                        return typing
                    variable_itself = self._identifier(Typing(node.function), name, scope)
                    return self.binders.applied(typing, variable_itself, parts)
                return self._applied(node, name, parts)
            case data_tree.Application(function, arguments):
                of_function = yield self._typing(function, scope)
                parts = yield self._parts(arguments, scope)
                return self.binders.applied(typing, of_function, parts)
            case data_tree.Where(body, assignments):
                inner = dict(scope)
                given: dict[Variable, Term] = {}
                defined: list[tuple[Name, str]] = []
                for name, value in assignments:
                    assigned = yield self._typing(value, scope)
                    term = self._built(assigned, assigned.best) if assigned.options else None
                    inner[str(name)] = self.binders.standing_for(name, term, given)
                    defined.append((name, term.sort if term is not None else ""))
                with self.declared.uses.within(defined):
                    found = yield self._typing(body, inner)
                return self.binders.where(found, given) if given else found

    def _parts(
        self, nodes: Iterable[data_tree.Data], scope: Scope
    ) -> Recursion[tuple[Typing, ...]]:
        found = []
        for node in nodes:
            found.append((yield self._typing(node, scope)))
        return tuple(found)

    def _collected(
        self,
        kind: str,
        typing: Typing,
        parts: tuple[Typing, ...],
        place: Place,
        counts: tuple[Typing, ...] = (),
    ) -> None:
        """Offer the options of a list, set or bag enumeration."""
        if not all(part.options for part in (*parts, *counts)):
            return
        if kind == "Bag":
            for count in counts:
                if count.cost("Nat") is None:
                    message = f"the multiplicity of an element must be a `Nat`, not `{count.shown}`"
                    self.declared.error(message, place_of(count.node))
                    return
            counted(typing, parts, counts)
        else:
            listed(kind, typing, parts)
        if not typing.options:
            shown = in_words(part.shown for part in parts)
            message = f"the elements of a {kind.lower()} must have the same sort, not {shown}"
            self.declared.error(message, place)
        for sort in typing.options:
            self.declared.sorts.places.setdefault(sort, place)

    def _identifier(self, typing: Typing, name: Name, scope: Scope) -> Typing:
        if name == "true" or name == "false":
            _leaf(typing, TRUE if name == "true" else FALSE)
        elif name in scope:
            term = scope[name]
            self.declared.uses.variable(name)
            if term is not None:
                _leaf(typing, term)
        else:
            of_text = self.declared.functions.get(name, ())
            for function in (*of_text, *MONOMORPHIC.get(name, ())):
                if function.arguments:
                    self._function_itself(typing, name, function)
                else:
                    typing.offer(function.sort, Choice(0, self._make(name, function)))
            if not typing.options:
                self._unknown_constant(name, scope)
        return typing.close()

    def _function_itself(self, typing: Typing, name: Name, function: Function) -> None:
        """Offer a function as a value."""
        used = self._make(name, function)

        def make(sort: str, terms: tuple[Term, ...]) -> Term:
            used(sort, terms)
            return self.binders.named(function)

        choice = Choice(_RATHER_NOT, make)
        typing.offer(function_sort(function.arguments, function.sort), choice)

    def _make(self, name: Name, function: Function) -> Make:
        """Return how the application of a function is built, which records the use of its name."""

        def make(sort: str, terms: tuple[Term, ...]) -> Term:
            self.declared.uses.use(name, ("function", function), lambda: declared_as(function))
            return Application(function, terms)

        return make

    def _unknown_constant(self, name: Name, scope: Scope) -> None:
        declared = self.declared
        if name in declared.wrong:
            return
        if name in _POLYMORPHIC_NAMES:
            message = f"`{name}` is predefined, which is not supported as a value"
            declared.sorts.unsupported(message, name.place)
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
            lambda: f"`{name}` is not a variable or constant in scope{near(name, known)}",
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
                    make = self._make(name, function)
                    choice = Choice(cost, make, parts, function.arguments, shown=shown)
                    typing.offer(function.sort, choice)
        offer = POLYMORPHIC.get((str(name), len(parts)))
        if offer is not None:
            offer(str(name), typing, parts)
            if name in _COMPARING:
                self._compares(typing, name)
        if not typing.options:
            self._inapplicable(name, parts)
        return typing.close()

    def look_at_comparisons(self) -> None:
        """Report comparisons of values that may be equal with different normal forms."""
        for (sort, place), name in self._compared.items():
            # Two sets are compared by their elements, where these can be determined.
            within = element_of(sort) if is_set(sort) and name in _ORDER else sort
            if self.declared.values.is_endless(within):
                message = f"`{name}` is not supported for `{sort}`, which contains functions"
                self.declared.sorts.unsupported(message, place)
        self._compared.clear()

    def _compares(self, typing: Typing, name: Name) -> None:
        """Record the sort that an operator compares, for `look_at_comparisons`."""

        def checked(choice: Choice) -> Make:
            make = choice.make

            def check(sort: str, terms: tuple[Term, ...]) -> Term:
                self._compared.setdefault((terms[0].sort, name.place), name)
                return make(sort, terms)

            return check

        for choice in typing.options.values():
            choice.make = checked(choice)

    def _inapplicable(self, name: Name, parts: tuple[Typing, ...]) -> None:
        """Report why no function of this name takes these arguments."""
        declared = self.declared
        if name in declared.wrong:
            return
        overloads = [*declared.functions.get(name, ()), *MONOMORPHIC.get(name, ())]
        if name in WORDS or not (name[0].isalpha() or name[0] == "_"):
            declared.error(
                f"there is no `{name}` of {in_words(part.shown for part in parts)}", name.place
            )
            return
        if not overloads and name in _POLYMORPHIC_NAMES:
            declared.error(
                f"there is no `{name}` of {in_words(part.shown for part in parts)}", name.place
            )
            return
        if not overloads:
            if declared.is_new("function", name):
                if name in declared.actions or name in declared.processes:
                    kind = "an action" if name in declared.actions else "a process"
                    declared.error(f"`{name}` is {kind}, not a function", name.place)
                    return
                known = [n for n, found in declared.functions.items() if found]
                known += [*(n for n in MONOMORPHIC if n[0] != "@"), *_POLYMORPHIC_NAMES]
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
        """Report that no declaration of a name takes these arguments."""
        declared = self.declared
        if len(overloads) > 1:
            shown = [f"`{known}`" for _, known in overloads]
            if len(shown) > 6:
                shown[5:] = [f"{len(shown) - 5} more"]
            given = f"{name}({','.join(part.shown for part in parts)})"
            known = f"{', '.join(shown[:-1])} and {shown[-1]}"
            declared.error(f"there is no {kind} `{given}`; there are {known}", name.place)
            return
        expected, only = overloads[0]
        if len(expected) != len(parts):
            takes = f"{len(expected)} argument{'s' if len(expected) > 1 else ''}"
            if not expected:
                takes = "no arguments"
            declared.error(f"`{only}` takes {takes}, not {len(parts)}", name.place)
            return
        for number, (part, sort) in enumerate(zip(parts, expected, strict=True), 1):
            if part.cost(sort) is None:
                best = part.shown
                message = f"argument {number} of `{only}` has sort `{best}` instead of `{sort}`"
                if larger(sort, best):
                    message += f" (`{best}2{sort}` makes it one)"
                declared.error(message, place_of(part.node))
                return


_RATHER_NOT = 10
"""Cost of using a function as a value, so that constants of the same name take precedence."""
_ORDER = frozenset(("==", "!=", "<", "<=", ">", ">="))
_COMPARING = frozenset((*_ORDER, "in", "count"))
_POLYMORPHIC_NAMES = frozenset(name for name, _ in POLYMORPHIC)


def _leaf(typing: Typing, term: Term) -> None:
    typing.offer(term.sort, Choice(0, lambda sort, terms: term))


def _numeral(number: int) -> Choice:
    return Choice(0, lambda sort, terms: numeral(number, sort))


def _number(node: data_tree.Data, number: int) -> Typing:
    """Return the options of a numeral."""
    typing = Typing(node)
    sorts = ("Pos", "Nat", "Int", "Real")[0 if number > 0 else 2 if number < 0 else 1 :]
    for cost, sort in enumerate(sorts):
        choice = _numeral(number)
        choice.cost = cost
        choice.converted = cost > 0
        typing.options[sort] = choice
    return typing
