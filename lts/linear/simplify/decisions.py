"""Removes decisions that need not be evaluated.

A condition that is neither true nor false is an error, whichever steps depend on it. Most
conditions need no evaluation of their own, because they are certainly decided, or because the
search for some step evaluates them anyway.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from lts.linear.process import LinearProcess, Summand
from lts.linear.total import Totality
from lts.specification.signature import Signature
from lts.specification.specification import Application, Term, Variable
from lts.specification.terms import variables_of

__all__ = ["without_what_is_decided"]


def without_what_is_decided(process: LinearProcess) -> LinearProcess:
    """Return the process without the decisions that need not be evaluated.

    A condition under a sum over an infinite sort is evaluated only for the values that a step may
    have, together with the step: typically the sum receives one number.
    """
    if not process.decisions:
        return process
    return replace(process, decisions=tuple(dict.fromkeys(_Decisions(process).needed())))


class _Decisions:
    def __init__(self, process: LinearProcess) -> None:
        self.process = process
        self.total = Totality(process)
        self.others = self._with_other_values()
        """The sorts that may have values that are not built of constructors."""
        self.steps: dict[tuple[object, ...], list[Summand]] = defaultdict(list)
        """The steps by their last guard and the guards and equations before it."""
        for step in process.summands:
            if step.guards:
                *around, last = step.guards
                self.steps[last.term, tuple(around), step.equations].append(step)
        self.signature = Signature(process.specification)
        self.data = self.signature.data()

    def needed(self) -> Iterator[Summand]:
        """Yield the decisions that must be evaluated, without irrelevant variables."""
        for decision in self.process.decisions:
            [condition] = decision.arguments
            if self._is_total(condition) or self._is_evaluated_by_a_step(decision):
                continue
            used = {v for term in decision.terms for v in variables_of(term)}
            relevant = tuple(
                v for v in decision.variables if v in used or v.sort not in self.total.constructors
            )
            if all(self.total.is_finite(v.sort) for v in relevant):
                yield replace(decision, variables=relevant)

    def _with_other_values(self) -> set[str]:
        terms = [*self.process.initial]
        for summand in self.process.summands:
            terms += (*summand.arguments, *(term for _, term in summand.updates))
            terms += (term for equation in summand.equations for term in equation)
        constructors = self.total.constructors
        found = {sort for sort in self.process.specification.sorts if sort not in constructors}
        found |= {term.sort for term in terms if not self.total.are_total([term])}
        made = [term for term in terms if isinstance(term, Application) and not term.is_ground]
        changed = True
        while changed:
            changed = False
            for term in made:
                if term.sort not in found and any(v.sort in found for v in variables_of(term)):
                    found.add(term.sort)
                    changed = True
        return found

    def _is_total(self, condition: Term) -> bool:
        """Whether a condition is certainly true or false."""
        has_others = any(v.sort in self.others for v in variables_of(condition))
        return not has_others and self.total.are_total([condition])

    def _is_evaluated_by_a_step(self, decision: Summand) -> bool:
        """Whether generating steps evaluates the condition wherever it may be undecided.

        It does so for a summand if the condition is the summand's last guard, the summand has the
        same guards and equations before it as the decision, and the condition is decided wherever
        its parts are.
        """
        [condition] = decision.arguments
        count = len(decision.variables)
        for step in self.steps[condition, decision.guards, decision.equations]:
            others = step.variables[count:]
            if step.variables[:count] == decision.variables and all(
                v.sort in self.total.constructors for v in others
            ):
                numbers: dict[Variable, int] = {}
                return self.data.is_decided_by_parts(self.signature.term(condition, numbers))
        return False
