"""Terminals that keep what a command shows."""

import io
import sys
import threading
from types import SimpleNamespace

from ltstool.shared import progress, streams


class Terminal(io.StringIO):
    """A terminal, or not; `came` is set whenever something is shown."""

    def __init__(self, terminal=True):
        super().__init__()
        self.terminal = terminal
        self.came = threading.Event()

    def isatty(self):
        return self.terminal

    def write(self, text):
        written = super().write(text)
        self.came.set()
        return written


def attached(monkeypatch, found):
    """Have what is shown go to a terminal; all else goes where it went."""
    for module in (progress, streams):
        monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=found, platform=sys.platform))
    return found
