"""mCRL2 from the text to the steps, by a reader and an interpreter that share nothing with `lts`.

A core of the language: structured sorts, Booleans, numbers and lists with their operators,
equations, sums over structured sorts and Booleans, multi-actions, and all operators on processes.
Values are those of Python: numbers, truth values, tuples that begin with a constructor's name, and
lists as tuples that begin with `[`. Nothing is typed: an operator is what its operands make it.
"""

import re
from collections import Counter
from itertools import product

TOKEN = re.compile(
    r"\s+|%[^\n]*|(?P<token>[0-9]+|[A-Za-z_][A-Za-z0-9_']*"
    r"|\|\|_|=>|->|<>|==|!=|<=|>=|\|>|<\||\+\+|\|\||&&|[-+*/.|!#<>=,;:(){}\[\]?])"
)
SECTIONS = {"sort", "cons", "map", "var", "eqn", "act", "proc", "init"}
LEVELS = [
    (("=>",), "right"),
    (("||",), "right"),
    (("&&",), "right"),
    (("==", "!="), "left"),
    (("<", "<=", ">", ">=", "in"), "left"),
    (("|>",), "right"),
    (("<|",), "left"),
    (("++",), "left"),
    (("+", "-"), "left"),
    (("div", "mod"), "left"),
    (("*", "."), "left"),
]
"""The operators of data, from the weakest to the strongest."""


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
    """Reads a specification."""

    def __init__(self, text):
        self.tokens = [*tokens(text), None]
        self.at = 0
        self.sorts = {"Bool": None}
        """For each structured sort its constructors, with the sorts of their arguments."""
        self.projections, self.recognisers = {}, {}
        self.equations, self.processes = [], {}
        while self.next is not None:
            self.section(self.take())

    @property
    def next(self):
        return self.tokens[self.at]

    def take(self, expected=None):
        found = self.next
        assert expected is None or found == expected, (expected, self.tokens[self.at :][:9])
        self.at += 1
        return found

    def accept(self, token):
        if self.next != token:
            return False
        self.at += 1
        return True

    def each(self, read, separator=","):
        found = [read()]
        while self.accept(separator):
            found.append(read())
        return found

    def section(self, kind):
        if kind == "init":
            self.initial = self.process()
            self.take(";")
            return
        variables = set()
        if kind == "var":
            while not self.accept("eqn"):
                variables |= {*self.each(self.take)}
                self.take(":")
                self.skip()
            kind = "eqn"
        while self.next is not None and self.next not in SECTIONS:
            match kind:
                case "sort":
                    name = self.take()
                    self.take("=")
                    self.take("struct")
                    self.sorts[name] = self.each(self.constructor, "|")
                    self.take(";")
                case "eqn":
                    left, condition = self.data(), None
                    if self.accept("->"):
                        condition, left = left, self.data()
                    self.take("=")
                    self.equations.append((variables, condition, left, self.data()))
                    self.take(";")
                case "proc":
                    name = self.take()
                    parameters = self.variables(")") if self.accept("(") else []
                    self.take("=")
                    self.processes[name] = [one for one, _ in parameters], self.process()
                    self.take(";")
                case _:  # declarations of actions and maps say nothing that values do not
                    self.skip()

    def skip(self):
        while self.take() != ";":
            pass

    def constructor(self):
        name, sorts = self.take(), []
        if self.accept("("):
            for number, (projection, sort) in enumerate(self.each(self.argument)):
                if projection is not None:
                    self.projections[projection, name] = number
                sorts.append(sort)
            self.take(")")
        if self.accept("?"):
            self.recognisers[self.take()] = name
        return name, sorts

    def argument(self):
        name = self.take()
        return (name, self.take()) if self.accept(":") else (None, name)

    def variables(self, end):
        """Read variables with their sorts, up to a token."""
        found = []
        while True:
            names = self.each(self.take)
            self.take(":")
            sort = self.take()
            if self.accept("("):  # a list
                self.take()
                self.take(")")
            found += [(name, sort) for name in names]
            if not self.accept(","):
                self.take(end)
                return found

    # Data.

    def data(self, level=0):
        if level == len(LEVELS):
            return self.unit()
        operators, side = LEVELS[level]
        found = self.data(level + 1)
        while self.next in operators:
            operator = self.take()
            if side == "right":
                return operator, found, self.data(level)
            found = operator, found, self.data(level + 1)
        return found

    def unit(self):
        if self.next in ("!", "#"):
            return self.take() + "_", self.unit()
        found = self.simple()
        while self.accept("("):
            found = "apply", found[1], *self.each(self.data)
            self.take(")")
        return found

    def simple(self):
        token = self.take()
        if token == "(":
            found = self.data()
            self.take(")")
            return found
        if token == "[":
            found = [] if self.next == "]" else self.each(self.data)
            self.take("]")
            return "list", *found
        if token.isdigit():
            return "number", int(token)
        return "apply", token

    # Processes, from the weakest operator to the strongest.

    def process(self):
        found = [self.total()]
        while self.accept("+"):
            found.append(self.total())
        return ("choice", *found)

    def total(self):
        if self.accept("sum"):
            return "sum", self.variables("."), self.total()
        return self.parallel()

    def parallel(self):
        found = self.left_merge()
        return ("||", found, self.parallel()) if self.accept("||") else found

    def left_merge(self):
        found = self.conditional()
        return ("||_", found, self.left_merge()) if self.accept("||_") else found

    def conditional(self):
        """A condition is a unit of data: what follows it tells it from a process."""
        before = self.at
        try:
            condition = self.unit()
        except AssertionError:
            condition = None
        if condition is None or not self.accept("->"):
            self.at = before
            return self.sequence()
        then = self.sequence()
        return "if", condition, then, self.conditional() if self.accept("<>") else ("delta",)

    def sequence(self):
        found = self.together()
        return (".", found, self.sequence()) if self.accept(".") else found

    def together(self):
        found = self.atom()
        while self.accept("|"):
            found = "|", found, self.atom()
        return found

    def atom(self):
        if self.accept("("):
            found = self.process()
            self.take(")")
            return found
        name = self.take()
        if name in ("delta", "tau"):
            return (name,)
        if name in ("allow", "block", "hide", "rename", "comm"):
            self.take("(")
            self.take("{")
            names = self.each(self.names_and_result)
            self.take("}")
            self.take(",")
            body = self.process()
            self.take(")")
            return name, names, body
        if not self.accept("("):
            return "do", name
        if self.accept(")"):
            return "assign", name, []
        if self.tokens[self.at + 1] == "=":
            found = "assign", name, self.each(self.assignment)
        else:
            found = "do", name, *self.each(self.data)
        self.take(")")
        return found

    def assignment(self):
        name = self.take()
        self.take("=")
        return name, self.data()

    def names_and_result(self):
        names = tuple(sorted(self.each(self.take, "|")))
        return names, self.take() if self.accept("->") else None


class Interpreter:
    """The operational rules. A step is a multi-action, sorted pairs of a name and its arguments,
    and the state after it, which is None at the end."""

    def __init__(self, text):
        self.read = Reader(text)
        self.constructors = {}
        for constructors in self.read.sorts.values():
            self.constructors.update(constructors or ())

    # Data.

    def value(self, term, values):
        match term:
            case ("number", number):
                return number
            case ("list", *parts):
                return ("[", *(self.value(one, values) for one in parts))
            case ("!_", part):
                return not self.value(part, values)
            case ("#_", part):
                return len(self.value(part, values)) - 1
            case ("apply", name, *parts):
                if not parts and name in values:
                    return values[name]
                return self.applied(name, [self.value(one, values) for one in parts])
            case ("&&" | "||" | "=>" as operator, one, other):
                first = self.value(one, values)
                if first == (operator == "||"):
                    return operator != "&&"
                return self.value(other, values)
        operator, *parts = term
        one, other = (self.value(part, values) for part in parts)
        return OPERATORS[operator](one, other)

    def applied(self, name, arguments):
        if name in ("true", "false"):
            return name == "true"
        if name == "if":
            return arguments[1] if arguments[0] else arguments[2]
        if name in FUNCTIONS:
            return FUNCTIONS[name](*arguments)
        if name in self.constructors:
            return (name, *arguments)
        if name in self.read.recognisers:
            return arguments[0][0] == self.read.recognisers[name]
        if arguments and isinstance(arguments[0], tuple):
            number = self.read.projections.get((name, arguments[0][0]))
            if number is not None:
                return arguments[0][1 + number]
        for variables, condition, left, right in self.read.equations:
            values = {}
            if left[1] != name or len(left) != 2 + len(arguments):
                continue
            pairs = zip(left[2:], arguments, strict=True)
            if all(self.matches(pattern, one, variables, values) for pattern, one in pairs) and (
                condition is None or self.value(condition, values)
            ):
                return self.value(right, values)
        raise AssertionError((name, arguments))

    def matches(self, pattern, value, variables, values):
        match pattern:
            case ("apply", name) if name in variables:
                return values.setdefault(name, value) == value
            case ("|>", first, rest):
                return (
                    len(value) > 1
                    and self.matches(first, value[1], variables, values)
                    and self.matches(rest, ("[", *value[2:]), variables, values)
                )
            case ("apply", name, *parts) if parts:
                return value[0] == name and all(
                    self.matches(part, other, variables, values)
                    for part, other in zip(parts, value[1:], strict=True)
                )
        return self.value(pattern, {}) == value

    def elements(self, sort):
        if sort == "Bool":
            return [False, True]
        return [
            (name, *arguments)
            for name, sorts in self.read.sorts[sort]
            for arguments in product(*map(self.elements, sorts))
        ]

    # Steps.

    def steps(self, state):
        match state:
            case None:
                pass
            case ("in", process, values):
                yield from self.steps_of(process.tree, dict(values))
            case (".", first, second):
                for action, after in self.steps(first):
                    yield action, second if after is None else (".", after, second)
            case ("both", first, second):
                yield from self.alone(first, second)
                for action, after in self.steps(second):
                    yield action, both(first, after)
                yield from self.together(first, second)
            case ("around", kind, names, body):
                for action, after in self.steps(body):
                    rest = after and ("around", kind, names, after)
                    changed = around(kind, names, action)
                    if changed is not None:
                        yield changed, rest

    def steps_of(self, process, values):
        def state(part):
            return within(part, values)

        match process:
            case ("delta",):
                pass
            case ("tau",):
                yield (), None
            case ("choice", *parts):
                for part in parts:
                    yield from self.steps(state(part))
            case ("if", condition, one, other):
                yield from self.steps(state(one if self.value(condition, values) else other))
            case ("sum", variables, body):
                names = [name for name, _ in variables]
                for chosen in product(*(self.elements(sort) for _, sort in variables)):
                    pairs = dict(zip(names, chosen, strict=True))
                    yield from self.steps(within(body, {**values, **pairs}))
            case (".", one, other):
                yield from self.steps((".", state(one), state(other)))
            case ("||", one, other):
                yield from self.steps(("both", state(one), state(other)))
            case ("||_", one, other):
                yield from self.alone(state(one), state(other))
            case ("|", one, other):
                yield from self.together(state(one), state(other))
            case ("allow" | "block" | "hide" | "rename" | "comm" as kind, names, body):
                yield from self.steps(("around", kind, tuple(names), state(body)))
            case ("assign", name, given):
                parameters, body = self.read.processes[name]
                called = {
                    parameter: values[parameter] for parameter in parameters if parameter in values
                }
                called |= {one: self.value(term, values) for one, term in given}
                yield from self.steps(within(body, called))
            case ("do", name, *arguments):
                done = tuple(self.value(argument, values) for argument in arguments)
                if name not in self.read.processes:
                    yield ((name, done),), None
                else:
                    parameters, body = self.read.processes[name]
                    yield from self.steps(within(body, dict(zip(parameters, done, strict=True))))

    def alone(self, first, second):
        for action, after in self.steps(first):
            yield action, both(after, second)

    def together(self, first, second):
        for one, after in self.steps(first):
            for other, later in self.steps(second):
                yield in_order(one + other), both(after, later)

    def transitions(self, most):
        """Return all transitions between numbered states, and the number of states; None for more
        than `most` states."""
        initial = within(self.read.initial, {})
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


def within(process, values):
    """Return a process as a state: with the values of its variables."""
    return "in", Process(process), tuple(sorted(values.items()))


def both(first, second):
    if first is None or second is None:
        return first or second
    return "both", first, second


def around(kind, names, action):
    """Return what an operator makes of a multi-action; None if it is blocked."""
    have = tuple(sorted(name for name, _ in action))
    match kind:
        case "allow":
            return action if not action or have in [one for one, _ in names] else None
        case "block":
            return None if any((name,) in [one for one, _ in names] for name in have) else action
        case "hide":
            return tuple(one for one in action if ((one[0],), None) not in names)
        case "rename":
            new = {one: result for (one,), result in names}
            return in_order([(new.get(name, name), arguments) for name, arguments in action])
    left, done = Counter(action), []
    for joined, result in names:
        for arguments in {arguments for _, arguments in action}:
            needed = Counter((name, arguments) for name in joined)
            while needed <= left:
                left -= needed
                done.append((result, arguments))
    return in_order([*left.elements(), *done])


def in_order(actions):
    return tuple(sorted(actions, key=repr))


OPERATORS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b[1:],
    "|>": lambda a, b: ("[", a, *b[1:]),
    "<|": lambda a, b: (*a, b),
    "++": lambda a, b: (*a, *b[1:]),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "*": lambda a, b: a * b,
    ".": lambda a, b: a[1 + b],
}
FUNCTIONS = {
    "min": min,
    "max": max,
    "succ": lambda a: a + 1,
    "head": lambda a: a[1],
    "tail": lambda a: ("[", *a[2:]),
    "Int2Nat": lambda a: a,
}


def shown(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    name, *arguments = value
    inner = ",".join(map(shown, arguments))
    if name == "[":
        return f"[{inner}]"
    return f"{name}({inner})" if arguments else name


def written(action):
    """Return a label without blanks, its actions sorted."""
    each = [
        f"{name}({','.join(map(shown, arguments))})" if arguments else name
        for name, arguments in action
    ]
    return "|".join(sorted(each)) or "tau"
