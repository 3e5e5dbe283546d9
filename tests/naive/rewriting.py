"""A naive rewriter: the rules of a specification, tried in their order on closed terms.

It knows of no numerals: a number is what its constructors say.
"""

import sys
from fractions import Fraction
from itertools import product

from lts.specification.terms import Application, Variable, substitute

sys.setrecursionlimit(20000)


class Rewriter:
    """Innermost rewriting with conditions."""

    def __init__(self, specification):
        self.true = specification.true
        self.rules = {}
        self.known = {}
        for rule in specification.rules:
            self.rules.setdefault(rule.left.function, []).append(rule)

    def normal(self, term):
        found = self.known.get(term)
        if found is None:
            found = self.known[term] = self.step(term)
        return found

    def step(self, term):
        term = Application(term.function, tuple(self.normal(a) for a in term.arguments))
        for rule in self.rules.get(term.function, ()):
            values = {}
            if not all(map(self.match, rule.left.arguments, term.arguments, [values] * 9)):
                continue
            if rule.condition is not None:
                condition = self.normal(substitute(rule.condition, values))
                if condition != self.true:
                    continue
            return self.normal(substitute(rule.right, values))
        return term

    def match(self, pattern, term, values):
        if isinstance(pattern, Variable):
            return values.setdefault(pattern, term) == term
        if not pattern.arguments:
            return self.normal(pattern) == term
        return pattern.function == term.function and all(
            map(self.match, pattern.arguments, term.arguments, [values] * 9)
        )


def values_by_rounds(functions, normal, rounds, most=10**6):
    """Return for each sort the normal forms of the terms of `functions`, those of few functions
    first, and the sorts that surely have no others: no deeper terms than so many rounds are looked
    at, and none once there are more values than `most`."""
    found, growing = {f.sort: {} for f in functions}, set()
    for _ in range(rounds):
        new = {sort: {} for sort in found}
        for f in functions:
            for arguments in product(*[list(found.get(s, ())) for s in f.arguments]):
                new[f.sort].setdefault(normal(Application(f, arguments)))
        growing = {sort for sort in found if not new[sort].keys() <= found[sort].keys()}
        found = {sort: {**found[sort], **new[sort]} for sort in found}
        if not growing or sum(map(len, found.values())) > most:
            break
    changed = True
    while changed:
        above = {f.sort for f in functions if not growing.isdisjoint(f.arguments)}
        changed, growing = not above <= growing, growing | above
    return {sort: list(values) for sort, values in found.items()}, found.keys() - growing


def value(term):
    """Return what a normal form is in Python: a number, a truth value or a list; else its text.

    A fraction must be in lowest terms, else it is none.
    """
    name, arguments = term.function.name, term.arguments
    if name in ("0", "1") and not arguments:
        return int(name)
    if name == "@succ":
        count = 0
        while term.function.name == "@succ":
            count, (term,) = count + 1, term.arguments
        below = value(term)
        return count + below if isinstance(below, int) else f"{count}+{below}"
    if name == "@of":
        return value(arguments[0])
    if name == "@minus":
        return -value(arguments[0])
    if name == "@ratio":
        return Fraction(value(arguments[0]), value(arguments[1]))
    if name in ("true", "false"):
        return name == "true"
    if name == "[]":
        return []
    if name == "|>":
        return [value(arguments[0]), *value(arguments[1])]
    return str(term)
