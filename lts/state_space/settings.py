"""Settings of an exploration: how it proceeds, its limits, and its goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from time import monotonic
from typing import SupportsFloat, SupportsIndex

import lts._engine as _engine
from lts.base.argument_types import expect, expect_limit
from lts.base.bounds import MEMORY, PAIRS, SUM_VALUES, TIME
from lts.errors import LimitReached, LtsError

__all__ = [
    "DEFAULT",
    "NO_GOALS",
    "NO_LIMITS",
    "OF_GROUPS",
    "SAMPLE",
    "STRATEGIES",
    "TAU_ALONE",
    "Goals",
    "Internal",
    "Limits",
    "Settings",
    "limit_errors",
    "more_than",
]

SAMPLE = 32
"""Default number of states in which a proof from the text is tested again."""

STRATEGIES = ("enumerate", "refine")
"""Strategies for choosing the representative of an orbit; each finds a unique one."""


class _Shown:
    """Base of dataclasses whose `repr` shows only fields that differ from their defaults."""

    __slots__ = ()

    def __repr__(self) -> str:
        own = [(field, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        said = [f"{field.name}={value!r}" for field, value in own if value != field.default]
        return f"{type(self).__name__}({', '.join(said)})"


@dataclass(frozen=True, slots=True, repr=False)
class Limits(_Shown):
    """Limits of a generation; None means no limit."""

    states: int | None = None
    values: int = SUM_VALUES.default
    """Most values of a sum in one state."""
    memory: int | None = None
    """Most bytes of anonymous memory of the whole process."""
    time: float | None = None
    """Most seconds."""
    until: float | None = None
    """The deadline by `time.monotonic`, if `time` has begun to run before the generation."""
    positions: int = PAIRS.default
    """Most pairs of a state and a subformula when a formula is checked; ignored otherwise."""

    def __post_init__(self) -> None:
        for name in ("states", "values", "memory", "positions"):
            if (most := getattr(self, name)) is not None:
                expect_limit(most, f"the limit on {name}")
        if self.time is not None:
            expect(self.time, (SupportsFloat, SupportsIndex), "the limit on time, in seconds,")
            if not float(self.time) >= 0:
                raise ValueError(f"the limit on time is 0 or more seconds, not {self.time}")

    @property
    def time_left(self) -> float | None:
        """The seconds left until the deadline."""
        return self.time if self.until is None else max(self.until - monotonic(), 1e-3)


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Settings(_Shown):
    """Settings of an exploration; the result is the same for any number of `threads`.

    `progress` is called a few times a second: with `Statistics` in a plain generation; under a
    group, with the number of orbits found and how many of them are explored. With `check`, a
    generation tests every value: it must be of its sort, a normal form, and if the specification is
    strict, built of constructors only.

    The other settings are for explorations under a group. `strategy` is one of `STRATEGIES`, by
    default the one that suits the group. `proof` says how permutations are proven to be symmetries;
    the default depends on the system. A proof from the text is tested again in `sample` states and
    a corresponding number of local situations. If a canonical image needs more than `node_limit`
    choices, it is approximate: several states of an orbit may then be explored, and are merged in
    the end.

    Raises `LtsError` for an unknown `strategy`.

    >>> Settings(threads=2, limits=Limits(states=1000))
    Settings(limits=Limits(states=1000), threads=2)
    """

    limits: Limits = NO_LIMITS
    threads: int = 1
    progress: Callable[..., object] | None = None
    check: bool = False
    strategy: str | None = None
    proof: str | None = None
    sample: int = SAMPLE
    node_limit: int | None = None

    def __post_init__(self) -> None:
        expect(self.limits, Limits, "Limits")
        expect_limit(self.threads, "the number of threads")
        expect_limit(self.sample, "the number of states in a sample")
        if self.node_limit is not None:
            expect_limit(self.node_limit, "the limit on choices")
        if self.strategy not in (None, *STRATEGIES):
            known = ", ".join(STRATEGIES)
            raise LtsError(f"unknown strategy `{self.strategy}` (known: {known})")

    @property
    def without_group(self) -> Settings:
        """These settings for an exploration without a group."""
        return Settings(
            limits=self.limits, threads=self.threads, progress=self.progress, check=self.check
        )

    def refuse(self, *names: str, what: str) -> None:
        """Raise `LtsError` if a setting or limit of these names is set, since `what` has none."""
        for holder in (self, self.limits):
            for field in fields(holder):
                if field.name in names and getattr(holder, field.name) != field.default:
                    raise LtsError(f"{what} has no `{field.name}`")


DEFAULT = Settings()

OF_GROUPS = ("strategy", "proof", "sample", "node_limit")
"""The settings that only apply to explorations under a group."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Goals(_Shown):
    """The goals of a search: deadlocks, and labels for which `find` is true (called once for each
    label).

    An exploration stops after `enough` finds. Raises `LtsError` if `enough` is given without a
    goal.
    """

    deadlocks: bool = False
    find: Callable[[str], bool] | None = None
    enough: int | None = None

    def __post_init__(self) -> None:
        if self.enough is not None:
            expect_limit(self.enough, "the number of finds that are enough")
            if not self.any:
                raise LtsError("`enough` needs a search: for deadlocks, or labels to find")

    @property
    def any(self) -> bool:
        """Whether there is anything to search for."""
        return self.deadlocks or self.find is not None


NO_GOALS = Goals()


@dataclass(frozen=True, slots=True, repr=False)
class Internal(_Shown):
    """The internal labels: these `labels`, and those whose action name is `hidden`."""

    labels: Iterable[str] = ("tau",)
    hidden: Iterable[str] = ()


TAU_ALONE = Internal()


def more_than(kind: str, bound: float) -> str:
    """Return in words that a limit of `time` or `memory` was exceeded.

    >>> more_than("memory", 5e8), more_than("time", 2.5)
    ('more than 500 MB of memory', 'more than 2.5 seconds')
    """
    return (MEMORY if kind == "memory" else TIME).exceeded(bound)


@contextmanager
def limit_errors(limits: Limits) -> Iterator[None]:
    """Turn the engine's error for an exceeded limit into the public `LimitReached`."""
    try:
        yield
    except _engine.LimitPassed as error:
        (kind,) = error.args
        bound = limits.time if kind == "time" else limits.memory
        assert bound is not None
        raise LimitReached(more_than(kind, bound), limit=bound, found={}) from None
