"""`ltstool info`: what there is to know of an LTS before anything is done to it."""

from __future__ import annotations

import argparse
import json

from lts.system import LTS
from ltstool.options import add_input, add_salvage, add_tau, load

HELP = "sizes, labels, deadlocks, determinism and divergences of an LTS"

FIRST = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `info` takes."""
    add_input(parser)
    add_tau(parser)
    add_salvage(parser)
    parser.add_argument(
        "--labels", action="store_true", help="list the labels and how many transitions have each"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the facts."""
    system = load(arguments, arguments.file)
    facts = describe(system)
    if arguments.labels:
        facts["label_counts"] = dict(
            sorted(system.label_counts().items(), key=lambda item: (-item[1], item[0]))
        )
    print(json.dumps(facts) if arguments.json else table(facts))
    return 0


def describe(system: LTS) -> dict[str, object]:
    """Return the facts. Deadlocks, determinism and divergences are those of reachable states."""
    reachable = system.reachable_states()
    deadlocks = system.deadlocks() & reachable
    nondeterministic = (system.nondeterministic_states() & reachable).count()
    return {
        "states": system.state_count,
        "unreachable_states": system.state_count - reachable.count(),
        "initial": system.initial,
        "transitions": system.transition_count,
        "duplicate_transitions": system.duplicate_count,
        "labels": len(system.labels),
        "internal": list(system.internal),
        "deadlocks": deadlocks.count(),
        "first_deadlocks": list(deadlocks.search(1))[:FIRST],
        "deterministic": nondeterministic == 0,
        "nondeterministic_states": nondeterministic,
        "tau_cycle_states": (system.tau_cycle_states() & reachable).count(),
        "divergent_states": (system.divergent_states() & reachable).count(),
    }


def table(facts: dict[str, object]) -> str:
    """Return the facts for a reader."""
    rows = {
        "states": facts["states"],
        "  unreachable": facts["unreachable_states"],
        "  initial": facts["initial"],
        "transitions": facts["transitions"],
        "  duplicates": facts["duplicate_transitions"],
        "labels": facts["labels"],
        "  internal": ", ".join(map(str, facts["internal"])) or "none",
        "deadlocks": _deadlocks(facts["deadlocks"], facts["first_deadlocks"]),
        "deterministic": "yes"
        if facts["deterministic"]
        else f"no (in {facts['nondeterministic_states']} of the states)",
        "on tau cycles": facts["tau_cycle_states"],
        "divergent": facts["divergent_states"],
    }
    lines = [f"{name:<15}{value}" for name, value in rows.items()]
    counts = facts.get("label_counts")
    if counts:
        width = max(len(str(count)) for count in counts.values())
        lines += ["", *(f"{count:>{width}}  {label}" for label, count in counts.items())]
    return "\n".join(lines)


def _deadlocks(count: int, first: list[int]) -> str:
    if not count:
        return "0"
    more = ", ..." if count > len(first) else ""
    return f"{count} ({'state' if count == 1 else 'states'} {', '.join(map(str, first))}{more})"
