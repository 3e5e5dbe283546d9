"""What is shown of the stages of work, and how long the current one will go on."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

Stage = tuple[int, str, str, int, int | None]
"""A stage as `lts._engine.stages` returns it."""

LEAST = 2.0
"""Seconds that a stage has to be observed before it is said how long it will go on."""
_RECENT = 10.0
"""The rate is that of these last seconds, or of the last quarter of a longer time."""


def stage_texts(text: str, stages: Sequence[Stage]) -> tuple[str, list[str]]:
    """Return the description of work with its stages: the name and the progress of each. A stage
    whose name begins the description is not repeated.

    >>> stage_texts("reading a.aut", [(7, "reading", "share", 45, 100)])
    ('reading a.aut', ['45 %'])
    >>> items = (8, "component", "items", 2, 5)
    >>> stage_texts("minimising", [items, (9, "verifying", "share", 1, 3)])
    ('minimising: component 2 of 5', ['verifying', '33 %'])
    """
    facts: list[str] = []
    for _, name, kind, count, total in stages:
        if kind == "found":
            facts += [f"{count:,} {name[:-1] if count == 1 else name}"] if count else []
        elif kind == "items":
            facts += [f"{name} {count:,} of {total:,}"] if count else []
        else:
            facts += [] if text.partition(" ")[0] == name else [name]
            facts += [f"{count * 100 // total} %"] if total else []
    if facts and not facts[0].endswith("%"):
        text = f"{text}: {facts.pop(0)}" if text else facts.pop(0)
    return text, facts


class Remaining:
    """The time that the current stage will still take, if its total is known."""

    def __init__(self) -> None:
        self.stage: int | None = None
        self.seen: deque[tuple[float, int]] = deque()
        """Times and counts, the first so long ago as the rate is measured."""

    def of(self, stages: Sequence[Stage], now: float) -> str | None:
        """Return how long the innermost stage will go on, observed at a time in seconds; None if
        that is unknown, in particular as long as it has been observed less than `LEAST` seconds."""
        number, _, kind, count, total = stages[-1] if stages else (None, "", "", 0, None)
        if kind != "share" or not total:
            self.stage = None
            return None
        if number != self.stage:
            self.stage, self.begun = number, now
            self.seen.clear()
        self.seen.append((now, count))
        long = max(_RECENT, (now - self.begun) / 4)
        while len(self.seen) > 2 and now - self.seen[1][0] >= long:
            self.seen.popleft()
        since, before = self.seen[0]
        if now - self.begun < LEAST or count == before:
            return None
        return f"{_duration((total - count) * (now - since) / (count - before))} left"


def _duration(seconds: float) -> str:
    """Return a duration in words, no more precise than an estimate can be."""
    if seconds < 90:
        return f"{max(math.ceil(seconds), 1)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
