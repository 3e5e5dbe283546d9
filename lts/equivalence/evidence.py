"""What one system has and another has not: formulas and runs, as text and as files."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lts.system import LTS

__all__ = ["Property", "Run"]


@dataclass(frozen=True, slots=True)
class Property:
    """A formula that holds initially in one system and not in the other.

    `<a>f` is a step `a` to a state where f holds; `tau` is the internal step. In `<r>f`, `.` puts
    steps one after the other, `*` repeats, and `f?` passes a state where f holds, so that
    `<tau*.a.tau*>` is a weak step. `<r>@` does r forever: `<tau>@` is a divergence. Other labels
    than names with arguments stand in quotation marks.
    """

    of_left: bool
    formula: str

    def describe(self, owner: str) -> str:
        """Return the evidence in words; `owner` is what the system that has it is called."""
        return f"only {owner} has the property\n  {self.formula}"

    def as_json(self) -> dict[str, object]:
        """Return what JSON can hold of it."""
        return {"only": _side(self.of_left), "formula": self.formula}

    def file_text(self, owner: LTS) -> str:
        """Return the formula as a line of text."""
        return f"{self.formula}\n"


@dataclass(frozen=True, slots=True)
class Run:
    """A run of one system, and what it does then; the other system has no such run.

    `rows` are places in the columns of the system, `labels` their labels, `trace` those that are
    compared. After that a stable state refuses `refused`, if that is not None; or internal steps go
    on forever, if `diverges`; else it is the trace itself that the other system lacks.
    """

    of_left: bool
    rows: tuple[int, ...]
    labels: tuple[str, ...]
    trace: tuple[str, ...]
    refused: tuple[str, ...] | None = None
    diverges: bool = False

    def describe(self, owner: str) -> str:
        """Return the evidence in words; `owner` is what the system that has it is called."""
        shown = "  " + (" ".join(map(_shown, self.trace)) or "(the empty trace)")
        if self.diverges:
            return f"only {owner} can do internal steps forever after the trace\n{shown}"
        if self.refused is None:
            return f"only {owner} has the trace\n{shown}"
        if not self.refused:
            return f"only {owner} has a stable state after the trace\n{shown}"
        refused = ", ".join(map(_shown, self.refused))
        return f"only {owner} can refuse {{{refused}}} after the trace\n{shown}"

    def as_json(self) -> dict[str, object]:
        """Return what JSON can hold of it."""
        return {
            "only": _side(self.of_left),
            "trace": list(self.trace),
            "refuses": None if self.refused is None else list(self.refused),
            "diverges": self.diverges,
        }

    def file_text(self, owner: LTS) -> str:
        """Return the run as a trace file, which `ltstool simulate` replays."""
        from lts.trace import format_trace, trace_along

        return format_trace(trace_along(owner, self.rows))


def _side(of_left: bool) -> str:
    return "left" if of_left else "right"


def _shown(label: str) -> str:
    plain = label and not any(c.isspace() or c in ',{}"' for c in label.partition("(")[0])
    return label if plain and " " not in label else json.dumps(label, ensure_ascii=False)
