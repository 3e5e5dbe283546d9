"""Sets of labels as text: what stands in `<..>` and `[..]`, path signs aside."""

from __future__ import annotations

import re
from functools import cached_property

from lts.errors import ParseError
from lts.logic.nodes import Actions, DataTerm, Quantifier, Slot, unquoted
from lts.logic.terms import read_terms
from lts.logic.tokens import Tokens

__all__ = ["ActionReader"]

QUANTIFIERS = ("forall", "exists")


class ActionReader(Tokens):
    """Reads sets of labels, and the variables for data that stand around them."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text, file)
        self.named: dict[Actions, None] = {}
        self.slots: list[Slot] = []
        # Variables for data in scope: their slots, the last one last.
        self.data: dict[str, list[int]] = {}

    def actions(self) -> Actions:
        """Return a set of labels; `&&` and `||` need no brackets where no path goes on."""
        found = self.conjoined()
        while self.has("||"):
            other = self.conjoined()
            found = Actions(f"({found.text} || {other.text})", ("or", found.tree, other.tree))
        if self.has("=>"):
            other = self.actions()
            tree = ("or", ("not", found.tree), other.tree)
            found = Actions(f"({found.text} => {other.text})", tree)
        return found

    def conjoined(self) -> Actions:
        """Return sets that are joined by `&&`."""
        found = self.single()
        while self.has("&&"):
            other = self.single()
            found = Actions(f"({found.text} && {other.text})", ("and", found.tree, other.tree))
        return found

    def single(self) -> Actions:
        """Return a set that needs no brackets."""
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
        for word in ("true", "false", "tau"):
            if self.has(word):
                return Actions(word, (word,))
        if token.text.startswith('"'):
            self.at += 1
            return self.label(unquoted(token.text))
        if token.text.startswith("val("):
            term = self.condition()
            return Actions(token.text, ("val", term))
        if token.text.endswith("(...)"):
            self.at += 1
            found = Actions(token.text, ("name", token.text.removesuffix("(...)")))
            self.named[found] = None
            return found
        if token.is_name and token.text not in ("mu", "nu"):
            self.at += 1
            return self.pattern(token.text, token.at)
        self.expected("an action")

    def label(self, text: str) -> Actions:
        """Return the set of one label."""
        quoted = re.sub(r'(["\\])', r"\\\1", text)
        found = Actions(f'"{quoted}"', ("label", text))
        self.named[found] = None
        return found

    def pattern(self, text: str, at: int) -> Actions:
        """Return a label whose arguments may be terms over data."""
        name, bracket, _ = text.partition("(")
        if not bracket:
            return self.label(text)
        words = set(re.findall(r"[A-Za-z_][\w'^\\]*", text[len(name) :]))
        try:
            terms = read_terms(text[len(name) :], at + len(name), self.data, self.wrong)
        except ParseError:
            if any(self.data.get(word) for word in words):
                raise
            return self.label(text)  # labels are any text
        if not any(self.data.get(word) for word in words):
            # The text itself, or what its terms are equal to.
            plain = self.label(text)
            del self.named[plain]
            found = Actions(plain.text, ("or", plain.tree, ("pattern", name, terms)))
        else:
            found = Actions(text, ("pattern", name, terms))
        self.named[found] = None
        return found

    def condition(self) -> DataTerm:
        """Read `val(b)` and return its term."""
        token = self.token
        self.at += 1
        [*terms] = read_terms(token.text[3:], token.at + 3, self.data, self.wrong)
        if len(terms) != 1:
            self.wrong(token.at, "`val` takes one term")
        return terms[0]

    # Quantifiers, which formulas and sets of labels have in common.

    def is_quantifier(self) -> bool:
        """Whether a quantifier begins here; else the word is a label like others."""
        after = self.tokens[self.at + 1].text if self.token.text in QUANTIFIERS else ""
        return bool(after) and (after[0].isalpha() or after[0] == "_")

    def quantified_actions(self) -> Actions:
        """Read a quantifier and the set of labels in it."""
        begun = self.token.at
        kind, slots = self.binders()
        inner = self.actions()
        self.close_binders(slots)
        text = self.text[begun : self.tokens[self.at].at].strip()
        tree = inner.tree
        for slot in reversed(slots):
            tree = (kind, Quantifier(slot), tree)
        return Actions(f"({text})", tree)

    def binders(self) -> tuple[str, list[int]]:
        """Read `forall x,y:D.`, put x and y into scope; return the word and the slots."""
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
        """Put a new variable into scope."""
        self.slots.append(Slot(name, sort, bounds, at))
        self.data.setdefault(name, []).append(len(self.slots) - 1)
        return len(self.slots) - 1

    def close_binders(self, slots: list[int]) -> None:
        """Take variables out of scope."""
        for slot in slots:
            self.data[self.slots[slot].name].pop()

    def variable(self) -> tuple[str, int]:
        """Read the name of a variable; return it and where it stands."""
        token = self.token
        if not token.is_name or "(" in token.text:
            self.expected("a variable")
        self.at += 1
        return token.text, token.at

    def domain(self) -> tuple[str | None, tuple[DataTerm, DataTerm] | None]:
        """Read a sort, or numbers `0..4`."""
        first = self.token
        self.at += 1
        if not self.has(".."):
            if not first.is_name:
                self.at -= 1
                self.expected("a sort, or numbers such as `0..4`")
            return first.text.replace(" ", ""), None
        last = self.token
        self.at += 1
        bounds = []
        for token in (first, last):
            if not (token.is_name or token.text.isdigit()):
                self.wrong(token.at, "expected a number")
            bounds.append(self.bound(token.text, token.at))
        return None, (bounds[0], bounds[1])

    def bound(self, text: str, at: int) -> DataTerm:
        """Return a number that a variable begins or ends with."""
        return read_terms(f"({text})", at - 1, self.data, self.wrong)[0]

    @cached_property
    def binding_points(self) -> frozenset[int]:
        """The places of points that end what a quantifier binds, and join no path."""
        found, waiting = set(), 0
        for place, token in enumerate(self.tokens):
            after = self.tokens[place + 1].text[:1] if token.text in QUANTIFIERS else ""
            if after.isalpha() or after == "_":
                waiting += 1
            elif token.text == "." and waiting:
                waiting -= 1
                found.add(place)
        return frozenset(found)
