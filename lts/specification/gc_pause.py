"""Suspends the garbage collector while large, long-lived data are built, which it would traverse
again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["suspended"]


@contextmanager
def suspended() -> Iterator[None]:
    """Suspend the collection of cyclic garbage; reference counts still free everything else.

    Trees and tables have no cycles, yet every collection visits all of them: without this, the time
    to read a text grows faster than its length.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
