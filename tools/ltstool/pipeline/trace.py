"""The process of a step: a command of ltstool that notes which files it reads and writes.

Python tells of every file that is opened, every folder that is listed and every name that a file
is given (audit events, PEP 578). What belongs to the program itself is left out.
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

__all__ = ["COMMAND", "run"]

COMMAND = [sys.executable, "-P", "-c", "from ltstool.pipeline.trace import run; run()"]
"""What starts the process; the file that it writes its notes to comes next, then the words."""

_WRITES = os.O_WRONLY | os.O_RDWR


class _Notes:
    """Files by their paths, as they are read and written."""

    def __init__(self) -> None:
        self.read: dict[str, None] = {}
        self.listed: dict[str, None] = {}
        self.written: dict[str, None] = {}

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        """Note an event, before it happens."""
        if event == "open":
            file, mode, flags = arguments
            if isinstance(mode, str):
                writes = not mode.startswith("r") or "+" in mode
            else:
                writes = isinstance(flags, int) and bool(flags & _WRITES)
            self._note(self.written if writes else self.read, file)
        elif event == "os.rename":
            self._note(self.written, arguments[1])
        elif event in ("os.listdir", "os.scandir"):
            self._note(self.listed, arguments[0])

    def _note(self, notes: dict[str, None], file: object) -> None:
        if isinstance(file, (str, bytes, os.PathLike)):
            # Names stay as they are: what they lead to is looked up by whoever reads the notes.
            notes.setdefault(os.path.abspath(os.fsdecode(file)))

    def as_json(self) -> dict[str, list[str]]:
        """Return the notes without what belongs to the program."""
        own = _own()
        return {
            "read": [file for file in self.read if own(file)],
            "listed": [file for file in self.listed if own(file) and file not in sys.path],
            "written": [file for file in self.written if own(file) and os.path.isfile(file)],
        }


def _own() -> Callable[[str], bool]:
    """Return a test of paths: whether a file belongs to the user, not to a program."""
    import aut_format
    import lts
    import ltstool

    packages = [Path(package.__file__ or "").parent for package in (lts, aut_format, ltstool)]
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = [Path(sysconfig.get_path(kind)) for kind in kinds]
    system = [Path("/proc"), Path("/sys"), Path("/dev")]
    # What libraries keep for themselves, fonts for drawing, say.
    home = Path(os.path.expanduser("~"))
    kept = [home / name for name in (".cache", ".config", ".matplotlib", "Library/Caches")]
    roots = [os.path.abspath(root) for root in packages + installed + system + kept]
    beginnings = tuple(root + os.sep for root in roots)
    return lambda file: not file.startswith(beginnings) and file not in roots


def run() -> None:
    """Run a command of ltstool; its notes are there whatever it ends with."""
    record = sys.argv.pop(1)
    notes = _Notes()
    sys.addaudithook(notes.hear)
    try:
        from ltstool.__main__ import run as run_program

        run_program()
    finally:
        content = json.dumps(notes.as_json())
        with open(record, "w", encoding="utf-8") as file:
            file.write(content)
