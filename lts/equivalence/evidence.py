"""Evidence of a difference between two systems: formulas and runs, as text and as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lts.system.lts import LTS
from lts.trace import format_trace, label_shown, labels_shown, trace_along

__all__ = ["Property", "Run", "describe_run", "run_as_json", "trace_text"]

SHOWN = 200
"""Most labels of a trace in a message."""

LONG = 2000
"""Most characters of a formula in a message."""


@dataclass(frozen=True, slots=True)
class Property:
    """A formula that holds initially in one system and not in the other.

    `<a>f` is a step `a` to a state where f holds; `tau` is the internal step. In `<r>f`, `.` is
    concatenation of steps, `*` repeats, and `f?` passes a state where f holds, so that
    `<tau*.a.tau*>` is a weak step. `<r>@` is an infinite repetition of r: `<tau>@` is a divergence.
    Labels other than names with arguments are quoted.

    `rows` (positions in the columns of the system that has the property) and `labels` are a run
    along the steps that the formula requires, as far as it requires one.
    """

    of_left: bool
    formula: str
    rows: tuple[int, ...]
    labels: tuple[str, ...]

    def describe(self, owner: str) -> str:
        """Describe the evidence in words; `owner` is the name of the system that has it."""
        if len(self.formula) <= LONG:
            return f"only {owner} has the property\n  {self.formula}"
        size = f"{len(self.formula)} characters, too long to be shown"
        steps = f"  {labels_shown(self.labels, SHOWN)}"
        return f"only {owner} has a property of {size}; a run along it begins\n{steps}"

    def as_json(self) -> dict[str, object]:
        """Return the evidence as a JSON object."""
        only = _side(self.of_left)
        return {"only": only, "formula": self.formula, "along": list(self.labels)}

    def file_text(self, owner: LTS) -> str:
        """Return the formula as a line of text."""
        return f"{self.formula}\n"


@dataclass(frozen=True, slots=True)
class Run:
    """A run of one system and an observation at its end; the other system has no such run.

    `rows` are positions in the columns of the system, `labels` their labels, `trace` the labels
    that are compared. If `refused` is not None, the last state refuses these labels; it is stable,
    unless the relation treats internal steps like any others. If `offered` is not None, the last
    state offers this label then. If `lacks` is not None, the last state has none of these traces.
    If `diverges`, the last state diverges. If none of these is set, the other system lacks the
    trace itself.
    """

    of_left: bool
    rows: tuple[int, ...]
    labels: tuple[str, ...]
    trace: tuple[str, ...]
    refused: tuple[str, ...] | None = None
    diverges: bool = False
    offered: str | None = None
    lacks: tuple[tuple[str, ...], ...] | None = None

    def describe(self, owner: str) -> str:
        """Describe the evidence in words; `owner` is the name of the system that has it."""
        if self.lacks is not None:
            return _describe_futures(owner, self.trace, self.lacks)
        return describe_run(owner, self.trace, self.refused, self.diverges, self.offered)

    def as_json(self) -> dict[str, object]:
        """Return the evidence as a JSON object."""
        shown = run_as_json(_side(self.of_left), self.trace, self.refused, self.diverges)
        lacks = None if self.lacks is None else [list(each) for each in self.lacks]
        return shown | {"offers": self.offered, "lacks": lacks}

    def file_text(self, owner: LTS) -> str:
        """Return the run as a trace file that `ltstool simulate` replays."""
        return trace_text(self, owner)


def trace_text(evidence: Property | Run, owner: LTS) -> str:
    """Return the run of the evidence as a trace file that `ltstool simulate` replays.

    `owner` is the system that has the run, or the same system before hiding.
    """
    return format_trace(trace_along(owner, evidence.rows))


def describe_run(
    owner: str,
    trace: Sequence[str],
    refused: Sequence[str] | None,
    diverges: bool,
    offered: str | None = None,
) -> str:
    """Describe a trace of `owner`, and the observation after it, in words."""
    shown = f"  {labels_shown(trace, SHOWN)}"
    if diverges:
        return f"only {owner} can diverge after the trace\n{shown}"
    if refused is None:
        return f"only {owner} has the trace\n{shown}"
    if not refused:
        offers = "" if offered is None else f" that offers {label_shown(offered)}"
        return f"only {owner} has a stable state{offers} after the trace\n{shown}"
    labels = ", ".join(map(label_shown, refused))
    offers = "" if offered is None else f"offer {label_shown(offered)} and "
    return f"only {owner} can {offers}refuse {{{labels}}} after the trace\n{shown}"


def _describe_futures(owner: str, trace: Sequence[str], lacks: Sequence[Sequence[str]]) -> str:
    after = labels_shown(trace, SHOWN)
    futures = "\n".join(f"  {labels_shown(future, SHOWN)}" for future in lacks)
    which = "without the trace" if len(lacks) == 1 else "with none of the traces"
    return f"only {owner} can be, after the trace\n  {after}\nin a state {which}\n{futures}"


def run_as_json(
    side: str, trace: Sequence[str], refused: Sequence[str] | None, diverges: bool
) -> dict[str, object]:
    """Return a trace of one side, and the observation after it, as a JSON object."""
    return {
        "only": side,
        "trace": list(trace),
        "refuses": None if refused is None else list(refused),
        "diverges": diverges,
    }


def _side(of_left: bool) -> str:
    return "left" if of_left else "right"
