"""Graphviz text of small systems."""

from __future__ import annotations

from lts.system import LTS

__all__ = ["dumps"]


def dumps(system: LTS) -> bytes:
    """Return `system` in the DOT language.

    An edge a transition, duplicates once, internal ones dashed; an arrow from nowhere points at the
    initial state.
    """
    internal = set(system.internal)
    lines = [
        "digraph {",
        "  rankdir=LR",
        "  node [shape=circle]",
        '  start [shape=point, label=""]',
        f"  start -> {system.initial}",
    ]
    lines += [f"  {state}" for state in range(system.state_count)]
    for source, label, target in dict.fromkeys(system.transitions()):
        style = ", style=dashed" if label in internal else ""
        lines.append(f"  {source} -> {target} [label={_quoted(label)}{style}]")
    return "\n".join([*lines, "}", ""]).encode("utf-8", "surrogateescape")


def _quoted(label: str) -> str:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
