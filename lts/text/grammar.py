"""Languages that are LALR(1): lark reads their texts by a file `grammar.lark`.

Such a file lies beside what builds trees by it: a class with a method for each rule, called with
what the parts of the rule have become. It keeps nothing between calls, so that one parser serves
all texts. What is not LALR(1) climbs a table of priorities (`lts.text.climbing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.text.names import Name
from lts.text.source import Place

if TYPE_CHECKING:
    # lark is loaded where a text is read.
    from lark import Token
    from lark.parsers.lalr_interactive_parser import InteractiveParser

__all__ = ["END", "Grammar", "Stopped", "named", "place_of"]

END = "$END"
"""The kind of the token after the last one."""


class Stopped(Exception):
    """A text does not go on as it should: `at` is the number of the first token that is wrong."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Grammar:
    """The grammar in a file, read from `start`, and what builds trees by it.

    The kind of a token is how it is always written, or else what its terminal is called.
    """

    def __init__(self, file: Path, start: tuple[str, ...], build: object) -> None:
        from lark import Lark

        self.file, self.start, self.build = file, start, build
        self._lark = Lark(
            file.read_text(encoding="utf-8"),
            parser="lalr",
            lexer="basic",
            start=list(start),
            transformer=build,
        )
        self._kinds = {END: END}
        for terminal in self._lark.terminals:
            pattern, name = terminal.pattern, terminal.name
            self._kinds[name] = pattern.value if pattern.type == "str" else name

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text, and last the end, which stands just after the last one."""
        from lark import Token

        found = list(self._lark.lex(text))
        line, column = (found[-1].end_line, found[-1].end_column) if found else (1, 1)
        return [*found, Token(END, "", line=line, column=column)]

    def kind(self, token: Token) -> str:
        """Return the kind of a token."""
        return self._kinds[token.type]

    def parse(self, start: str, tokens: Iterable[Token]) -> Any:
        """Return what is built of a whole text; raise `Stopped` at a token that may not follow."""
        from lark import Token, UnexpectedToken

        parser, at = self._lark.parse_interactive(start=start), 0
        try:
            for token in tokens:
                parser.feed_token(token)
                at += 1
            return parser.feed_token(Token(END, ""))
        except UnexpectedToken:
            raise Stopped(at) from None

    def expected(self, start: str, tokens: Iterable[Token]) -> dict[str, frozenset[str]]:
        """Return the kinds of tokens that may follow the first ones of a text, in order.

        Each has the rules of which one may begin with it.
        """
        parser = self._lark.parse_interactive(start=start)
        for token in tokens:
            parser.feed_token(token)
        found = {}
        for terminal in parser.choices():
            if terminal.isupper() and (rules := _beginning(parser, terminal)) is not None:
                found[self._kinds[terminal]] = rules
        return dict(sorted(found.items()))


def _beginning(parser: InteractiveParser, terminal: str) -> frozenset[str] | None:
    """Return the rules of which one may begin with a terminal here; None if it may not follow."""
    from lark import Token, UnexpectedToken

    trial = parser.copy(deepcopy_values=False)
    state = trial.parser_state
    state.parse_conf = copy(state.parse_conf)
    state.parse_conf.callbacks = {}  # nothing is built
    try:
        trial.feed_token(Token(terminal, ""))
    except UnexpectedToken:
        return None
    before = state.parse_conf.states[state.state_stack[-2]]
    return frozenset(symbol for symbol in before if symbol.islower())


def named(token: Token) -> Name:
    """Return a token as a word of the text."""
    return Name.at(token, place_of(token))


def place_of(token: Token) -> Place:
    """Return where a token stands."""
    assert token.line is not None
    assert token.column is not None
    return token.line, token.column
