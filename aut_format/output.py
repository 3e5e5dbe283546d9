"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

__all__ = ["is_replaceable", "replacing", "writing"]

# Files that are open already: writing goes on where they are, and never cuts them.
_OPEN = re.compile(r"/dev/(?:fd/(\d+)|(stdin|stdout|stderr))|/proc/self/fd/(\d+)")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open `path` for writing bytes: whole or not at all for a file, straight for anything else."""
    name = os.fspath(path)
    if is_replaceable(name):
        with replacing(name) as file:
            yield file
        return
    number = _open_file(name)
    try:
        with open(name if number is None else os.dup(number), "wb") as file:
            yield file
    except OSError as error:
        raise (_about(error, name) if error.errno and error.filename is None else error) from None


def is_replaceable(path: str) -> bool:
    """Return whether `path` is a regular file or nothing yet; a pipe or a device is written to."""
    if _open_file(path) is not None:
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Open a temporary neighbour of the file `path`, renamed to it at the end.

    After any exception, an interrupt too, `path` is as it was before. A symbolic link is followed.
    A new file has the permissions of any new file, an existing one keeps its own.
    """
    target = os.path.realpath(path)
    folder, base = os.path.split(target)
    part = os.path.join(folder, f".{base[:100]}.{os.urandom(4).hex()}.part")
    try:
        mode = _writable_mode(target)
        number = os.open(part, _NEW, 0o666)
    except OSError as error:
        raise _about(error, path) from None
    try:
        with open(number, "w+b") as file:
            if mode is not None:
                os.chmod(part, mode)
            yield file
        os.replace(part, target)
    except OSError as error:
        # The disk is full, say: the user knows `path` and not its neighbour.
        if error.errno is None or error.filename not in (None, part):
            raise
        raise _about(error, path) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)


def _open_file(path: str) -> int | None:
    match = _OPEN.fullmatch(path)
    if match is None:
        return None
    number, standard, own = match.groups()
    return _STANDARD[standard] if standard else int(number or own)


def _writable_mode(path: str) -> int | None:
    """Return the permissions of the file that is there, if any; refuse where it is read-only."""
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(13, os.strerror(13), path)
    return mode


def _about(error: OSError, path: str) -> OSError:
    return OSError(error.errno, error.strerror, path)
