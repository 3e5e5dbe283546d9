"""Formulas about paths as text, as they stand after `A` and `E`.

    path:  G f  F f  X f  f U g  f W g  f R g  !f  f && g  f || g  f => g  (f)  [] f  <> f
           forall x:D. f  exists x:D. f  WF(a)  SF(a)
    and what they are made of: labels, of the next step: enter(p)  tau  "any text"
           formulas of a state: true  false  <r>f  [r]f  mu X. f  nu X. f  val(b)  A f  E f

U, W and R bind more than `&&`. `WF(a)` is weak fairness, `G F (!<a>true || a)`, and `SF(a)` is
strong fairness, `G F <a>true => G F a`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import NoReturn

from lts.logic.actions import ActionReader
from lts.logic.nodes import Actions, Call, DataTerm, Node, Quantifier
from lts.logic.terms.text import TextTerms
from lts.logic.tokens import LEVELS, NAMES
from lts.text.climbing import climb

__all__ = ["PATH_QUANTIFIERS", "PathReader", "is_about_paths"]

PATH_QUANTIFIERS = {"A": "all", "E": "some"}
_UNARY = ("G", "F", "X")
_BINARY = {"U": 4, "W": 4, "R": 4}
_LEVELS = {**LEVELS, **_BINARY}
_JOINED = {"&&": "and", "||": "or"}
_FAIR = ("WF", "SF")
_CTL = {f"{quantifier}{word}" for quantifier in PATH_QUANTIFIERS for word in _UNARY}
_WORDS = {*PATH_QUANTIFIERS, *_UNARY, *_BINARY, *_FAIR, *_CTL}


def is_about_paths(text: str) -> bool:
    """Whether a word is one with which a formula about paths begins."""
    return text.partition("(")[0] in {*_UNARY, *_FAIR}


class PathReader(ActionReader):
    """Reads formulas about paths, and makes them nodes."""

    fair: int | None = None
    """The node of what all paths are taken to satisfy."""
    uses_fairness = False

    def __init__(self, text: str, file: str, terms: TextTerms) -> None:
        super().__init__(text, file, terms)
        self.nodes: list[Node] = []
        # Names in scope: the node that binds a variable, and the negations around that; or the node
        # that a definition stands for, and None.
        self.scope: dict[str, list[tuple[int, int | None]]] = {}
        self.negations = 0

    def node(
        self, operator: str, what: Actions | Call | DataTerm | Quantifier | None, *parts: int
    ) -> int:
        """Add a node and return its number."""
        self.nodes.append((operator, what, parts))
        return len(self.nodes) - 1

    @abstractmethod
    def prefixed(self) -> int:
        """Read a formula of a state that begins with modalities."""

    @abstractmethod
    def atom(self) -> int:
        """Read a formula of a state that begins with no modality."""

    @abstractmethod
    def new_tokens(self) -> None:
        """Forget what was known of the places of tokens."""

    def is_path_quantifier(self) -> bool:
        """Whether `A` or `E`, or one as `AG`, stands here, and is no variable."""
        name, _, rest = self.token.text.partition("(")
        is_one = name in PATH_QUANTIFIERS or name in _CTL
        return is_one and rest != "...)" and not self.scope.get(name)

    def about_paths(self, at: int, word: str) -> NoReturn:
        """Raise that it is to be said which paths are meant."""
        self.wrong(
            at, f"`{word}` is about paths: say `A {word} ..` of all, or `E {word} ..` of some"
        )

    def quantified_paths(self, *, is_inside: bool) -> int:
        """Read what all or some paths satisfy; around U, W and R unless it is inside of another."""
        self.split_word()
        operator = PATH_QUANTIFIERS[self.token.text]
        self.at += 1
        end = self.closing_of_binary()
        # What binds variables of fixed points stays outside; definitions are known inside.
        outer = self.scope
        self.scope = {
            name: [(-1, 0) if entry[1] is not None else entry for entry in entries]
            for name, entries in outer.items()
        }
        if end is None:
            levels = {} if is_inside else _BINARY
            found = climb(levels, self.path_prefixed, self.path_operator, self.connected)
        else:
            self.at += 1
            found = self.path_formula()
            self.take("]")
        self.scope = outer
        if self.fair is not None:
            self.uses_fairness = True
            if operator == "all":
                found = self.node("or", None, self.node("not", None, self.fair), found)
            else:
                found = self.node("and", None, self.fair, found)
        return self.node(operator, None, found)

    def split_word(self) -> None:
        """Take a word as `G(..)` apart, which is no label here."""
        token = self.token
        name, bracket, rest = token.text.partition("(")
        if name in _WORDS and bracket and rest != "...)":
            begin = token.at + len(name)
            inner = self.split(begin, self.end_of_arguments(begin))[:-1]
            self.tokens[self.at : self.at + 1] = [type(token)(name, token.at), *inner]
            self.new_tokens()
        if name in _CTL:
            # `AG` is `A G`.
            parts = [type(token)(letter, token.at) for letter in name]
            self.tokens[self.at : self.at + 1] = parts
            self.new_tokens()

    def closing_of_binary(self) -> int | None:
        """Return the place of the bracket that closes `[p U q]`, as CTL has it; None if none
        begins here."""
        if self.token.text != "[":
            return None
        depth, is_binary = 0, False
        for place in range(self.at, len(self.tokens)):
            text = self.tokens[place].text
            depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(text, 0)
            if depth == 0:
                return place if is_binary else None
            is_operator = depth == 1 and text.partition("(")[0] in _BINARY
            is_binary = is_binary or (is_operator and place > self.at + 1)
        return None

    # From the operator that binds least.

    def path_formula(self) -> int:
        """Read a formula about paths."""
        return climb(_LEVELS, self.path_prefixed, self.path_operator, self.connected)

    def path_operator(self, levels: Mapping[str, int]) -> str | None:
        """Go on behind one of these operators, if one stands here, and return it."""
        if self.token.text.partition("(")[0] in _BINARY:
            self.split_word()
        return self.operator(levels)

    def connected(self, operators: list[str], parts: list[int]) -> int:
        """Return what operators of one priority make of formulas: those that are no `&&` and no
        `||` join the last two first."""
        if operators[0] in _JOINED:
            return self.node(_JOINED[operators[0]], None, *parts)
        found = parts[-1]
        for left, word in zip(reversed(parts[:-1]), reversed(operators), strict=True):
            if word == "=>":
                found = self.node("or", None, self.node("not", None, left), found)
            elif word == "U":
                found = self.node("until", None, left, found)
            elif word == "R":
                found = self.node("release", None, left, found)
            else:
                either = self.node("or", None, left, found)
                found = self.node("release", None, found, either)
        return found

    def path_prefixed(self) -> int:
        """Read operators with one operand, and what they are of."""
        wrap = []
        while True:
            self.split_word()
            word = self.token.text
            after = self.after.text
            if word == "!" or word in _UNARY:
                wrap.append(word)
                self.at += 1
            elif (word, after) in (("[", "]"), ("<", ">")):
                wrap.append("G" if word == "[" else "F")
                self.at += 2
            else:
                break
        found = self.path_atom()
        for word in reversed(wrap):
            if word == "!":
                found = self.node("not", None, found)
            elif word == "X":
                found = self.node("next", None, found)
            else:
                found = self.globally(found) if word == "G" else self.finally_(found)
        return found

    def globally(self, part: int) -> int:
        """Return that a formula holds from now on."""
        return self.node("release", None, self.node("or", None), part)

    def finally_(self, part: int) -> int:
        """Return that a formula holds some time."""
        return self.node("until", None, self.node("and", None), part)

    def path_atom(self) -> int:
        """Read what needs no brackets."""
        token = self.token
        if self.has("("):
            found = self.path_formula()
            self.take(")")
            return found
        if self.is_quantifier():
            kind, slots = self.binders()
            found = self.path_formula()
            self.close_binders(slots)
            for slot in reversed(slots):
                found = self.node(kind, Quantifier(slot), found)
            return found
        if token.text in _FAIR:
            return self.fairness()
        if token.text in ("<", "["):
            return self.prefixed()
        name = token.text.partition("(")[0]
        if token.text in ("true", "false", "mu", "nu", "deadlock") or token.is_condition:
            return self.atom()
        if self.is_path_quantifier():
            return self.quantified_paths(is_inside=True)
        if token.is_name and (entries := self.scope.get(name)):
            if entries[-1][1] is not None:
                self.wrong(
                    token.at, f"`{name}` is a fixed point around `A` or `E`, and unknown inside"
                )
            return self.atom()
        if token.is_name and token.text == name and self.data.get(name):
            self.wrong(token.at, f"`{name}` is data; what it says of truth stands in `val({name})`")
        is_label = token.text == "tau" or token.text.startswith('"')
        if is_label or (token.is_name and name not in NAMES and token.text not in _WORDS):
            return self.node("action", self.single())
        self.expected("a formula about paths")

    def fairness(self) -> int:
        """Read `WF(a)` or `SF(a)`."""
        word = self.token.text
        self.at += 1
        self.take("(")
        actions = self.actions()
        self.take(")")
        possible = self.node("can", actions, self.node("and", None))
        done = self.node("action", actions)
        if word == "WF":
            either = self.node("or", None, self.node("not", None, possible), done)
            return self.globally(self.finally_(either))
        often = self.globally(self.finally_(possible))
        return self.node(
            "or", None, self.node("not", None, often), self.globally(self.finally_(done))
        )
