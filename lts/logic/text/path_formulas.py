"""Parses path formulas, which follow `A` and `E`.

    path:  G f  F f  X f  f U g  f W g  f R g  !f  f && g  f || g  f => g  (f)  [] f  <> f
           forall x:D. f  exists x:D. f  WF(a)  SF(a)
    atoms: labels, of the next step: enter(p)  tau  "any text"
           state formulas: true  false  <r>f  [r]f  mu X. f  nu X. f  val(b)  A f  E f

U, W and R bind more strongly than `&&`. `WF(a)` is weak fairness, `G F (!<a>true || a)`, and
`SF(a)` is strong fairness, `G F <a>true => G F a`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from lts.logic.nodes import Quantifier
from lts.logic.text.action_formulas import ActionFormulas
from lts.logic.text.tokens import LEVELS, NAMES
from lts.text.climbing import climb
from lts.text.source import Place

__all__ = ["PATH_QUANTIFIERS", "PathFormulas", "is_about_paths"]

PATH_QUANTIFIERS = {"A": "all", "E": "some"}
_UNARY = ("G", "F", "X")
_BINARY = {"U": 4, "W": 4, "R": 4}
_LEVELS = {**LEVELS, **_BINARY}
_JOINED = {"&&": "and", "||": "or"}
_FAIR = ("WF", "SF")
_CTL = {f"{quantifier}{word}" for quantifier in PATH_QUANTIFIERS for word in _UNARY}
_WORDS = {*PATH_QUANTIFIERS, *_UNARY, *_BINARY, *_FAIR, *_CTL}


def is_about_paths(word: str) -> bool:
    """Whether a word begins a path formula."""
    return word in {*_UNARY, *_FAIR}


class PathFormulas:
    """Parses path formulas to nodes.

    `prefixed` and `atom` read state formulas: one that begins with modalities, and one that does
    not.
    """

    def __init__(
        self, actions: ActionFormulas, prefixed: Callable[[], int], atom: Callable[[], int]
    ) -> None:
        self.actions = actions
        self.reader = actions.reader
        self.of = actions.of
        self.scopes = actions.scopes
        self.prefixed = prefixed
        self.atom = atom
        self.fair: int | None = None
        """The node of the fairness assumption."""
        self.uses_fairness = False

    def is_quantifier(self) -> bool:
        """Whether a path quantifier (`A`, `E`, or as in `AG`) begins here, not a variable."""
        name = self.reader.text
        is_one = name in PATH_QUANTIFIERS or name in _CTL
        return is_one and not self.reader.is_open and self.of.formula(name) is None

    def about_paths(self, place: Place, word: str) -> NoReturn:
        """Raise the error that a path quantifier is missing."""
        self.of.wrong(
            place,
            f"`{word}` is about paths: write `A {word} ..` for all paths, or `E {word} ..` "
            "for some path",
        )

    def quantified(self, *, is_inside: bool) -> int:
        """Read a path quantifier with its formula; nested ones do not extend over U, W and R."""
        reader, of = self.reader, self.of
        operator = PATH_QUANTIFIERS[reader.text[0]]
        if reader.text in _CTL:
            reader.shorten(1)  # `AG` stands for `A G`
        else:
            reader.at += 1
        outer, of.outside_paths = of.outside_paths, len(of.nodes)
        if self.is_binary():
            reader.at += 1
            found = self.scopes.bracketed(self.formula, "]")
        else:
            levels = {} if is_inside else _BINARY
            found = climb(levels, self.path_prefixed, self.operator, self.connected)
        of.outside_paths = outer
        if self.fair is not None:
            self.uses_fairness = True
            if operator == "all":
                found = of.node("or", None, of.node("not", None, self.fair), found)
            else:
                found = of.node("and", None, self.fair, found)
        return of.node(operator, None, found)

    def is_binary(self) -> bool:
        """Whether a CTL formula `[p U q]` begins here."""
        reader = self.reader
        if reader.text != "[":
            return False
        at, end = reader.at + 1, reader.closing[reader.at]
        begin = at
        while at < end:
            if at > begin and reader.values[at] in _BINARY:
                return True
            at = reader.closing[at] + 1
        return False

    # Operators, from the weakest.

    def formula(self, floor: int = 0) -> int:
        """Read a path formula with operators of at least priority `floor`."""
        return climb(_LEVELS, self.path_prefixed, self.operator, self.connected, floor)

    def operator(self, levels: Mapping[str, int], floor: int) -> str | None:
        """Consume and return one of these operators of at least this priority, or return None."""
        return None if self.reader.is_open else self.scopes.operator(levels, floor)

    def connected(self, operators: list[str], parts: list[int]) -> int:
        """Combine formulas by operators; all but `&&` and `||` associate to the right."""
        if operators[0] in _JOINED:
            return self.of.node(_JOINED[operators[0]], None, *parts)
        found = parts[-1]
        for left, word in zip(reversed(parts[:-1]), reversed(operators), strict=True):
            if word == "=>":
                found = self.of.node("or", None, self.of.node("not", None, left), found)
            elif word == "U":
                found = self.of.node("until", None, left, found)
            elif word == "R":
                found = self.of.node("release", None, left, found)
            else:
                either = self.of.node("or", None, left, found)
                found = self.of.node("release", None, found, either)
        return found

    def path_prefixed(self, level: int = 0) -> int:
        """Read unary operators and their operand, after an operator of a priority."""
        reader, wrap = self.reader, []
        while True:
            word = reader.text
            if word == "!" or (word in _UNARY and not reader.is_open):
                wrap.append(word)
                reader.at += 1
            elif (word, reader.after) in (("[", "]"), ("<", ">")):
                wrap.append("G" if word == "[" else "F")
                reader.at += 2
            else:
                break
        found = self.path_atom(level)
        for word in reversed(wrap):
            if word == "!":
                found = self.of.node("not", None, found)
            elif word == "X":
                found = self.of.node("next", None, found)
            else:
                found = self.globally(found) if word == "G" else self.finally_(found)
        return found

    def path_atom(self, level: int) -> int:
        """Read a path formula that needs no brackets, after an operator of a priority."""
        reader, of = self.reader, self.of
        if reader.has("("):
            return self.scopes.bracketed(self.formula, ")")
        if reader.is_quantifier:
            kind, slots, found = self.actions.quantifier(level, self.formula)
            for slot in reversed(slots):
                found = of.node(kind, Quantifier(slot), found)
            return found
        word, is_applied = reader.text, reader.is_applied
        if word in _FAIR and not reader.is_open:
            return self.fairness()
        if word in ("<", "["):
            return self.prefixed()
        if word == "val" and is_applied:
            return self.atom()
        if word in ("true", "false", "mu", "nu", "deadlock") and not is_applied:
            return self.atom()
        if self.is_quantifier():
            return self.quantified(is_inside=True)
        if reader.is_word and (known := of.formula(word)):
            node, is_fixed_point = known
            if is_fixed_point and node < of.outside_paths:
                of.wrong(
                    reader.place,
                    f"the fixed point `{word}` is outside `A` or `E`, and cannot be used inside",
                )
            return self.atom()
        if reader.is_word and not is_applied and of.data.get(word):
            of.wrong(reader.place, f"`{word}` is data; write `val({word})` for its truth value")
        is_label = (word == "tau" and not is_applied) or word.startswith('"')
        is_reserved = word in NAMES or (word in _WORDS and not reader.is_open)
        if is_label or (reader.is_word and not is_reserved):
            return of.node("action", self.actions.single())
        reader.expected("a formula about paths")

    def globally(self, part: int) -> int:
        """Return `G part`."""
        return self.of.node("release", None, self.of.node("or", None), part)

    def finally_(self, part: int) -> int:
        """Return `F part`."""
        return self.of.node("until", None, self.of.node("and", None), part)

    def fairness(self) -> int:
        """Read `WF(a)` or `SF(a)`."""
        word = self.reader.take()
        self.reader.need("(")
        actions = self.scopes.bracketed(self.actions.formula, ")")
        possible = self.of.node("can", actions, self.of.node("and", None))
        done = self.of.node("action", actions)
        if word == "WF":
            either = self.of.node("or", None, self.of.node("not", None, possible), done)
            return self.globally(self.finally_(either))
        often = self.globally(self.finally_(possible))
        return self.of.node(
            "or", None, self.of.node("not", None, often), self.globally(self.finally_(done))
        )
