"""A language server (Language Server Protocol 3.17): a thin layer of pygls over `lts.editor`.

Every answer is computed from the text as it is now, by the reader of its language.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from lts.editor.languages import Examined, Language, language_of
from lts.editor.layout import formatted
from lts.editor.renaming import renamed, symbol_at
from lts.errors import LtsError
from lts.text.source import Place, Source
from lts.text.uses import Symbol
from ltstool.shared.streams import INPUT, OUTPUT

_PAUSE = 0.15
"""Seconds without a change after which a text is read again."""
_MOST_EQUATIONS = 8
"""Most equations shown for a function."""

SERVER = LanguageServer("ltstool", version("ltstool"))

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


_include_path: Sequence[str] = ()
"""Folders from which texts may include files, besides their own."""


def serve(include_path: Sequence[str] = ()) -> int:
    """Serve on standard input and output until the editor ends."""
    global _include_path
    _include_path = include_path
    # Copies, since pygls closes its streams, which the program still flushes at its end.
    with os.fdopen(os.dup(INPUT), "rb") as input, os.fdopen(os.dup(OUTPUT), "wb") as output:
        SERVER.start_io(input, output)
    return 0


class _Text:
    """A text that an editor shows, with positions in the units of the protocol."""

    def __init__(self, uri: str) -> None:
        document: TextDocument = SERVER.workspace.get_text_document(uri)
        self.uri = uri
        self.document = document
        self.text = document.source
        self.file = uris.to_fs_path(uri) or uri
        self.lines: Sequence[str] = re.split(r"\r\n|\n|\r", self.text)
        known = language_of(self.file)
        if known is None:
            raise JsonRpcInvalidParams(f"{self.file} is in none of the languages of ltstool")
        self.language: Language = known

    def examined(self) -> Examined:
        """Read the text."""
        return self.language.examined(self.text, self.file, _include_path)

    def named(self, position: lsp.Position) -> tuple[Source, Symbol | None, Place]:
        """Return the text as parsed, and the symbol of the name at a position, with the place of
        that name; None and the position if there is no name."""
        names, place = self.examined().names, self.place(position)
        symbol, at = symbol_at(names, place) or (None, place)
        return names.source, symbol, at

    def place(self, position: lsp.Position) -> Place:
        """Return the place of a position."""
        found = self.document.position_codec.position_from_client_units(self.lines, position)
        return found.line + 1, found.character + 1

    def range(self, place: Place, length: int) -> lsp.Range:
        """Return the range of a word."""
        line, column = place
        codec = self.document.position_codec
        positions = (lsp.Position(line - 1, at) for at in (column - 1, column - 1 + length))
        begin, end = (codec.position_to_client_units(self.lines, at) for at in positions)
        return lsp.Range(begin, end)

    def word(self, place: Place) -> int:
        """Return the length of the token at a place; 1 if there is none."""
        line = self.lines[place[0] - 1] if place[0] <= len(self.lines) else ""
        rest = line[place[1] - 1 :]
        length = next((n for n, c in enumerate(rest) if not (c.isalnum() or c in "_'")), len(rest))
        return max(length, 1)

    def diagnostic(self, error: LtsError) -> lsp.Diagnostic:
        """Return an error at its place; one of another file is at the beginning."""
        message = error.message if not error.more else f"{error.message}\n{error.more}"
        line, column = error.line or 1, error.column or 1
        shown = self.lines[line - 1] if line <= len(self.lines) else ""
        if error.file not in (None, self.file):
            found, message = self.range((1, 1), 0), f"{error.place}: {message}"
        elif error.text is not None and error.text != shown:
            # Parameters replaced parts of the line, so that columns differ.
            found = self.range((line, 1), len(shown))
        else:
            found = self.range((line, column), self.word((line, column)))
        return lsp.Diagnostic(found, message, lsp.DiagnosticSeverity.Error, source="ltstool")

    def publish(self) -> None:
        """Send the errors of the text."""
        found = self.examined()
        diagnostics = [self.diagnostic(error) for error in found.errors]
        if found.unseen:
            diagnostics[-1].message += f"\nand {found.unseen} more"
        SERVER.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.uri, diagnostics, self.document.version)
        )

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
        return [one for number, one in enumerate(found) if one not in found[:number]]


async def _later(uri: str, of_version: int | None) -> None:
    """Send the errors of a text, unless it changes again soon."""
    await asyncio.sleep(_PAUSE)
    documents = SERVER.workspace.text_documents
    if uri in documents and documents[uri].version == of_version:
        _Text(uri).publish()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    """Send the errors of a text."""
    if language_of(params.text_document.uri) is not None:
        _Text(params.text_document.uri).publish()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    """Send the errors of a text, a moment after its last change."""
    if language_of(params.text_document.uri) is not None:
        await _later(params.text_document.uri, params.text_document.version)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def saved(params: lsp.DidSaveTextDocumentParams) -> None:
    """Send the errors of all open texts, which may depend on the one that was saved."""
    for uri in list(SERVER.workspace.text_documents):
        if language_of(uri) is not None:
            _Text(uri).publish()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: lsp.DidCloseTextDocumentParams) -> None:
    """Take back the errors of a text."""
    uri = params.text_document.uri
    SERVER.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> lsp.Hover | None:
    """Show the declaration of a name, and the equations of a function."""
    text = _Text(params.text_document.uri)
    source, symbol, place = text.named(params.position)
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


@SERVER.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Return where a name is declared; for a component of a network, its file."""
    text = _Text(params.text_document.uri)
    source, symbol, _ = text.named(params.position)
    if symbol is None:
        return []
    if symbol.kind == "component":
        begin = lsp.Position(0, 0)
        uri = uris.from_fs_path(str(Path(symbol.shown).resolve())) or text.uri
        return [lsp.Location(uri, lsp.Range(begin, begin))]
    return text.locations(symbol.elsewhere or source, symbol, symbol.declared)


@SERVER.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Return all places where the symbol of a name occurs."""
    text = _Text(params.text_document.uri)
    source, symbol, _ = text.named(params.position)
    if symbol is None:
        return []
    places = symbol.places if params.context.include_declaration else sorted(symbol.used)
    return text.locations(source, symbol, places)


@SERVER.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def renameable(params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """Return the name to be changed, if there is one."""
    text = _Text(params.text_document.uri)
    _, symbol, at = text.named(params.position)
    if symbol is None or not symbol.declared or symbol.elsewhere is not None:
        return None
    if symbol.kind == "component":
        return None
    return text.range(at, len(symbol.name))


@SERVER.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """Change a name everywhere, or refuse with the reason."""
    text = _Text(params.text_document.uri)
    place = text.place(params.position)
    try:
        _, places = renamed(
            text.text, text.language, text.file, place, params.new_name, _include_path
        )
    except LtsError as error:
        raise JsonRpcInvalidParams(error.message) from None
    _, symbol, _ = text.named(params.position)
    length = len(symbol.name) if symbol is not None else 0
    edits = [lsp.TextEdit(text.range(at, length), params.new_name) for at in places]
    return lsp.WorkspaceEdit(changes={text.uri: edits})


@SERVER.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """Return the declarations of a text, in its order."""
    text = _Text(params.text_document.uri)
    names = text.examined().names
    found = {}
    for symbol in names.symbols.values():
        for declared in symbol.declared if symbol.elsewhere is None else ():
            place = names.source.in_file(declared, len(symbol.name))
            if place is not None and symbol.kind in _KINDS:
                extent = text.range(place, len(symbol.name))
                found[place] = lsp.DocumentSymbol(
                    symbol.name, _KINDS[symbol.kind], extent, extent, detail=symbol.shown
                )
    return [found[place] for place in sorted(found)]


@SERVER.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def layout(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Return the text with a regular layout; nothing for a text with characters of no token."""
    text = _Text(params.text_document.uri)
    try:
        found = formatted(text.text, text.language, text.file)
    except LtsError:
        return []
    if found == text.text:
        return []
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(text.lines) + 1, 0))
    return [lsp.TextEdit(whole, found)]
