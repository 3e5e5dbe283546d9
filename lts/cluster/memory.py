"""The memory of processes with a bound on it: settings that save memory, and measurements."""

from __future__ import annotations

import os
import sys

import lts._engine as _engine

__all__ = ["ENVIRONMENT", "keep_little", "peak", "resident"]

ENVIRONMENT = {
    # Read by the C library when a process starts.
    "MALLOC_ARENA_MAX": "2",
    # Read when pyarrow is imported: with these, it has no memory pool and no threads of its own.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "ARROW_IO_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
"""Environment variables of a process that has to use little memory."""


def keep_little() -> None:
    """Make this process return unused memory to the system from now on."""
    _engine.keep_little_memory()
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    if "pyarrow" in sys.modules:
        import pyarrow

        pyarrow.set_memory_pool(pyarrow.system_memory_pool())
        pyarrow.set_cpu_count(1)


def resident() -> int:
    """Return the resident size of this process in bytes, 0 if the system does not report it."""
    known = _engine.resident_memory()
    return 0 if known is None else known[0]


def peak() -> int:
    """Return the peak resident size of this process in bytes, 0 if the system does not report
    it."""
    known = _engine.resident_memory()
    return 0 if known is None else known[1]
