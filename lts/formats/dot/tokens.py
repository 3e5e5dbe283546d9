"""The lexer of the DOT language."""

from __future__ import annotations

import re
from typing import NoReturn

from lts.errors import FormatError, LtsError

__all__ = [
    "EDGE",
    "KEYWORD",
    "NODE",
    "OTHER",
    "TokenCursor",
    "label_text",
    "name_text",
    "names_edge",
    "record_fields",
    "with_name",
]

_BARE = r"(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?))"
_QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*"'
_PLAIN = rf"(?:{_BARE}|{_QUOTED})"
_SKIPPED = re.compile(r"(?:[\s\ufeff]++|//[^\n]*+|/\*.*?\*/|(?:\A|(?<=\n))#[^\n]*+)+", re.DOTALL)
_TOKEN = re.compile(rf"{_BARE}|{_QUOTED}|->|--|[\[\]{{}};,:=+]", re.DOTALL)
_BRACKET = re.compile("[<>]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_TAG = re.compile("<[^>]*>")
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CELL = re.compile(r"</td\s*>", re.IGNORECASE)
_OF_EDGE = frozenset("EGHLT")
"""What follows a backslash in the label of an edge that stands for a name or the label."""

EDGE = re.compile(
    rf"\s*+({_PLAIN})[ \t]*+->[ \t]*+({_PLAIN})[ \t]*+\[\s*+label\s*+=\s*+({_PLAIN})"
    rf"((?:[\s,;]++(?!label\b)\w++\s*+=\s*+{_PLAIN})*)[\s,;]*+\][ \t]*+;?(?=\s)",
    re.DOTALL,
)
"""An edge in its most frequent form: two nodes, a label, other attributes as plain names or
strings."""

OTHER = re.compile(rf"[\s,;]++(\w++)\s*+=\s*+{_PLAIN}", re.DOTALL)
"""Another attribute of such an edge."""

NODE = re.compile(rf'\s*+({_PLAIN})(?=\s*+(?:[;}}"\w\x80-\U0010ffff]|-[0-9.]))[ \t]*+;?', re.DOTALL)
"""A statement that is only the name of a node."""

KEYWORD = re.compile(r"edge|node|graph|digraph|subgraph|strict", re.IGNORECASE)

_FIELD = re.compile(r"\\.|[{}|]|<[^<>]*>|[^\\{}|<>]+|[<>]", re.DOTALL)

_LINES = {"n": "\n", "l": "\n", "r": "\n"}


def name_text(token: str) -> str:
    """Return the name that a token denotes."""
    if token.startswith("<"):
        return _html_text(token[1:-1])
    if not token.startswith('"'):
        return token
    if "\\" not in token:
        return token[1:-1]
    return _ESCAPE.sub(_in_name, token[1:-1])


def label_text(token: str) -> str:
    r"""Return the label that a token denotes: `\n`, `\l` and `\r` end a line in it, `\\` is a
    backslash.

    For a label in HTML, its text.
    """
    if not token.startswith('"') or "\\" not in token:
        return name_text(token)
    return _ESCAPE.sub(_in_label, token[1:-1])


def record_fields(token: str, *, is_record: bool = False) -> list[str]:
    """Return the fields of a label that is a record: braces and ports are layout, unless escaped.

    The cells of a table in HTML are fields, too; another token that is no string in quotes is one.
    """
    if token.startswith("<") and (cells := _CELL.split(token[1:-1])[:-1]):
        return [_html_text(cell).strip() for cell in cells]
    if not token.startswith('"') or not (is_record or "|" in token):
        return [label_text(token)]
    fields = [""]
    for part in _FIELD.findall(token[1:-1]):
        if part == "|":
            fields.append("")
        elif part not in "{}" and not (part[0] == "<" and len(part) > 1):
            fields[-1] += _ESCAPE.sub(_in_label, part)
    return [field.strip() for field in fields]


def names_edge(token: str) -> bool:
    """Whether the label of an edge has a table in HTML, or escapes that stand for names."""
    if token.startswith("<"):
        return _CELL.search(token) is not None
    return "\\" in token and not _OF_EDGE.isdisjoint(_ESCAPE.findall(token))


def with_name(label: str, name: str) -> str:
    r"""Return the label of a node with its name for `\N`, both as tokens."""
    if not label.startswith('"') or "\\N" not in label:
        return label
    text = name_text(name).replace("\\", "\\\\").replace('"', '\\"')
    return _ESCAPE.sub(lambda found: text if found[1] == "N" else found[0], label)


def _in_name(found: re.Match[str]) -> str:
    return '"' if found[1] == '"' else "" if found[1] == "\n" else found[0]


def _in_label(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else _LINES.get(found[1], found[1])


def _html_text(text: str) -> str:
    import html

    return html.unescape(_TAG.sub("", _LINE_BREAK.sub("\n", text)))


class TokenCursor:
    """A cursor over the tokens of a text: `token` is the current one, empty at the end."""

    def __init__(self, text: str, name: str | None) -> None:
        self.text = text
        self.name = name
        self.token = ""
        self.start = 0
        self.end = 0
        self.advance()

    def advance(self) -> None:
        """Go to the next token."""
        self.go(self.end)

    def go(self, at: int) -> None:
        """Go to the first token at or after a position."""
        text = self.text
        skipped = _SKIPPED.match(text, at)
        self.start = at if skipped is None else skipped.end()
        found = _TOKEN.match(text, self.start)
        if found is not None:
            self.token, self.end = found[0], found.end()
        elif self.start == len(text):
            self.token, self.end = "", self.start
        else:
            self.token = self._other()
            self.end = self.start + len(self.token)

    def _other(self) -> str:
        first = self.text[self.start]
        if first == "<":
            depth = 0
            for found in _BRACKET.finditer(self.text, self.start):
                depth += 1 if found[0] == "<" else -1
                if not depth:
                    return self.text[self.start : found.end()]
            self.wrong("this `<` is never closed")
        if first == '"':
            self.wrong("this quote is never closed")
        if self.text.startswith("/*", self.start):
            self.wrong("this comment is never closed")
        self.wrong("this is not part of the DOT language")

    def is_word(self, word: str) -> bool:
        """Whether the current token is this keyword."""
        return self.token.lower() == word

    def name_token(self, what: str = "a name") -> str:
        """Consume a token that is a name; strings concatenated with `+` are one."""
        token = self.token
        if not token or token in ("->", "--") or token in "[]{};,:=+":
            self.wrong(f"expected {what}")
        self.advance()
        while token[0] == '"' and self.token == "+":
            self.advance()
            if not self.token.startswith('"'):
                self.wrong("expected another text in quotes after `+`")
            token = token[:-1] + self.token[1:]
            self.advance()
        return token

    def expect(self, token: str) -> None:
        """Consume a required token."""
        if self.token != token:
            self.wrong(f"expected `{token}`")
        self.advance()

    def wrong(
        self, message: str, at: int | None = None, kind: type[LtsError] = FormatError
    ) -> NoReturn:
        """Raise an error at the current token or at a position."""
        place = self.start if at is None else at
        start = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        line = self.text[start : len(self.text) if end < 0 else end]
        shown = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line)
        raise kind(
            message,
            file=self.name,
            line=self.text.count("\n", 0, start) + 1,
            column=place - start + 1,
            text=shown,
        )
