"""The state space of a specification, breadth first."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn

import lts._engine as _engine
from lts.base.bounds import CALLS, LABELS, REWRITE_STEPS, STATES, SUM_VALUES
from lts.base.label_names import encoded, label_text
from lts.errors import LimitReached, LtsError, RewritingLimit, SpecificationError
from lts.linear.linearise import linearise
from lts.linear.process import LinearProcess
from lts.specification.label_terms import LabelTerms
from lts.specification.specification import Specification
from lts.state_space.encode import Encoder
from lts.state_space.local_labels import LocalLabels
from lts.state_space.settings import (
    DEFAULT,
    NO_GOALS,
    NO_LIMITS,
    OF_GROUPS,
    Goals,
    Limits,
    Settings,
    limit_errors,
    more_than,
)
from lts.system.lts import LTS
from lts.trace import Preimage, TraceStep

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
    "preimages_of",
    "refuse",
    "refuse_limit",
    "sum_shown",
    "traces_of",
    "whole",
]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a generation; sizes in bytes, times in seconds.

    `explored` states have all their transitions counted, `deadlocks` of them have none; `levels`
    counts the breadth-first levels begun, including that of the initial state. `store` is the
    memory of the states, `tables` that of the local steps; `evaluations` is the number of times
    that local steps were computed, `rewriting` the time that this took.
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
    """Anonymous memory of the whole process; 0 if the operating system does not report it."""

    def __str__(self) -> str:
        return f"{self.states} states and {self.transitions} transitions"

    @property
    def when_interrupted(self) -> str:
        """Describe in words the results before an interrupt."""
        return f"{self} were found" if self.transitions else "nothing was explored yet"


@dataclass(frozen=True, slots=True)
class Trace:
    """A shortest trace, to a deadlock, up to and including a step with a label searched for, or to
    a cycle of internal steps, in which the last `cycle` steps are one round of it.

    `preimages` says for each step which step of a representative it is the image of; None if single
    states were explored.
    """

    deadlock: bool
    steps: tuple[TraceStep, ...]
    preimages: tuple[Preimage, ...] | None = None
    cycle: int = 0


@dataclass(frozen=True, slots=True)
class Generation:
    """The result of a generation.

    `incomplete` is None, or the reason why it stopped: `states`, `values`, `labels`, `calls`,
    `memory`, `time`, `interrupted`, or `found` if enough traces were found. `labels` are those of
    the transitions, possibly with some of local steps that occur in no reachable state. `lts` is
    present if columns were requested. `normal_forms` has one application for each function that was
    applied to values that none of its equations matches. `remark` returns more about a
    limit, for its message.
    """

    statistics: Statistics
    incomplete: str | None
    labels: Collection[str]
    traces: tuple[Trace, ...]
    lts: LTS | None
    limit_summand: int | None = None
    normal_forms: tuple[str, ...] = ()
    remark: Callable[[], str] = str


def generate(
    process: Specification | LinearProcess,
    *,
    max_states: int | None = None,
    max_values: int = SUM_VALUES.default,
    threads: int = 1,
    check: bool = False,
) -> LTS:
    """Return the labelled transition system of a specification or linear process.

    States are numbered breadth first from 0; labels are `name(arg,arg)`. The result is the same for
    any number of `threads`. With `check`, every value is tested: it must be of its sort, a normal
    form, and if the specification is strict, built of constructors only.

    Raises `LimitReached` with what was found if there are more than `max_states` states or a sum
    has more than `max_values` values; `SpecificationError` for a condition that is neither `T` nor
    `F` and, if the specification is strict, for a term that does not reduce to a value.
    """
    if isinstance(process, LinearProcess):
        linear = process
    else:
        linear = linearise(process, simultaneous=True)
    settings = Settings(limits=Limits(max_states, max_values), threads=threads, check=check)
    return whole(explore(linear, settings), settings, linear)


@dataclass(frozen=True, slots=True)
class Output:
    """What to do with the transitions.

    If `write` is given, it receives them in order as blocks of lines of an Aldebaran file, in which
    actions and labels of `hide` are `tau`, and they are not stored; otherwise `columns` says
    whether they are stored. Raises `LtsError` for `hide` without `write`: hide labels in the `LTS`
    instead.
    """

    columns: bool = True
    write: Callable[[bytes], object] | None = None
    hide: Iterable[str] = ()

    def __post_init__(self) -> None:
        if self.write is None and self.hide:
            raise LtsError("`hide` needs `write`: labels are hidden only in the output")


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
    """Explore a linear process; return what was found, even if a limit stopped the exploration.

    `limits` may be given instead of settings that contain some. `engine` is the encoded process, if
    the caller has it already. The result has shortest traces to the `goals`: one for each deadlock
    and one for each label.

    Raises `SpecificationError` like `generate`, `LtsError` for settings that only apply to groups,
    and whatever the callables raise. An interrupt ends the generation, and the result says so.
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
        found = explore_engine(engine, settings, goals, output)
    if found.lts is not None:
        specification, functions = process.specification, encoder.symbols.keys()
        labels = found.lts.labels
        found.lts._origin = LabelTerms(specification, functions, engine, labels)
    return found


def explore_engine(
    engine: _engine.Process, settings: Settings, goals: Goals, output: Output
) -> Generation:
    """Explore a process in the engine, like `explore`, but raise the engine's own exceptions."""
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


def traces_of(
    found: Iterable[_engine.ShownTrace], written: Callable[[Sequence[int]], str] | None = None
) -> tuple[Trace, ...]:
    """Convert the traces returned by the engine; with `written`, the text of an element of a group,
    those that were found on orbits."""
    return tuple(
        Trace(
            deadlock,
            tuple(TraceStep(label_text(label), choice) for label, choice in steps),
            None if written is None else preimages_of(preimages, written),
        )
        for deadlock, steps, preimages in found
    )


def preimages_of(
    found: Iterable[_engine.ShownPreimage], written: Callable[[Sequence[int]], str]
) -> tuple[Preimage, ...]:
    """Convert the preimages of the steps of a run; `written` returns the text of an element."""
    texts: dict[tuple[int, ...], str] = {}

    def text(images: Sequence[int]) -> str:
        key = tuple(images)
        if key not in texts:
            texts[key] = written(key)
        return texts[key]

    return tuple(Preimage(text(images), label_text(label)) for label, images in found)


def normal_forms(engine: _engine.Process) -> tuple[str, ...]:
    """Return one application for each function that was applied to values no equation matches."""
    return tuple(label_text(shown) for _, shown in engine.normal_forms())


def whole(found: Generation, settings: Settings, process: LinearProcess | None = None) -> LTS:
    """Return the complete state space, or raise as `refuse` does if it is incomplete."""
    if found.incomplete is not None:
        refuse(process, found, settings.limits)
    assert found.lts is not None
    return found.lts


def refuse(process: LinearProcess | None, found: Generation, limits: Limits) -> NoReturn:
    """Raise the error for an incomplete generation: `LimitReached`, or `KeyboardInterrupt`.

    `process` is None for a network, which has no summands to point at.
    """
    statistics = found.statistics
    sizes = {"states": statistics.states, "transitions": statistics.transitions}
    sizes |= {"levels": statistics.levels, "deadlocks": statistics.deadlocks}
    if found.incomplete == "interrupted":
        raise KeyboardInterrupt
    assert found.incomplete is not None
    refuse_limit(process, found.incomplete, found.limit_summand, sizes, limits, found.remark())


def refuse_limit(
    process: LinearProcess | None,
    kind: str,
    summand: int | None,
    sizes: dict[str, int],
    limits: Limits,
    remark: str = "",
) -> NoReturn:
    """Raise `LimitReached` for a limit of this kind, with the numbers found so far, and a remark
    if the caller has one."""
    counted, *_ = sizes
    shown = " and ".join([f"{number} {name}" for name, number in sizes.items()][:2])
    match kind:
        case "labels":
            assert process is not None
            limit: float = LABELS.default
            message = _labels_shown(process, summand, LABELS.default)
        case "calls":
            assert process is not None
            assert summand is not None
            limit = CALLS.default
            message = _calls_shown(process, summand, CALLS.default)
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
            # If no limit was set, the state numbers have run out.
            limit = STATES.default if limits.states is None else limits.states
            message = STATES.exceeded(limit, counted)
        case _:
            raise AssertionError(kind)
    # An exploration has its first state before it begins.
    if kind in ("memory", "time") and [*sizes.values()][1:2] == [0]:
        message += ", before anything was explored"
    else:
        message += f"; {shown} were found"
    raise LimitReached(message + remark, limit=limit, found=sizes)


@contextmanager
def evaluation_errors(process: LinearProcess, limits: Limits = NO_LIMITS) -> Iterator[None]:
    """Turn errors of the engine into errors that point at the summand in the text."""
    try:
        with limit_errors(limits):
            yield
    except _engine.EvaluationError as error:
        message, summand = error.args
        if isinstance(error, _engine.StepLimit):
            where = "" if summand is None else f"{_where(process, summand)}: "
            limit = REWRITE_STEPS.default
            raise RewritingLimit(f"{where}{message}", limit=limit, found={}) from None
        message = re.sub(
            r"parameter #(\d+)",
            lambda match: f"`{process.parameters[int(match[1])].variable}`",
            message,
        )
        source = process.specification.source
        if summand is None:
            raise SpecificationError(message, file=source.file) from None
        known = process.numbered(summand)
        assert known is not None, "terms belong to one summand"
        raise source.error(SpecificationError, message, known.places[0]) from None
    except _engine.LabelLimit as error:
        most, summand = error.args
        message = _labels_shown(process, summand, most)
        raise LimitReached(message, limit=most, found={}) from None
    except _engine.CallLimit as error:
        most, summand = error.args
        raise LimitReached(_calls_shown(process, summand, most), limit=most, found={}) from None


def _calls_shown(process: LinearProcess, summand: int, most: int) -> str:
    return (
        f"{_where(process, summand)}: {CALLS.exceeded(most)} after "
        f"{_named(process, summand)}: the recursion is infinite; a process that repeats forever "
        "must be called last"
    )


def _labels_shown(process: LinearProcess, summand: int | None, most: int) -> str:
    where = "" if summand is None else f"{_where(process, summand)}: "
    what = "labels" if summand is None else f"labels of {_named(process, summand)}"
    return f"{where}{what} take {LABELS.exceeded(most)}: their data grow without bound"


def _where(process: LinearProcess, number: int) -> str:
    """Return the file, line and column of a summand, or the file of steps of several processes."""
    summand = process.numbered(number)
    if summand is None:
        return process.specification.source.file or "text"
    line, column = summand.places[0]
    origin = process.specification.source.origin(line)
    return f"{origin.file or 'text'}:{origin.line}:{column}"


def _named(process: LinearProcess, number: int) -> str:
    """Return the action of a summand, with the sum variables that it depends on."""
    summand = process.numbered(number)
    assert summand is not None, "terms belong to one summand"
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in summand.variables)
    over = f" in a sum over {names}" if names else ""
    return f"`{summand.action or 'tau'}`{over}"


def sum_shown(process: LinearProcess, number: int, max_values: int) -> str:
    """Return a message: the sum of a summand has too many values, with its place."""
    summand = process.numbered(number)
    if summand is None:
        what = "the steps of several processes at once have"
    else:
        names = ", ".join(f"`{v.name}:{v.sort}`" for v in summand.variables)
        what = f"a sum over {names} has"
    return f"{_where(process, number)}: {what} {SUM_VALUES.exceeded(max_values)} in one state"


def _statistics(statistics: _engine.Statistics) -> Statistics:
    names = Statistics.__slots__
    return Statistics(**{name: getattr(statistics, name) for name in names})
