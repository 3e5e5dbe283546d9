"""`ltstool language-server`: what an editor asks about texts while they are written."""

from __future__ import annotations

from lts.errors import LtsError
from ltstool.request import Request, Takes

HELP = (
    "serve an editor that speaks the Language Server Protocol, on standard input and output: "
    "errors, declarations, renaming, layout"
)
EXAMPLES = ("language-server",)
TAKES = Takes(
    options=("include_path",),
    against={("json",): "has no effect: the protocol decides what is printed"},
    talks=True,
)


def run(request: Request) -> int:
    """Serve until the editor ends."""
    try:
        from ltstool.editor import server
    except ImportError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        message = "the language server needs the package pygls: pip install 'ltstool[editor]'"
        raise LtsError(message) from None
    return server.serve(request.text.include_path)
