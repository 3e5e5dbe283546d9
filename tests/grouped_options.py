"""Options of explorations, given one by one, as the grouped arguments that a function takes."""

import inspect

from lts.cluster import Parts
from lts.state_space import Goals, Limits, Output, Settings

GROUPS = {
    "parts": (Parts, {"partitions", "workers", "run", "resume", "until", "spilled"}),
    "settings": (
        Settings,
        {"limits", "threads", "progress", "check", "strategy", "proof", "sample", "node_limit"},
    ),
    "goals": (Goals, {"deadlocks", "find", "enough"}),
    "output": (Output, {"columns", "write", "hide"}),
}


def grouped(function, **options):
    """Return the keyword arguments of a function for these options."""
    if "max_memory" in options:
        options["limits"] = Limits(memory=options.pop("max_memory"))
    takes = inspect.signature(function).parameters
    found = {}
    for group, (kind, names) in GROUPS.items():
        own = {name: options.pop(name) for name in names & options.keys() if group in takes}
        if own:
            found[group] = kind(**own)
    return found | options
