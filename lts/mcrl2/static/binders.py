"""Expressions that bind variables, and functions as values.

A quantifier over a small sort is expanded to a conjunction or disjunction; otherwise the engine
decides it by searching for a value. Comprehensions are treated in the same way. A function with a
small domain becomes a table, any other a closure: a symbol whose arguments are the variables that
the function's body captures.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from lts.base.bounds import ENUMERATED_VALUES
from lts.errors import Unsupported
from lts.mcrl2.data.bags import put
from lts.mcrl2.data.comparisons import not_
from lts.mcrl2.data.finite import table_constructor
from lts.mcrl2.data.functions import Closure, updated
from lts.mcrl2.data.sort_names import function_sort, is_function, is_set, signature
from lts.mcrl2.data.symbols import FALSE, TRUE, constructors_of, function
from lts.mcrl2.static.currying import Currying
from lts.mcrl2.static.declarations import Declarations, Scope
from lts.mcrl2.static.options import Choice, Typing, in_words
from lts.mcrl2.text import data_tree
from lts.specification.notation import Notation
from lts.specification.specification import Rule
from lts.specification.terms import (
    VALUE,
    Application,
    Function,
    Term,
    Variable,
    is_larger,
    short_text,
    substitute,
    variables_of,
)
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["WHERE", "Binders"]

WHERE = "@whr"
"""Prefix of the functions that are generated for `whr`."""

_MOST_REPEATED = 100
"""Most subterms of a value that `whr` substitutes for its name."""

_MOST_WRITTEN = 10_000
"""Most characters of a body whose text is part of the text of its binder."""


class Binders:
    """Builds terms for binders; errors are added to the report of the declarations."""

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.currying = Currying(declared.tree.equations, declared.values.distinguished)
        self.closures: dict[Function, Closure] = {}
        self.lambdas: dict[Function, Closure] = dict(declared.constants)
        """Each `lambda` of the text, with a symbol of its own."""
        self._values_of_lambdas: dict[Function, Term] = {}
        self.quantifiers: dict[tuple[Variable, ...], dict[Term, Rule]] = {}
        """Existential quantifiers, by their variables and body.

        Each rule says that the quantifier holds if the condition does for some values of the
        variables that do not occur on the left side.
        """
        self.sets: list[Rule] = []
        """For each set given by a predicate: the rule for its elements, then, if the sort allows
        it, the rule for the case that they are too many."""
        self.wheres: list[Rule] = []
        """The rules of the functions that are generated for `whr` with large values."""
        self._bound = 0

    def inner(
        self, variables: tuple[data_tree.Variable, ...], scope: Scope
    ) -> tuple[Scope, tuple[Variable, ...] | None]:
        """Return the scope of a binder's body, and the variables; None if one of them has an error.

        The variables get unique names, so that the body can be substituted anywhere without
        capture.
        """
        inner = dict(scope)
        bound = []
        for name, variable in self.declared.scope(variables).items():
            inner[name] = None
            if variable is not None:
                self._bound += 1
                fresh = Variable(f"{name}@{self._bound}", variable.sort)
                inner[name] = fresh
                bound.append(fresh)
        return inner, tuple(bound) if len(bound) == len(variables) else None

    def quantified(
        self, word: Name, typing: Typing, variables: tuple[Variable, ...], body: Typing
    ) -> None:
        """Offer the options of a `forall` or `exists`."""
        cost = body.cost("Bool")
        if cost is None:
            message = f"the body of `{word}` must have sort `Bool`, not `{body.shown}`"
            self.declared.error(message, data_tree.place_of(body.node))
            return
        operator = function("&&" if word == "forall" else "||", ("Bool", "Bool"), "Bool")

        def make(_: str, terms: tuple[Term, ...]) -> Term:
            (body,) = terms
            # Every sort has a value, so a variable that does not occur can be left out.
            used = set(variables_of(body))
            bound = tuple([variable for variable in variables if variable in used])
            if not bound:
                return body
            values = self._values(bound)
            if values is None:
                return self.said(word, bound, body)
            result: Term | None = None
            for given in reversed(values):
                said = substitute(body, dict(zip(bound, given, strict=True)))
                result = said if result is None else Application(operator, (said, result))
            return result if result is not None else TRUE if word == "forall" else FALSE

        typing.offer("Bool", Choice(cost, make, (body,), ("Bool",)))

    def said(self, word: Name, variables: tuple[Variable, ...], body: Term) -> Term:
        """Return a quantified formula that the engine decides by searching for a value."""
        if word == "forall":
            return not_(self._exists(word.place, variables, not_(body)))
        return self._exists(word.place, variables, body)

    def _exists(self, place: Place, variables: tuple[Variable, ...], body: Term) -> Term:
        body = self.settled(body)
        known = self.quantifiers.setdefault(variables, {})
        if body not in known:
            number = sum(map(len, self.quantifiers.values())) + 1
            around = tuple([v for v in dict.fromkeys(variables_of(body)) if v not in variables])
            shown = _with_values(f"exists {_declared(variables)}. {_plain(body, number)}", around)
            name, sorts = f"@exists {number}", tuple([v.sort for v in around])
            symbol = Function(name, sorts, "Bool", notation=shown)
            known[body] = Rule(Application(symbol, around), TRUE, place, body)
        return known[body].left

    def comprehension(self, typing: Typing, variable: Variable, body: Typing, place: Place) -> None:
        """Offer the options of a set or bag comprehension."""
        body_sort = "Bool" if body.cost("Bool") is not None else "Nat"
        cost = body.cost(body_sort)
        if cost is None:
            message = (
                f"the body of a comprehension must have sort `Bool` or `Nat`, not `{body.shown}`"
            )
            self.declared.error(message, data_tree.place_of(body.node))
            return
        values = self._values((variable,))
        if values is None and body_sort == "Nat":
            message = (
                f"a bag of `{variable.sort}`, which has too many values, is not supported here"
            )
            self.declared.error(message, place, Unsupported)
            return

        def make(sort: str, terms: tuple[Term, ...]) -> Term:
            if values is None:
                return self._set_of(place, sort, variable, terms[0])
            keep = function("@keep", ("Bool", variable.sort, sort), sort)
            result: Term = Application(constructors_of(sort)[0])
            for (value,) in reversed(values):
                said = substitute(terms[0], {variable: value})
                if is_set(sort):
                    result = Application(keep, (said, value, result))
                else:
                    result = put(value, said, result)
            return result

        made = f"{'Set' if body_sort == 'Bool' else 'Bag'}({variable.sort})"
        self.declared.sorts.places.setdefault(made, place)
        if values is None and not self._is_shown(made):
            self.declared.values.predicates.add(made)
        typing.offer(made, Choice(cost, make, (body,), (body_sort,)))

    def _is_shown(self, sort: str) -> bool:
        """Whether labels contain values of a sort."""
        reached = self.declared.values.reached
        actions = [action for named in self.declared.actions.values() for action in named]
        return any(sort in reached(shown) for action in actions for shown in action.sorts)

    def _set_of(self, place: Place, sort: str, variable: Variable, body: Term) -> Term:
        """Return the set of all values that satisfy a predicate.

        If the engine finds finitely many, it is a finite set. Otherwise it is represented by the
        predicate, but not where labels show it, since equal sets must look the same there.
        """
        body = self.settled(body)
        around = tuple([v for v in dict.fromkeys(variables_of(body)) if v != variable])
        number = len(self.sets) + 1
        name, sorts = f"@set {number}", tuple([v.sort for v in around])
        shown = _with_values(f"{{{_declared((variable,))} | {_plain(body, number)}}}", around)
        symbol = Function(name, sorts, sort, notation=shown)
        left = Application(symbol, around)
        nil, insert = constructors_of(sort)
        found = Application(insert, (variable, Application(nil)))
        self.sets.append(Rule(left, found, place, body))
        if sort in self.declared.values.predicates:
            known = self._closure("@where", sort, (variable,), body, shown=shown)
            self.sets.append(Rule(left, known, place))
        return left

    def standing_for(
        self, name: Name, value: Term | None, given: dict[Variable, Term]
    ) -> Term | None:
        """Return the term to substitute for a name that `whr` defines: its value, if small.

        For a larger value it is a variable, whose value is added to `given`: substitution would let
        nested values grow exponentially.
        """
        if value is None or not is_larger(value, _MOST_REPEATED):
            return value
        self._bound += 1
        variable = Variable(f"{name}@{self._bound}", value.sort)
        given[variable] = value
        return variable

    def where(self, body: Typing, given: Mapping[Variable, Term]) -> Typing:
        """Return the options of a `whr` body, as a generated function applied to `given` values."""
        typing = Typing(body.node)

        def make(sort: str, terms: tuple[Term, ...]) -> Term:
            around = [v for v in dict.fromkeys(variables_of(terms[0])) if v not in given]
            sorts = tuple([v.sort for v in (*around, *given)])
            symbol = Function(f"{WHERE} {len(self.wheres) + 1}", sorts, sort)
            left = Application(symbol, (*around, *given))
            right = self.settled(terms[0])
            self.wheres.append(Rule(left, right, data_tree.place_of(body.node)))
            return Application(symbol, (*around, *given.values()))

        for sort, choice in body.options.items():
            of_body = Choice(choice.cost, make, (body,), (sort,), converted=choice.converted)
            typing.offer(sort, of_body)
        return typing

    def lambda_(self, typing: Typing, variables: tuple[Variable, ...], body: Typing) -> None:
        """Offer the options of a `lambda`: a symbol applied to the variables that it captures.

        Where it is applied, it is reduced; what remains becomes a value when the term is `settled`.
        """

        def make(sort: str, terms: tuple[Term, ...]) -> Term:
            captured = tuple(
                [v for v in dict.fromkeys(variables_of(terms[0])) if v not in variables]
            )
            name, sorts = f"@lambda {len(self.lambdas) + 1}", tuple([v.sort for v in captured])
            symbol = Function(name, sorts, sort)
            self.lambdas[symbol] = Closure(captured, variables, terms[0])
            return Application(symbol, captured)

        for result, choice in body.options.items():
            sort = function_sort([variable.sort for variable in variables], result)
            typing.offer(sort, Choice(choice.cost, make, (body,), (result,)))

    def settled(self, term: Term) -> Term:
        """Return a term with each `lambda` that is left in it replaced by a value."""
        return self._settled(term) if self.lambdas else term

    def _settled(self, term: Term) -> Term:
        done: dict[int, Term] = {}
        waiting = [term]
        while waiting:
            part = waiting[-1]
            if id(part) in done:
                waiting.pop()
            elif isinstance(part, Variable) or not part.arguments:
                done[id(part)] = self._as_value(part, ())
            elif missing := [a for a in part.arguments if id(a) not in done]:
                waiting += missing
            else:
                done[id(part)] = self._as_value(part, tuple([done[id(a)] for a in part.arguments]))
        return done[id(term)]

    def _as_value(self, part: Term, arguments: tuple[Term, ...]) -> Term:
        """Return a term with settled arguments; a `lambda` becomes a table or a closure."""
        if isinstance(part, Variable):
            return part
        closure = self.lambdas.get(part.function)
        if closure is None:
            same = all(new is old for new, old in zip(arguments, part.arguments, strict=True))
            return part if same else Application(part.function, arguments)
        known = self._values_of_lambdas.get(part.function)
        if known is None:
            known = self.value(part.sort, closure.variables, self.settled(closure.body))
            self._values_of_lambdas[part.function] = known
        return substitute(known, dict(zip(closure.captured, arguments, strict=True)))

    def named(self, of: Function) -> Term:
        """Return a function of the text as a value."""
        variables = tuple([Variable(f"x{i}", s) for i, s in enumerate(of.arguments)])
        sort = function_sort(of.arguments, of.sort)
        shown = Notation((of.name,))
        symbol = Function(f"@function {of.name}", (), sort, native=VALUE, notation=shown)
        return self.value(sort, variables, Application(of, variables), symbol)

    def value(
        self, sort: str, variables: tuple[Variable, ...], body: Term, symbol: Function | None = None
    ) -> Term:
        """Return a function as a value: a table, or a closure."""
        arguments = self.declared.values.arguments(sort)
        if arguments is not None:
            results = [
                substitute(body, dict(zip(variables, given, strict=True))) for given in arguments
            ]
            return Application(table_constructor(sort, arguments), tuple(results))
        return self._closure("@function", sort, variables, body, symbol)

    def _closure(
        self,
        kind: str,
        sort: str,
        variables: tuple[Variable, ...],
        body: Term,
        symbol: Function | None = None,
        shown: Notation | None = None,
    ) -> Term:
        captured = tuple([v for v in dict.fromkeys(variables_of(body)) if v not in variables])
        if symbol is None:
            number = len(self.closures) + 1
            name, sorts = f"{kind} {number}", tuple([v.sort for v in captured])
            if shown is None:
                text = f"lambda {_declared(variables)}. {_plain(body, number)}"
                shown = _with_values(text, captured)
            symbol = Function(name, sorts, sort, native=VALUE, notation=shown)
        self.closures[symbol] = Closure(captured, variables, body)
        return Application(symbol, captured)

    def applied(self, typing: Typing, function: Typing, parts: tuple[Typing, ...]) -> Typing:
        """Return the options of a function value applied to expressions."""
        if not function.options or not all(part.options for part in parts):
            return typing
        for sort in function.direct():
            if not is_function(sort):
                continue
            sorts, result = signature(sort)
            costs = [part.cost(required) for part, required in zip(parts, sorts, strict=False)]
            known = [cost for cost in costs if cost is not None]
            if len(sorts) == len(parts) == len(known):
                cost = sum(known) + function.options[sort].cost
                choice = Choice(cost, self._apply, (function, *parts), (sort, *sorts))
                typing.offer(result, choice)
        if not typing.options:
            given = in_words(part.shown for part in parts)
            message = f"a term of sort `{function.shown}` cannot be applied to {given}"
            self.declared.error(message, data_tree.place_of(typing.node))
        return typing.close()

    def _apply(self, _: str, terms: tuple[Term, ...]) -> Term:
        function, *arguments = terms
        closure = None if isinstance(function, Variable) else self.lambdas.get(function.function)
        if closure is None or isinstance(function, Variable):
            return self.currying.applied(function, tuple(arguments))
        given = dict(zip(closure.captured, function.arguments, strict=True))
        given.update(zip(closure.variables, arguments, strict=True))
        return substitute(closure.body, given)

    def updated(self, typing: Typing, parts: tuple[Typing, ...], place: Place) -> None:
        """Offer the options of a function update."""
        if not all(part.options for part in parts):
            return
        function, argument, value = parts
        for sort in function.direct():
            if not is_function(sort):
                continue
            sorts, result = signature(sort)
            costs = argument.cost(sorts[0]), value.cost(result)
            if len(sorts) == 1 and costs[0] is not None and costs[1] is not None:
                cost = function.options[sort].cost + costs[0] + costs[1]
                typing.offer(sort, Choice(cost, _update, parts, (sort, sorts[0], result)))
                self._check_update(sort, place)
        if not typing.options:
            given = f"`{argument.shown}` to `{value.shown}`"
            message = f"a term of sort `{function.shown}` cannot be updated from {given}"
            self.declared.error(message, place)

    def _check_update(self, sort: str, place: Place) -> None:
        """Report that functions of a sort cannot be updated, if so."""
        values = self.declared.values
        argument = signature(sort)[0][0]
        if values.arguments(sort) is None and (
            not values.is_ordered(argument) or values.is_endless(argument)
        ):
            message = f"updates of `{sort}` are not supported: values of `{argument}` have no order"
            self.declared.sorts.unsupported(message, place)

    def _values(
        self, variables: tuple[Variable, ...]
    ) -> tuple[tuple[Application, ...], ...] | None:
        """Return all values of variables; None if they are too many to enumerate."""
        lists = []
        for variable in variables:
            values = self.declared.values.all(variable.sort)
            if values is None:
                return None
            lists.append(values)
        return (
            tuple(product(*lists)) if prod(map(len, lists)) <= ENUMERATED_VALUES.default else None
        )


def _name(variable: Variable) -> str:
    """Return the name of a variable in the text."""
    return variable.name.partition("@")[0]


def _declared(variables: tuple[Variable, ...]) -> str:
    return ",".join(f"{_name(variable)}:{variable.sort}" for variable in variables)


def _plain(body: Term, number: int) -> str:
    """Return the text of a term, with the names of variables in the text.

    A term that is too large to be written out is represented by a number.
    """
    used = {v: Variable(_name(v), v.sort) for v in variables_of(body)}
    text = short_text(substitute(body, used), _MOST_WRITTEN)
    return f"... (number {number})" if text is None else text


def _with_values(text: str, captured: tuple[Variable, ...]) -> Notation:
    """Return a notation that shows the values of captured variables in a `whr` clause."""
    if not captured:
        return Notation((text if text.startswith("{") else f"({text})",))
    names = [f"{_name(variable)}=" for variable in captured]
    first = f"({text} whr {names[0]}"
    return Notation((first, *(f",{name}" for name in names[1:]), " end)"))


def _update(_: str, terms: tuple[Term, ...]) -> Term:
    return updated(terms[0], terms[1], terms[2])
