"""Folders that one process has at a time, whatever the system."""

from __future__ import annotations

import os
import sys

__all__ = ["locked"]

if sys.platform == "win32":
    import msvcrt

    def locked(directory: str) -> int:
        """Lock a folder, until what is returned is closed; raise `BlockingIOError` where another
        process has it."""
        # A folder cannot be opened there.
        opened = os.open(os.path.join(directory, "lock"), os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(opened)
            raise BlockingIOError(f"{directory} is locked") from None
        return opened

else:
    import fcntl

    def locked(directory: str) -> int:
        """Lock a folder, until what is returned is closed; raise `BlockingIOError` where another
        process has it."""
        opened = os.open(directory, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(opened)
            raise
        return opened
