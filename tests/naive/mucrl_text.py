"""muCRL from the text to the steps, by a reader and an interpreter that share nothing with `lts`.

Terms are pairs of a function, which is a name with the sorts of its arguments, and a tuple of
terms. Processes are tuples that begin with their operator. A state is a process with the values of
its variables, or one of the operators of `State`; None is the terminated process.
"""

import re
from itertools import product

TOKEN = re.compile(
    r"\s+|%[^\n]*|(?P<token>[A-Za-z0-9^_'\\](?:[A-Za-z0-9^_'\\-]*[A-Za-z0-9^_'\\])?"
    r"|\|\|_|\|\||<\||\|>|->|[|.+(){},:#=])"
)
SECTIONS = {"sort", "func", "map", "var", "rew", "act", "comm", "proc", "init"}
ROUNDS = 12
"""Values are looked for in terms no deeper than this."""


def tokens(text):
    """Yield the tokens of a text."""
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found, text[at : at + 20]
        at = found.end()
        if found["token"]:
            yield found["token"]


class Reader:
    """Reads a specification; each section may occur again."""

    def __init__(self, text):
        self.tokens = [*tokens(text), None]
        self.at = 0
        self.results = {}
        """The sort of each function."""
        self.constructors, self.actions = [], set()
        self.communications = {}
        self.unread_rules, self.unread_processes = [], []
        while self.next is not None:
            self.section(self.take())
        self.rules = [(self.term(left, scope), self.term(right, scope))
                      for scope, left, right in self.unread_rules]  # fmt: skip
        self.processes = {}
        for name, parameters, body in self.unread_processes:
            key = name, tuple(sort for _, sort in parameters)
            self.processes[key] = [variable for variable, _ in parameters], body, dict(parameters)

    @property
    def next(self):
        return self.tokens[self.at]

    def take(self, expected=None):
        found = self.next
        assert expected is None or found == expected, (expected, self.tokens[self.at :][:9])
        self.at += 1
        return found

    def is_at_end(self):
        return self.next is None or self.next in SECTIONS

    def accept(self, token):
        if self.next != token:
            return False
        self.at += 1
        return True

    def names(self, separator=","):
        found = [self.take()]
        while self.accept(separator):
            found.append(self.take())
        return found

    def section(self, kind):
        scope = {}
        if kind == "var":
            while not self.accept("rew"):
                names = self.names()
                self.take(":")
                scope |= dict.fromkeys(names, self.take())
            kind = "rew"
        while not self.is_at_end():
            match kind:
                case "sort":
                    self.take()
                case "func" | "map":
                    self.functions(kind)
                case "rew":
                    left = self.plain()
                    self.take("=")
                    self.unread_rules.append((scope, left, self.plain()))
                case "act":
                    names = self.names()
                    sorts = tuple(self.names("#")) if self.accept(":") else ()
                    self.actions |= {(name, sorts) for name in names}
                case "comm":
                    one = self.take()
                    self.take("|")
                    other = self.take()
                    self.take("=")
                    self.communications[frozenset((one, other))] = self.take()
                case "proc":
                    self.process_declaration()
                case "init":
                    self.initial = self.process()

    def functions(self, kind):
        names = self.names()
        self.take(":")
        sorts = ()
        if self.next != "->":
            sorts = tuple(self.names("#"))
        self.take("->")
        result = self.take()
        for name in names:
            self.results[name, sorts] = result
            if kind == "func":
                self.constructors.append((name, sorts))

    def process_declaration(self):
        name, parameters = self.take(), []
        if self.accept("("):
            while True:
                variable = self.take()
                self.take(":")
                parameters.append((variable, self.take()))
                if not self.accept(","):
                    break
            self.take(")")
        self.take("=")
        self.unread_processes.append((name, parameters, self.process()))

    # Terms: first as they are written, then with the sorts of functions.

    def plain(self):
        name, arguments = self.take(), ()
        if self.accept("("):
            arguments = (self.plain(),)
            while self.accept(","):
                arguments += (self.plain(),)
            self.take(")")
        return name, arguments

    def term(self, plain, scope):
        name, arguments = plain
        if not arguments and name in scope:
            return "variable", name
        inner = tuple(self.term(argument, scope) for argument in arguments)
        function = name, tuple(self.sort(one, scope) for one in inner)
        assert function in self.results, function
        return function, inner

    def sort(self, term, scope):
        return scope[term[1]] if term[0] == "variable" else self.results[term[0]]

    # Processes, from the weakest operator to the strongest.

    def process(self):
        found = [self.together()]
        while self.accept("+"):
            found.append(self.together())
        return found[0] if len(found) == 1 else ("choice", *found)

    def together(self):
        found = self.conditional()
        operator = self.next
        while operator in ("||", "|", "||_") and self.accept(operator):
            found = operator, found, self.conditional()
        return found

    def conditional(self):
        found = self.sequence()
        if self.accept("<|"):
            condition = self.plain()
            self.take("|>")
            found = "if", condition, found, self.sequence()
        return found

    def sequence(self):
        found = self.atom()
        return ("then", found, self.sequence()) if self.accept(".") else found

    def atom(self):
        if self.accept("("):
            found = self.process()
            self.take(")")
            return found
        name = self.next
        if name in ("delta", "tau"):
            return (self.take(),)
        if name == "sum":
            self.take()
            self.take("(")
            variable = self.take()
            self.take(":")
            sort = self.take()
            self.take(",")
            body = self.process()
            self.take(")")
            return "sum", variable, sort, body
        if name in ("encap", "hide", "rename"):
            self.take()
            self.take("(")
            self.take("{")
            pairs = {}
            while True:
                one = self.take()
                pairs[one] = self.take() if self.accept("->") else None
                if not self.accept(","):
                    break
            self.take("}")
            self.take(",")
            body = self.process()
            self.take(")")
            return name, pairs, body
        name, arguments = self.plain()
        return "do", name, arguments


class Interpreter:
    """The operational rules."""

    def __init__(self, text):
        self.read = Reader(text)
        self.known = {}
        self.values = {}

    # Data.

    def normal(self, term):
        if term not in self.known:
            function, arguments = term
            term_of_values = function, tuple(map(self.normal, arguments))
            self.known[term] = self.rewritten(term_of_values)
        return self.known[term]

    def rewritten(self, term):
        for left, right in self.read.rules:
            values = {}
            if matches(left, term, values):
                return self.normal(filled(right, values))
        return term

    def elements(self, sort):
        if not self.values:
            results = self.read.results
            found = {results[function]: {} for function in self.read.constructors}
            for _ in range(ROUNDS):
                before = {name: [*values] for name, values in found.items()}
                for function in self.read.constructors:
                    domains = [before.get(one, ()) for one in function[1]]
                    for arguments in product(*domains):
                        found[results[function]].setdefault(self.normal((function, arguments)))
                if all(len(found[name]) == len(before[name]) for name in found):
                    break
            self.values = {name: [*values] for name, values in found.items()}
        return self.values[sort]

    def value(self, plain, values, scope):
        return self.normal(filled(self.read.term(plain, scope), values))

    # Steps: pairs of an action with its arguments, or None, and the state after it.

    def inside(self, process, values, scope):
        """Return a process as a state: with the values of its variables."""
        return "in", Process(process), tuple(sorted(values.items())), tuple(sorted(scope.items()))

    def steps(self, state):
        match state:
            case None:
                pass
            case ("in", process, values, scope):
                yield from self.steps_of(process.tree, dict(values), dict(scope))
            case ("then", first, second):
                for action, after in self.steps(first):
                    yield action, second if after is None else ("then", after, second)
            case ("both", first, second):
                yield from self.alone(first, second)
                for action, after in self.steps(second):
                    yield action, both(first, after)
                yield from self.communicating(first, second)
            case ("around", kind, pairs, body):
                for action, after in self.steps(body):
                    rest = after and ("around", kind, pairs, after)
                    name = action and action[0]
                    if kind == "encap" and name in dict(pairs):
                        continue
                    if kind == "hide" and name in dict(pairs):
                        action = None
                    elif kind == "rename" and name is not None:
                        action = dict(pairs).get(name, name), action[1]
                    yield action, rest

    def steps_of(self, process, values, scope):
        def state(part):
            return self.inside(part, values, scope)

        match process:
            case ("delta",):
                pass
            case ("tau",):
                yield None, None
            case ("choice", *parts):
                for part in parts:
                    yield from self.steps(state(part))
            case ("if", condition, one, other):
                holds = self.value(condition, values, scope)
                assert holds in ((("T", ()), ()), (("F", ()), ()))
                yield from self.steps(state(one if holds[0][0] == "T" else other))
            case ("sum", variable, sort, body):
                for value in self.elements(sort):
                    within = {**values, variable: value}, {**scope, variable: sort}
                    yield from self.steps(self.inside(body, *within))
            case ("then", one, other):
                yield from self.steps(("then", state(one), state(other)))
            case ("||", one, other):
                yield from self.steps(("both", state(one), state(other)))
            case ("||_", one, other):
                yield from self.alone(state(one), state(other))
            case ("|", one, other):
                yield from self.communicating(state(one), state(other))
            case ("encap" | "hide" | "rename" as kind, pairs, body):
                yield from self.steps(("around", kind, tuple(pairs.items()), state(body)))
            case ("do", name, arguments):
                terms = [self.read.term(argument, scope) for argument in arguments]
                sorts = tuple(self.read.sort(term, scope) for term in terms)
                done = tuple(self.normal(filled(term, values)) for term in terms)
                if (name, sorts) in self.read.actions:
                    yield (name, done), None
                else:
                    variables, body, inner = self.read.processes[name, sorts]
                    called = dict(zip(variables, done, strict=True))
                    yield from self.steps(self.inside(body, called, inner))

    def alone(self, first, second):
        for action, after in self.steps(first):
            yield action, both(after, second)

    def communicating(self, first, second):
        for one, after in self.steps(first):
            for other, later in self.steps(second):
                if one and other and one[1] == other[1]:
                    joined = self.read.communications.get(frozenset((one[0], other[0])))
                    if joined is not None:
                        yield (joined, one[1]), both(after, later)

    def transitions(self, most):
        """Return all transitions between numbered states, and the number of states; None for more
        than `most` states."""
        initial = self.inside(self.read.initial, {}, {})
        numbers, waiting, found = {initial: 0}, [initial], []
        for state in waiting:  # grows during the loop
            for action, after in self.steps(state):
                if after not in numbers:
                    numbers[after] = len(waiting)
                    waiting.append(after)
                found.append((numbers[state], written(action), numbers[after]))
            if len(waiting) > most:
                return None
        return found, len(waiting)


class Process:
    """A part of the text, compared by what it says."""

    def __init__(self, tree):
        self.tree = tree
        self.text = repr(tree)

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        return hash(self.text)


def both(first, second):
    if first is None or second is None:
        return first or second
    return "both", first, second


def matches(pattern, term, values):
    if pattern[0] == "variable":
        return values.setdefault(pattern[1], term) == term
    return pattern[0] == term[0] and all(
        matches(one, other, values) for one, other in zip(pattern[1], term[1], strict=True)
    )


def filled(term, values):
    if term[0] == "variable":
        return values[term[1]]
    return term[0], tuple(filled(one, values) for one in term[1])


def shown(term):
    (name, _), arguments = term
    return f"{name}({','.join(map(shown, arguments))})" if arguments else name


def written(action):
    if action is None:
        return "tau"
    name, arguments = action
    return f"{name}({','.join(map(shown, arguments))})" if arguments else name
