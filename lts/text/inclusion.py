"""The files that a text may name: those below its own folder, and below further folders.

A text may be from an untrusted source. Without this rule it could name any file of the user, whose
lines an error message would then quote.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass

from lts.base.bounds import INCLUDED_FILE

__all__ = ["Folders", "NotIncluded", "real_path"]

OUTSIDE = "it is outside the folder of the text that names it; --include-path allows more folders"


class NotIncluded(Exception):
    """A file cannot be included; the message says why."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders, without symbolic links in their paths, below which a text may name files."""

    roots: tuple[str, ...]

    @classmethod
    def of(cls, folder: str, include_path: Iterable[str | os.PathLike[str]] = ()) -> Folders:
        """Return the folder of a text, empty for the current one, and those allowed besides."""
        if isinstance(include_path, str | os.PathLike):
            raise TypeError("include_path must be a list of folders, not the path of one")
        return cls(tuple(real_path(os.fspath(each) or ".") for each in (folder, *include_path)))

    def have(self, path: str) -> bool:
        """Return whether a file is below one of the folders, after its links are resolved."""
        found = real_path(path)
        return any(found.startswith(root.rstrip(os.sep) + os.sep) for root in self.roots)

    def read(self, path: str) -> str:
        """Return the text of a file, whatever its bytes; raise `NotIncluded` if it is no regular
        file, too long, or outside the folders."""
        try:
            if not self.have(path):
                raise NotIncluded(OUTSIDE)
            with open(real_path(path), "rb", opener=_without_waiting) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise NotIncluded("it is not a regular file")
                content = file.read(INCLUDED_FILE.default + 1)
        except OSError as error:
            raise NotIncluded(error.strerror or "it cannot be read") from None
        except ValueError:
            raise NotIncluded("a file cannot have this name") from None
        if len(content) > INCLUDED_FILE.default:
            raise NotIncluded(f"it is longer than {INCLUDED_FILE.amount()}")
        return content.decode("utf-8", "surrogateescape")


def real_path(path: str) -> str:
    """Return the absolute path without symbolic links.

    >>> real_path("//usr/lib/../lib") == real_path("/usr/lib")
    True
    """
    found = os.path.realpath(path)
    # POSIX lets two slashes at the beginning mean something else than one, but no system does.
    return found[1:] if os.sep == "/" and found.startswith("//") else found


def _without_waiting(name: str, flags: int) -> int:
    """Open a file without blocking, even a pipe that has no writer, and without following a link
    that took the place of the file after its path was resolved."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
