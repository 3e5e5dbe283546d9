"""The answers about a text, computed by a worker process from the text as it is now."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.workspace import PositionCodec

from lts.base.spelling import suggested
from lts.editor.completion import Offer, declared
from lts.editor.languages import LANGUAGES, Examined, Language, ShownFile
from lts.editor.layout import formatted
from lts.editor.renaming import renamed, symbol_at
from lts.errors import LtsError
from lts.text.source import Place, Source
from lts.text.uses import Symbol

__all__ = ["ANSWERS", "TOKEN_KINDS", "Diagnosed", "ShownText"]

_MOST_EQUATIONS = 8
"""Most equations shown for a function."""

_KINDS = {
    "sort": lsp.SymbolKind.Class,
    "constructor": lsp.SymbolKind.EnumMember,
    "map": lsp.SymbolKind.Function,
    "action": lsp.SymbolKind.Event,
    "process": lsp.SymbolKind.Method,
    "component": lsp.SymbolKind.File,
    "fixed point": lsp.SymbolKind.Operator,
    "definition": lsp.SymbolKind.Constant,
}
"""The kinds of symbols in outlines; variables are left out."""

TOKEN_KINDS = {
    "sort": lsp.SemanticTokenTypes.Type,
    "constructor": lsp.SemanticTokenTypes.EnumMember,
    "map": lsp.SemanticTokenTypes.Function,
    "function": lsp.SemanticTokenTypes.Function,
    "action": lsp.SemanticTokenTypes.Event,
    "process": lsp.SemanticTokenTypes.Method,
    "fixed point": lsp.SemanticTokenTypes.Macro,
    "definition": lsp.SemanticTokenTypes.Macro,
    "variable": lsp.SemanticTokenTypes.Variable,
}
"""The colours of names, by the kinds of their symbols."""
_TOKEN_TYPES = [*dict.fromkeys(TOKEN_KINDS.values())]


@dataclass(frozen=True)
class ShownText:
    """A text that an editor shows, with positions in the units of the protocol.

    `shown` has the specifications that the editor shows, by file.
    """

    uri: str
    file: str
    content: str
    language_name: str
    encoding: lsp.PositionEncodingKind | str
    include_path: tuple[str, ...] = ()
    shown: Mapping[str, ShownFile] = field(default_factory=dict)

    @property
    def language(self) -> Language:
        """The language of the text."""
        return LANGUAGES[self.language_name]

    @cached_property
    def codec(self) -> PositionCodec:
        """Converts positions."""
        return PositionCodec(self.encoding)

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines, without what ends them."""
        return re.split(r"\r\n|\n|\r", self.content)

    def examined(self) -> Examined:
        """Read the text."""
        return self.language.examined(self.content, self.file, self.include_path, self.shown)

    def named(self, position: lsp.Position) -> tuple[Source, Symbol | None, Place]:
        """Return the text as parsed, and what the name at a position stands for, with the place of
        that name; None and the position if there is no name."""
        names, place = self.examined().names, self.place(position)
        symbol, at = symbol_at(names, place) or (None, place)
        return names.source, symbol, at

    def place(self, position: lsp.Position) -> Place:
        """Return the place of a position."""
        found = self.codec.position_from_client_units(self.lines, position)
        return found.line + 1, found.character + 1

    def range(self, place: Place, length: int) -> lsp.Range:
        """Return the range of a word."""
        line, column = place
        positions = (lsp.Position(line - 1, at) for at in (column - 1, column - 1 + length))
        begin, end = (self.codec.position_to_client_units(self.lines, at) for at in positions)
        return lsp.Range(begin, end)

    def word(self, place: Place) -> int:
        """Return the length of the token at a place; 1 if there is none."""
        line = self.lines[place[0] - 1] if place[0] <= len(self.lines) else ""
        rest = line[place[1] - 1 :]
        length = next((n for n, c in enumerate(rest) if not (c.isalnum() or c in "_'")), len(rest))
        return max(length, 1)

    def diagnostic(self, error: LtsError) -> lsp.Diagnostic:
        """Return an error at its place; one of another file is at the beginning.

        Its data is the correction of a name, if the error suggests one.
        """
        message = error.message if not error.more else f"{error.message}\n{error.more}"
        line, column = error.line or 1, error.column or 1
        shown = self.lines[line - 1] if line <= len(self.lines) else ""
        correction = None
        if error.file not in (None, self.file):
            found, message = self.range((1, 1), 0), f"{error.place}: {message}"
        elif error.text is not None and error.text != shown:
            # Parameters replaced parts of the line, so that columns differ.
            found = self.range((line, 1), len(shown))
        else:
            length = self.word((line, column))
            found = self.range((line, column), length)
            wrong, right = suggested(error.message) or ("", "")
            if shown[column - 1 : column - 1 + length] == wrong:
                correction = right or None
        severity = lsp.DiagnosticSeverity.Error
        return lsp.Diagnostic(found, message, severity, source="ltstool", data=correction)

    def locations(
        self, source: Source, symbol: Symbol, places: Sequence[Place]
    ) -> list[lsp.Location]:
        """Return places of a symbol in a source: this text, what it includes, or another text."""
        found = []
        for place in places:
            own = source.in_file(place, len(symbol.name))
            origin = source.origin(place[0])
            if own is not None and source.file == self.file:
                found.append(lsp.Location(self.uri, self.range(own, len(symbol.name))))
            elif origin.file is not None and not origin.of_library:
                uri = uris.from_fs_path(str(Path(origin.file).resolve())) or self.uri
                column = origin.column(place[1], len(symbol.name)) or 1
                begin = lsp.Position(origin.line - 1, column - 1)
                found.append(lsp.Location(uri, lsp.Range(begin, begin)))
        # A loop of parameters may make several names of one.
        return [answer for number, answer in enumerate(found) if answer not in found[:number]]


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """The errors of a text, and the names that it declares; no names if none could be read."""

    diagnostics: list[lsp.Diagnostic]
    offers: list[Offer]


def _diagnosed(text: ShownText) -> Diagnosed:
    """Return the errors of a text and its names."""
    found = text.examined()
    diagnostics = [text.diagnostic(error) for error in found.errors]
    if found.unseen:
        diagnostics[-1].message += f"\nand {found.unseen} more"
    names = declared(found, text.content, text.language, text.file, text.include_path)
    return Diagnosed(diagnostics, names)


def _hover(text: ShownText, position: lsp.Position) -> lsp.Hover | None:
    """Return what a name stands for: its declaration, and the equations of a function."""
    source, symbol, place = text.named(position)
    if symbol is None:
        return None
    source = symbol.elsewhere or source
    written = source.text.split("\n")
    lines = [f"{symbol.kind} {symbol.shown}" if symbol.kind != "fixed point" else symbol.shown]
    equations = [
        written[line - 1][column - 1 :].strip()
        for line, column in symbol.equations[:_MOST_EQUATIONS]
    ]
    if len(symbol.equations) > _MOST_EQUATIONS:
        equations.append(f"% and {len(symbol.equations) - _MOST_EQUATIONS} more")
    if symbol.kind in ("sort", "process") and symbol.declared:
        equations.append(written[symbol.declared[0][0] - 1].strip())
    content = "\n".join([f"```{text.language.name}", *lines, *equations, "```"])
    if symbol.declared:
        origin = source.origin(symbol.declared[0][0])
        where = "" if origin.file in (None, text.file) else f" of {origin.file}"
        content += f"\n\nline {origin.line}{where}"
    return lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, content), text.range(place, len(symbol.name))
    )


def _definition(text: ShownText, position: lsp.Position) -> list[lsp.Location]:
    """Return where a name is declared; for a component of a network, its file."""
    source, symbol, _ = text.named(position)
    if symbol is None:
        return []
    if symbol.kind == "component":
        begin = lsp.Position(0, 0)
        uri = uris.from_fs_path(str(Path(symbol.shown).resolve())) or text.uri
        return [lsp.Location(uri, lsp.Range(begin, begin))]
    return text.locations(symbol.elsewhere or source, symbol, symbol.declared)


def _references(text: ShownText, position: lsp.Position, declaration: bool) -> list[lsp.Location]:
    """Return the places of what a name stands for, with its declaration or without."""
    source, symbol, _ = text.named(position)
    if symbol is None:
        return []
    return text.locations(source, symbol, symbol.places if declaration else sorted(symbol.used))


def _renameable(text: ShownText, position: lsp.Position) -> lsp.Range | None:
    """Return the name to be changed, if there is one."""
    _, symbol, at = text.named(position)
    if symbol is None or not symbol.declared or symbol.elsewhere is not None:
        return None
    if symbol.kind == "component":
        return None
    return text.range(at, len(symbol.name))


def _renamed(text: ShownText, position: lsp.Position, name: str) -> lsp.WorkspaceEdit:
    """Return the changes of a name; raise `LtsError` with the reason if it cannot be changed."""
    _, places = renamed(
        text.content,
        text.language,
        text.file,
        text.place(position),
        name,
        text.include_path,
        text.shown,
    )
    _, symbol, _ = text.named(position)
    length = len(symbol.name) if symbol is not None else 0
    edits = [lsp.TextEdit(text.range(at, length), name) for at in places]
    return lsp.WorkspaceEdit(changes={text.uri: edits})


def _outline(text: ShownText) -> list[lsp.DocumentSymbol]:
    """Return what is declared in the text, in its order."""
    names = text.examined().names
    found = {}
    for symbol in names.symbols.values():
        for at in symbol.declared if symbol.elsewhere is None else ():
            place = names.source.in_file(at, len(symbol.name))
            if place is not None and symbol.kind in _KINDS:
                extent = text.range(place, len(symbol.name))
                found[place] = lsp.DocumentSymbol(
                    symbol.name,
                    _KINDS[symbol.kind],
                    extent,
                    extent,
                    detail=symbol.shown.replace("\n", ", "),
                )
    return [found[place] for place in sorted(found)]


def _layout(text: ShownText) -> list[lsp.TextEdit]:
    """Return the text with a regular layout; nothing for a text with characters of no token."""
    try:
        found = formatted(text.content, text.language, text.file)
    except LtsError:
        return []
    if found == text.content:
        return []
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(text.lines) + 1, 0))
    return [lsp.TextEdit(whole, found)]


def _tokens(text: ShownText) -> lsp.SemanticTokens:
    """Return the names of the text with their kinds; the first modifier marks a declaration."""
    names = text.examined().names
    found = {}
    for at, symbol in names.at.items():
        place = names.source.in_file(at, len(symbol.name))
        if place is not None and symbol.kind in TOKEN_KINDS:
            extent = text.range(place, len(symbol.name))
            is_declared = symbol.elsewhere is None and at in symbol.declared
            line, begin = extent.start.line, extent.start.character
            kind = _TOKEN_TYPES.index(TOKEN_KINDS[symbol.kind])
            found[line, begin] = (extent.end.character - begin, kind, int(is_declared))
    data: list[int] = []
    for before, at in pairwise([(0, 0), *sorted(found)]):
        is_same = before[0] == at[0]
        data += (at[0] - before[0], at[1] - before[1] * is_same, *found[at])
    return lsp.SemanticTokens(data)


ANSWERS: dict[str, Callable[..., object]] = {
    "diagnosed": _diagnosed,
    "hover": _hover,
    "definition": _definition,
    "references": _references,
    "renameable": _renameable,
    "renamed": _renamed,
    "outline": _outline,
    "layout": _layout,
    "tokens": _tokens,
}
"""What a worker can be asked about a text, by name."""
