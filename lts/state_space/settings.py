"""How an exploration goes on, how far it may go, and what it looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from time import monotonic

from lts import _engine
from lts.errors import LimitReached, LtsError

__all__ = [
    "DEFAULT",
    "MAX_POSITIONS",
    "MAX_VALUES",
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

MAX_VALUES = 1_000_000
"""Values that a sum may take in one state before generation stops."""

MAX_POSITIONS = 200_000_000
"""Pairs of a state and a part of a formula where a check stops."""

SAMPLE = 32
"""States in which a proof from the text is looked at again, unless told otherwise."""

STRATEGIES = ("enumerate", "refine")
"""How the representative of an orbit can be chosen; both find one for each orbit."""


class _Shown:
    """What is shown as what differs from the defaults."""

    __slots__ = ()

    def __repr__(self) -> str:
        own = [(field, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        said = [f"{field.name}={value!r}" for field, value in own if value != field.default]
        return f"{type(self).__name__}({', '.join(said)})"


@dataclass(frozen=True, slots=True, repr=False)
class Limits(_Shown):
    """How far a generation may go; None is no limit."""

    states: int | None = None
    values: int = MAX_VALUES
    """Values that a sum may take in one state."""
    memory: int | None = None
    """Bytes of anonymous memory of the whole process."""
    time: float | None = None
    """Seconds."""
    until: float | None = None
    """When `time` is over, by `time.monotonic`, where it has begun before the generation."""
    positions: int = MAX_POSITIONS
    """Pairs of a state and a part of a formula, where one is checked; nothing else has any."""

    @property
    def time_left(self) -> float | None:
        """Seconds from now on."""
        return self.time if self.until is None else max(self.until - monotonic(), 1e-3)


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Settings(_Shown):
    """How an exploration goes on; the result is the same for any number of `threads`.

    `progress` is called some times a second: where states are generated, with `Statistics`; under a
    group, with how many orbits were found and how many of them are explored. With `check` every
    value is looked at where a specification is generated: it has to be of its sort, a normal form,
    and if the specification is strict, made of constructors only.

    The rest is for explorations under a group. `strategy` is one of `STRATEGIES`, by default the
    one that suits the group. `proof` says how it is proven that permutations are symmetries, by
    default as suits what is explored; what it has shown from the text is compared all the same in
    `sample` states, and in as many local situations as suit that. A canonical image that takes more
    than `node_limit` choices is approximate: then several states of an orbit may be explored, and
    are joined in the end.

    Raises `LtsError` for a `strategy` that there is not.

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
        if self.strategy not in (None, *STRATEGIES):
            known = ", ".join(STRATEGIES)
            raise LtsError(f"there is no strategy `{self.strategy}` (known: {known})")

    def refuse(self, *names: str, what: str) -> None:
        """Raise `LtsError` for a setting or limit of these names that is said, since `what` has
        none."""
        for holder in (self, self.limits):
            for field in fields(holder):
                if field.name in names and getattr(holder, field.name) != field.default:
                    raise LtsError(f"{what} has no `{field.name}`")


DEFAULT = Settings()

OF_GROUPS = ("strategy", "proof", "sample", "node_limit")
"""The settings that are about a group."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Goals(_Shown):
    """What is looked for: deadlocks, and labels that `find` says yes to, which is asked once each.

    An exploration stops when there are `enough`. Raises `LtsError` if that is said, and nothing is
    looked for.
    """

    deadlocks: bool = False
    find: Callable[[str], bool] | None = None
    enough: int | None = None

    def __post_init__(self) -> None:
        if self.enough is not None and not self.any:
            raise LtsError("`enough` needs something to look for: deadlocks, or labels to find")

    @property
    def any(self) -> bool:
        """Whether there is something to look for."""
        return self.deadlocks or self.find is not None


NO_GOALS = Goals()


@dataclass(frozen=True, slots=True, repr=False)
class Internal(_Shown):
    """What is internal: these labels, and actions that are hidden, by name."""

    labels: Iterable[str] = ("tau",)
    hidden: Iterable[str] = ()


TAU_ALONE = Internal()


def more_than(kind: str, bound: float) -> str:
    """Return that a bound of `time` or `memory` was passed, in words.

    >>> more_than("memory", 5e8), more_than("time", 2.5)
    ('more than 500 MB of memory', 'more than 2.5 seconds')
    """
    shown = f"{bound / 1e6:.0f} MB of memory" if kind == "memory" else f"{bound:g} seconds"
    return f"more than {shown}"


@contextmanager
def limit_errors(limits: Limits) -> Iterator[None]:
    """Turn an error of the engine about a limit into the one that users see."""
    try:
        yield
    except _engine.LimitPassed as error:
        (kind,) = error.args
        bound = limits.time if kind == "time" else limits.memory
        assert bound is not None
        raise LimitReached(more_than(kind, bound), limit=bound, found={}) from None
