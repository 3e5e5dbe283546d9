"""Parses sets of labels: the content of `<..>` and `[..]`, without regular operators."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from lts.base.escaping import quoted
from lts.logic.nodes import Actions, DataTerm, Quantifier, Slot, Tree, slots_of, unquoted
from lts.logic.terms.text import Arguments, TextTerms
from lts.logic.text.tokens import LEVELS, Token, Tokens
from lts.text.climbing import climb

__all__ = ["ActionReader"]

QUANTIFIERS = ("forall", "exists")


class ActionReader(Tokens):
    """Parses sets of labels, and binders of data variables."""

    def __init__(self, text: str, file: str, terms: TextTerms) -> None:
        super().__init__(text, file)
        self.terms = terms
        self.given: dict[str, Actions] = {}
        """Named sets: the arguments A and B of properties."""
        self.named: dict[Actions, None] = {}
        self.slots: list[Slot] = []
        # The slots of the data variables in scope, by name, the innermost last.
        self.data: dict[str, list[int]] = {}

    def actions(self) -> Actions:
        """Read a set of labels; `&&` and `||` need no brackets unless it is part of a path."""
        return climb(LEVELS, self.single, self.operator, _joined)

    def single(self) -> Actions:
        """Read a set of labels that needs no brackets."""
        token = self.token
        if self.has("!"):
            inner = self.single()
            return Actions(f"!{inner.text}", ("not", inner.tree))
        if self.is_quantifier():
            return self.quantified_actions()
        if self.has("("):
            inner = self.actions()
            self.take(")")
            return inner
        if token.text in self.given:
            self.at += 1
            return self.given[token.text]
        for word in ("true", "false"):
            if self.has(word):
                return Actions(word, (word,))
        if self.is_mcf and self.after.text == "|":
            return self.at_once()
        if self.has("tau"):
            return Actions("tau", ("tau",))
        if token.text.startswith('"'):
            self.at += 1
            return self.label(unquoted(token.text))
        if token.is_condition:
            term = self.condition()
            return Actions(token.text, ("val", term))
        if token.text == "{":
            found, captured = self.offers()
            if captured:
                message = "a pattern that stands alone cannot capture a value: write `?any`"
                self.wrong(self.slots[captured[0]].at, message)
            return found
        return self.one_action()

    def offers(self) -> tuple[Actions, list[int]]:
        """Read `{G !term ?x:D ?any where b}`, as in MCL.

        Return the labels of the gate, and the variables that capture values from them.
        """
        begin = self.token.at
        self.take("{")
        gate = self.token
        if not gate.is_name or "(" in gate.text:
            self.expected("the name of an action")
        if self.uses is not None:
            self.uses.use(self.name_at(gate.text, gate.at), ("action", gate.text))
        self.at += 1
        parts: list[tuple[int, int] | int | None] = []
        captured: list[int] = []
        condition = None
        while not self.has("}"):
            if self.has("!"):
                parts.append(self.extent())
            elif self.has("?"):
                name, at = self.variable()
                if name == "any" and self.token.text != ":":
                    parts.append(None)
                    continue
                self.take(":")
                sort, end = self.token, self.token.at + len(self.token.text)
                if not sort.is_name:
                    self.expected("a sort")
                self.at += 1
                captured.append(self.slot(name, self.terms.sort(sort.at, end, self), None, at))
                parts.append(captured[-1])
            elif self.token.text == "where":
                self.at += 1
                condition = self.terms.term(*self.extent(), "Bool", self)
            else:
                self.expected("`!` and a term, `?` and a variable, `where` or `}`")
        fitting = self.terms.offers(gate.text, gate.at, parts, self)
        text = self.text[begin : self.tokens[self.at - 1].at + 1]
        found = Actions(text, _pattern(gate.text, fitting))
        self.named[found] = None
        if condition is not None:
            found = Actions(text, ("and", found.tree, ("val", condition)))
        return found, captured

    def extent(self) -> tuple[int, int]:
        """Consume a token that is a term; return where it begins and ends."""
        token = self.token
        if token.text in ("}", ""):
            self.expected("a term (one with operators needs brackets)")
        self.at += 1
        return token.at, token.at + len(token.text)

    def one_action(self) -> Actions:
        """Read the labels of one action."""
        token = self.token
        if self.uses is not None and token.is_name:
            name = token.text.partition("(")[0]
            self.uses.use(self.name_at(name, token.at), ("action", name))
        if token.text.endswith("(...)"):
            self.at += 1
            found = Actions(token.text, ("name", token.text.removesuffix("(...)")))
            self.named[found] = None
            return found
        if token.is_name and token.text not in ("mu", "nu", "val"):
            self.at += 1
            return self.pattern(token)
        self.expected("an action")

    def at_once(self) -> Actions:
        """Read actions joined by `|`, which happen in one step; a `tau` among them is dropped."""
        parts: list[Actions] = []
        named = dict(self.named)
        while not parts or self.has("|"):
            if self.has("tau"):
                parts.append(Actions("tau", ("tau",)))
            else:
                parts.append(self.one_action())
        self.named = named
        text = "|".join(part.plain for part in parts)
        visible = [part for part in parts if part.tree != ("tau",)]
        if not visible:
            return parts[0]
        found = visible[0]
        if len(visible) > 1:
            found = Actions(text, ("multi", *(_alone(part.tree) for part in visible)))
        self.named[found] = None
        return found

    def label(self, text: str) -> Actions:
        """Return the set with this label only."""
        found = Actions(quoted(text), ("label", text))
        self.named[found] = None
        return found

    def pattern(self, token: Token) -> Actions:
        """Return the labels of an action whose arguments are given as terms."""
        name, bracket, _ = token.text.partition("(")
        if not bracket:
            return self.label(token.text)
        begin, end, more = token.at + len(name), self.behind(token), token.is_open
        if more:
            end = self.text.rindex(",", begin, end)
        fitting = self.terms.arguments(name, begin, end, self, more=more)
        found = Actions(token.text, _pattern(name, fitting))
        if not (self.terms.is_typed or more or slots_of(found)):
            # A label matches if it is this text, or if its arguments equal the terms.
            tree = ("or", ("label", token.text), found.tree)
            found = Actions(quoted(token.text), tree)
        self.named[found] = None
        return found

    def behind(self, token: Token) -> int:
        """Return the position after a token with arguments."""
        return self.end_of_arguments(self.text.index("(", token.at))

    def condition(self) -> DataTerm:
        """Read `val(b)` and return its term."""
        token = self.token
        self.at += 1
        begin = self.text.index("(", token.at)
        return self.terms.condition(begin, self.end_of_arguments(begin), self)

    # Quantifiers, which are common to formulas and sets of labels.

    def is_quantifier(self) -> bool:
        """Whether a quantifier begins here; otherwise the word is an ordinary label."""
        return self.token.text in QUANTIFIERS and self.after.is_name

    def quantified_actions(self) -> Actions:
        """Read a quantifier over a set of labels."""
        begun = self.token.at
        kind, slots = self.binders()
        inner = self.actions()
        self.close_binders(slots)
        text = self.text[begun : self.tokens[self.at].at].strip()
        tree = inner.tree
        for slot in reversed(slots):
            # A sort has values, a range or the values in labels may be none.
            of = self.slots[slot]
            if of.sort is None or of.bounds is not None or slot in slots_of(tree, self.slots):
                tree = (kind, Quantifier(slot), tree)
        return Actions(f"({text})", tree)

    def binders(self) -> tuple[str, list[int]]:
        """Read `forall x,y:D.` and bind the variables; return the quantifier and the slots."""
        kind = self.token.text
        self.at += 1
        slots: list[int] = []
        while True:
            names = [self.variable()]
            while self.has(","):
                names.append(self.variable())
            sort, bounds = None, None
            if self.has(":"):
                sort, bounds = self.domain()
            slots += [self.slot(name, sort, bounds, at) for name, at in names]
            if not self.has(","):
                break
        self.take(".")
        return kind, slots

    def slot(
        self, name: str, sort: str | None, bounds: tuple[DataTerm, DataTerm] | None, at: int
    ) -> int:
        """Bind a new variable, and return its slot."""
        self.slots.append(Slot(name, sort, bounds, at))
        self.data.setdefault(name, []).append(len(self.slots) - 1)
        if self.uses is not None:
            self.uses.bind(((self.name_at(name, at), sort or ""),))
        return len(self.slots) - 1

    def close_binders(self, slots: list[int]) -> None:
        """Remove variables from the scope."""
        for slot in slots:
            self.data[self.slots[slot].name].pop()
            if self.uses is not None:
                self.uses.release((self.slots[slot].name,))

    def variable(self) -> tuple[str, int]:
        """Read the name of a variable; return it with its position."""
        token = self.token
        if not token.is_name or "(" in token.text:
            self.expected("a variable")
        self.at += 1
        return token.text, token.at

    def domain(self) -> tuple[str | None, tuple[DataTerm, DataTerm] | None]:
        """Read a sort, or a range of numbers such as `0..4`."""
        first = self.token
        if self.after.text != "..":
            if not first.is_name and first.text != "(":
                self.expected("a sort, or numbers such as `0..4`")
            depth = 0
            while self.token.text and (depth or self.token.text not in (".", ",")):
                depth += {"(": 1, ")": -1}.get(self.token.text, 0)
                self.at += 1
            last = self.tokens[self.at - 1]
            return self.terms.sort(first.at, last.at + len(last.text), self), None
        self.at += 2
        last = self.token
        self.at += 1
        bounds = []
        for token in (first, last):
            if not (token.is_name or token.text.isdigit()):
                self.wrong(token.at, "expected a number")
            bounds.append(self.terms.term(token.at, token.at + len(token.text), "Nat", self))
        return None, (bounds[0], bounds[1])

    @cached_property
    def binding_points(self) -> frozenset[int]:
        """Indices of the points that end a quantifier's variables, rather than join a path."""
        found, waiting = set(), 0
        for place, token in enumerate(self.tokens):
            if token.text in QUANTIFIERS and self.tokens[place + 1].is_name:
                waiting += 1
            elif token.text == "." and waiting:
                waiting -= 1
                found.add(place)
        return frozenset(found)


def _joined(operators: list[str], sets: list[Actions]) -> Actions:
    """Combine sets of labels by operators of one priority."""
    sign = operators[0]
    if sign == "=>":
        found = sets.pop()
        for one in reversed(sets):
            implied: Tree = ("or", ("not", one.tree), found.tree)
            found = Actions(f"({one.text} => {found.text})", implied)
        return found
    found = sets[0]
    for other in sets[1:]:
        both: Tree = ("and" if sign == "&&" else "or", found.tree, other.tree)
        found = Actions(f"({found.text} {sign} {other.text})", both)
    return found


def _pattern(name: str, fitting: Sequence[Arguments]) -> Tree:
    """Return the actions of a name with these arguments, of every declaration that they fit."""
    each: list[Tree] = [("pattern", name, terms, sorts) for terms, sorts in fitting]
    return each[0] if len(each) == 1 else ("or", *each)


def _alone(tree: Tree) -> Tree:
    """Return the pattern of an action that is one of several in a step.

    A single label becomes a pattern, since no label of the step equals it.
    """
    match tree:
        case ("label", str() as name):
            return "pattern", name, (), None
        case ("or", ("label", _), tuple() as pattern):
            return pattern
    return tree
