"""Canonical texts of summands, equal if one summand is the image of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Application, Function, Term, Variable
from lts.symmetry.data.proof.matching import (
    Conditions,
    Match,
    Matcher,
    Parts,
    conditions_of,
)

if TYPE_CHECKING:
    pass

__all__ = ["Prepared", "with_images"]


class Prepared:
    """A summand prepared for comparison: closed terms are replaced by constants, and summation
    variables have sorts of their own, so that none is matched with a parameter. In `parts`, the
    order in which a condition joins its parts does not matter."""

    def __init__(
        self,
        process: LinearProcess,
        summand: Summand,
        closed: Callable[[Application], str],
        *,
        parts: bool = False,
    ) -> None:
        variables = [p.variable for p in process.parameters]
        own = {v: replace(v, sort=f"{v.sort} of a sum") for v in summand.variables}

        def changed(term: Term) -> Term:
            return with_images(term, own, closed)

        self.arguments = [changed(term) for term in summand.arguments]
        conditions: Conditions = [
            (kind, tuple(changed(term) for term in terms)) for kind, terms in conditions_of(summand)
        ]
        self.conditions: Parts = conditions
        if parts:
            self.conditions = [*_parts(conditions, process.specification.true.sort)]
        self.updates: Conditions = [
            (True, (variables[p], changed(term))) for p, term in summand.updates
        ]
        kinds = sorted(str(kind) for kind, _ in self.conditions)
        sorts = sorted(v.sort for v in summand.variables)
        written = sorted(variables[p].sort for p, _ in summand.updates)
        # Actions of the same name may differ in their number of arguments.
        count = len(self.arguments)
        self.shape = (summand.action, count, tuple(kinds), tuple(sorts), tuple(written))

    def matches(self, image: Prepared, match: Match) -> Match | None:
        """Return `match` extended so that this summand becomes `image`; None if no extension is
        found."""
        matcher = Matcher({}, lambda one, other: False)
        if not matcher.extend(match, self.arguments, image.arguments):
            return None
        for further in matcher.all(match, self.updates, image.updates):
            for last in matcher.all(further, self.conditions, image.conditions):
                return last
        return None


def _parts(conditions: Conditions, truths: str) -> Iterator[tuple[object, tuple[Term, ...]]]:
    """Yield equations as they are, and the parts that guards join by functions of truth values;
    the kind of a part are these functions, without repetitions."""
    for kind, terms in conditions:
        if kind is None:
            yield kind, terms
            continue
        waiting: list[tuple[tuple[object, ...], Term]] = [((kind,), terms[0])]
        found: dict[tuple[tuple[object, ...], Term], None] = {}
        while waiting:
            above, part = waiting.pop()
            if isinstance(part, Variable) or {*part.function.arguments, part.sort} != {truths}:
                found[above, part] = None
            elif part.arguments:
                inside = above if above[-1] == part.function else (*above, part.function)
                waiting += ((inside, argument) for argument in part.arguments)
        for above, part in found:
            yield above, (part,)


def with_images(
    term: Term, own: dict[Variable, Variable], closed: Callable[[Application], str]
) -> Term:
    """Return a term with variables replaced by `own`, and closed subterms by constants named by
    `closed`."""
    results: list[Term] = []
    waiting: list[tuple[Term, bool]] = [(term, False)]
    while waiting:
        part, inside = waiting.pop()
        if isinstance(part, Variable):
            results.append(own.get(part, part))
        elif part.is_ground:
            results.append(Application(Function(closed(part), (), part.sort)))
        elif not inside:
            waiting.append((part, True))
            waiting += ((argument, False) for argument in reversed(part.arguments))
        else:
            arguments = tuple(results[len(results) - len(part.arguments) :])
            del results[len(results) - len(part.arguments) :]
            results.append(Application(part.function, arguments))
    return results[0]
