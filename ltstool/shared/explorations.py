"""State spaces written during exploration, and searches in them: `generate` and `compose`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, BinaryIO

from lts.base.escaping import one_line
from lts.base.spelling import near
from lts.errors import LtsError
from lts.formats.names import named
from lts.trace import trace_along, with_preimages
from ltstool import partitioned
from ltstool.options.applicability import refuse_two_results
from ltstool.options.request import is_parts
from ltstool.shared.files import is_standard, open_output, write_lts
from ltstool.shared.reading import hidden, remark_absent, remark_normal_forms
from ltstool.shared.shown import facts, plural
from ltstool.shared.streams import message
from ltstool.shared.traces import write_traces

if TYPE_CHECKING:
    from lts.source import Described
    from lts.state_space import Goals, Output
    from lts.state_space.generation import Generation, Statistics, Trace
    from lts.system.lts import LTS
    from ltstool.options.request import Request
    from ltstool.options.table import Search


@contextmanager
def beginning(request: Request) -> Iterator[None]:
    """With `--partial`, write a file with the initial state alone if a limit is exceeded before the
    engine starts."""
    try:
        yield
    except BaseException:
        if request.exploring.partial and request.watch.passed_at_start:
            _write_start(request)
        raise


def _write_start(request: Request) -> None:
    from aut_format import Writer

    kind = named(request.output or "-", reading=False)
    if kind.format.name == "aut":
        with _opened(request, packed=kind.packing is not None) as out, Writer(out) as file:
            file.state_count, file.transition_count, file.unfinished = 1, 0, True


def run(request: Request, described: Described, *, check: bool = False) -> int:
    """Explore, write, and report what was found."""
    from lts.source import source_of
    from lts.state_space.generation import refuse

    refuse_two_results(request)
    source = source_of(described)
    search_goals = goals(request, source.actions)
    with request.exploration(partial=request.exploring.partial) as settings:
        settings = replace(settings, check=check)
        if is_parts(request.output):
            found = partitioned.explore(request, described, settings, search_goals)
        else:
            found = _written(request, lambda output: source.explore(settings, search_goals, output))
    report(request, found)
    if found.incomplete == "interrupted":
        message("note", f"interrupted; {found.statistics.when_interrupted}")
        return 130
    if found.incomplete not in (None, "found"):
        refuse(source.process, found, settings.limits)
    if request.writes and found.incomplete == "found" and not request.exploring.partial:
        request.note(
            f"{request.output} is not written, since the search stopped early (--partial writes "
            "it anyway)"
        )
    return 1 if request.searches and not found.traces else 0


def goals(request: Request, actions: Collection[str]) -> Goals:
    """Return the goals of the search."""
    from lts.state_space.settings import Goals

    return Goals(
        deadlocks=request.search.deadlocks,
        find=matcher(request.search, actions),
        enough=request.search.traces if request.search.has_goals else None,
    )


def _written(request: Request, explore: Callable[[Output], Generation]) -> Generation:
    """Explore; the file is written if the exploration is complete, or with `--partial`."""
    from aut_format import Writer
    from lts.state_space.generation import COLUMNS, NOTHING, Output

    if request.search.divergence:
        found = explore(COLUMNS)
        assert found.lts is not None
        system = hidden(request, found.lts)
        found = replace(found, traces=(*found.traces, *divergences(request, found, system)))
        if request.writes and found.incomplete is None:
            write_lts(request, system, request.output)
        return found
    if not request.writes:
        return explore(NOTHING)
    name, partial = request.output, request.exploring.partial
    kind = named("-" if name is None else name, reading=False)
    if kind.format.name != "aut":
        if partial:
            raise LtsError(
                "--partial applies only to .aut files, which can be marked as unfinished"
            )
        found = explore(COLUMNS)
        if found.incomplete is None:
            assert found.lts is not None
            write_lts(request, hidden(request, found.lts), name)
        return found
    try:
        with _opened(request, packed=kind.packing is not None) as out, Writer(out) as file:
            found = explore(Output(write=file.add_text, hide=request.reading.hide))
            file.transition_count = found.statistics.transitions
            file.state_count = found.statistics.states
            file.unfinished = found.incomplete is not None
            if file.unfinished and not partial:
                raise _Unwritten
            file.visible = has_visible_i(request, found)
    except _Unwritten:
        pass
    return found


def divergences(request: Request, found: Generation, system: LTS) -> tuple[Trace, ...]:
    """Return traces to cycles of internal steps, no more than are still to be found; their labels
    are those that were generated."""
    from lts.state_space.generation import Trace
    from lts.system.divergence import internal_cycles

    assert found.lts is not None
    most = request.search.traces
    most = None if most is None else most - len(found.traces)
    return tuple(
        Trace(False, trace_along(found.lts, [*path, *cycle]), cycle=len(cycle))
        for path, cycle in internal_cycles(system, most)
    )


@contextmanager
def _opened(request: Request, *, packed: bool) -> Iterator[str | BinaryIO]:
    """Yield the destination of an .aut file: its path, if transitions can be written there as they
    are found."""
    out = request.output
    if out is None or is_standard(out):
        yield sys.stdout.buffer
    elif packed:
        with open_output(request, out, packed=True) as file:
            yield file
    else:
        yield out


class _Unwritten(Exception):
    """The file should not appear."""


def report(request: Request, found: Generation) -> None:
    """Print traces and, on request, the statistics; remark on how readers will take the file."""
    if request.writes and found.incomplete is None:
        if has_visible_i(request, found):
            request.warn("the action `i` is visible here, but other tools may read it as internal")
        remark_absent(request, found.labels)
    remark_normal_forms(request, found.normal_forms)
    if request.json and found.incomplete not in (None, "found"):
        write_traces(request, request.search.trace, [trace.steps for trace in found.traces])
    else:
        complete = found.incomplete is None
        numbers = asdict(found.statistics) | {"complete": complete}
        report_traces(request, found.traces, numbers, none=complete)
    if request.verbose:
        print(statistics_shown(found.statistics), file=sys.stderr)


def report_traces(
    request: Request, traces: Sequence[Trace], numbers: dict[str, Any], *, none: bool
) -> None:
    """Write traces to files on request, and print them, as JSON with more numbers. If the search is
    complete and there is `none`, say that."""
    names = write_traces(request, request.search.trace, [trace.steps for trace in traces])
    texts = [as_json(trace) for trace in traces]
    lines = [shown(trace) for trace in traces]
    if request.searches and none and not traces:
        lines = ["none found"]
    if request.json or lines:
        request.say(numbers | {"traces": texts, "files": names}, "\n".join(lines))


def has_visible_i(request: Request, found: Generation) -> bool:
    """Whether a reader would take the visible action `i` as internal."""
    from lts.base.label_names import without_hidden

    visible: set[str | None] = {*found.labels}
    if request.reading.hide:
        visible = set(map(without_hidden(request.reading.hide), found.labels))
    return "i" in visible and visible.isdisjoint(("tau", None))


def statistics_shown(statistics: Statistics) -> str:
    """Return lines about the cost of a generation."""
    each = statistics.store / statistics.states
    rate = statistics.states / statistics.time if statistics.time else 0
    share = 100 * statistics.rewriting / statistics.time if statistics.time else 0
    return facts(
        {
            "states": f"{statistics.states}, {statistics.explored} of them explored",
            "transitions": statistics.transitions,
            "levels": statistics.levels,
            "deadlocks": statistics.deadlocks,
            "time": f"{statistics.time:.2f} s, {rate:,.0f} states/s",
            "rewriting": f"{share:.0f}%, {statistics.evaluations} local steps",
            "state store": f"{statistics.store / 1e6:.1f} MB, {each:.1f} bytes a state",
            "step tables": f"{statistics.tables / 1e6:.1f} MB",
            "memory": f"{statistics.memory / 1e6:.1f} MB altogether",
        }
    )


def matcher(search: Search, actions: Collection[str]) -> Callable[[str], bool] | None:
    """Return the test whether a label is searched for; `actions` are the names of all actions."""
    if not search.find and not search.multiaction:
        return None
    from lts._engine import LabelPatterns
    from lts.base.label_names import action_names, encoded, normal

    named = [pattern.removesuffix("(...)") for pattern in search.find]
    named = [name for name in named if set("*?").isdisjoint(name)]
    for name in (*named, *search.multiaction):
        for part in action_names([name]):
            if part not in actions and part != "tau":
                raise LtsError(f"there is no action `{part}`{near(part, actions)}")
    names = LabelPatterns(encoded(search.find))
    exact = {*map(normal, search.multiaction)}

    def is_found(label: str) -> bool:
        return normal(label) in exact or names.matches(label.encode("utf-8", "surrogateescape"))

    return is_found


def as_json(trace: Trace) -> dict[str, Any]:
    """Return a trace as a JSON object."""
    found: dict[str, Any] = {"deadlock": trace.deadlock}
    if trace.cycle:
        found["cycle"] = trace.cycle
    found["steps"] = [[step.label, step.choice] for step in trace.steps]
    if trace.preimages is not None:
        found["preimages"] = [preimage.as_json() for preimage in trace.preimages]
    return found


def shown(trace: Trace) -> str:
    """Return a trace as text: its last state or step, and a label on each line, with the step of a
    representative that it is the image of, if that is another step."""
    steps = plural(len(trace.steps), "step")
    labels = [one_line(step.label) for step in trace.steps]
    first = f"deadlock after {steps}" if trace.deadlock else f"{labels[-1]}, {steps}"
    if trace.cycle:
        before = plural(len(labels) - trace.cycle, "step")
        first = f"divergence after {before}: a cycle of {plural(trace.cycle, 'internal step')}"
    lines = labels if trace.preimages is None else with_preimages(labels, trace.preimages)
    return "\n".join([first, *(f"  {line}" for line in lines)])
