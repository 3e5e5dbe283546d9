"""`ltstool info`: print an overview of an LTS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lts.base.label_names import label_text
from lts.errors import LtsError
from lts.system.lts import LTS
from lts.trace import labels_shown
from ltstool.options.request import Request, Takes
from ltstool.options.table import ALL, FILES, NET, STATE_SPACE, SYMMETRY, option
from ltstool.shared import shown
from ltstool.shared.numbers import number_or_all
from ltstool.shared.reading import hide, read_net, read_system, remark_reset, source
from ltstool.shared.traces import write_traces

HELP = (
    "print an overview of an LTS: size, labels, deadlocks, components, determinism and divergence"
)
EXAMPLES = (
    "info system.aut",
    "info cases/abp.mcrl --json",
    "info cases/peterson.mcrl --set N=5 --symmetry auto",
    "info cases/nets/philosophers.pnml --symmetry auto",
)

FIRST = 5
"""Default number of deadlocks that are listed."""

SHOWN = 20
"""Most labels of a trace that are printed."""


class Asking(Request):
    """The options of `info`."""

    labels: bool = option("--labels", "list the labels with their numbers of transitions")
    traces: int | None = option(
        "--traces N",
        "list at most N deadlocks, or `all`, nearest first, each with a shortest trace "
        "(default: %(default)s)",
        default=FIRST,
        type=number_or_all,
    )
    trace: str | None = option(
        "--trace FILE",
        "write the traces to files for `ltstool simulate --replay`; several are numbered",
        file="written",
    )


TAKES = Takes(
    request=Asking,
    reads=ALL,
    options=(
        *("file", "labels", "traces", "trace", *FILES),
        # `--labels` lists them here.
        *(name for name in STATE_SPACE if name != "net_labels"),
        *(*SYMMETRY, "node_limit"),
    ),
    changed={
        "symmetry": {
            "help": "for a specification, as for `generate`; otherwise a symmetry file (of a "
            "reduction: FILE.sym) or a permutation such as `(d1 d2 d3)`; of a net only markings, "
            "steps and tokens are counted, and its state space is not stored"
        },
    },
    about={
        "text": ("FILE as a specification", "its state space is generated"),
        "group": (
            "under a symmetry",
            "one state of each orbit is explored, or read from a reduction; the numbers are "
            "those of the original, which is not generated",
        ),
    },
    against={
        (
            "trace",
            "symmetry",
        ): "applies to an LTS: use `generate --deadlocks --symmetry` for traces of the original"
    },
)


def run(request: Asking) -> int:
    """Print the facts."""
    if request.group.symmetry is not None and request.kind(request.reading.file) == NET:
        return of_net(request)
    facts = of_orbits(request) if request.group.symmetry is not None else of_system(request)
    request.say(facts, table(facts))
    return 0


def of_net(request: Asking) -> int:
    """Print the sizes of the state space of a net, which is not stored."""
    from lts.petri import counts
    from lts.symmetry.permutation.known import NO_PROOF, TEXT
    from ltstool.symmetric.explored import action_on_net, proven_by

    for name in ("labels", "traces", "tau", "strategy", "symmetry_proof", "proof_sample"):
        if name in request.given:
            raise LtsError(
                f"{request.given[name]} has no effect here, since the state space of a net is not "
                "stored under a symmetry: reduce it first"
            )
    net = read_net(request, request.reading.file)
    action = action_on_net(request, net)
    with request.exploration(group=True) as settings:
        found = counts(net, action, proven_by(action, settings))
    facts = {
        "order": action.order,
        "proof": NO_PROOF if action.order == 1 else TEXT,
        "orbits": found.orbits,
        "states": found.states,
        "transitions": found.transitions,
        "tokens": {"marking": found.marking, "place": found.place},
        "by": found.by,
        "nodes": found.nodes,
    }
    methods = {
        "orbits": f"one marking of each of {found.orbits} orbits",
        "diagram": f"a decision diagram of {found.nodes} nodes",
        "states": "visiting every marking",
    }
    rows = {
        "group": f"of order {action.order}",
        "states": found.states,
        "transitions": found.transitions,
        "most tokens": found.marking,
        "  in a place": found.place,
        "counted by": methods[found.by],
    }
    request.say(facts, shown.facts(rows, 15))
    return 0


def of_system(request: Asking) -> dict[str, Any]:
    """Return the facts about an LTS, and write traces on request."""
    of = source(request, request.reading.file, simultaneous=True)
    system = hide(request, read_system(request, request.reading.file, of=of))
    remark_reset(request, of)
    salvage = request.reading.salvage
    with request.phase("counting"):
        nearest = system.nearest_deadlocks(request.traces or system.state_count)
        facts = describe(system, nearest)
    if salvage and nearest:
        facts, nearest = of_unfinished(facts), []
    if request.labels:
        facts["label_counts"] = most_frequent(system.label_counts())
    if request.trace is not None and nearest:
        from lts.trace import trace_along

        traces = [trace_along(system, rows) for _, rows in nearest]
        facts["files"] = write_traces(request, request.trace, traces)
    elif request.trace is not None:
        known = "none is known to be a deadlock" if salvage else "there is no deadlock"
        request.note(f"{known}, so {request.trace} is not written")
    return facts


def most_frequent(counts: dict[str, int]) -> dict[str, int]:
    """Return labels with their counts, the most frequent first."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def of_unfinished(facts: dict[str, Any]) -> dict[str, Any]:
    """Return facts without deadlocks: in an unfinished file, states without transitions may only
    lack them because the file ends."""
    without = facts["deadlocks"]
    return facts | {"deadlocks": None, "nearest_deadlocks": [], "without_transitions": without}


def of_orbits(request: Asking) -> dict[str, Any]:
    """Return the facts about the original of a quotient."""
    from lts.symmetry import facts_of_original
    from ltstool.symmetric.reductions import quotient

    whole = quotient(request, encodings=True)
    of, system = whole.quotient, whole.system
    nearest = of.orbits if request.traces is None else request.traces
    with request.phase("counting"):
        found = facts_of_original(of, nearest=nearest)
    facts = {
        **whole.group,
        "orbits": found.orbits,
        "orbit_sizes": found.orbit_sizes,
        "states": found.states,
        "unreachable_states": 0,
        "transitions": found.transitions,
        "duplicate_transitions": 0,
        "labels": sum(map(bool, found.label_counts.values())),
        # A symmetry is about reachable states; a given system may have more.
        **({} if system is None else sizes(system, found.states)),
        "internal": [*map(label_text, of.internal)],
        "deadlocks": found.deadlocks,
        "nearest_deadlocks": [
            {"orbit": each.orbit, "states": each.states, "trace": list(each.trace)}
            for each in found.nearest_deadlocks
        ],
        "components": found.components.sizes,
        "cyclic_components": found.components.cyclic,
        "terminal_components": found.components.terminal,
        "tau_components": found.tau_components,
        "deterministic": found.nondeterministic_states == 0,
        "nondeterministic_states": found.nondeterministic_states,
        "tau_cycle_states": found.tau_cycle_states,
        "divergent_states": found.divergent_states,
    }
    if request.labels:
        counts = {label: count for label, count in found.label_counts.items() if count}
        facts["label_counts"] = most_frequent(counts if system is None else system.label_counts())
    return of_unfinished(facts) if request.reading.salvage and found.deadlocks else facts


def sizes(system: LTS, reachable: int) -> dict[str, int]:
    """Return the sizes of a system with this number of reachable states."""
    return {
        "states": system.state_count,
        "unreachable_states": system.state_count - reachable,
        "initial": system.initial,
        "transitions": system.transition_count,
        "duplicate_transitions": system.duplicate_count,
        "labels": len(system.labels),
    }


def describe(system: LTS, nearest: list[tuple[int, tuple[int, ...]]]) -> dict[str, Any]:
    """Return the facts. From deadlocks on, they are about reachable states only."""
    from lts._engine import Stage

    column = memoryview(system._engine.label).cast("B").cast("I")
    with Stage("reachable states", 0):
        reachable = system.reachable_states()
    with Stage("components", 0):
        components = system.components()
    with Stage("internal components", 0):
        internal = system.components(internal=True)
    with Stage("nondeterminism", 0):
        nondeterministic = (system.nondeterministic_states() & reachable).count()
    with Stage("duplicates", 0):
        of_system = sizes(system, reachable.count())
    with Stage("divergence", 0):
        on_cycles = (system.tau_cycle_states() & reachable).count()
        divergent = (system.divergent_states() & reachable).count()
    return {
        **of_system,
        "internal": list(system.internal),
        "deadlocks": (system.deadlock_states() & reachable).count(),
        "nearest_deadlocks": [
            {"state": state, "trace": [system.labels[column[row]] for row in rows]}
            for state, rows in nearest
        ],
        "components": components.sizes,
        "cyclic_components": components.cyclic,
        "terminal_components": components.terminal,
        "tau_components": internal.cyclic,
        "deterministic": nondeterministic == 0,
        "nondeterministic_states": nondeterministic,
        "tau_cycle_states": on_cycles,
        "divergent_states": divergent,
    }


def table(facts: dict[str, Any]) -> str:
    """Return the facts as a table."""
    orbits = {}
    if "orbits" in facts:
        orbits = {
            "group": f"of order {facts['order']}",
            "orbits": _sizes(facts["orbit_sizes"]),
        }
    initial = {"  initial": facts["initial"]} if "initial" in facts else {}
    rows = {
        **orbits,
        "states": facts["states"],
        "  unreachable": facts["unreachable_states"],
        **initial,
        "transitions": facts["transitions"],
        "  duplicates": facts["duplicate_transitions"],
        "labels": facts["labels"],
        "  internal": ", ".join(map(str, facts["internal"])) or "none",
        "deadlocks": _deadlocks(facts["deadlocks"], facts["nearest_deadlocks"])
        if facts["deadlocks"] is not None
        else f"unknown (states without transitions in this file: {facts['without_transitions']})",
        "components": _sizes(facts["components"]),
        "  with cycles": _sizes(facts["cyclic_components"]),
        "  terminal": _sizes(facts["terminal_components"]),
        "  tau cycles": _sizes(facts["tau_components"]),
        "deterministic": "yes"
        if facts["deterministic"]
        else f"no (in {facts['nondeterministic_states']} of the states)",
        "on tau cycles": facts["tau_cycle_states"],
        "divergent": facts["divergent_states"],
    }
    lines = [shown.facts(rows, 15)]
    if facts["nearest_deadlocks"]:
        lines += ["", "shortest traces to deadlocks"]
        for each in facts["nearest_deadlocks"]:
            state = each.get("state", f"one of {each.get('states')}")
            lines.append(f"  {state}: {labels_shown(each['trace'], SHOWN)}")
    counts = facts.get("label_counts")
    if counts:
        width = max(len(str(count)) for count in counts.values())
        lines += ["", *(f"{count:>{width}}  {label}" for label, count in counts.items())]
    return "\n".join(lines)


def _deadlocks(count: int, nearest: list[dict[str, Any]]) -> str:
    if not count:
        return "0"
    if "orbit" in nearest[0]:
        return f"{count} (in {len(nearest)} orbits, listed below)"
    more = ", ..." if count > len(nearest) else ""
    states = ", ".join(str(each["state"]) for each in nearest)
    return f"{count} ({'state' if count == 1 else 'states'} {states}{more})"


def _sizes(sizes: Sequence[tuple[int, int]]) -> str:
    """Return the number of components or orbits, and the largest sizes."""
    count = sum(number for _, number in sizes)
    if not count:
        return "0"
    shown = [f"{number} of {size}" if number > 1 else str(size) for size, number in sizes[:FIRST]]
    more = ", ..." if len(sizes) > FIRST else ""
    return f"{count} (states: {', '.join(shown)}{more})"
