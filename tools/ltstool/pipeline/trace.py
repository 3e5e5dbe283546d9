"""The process of a step: a command of ltstool that notes which files it reads and writes.

Python tells of every file that is opened, every folder that is listed and every name that a file
is given (audit events, PEP 578), and `os.stat` of every name that is looked for. What belongs to
the program itself is left out. Names stay as they were given: a link may lead elsewhere later.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from pathlib import Path

__all__ = ["COMMAND", "run"]

COMMAND = [sys.executable, "-P", "-c", "from ltstool.pipeline.trace import run; run()"]
"""What starts the process; the file that it writes its notes to comes next, then the words."""

_WRITES = os.O_WRONLY | os.O_RDWR


class _Notes:
    """Files by their paths, as they are read and written."""

    def __init__(self) -> None:
        self.over = False
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

    def look(self) -> None:
        """Note from now on which names are looked for, also where nothing has them."""
        os.stat = self._noting(os.stat)
        os.lstat = self._noting(os.lstat)

    def _noting(self, look: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        def noting(path: object, *arguments: object, **more: object) -> os.stat_result:
            if not arguments and not isinstance(path, int):
                self._note(self.read, path)
            return look(path, *arguments, **more)

        return noting

    def _note(self, notes: dict[str, None], file: object) -> None:
        if not self.over and isinstance(file, (str, bytes, os.PathLike)):
            # Without a change of `..`, which behind a link is another folder.
            notes.setdefault(os.path.join(os.getcwd(), os.fsdecode(file)))

    def as_json(self) -> dict[str, list[str]]:
        """Return the notes without what belongs to the program, and what was not there before."""
        self.over = True
        made = {os.path.realpath(file) for file in self.written}
        listed = [file for file in self.listed if file not in sys.path]
        kept = _kept()
        return {
            "read": [
                file for file in self.read if _is_own(file) and os.path.realpath(file) not in made
            ],
            "listed": [file for file in listed if _is_own(file) and not _is_installed(file)],
            "written": [
                file
                for file in self.written
                if _is_own(file) and not file.startswith(kept) and os.path.lexists(file)
            ],
        }


def _is_own(file: str) -> bool:
    """Return whether a file may be of the user: none of the system's state, no code of Python."""
    if file.startswith(("/proc/", "/sys/")):
        return False
    return not (_is_installed(file) and (file.endswith(_CODE) or not os.path.isfile(file)))


_CODE = (".py", ".pyc", ".so", ".pyd", ".dll", ".pth")


def _is_installed(file: str) -> bool:
    """Return whether a file lies where Python or this program is."""
    return file.startswith(_installed()) or file + os.sep in _installed()


@cache
def _installed() -> tuple[str, ...]:
    import aut_format
    import lts
    import ltstool

    packages = [Path(package.__file__ or "").parent for package in (lts, aut_format, ltstool)]
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = [Path(sysconfig.get_path(kind)) for kind in kinds]
    return tuple(os.path.abspath(root) + os.sep for root in packages + installed)


def _kept() -> tuple[str, ...]:
    """Return the folders in which libraries write what they keep for themselves, of fonts, say."""
    home = Path(os.path.expanduser("~"))
    names = (".cache", ".config", ".matplotlib", "Library/Caches")
    return tuple(f"{home / name}{os.sep}" for name in names)


def run() -> None:
    """Run a command of ltstool; its notes are there whatever it ends with."""
    record = sys.argv.pop(1)
    notes = _Notes()
    sys.addaudithook(notes.hear)
    notes.look()

    def report() -> None:
        content = json.dumps(notes.as_json())
        with open(record, "w", encoding="utf-8") as file:
            file.write(content)

    atexit.register(report)
    from ltstool.__main__ import run as run_program

    run_program()
