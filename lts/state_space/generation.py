"""The state space of a specification, breadth first."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn

from lts import _engine
from lts.errors import LimitReached, LtsError, SpecificationError
from lts.linear.linearise import linearise
from lts.linear.process import LinearProcess
from lts.names import encoded, label_text
from lts.specification.specification import Specification
from lts.state_space.encode import Encoder
from lts.state_space.local_labels import LocalLabels
from lts.state_space.settings import (
    DEFAULT,
    MAX_VALUES,
    NO_GOALS,
    NO_LIMITS,
    OF_GROUPS,
    Goals,
    Limits,
    Settings,
    limit_errors,
    more_than,
)
from lts.system import LTS
from lts.trace import TraceStep

__all__ = [
    "COLUMNS",
    "NOTHING",
    "Generation",
    "Output",
    "Statistics",
    "Trace",
    "evaluation_errors",
    "explore",
    "explore_engine",
    "generate",
    "normal_forms",
    "refuse",
    "refuse_limit",
    "sum_shown",
    "traces_of",
    "whole",
]


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
    settings = Settings(limits=Limits(max_states, max_values), threads=threads, check=check)
    return whole(explore(linear, settings), settings, linear)


@dataclass(frozen=True, slots=True)
class Output:
    """What becomes of the transitions.

    With `write` they are handed over as the lines of an Aldebaran file, in blocks and in order,
    actions and labels of `hide` as `tau`, and are not kept; otherwise `columns` says whether they
    are. Raises `LtsError` for `hide` where nothing is written: an `LTS` has a method for it.
    """

    columns: bool = True
    write: Callable[[bytes], object] | None = None
    hide: Iterable[str] = ()

    def __post_init__(self) -> None:
        if self.write is None and self.hide:
            raise LtsError("labels are hidden in what is written: `hide` needs `write`")


COLUMNS = Output()
NOTHING = Output(columns=False)


def explore(
    process: LinearProcess,
    settings: Settings = DEFAULT,
    goals: Goals = NO_GOALS,
    *,
    output: Output = COLUMNS,
    limits: Limits | None = None,
    engine: _engine.Process | None = None,
) -> Generation:
    """Explore a linear process and return what was found, also where a limit stopped it.

    `limits` may be said alone, in place of settings that have some. `engine` is the process in the
    engine, if it is there already. Shortest traces lead to the `goals`, one to each state and one
    to each label.

    Raises `SpecificationError` where `generate` does, `LtsError` for settings that are about a
    group, and what the callables raise. An interrupt ends the generation and is told by the result.
    """
    if limits is not None:
        settings.refuse("limits", what="an exploration whose limits are said alone")
        settings = replace(settings, limits=limits)
    with evaluation_errors(process, settings.limits):
        encoder = Encoder(process)
        engine = encoder.linear_process() if engine is None else engine
        if settings.check:
            unset = process.unset.values()
            engine.check_values([encoder.symbols[term.function] for term in unset])
        return explore_engine(engine, settings, goals, output)


def explore_engine(
    engine: _engine.Process, settings: Settings, goals: Goals, output: Output
) -> Generation:
    """Explore a process in the engine, as `explore` does; errors are those of the engine."""
    settings.refuse(*OF_GROUPS, "positions", what="an exploration without a group")
    if progress := settings.progress:
        settings = replace(settings, progress=lambda found: progress(_statistics(found)))
    hidden = encoded(output.hide)
    found = engine.generate(settings, goals, output.columns, output.write, hidden)
    return Generation(
        statistics=_statistics(found.statistics),
        incomplete=found.incomplete,
        labels=LocalLabels(engine),
        traces=traces_of(found.traces),
        lts=None if found.lts is None else LTS(found.lts),
        limit_summand=found.limit_summand,
        normal_forms=normal_forms(engine),
    )


def traces_of(found: Iterable[tuple[bool, list[tuple[bytes, int]]]]) -> tuple[Trace, ...]:
    """Return traces as the engine tells them."""
    return tuple(
        Trace(deadlock, tuple(TraceStep(label_text(label), choice) for label, choice in steps))
        for deadlock, steps in found
    )


def normal_forms(engine: _engine.Process) -> tuple[str, ...]:
    """Return, of each function that no equation fits in some value met, one such application."""
    return tuple(label_text(shown) for _, shown in engine.normal_forms())


def whole(found: Generation, settings: Settings, process: LinearProcess | None = None) -> LTS:
    """Return all of a state space; raise what `refuse` does if it is not there."""
    if found.incomplete is not None:
        refuse(process, found, settings.limits)
    assert found.lts is not None
    return found.lts


def refuse(process: LinearProcess | None, found: Generation, limits: Limits) -> NoReturn:
    """Raise what an incomplete generation comes to: `LimitReached`, or `KeyboardInterrupt`.

    A network, which has no summands, is no process.
    """
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
        case "memory" | "time":
            bound = limits.memory if kind == "memory" else limits.time
            assert bound is not None
            limit = bound
            message = more_than(kind, bound)
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
        with limit_errors(limits):
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
        place = process.numbered(summand).places[0]
        raise source.error(SpecificationError, message, place) from None
    except _engine.LabelLimit as error:
        most, summand = error.args
        message = _labels_shown(process, summand, most)
        raise LimitReached(message, limit=most, found={}) from None
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
    line, column = process.numbered(number).places[0]
    origin = process.specification.source.origin(line)
    return f"{origin.file or 'text'}:{origin.line}:{column}"


def _named(process: LinearProcess, number: int) -> str:
    """Return the action of a summand, with the variables it is a sum over."""
    summand = process.numbered(number)
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in summand.variables)
    over = f" in a sum over {names}" if names else ""
    return f"`{summand.action or 'tau'}`{over}"


def sum_shown(process: LinearProcess, number: int, max_values: int) -> str:
    """Return, in words, that the sum of a summand has too many values, and where it stands."""
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in process.numbered(number).variables)
    return (
        f"{_where(process, number)}: a sum over {names} has more than {max_values} values to try "
        "in one state"
    )


def _statistics(statistics: _engine.Statistics) -> Statistics:
    names = Statistics.__slots__
    return Statistics(**{name: getattr(statistics, name) for name in names})
