"""Random formulas, what they are by definition, and their texts, with brackets where the priorities
of operators and the scopes of binders need them.

A formula is a tuple of an operator and its parts. Nothing of the product is used here.
"""

from __future__ import annotations

from random import Random

LEVELS = {"=>": 1, "or": 2, "and": 3, "U": 4, "W": 4, "R": 4}
SIGNS = {"=>": "=>", "or": "||", "and": "&&", "U": "U", "W": "W", "R": "R"}
WORDS = {"=>": "implies", "or": "or", "and": "and"}
PREFIX = 5
"""The priority of what needs no brackets."""
NAMES = ("a", "send", "implies", "and", "val'", "mu_", "G", "in_", "x1")
LABELS = ("open", "inside", 'say "x, (y"', "p.q(1)|r", "[1]", "forall x", "a%b", "c(|)", "\\", "1")


class Maker:
    """Makes random formulas; every variable has a name of its own."""

    def __init__(self, random: Random, *, is_mcf: bool) -> None:
        self.random = random
        self.is_mcf = is_mcf
        self.count = 0

    def of(self, *choices):
        return self.random.choice(choices)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    # Data.

    def term(self, data, depth=2):
        kind = self.random.randrange(9)
        if data and kind < 4:
            return ("variable", self.of(*data))
        if depth == 0 or kind == 4:
            return ("number", str(self.random.randrange(12)))
        if kind == 5:
            return ("call", self.of("c", "d'", "f", "mu"))
        if kind == 6:
            parts = [self.term(data, depth - 1) for _ in range(self.random.randrange(3))]
            return (self.of("[", "{") if parts else "[", *parts)
        if kind == 7:
            parts = [self.term(data, depth - 1) for _ in range(self.random.randint(1, 2))]
            return ("call", self.of("f", "not"), *parts)
        sign = self.of("+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "=>")
        return (sign, self.term(data, depth - 1), self.term(data, depth - 1))

    def domain(self):
        return self.of("D", "Nat", "List(D)", "0..4", "Bool")

    # Sets of labels.

    def action(self, data, depth=2):
        """Return one action, not combined by operators."""
        kind = self.random.randrange(6)
        if kind == 0:
            return ("tau",)
        if kind == 1:
            return ("label", self.of(*LABELS))
        if kind == 2:
            words = [name for name in NAMES if self.is_mcf or name not in WORDS.values()]
            return ("any", self.of(*words))
        return self.applied(data)

    def applied(self, data):
        terms = [self.term(data) for _ in range(self.random.randint(1, 2))]
        return (self.of("act", "act", "first"), self.of("a", "send", "x1", "G"), *terms)

    def actions(self, data, depth=2, quantified=False):
        kind = self.random.randrange(12 if depth else 4)
        if kind < 3:
            return self.action(data)
        if kind == 3:
            return self.of(("true",), ("false",), ("val", self.term(data)))
        if kind == 4:
            return ("not", self.actions(data, depth - 1, quantified))
        if kind in (5, 6) and (quantified or self.is_mcf):
            parts = [self.applied(data) for _ in range(self.random.randint(2, 3))]
            return ("together", *parts)
        if kind < 9:
            name = self.fresh("x")
            inner = self.actions((*data, name), depth - 1, True)
            return (self.of("forall", "exists"), name, self.of("0..4", "1..2"), inner)
        return (
            self.of("and", "or", "=>"),
            *(self.actions(data, depth - 1, quantified) for _ in range(2)),
        )

    # Regular formulas.

    def path(self, data, depth=2):
        kind = self.random.randrange(8 if depth else 3)
        if kind < 3:
            return ("step", self.actions(data))
        if kind == 3:
            return ("test", self.state(data, (), min(depth - 1, 1)))
        if kind in (4, 5):
            return (self.of("star", "plus"), self.path(data, depth - 1))
        return (self.of("sequence", "choice"), *(self.path(data, depth - 1) for _ in range(2)))

    # State formulas; `known` are the fixed points that may be used, with their parameters.

    def state(self, data, known, depth=3):
        kind = self.random.randrange(16 if depth else 3)
        usable = [k for k in known if k[0] is not None]
        if kind == 0 and usable:
            name, count = self.of(*usable)
            return ("use", name, *(self.term(data) for _ in range(count)))
        if kind < 2:
            return self.of(("true",), ("false",))
        if kind == 2:
            return ("val", self.term(data))
        if kind == 3:
            return ("not", self.state(data, (), depth - 1))
        if kind in (4, 5, 6):
            path = self.path(data, min(depth - 1, 2))
            return (self.of("can", "must"), path, self.state(data, known, depth - 1))
        if kind == 7:
            return ("forever", self.path(data, min(depth - 1, 2)))
        if kind == 8:
            name = self.fresh("X")
            inner = self.state(data, ((name, 0), *known), depth - 1)
            return (self.of("mu", "nu"), name, inner)
        if kind == 9:
            name, slot = self.fresh("Y"), self.fresh("n")
            first = self.term(data)
            inner = self.state((*data, slot), ((name, 1), *known), depth - 1)
            return ("fix", self.of("mu", "nu"), name, slot, first, inner)
        if kind in (10, 11):
            name = self.fresh("x")
            inner = self.state((*data, name), known, depth - 1)
            return (self.of("forall", "exists"), name, self.domain(), inner)
        if kind == 12:
            return (self.of("A", "E"), self.about_path(data, depth - 1))
        count = self.random.randint(2, 3)
        parts = [self.state(data, known, depth - 1) for _ in range(count)]
        sign = self.of("and", "or", "=>")
        if sign == "=>":
            parts = [self.state(data, (), depth - 1), parts[-1]]
        return (sign, *parts)

    # Path formulas.

    def about_path(self, data, depth=2):
        kind = self.random.randrange(10 if depth > 0 else 3)
        if kind < 2:
            action = self.action(data)
            # `G(1)` is about paths here, unlike `G(1, ...)`.
            return ("action", ("tau",) if action[:2] == ("act", "G") else action)
        if kind == 2:
            return self.of(("true",), ("false",), ("val", self.term(data)))
        if kind == 3:
            return (self.of("WF", "SF"), self.actions(data, 1))
        if kind == 4:
            return ("can", self.path(data, min(depth - 1, 1)), self.state(data, (), depth - 1))
        if kind in (5, 6):
            return (self.of("G", "F", "X", "not"), self.about_path(data, depth - 1))
        if kind == 7:
            name = self.fresh("x")
            inner = self.about_path((*data, name), depth - 1)
            return (self.of("forall", "exists"), name, self.domain(), inner)
        sign = self.of("and", "or", "=>", "U", "W", "R")
        return (sign, *(self.about_path(data, depth - 1) for _ in range(2)))


class Writer:
    """Writes formulas with random blanks, comments, line ends, brackets and synonyms."""

    def __init__(self, random: Random, *, is_mcf: bool) -> None:
        self.random = random
        self.is_mcf = is_mcf

    def blank(self):
        kind = self.random.randrange(12)
        if kind == 0:
            return '% a ( comment " || \n'
        return " " if kind < 8 else self.random.choice(["  ", "\n", "\r\n", "\t"])

    def sign(self, operator):
        if operator in WORDS and not self.is_mcf and self.random.randrange(3) == 0:
            return WORDS[operator]
        return SIGNS[operator]

    def joined(self, parts):
        """Join words by blanks, which are not needed around signs."""
        found = parts[0]
        for part in parts[1:]:
            apart = self.random.randrange(2) or (found[-1:].isalnum() or found[-1:] in "_'")
            found += (self.blank() if apart else "") + part
        return found

    def bracketed(self, text):
        return self.joined(["(", text, ")"])

    def term(self, term, level=0):
        priorities = {"=>": 2, "||": 3, "&&": 4, "==": 5, "!=": 5, "+": 10, "-": 10, "*": 12}
        operator, *parts = term
        if operator in ("variable", "number"):
            return parts[0]
        if operator == "call":
            name, *parts = parts
            return name if not parts else f"{name}({self.listed(parts)})"
        if operator in "[{":
            return f"{operator}{self.listed(parts)}{']' if operator == '[' else '}'}"
        own = priorities.get(operator, 6)
        text = f"{self.term(parts[0], own + 1)} {operator} {self.term(parts[1], own + 1)}"
        return f"({text})" if own < level else text

    def listed(self, terms):
        return self.random.choice([",", ", ", " , "]).join(self.term(term) for term in terms)

    def binary(self, formula, level, last, write):
        """Write an operator with its parts; the last may extend to the end."""
        operator, *parts = formula
        own = LEVELS[operator]
        is_right = operator in ("=>", "U", "W", "R")
        texts = [write(part, own + 1, False) for part in parts[:-1]]
        texts.append(write(parts[-1], own if is_right else own + 1, last or own < level))
        words = [texts[0]]
        for text in texts[1:]:
            words += [self.sign(operator), text]
        text = self.joined(words)
        return self.bracketed(text) if own < level else text

    def scoped(self, text, last, first):
        """Write brackets around a binder unless its scope ends at the end of a bracket anyway."""
        is_last = last and (first or not self.is_mcf)
        return text if is_last and self.random.randrange(4) else self.bracketed(text)

    def quantifier(self, formula, last, first, write):
        kind, name, domain, inner = formula
        head = f"{kind} {name}{self.random.choice([':', ': ', ' : '])}{domain}"
        return self.scoped(self.joined([head, ".", write(inner, 0, True, True)]), last, first)

    def action(self, formula, level=0, last=True, first=False):
        operator, *parts = formula
        if operator in LEVELS:
            return self.binary(formula, level, last, self.action)
        if operator in ("forall", "exists"):
            return self.quantifier(formula, last, first, self.action)
        if operator == "not":
            inner = self.action(parts[0], PREFIX, last)
            return self.joined([self.random.choice(["!", "!" if self.is_mcf else "not"]), inner])
        if operator == "together":
            text = self.random.choice(["|", " | "]).join(self.action(part) for part in parts)
            return text if level == 0 or self.random.randrange(2) else self.bracketed(text)
        if operator == "label":
            if parts[0].isalpha() and self.random.randrange(2):
                return parts[0]
            quoted = parts[0].replace("\\", "\\\\").replace('"', '\\"')
            return f'"{quoted}"'
        if operator == "val":
            return f"val({self.term(parts[0])})"
        if operator == "any":
            return f"{parts[0]}({self.random.choice(['...', '*', ' ... '])})"
        if operator == "act":
            return f"{parts[0]}({self.listed(parts[1:])})"
        if operator == "first":
            return f"{parts[0]}({self.listed(parts[1:])}, {self.random.choice(['...', '*'])})"
        return operator

    def path(self, formula, level=0):
        operator, *parts = formula
        if operator == "step":
            text = self.action(parts[0], 0, level == 0, level == 0)
            is_bare = level == 0 or parts[0][0] not in (*LEVELS, "not", "together")
            return text if is_bare else self.bracketed(text)
        if operator == "test":
            return self.joined(["(", self.state(parts[0], 0, True, True), ")", "?"])
        if operator in ("star", "plus"):
            # Of several signs, one `*` makes the path possibly empty.
            signs = ["*", "*+", "+*", "**"] if operator == "star" else ["+", "++"]
            text = self.joined([self.path(parts[0], 3), self.random.choice(signs)])
            # Behind a `+` that nothing joins to what follows, a path would make it a choice.
            return text if level == 0 and operator == "star" else self.bracketed(text)
        if operator == "sequence":
            text = self.joined([self.path(parts[0], 2), ".", self.path(parts[1], 2)])
            return self.bracketed(text) if level > 1 else text
        sign = "+" if self.is_mcf else self.random.choice("|+")
        text = self.joined([self.path(parts[0], 1), sign, self.path(parts[1], 1)])
        return self.bracketed(text) if level > 0 else text

    def state(self, formula, level=0, last=True, first=False):
        operator, *parts = formula
        if operator in LEVELS:
            return self.binary(formula, level, last, self.state)
        if operator in ("forall", "exists"):
            return self.quantifier(formula, last, first, self.state)
        if operator in ("can", "must", "forever"):
            left, right = "[]" if operator == "must" else "<>"
            words = [left, self.path(parts[0]), right]
            words.append("@" if operator == "forever" else self.state(parts[1], PREFIX, last))
            return self.joined(words)
        if operator == "not":
            return self.joined(["!", self.state(parts[0], PREFIX, last)])
        if operator in ("mu", "nu"):
            inner = self.state(parts[1], 0, True, True)
            return self.scoped(self.joined([operator, parts[0], ".", inner]), last, first)
        if operator == "fix":
            kind, name, slot, value, inner = parts
            head = f"{kind} {name}({slot}: Nat = {self.term(value)})"
            inner = self.state(inner, 0, True, True)
            return self.scoped(self.joined([head, ".", inner]), last, first)
        if operator == "use":
            name, *values = parts
            return f"{name}({self.listed(values)})" if values else name
        if operator == "val":
            return f"val({self.term(parts[0])})"
        if operator in ("A", "E"):
            text = self.joined([operator, self.about_path(parts[0], PREFIX, False)])
            return text if last else self.bracketed(text)
        return operator

    def about_path(self, formula, level=0, last=True, first=False):
        operator, *parts = formula
        if operator in LEVELS:
            return self.binary(formula, level, last, self.about_path)
        if operator in ("forall", "exists"):
            return self.quantifier(formula, last, first, self.about_path)
        if operator in ("G", "F", "X", "not"):
            word = "!" if operator == "not" else operator
            return self.joined([word, self.about_path(parts[0], PREFIX, last)])
        if operator in ("WF", "SF"):
            return f"{operator}({self.action(parts[0], 0, True, True)})"
        if operator == "action":
            return self.action(parts[0])
        return self.state(formula, PREFIX, last)


class Meaning:
    """What formulas are, by the definitions in docs/formulas.md: trees of the operators that
    remain, with fixed points by number from the outermost."""

    def term(self, term):
        operator, *parts = term
        if operator in ("variable", "number"):
            return (operator, parts[0])
        if operator == "call":
            return ("call", parts[0], *map(self.term, parts[1:]))
        return (operator, *map(self.term, parts))

    def action(self, formula):
        operator, *parts = formula
        if operator in ("true", "false", "tau", "label"):
            return formula
        if operator == "any":
            return ("name", parts[0])
        if operator in ("act", "first"):
            terms = tuple(map(self.term, parts[1:]))
            return ("pattern", parts[0], terms + ((("more",),) if operator == "first" else ()))
        if operator == "together":
            return ("multi", *map(self.action, parts))
        if operator == "val":
            return ("val", self.term(parts[0]))
        if operator in ("forall", "exists"):
            return (operator, parts[0], self.action(parts[2]))
        if operator == "=>":
            return ("or", ("not", self.action(parts[0])), self.action(parts[1]))
        return (operator, *map(self.action, parts))

    def modality(self, path, goal, box, depth):
        """Return that some path leads to a goal, or with `box` every one; `goal` is a function of
        the number of fixed points around it."""
        operator, *parts = path
        join = "and" if box else "or"
        if operator == "step":
            return ("must" if box else "can", self.action(parts[0]), goal(depth))
        if operator == "test":
            test = self.state(parts[0], {}, depth)
            return ("or", ("not", test), goal(depth)) if box else ("and", test, goal(depth))
        if operator == "sequence":
            one, two = parts
            return self.modality(one, lambda d: self.modality(two, goal, box, d), box, depth)
        if operator == "choice":
            return (join, *(self.modality(part, goal, box, depth) for part in parts))
        inner, kind = parts[0], "nu" if box else "mu"
        if operator == "star":
            again = self.modality(inner, lambda d: ("use", depth), box, depth + 1)
            return (kind, (join, goal(depth + 1), again))
        more = lambda d: (join, goal(d), ("use", depth))  # noqa: E731
        return (kind, self.modality(inner, more, box, depth + 1))

    def state(self, formula, scope, depth=0):
        operator, *parts = formula
        if operator in ("true", "false"):
            return ("and",) if operator == "true" else ("or",)
        if operator in ("can", "must"):
            return self.modality(
                parts[0], lambda d: self.state(parts[1], scope, d), operator == "must", depth
            )
        if operator == "forever":
            return ("nu", self.modality(parts[0], lambda d: ("use", depth), False, depth + 1))
        if operator in ("mu", "nu"):
            return (operator, self.state(parts[1], {**scope, parts[0]: depth}, depth + 1))
        if operator == "fix":
            kind, name, _, value, inner = parts
            body = (kind, self.state(inner, {**scope, name: depth}, depth + 1))
            return ("enter", self.term(value), body)
        if operator == "use":
            return ("use", scope[parts[0]], *map(self.term, parts[1:]))
        if operator == "val":
            return ("val", self.term(parts[0]))
        if operator in ("forall", "exists"):
            return self.quantified(operator, parts[0], self.state(parts[2], scope, depth))
        if operator == "=>":
            one, two = (self.state(part, scope, depth) for part in parts)
            return ("or", ("not", one), two)
        if operator in ("A", "E"):
            return ({"A": "all", "E": "some"}[operator], self.about_path(parts[0], depth))
        return (operator, *(self.state(part, scope, depth) for part in parts))

    def quantified(self, kind, name, inner):
        """Return a quantifier, which its own connective is split into."""
        if inner[0] == ("and" if kind == "forall" else "or") and inner[1:]:
            return (inner[0], *((kind, name, part) for part in inner[1:]))
        return (kind, name, inner)

    def about_path(self, formula, depth):
        operator, *parts = formula
        if operator in ("true", "false", "can", "val"):
            return self.state(formula, {}, depth)
        if operator == "action":
            return ("action", self.action(parts[0]))
        if operator in ("forall", "exists"):
            return (operator, parts[0], self.about_path(parts[2], depth))
        if operator in ("WF", "SF"):
            action = self.action(parts[0])
            possible, done = ("can", action, ("and",)), ("action", action)
            if operator == "WF":
                return self.globally(self.finally_(("or", ("not", possible), done)))
            often = self.globally(self.finally_(possible))
            return ("or", ("not", often), self.globally(self.finally_(done)))
        each = [self.about_path(part, depth) for part in parts]
        if operator == "X":
            return ("next", *each)
        if operator == "G":
            return self.globally(*each)
        if operator == "F":
            return self.finally_(*each)
        if operator == "U":
            return ("until", *each)
        if operator == "R":
            return ("release", *each)
        if operator == "W":
            return ("release", each[1], ("or", *each))
        if operator == "=>":
            return ("or", ("not", each[0]), each[1])
        return (operator, *each)

    def globally(self, part):
        return ("release", ("or",), part)

    def finally_(self, part):
        return ("until", ("and",), part)
