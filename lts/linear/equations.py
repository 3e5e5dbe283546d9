"""Solves equations in summands, as far as their truth can be determined statically."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from lts.linear.control_state import Guard
from lts.linear.ground_terms import GroundTerms
from lts.linear.process import Summand
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
    substitute,
    variables_of,
)
from lts.specification.terms import applications

__all__ = ["Equations", "substituted"]


class Equations:
    """What the rules of a specification imply for the equality of terms."""

    def __init__(
        self, specification: Specification, ground_terms: GroundTerms | None = None
    ) -> None:
        self.ground_terms = ground_terms or GroundTerms(specification)
        self._rewritten = {rule.left.function for rule in specification.rules}
        self._equalities: dict[str, Function] = {}
        """For sorts whose `==` has rules in the text: that function."""
        self._identities: dict[Function, bool] = {}
        """Maps that test the identity of terms, and whether `f(x,x)=T` is the only rule."""
        rules_of = _by_function(specification.rules)
        tables = _Tables(specification, rules_of)
        for function, rules in rules_of.items():
            if specification.loose and function.name == "==" and _are_of_text(rules):
                self._equalities[function.arguments[0]] = function
            if _is_identity(rules, specification):
                self._identities[function] = len(rules) == 1
            elif tables.are_identity(function):
                self._identities[function] = False

    def is_identity(self, term: Term) -> bool:
        """Whether a term compares two others by a map that tests whether they are the same.

        The map has the rule `f(x,x)=T`, and no other one or only `f(x,y)=F` after it; or it is
        defined for every two constants, by their numbers if there are many.
        """
        return isinstance(term, Application) and term.function in self._identities

    def _is_equation(self, guard: Guard, bound: Sequence[Variable]) -> bool:
        """Whether a guard can be turned into an equation.

        Solving an equation may assign to a bound variable a term that is not a value of its sort.
        If the guard would then be false, not just undefined, it has to remain a guard.
        """
        if not guard.positive or not self.is_identity(guard.term):
            return False
        assert isinstance(guard.term, Application)
        one_rule = self._identities[guard.term.function]
        return one_rule or not any(v in bound for v in variables_of(guard.term))

    def solve(self, summand: Summand) -> Summand | None:
        """Return the summand with its equations solved; None if they have no solution.

        `sum(d, p <| d = t |> delta)` becomes `p` with `t` for `d` (the one-point rule). Guards that
        test identity are treated as equations.
        """
        if any(self._is_equation(guard, summand.variables) for guard in summand.guards):
            summand = self._identities_solved(summand)
        waiting = list(reversed(summand.equations))
        unsolved: list[tuple[Term, Term]] = []
        compared: list[Guard] = []
        solved: dict[Variable, Term] = {}
        bound = set(summand.variables)
        while waiting:
            left, right = waiting.pop()
            if solved:
                left, right = substitute(left, solved), substitute(right, solved)
            if left == right:
                continue
            variable, term = (left, right) if left in bound else (right, left)
            if (
                isinstance(variable, Variable)
                and variable in bound
                and variable not in variables_of(term)
            ):
                solved = {v: substitute(t, {variable: term}) for v, t in solved.items()}
                solved[variable] = term
                bound.discard(variable)
            elif self._is_free(left) and self._is_free(right):
                assert isinstance(left, Application)
                assert isinstance(right, Application)
                if left.function != right.function:
                    return None
                waiting += reversed(list(zip(left.arguments, right.arguments, strict=True)))
            elif left.sort in self._equalities:
                equality = Application(self._equalities[left.sort], (left, right))
                compared.append(Guard(equality, True))
            elif self.ground_terms.differ(left, right):
                return None
            else:
                unsolved.append((left, right))
        if compared:
            summand = replace(summand, guards=(*summand.guards, *compared))
        if not solved:
            equations = tuple(unsolved)
            is_same = equations == summand.equations
            return summand if is_same else replace(summand, equations=equations)
        unsolved = [(substitute(a, solved), substitute(b, solved)) for a, b in unsolved]
        remaining = tuple(v for v in summand.variables if v in bound)
        return substituted(replace(summand, variables=remaining, equations=tuple(unsolved)), solved)

    def _identities_solved(self, summand: Summand) -> Summand:
        guards: list[Guard] = []
        equations = list(summand.equations)
        for guard in summand.guards:
            if self._is_equation(guard, summand.variables):
                assert isinstance(guard.term, Application)
                left, right = guard.term.arguments
                equations.append((left, right))
            else:
                guards.append(guard)
        return replace(summand, guards=tuple(guards), equations=tuple(equations))

    def _is_free(self, term: Term) -> bool:
        """Whether the head of a term is a free constructor: one that no rule rewrites."""
        return (
            isinstance(term, Application)
            and term.function.constructor
            and term.function not in self._rewritten
        )


def _by_function(rules: Iterable[Rule]) -> dict[Function, list[Rule]]:
    found: dict[Function, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.left.function, []).append(rule)
    return found


def _are_of_text(rules: Sequence[Rule]) -> bool:
    """Whether an equality has rules beyond the standard ones; `==` on Booleans does not count."""
    sides = [side for rule in rules for side in rule.left.arguments]
    return sides[0].sort != "Bool" and not all(isinstance(side, Variable) for side in sides)


def _is_identity(rules: Sequence[Rule], specification: Specification) -> bool:
    """Whether the rules make a function true for equal terms and never for others."""
    true, false = specification.true, specification.false
    match [(rule.left.arguments, rule.right, rule.condition) for rule in rules]:
        case [((Variable() as x, Variable() as y), right, None)]:
            return x == y and right == true
        case [
            ((Variable() as x, Variable() as y), right, None),
            ((Variable() as one, Variable() as other), otherwise, None),
        ]:
            # In a loose specification different terms may be equal, so that `f(x,y)=F` does not
            # test identity.
            is_such = x == y and right == true and one != other and otherwise == false
            return is_such and not specification.loose
    return False


class _Tables:
    """Maps with rules for the outermost functions of their arguments."""

    def __init__(self, specification: Specification, rules: Mapping[Function, list[Rule]]) -> None:
        self.specification = specification
        self.rules = rules

    def are_identity(self, function: Function) -> bool:
        """Whether the rules make a map true for two values if they are the same, and else false.

        The values are constants, or words of functions with one argument. The map has a rule for
        every two outermost functions, or compares numbers of constants by such a map.
        """
        truth, rules = self.specification.true.sort, self.rules[function]
        if self.specification.loose or function.sort != truth or len(function.arguments) != 2:
            return False
        if len({*function.arguments}) != 1 or any(rule.condition is not None for rule in rules):
            return False
        return self._by_numbers(rules) or self._by_parts(function)

    def _by_numbers(self, rules: Sequence[Rule]) -> bool:
        """Whether the only rule is `f(x,y)=g(r(x),r(y))`, where `r` numbers constants and `g` tests
        whether numbers are the same."""
        if len(rules) != 1 or not isinstance(compared := rules[0].right, Application):
            return False
        match rules[0].left.arguments, compared.arguments:
            case (Variable() as x, Variable() as y), (Application() as one, Application() as other):
                are_numbers = one.arguments == (x,) and other.arguments == (y,)
                are_numbers = are_numbers and x != y and one.function == other.function
                return (
                    are_numbers
                    and self._numbers(one.function)
                    and self._by_parts(compared.function)
                )
        return False

    def _numbers(self, function: Function) -> bool:
        """Whether a map takes each value of a sort of constants to another closed term of
        constructors."""
        found: dict[Function, Term] = {}
        for rule in self.rules.get(function, ()):
            [value] = rule.left.arguments
            if not isinstance(value, Application) or value.arguments or rule.condition is not None:
                return False
            found[value.function] = rule.right
        are_free = all(
            self._is_free(part.function)
            for term in found.values()
            for part, _ in applications(term)
        )
        values = self._builders(function.arguments[0])
        return are_free and {*values} == {*found} and len({*found.values()}) == len(values) > 0

    def _by_parts(self, function: Function) -> bool:
        """Whether there is a rule for every two outermost functions: different ones give false, the
        same one what its argument gives."""
        rules = self.rules.get(function, [])
        if function.sort != self.specification.true.sort or len({*function.arguments}) != 1:
            return False
        found = set()
        for rule in rules:
            one, other = rule.left.arguments
            if not (isinstance(one, Application) and isinstance(other, Application)):
                return False
            inside = (*one.arguments, *other.arguments)
            are_variables = all(isinstance(argument, Variable) for argument in inside)
            expected = self.specification.false
            if one.function == other.function:
                expected = Application(function, inside) if inside else self.specification.true
            if not are_variables or len({*inside}) < len(inside) or rule.right != expected:
                return False
            found.add((one.function, other.function))
        builders = self._builders(function.arguments[0])
        is_whole = len(rules) == len(builders) ** 2 and found == {*product(builders, repeat=2)}
        return is_whole and all(rule.condition is None for rule in rules)

    def _builders(self, sort: str) -> list[Function]:
        """Return the functions that build values of a sort, if they have no rules and at most one
        argument each, of the same sort; else none."""
        functions = [f for f in self.specification.functions if f.sort == sort]
        found = [f for f in functions if f.constructor or not (f.arguments or f in self.rules)]
        are_words = all(f.arguments in ((), (sort,)) and f not in self.rules for f in found)
        return found if are_words else []

    def _is_free(self, function: Function) -> bool:
        return function.constructor and function not in self.rules


def substituted(summand: Summand, values: Mapping[Variable, Term]) -> Summand:
    """Substitute terms in a summand, including for its own variables."""
    if all(variable == term for variable, term in values.items()):
        return summand
    variables: dict[Variable, None] = {}
    for variable in summand.variables:
        term = values.get(variable, variable)
        if isinstance(term, Variable):
            variables[term] = None
    return replace(
        summand,
        variables=tuple(variables),
        guards=tuple(Guard(substitute(g.term, values), g.positive) for g in summand.guards),
        equations=tuple(
            (substitute(left, values), substitute(right, values))
            for left, right in summand.equations
        ),
        arguments=tuple(substitute(argument, values) for argument in summand.arguments),
        updates=tuple((p, substitute(term, values)) for p, term in summand.updates),
    )
