"""Rewriting of open terms, as far as the result is the same for all values of their variables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto

from lts.linear.process import Summand
from lts.specification.specification import Application, Function, Rule, Term, Variable
from lts.specification.terms import NUMERAL, VALUE, substitute

__all__ = ["OpenTerms", "TooLong"]

_STEPS = 50_000
"""Most applications of rules before rewriting is assumed not to terminate."""

_CONDITIONS = 50
"""Most nested evaluations of conditions of rules."""


class TooLong(Exception):
    """Rewriting exceeds a limit."""


class _Task(Enum):
    EVALUATE = auto()
    APPLY = auto()
    KEEP = auto()


class OpenTerms:
    """Rewrites open terms innermost, by the first rule that is sure to be the first that matches.

    A subterm to which no rule is sure to apply is left as it is. So a term and its normal form here
    have the same value for all closed values of the variables. `evaluate` returns the normal form
    of a closed term if that is a value. Rules of `opaque` functions are not applied.
    """

    def __init__(
        self,
        rules: Mapping[Function, Sequence[Rule]],
        evaluate: Callable[[Application], Application | None],
        true: Application,
        false: Application,
        opaque: Collection[Function] = (),
    ) -> None:
        self.rules = rules
        self.opaque = opaque
        self.evaluate = evaluate
        self.true = true
        self.false = false
        self.known: dict[Term, Term] = {}
        self.steps = _STEPS
        self.depth = 0

    def is_rigid(self, function: Function) -> bool:
        """Whether an application of this function is never rewritten at its root: the function is a
        constructor without rules, or a constant without rules that the engine does not compute."""
        if function in self.rules or function.native not in (None, NUMERAL, VALUE):
            return False
        return function.constructor or not function.arguments

    def normal(self, term: Term) -> Term:
        """Return the normal form of a term; raises `TooLong`."""
        tasks: list[tuple[_Task, Term, Term]] = [(_Task.EVALUATE, term, term)]
        results: list[Term] = []
        while tasks:
            task, one, whole = tasks.pop()
            if isinstance(one, Variable):
                results.append(one)
            elif task is _Task.KEEP:
                self.known[one] = self.known[whole] = results[-1]
            elif task is _Task.EVALUATE:
                if (known := self.at_once(one)) is not None:
                    results.append(known)
                    continue
                tasks.append((_Task.APPLY, one, one))
                tasks += ((_Task.EVALUATE, a, a) for a in reversed(one.arguments))
            else:
                at = len(results) - len(one.arguments)
                applied = Application(one.function, tuple(results[at:]))
                del results[at:]
                tasks.append((_Task.KEEP, one, applied))
                if (known := self.at_once(applied)) is not None:
                    results.append(known)
                elif (right := self.applied(applied)) is not None:
                    tasks.append((_Task.EVALUATE, right, right))
                else:
                    self.known[applied] = applied
                    results.append(applied)
        return results[0]

    def summand(self, summand: Summand) -> Summand:
        """Return a summand with its terms in normal form; raises `TooLong`."""
        return replace(
            summand,
            guards=tuple(replace(g, term=self.normal(g.term)) for g in summand.guards),
            equations=tuple((self.normal(one), self.normal(two)) for one, two in summand.equations),
            arguments=tuple(map(self.normal, summand.arguments)),
            updates=tuple((number, self.normal(term)) for number, term in summand.updates),
        )

    def at_once(self, term: Application) -> Term | None:
        """Return the normal form of a term if it is cached or the term is closed."""
        known = self.known.get(term)
        if known is None and term.is_ground:
            known = self.evaluate(term)
            if known is not None:
                self.known[term] = self.known[known] = known
        return known

    def applied(self, term: Application) -> Term | None:
        """Return the result of one rule on a term whose arguments are in normal form; None if no
        rule is sure to apply."""
        if term.function in self.opaque:
            return None
        for rule in self.rules.get(term.function, ()):
            values: dict[Variable, Term] = {}
            matches = self.matches(rule.left.arguments, term.arguments, values)
            if matches is False:
                continue
            if matches is None:
                return None
            self.steps -= 1
            if self.steps < 0:
                raise TooLong
            if rule.condition is not None:
                holds = self.condition(substitute(rule.condition, values))
                if holds == self.false:
                    continue
                if holds != self.true:
                    return None
            return substitute(rule.right, values)
        return None

    def condition(self, term: Term) -> Term:
        """Return the normal form of the condition of a rule."""
        if self.depth == _CONDITIONS:
            raise TooLong
        self.depth += 1
        try:
            return self.normal(term)
        finally:
            self.depth -= 1

    def matches(
        self, patterns: Sequence[Term], terms: Sequence[Term], values: dict[Variable, Term]
    ) -> bool | None:
        """Whether terms are instances of patterns for all values of their variables: True, False,
        or None if that depends or is not decided. Adds the bindings of the patterns' variables to
        `values`."""
        matches: bool | None = True
        waiting = list(zip(patterns, terms, strict=True))
        while waiting:
            pattern, term = waiting.pop()
            if isinstance(pattern, Variable):
                same = self.are_equal(values.setdefault(pattern, term), term)
                if same is False:
                    return False
                matches = matches and same
            elif isinstance(term, Variable) or not (
                self.is_rigid(pattern.function) and self.is_rigid(term.function)
            ):
                matches = None
            elif pattern.function == term.function:
                waiting += zip(pattern.arguments, term.arguments, strict=True)
            elif _may_be_one(pattern.function, term.function):
                matches = None
            else:
                return False
        return matches

    def are_equal(self, one: Term, other: Term) -> bool | None:
        """Whether two terms have the same value; None if that depends on variables or is not
        decided."""
        if one == other:
            return True
        waiting = [(one, other)]
        while waiting:
            left, right = waiting.pop()
            if isinstance(left, Variable) or isinstance(right, Variable):
                continue
            if self.is_rigid(left.function) and self.is_rigid(right.function):
                if left.function == right.function:
                    waiting += zip(left.arguments, right.arguments, strict=True)
                elif not _may_be_one(left.function, right.function):
                    return False
        return None


def _may_be_one(one: Function, other: Function) -> bool:
    """Whether one of two functions is a number literal, which equals a term of its constructors."""
    return (one.native == NUMERAL) != (other.native == NUMERAL)
