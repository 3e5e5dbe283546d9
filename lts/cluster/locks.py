"""Folders that one process has at a time, whatever the system."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress

__all__ = ["LOCK", "locked", "remove_locked"]

LOCK = "lock"
"""A file without content, where a folder itself cannot be locked."""

if sys.platform == "win32":
    import msvcrt

    def locked(directory: str) -> int:
        """Lock a folder, until what is returned is closed; raise `BlockingIOError` where another
        process has it."""
        # A folder cannot be opened there.
        opened = os.open(os.path.join(directory, LOCK), os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(opened)
            raise BlockingIOError(f"{directory} is locked") from None
        return opened

    def remove_locked(directory: str, lock: int) -> None:
        """Remove a folder that is locked, as far as that can be done, and let go of the lock."""
        for entry in list(os.scandir(directory)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif entry.name != LOCK:
                with suppress(OSError):
                    os.unlink(entry.path)
        # What is open cannot be removed there. Who locks it before it goes has an empty folder.
        os.close(lock)
        with suppress(OSError):
            os.unlink(os.path.join(directory, LOCK))
            os.rmdir(directory)

else:
    import fcntl

    def locked(directory: str) -> int:
        """Lock a folder, until what is returned is closed; raise `BlockingIOError` where another
        process has it, and `FileNotFoundError` if that has removed it."""
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(opened), os.stat(directory)):
                raise FileNotFoundError(f"{directory} is another folder now")
        except BaseException:
            os.close(opened)
            raise
        return opened

    def remove_locked(directory: str, lock: int) -> None:
        """Remove a folder that is locked, as far as that can be done, and let go of the lock."""
        shutil.rmtree(directory, ignore_errors=True)
        os.close(lock)
