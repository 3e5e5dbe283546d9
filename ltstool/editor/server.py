"""A language server (Language Server Protocol 3.17): a thin layer of pygls over `lts.editor`.

Every answer is computed from the text as it is now, by the reader of its language, in another
process (`workers`). What is offered while one writes is of the last version that could be read.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, BinaryIO, cast

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcParseError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.workspace import TextDocument

from lts.editor.completion import Offer, call_at, offered
from lts.editor.languages import LANGUAGES, ShownFile, language_of
from lts.errors import LtsError
from ltstool.editor.answers import TOKEN_KINDS, Diagnosed, ShownText
from ltstool.editor.workers import Outdated, Stopped, Workers
from ltstool.shared.streams import INPUT, OUTPUT

_PAUSE = 0.15
"""Seconds without a change after which a text is read again."""

_ITEM_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "sort": lsp.CompletionItemKind.Class,
    "constructor": lsp.CompletionItemKind.EnumMember,
    "map": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function,
    "action": lsp.CompletionItemKind.Event,
    "process": lsp.CompletionItemKind.Method,
    "fixed point": lsp.CompletionItemKind.Operator,
    "definition": lsp.CompletionItemKind.Constant,
    "variable": lsp.CompletionItemKind.Variable,
}
"""The kinds of what completion offers."""


class _Protocol(LanguageServerProtocol):
    """Answers requests that do not have the form of the protocol, which pygls leaves open."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as an object; answer a request with wrong parameters by an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" not in data or "method" not in data:
                raise
            error = JsonRpcInvalidParams(f"the parameters of `{data['method']}` are wrong")
            self._send_response(data["id"], error=error.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        """Handle a message, unless it was answered before."""
        if message is not None:
            super().handle_message(message)


class _Server(LanguageServer):
    """Reports on what could not be answered; what is wrong with a request is part of its answer."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer what is not JSON; show errors of the server itself to the user."""
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            found = {"code": JsonRpcParseError.CODE, "message": f"the message is not JSON: {error}"}
            self.protocol._send_data({"jsonrpc": "2.0", "id": None, "error": found})
        elif not isinstance(error, JsonRpcException) or isinstance(error.data, dict):
            super().report_server_error(error, source)


SERVER = _Server(
    "ltstool", version("ltstool"), protocol_cls=_Protocol, converter_factory=default_converter
)

_workers = Workers()
_include_path: Sequence[str] = ()
"""Folders from which texts may include files, besides their own."""
_is_over = False
"""Whether the editor has said that it will end."""
_code = 0
"""The exit code."""


@dataclass(eq=False)
class _Known:
    """What the last examinations of a text have found."""

    first: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the text has been examined once."""
    diagnostics: Sequence[lsp.Diagnostic] = ()
    of_version: int | None = None
    """The version that has these errors."""
    offers: Sequence[Offer] = ()


_known: dict[str, _Known] = defaultdict(_Known)
"""What is known of the texts that are open."""


def serve(include_path: Sequence[str] = ()) -> int:
    """Serve on standard input and output until the editor ends."""
    global _include_path
    _include_path = include_path
    shown = logging.StreamHandler()
    shown.addFilter(_is_unforeseen)
    logging.getLogger("pygls").addHandler(shown)
    logging.getLogger("pygls").propagate = False
    # Copies, since pygls closes its streams, which the program still flushes at its end.
    with os.fdopen(os.dup(INPUT), "rb") as input, os.fdopen(os.dup(OUTPUT), "wb") as output:
        SERVER.start_io(cast(BinaryIO, _Input(input)), output)
    return _code


class _Input:
    """The input of the server, whose end is read when no process is being started any more."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readline(self) -> bytes:
        line = self._file.readline()
        if not line:
            _workers.end()
        return line

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) < size:
            _workers.end()
        return data


def _is_unforeseen(record: logging.LogRecord) -> bool:
    """Whether a message is about more than an error that a request is answered with."""
    if record.funcName == LanguageServerProtocol.structure_message.__name__:
        return False
    error = record.exc_info[1] if record.exc_info else None
    foreseen = JsonRpcException | json.JSONDecodeError | UnicodeDecodeError | asyncio.CancelledError
    return not isinstance(error, foreseen)


def _language_name(document: TextDocument) -> str | None:
    """Return the language that the editor says a text is in, or else that of its file's name."""
    if document.language_id in LANGUAGES:
        return document.language_id
    known = language_of(document.uri)
    return None if known is None else known.name


def _file(uri: str) -> str:
    """Return the name of a text's file; its address if it is no file."""
    return (uris.to_fs_path(uri) if uri.startswith("file:") else None) or uri


def _document(uri: str) -> TextDocument:
    """Return an open text."""
    document: TextDocument | None = SERVER.workspace.text_documents.get(uri)
    if document is None:
        raise JsonRpcInvalidParams(f"{uri} is not open")
    return document


def _text(uri: str) -> ShownText:
    """Return an open text as it is now."""
    document = _document(uri)
    name = _language_name(document)
    if name is None:
        raise JsonRpcInvalidParams(f"{_file(uri)} is in none of the languages of ltstool")
    return ShownText(
        uri,
        _file(uri),
        document.source,
        name,
        document.position_codec.encoding or lsp.PositionEncodingKind.Utf16,
        tuple(_include_path),
        _specifications() if name == "mcf" else {},
    )


def _specifications() -> dict[str, ShownFile]:
    """Return the specifications that are open, by file."""
    found = {}
    for uri, document in SERVER.workspace.text_documents.items():
        name = _language_name(document)
        if name in ("mucrl", "mcrl2"):
            found[_file(uri)] = ShownFile(name, document.source)
    return found


async def _answer(name: str, uri: str, *arguments: object) -> Any:
    """Return an answer about a text; what prevents it is an error of the request."""
    try:
        return await _workers.answer(name, _text(uri), *arguments)
    except LtsError as error:
        raise JsonRpcException(error.message, lsp.LSPErrorCodes.RequestFailed) from None
    except Stopped as stopped:
        raise JsonRpcException(_stopped(stopped), lsp.LSPErrorCodes.RequestFailed) from None
    except Outdated:
        message = "the text has changed"
        raise JsonRpcException(message, lsp.LSPErrorCodes.ContentModified) from None


def _stopped(reason: Stopped) -> str:
    return f"examining this text was stopped {reason}"


async def _publish(uri: str) -> None:
    """Examine a text and send its errors, unless it changes before."""
    if not _is_known(uri):
        return  # it was closed
    text, of_version = _text(uri), _document(uri).version
    known = _known[uri]
    try:
        found = await _workers.answer("diagnosed", text)
    except Outdated:
        return
    except Stopped as stopped:
        begin, severity = lsp.Position(0, 0), lsp.DiagnosticSeverity.Error
        message = f"{_stopped(stopped)}: it is read again after its next change"
        diagnostic = lsp.Diagnostic(lsp.Range(begin, begin), message, severity, source="ltstool")
        found = Diagnosed([diagnostic], [])
    except Exception:
        known.first.set()  # nobody waits for what does not come
        raise
    if _known.get(uri) is not known:
        return  # it was closed
    # While a declaration is written, names are missing of the text; those of before are offered.
    if found.offers and (not found.diagnostics or not known.offers):
        known.offers = found.offers
    elif found.offers:
        new = {(offer.kind, offer.name) for offer in found.offers}
        old = [offer for offer in known.offers if (offer.kind, offer.name) not in new]
        known.offers = [*found.offers, *old]
    known.diagnostics, known.of_version = found.diagnostics, of_version
    known.first.set()
    SERVER.text_document_publish_diagnostics(
        lsp.PublishDiagnosticsParams(uri, found.diagnostics, of_version)
    )


async def _publish_all(*, formulas_only: bool = False) -> None:
    """Send the errors of all open texts, or of the formulas, which depend on specifications."""
    documents = SERVER.workspace.text_documents
    names = {uri: _language_name(document) for uri, document in documents.items()}
    chosen = ("mcf",) if formulas_only else (*LANGUAGES,)
    await asyncio.gather(*(_publish(uri) for uri, name in names.items() if name in chosen))


async def _publish_with_formulas(uri: str) -> None:
    """Send the errors of a text, and of the formulas that may be about it."""
    await _publish(uri)
    if _is_known(uri) and _language_name(_document(uri)) in ("mucrl", "mcrl2"):
        await _publish_all(formulas_only=True)


@SERVER.feature(lsp.INITIALIZED)
def initialized(params: lsp.InitializedParams) -> None:
    """Start the first process."""
    _workers.warm()


@SERVER.feature(lsp.SHUTDOWN)
def over(params: None) -> None:
    """Note that the editor will end."""
    global _is_over
    _is_over = True


@SERVER.feature(lsp.EXIT)
def left(params: None) -> None:
    """Choose the exit code: an editor that ends without notice has failed."""
    global _code
    _code = 0 if _is_over else 1


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    """Send the errors of a text."""
    uri = params.text_document.uri
    if _is_known(uri):
        _forget(uri)
        _workers.changed(uri)
        await _publish_with_formulas(uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    """Send the errors of a text, a moment after its last change."""
    uri, of_version = params.text_document.uri, params.text_document.version
    if not _is_known(uri):
        return
    _workers.changed(uri)
    await asyncio.sleep(_PAUSE)
    if _is_known(uri) and _document(uri).version == of_version:
        await _publish_with_formulas(uri)


def _forget(uri: str) -> None:
    """Forget what is known of a text; requests that wait for it have nothing to wait for."""
    known = _known.pop(uri, None)
    if known is not None:
        known.first.set()


def _is_known(uri: str) -> bool:
    """Whether a text is open, and in a language of ltstool."""
    document = SERVER.workspace.text_documents.get(uri)
    return document is not None and _language_name(document) is not None


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
    """Send the errors of all open texts, which may depend on the one that was saved."""
    _workers.retry()
    await _publish_all()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: lsp.DidCloseTextDocumentParams) -> None:
    """Take back the errors of a text."""
    uri = params.text_document.uri
    _workers.closed(uri)
    _forget(uri)
    SERVER.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
    """Show what a name stands for: its declaration, and the equations of a function."""
    found: lsp.Hover | None = await _answer("hover", params.text_document.uri, params.position)
    return found


@SERVER.feature(lsp.TEXT_DOCUMENT_DEFINITION)
async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Return where a name is declared; for a component of a network, its file."""
    found: list[lsp.Location] = await _answer(
        "definition", params.text_document.uri, params.position
    )
    return found


@SERVER.feature(lsp.TEXT_DOCUMENT_REFERENCES)
async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Return all places of what a name stands for."""
    found: list[lsp.Location] = await _answer(
        "references",
        params.text_document.uri,
        params.position,
        params.context.include_declaration,
    )
    return found


@SERVER.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
async def renameable(params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """Return the name to be changed, if there is one."""
    found: lsp.Range | None = await _answer("renameable", params.text_document.uri, params.position)
    return found


@SERVER.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """Change a name everywhere, or refuse with the reason."""
    found: lsp.WorkspaceEdit = await _answer(
        "renamed", params.text_document.uri, params.position, params.new_name
    )
    return found


@SERVER.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """Return what is declared in the text, in its order."""
    found: list[lsp.DocumentSymbol] = await _answer("outline", params.text_document.uri)
    return found


@SERVER.feature(lsp.TEXT_DOCUMENT_FORMATTING)
async def layout(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Return the text with a regular layout; nothing for a text with characters of no token."""
    found: list[lsp.TextEdit] = await _answer("layout", params.text_document.uri)
    return found


@SERVER.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    lsp.SemanticTokensLegend([*dict.fromkeys(TOKEN_KINDS.values())], ["declaration"]),
)
async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """Return the names of the text with their kinds."""
    found: lsp.SemanticTokens = await _answer("tokens", params.text_document.uri)
    return found


async def _offers(text: ShownText) -> Sequence[Offer]:
    """Return the names of a text, of the last version that could be read."""
    known = _known[text.uri]
    await known.first.wait()
    return known.offers


@SERVER.feature(lsp.TEXT_DOCUMENT_COMPLETION)
async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Return the names and reserved words that may be written at a position."""
    text = _text(params.text_document.uri)
    found: dict[str, lsp.CompletionItem] = {}
    for kind, name, shown in offered(
        await _offers(text), text.language, text.place(params.position)
    ):
        item = found.setdefault(name, lsp.CompletionItem(name, kind=_ITEM_KINDS[kind]))
        if shown:
            item.detail = shown if item.detail is None else f"{item.detail}\n{shown}"
    return [*found.values()]


@SERVER.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """Return the declarations of what is called at a position, and which argument is written."""
    text = _text(params.text_document.uri)
    line, column = text.place(params.position)
    before = "\n".join(
        [*text.lines[: line - 1], *(row[: column - 1] for row in text.lines[line - 1 : line])]
    )
    calls = call_at(await _offers(text), before)
    signatures = [
        lsp.SignatureInformation(
            call.shown,
            parameters=[lsp.ParameterInformation(extent) for extent in call.parameters],
            active_parameter=call.argument,
        )
        for call in calls
    ]
    if not signatures:
        return None
    return lsp.SignatureHelp(signatures, active_signature=0, active_parameter=calls[0].argument)


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
def corrections(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return corrections of names, for the errors of this version that suggest one."""
    uri = params.text_document.uri
    document, known = _document(uri), _known[uri]
    found = []
    for error in known.diagnostics if known.of_version == document.version else ():
        overlaps = error.range.start <= params.range.end and params.range.start <= error.range.end
        if error.data is not None and overlaps:
            edit = lsp.WorkspaceEdit({uri: [lsp.TextEdit(error.range, str(error.data))]})
            found.append(
                lsp.CodeAction(
                    f"Change to `{error.data}`",
                    lsp.CodeActionKind.QuickFix,
                    [error],
                    is_preferred=True,
                    edit=edit,
                )
            )
    return found
