"""Output files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple

import lts._engine as _engine

__all__ = [
    "check_writable",
    "is_replaceable",
    "remove_parts",
    "replacing",
    "target_of",
    "together",
    "writing",
]

# Paths of open file descriptors: writing continues at their position and never truncates them.
_OPEN = re.compile(r"/dev/(?:fd/(\d+)|(stdin|stdout|stderr))|/proc/self/fd/(\d+)")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open `path` for writing bytes: atomically for a regular file, directly for anything else."""
    name = os.fspath(path)
    if is_replaceable(name):
        with replacing(name) as file:
            yield file
        return
    number = _open_file(name)
    if number is None:
        target_of(name)  # refuses some links; the system may lead others to what has no path
    try:
        with open(name if number is None else os.dup(number), "wb") as file:
            yield file
    except OSError as error:
        raise (_about(error, name) if error.errno and error.filename is None else error) from None


def is_replaceable(path: str) -> bool:
    """Return whether `path` is a regular file or does not exist; pipes and devices are written
    directly."""
    if _open_file(path) is not None:
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def check_writable(path: str) -> None:
    """Raise `OSError` if a file could not be written now; the file is not changed."""
    if not is_replaceable(path):
        return
    target = target_of(path)
    part = _neighbour(target)
    note(part)
    try:
        os.close(_begun(part, target, path)[0])
    finally:
        _remove(part)


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`, which is renamed to `path` at the end.

    After any exception, including an interrupt, `path` is unchanged. A symbolic link is followed,
    except for those that `target_of` refuses;
    other hard links of the file keep the old content. A new file has default permissions, an
    existing one keeps its own.
    """
    target = target_of(path)
    part = _neighbour(target)
    staged = False
    note(part)
    try:
        number, mode = _begun(part, target, path)
        with open(number, "w+b") as file:
            if mode is not None:
                os.chmod(part, mode)
            yield file
        waiting = getattr(_staged, "parts", None)
        if waiting is None:
            os.replace(part, target)
        else:
            waiting.append(_Part(part, target, path))
            staged = True
    except OSError as error:
        # Of a full disk, for example: the user knows `path` and not the temporary file.
        if error.errno is None or error.filename not in (None, part):
            raise
        raise _about(error, path) from None
    finally:
        if not staged:
            _remove(part)


def target_of(path: str) -> str:
    """Return the absolute path of a file that is written, with symbolic links resolved.

    Raises `PermissionError` for a link of another user in a sticky folder where all may write, such
    as /tmp: it could lead to a file of the user. This is the rule of Linux
    (`fs.protected_symlinks`): such a link is followed only if it belongs to the user, or to the
    owner of the folder.
    """
    if os.name != "posix":
        return os.path.realpath(path)
    # The current folder has no links in its path.
    here = "/" if os.path.isabs(path) else os.getcwd()
    waiting, links = _names(path), 0
    while waiting:
        name = waiting.pop()
        if name == "..":
            here = os.path.dirname(here)
            continue
        following = os.path.join(here, name)
        try:
            link = os.lstat(following)
        except OSError:  # it is about to be made, or opening it reports the error
            here = following
            continue
        if not stat.S_ISLNK(link.st_mode):
            here = following
            continue
        folder = os.stat(here)
        is_shared = folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH
        if is_shared and link.st_uid not in (os.geteuid(), folder.st_uid):
            message = f"{os.strerror(errno.EACCES)}: a link of another user in a shared folder"
            raise PermissionError(errno.EACCES, message, path)
        links += 1
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        led = os.readlink(following)
        here = "/" if led.startswith("/") else here
        waiting += _names(led)
    return here


_MOST_LINKS = 40
"""Most symbolic links on the way to a file, as in Linux."""


def _names(path: str) -> list[str]:
    """Return the names that a path consists of, last one first."""
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


class _Part(NamedTuple):
    """A completed temporary file, and its final name."""

    part: str
    target: str
    path: str


_staged = threading.local()
"""Completed files waiting for the end of `together`: `parts` is a list, or None outside of it."""


@contextmanager
def together() -> Iterator[None]:
    """Make all files written inside the context appear at its end, all or none."""
    if getattr(_staged, "parts", None) is not None:
        yield  # the outer context renames the files
        return
    parts: list[_Part] = []
    _staged.parts = parts
    try:
        try:
            yield
        finally:
            _staged.parts = None
        _rename(parts)
    finally:
        for each in parts:
            _remove(each.part)


def _rename(parts: list[_Part]) -> None:
    """Give all files their final names; if one cannot be renamed, restore the previous files."""
    backups: dict[str, str] = {}  # backups of existing files, by their names
    try:
        if len(parts) > 1:
            for each in parts:
                if os.path.lexists(each.target):
                    backups[each.target] = _backup(each)
        for each in parts:
            try:
                os.replace(each.part, each.target)
            except OSError as error:
                raise _about(error, each.path) from None
    except BaseException:
        for each in parts:
            if os.path.lexists(each.part):
                continue
            if each.target in backups:
                os.replace(backups[each.target], each.target)
            else:
                os.unlink(each.target)
        raise
    finally:
        for name in backups.values():
            _remove(name)


def _backup(part: _Part) -> str:
    """Create a backup of the file to be replaced under another name, and return that name."""
    import shutil

    name = _neighbour(part.target)
    note(name)
    try:
        os.link(part.target, name)
    except OSError:
        try:
            shutil.copy2(part.target, name)
        except OSError as error:
            _remove(name)
            raise _about(error, part.path) from None
    return name


def _neighbour(target: str) -> str:
    """Return a new name beside a file. The length of names is limited in bytes, not in
    characters."""
    folder, base = os.path.split(target)
    short = os.fsencode(base)[:100].decode("utf-8", "ignore")
    return os.path.join(folder, f".{short}.{os.urandom(4).hex()}.part")


_parts: set[str] = set()
"""Temporary files that may exist."""


def note(part: str) -> None:
    """Register a temporary file, which is removed however the program ends."""
    _parts.add(part)
    with suppress(ValueError):
        _engine.note_file(os.fsencode(part))


def _remove(part: str) -> None:
    with suppress(FileNotFoundError, ValueError):
        os.unlink(part)
    _parts.discard(part)
    with suppress(ValueError):
        _engine.forget_file(os.fsencode(part))


def remove_parts() -> None:
    """Remove all temporary files, as the last action of the program."""
    for part in list(_parts):
        with suppress(OSError):
            _remove(part)


def _open_file(path: str) -> int | None:
    match = _OPEN.fullmatch(path)
    if match is None:
        return None
    number, standard, own = match.groups()
    return _STANDARD[standard] if standard else int(number or own)


def _begun(part: str, target: str, path: str) -> tuple[int, int | None]:
    """Open a temporary file; return its descriptor, and the permissions of the file that it will
    replace, if any. Errors name `path`."""
    try:
        mode = _writable_mode(target)
        return os.open(part, _NEW, 0o666), mode
    except OSError as error:
        raise _about(error, path) from None


def _writable_mode(path: str) -> int | None:
    """Return the permissions of an existing file, None if there is none; raise `PermissionError` if
    it is read-only."""
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(13, os.strerror(13), path)
    return mode


def _about(error: OSError, path: str) -> OSError:
    return OSError(error.errno, error.strerror, path)
