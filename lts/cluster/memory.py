"""Memory of a process that is to have little."""

from __future__ import annotations

import os
import sys

from lts import _engine

__all__ = ["ENVIRONMENT", "keep_little", "peak", "resident"]

ENVIRONMENT = {
    # Read by the C library when a process begins.
    "MALLOC_ARENA_MAX": "2",
    # Read when pyarrow is imported: it has no memory, and no threads, of its own then.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "ARROW_IO_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
"""What a process has in its environment that is to have little memory."""


def keep_little() -> None:
    """Have this process give back what it does not use, from now on."""
    _engine.keep_little_memory()
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    if "pyarrow" in sys.modules:
        import pyarrow

        pyarrow.set_memory_pool(pyarrow.system_memory_pool())
        pyarrow.set_cpu_count(1)


def resident() -> int:
    """Return the bytes of memory that this process has now, 0 where the system does not tell."""
    known = _engine.resident_memory()
    return 0 if known is None else known[0]


def peak() -> int:
    """Return the most bytes of memory that it had, 0 where the system does not tell."""
    known = _engine.resident_memory()
    return 0 if known is None else known[1]
