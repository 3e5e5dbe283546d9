"""Totality: whether all values of a process are certainly built of constructors.

A proof from the text then covers all values, including those that no exploration has reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Function, Rule, Term, Variable
from lts.specification.terms import NUMERAL, functions_in, substitute, variables_of

__all__ = ["Totality", "has_no_other_values"]

MOST_STEPS = 100_000
"""Most pattern matrices examined before totality counts as unknown."""


def has_no_other_values(process: LinearProcess) -> bool:
    """Whether a process's terms certainly evaluate to constructor terms, if evaluation terminates.

    In sorts without constructors the values are constants without rules. It is so if rules for
    constructors yield constructors only, and the patterns of each function's rules are exhaustive
    (Maranget, Warnings for pattern matching, 2007). Rules with conditions are ignored.
    """
    terms = [term for summand in process.summands for term in summand.terms]
    return Totality(process).are_total([*process.initial, *terms])


class Totality:
    """Which terms certainly evaluate to constructor terms, if their evaluation terminates."""

    def __init__(self, process: LinearProcess) -> None:
        specification = process.specification
        self.rules: dict[Function, list[Rule]] = {}
        for rule in (*specification.rules, *process.rules):
            self.rules.setdefault(rule.left.function, []).append(rule)
        self.constructors: dict[str, list[Function]] = {}
        for function in (*specification.functions, *process.functions):
            if function.constructor:
                self.constructors.setdefault(function.sort, []).append(function)
        self.rewritten = self._rewritten()
        """Sorts that may have other values: a rule rewrites constructors to terms with maps."""
        # The placeholder of an unused value is never an argument of a function.
        self.unset = {placeholder.function for placeholder in process.unset.values()}
        self.known: set[Function] = set()
        """Functions known to be total, together with all functions that their rules use."""

    def _rewritten(self) -> set[str]:
        def makes_maps(function: Function) -> bool:
            results = [rule.right for rule in self.rules.get(function, ())]
            return not all(made.constructor for made in functions_in(results))

        found: set[str] = set()
        changed = True
        while changed:
            new = {
                sort
                for sort, own in self.constructors.items()
                if any(makes_maps(f) or not found.isdisjoint(f.arguments) for f in own)
            }
            changed, found = new != found, new
        return found

    def are_total(self, terms: Iterable[Term]) -> bool:
        """Whether all terms are total, if their variables have constructor terms as values."""
        terms = list(terms)
        if any(v.sort in self.rewritten for term in terms for v in variables_of(term)):
            return False
        seen = set(functions_in(terms)) - self.unset - self.known
        waiting = [*seen]
        while waiting:
            function = waiting.pop()
            if not self.is_covered(function):
                return False
            used = {f for rule in self.rules.get(function, ()) for f in functions_in(rule.results)}
            used -= seen | self.unset | self.known
            seen |= used
            waiting += used
        self.known |= seen
        return True

    def is_finite(self, sort: str) -> bool:
        """Whether a sort has finitely many constructor terms, and at least one."""
        return self._has_end(sort, frozenset())

    def _has_end(self, sort: str, around: frozenset[str]) -> bool:
        inside = around | {sort}
        own = self.constructors.get(sort, ())
        sorts = {argument for function in own for argument in function.arguments}
        return bool(own) and sort not in around and all(self._has_end(s, inside) for s in sorts)

    def is_covered(self, function: Function) -> bool:
        """Whether a function's patterns are exhaustive; a constructor must have no rules."""
        if not self.rewritten.isdisjoint((function.sort, *function.arguments)):
            return False
        own = self.rules.get(function, [])
        if function.constructor:
            return not own
        if function.native == NUMERAL:
            return True  # it denotes a constructor term
        if not function.arguments and not own:
            return function.sort not in self.constructors
        patterns = [rule.left.arguments for rule in own if _is_counted_on(rule)]
        return _Cover(self.constructors).covers(patterns, function.arguments)


def _is_counted_on(rule: Rule) -> bool:
    """Whether a rule applies to all values that its patterns match."""
    inside = functions_in(rule.left.arguments)
    return rule.condition is None and all(function.constructor for function in inside)


class _Cover:
    def __init__(self, constructors: Mapping[str, Sequence[Function]]) -> None:
        self.constructors = constructors
        self.looked_at = count()
        self.fresh = count()

    def covers(self, rows: Sequence[Sequence[Term]], sorts: Sequence[str]) -> bool:
        """Whether the rows of patterns are exhaustive; False if too costly to decide."""
        if next(self.looked_at) >= MOST_STEPS or not rows:
            return False
        if not sorts:
            return True
        heads = {row[0].function for row in rows if isinstance(row[0], Application)}
        own = self.constructors.get(sorts[0], ())
        if not own or not heads.issuperset(own):
            # Some constructor occurs in no pattern, so only variables match it, and only those that
            # occur once in their row.
            rest = [
                row[1:]
                for row in rows
                if isinstance(row[0], Variable)
                and not any(row[0] in variables_of(term) for term in row[1:])
            ]
            return self.covers(rest, sorts[1:])
        for constructor in own:
            rest = []
            for first, *others in rows:
                if isinstance(first, Variable):
                    inside = [Variable(f"new {next(self.fresh)}", s) for s in constructor.arguments]
                    value = {first: Application(constructor, tuple(inside))}
                    rest.append([*inside, *(substitute(term, value) for term in others)])
                elif first.function == constructor:
                    rest.append([*first.arguments, *others])
            if not self.covers(rest, (*constructor.arguments, *sorts[1:])):
                return False
        return True
