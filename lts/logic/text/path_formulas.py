"""Parses path formulas, which follow `A` and `E`.

    path:  G f  F f  X f  f U g  f W g  f R g  !f  f && g  f || g  f => g  (f)  [] f  <> f
           forall x:D. f  exists x:D. f  WF(a)  SF(a)
    atoms: labels, of the next step: enter(p)  tau  "any text"
           state formulas: true  false  <r>f  [r]f  mu X. f  nu X. f  val(b)  A f  E f

U, W and R bind more strongly than `&&`. `WF(a)` is weak fairness, `G F (!<a>true || a)`, and
`SF(a)` is strong fairness, `G F <a>true => G F a`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import NoReturn

from lts.logic.nodes import Actions, Call, DataTerm, Node, Quantifier
from lts.logic.terms.text import TextTerms
from lts.logic.text.action_formulas import ActionReader
from lts.logic.text.tokens import LEVELS, NAMES
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
    """Whether a word begins a path formula."""
    return text.partition("(")[0] in {*_UNARY, *_FAIR}


class PathReader(ActionReader):
    """Parses path formulas to nodes."""

    fair: int | None = None
    """The node of the fairness assumption."""
    uses_fairness = False

    def __init__(self, text: str, file: str, terms: TextTerms) -> None:
        super().__init__(text, file, terms)
        self.nodes: list[Node] = []
        # For each name in scope: the binder of a variable with the number of negations around it,
        # or the node of a definition with None.
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
        """Read a state formula that begins with modalities."""

    @abstractmethod
    def atom(self) -> int:
        """Read a state formula that does not begin with a modality."""

    @abstractmethod
    def new_tokens(self) -> None:
        """Discard everything computed from token positions."""

    def is_path_quantifier(self) -> bool:
        """Whether a path quantifier (`A`, `E`, or as in `AG`) begins here, not a variable."""
        name = self.token.text.partition("(")[0]
        is_one = name in PATH_QUANTIFIERS or name in _CTL
        return is_one and not self.token.is_open and not self.scope.get(name)

    def about_paths(self, at: int, word: str) -> NoReturn:
        """Raise the error that a path quantifier is missing."""
        self.wrong(
            at,
            f"`{word}` is about paths: write `A {word} ..` for all paths, or `E {word} ..` "
            "for some path",
        )

    def quantified_paths(self, *, is_inside: bool) -> int:
        """Read a path quantifier with its formula; nested ones do not extend over U, W and R."""
        self.split_word()
        operator = PATH_QUANTIFIERS[self.token.text]
        self.at += 1
        end = self.closing_of_binary()
        # Fixed-point variables cannot be used inside path formulas; definitions can.
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
        """Split a token such as `G(..)`, which is not a label here."""
        token = self.token
        name, bracket, _ = token.text.partition("(")
        if name in _WORDS and bracket and not token.is_open:
            begin = token.at + len(name)
            inner = self.split(begin, self.end_of_arguments(begin))[:-1]
            self.tokens[self.at : self.at + 1] = [type(token)(name, token.at), *inner]
            self.new_tokens()
        if name in _CTL:
            # `AG` stands for `A G`.
            parts = [type(token)(letter, token.at) for letter in name]
            self.tokens[self.at : self.at + 1] = parts
            self.new_tokens()

    def closing_of_binary(self) -> int | None:
        """Return the index of the bracket that closes a CTL formula `[p U q]` here, or None."""
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

    # Operators, from the weakest.

    def path_formula(self) -> int:
        """Read a path formula."""
        return climb(_LEVELS, self.path_prefixed, self.path_operator, self.connected)

    def path_operator(self, levels: Mapping[str, int]) -> str | None:
        """Consume and return one of these operators, or return None."""
        if self.token.text.partition("(")[0] in _BINARY:
            self.split_word()
        return self.operator(levels)

    def connected(self, operators: list[str], parts: list[int]) -> int:
        """Combine formulas by operators; all but `&&` and `||` associate to the right."""
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
        """Read unary operators and their operand."""
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
        """Return `G part`."""
        return self.node("release", None, self.node("or", None), part)

    def finally_(self, part: int) -> int:
        """Return `F part`."""
        return self.node("until", None, self.node("and", None), part)

    def path_atom(self) -> int:
        """Read a path formula that needs no brackets."""
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
                    token.at,
                    f"the fixed point `{name}` is outside `A` or `E`, and cannot be used inside",
                )
            return self.atom()
        if token.is_name and token.text == name and self.data.get(name):
            self.wrong(token.at, f"`{name}` is data; write `val({name})` for its truth value")
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
