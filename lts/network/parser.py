"""The parser of networks: from the tokens of a text to its tree, by grammar.lark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.base.bounds import NETWORK_LEVELS
from lts.errors import ParseError, Unsupported
from lts.network.building import builder
from lts.network.language import LANGUAGES, NO_LANGUAGE
from lts.network.tree import Component, Composition, Expression, parts_of
from lts.text.grammar import END, Grammar, Stopped, place_of
from lts.text.report import Failed, listed
from lts.text.source import Place, Source

if TYPE_CHECKING:
    from lark import Token

__all__ = ["build", "components_of", "grammar", "language_of", "reaches", "tokens_of"]

_OPERATORS = frozenset(("||", "|||", "|[", "|", "[|", "[", "-|["))
_POSTFIX = frozenset(("\\", "[["))
_PREFIXES = frozenset(("CUT", "ENCAP", "HIDE", "PAR", "PRIO", "RENAME"))
_WORDS = frozenset(("NAME", "FILE", "STRING", "NUMBER"))


@cache
def grammar(language: str = "") -> Grammar:
    """Return the grammar of networks, which builds trees for a reference language."""
    return _grammar(builder(LANGUAGES.get(language, NO_LANGUAGE)))


@cache
def _syntax() -> Grammar:
    """Return the grammar of networks, which builds plain trees of rules and tokens."""
    return _grammar(None)


def _grammar(build: object) -> Grammar:
    return Grammar(Path(__file__).with_name("grammar.lark"), build)


def tokens_of(source: Source) -> list[Token]:
    """Return the tokens of a text, without an end; raise `ParseError` for an illegal one."""
    tokens = _syntax().tokens(source.text)[:-1]
    for token in tokens:
        message = {
            "UNKNOWN": f"unexpected {str(token)!r}",
            "BAD_NAME": f'a name must begin with a letter and not end in `_`: write `"{token}"`',
            "UNCLOSED_QUOTE": "this quotation mark is never closed",
            "UNCLOSED_REMARK": "this comment is never closed",
        }.get(token.type)
        if message is not None:
            raise source.error(ParseError, message, place_of(token))
    return tokens


def build(source: Source, tokens: Sequence[Token]) -> Composition:
    """Parse tokens to a composition expression; places refer to `source`.

    Raises `ParseError`, with what was expected where, for a syntax error, and `Unsupported` for
    expressions that are nested too deeply.
    """
    try:
        made: Composition = grammar(language_of(tokens) or "").parse("network", tokens)
        _refuse_deep(made.expression)
        return made
    except Stopped as stopped:
        failed = _unexpected(tokens, stopped.at)
    except Failed as wrong:
        failed = wrong
    raise source.error(failed.kind, failed.message, failed.place) from None


def language_of(tokens: Sequence[Token]) -> str | None:
    """Return the reference language in a header, or None; `behaviour` alone means LOTOS."""
    first = tokens[0] if tokens else None
    if first is None or first.type not in ("LANGUAGE", "_BEHAVIOUR"):
        return None
    return str(first) if first.type == "LANGUAGE" else "lotos"


def components_of(source: Source, tokens: Sequence[Token]) -> set[Place]:
    """Return the places of components; raise `ParseError` for a syntax error."""
    try:
        tree = _syntax().parse("network", tokens)
    except Stopped as stopped:
        failed = _unexpected(tokens, stopped.at)
        raise source.error(failed.kind, failed.message, failed.place) from None
    return {place_of(found.children[0]) for found in tree.find_data("component")}


def reaches(tokens: Sequence[Token], follows: Token) -> bool:
    """Whether the last operator of a text extends to the token that follows the text."""
    if follows.type == "_END_HIDE":
        return _tree("network", [*tokens, follows]) is not None
    going_on = follows in _OPERATORS | _POSTFIX or follows.type == "_END_PAR"
    if not going_on or _tree("closed", tokens) is not None:
        return False
    tree = _tree("network", tokens)
    if tree is None:
        return True
    *_, expression = tree.children
    operators, last = expression.children[1::2], expression.children[-1]
    associative = follows == "|||" and all(operator.data == "on_none" for operator in operators)
    return not associative or last.data == "open"


def _tree(start: str, tokens: Sequence[Token]) -> Any:
    """Return the plain tree of a text, or None if it does not parse."""
    try:
        return _syntax().parse(start, tokens)
    except Stopped:
        return None


def _refuse_deep(expression: Expression) -> None:
    """Raise `Failed` for expressions that are nested too deeply."""
    waiting = [(expression, 1)]
    while waiting:
        found, depth = waiting.pop()
        if isinstance(found, Component) and depth > NETWORK_LEVELS.default:
            raise Failed("the expression is nested too deeply", found.place, Unsupported)
        waiting += [(part, depth + 1) for part in parts_of(found)]


def _unexpected(tokens: Sequence[Token], at: int) -> Failed:
    """Return the error for the first token that cannot follow those before it."""
    expected = _syntax().expected("network", tokens[:at])
    rules = expected.get("NAME", frozenset())
    words = []
    if "closed" in rules:
        words.append("a component")
    if "label" in rules:
        words.append("a label")
    if "NUMBER" in expected:
        words.append("a number of operands")
    if "|||" in expected:
        words.append("an operator")
    # These kinds are described by one word for all of them; the others are shown as they are
    # written.
    named = {*_WORDS, END, "MODE", *_PREFIXES}
    named |= _OPERATORS | _POSTFIX if "|||" in expected else set()
    for kind in () if "closed" in rules else expected:
        if kind not in named or (kind in _PREFIXES and expected.keys() <= _PREFIXES):
            words.append(f"`{_written(kind)}`")
    if END in expected:
        words.append("the end")
    token = tokens[at] if at < len(tokens) else None
    if token is None:
        last = tokens[-1] if tokens else None
        place = (1, 1) if last is None else (last.end_line or 1, last.end_column or 1)
        return Failed(f"expected {listed(words)}, not the end", place)
    hint = ""
    if "a label" in words and token.type not in _WORDS and str(token).isalpha():
        hint = f', which is a keyword (as a label, `"{token}"`)'
    return Failed(f"expected {listed(words)}, not `{token}`{hint}", place_of(token))


def _written(kind: str) -> str:
    """Return the text of a kind of token."""
    return "_" if kind == "BLANK" else kind.strip("_").lower().replace("_", " ")
