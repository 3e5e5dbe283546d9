"""An interpreter of muCRL processes: the operational rules, on process terms, its own rewriting."""

from itertools import product

from lts import LTS
from lts.specification import specification as t
from naive.rewriting import values_by_rounds


class Interpreter:
    """States are closed process terms; steps follow the operational rules."""

    rounds = 10
    """Values are looked for in terms no deeper than this."""

    def __init__(self, specification):
        self.specification = specification
        self.values = {}

    # Data: innermost rewriting, rule after rule.

    def normal(self, term):
        arguments = tuple(self.normal(argument) for argument in term.arguments)
        term = t.Application(term.function, arguments)
        for rule in self.specification.rules:
            found = {}
            if self.matches(rule.left, term, found):
                return self.normal(t.substitute(rule.right, found))
        return term

    def matches(self, pattern, term, found):
        if isinstance(pattern, t.Variable):
            return found.setdefault(pattern, term) == term
        return pattern.function == term.function and all(
            self.matches(p, q, found)
            for p, q in zip(pattern.arguments, term.arguments, strict=True)
        )

    def elements(self, sort):
        if not self.values:
            constructors = [f for f in self.specification.functions if f.constructor]
            self.values, _ = values_by_rounds(constructors, self.normal, self.rounds)
        return self.values[sort]

    # Processes. None is the terminated process.

    def steps(self, p):
        """Yield (action or None, arguments, next term or None)."""
        match p:
            case t.Delta():
                pass
            case t.Tau():
                yield None, (), None
            case t.Action():
                yield p.action.name, tuple(map(self.normal, p.arguments)), None
            case t.Sequence():
                for action, arguments, rest in self.steps(p.first):
                    yield action, arguments, sequence(rest, p.second)
            case t.Choice():
                for q in p.alternatives:
                    yield from self.steps(q)
            case t.Condition():
                holds = self.normal(p.condition) == self.specification.true
                yield from self.steps(p.then if holds else p.otherwise)
            case t.Sum():
                for value in self.elements(p.variable.sort):
                    yield from self.steps(t.instantiate(p.body, {p.variable: value}))
            case t.Call():
                parameters, body = self.specification.definitions[p.process]
                values = dict(zip(parameters, map(self.normal, p.arguments), strict=True))
                yield from self.steps(t.instantiate(body, values))
            case t.Encap():
                for action, arguments, rest in self.steps(p.body):
                    if action not in p.actions:
                        yield action, arguments, around(p, p.actions, rest)
            case t.Hide():
                for action, arguments, rest in self.steps(p.body):
                    hidden = action in p.actions
                    seen = (None, ()) if hidden else (action, arguments)
                    yield *seen, around(p, p.actions, rest)
            case t.Rename():
                for action, arguments, rest in self.steps(p.body):
                    yield dict(p.pairs).get(action, action), arguments, around(p, p.pairs, rest)
            case t.Parallel((p, q)):
                for action, arguments, rest in self.steps(p):
                    yield action, arguments, parallel(rest, q)
                for action, arguments, rest in self.steps(q):
                    yield action, arguments, parallel(p, rest)
                yield from self.together(p, q)
            case t.Parallel((p, *more)):
                yield from self.steps(t.Parallel((p, t.Parallel(tuple(more), (1, 1))), (1, 1)))
            case t.LeftMerge(p, q):
                for action, arguments, rest in self.steps(p):
                    yield action, arguments, parallel(rest, q)
            case t.Communication((p, q)):
                yield from self.together(p, q)
            case t.Communication((p, q, s)):
                yield from self.together(t.Communication((p, q), (1, 1)), s)
            case _:
                raise AssertionError(p)

    def together(self, p, q):
        for (x, xs, xr), (y, ys, yr) in product(list(self.steps(p)), list(self.steps(q))):
            joined = self.specification.communications.get(frozenset((x, y)))
            if x and y and joined and xs == ys:
                yield joined, xs, parallel(xr, yr)

    def system(self, most):
        """Return the LTS of the initial process, None if it has more than `most` states."""
        numbers = {repr(self.specification.initial): 0}
        terms, rows = [self.specification.initial], []
        for number, term in enumerate(terms):
            for action, arguments, rest in () if term is None else self.steps(term):
                if repr(rest) not in numbers:
                    numbers[repr(rest)] = len(terms)
                    terms.append(rest)
                label = action or "tau"
                if arguments:
                    label += f"({','.join(map(str, arguments))})"
                rows.append((number, label, numbers[repr(rest)]))
            if len(terms) > most:
                return None
        return LTS.from_transitions(rows, state_count=len(terms))


def sequence(first, second):
    return second if first is None else t.Sequence(first, second)


def parallel(p, q):
    if p is None or q is None:
        return q if p is None else p
    return t.Parallel((p, q), (1, 1))


def around(operator, what, rest):
    return None if rest is None else type(operator)(what, rest, operator.place)
