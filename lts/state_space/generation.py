"""The state space of a specification, breadth first."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import NoReturn

from lts import _engine
from lts.errors import LimitReached, SpecificationError
from lts.linear.linearise import linearise
from lts.linear.process import LinearProcess
from lts.names import label_text
from lts.specification.specification import Specification
from lts.state_space.encode import Encoder
from lts.state_space.local_labels import LocalLabels
from lts.system import LTS, several
from lts.trace import TraceStep

__all__ = [
    "MAX_VALUES",
    "NO_LIMITS",
    "Generation",
    "Limits",
    "Statistics",
    "Trace",
    "evaluation_errors",
    "explore",
    "explore_engine",
    "generate",
    "normal_forms",
    "refuse",
    "refuse_limit",
    "refuse_network",
    "sum_shown",
]

MAX_VALUES = 1_000_000
"""Values that a sum may take in one state before generation stops."""


@dataclass(frozen=True, slots=True)
class Limits:
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

    @property
    def time_left(self) -> float | None:
        """Seconds from now on."""
        return self.time if self.until is None else max(self.until - monotonic(), 1e-3)


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a generation has seen; sizes in bytes, times in seconds.

    `explored` states have all their transitions counted, `deadlocks` of them have none; `levels`
    were begun, the initial state being the first. `store` is the memory of the states, `tables`
    that of the local steps, computed in `evaluations` by `rewriting` for so long.
    """

    states: int
    explored: int
    transitions: int
    levels: int
    deadlocks: int
    store: int
    tables: int
    evaluations: int
    rewriting: float
    time: float
    memory: int
    """Anonymous memory of the whole process, 0 if the system does not tell."""

    def __str__(self) -> str:
        return f"{self.states} states and {self.transitions} transitions"


@dataclass(frozen=True, slots=True)
class Trace:
    """A shortest trace: to a deadlock, or to a step that was looked for, which is its last."""

    deadlock: bool
    steps: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class Generation:
    """What a generation found.

    `incomplete` is None, or says what stopped it: `states`, `values`, `labels`, `calls`, `memory`,
    `time`, `interrupted`, or `found` where enough traces were. `labels` are those of the
    transitions, and maybe some of local steps that no state has. `lts` is there if columns were
    asked for. `normal_forms` has, of each function that no equation fits in some value, one such
    application.
    """

    statistics: Statistics
    incomplete: str | None
    labels: Collection[str]
    traces: tuple[Trace, ...]
    lts: LTS | None
    limit_summand: int | None = None
    normal_forms: tuple[str, ...] = ()


def generate(
    process: Specification | LinearProcess,
    *,
    max_states: int | None = None,
    max_values: int = MAX_VALUES,
    threads: int = 1,
    check: bool = False,
) -> LTS:
    """Return the labelled transition system of a specification or linear process.

    States are numbered breadth first from 0; labels are `name(arg,arg)`. The result is the same for
    any number of `threads`. Raises `LimitReached` with what was found if there are more than
    `max_states` states or a sum has more than `max_values` values, `SpecificationError` for a
    condition that is neither `T` nor `F`, and if the specification is strict, for a term that does
    not reduce to a value. With `check` every value is looked at: it has to be of its sort, a normal
    form, and if the specification is strict, made of constructors only.
    """
    linear = process if isinstance(process, LinearProcess) else linearise(process)
    limits = Limits(max_states, max_values)
    found = explore(linear, limits=limits, threads=threads, check=check)
    if found.incomplete is not None:
        refuse(linear, found, limits)
    assert found.lts is not None
    return found.lts


def explore(
    process: LinearProcess,
    *,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    check: bool = False,
    columns: bool = True,
    write: Callable[[bytes], object] | None = None,
    hide: Iterable[str] = (),
    progress: Callable[[Statistics], object] | None = None,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
    engine: _engine.Process | None = None,
) -> Generation:
    """Explore a linear process and return what was found, also where a limit stopped it.

    `engine` is the process in the engine, if it is there already.

    With `write` the transitions are handed over as the lines of an Aldebaran file, in blocks and in
    order, actions and labels of `hide` as `tau`, and are not kept; otherwise `columns` says whether
    they are. `progress` gets the statistics some times a second. With `deadlocks`, and for labels
    that `find` says yes to, shortest traces are collected, one for each such state and one for each
    such label; the generation stops when there are `enough`. `find` is asked once for each label.

    Raises `SpecificationError` where `generate` does, and what the callables raise. An interrupt
    ends the generation and is told by the result.
    """

    with evaluation_errors(process, limits):
        encoder = Encoder(process)
        engine = encoder.linear_process() if engine is None else engine
        if check:
            unset = process.unset.values()
            engine.check_values([encoder.symbols[term.function] for term in unset])
        return explore_engine(
            engine,
            limits=limits,
            threads=threads,
            columns=columns,
            write=write,
            hide=hide,
            progress=progress,
            deadlocks=deadlocks,
            find=find,
            enough=enough,
        )


def explore_engine(
    engine: _engine.Process,
    *,
    limits: Limits,
    threads: int,
    columns: bool,
    write: Callable[[bytes], object] | None,
    hide: Iterable[str],
    progress: Callable[[Statistics], object] | None,
    deadlocks: bool,
    find: Callable[[str], bool] | None,
    enough: int | None,
) -> Generation:
    """Explore a process in the engine, as `explore` does; errors are those of the engine."""

    def is_wanted(label: bytes) -> bool:
        assert find is not None
        return find(label_text(label))

    def tell(statistics: _engine.Statistics) -> None:
        assert progress is not None
        progress(_account(statistics))

    found = engine.generate(
        limits.states,
        limits.values,
        max_memory=limits.memory,
        timeout=limits.time_left,
        threads=threads,
        columns=columns,
        write=write,
        hidden=[name.encode("utf-8", "surrogateescape") for name in several(hide)],
        progress=None if progress is None else tell,
        deadlocks=deadlocks,
        is_wanted=None if find is None else is_wanted,
        enough=enough,
    )
    return Generation(
        statistics=_account(found.statistics),
        incomplete=found.incomplete,
        labels=LocalLabels(engine),
        traces=tuple(
            Trace(deadlock, tuple(TraceStep(label_text(label), choice) for label, choice in steps))
            for deadlock, steps in found.traces
        ),
        lts=None if found.lts is None else LTS(found.lts),
        limit_summand=found.limit_summand,
        normal_forms=normal_forms(engine),
    )


def normal_forms(engine: _engine.Process) -> tuple[str, ...]:
    """Return, of each function that no equation fits in some value met, one such application."""
    return tuple(label_text(shown) for _, shown in engine.normal_forms())


def refuse_network(found: Generation, limits: Limits) -> NoReturn:
    """Raise what `refuse` does, for a network: states, memory and time are limited."""
    refuse(None, found, limits)


def refuse(process: LinearProcess | None, found: Generation, limits: Limits) -> NoReturn:
    """Raise what an incomplete generation comes to: `LimitReached`, or `KeyboardInterrupt`."""
    statistics = found.statistics
    sizes = {"states": statistics.states, "transitions": statistics.transitions}
    sizes |= {"levels": statistics.levels, "deadlocks": statistics.deadlocks}
    if found.incomplete == "interrupted":
        raise KeyboardInterrupt
    assert found.incomplete is not None
    refuse_limit(process, found.incomplete, found.limit_summand, sizes, limits)


def refuse_limit(
    process: LinearProcess | None,
    kind: str,
    summand: int | None,
    sizes: dict[str, int],
    limits: Limits,
) -> NoReturn:
    """Raise `LimitReached` for a limit of this kind, with what was found."""
    counted, *_ = sizes
    shown = " and ".join([f"{number} {name}" for name, number in sizes.items()][:2])
    match kind:
        case "labels":
            assert process is not None
            limit: float = _engine.MAX_LABELS
            message = _labels_shown(process, summand, _engine.MAX_LABELS)
        case "calls":
            assert process is not None
            assert summand is not None
            limit = _engine.MAX_CALLS
            message = _calls_shown(process, summand, _engine.MAX_CALLS)
        case "memory":
            assert limits.memory is not None
            limit = limits.memory
            message = f"more than {limits.memory / 1e6:.0f} MB of memory"
        case "time":
            assert limits.time is not None
            limit = limits.time
            message = f"more than {limits.time:g} seconds"
        case "values":
            assert process is not None
            assert summand is not None
            limit = limits.values
            message = sum_shown(process, summand, limits.values)
        case "states":
            # Without a limit they are more than can be numbered.
            limit = 2**32 - 2 if limits.states is None else limits.states
            message = f"more than {limit} {counted}"
        case _:
            raise AssertionError(kind)
    raise LimitReached(f"{message}; {shown} were found", limit=limit, found=sizes)


@contextmanager
def evaluation_errors(process: LinearProcess, limits: Limits = NO_LIMITS) -> Iterator[None]:
    """Turn an error of the engine into one that points at the summand's text."""
    try:
        yield
    except _engine.EvaluationError as error:
        message, summand = error.args
        message = re.sub(
            r"parameter #(\d+)",
            lambda match: f"`{process.parameters[int(match[1])].variable}`",
            message,
        )
        source = process.specification.source
        if summand is None:
            raise SpecificationError(message, file=source.file) from None
        place = process.asked(summand).places[0]
        raise source.error(SpecificationError, message, place) from None
    except _engine.LabelLimit as error:
        most, summand = error.args
        message = _labels_shown(process, summand, most)
        raise LimitReached(message, limit=most, found={}) from None
    except _engine.LimitPassed as error:
        kind, bound = error.args
        bound = (limits.time if kind == "time" else limits.memory) or bound
        shown = f"{bound / 1e6:.0f} MB of memory" if kind == "memory" else f"{bound:g} seconds"
        raise LimitReached(f"more than {shown}", limit=bound, found={}) from None
    except _engine.CallLimit as error:
        most, summand = error.args
        raise LimitReached(_calls_shown(process, summand, most), limit=most, found={}) from None


def _calls_shown(process: LinearProcess, summand: int, most: int) -> str:
    return (
        f"{_where(process, summand)}: more than {most} calls wait after {_named(process, summand)}"
        ": the recursion has no end; what is to be repeated for ever must be called last"
    )


def _labels_shown(process: LinearProcess, summand: int | None, most: int) -> str:
    where = "" if summand is None else f"{_where(process, summand)}: "
    what = "labels" if summand is None else f"labels of {_named(process, summand)}"
    return f"{where}{what} take more than {most >> 20} MB: their data grow without bound"


def _where(process: LinearProcess, number: int) -> str:
    """Return file, line and column of a summand."""
    line, column = process.asked(number).places[0]
    origin = process.specification.source.origin(line)
    return f"{origin.file or 'text'}:{origin.line}:{column}"


def _named(process: LinearProcess, number: int) -> str:
    """Return the action of a summand, with the variables it is a sum over."""
    summand = process.asked(number)
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in summand.variables)
    over = f" in a sum over {names}" if names else ""
    return f"`{summand.action or 'tau'}`{over}"


def sum_shown(process: LinearProcess, number: int, max_values: int) -> str:
    """Return, in words, that the sum of a summand has too many values, and where it stands."""
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in process.asked(number).variables)
    return (
        f"{_where(process, number)}: a sum over {names} has more than {max_values} values to try "
        "in one state"
    )


def _account(statistics: _engine.Statistics) -> Statistics:
    names = Statistics.__slots__
    return Statistics(**{name: getattr(statistics, name) for name in names})
