"""The process of a step: runs a command of ltstool and records which files it reads and writes.

Python reports every opened file, every listed folder and every renamed file through audit events
(PEP 578); `os.stat` is wrapped to record every name that is looked up. Files of the program itself
are left out. Names are recorded as given, because a link may lead elsewhere later.
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
"""The command that starts the process; the file for its notes and the words of the step follow."""

_WRITES = os.O_WRONLY | os.O_RDWR


class _Notes:
    """Paths of files, in the order in which they are read and written."""

    def __init__(self) -> None:
        self.over = False
        self.read: dict[str, None] = {}
        self.listed: dict[str, None] = {}
        self.written: dict[str, None] = {}

    def record(self, event: str, arguments: tuple[object, ...]) -> None:
        """Record an audit event, which comes before the operation."""
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
        """Record from now on all names that are looked up, including those that do not exist."""
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
            # `..` is not normalised, because behind a link it is another folder.
            notes.setdefault(os.path.join(os.getcwd(), os.fsdecode(file)))

    def as_json(self) -> dict[str, list[str]]:
        """Return the notes, without files of the program, and without files read that the step
        itself wrote."""
        self.over = True
        made = {os.path.realpath(file) for file in self.written}
        listed = [file for file in self.listed if file not in sys.path]
        cache_folders = _cache_folders()
        return {
            "read": [
                file for file in self.read if _is_own(file) and os.path.realpath(file) not in made
            ],
            "listed": [file for file in listed if _is_own(file) and not _is_installed(file)],
            "written": [
                file
                for file in self.written
                if _is_own(file) and not file.startswith(cache_folders) and os.path.lexists(file)
            ],
        }


def _is_own(file: str) -> bool:
    """Return whether a file may belong to the user, and not to the system's state or Python's
    code."""
    if file.startswith(("/proc/", "/sys/")):
        return False
    return not (_is_installed(file) and (file.endswith(_CODE) or not os.path.isfile(file)))


_CODE = (".py", ".pyc", ".so", ".pyd", ".dll", ".pth")


def _is_installed(file: str) -> bool:
    """Return whether a file is part of the installation of Python or of this program."""
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


def _cache_folders() -> tuple[str, ...]:
    """Return the cache folders of libraries, such as those of fonts."""
    home = Path(os.path.expanduser("~"))
    names = (".cache", ".config", ".matplotlib", "Library/Caches")
    return tuple(f"{home / name}{os.sep}" for name in names)


def run() -> None:
    """Run a command of ltstool; write the notes however it ends."""
    record = sys.argv.pop(1)
    notes = _Notes()
    sys.addaudithook(notes.record)
    notes.look()

    def report() -> None:
        content = json.dumps(notes.as_json())
        with open(record, "w", encoding="utf-8") as file:
            file.write(content)

    atexit.register(report)
    from ltstool.__main__ import run as run_program

    run_program()
