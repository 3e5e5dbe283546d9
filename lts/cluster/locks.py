"""Folders locked by one process at a time, on any operating system."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress

__all__ = ["LOCK", "locked", "remove_locked"]

LOCK = "lock"
"""Name of the empty file that is locked on systems where folders cannot be locked."""

if sys.platform == "win32":
    import msvcrt

    def locked(directory: str) -> int:
        """Lock a folder until the returned descriptor is closed; raise `BlockingIOError` if another
        process has the lock."""
        # Folders cannot be opened on this system.
        opened = os.open(os.path.join(directory, LOCK), os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(opened)
            raise BlockingIOError(f"{directory} is locked") from None
        return opened

    def remove_locked(directory: str, lock: int) -> None:
        """Remove a locked folder as far as possible, and release the lock."""
        for entry in list(os.scandir(directory)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif entry.name != LOCK:
                with suppress(OSError):
                    os.unlink(entry.path)
        # Open files cannot be removed on this system. A process that takes the lock before the file
        # is removed finds an empty folder.
        os.close(lock)
        with suppress(OSError):
            os.unlink(os.path.join(directory, LOCK))
            os.rmdir(directory)

else:
    import fcntl

    def locked(directory: str) -> int:
        """Lock a folder until the returned descriptor is closed; raise `BlockingIOError` if another
        process has the lock, and `FileNotFoundError` if another process has replaced or removed the
        folder."""
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(opened), os.stat(directory)):
                raise FileNotFoundError(f"{directory} was replaced by another folder")
        except BaseException:
            os.close(opened)
            raise
        return opened

    def remove_locked(directory: str, lock: int) -> None:
        """Remove a locked folder as far as possible, and release the lock."""
        shutil.rmtree(directory, ignore_errors=True)
        os.close(lock)
