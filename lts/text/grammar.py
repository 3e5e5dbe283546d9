"""Parsers for languages that are LALR(1), by lark, from a file `grammar.lark`.

The result of lark's analysis is stored in `tables.json` beside it, by `tools/dev/grammars.py`: the
analysis takes as long as all else that a short text needs. There is also a class that builds the
trees: it has a method for each rule, called with the results for the rule's parts. It has no state,
so one parser serves all texts. Languages that are not LALR(1) are parsed by operator precedence
(`lts.text.climbing`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.text.names import Name
from lts.text.source import Place

if TYPE_CHECKING:
    # Imported only when a text is parsed, since loading lark takes time.
    from lark import Token
    from lark.parsers.lalr_interactive_parser import InteractiveParser

__all__ = ["END", "Grammar", "Stopped", "analysed", "named", "place_of"]

END = "$END"
"""The kind of the token after the last one."""


_WORDS = re.compile(r"(?:\(\?:)?([a-z]+(?:\|[a-z]+)*)\)?(?:\(\?!\[A-Za-z0-9_\]\))?")
"""The regular expression of a word, or of one of several, that may have to end there."""


class Stopped(Exception):
    """A syntax error; `at` is the number of the first token that cannot follow those before it."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Grammar:
    """A grammar file with its start rules, and the object that builds trees.

    The kind of a token is its text if the terminal is a fixed string, else the terminal's name.
    """

    def __init__(self, file: Path, build: object) -> None:
        from lark import Lark, __version__

        text = file.with_name("tables.json").read_text(encoding="utf-8")
        stored = json.loads(text, object_pairs_hook=_numbered)
        self.file, self.start, self.build = file, tuple(stored["data"]["options"]["start"]), build
        if stored["lark"] != __version__:  # which may store something else
            stored = analysed(file, self.start)
        stored["data"]["options"]["transformer"] = build
        self._lark = Lark.load(stored)
        self.patterns: dict[str, str] = {}
        """The regular expression of each terminal, by its name."""
        self._kinds = {END: END}
        for terminal in self._lark.terminals:
            pattern, name = terminal.pattern, terminal.name
            self.patterns[name] = pattern.to_regexp()
            self._kinds[name] = pattern.value if pattern.type == "str" else name

    @property
    def words(self) -> frozenset[str]:
        """The reserved words: what terminals of letters alone stand for."""
        found = map(_WORDS.fullmatch, self.patterns.values())
        return frozenset(word for match in found if match for word in match[1].split("|"))

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text and a final `END`, placed just after the last token."""
        from lark import Token

        found = list(self._lark.lex(text))
        line, column = (found[-1].end_line, found[-1].end_column) if found else (1, 1)
        return [*found, Token(END, "", line=line, column=column)]

    def kind(self, token: Token) -> str:
        """Return the kind of a token."""
        return self._kinds[token.type]

    def parse(self, start: str, tokens: Iterable[Token]) -> Any:
        """Parse a whole text and return its tree; raise `Stopped` at the first unexpected token."""
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
        """Return the kinds of tokens that may follow a prefix of a text, sorted.

        Each comes with the grammar rules that it may begin.
        """
        parser = self._lark.parse_interactive(start=start)
        for token in tokens:
            parser.feed_token(token)
        found = {}
        for terminal in parser.choices():
            if terminal.isupper() and (rules := _beginning(parser, terminal)) is not None:
                found[self._kinds[terminal]] = rules
        return dict(sorted(found.items()))


def analysed(file: Path, start: tuple[str, ...]) -> dict[str, Any]:
    """Return what lark needs to parse texts by a grammar file, as JSON data."""
    from lark import Lark, __version__
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    text = file.read_text(encoding="utf-8")
    lark = Lark(text, parser="lalr", lexer="basic", start=list(start))
    data, memo = lark.memo_serialize([TerminalDef, Rule])
    return {"lark": __version__, "data": data, "memo": memo}


def _numbered(pairs: list[tuple[str, Any]]) -> dict[Any, Any]:
    """Return an object of JSON in which names that are numbers become numbers, as they were."""
    return {int(name) if name.isdecimal() else name: value for name, value in pairs}


def _beginning(parser: InteractiveParser, terminal: str) -> frozenset[str] | None:
    """Return the rules that a terminal may begin here; None if it may not follow."""
    from lark import Token, UnexpectedToken

    trial = parser.copy(deepcopy_values=False)
    state = trial.parser_state
    state.parse_conf = copy(state.parse_conf)
    state.parse_conf.callbacks = {}  # parse only, without building trees
    try:
        trial.feed_token(Token(terminal, ""))
    except UnexpectedToken:
        return None
    before = state.parse_conf.states[state.state_stack[-2]]
    return frozenset(symbol for symbol in before if symbol.islower())


def named(token: Token) -> Name:
    """Return a token as a name with its place."""
    return Name.at(token, place_of(token))


def place_of(token: Token) -> Place:
    """Return the place of a token."""
    assert token.line is not None
    assert token.column is not None
    return token.line, token.column
