"""`generate` and `compose` with `--symmetry`: explore one state of each orbit, and write or
search."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ltstool.options import table
from ltstool.shared.explorations import goals, report_traces
from ltstool.shared.reading import remark_normal_forms, source
from ltstool.shared.shown import facts

if TYPE_CHECKING:
    from ltstool.options.request import Request

OF_QUOTIENTS: dict[tuple[str, ...], str] = {
    (
        "hide",
        "symmetry",
    ): "cannot be combined with --symmetry: hide labels when the reduction is minimised",
    ("check", "symmetry"): "checks all states: leave out --symmetry",
    (
        "partial",
        "symmetry",
    ): "would write an incomplete quotient, which proves nothing: leave out --partial",
    (
        "output",
        "symmetry",
        "search",
    ): "applies to transitions, and a search under a symmetry writes none: leave out -o",
    ("json", "quotient"): f"writes the result of a search: add {table.as_flags(table.ON_THE_FLY)}",
}
"""Options that cannot be combined with `--symmetry`."""


def run(request: Request) -> int:
    """Explore the quotient, and write its encoding or report what was found."""
    from lts.source import source_of
    from ltstool.symmetric import explored
    from ltstool.symmetric.reductions import encode, symmetry_output, write

    symmetry_out = None if request.searches else symmetry_output(request)
    of = source(request, request.reading.file)
    assert of is not None
    if symmetry_out is None:
        found = explored.orbits(request, of, goals=goals(request, source_of(of).actions))
        remark_normal_forms(request, found.normal_forms)
        names = ("orbits", "steps", "states", "transitions", "deadlocks", "order", "complete")
        numbers = {name: getattr(found, name) for name in names} | {"proof": found.known.kind}
        report_traces(request, found.traces, numbers, none=found.complete)
    else:
        whole = explored.quotient(request, of)
        assert whole.explored is not None
        found = whole.explored
        remark_normal_forms(request, found.normal_forms)
        write(request, encode(request, whole), symmetry_out, whole.group)
    if request.verbose:
        shown = {
            "group": found.known,
            "orbits": found.orbits,
            "states": found.states,
            "transitions": found.transitions,
            "deadlocks": found.deadlocks,
            "orbit store": f"{found.store / 1e6:.1f} MB",
        }
        print(facts(shown), file=sys.stderr)
    return 1 if request.searches and not found.traces else 0
