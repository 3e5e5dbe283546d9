"""Builds the tree of a network from the rules of grammar.lark, by the reference language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from lts.network.labels import Pattern, gate_of, has_offers
from lts.network.language import Language
from lts.network.network import TAU
from lts.network.tree import (
    Component,
    Composition,
    Cut,
    Element,
    Expression,
    Hide,
    Labels,
    Pairs,
    Parallel,
    PatternFile,
    Priorities,
    Rename,
    Rules,
    VectorExpression,
    Vectors,
    Within,
)
from lts.text.grammar import place_of
from lts.text.report import Failed, listed

if TYPE_CHECKING:
    from lark import Token

__all__ = ["builder", "rename_rule", "text_of"]

_ASSOCIATIVE = ("all", "on", "pairs")
"""Infix operators that are associative: neighbours with the same lists become one composition."""
_LONGEST_NUMBER = 9
"""Most digits of a degree: longer ones exceed any number of components."""
_MODES = {
    **dict.fromkeys(("hide", "cut", "encap", "prio"), ("gate", "total", "partial")),
    "rename": ("gate", "total", "single", "multiple"),
    "par": ("gate", "label"),
}
"""The modes allowed before each keyword; without one, the mode is `gate`."""
_ESCAPES = {
    **dict(zip("abfrtv", "\a\b\f\r\t\v", strict=True)),
    **{character: character for character in "\"\\'?"},
}
"""The characters that stand for others after a backslash; before all others it remains."""


def builder(language: Language) -> object:
    """Return the tree builder of the grammar, for a reference language."""
    return _Builder(language)


class _Builder:
    """Has a method for each rule, or alias of a rule, called with the values of its parts.

    The value of a word is its token.
    """

    def __init__(self, language: Language) -> None:
        self.language = language

    def listed(self, v: list[Any]) -> list[Any]:
        return v

    def turned(self, v: list[Token]) -> list[Token]:
        return v[::-1]

    def set(self, v: list[Any]) -> list[Token]:
        return v[0] if v else []

    def header(self, v: list[Token]) -> bool:
        return True

    def network(self, v: list[Any]) -> Composition:
        _, communications, expression = v
        table, place = communications or ({}, (1, 1))
        return Composition(self.language, table, place, expression)

    def communications(
        self, v: list[list[Token]]
    ) -> tuple[dict[tuple[str, str], str], tuple[int, int]]:
        found: dict[tuple[str, str], str] = {}
        for words in v:
            one, other, result = map(self._label, words)
            if (one, other) in found:
                message = f"`{one}` and `{other}` already communicate"
                raise Failed(message, place_of(words[0]))
            for word in words:
                self._refuse_offers(word)
            for word, gate in zip(words, (one, other), strict=False):
                if self._is_hidden(gate):
                    raise Failed(
                        f"`{gate}` is hidden, and hidden steps do not synchronise", place_of(word)
                    )
            found[one, other] = found[other, one] = result
        return found, place_of(v[0][0])

    # Infix operators.

    def expression(self, v: list[Any]) -> Expression:
        """Operands with operators between them, which associate to the right."""
        found: list[Expression] = v[-1:]
        for at in range(len(v) - 2, 0, -2):
            found.insert(0, v[at - 1])
            kind, words = v[at]
            # Neighbours with the same associative operator become one composition.
            if kind not in _ASSOCIATIVE or at == 1 or v[at - 2] != v[at]:
                found = [self._joined(kind, words, tuple(found))]
        return found[0]

    def bars(self, v: list[Any]) -> tuple[str, list[Token]]:
        return ("communicating" if self.language.bars_communicate else "all"), []

    def on_none(self, v: list[Any]) -> tuple[str, list[Token]]:
        return "on", []

    def on(self, v: list[Any]) -> tuple[str, list[Token]]:
        return "on", v[0]

    on_set = on

    def on_pairs(self, v: list[Any]) -> tuple[str, list[Token]]:
        return "pairs", []

    def alphabets(self, v: list[Any]) -> tuple[str, list[list[Token]]]:
        return "alphabets", v

    def within(self, v: list[Any]) -> tuple[str, list[Token]]:
        return "within", v[0]

    def within_verified(self, v: list[Any]) -> tuple[str, list[Token]]:
        return "verified", v[0]

    def _joined(self, kind: str, words: list[Any], operands: tuple[Expression, ...]) -> Expression:
        if kind in ("within", "verified"):
            gates = tuple(self._element(word, by_label=False) for word in words)
            return Within(operands, gates, kind == "verified", place_of(words[0]))
        if kind in ("pairs", "communicating"):
            return Pairs(operands, kind == "communicating")
        if kind == "alphabets":
            return self._of_alphabets(words, operands)
        shared = tuple(self._element(word, by_label=False) for word in words)
        return Parallel(operands, shared, ((),) * len(operands), everything=kind == "all")

    def _of_alphabets(
        self, words: list[list[Token]], operands: tuple[Expression, ...]
    ) -> Expression:
        """Compose operands restricted to their alphabets, synchronised on the common labels."""
        termination = self.language.termination
        shared = {self._label(word) for word in words[1]} - {termination}
        common = [word for word in words[0] if self._label(word) in shared]
        cut = tuple(
            Cut(
                Labels(
                    (
                        *(self._pattern(word, "gate", plain=True) for word in own),
                        *(
                            ()
                            if termination is None
                            else (Pattern(termination, "gate", plain=True),)
                        ),
                    ),
                    all_but=True,
                ),
                operand,
            )
            for own, operand in zip(words, operands, strict=True)
        )
        return self._joined("on", common, cut)

    # Operands.

    def component(self, v: list[Token]) -> Component:
        return Component(self._file(v[0]), place_of(v[0]))

    def _file(self, token: Token) -> str:
        text = text_of(token)
        if not text:
            raise Failed("a file name must not be empty", place_of(token))
        return text

    def mode(self, v: list[Token]) -> tuple[str, str, Token]:
        """Return the mode (by default `gate`), the operator, and the token where it begins."""
        mode, operator = ("gate" if not v[1:] else str(v[0])), str(v[-1])
        if mode not in _MODES[operator]:
            raise Failed(f"`{operator}` is {listed(_MODES[operator])}", place_of(v[0]))
        return mode, operator, v[0]

    def these(self, v: list[list[Token]]) -> tuple[bool, list[Token]]:
        return False, v[0] if v else []

    def all_but(self, v: list[list[Token]]) -> tuple[bool, list[Token]]:
        return True, v[0] if v else []

    def using(self, v: list[Token]) -> Token:
        return v[0]

    def open(self, v: list[Any]) -> Hide:
        (mode, _, place), selection, _ = v
        plain = isinstance(selection, tuple) and not selection[0]
        if not plain or mode != "gate" or place != "hide":
            raise Failed("this `hide` has no `end hide`", place_of(place))
        return self.hide(v)

    def hide(self, v: list[Any]) -> Hide:
        return Hide(self._selected(v[0], v[1]), v[2])

    def cut(self, v: list[Any]) -> Cut:
        return Cut(self._selected(v[0], v[1]), v[2])

    def _selected(
        self, operator: tuple[str, str, Token], selection: tuple[bool, list[Token]] | Token
    ) -> Labels | PatternFile:
        mode, name, _ = operator
        if not isinstance(selection, tuple):
            return self._patterns_of(selection, "cut" if name == "encap" else name, mode)
        but, words = selection
        return Labels(tuple(self._pattern(word, mode) for word in words), but)

    def _patterns_of(self, file: Token, operator: str, mode: str) -> PatternFile:
        return PatternFile(self._file(file), operator, mode, place_of(file))

    def rename(self, v: list[Any]) -> Rename:
        (mode, operator, _), renamings, body = v
        if not isinstance(renamings, list):
            return Rename(self._patterns_of(renamings, operator, mode), body)
        return Rename(self._rules(renamings, mode), body)

    def _rules(self, pairs: list[Any], mode: str, **how: bool) -> Rules:
        rules = []
        for old, new in pairs:
            pattern = self._pattern(old, mode, **how)
            rules.append(rename_rule(pattern, self._label(new), place_of(new)))
        return tuple(rules)

    def prio(self, v: list[Any]) -> Priorities:
        (mode, _, word), rules, body = v
        made = tuple(
            tuple(
                Labels(tuple(self._pattern(word, mode) for word in words), but)
                for but, words in rule
            )
            for rule in rules
        )
        return Priorities(made, body, place_of(word))

    # Postfix operators.

    def backslash(self, v: list[Any]) -> Expression:
        body, words = v[0], v[1] if isinstance(v[1], list) else [v[1]]
        hiding = self.language.backslash_hides
        labels = Labels(tuple(self._pattern(word, "gate", co=not hiding) for word in words))
        return Hide(labels, body) if hiding else Cut(labels, body)

    def relabel(self, v: list[Any]) -> Rename:
        return Rename(self._rules(v[1:], "gate", co=True), v[0])

    def exchanged(self, v: list[Any]) -> Rename:
        return Rename(self._rules(v[1:], "gate"), v[0])

    # Parts of `par`.

    def element(self, v: list[Token]) -> tuple[Token, ...]:
        return tuple(v)

    def everything(self, v: list[Any]) -> tuple[bool, list[Any]]:
        return True, []

    def sharing(self, v: list[Any]) -> tuple[bool, list[Any]]:
        return False, v[0]

    def par(self, v: list[Any]) -> Parallel:
        (mode, _, _), sharing, branches = v
        everything, shared = sharing or (False, [])
        by_label = mode == "label"
        return Parallel(
            tuple(branch[-1] for branch in branches),
            self._elements(shared, by_label),
            tuple(self._elements(branch[0] if branch[1:] else [], by_label) for branch in branches),
            everything,
            by_label,
        )

    def par_vectors(self, v: list[Any]) -> Vectors:
        (mode, _, _), vectors, operands = v
        made = tuple(self._vector(words, len(operands), mode == "label") for words in vectors)
        return Vectors(tuple(operands), made, mode == "label")

    def _vector(self, words: list[Token], width: int, by_label: bool) -> VectorExpression:
        *before, result = words
        place = place_of(words[0])
        if len(before) != width:
            message = f"the vector has {len(before)} places for {width} components"
            raise Failed(message, place)
        parts = tuple(None if word == "_" else self._label(word) for word in before)
        if all(part is None for part in parts):
            raise Failed("a synchronisation vector needs at least one component", place)
        for word, part in zip(before, parts, strict=True):
            if part is not None and self._is_hidden(part):
                message = f"`{part}` is hidden: no vector has it on the left"
                raise Failed(message, place_of(word))
            if not by_label:
                self._refuse_offers(word)
        made = self._label(result)
        return VectorExpression(parts, None if self._is_hidden(made) else made, place)

    def _elements(self, words: list[tuple[Token, ...]], by_label: bool) -> tuple[Element, ...]:
        return tuple(self._element(*word, by_label=by_label) for word in words)

    def _element(self, word: Token, number: Token | None = None, *, by_label: bool) -> Element:
        label = self._label(word)
        gate = gate_of(label) if by_label else label
        if self._is_hidden(label):
            raise Failed(
                f"`{label}` is hidden, and hidden steps do not synchronise", place_of(word)
            )
        if gate == self.language.termination:
            raise Failed(
                f"`{gate}` is termination, in which all operands must take part", place_of(word)
            )
        digits = None if number is None else number.lstrip("0")[:_LONGEST_NUMBER]
        return Element(label, None if digits is None else int(digits or "0"), place_of(word))

    # Words.

    def _is_hidden(self, label: str) -> bool:
        return label in (self.language.hidden, TAU)

    def _label(self, token: Token) -> str:
        return self.language.written(text_of(token))

    def _pattern(self, token: Token, mode: str, **how: bool) -> Pattern:
        place = place_of(token)
        try:
            return Pattern(self._label(token), mode, place=place, **how)
        except LtsError as error:
            message = f"this is not a valid regular expression: {error.message}"
            raise Failed(message, place) from None

    def _refuse_offers(self, token: Token) -> None:
        if token != "_" and has_offers(self._label(token)):
            message = "a gate is written without offers, which synchronise if they are equal"
            raise Failed(f"{message}; `label par` is for whole labels", place_of(token))


def rename_rule(pattern: Pattern, new: str, place: tuple[int, int]) -> tuple[Pattern, str]:
    """Return a renaming rule; raise `Failed` if it refers to a group that the pattern lacks."""
    for number in re.findall(r"\\([0-9])", new):
        if int(number) > pattern.groups:
            raise Failed(f"the pattern has no group {number}", place)
    return pattern, new


def text_of(token: Token) -> str:
    """Return the text of a name, or of a string without its quotes and escapes."""
    if token.type != "STRING":
        return str(token)
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), str(token[1:-1]))
