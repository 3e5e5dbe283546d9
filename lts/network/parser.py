"""The parser of composition expressions, in the notation of EXP 2.0 (CADP's manual page `exp`).

    network:  [behaviour] B [end behaviour]
    B:        "file"  name  (B)  B || B  B ||| B  B |[L, ..]| B
              par [G [#n], ..  in] [G, .. ->] B || .. end par
              par [using] V, .. in B || .. end par
              [mode] hide [all but] L, .. in B [end hide]      and cut
              [mode] rename L -> L', .. in B [end rename]
    V:        L * _ * .. -> L'

By recursive descent, without lark, which is not there when ltstool runs.
"""

from __future__ import annotations

import re

from lts.errors import LtsError, Unsupported
from lts.network.labels import MODES, Pattern
from lts.network.tokens import Token, Tokens
from lts.network.tree import (
    Component,
    Cut,
    Expression,
    Gate,
    Hide,
    Parallel,
    Rename,
    Vectors,
)
from lts.text.source import Source

__all__ = ["parse"]

_RESERVED = {
    "all",
    "behaviour",
    "but",
    "cut",
    "end",
    "hide",
    "in",
    "par",
    "prio",
    "rename",
    "using",
}
_OPERATORS = ("||", "|||", "|[")
_FOREIGN = {
    "|": "`|` of CCS",
    "\\": "the restriction of CCS",
    "[": "the operators of CSP",
}
_DEEPEST = 150
"""How deep expressions may stand within each other."""
_LONGEST_NUMBER = 9
"""Digits of a degree: there are fewer components than any longer one says."""


def parse(source: Source) -> Expression:
    """Return the expression that a text is.

    Raises `ParseError`, with what was expected where, for other text, and `Unsupported` for what
    EXP has and this does not.
    """
    return _Parser(Tokens(source)).whole()


class _Parser:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.depth = 0

    def whole(self) -> Expression:
        tokens = self.tokens
        named = tokens.has_word("behaviour")
        found = self.expression()
        if named and tokens.has_word("end"):
            tokens.take_word("behaviour")
        if tokens.token.kind in _FOREIGN:
            self.foreign()
        if tokens.token.kind != "end":
            tokens.expected("an operator, or the end")
        return found

    def foreign(self) -> None:
        token = self.tokens.token
        self.tokens.wrong(f"{_FOREIGN[token.kind]} is not read here", token.place, Unsupported)

    def expression(self, *, within_par: bool = False) -> Expression:
        """Operands joined to the right; within `par` up to the `||` that ends an operand."""
        self.depth += 1
        if self.depth > _DEEPEST:
            self.tokens.wrong("the expression nests too deep", self.tokens.token.place, Unsupported)
        tokens = self.tokens
        operands = [self.operand()]
        joined: list[tuple[Gate, ...] | None] = []
        while tokens.token.kind in _OPERATORS and not (within_par and tokens.token.kind == "||"):
            kind = tokens.token.kind
            tokens.at += 1
            gates: tuple[Gate, ...] | None = None
            if kind != "||":
                gates = () if kind == "|||" or tokens.token.kind == "]|" else self.gates()
                if kind == "|[":
                    tokens.take("]|")
            joined.append(gates)
            operands.append(self.operand())
        self.depth -= 1
        found = operands[-1:]
        # Neighbours with the same operator stand side by side: it is associative.
        while joined:
            gates = joined.pop()
            found.insert(0, operands[len(joined)])
            if not joined or _keys(joined[-1]) != _keys(gates):
                found = [Parallel(tuple(found), gates, ((),) * len(found))]
        return found[0]

    def operand(self) -> Expression:
        tokens = self.tokens
        token = tokens.token
        if tokens.has("("):
            found = self.expression()
            tokens.take(")")
            return found
        if token.kind == "string":
            tokens.at += 1
            if not token.text:
                tokens.wrong("a component has the name of a file", token.place)
            return Component(token.text, token.place)
        if tokens.has_word("par"):
            return self.par()
        if tokens.is_word("prio"):
            message = "priorities are not read here: no synchronisation vector says them"
            tokens.wrong(message, token.place, Unsupported)
        if tokens.is_word("hide", "cut", "rename", *MODES):
            following = tokens.tokens[tokens.at + 1]
            if tokens.is_word("hide", "cut", "rename") or (
                following.kind == "name" and following.text.lower() in ("hide", "cut", "rename")
            ):
                return self.relabelling()
        if token.kind == "name" and token.text.lower() not in _RESERVED:
            tokens.at += 1
            return Component(token.text, token.place)
        tokens.expected("a component")

    def relabelling(self) -> Expression:
        tokens = self.tokens
        mode: Token | None = None
        if tokens.is_word(*MODES):
            mode = tokens.take("name")
        what = tokens.take("name").text.lower()
        allowed = ("total", "gate", "single", "multiple") if what == "rename" else MODES[:3]
        if mode is not None and mode.text.lower() not in allowed:
            tokens.wrong(f"`{what}` is {', '.join(allowed[:-1])} or {allowed[-1]}", mode.place)
        given = None if mode is None else mode.text.lower()
        made: Expression
        if what == "rename":
            rules = [self.rule(given)]
            while tokens.has(","):
                rules.append(self.rule(given))
            tokens.take_word("in")
            made = Rename(tuple(rules), self.expression())
        else:
            but = tokens.has_word("all")
            if but:
                tokens.take_word("but")
            # `hide all but` of nothing is allowed, and so is hiding nothing.
            patterns = () if tokens.is_word("in") else self.patterns(given)
            tokens.take_word("in")
            kind = Hide if what == "hide" else Cut
            made = kind(patterns, but, self.expression())
        if tokens.has_word("end"):
            tokens.take_word(what)
        return made

    def rule(self, mode: str | None) -> tuple[Pattern, str]:
        tokens = self.tokens
        pattern = self.pattern(mode)
        tokens.take("->")
        new = self.label()
        for number in re.findall(r"\\([0-9])", new.text):
            if int(number) > pattern.groups:
                tokens.wrong(f"the pattern has no group {number}", new.place)
        return pattern, new.text

    def patterns(self, mode: str | None) -> tuple[Pattern, ...]:
        found = [self.pattern(mode)]
        while self.tokens.has(","):
            found.append(self.pattern(mode))
        return tuple(found)

    def pattern(self, mode: str | None) -> Pattern:
        """A name is the gate of labels, a string matches them whole, unless a mode is given."""
        token = self.label()
        plain = token.kind == "name"
        try:
            return Pattern(token.text, mode or ("gate" if plain else "total"), plain)
        except LtsError as error:
            self.tokens.wrong(f"this is no regular expression: {error.message}", token.place)

    def label(self) -> Token:
        """A label, or a pattern of some."""
        token = self.tokens.token
        if token.kind == "string":
            self.tokens.at += 1
            return token
        if token.kind == "name" and token.text.lower() not in _RESERVED:
            self.tokens.at += 1
            return token
        self.tokens.expected("a label")

    def gates(self) -> tuple[Gate, ...]:
        found = [self.gate()]
        while self.tokens.has(","):
            found.append(self.gate())
        return tuple(found)

    def gate(self) -> Gate:
        tokens = self.tokens
        place = tokens.token.place
        pattern = self.pattern(None)
        degree = None
        if tokens.has("#"):
            number = tokens.take("number", "how many synchronise")
            degree = int(number.text.lstrip("0")[:_LONGEST_NUMBER] or "0")
            if degree < 1:
                tokens.wrong("at least one component does a step", number.place)
        return Gate(pattern, degree, place)

    def par(self) -> Expression:
        """`par`: vectors before `in`, or gates, or at once its operands."""
        tokens = self.tokens
        begin = tokens.at
        using = tokens.has_word("using")
        if using or self.comes_vector():
            return self.vectors()
        gates: tuple[Gate, ...] = ()
        if self.comes_in():
            gates = () if tokens.is_word("in") else self.gates()
            tokens.take_word("in")
        else:
            tokens.at = begin
        operands, interfaces = [], []
        while True:
            interfaces.append(self.interface())
            operands.append(self.expression(within_par=True))
            if not tokens.has("||"):
                break
        tokens.take_word("end")
        tokens.take_word("par")
        for gate in gates:
            if gate.degree is not None and gate.degree > len(operands):
                message = (
                    f"there are {len(operands)} components, of which {gate.degree} synchronise"
                )
                tokens.wrong(message, gate.place)
        return Parallel(tuple(operands), gates, tuple(interfaces))

    def comes_in(self) -> bool:
        """Whether a list of gates comes, up to `in`."""
        at = self.tokens.at
        while True:
            token = self.tokens.tokens[at]
            if token.kind == "name" and token.text.lower() == "in":
                return True
            if token.kind == "name" and token.text.lower() in _RESERVED:
                return False
            if token.kind not in ("name", "string", "number", "#", ","):
                return False
            at += 1

    def comes_vector(self) -> bool:
        """Whether a vector comes: a label or `_` before `*`, or before an arrow to one label."""
        tokens = self.tokens.tokens[self.tokens.at :][:5]
        kinds = [token.kind for token in tokens]
        if kinds[0] not in ("name", "string", "_"):
            return False
        if len(kinds) > 1 and kinds[1] == "*":
            return True
        last = tokens[3] if len(tokens) > 3 else None
        ends = last is not None and (
            last.kind == "," or (last.kind == "name" and last.text.lower() == "in")
        )
        return kinds[1:2] == ["->"] and ends

    def interface(self) -> tuple[Pattern, ...]:
        """The gates before `->` of an operand, if there are some."""
        at = self.tokens.at
        while self.tokens.tokens[at].kind in ("name", "string", ","):
            at += 1
        if self.tokens.tokens[at].kind != "->" or at == self.tokens.at:
            return ()
        found = self.patterns(None)
        self.tokens.take("->")
        return found

    def vectors(self) -> Expression:
        tokens = self.tokens
        found = []
        while not tokens.is_word("in"):
            place = tokens.token.place
            places = [self.part()]
            while tokens.has("*"):
                places.append(self.part())
            tokens.take("->")
            found.append((place, tuple(places), self.label().text))
            if not tokens.has(","):
                break
        tokens.take_word("in")
        operands = [self.expression(within_par=True)]
        while tokens.has("||"):
            operands.append(self.expression(within_par=True))
        tokens.take_word("end")
        tokens.take_word("par")
        for place, parts, _ in found:
            if len(parts) != len(operands):
                message = f"the vector has {len(parts)} places for {len(operands)} components"
                tokens.wrong(message, place)
            if all(part is None for part in parts):
                tokens.wrong("a synchronisation vector has a component", place)
        made = tuple((parts, result) for _, parts, result in found)
        return Vectors(tuple(operands), made)

    def part(self) -> str | None:
        return None if self.tokens.has("_") else self.label().text


def _keys(gates: tuple[Gate, ...] | None) -> object:
    """What two operators have alike if they may stand side by side."""
    return gates if gates is None else tuple((gate.pattern, gate.degree) for gate in gates)
