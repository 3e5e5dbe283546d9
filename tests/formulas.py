"""The semantics of formulas by definition: a parser and an evaluator independent of the product.

The notation is that of `lts.equivalence.Property`. A system is `steps`: for every state a set of
(label, target), with internal label `tau`.
"""

import re

TOKEN = re.compile(r'\s*(&&|=|"(?:[^"\\]|\\.)*"|[A-Za-z_][\w]*(?:\([\w,()]*\))?|[()<>!*.?@])')


def tokens(text):
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at:]
        found.append(match[1])
        at = match.end()
    return found


class Parser:
    def __init__(self, text):
        self.tokens = tokens(text)
        self.at = 0
        self.definitions = {}

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, *expected):
        token = self.peek()
        assert not expected or token in expected, (token, expected)
        self.at += 1
        return token

    def formula(self):
        token = self.take()
        if token == "true":
            return ("and",)
        if token in self.definitions:
            return self.definitions[token]
        if token == "!":
            return ("not", self.formula())
        if token == "(":
            parts = [self.formula()]
            while self.take("&&", ")") == "&&":
                parts.append(self.formula())
            return ("and", *parts)
        assert token == "<", token
        path = self.path()
        self.take(">")
        if self.peek() == "@":
            self.take()
            return ("forever", path)
        return ("can", path, self.formula())

    def path(self):
        parts = [self.part()]
        while self.peek() == ".":
            self.take()
            parts.append(self.part())
        return ("seq", *parts)

    def part(self):
        if self.peek() == "(":
            self.take()
            start = self.at
            try:  # a test of a formula, or a path in brackets
                inner = self.formula()
                self.take(")")
                self.take("?")
                return ("test", inner)
            except (AssertionError, TypeError):
                self.at = start
            inner = self.path()
            self.take(")")
        else:
            token = self.take()
            internal = token == "tau"
            label = re.sub(r"\\(.)", r"\1", token[1:-1]) if token[0] == '"' else token
            inner = ("step", "tau" if internal else label, internal)
        if self.peek() == "*":
            self.take()
            return ("star", inner)
        return inner


def parse(text):
    parser = Parser(text)
    while parser.peek() == "let":
        parser.take()
        name = parser.take()
        parser.take("=")
        # The last member is the set of states where the formula holds, filled in when it is known.
        parser.definitions[name] = ("defined", parser.formula(), [])
        parser.take("in")
    formula = parser.formula()
    assert parser.peek() is None, parser.tokens[parser.at :]
    return formula


def holds(text, steps, state):
    return state in where(parse(text), steps)


def where(formula, steps):
    """Return the states where a formula holds."""
    everything = set(range(len(steps)))
    match formula:
        case ("defined", inner, known):
            if not known or known[0] is not steps:
                known[:] = [steps, where(inner, steps)]
            return set(known[1])
        case ("and", *parts):
            for part in parts:
                everything &= where(part, steps)
            return everything
        case ("not", inner):
            return everything - where(inner, steps)
        case ("can", path, inner):
            goal = where(inner, steps)
            return {s for s, t in pairs(path, steps) if t in goal}
        case ("forever", path):
            related, left = pairs(path, steps), everything
            while True:
                kept = {s for s, t in related if s in left and t in left}
                if kept == left:
                    return left
                left = kept


def pairs(path, steps):
    """Return the relation on states that a path denotes."""
    states = range(len(steps))
    match path:
        case ("step", label, _):
            return {(s, t) for s in states for a, t in steps[s] if a == label}
        case ("test", formula):
            return {(s, s) for s in where(formula, steps)}
        case ("seq", *parts):
            found = {(s, s) for s in states}
            for part in parts:
                found = compose(found, pairs(part, steps))
            return found
        case ("star", inner):
            once, found = pairs(inner, steps), {(s, s) for s in states}
            while True:
                more = found | compose(found, once)
                if more == found:
                    return found
                found = more


def compose(left, right):
    return {(s, v) for s, t in left for u, v in right if t == u}


def along(formula, steps, walk):
    """Whether a walk, an alternating list of states and labels, follows the modalities of a
    formula.

    The formula holds where the walk begins. The walk follows its modalities one after the other,
    for a conjunction one of its parts, and ends where only negations are left.
    """
    if walk[0] not in where(formula, steps):
        return False
    match formula:
        case ("can", path, inner):
            return any(along(inner, steps, walk[end:]) for end in ends(path, steps, walk))
        case ("defined", inner, _):
            return along(inner, steps, walk)
        case ("and", *parts) if any(plain(part)[0] == "can" for part in parts):
            return any(along(part, steps, walk) for part in parts)
    return len(walk) == 1


def plain(formula):
    return plain(formula[1]) if formula[0] == "defined" else formula


def ends(path, steps, walk):
    """Return the positions up to which a walk can match a path expression."""
    match path:
        case ("step", label, _):
            return {2} & set(range(len(walk))) if walk[1:2] == [label] else set()
        case ("test", formula):
            return {0} if walk[0] in where(formula, steps) else set()
        case ("seq",):
            return {0}
        case ("seq", first, *rest):
            return {
                at + more
                for at in ends(first, steps, walk)
                for more in ends(("seq", *rest), steps, walk[at:])
            }
        case ("star", inner):
            found, waiting = {0}, [0]
            while waiting:
                at = waiting.pop()
                more = {at + end for end in ends(inner, steps, walk[at:])} - found
                found |= more
                waiting += more
            return found
    raise AssertionError(path)
