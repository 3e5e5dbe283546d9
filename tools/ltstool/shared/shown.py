"""Results as a person reads them: facts by their names, and tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def facts(found: Mapping[str, object], width: int = 13) -> str:
    """Return facts, a line each behind its name."""
    return "\n".join(f"{name:<{width}}{value}" for name, value in found.items())


def aligned(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), *, rule: bool = False
) -> str:
    """Return a table; cells in the columns of `right` stand there, and a `rule` under the head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [*rows[:1], *([["-" * width for width in widths]] if rule else []), *rows[1:]]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in lines
    )


def plural(count: int, noun: str) -> str:
    """Return so many of a thing.

    >>> plural(1, "step"), plural(2, "step")
    ('1 step', '2 steps')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
