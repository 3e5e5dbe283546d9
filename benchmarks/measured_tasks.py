"""Tasks measured in a process of their own, and the presentation of their figures."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Callable
from typing import Any

from measure import measure


def run(task: Callable[[], Any], arguments: argparse.Namespace) -> dict[str, Any] | None:
    """Return the result of a task with time and memory; None if it took too long."""
    try:
        measured = measure(task, repeat=arguments.repeat, timeout=arguments.timeout)
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, Any] = json.loads(measured.output)
    return found | {
        "wall": measured.wall,
        "processor": measured.processor,
        "memory": measured.memory,
    }


def figures(found: dict[str, Any] | None) -> str:
    """Return time and memory as two columns of a table."""
    if found is None:
        return f"{'-':>20}"
    return f"{found['wall']:>9.2f} s {found['memory'] / 1e6:>6.0f} MB"
