"""The parser of composition expressions: from a text to its tree, by grammar.lark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError, Unsupported
from lts.network.labels import MODES, Pattern
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
from lts.text.grammar import END, Grammar, Stopped, place_of
from lts.text.report import Failed, listed
from lts.text.source import Source

if TYPE_CHECKING:
    from lark import Token

__all__ = ["grammar", "parse"]

_FOREIGN = {
    "|": "`|` of CCS",
    "\\": "the restriction of CCS",
    "[": "the operators of CSP",
}
_OPERATORS = frozenset(("||", "|||", "|["))
_HIDING = frozenset(("CUT", "HIDE", "RENAME"))
_DEEPEST = 300
"""How deep expressions may stand within each other."""
_LONGEST_NUMBER = 9
"""Digits of a degree: there are fewer components than any longer one says."""


@cache
def grammar() -> Grammar:
    """Return the grammar of networks."""
    return Grammar(Path(__file__).with_name("grammar.lark"), ("network", "unknown"), _Builder())


def parse(source: Source) -> Expression:
    """Return the expression that a text is.

    Raises `ParseError`, with what was expected where, for other text, and `Unsupported` for what
    EXP has and this does not.
    """
    tokens = grammar().tokens(source.text)
    try:
        for token in tokens:
            _refuse_unknown(token)
        found: Expression = grammar().parse("network", tokens[:-1])
        _refuse_deep(found)
        return found
    except Stopped as stopped:
        failed = _unexpected(tokens, stopped.at)
    except Failed as wrong:
        failed = wrong
    raise source.error(failed.kind, failed.message, failed.place) from None


def _refuse_unknown(token: Token) -> None:
    """Raise `Failed` for what begins no word of the language."""
    message = {
        "UNKNOWN": f"unexpected {str(token)!r}",
        "UNCLOSED_QUOTE": "this quotation mark is never closed",
        "UNCLOSED_REMARK": "this remark is never closed",
    }.get(token.type)
    if message is not None:
        raise Failed(message, place_of(token))


def _refuse_deep(expression: Expression) -> None:
    """Raise `Failed` for expressions that stand too deep within each other."""
    waiting = [(expression, 1)]
    while waiting:
        found, depth = waiting.pop()
        if isinstance(found, Component):
            if depth > _DEEPEST:
                raise Failed("the expression nests too deep", found.place, Unsupported)
        else:
            within = found.operands if isinstance(found, Parallel | Vectors) else (found.body,)
            waiting += [(part, depth + 1) for part in within]


def _unexpected(tokens: Sequence[Token], at: int) -> Failed:
    """Return what is wrong with the first token that may not follow those before it."""
    token, place = tokens[at], place_of(tokens[at])
    expected = grammar().expected("network", tokens[:at])
    rules = expected.get("NAME", frozenset())
    if "operand" in rules and token.type == "PRIO":
        message = "priorities are not read here: no synchronisation vector says them"
        return Failed(message, place, Unsupported)
    if expected.keys() >= _OPERATORS and token in _FOREIGN:
        return Failed(f"{_FOREIGN[token]} is not read here", place, Unsupported)
    words = []
    if "operand" in rules:
        words.append("a component")
    if "label" in rules:
        words.append("a label")
    if "NUMBER" in expected:
        words.append("how many synchronise")
    if "|||" in expected:
        words.append("an operator")
    # A name that is a mode may go on as one, too.
    told = {"NAME", "STRING", "MODE", "NUMBER", END} | _OPERATORS
    told |= _HIDING if expected.keys() >= _HIDING else set()
    for kind in () if "operand" in rules else expected:
        if kind not in told:
            written = "_" if kind == "BLANK" else kind.strip("_").lower()
            words.append(f"`{written if kind.isupper() else kind}`")
    if END in expected:
        words.append("the end")
    found = f"`{token}`" if token else "the end"
    return Failed(f"expected {listed(words)}, not {found}", place)


class _Builder:
    """A method for each rule, or each alias of a rule, given the values of its parts.

    The value of a word is its token.
    """

    def listed(self, v: list[Any]) -> list[Any]:
        return v

    def expression(self, v: list[Any]) -> Expression:
        """Operands and, between them, the gates of operators."""
        found: list[Expression] = v[-1:]
        # Neighbours with the same operator stand side by side: it is associative.
        for at in range(len(v) - 2, 0, -2):
            gates = v[at]
            found.insert(0, v[at - 1])
            if at == 1 or _keys(v[at - 2]) != _keys(gates):
                found = [Parallel(tuple(found), gates, ((),) * len(found))]
        return found[0]

    def on_all(self, v: list[Any]) -> None:
        return None

    def on_none(self, v: list[Any]) -> tuple[Gate, ...]:
        return ()

    def on(self, v: list[Any]) -> tuple[Gate, ...]:
        return _gates(v[0])

    def component(self, v: list[Token]) -> Component:
        text = _text(v[0])
        if not text:
            raise Failed("a component has the name of a file", place_of(v[0]))
        return Component(text, place_of(v[0]))

    def these(self, v: list[list[Token]]) -> tuple[bool, list[Token]]:
        return False, v[0]

    def all_but(self, v: list[list[Token]]) -> tuple[bool, list[Token]]:
        return True, v[0]

    def mode(self, v: list[Token]) -> str | None:
        if not v[1:]:
            return None
        mode, what = (token.lower() for token in v)
        allowed = ("total", "gate", "single", "multiple") if what == "rename" else MODES[:3]
        if mode not in allowed:
            raise Failed(f"`{what}` is {listed(allowed)}", place_of(v[0]))
        return mode

    def hide(self, v: list[Any]) -> Hide:
        mode, (but, labels), body = v[:3]
        return Hide(tuple(_pattern(label, mode) for label in labels), but, body)

    def cut(self, v: list[Any]) -> Cut:
        mode, (but, labels), body = v[:3]
        return Cut(tuple(_pattern(label, mode) for label in labels), but, body)

    def rename(self, v: list[Any]) -> Rename:
        mode, renamings, body = v[:3]
        rules = []
        for old, new in renamings:
            pattern, text = _pattern(old, mode), _text(new)
            for number in re.findall(r"\\([0-9])", text):
                if int(number) > pattern.groups:
                    raise Failed(f"the pattern has no group {number}", place_of(new))
            rules.append((pattern, text))
        return Rename(tuple(rules), body)

    # What stands within `par`.

    def degree(self, v: list[Token]) -> tuple[Token, Token]:
        return v[0], v[1]

    def par_gates(self, v: list[Any]) -> tuple[Gate, ...]:
        return _gates(v[0]) if v else ()

    def branch(self, v: list[Any]) -> tuple[tuple[Pattern, ...], Expression]:
        return tuple(_pattern(label, None) for label in _labels(v[:-1])), v[-1]

    def par(self, v: list[Any]) -> Parallel:
        gates, branches = v[0] or (), v[1]
        for gate in gates:
            if gate.degree is not None and gate.degree > len(branches):
                message = (
                    f"there are {len(branches)} components, of which {gate.degree} synchronise"
                )
                raise Failed(message, gate.place)
        interfaces, operands = zip(*branches, strict=True)
        return Parallel(operands, gates, interfaces)

    def vector(self, v: list[Token]) -> list[Token]:
        return v

    def vectors(self, v: list[Any]) -> list[list[Token]]:
        found: list[list[Token]] = [] if len(v) == 1 else v[0]
        found.append(v[-1])
        return found

    def par_vectors(self, v: list[Any]) -> Vectors:
        vectors, operands = v if len(v) == 2 else ([], v[0])
        made = []
        for tokens in vectors:
            parts = tuple(None if part == "_" else _text(part) for part in tokens[:-1])
            if len(parts) != len(operands):
                message = f"the vector has {len(parts)} places for {len(operands)} components"
                raise Failed(message, place_of(tokens[0]))
            if all(part is None for part in parts):
                raise Failed("a synchronisation vector has a component", place_of(tokens[0]))
            made.append((parts, _text(tokens[-1])))
        return Vectors(tuple(operands), tuple(made))


def _text(token: Token) -> str:
    """Return what a name or a text in quotation marks says."""
    return str(token[1:-1] if token.type == "STRING" else token)


def _pattern(token: Token, mode: str | None) -> Pattern:
    """A name is the gate of labels, a string matches them whole, unless a mode is given."""
    plain = token.type != "STRING"
    try:
        return Pattern(_text(token), mode or ("gate" if plain else "total"), plain)
    except LtsError as error:
        raise Failed(f"this is no regular expression: {error.message}", place_of(token)) from None


def _labels(found: list[Any]) -> list[Token]:
    """Return the labels before an operand: one, or a list, in which no numbers may stand."""
    labels = found[0] if found and isinstance(found[0], list) else found
    for label in labels:
        if isinstance(label, tuple):
            raise Failed("how many synchronise is said before `in`", place_of(label[1]))
    return labels


def _gates(found: list[Token | tuple[Token, Token]]) -> tuple[Gate, ...]:
    return tuple(_gate(*((gate,) if isinstance(gate, str) else gate)) for gate in found)


def _gate(label: Token, number: Token | None = None) -> Gate:
    degree = None if number is None else int(number.lstrip("0")[:_LONGEST_NUMBER] or "0")
    if number is not None and degree == 0:
        raise Failed("at least one component does a step", place_of(number))
    return Gate(_pattern(label, None), degree, place_of(label))


def _keys(gates: tuple[Gate, ...] | None) -> object:
    """What two operators have alike if they may stand side by side."""
    return gates if gates is None else tuple((gate.pattern, gate.degree) for gate in gates)
