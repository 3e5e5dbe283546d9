"""The tokens of formulas, which are also those of the data in them: both are read by one cursor.

Words of formulas are reserved only where a formula may begin, so that data and actions may be named
like them: parsers of formulas look at the text of a token, those of data at its kind.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import NoReturn

from lts.base.bounds import FORMULA_LEVELS
from lts.errors import ParseError
from lts.mcrl2.text.tokens import NAME, NAME_OF_OTHERS, NUMBER_OF_OTHERS, OTHERS, WORDS
from lts.text.names import Name
from lts.text.reader import Reader
from lts.text.report import Report
from lts.text.source import Place, Source
from lts.text.tokens import END, Lexicon, tokens

__all__ = ["LEVELS", "NAMES", "SIGNS", "SYNONYMS", "Cursor", "declared", "deeply", "lexicon"]


@contextmanager
def deeply(text: str, file: str) -> Iterator[None]:
    """Raise Python's recursion limit while a deeply nested formula is parsed."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 12 * FORMULA_LEVELS.default))
    try:
        yield
    except RecursionError:
        message = "the formula is nested too deeply"
        raise ParseError(message, file=file, line=1, column=1, text=text[:80]) from None
    finally:
        sys.setrecursionlimit(before)


LEVELS = {"=>": 1, "||": 2, "&&": 3}
"""The priorities of operators in formulas, sets of labels and path formulas."""
SYNONYMS = {"not": "!", "and": "&&", "or": "||", "implies": "=>"}
NAMES = {"true", "false", "tau", "mu", "nu", "val", "let", "in", "forall", "exists"}
SIGNS = r"\.\.\.?|&&|\|\||\|>|\||=>|==|=|!=|!|<=|<\||<|>=|>|->|-|\+\+|\+|[#*/.,;:?@()\[\]{}]"
"""The operators and brackets, a regular expression."""
_TEXT = r'"(?:[^"\\]|\\.)*"'
_BLANKS = r"\s+|%.*"
_ILLEGAL = {
    "'": "; write a label in full, in quotation marks, or as `name(...)`",
    "&": "; did you mean `&&`?",
    '"': ": it is never closed",
}
_DASH = (
    "; a named property cannot be part of a formula; a label that is not a name needs "
    "quotation marks"
)
"""A hint for dashes in formulas."""
_DECLARATION = re.compile(r"(?:\s|%.*+)*(?:sort|cons|map|glob|var|eqn|act|proc|init)\s")
_FORM = re.compile(r"%.*|\bform\b")


@cache
def lexicon(*, mcrl2: bool) -> Lexicon:
    """Return the lexical rules of formulas whose data are of mCRL2, or of muCRL and labels."""
    number = "[0-9]+" if mcrl2 else NUMBER_OF_OTHERS
    name = NAME if mcrl2 else NAME_OF_OTHERS
    token = rf"{_BLANKS}|({name})|({number})|({_TEXT}|{SIGNS})|(.)"
    names = frozenset() if mcrl2 else OTHERS.names
    words = WORDS if mcrl2 else OTHERS.words
    return Lexicon(words, token, names=names, illegal=_ILLEGAL, angled=True)


def declared(text: str) -> int:
    """Return the position of `form` after declarations as in mCRL2; 0 if there are none."""
    if _DECLARATION.match(text) is None:
        return 0
    words = (match for match in _FORM.finditer(text) if match[0] == "form")
    return next((match.start() for match in words), 0)


class Cursor(Reader):
    """A cursor over the tokens of part of a text.

    With `synonyms`, words may be written for operators, unlike in mCRL2.
    """

    __slots__ = ("_begins", "source", "words")

    def __init__(
        self, source: Source, extent: tuple[int, int], rules: Lexicon, *, synonyms: bool
    ) -> None:
        begin, end = extent
        report = Report(source)
        part = Source(source.text[begin:end])
        super().__init__(tokens(part, report, rules, source.place(begin)))
        report.raise_errors()
        self.source = source
        self.words: list[str] = [*self.values]
        """The texts of the tokens, with operators for their synonyms."""
        if synonyms:
            self.words = [SYNONYMS.get(word, word) for word in self.values]
        self._begins: list[int] = []

    @property
    def text(self) -> str:
        """The text of the current token."""
        return self.words[self.at]

    @property
    def before(self) -> str:
        """The text of the last token."""
        return self.words[self.at - 1] if self.at else ""

    @property
    def after(self) -> str:
        """The text of the next token."""
        return self.words[min(self.at + 1, len(self.words) - 1)]

    @property
    def is_word(self) -> bool:
        """Whether the current token can be the name of an action or of a variable."""
        return _is_word(self.words[self.at])

    @property
    def is_applied(self) -> bool:
        """Whether the current token is a word with arguments."""
        return self.is_word and self.after == "("

    @property
    def has_arguments(self) -> bool:
        """Whether the last token is a word directly followed by arguments here."""
        line, column = self.values[self.at - 1].place
        is_adjacent = self.place == (line, column + len(self.values[self.at - 1]))
        return is_adjacent and self.kind == "(" and _is_word(self.values[self.at - 1])

    @property
    def is_open(self) -> bool:
        """Whether here is an action with any further arguments, `a(...)` or `a(term, ...)`; `*` may
        be written for the dots."""
        if not self.is_applied:
            return False
        last = self.closing[self.at + 1] - 1
        return self.kinds[last] in ("...", "*") and self.kinds[last - 1] in ("(", ",")

    @property
    def is_quantifier(self) -> bool:
        """Whether a quantifier begins here; otherwise the word is an ordinary label."""
        return self.text in ("forall", "exists") and _is_word(self.after)

    @property
    def behind(self) -> str:
        """Return the text of the token after the bracket that closes the bracket at the cursor."""
        return self.values[self.closing[self.at] + 1]

    def has(self, text: str) -> bool:
        """Consume this token if it is next; return whether it is."""
        if self.words[self.at] != text:
            return False
        self.at += 1
        return True

    def need(self, text: str) -> None:
        """Consume this token; raise an error if it is another one."""
        if not self.has(text):
            self.expected(f"`{text}`")

    def operator(self, levels: Mapping[str, int], floor: int) -> str | None:
        """Consume and return one of these operators of at least this priority, or return None."""
        text = self.text
        if levels.get(text, -1) < floor or text not in levels:
            return None
        self.at += 1
        return text

    def word(self, what: str) -> Name:
        """Consume and return a word without arguments."""
        if self.is_applied:
            self.wrong(self.place, f"expected {what}, without arguments")
        if not self.is_word:
            self.expected(what)
        return self.take()

    def shorten(self, length: int) -> None:
        """Consume the first characters of a token, which is several without blanks."""
        line, column = self.place
        rest = Name.at(self.values[self.at][length:], (line, column + length))
        self.values[self.at] = self.words[self.at] = rest
        if self.kinds[self.at] != "name":
            self.kinds[self.at] = str(rest)

    def written(self, begin: int) -> str:
        """Return the text from a token to the last one that was consumed."""
        return self.written_at(begin)[0]

    def written_at(self, begin: int) -> tuple[str, int, int]:
        """Return the text from a token to the last one that was consumed, and where it begins and
        ends."""
        last = self.values[self.at - 1]
        start, end = self._offset(self.values[begin]), self._offset(last) + len(last)
        return self.source.text[start:end], start, end

    def _offset(self, token: Name) -> int:
        if not self._begins:
            self._begins = [0, *(match.end() for match in re.finditer("\n", self.source.text))]
        line, column = token.place
        return self._begins[line - 1] + column - 1

    def end(self, what: str = "an operator or the end") -> None:
        """Raise an error unless all tokens are consumed."""
        if self.kind != END:
            self.expected(what)

    def expected(self, what: str) -> NoReturn:
        """Raise the error that something else was expected."""
        found = "the end" if self.kind == END else f"`{self.values[self.at]}`"
        self.wrong(self.place, f"expected {what}, not {found}{_DASH * (self.kind == '-')}")

    def wrong(self, place: Place, message: str) -> NoReturn:
        """Raise a syntax error."""
        raise self.source.error(ParseError, message, place)


def _is_word(text: str) -> bool:
    return text[:1].isalpha() or text[:1] == "_"
