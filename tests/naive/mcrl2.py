"""An interpreter of mCRL2 processes: the operational rules, on closed process terms.

Sums over numbers take the first few, which is enough where other values are blocked.
"""

from collections import Counter
from itertools import product

from lts.specification import specification as t
from naive.rewriting import Rewriter, value

FEW = 5


class Interpreter:
    """States are closed process terms; None is the terminated process.

    A step is a multi-action, sorted pairs of a name and its arguments, and what comes after it.
    """

    def __init__(self, specification):
        self.specification = specification
        self.rewriter = Rewriter(specification)
        self.values = {}
        self.known = {}

    def normal(self, term):
        return self.rewriter.normal(term)

    def elements(self, sort):
        if sort in ("Pos", "Nat"):
            least, successor = self.specification.numbers[sort].constructors
            found = [t.Application(least)]
            while len(found) < FEW:
                found.append(t.Application(successor, (found[-1],)))
            return found
        if sort not in self.values:
            self.values[sort] = [
                t.Application(function, arguments)
                for function in self.specification.functions
                if function.constructor and function.sort == sort
                for arguments in product(*map(self.elements, function.arguments))
            ]
        return self.values[sort]

    def instance(self, process, values):
        return t.instantiate(process, {v: self.normal(term) for v, term in values.items()})

    def steps(self, p):
        if p not in self.known:
            self.known[p] = list(dict.fromkeys(self._steps(p)))
        return self.known[p]

    def _steps(self, p):
        match p:
            case t.Delta():
                pass
            case t.Tau():
                yield (), None
            case t.Action():
                yield self.happens([p]), None
            case t.MultiAction(actions):
                yield self.happens(actions), None
            case t.Call(name, arguments):
                parameters, body = self.specification.definitions[name]
                yield from self.steps(
                    self.instance(body, dict(zip(parameters, arguments, strict=True)))
                )
            case t.Choice(alternatives):
                for alternative in alternatives:
                    yield from self.steps(alternative)
            case t.Condition(then, condition, otherwise):
                holds = self.normal(condition)
                assert holds in (self.specification.true, self.specification.false)
                yield from self.steps(then if holds == self.specification.true else otherwise)
            case t.Sum(variable, body):
                for element in self.elements(variable.sort):
                    yield from self.steps(self.instance(body, {variable: element}))
            case t.Sequence(first, second):
                for action, after in self.steps(first):
                    yield action, second if after is None else t.Sequence(after, second)
            case t.Parallel(processes, place):
                first, rest = processes[0], processes[1:]
                second = rest[0] if len(rest) == 1 else t.Parallel(rest, place)
                yield from self.alone(first, second)
                for action, after in self.steps(second):
                    yield action, both(first, after)
                yield from self.together(first, second)
            case t.LeftMerge(first, second):
                yield from self.alone(first, second)
            case t.Communication(processes, place):
                first, rest = processes[0], processes[1:]
                second = rest[0] if len(rest) == 1 else t.Communication(rest, place)
                yield from self.together(first, second)
            case t.Allow(names, body, place):
                for action, after in self.steps(body):
                    if not action or tuple(sorted(name for name, _ in action)) in names:
                        yield action, after and t.Allow(names, after, place)
            case t.Comm(pairs, body, place):
                for action, after in self.steps(body):
                    yield communicated(action, pairs), after and t.Comm(pairs, after, place)
            case t.Encap(names, body, place):
                for action, after in self.steps(body):
                    if all(name not in names for name, _ in action):
                        yield action, after and t.Encap(names, after, place)
            case t.Hide(names, body, place):
                for action, after in self.steps(body):
                    shown = tuple(a for a in action if a[0] not in names)
                    yield shown, after and t.Hide(names, after, place)
            case t.Rename(pairs, body, place):
                new = dict(pairs)
                for action, after in self.steps(body):
                    renamed = sorted(((new.get(n, n), a) for n, a in action), key=repr)
                    yield tuple(renamed), after and t.Rename(pairs, after, place)
            case _:
                raise AssertionError(p)

    def happens(self, actions):
        done = ((a.action.name, tuple(map(self.normal, a.arguments))) for a in actions)
        return tuple(sorted(done, key=repr))

    def alone(self, first, second):
        for action, after in self.steps(first):
            yield action, both(after, second)

    def together(self, first, second):
        for one, after in self.steps(first):
            for other, later in self.steps(second):
                yield tuple(sorted(one + other, key=repr)), both(after, later)

    def state_space(self):
        """The transitions between numbered states, from state 0."""
        numbers = {self.specification.initial: 0}
        transitions = []
        for state in numbers_in_order(numbers):
            for action, after in self.steps(state) if state is not None else ():
                target = numbers.setdefault(after, len(numbers))
                transitions.append((numbers[state], label(action), target))
        return transitions


def numbers_in_order(numbers):
    """Yield the keys of a growing dict."""
    done = 0
    while done < len(numbers):
        keys = list(numbers)[done:]
        done += len(keys)
        yield from keys


def both(first, second):
    if first is None or second is None:
        return first or second
    return t.Parallel((first, second), (1, 1))


def communicated(action, pairs):
    """What a multi-action is after communication: as many as can take part do, once."""
    left = Counter(action)
    done = []
    for names, result in pairs:
        for arguments in dict.fromkeys(a for _, a in action):
            needed = Counter((name, arguments) for name in names)
            while needed <= left:
                left -= needed
                done.append((result, arguments))
    return tuple(sorted([*left.elements(), *done], key=repr))


def label(action):
    """How a multi-action is written, `tau` if it is empty."""
    shown = [
        name + (f"({','.join(str(value(a)) for a in arguments)})" if arguments else "")
        for name, arguments in action
    ]
    return "|".join(shown) or "tau"
