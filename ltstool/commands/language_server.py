"""`ltstool language-server`: answer an editor's requests about texts while they are written."""

from __future__ import annotations

from lts.base.lazy import optional
from ltstool import signals
from ltstool.options.request import Request, Takes

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
    optional("pygls", "the language server needs")
    from ltstool.editor import server

    # asyncio would catch their exceptions.
    signals.exit_at_once()
    return server.serve(request.text.include_path)
