"""`ltstool doctor`: describe the installation and the machine, and try the main functions."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ltstool.options.request import Request, Takes
from ltstool.shared.shown import facts

if TYPE_CHECKING:
    from lts.system.lts import LTS

HELP = (
    "describe the installation and the machine, and try the main functions; exit code 1 if one of "
    "them fails"
)
EXAMPLES = ("doctor", "doctor --json")

TAKES = Takes(options=(), answers=True)

DEVELOPMENT = ("test", "lint")
"""Optional packages that are only for the development of ltstool."""


def run(request: Request) -> int:
    """Print the facts, and the result of each trial."""
    found = {
        "versions": versions(),
        "machine": machine(),
        "optional": optional(),
        "trials": {name: outcome(trial) for name, trial in TRIALS.items()},
    }
    failed = [name for name, result in found["trials"].items() if not result.startswith("passed")]
    lines = [f"{title}\n{facts(indented(found[title]), 20)}" for title in found]
    request.say(found | {"sound": not failed}, "\n".join(lines))
    return 1 if failed else 0


def indented(found: dict[str, str]) -> dict[str, str]:
    """Return facts with indented names."""
    return {f"  {name}": value for name, value in found.items()}


def versions() -> dict[str, str]:
    """Return the versions of ltstool, of Python, and of the required packages."""
    import platform

    python = f"{platform.python_implementation()} {platform.python_version()}"
    required = [name for name, extra in requirements() if extra is None]
    return {
        "ltstool": version("ltstool"),
        "Python": f"{python} ({sys.executable})",
        **{name: version(name) for name in required},
    }


def optional() -> dict[str, str]:
    """Return the versions of the optional packages, or how to install those that are missing."""
    found = {}
    for name, extra in requirements():
        if extra is not None and extra not in DEVELOPMENT:
            there = version(name)
            is_there = there != MISSING
            found[name] = there if is_there else f"{MISSING}: pip install {name}"
    return found


MISSING = "not installed"


def version(name: str) -> str:
    """Return the version of an installed package."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return MISSING


def requirements() -> Iterator[tuple[str, str | None]]:
    """Yield the packages that ltstool uses, each with the name of the option that installs it; None
    for those that are always installed."""
    from importlib import metadata

    try:
        found = metadata.requires("ltstool") or []
    except metadata.PackageNotFoundError:  # run from a folder, without installation
        found = []
    for line in found:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        if name is not None:
            yield name[0], extra[1] if extra else None


def machine() -> dict[str, str]:
    """Return facts about the machine."""
    import platform

    has_affinity = hasattr(os, "sched_getaffinity")
    usable = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count()
    found = {
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": f"{os.cpu_count()}, {usable} of them usable (--threads {usable})",
    }
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        size = os.sysconf("SC_PAGE_SIZE")
        memory = f"{os.sysconf('SC_PHYS_PAGES') * size / 1e9:.1f} GB"
        if "SC_AVPHYS_PAGES" in os.sysconf_names:
            memory += f", {os.sysconf('SC_AVPHYS_PAGES') * size / 1e9:.1f} GB of it free"
        found["memory"] = memory
    return found


def outcome(trial: Callable[[], object]) -> str:
    """Return whether a trial passed, with its time or its error."""
    begun = time.monotonic()
    try:
        trial()
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}".split("\n")[0]
    return f"passed in {time.monotonic() - begun:.2f} s"


TEXT = """
%@ include Enum of p1..p4 as Pid
act  try,enter,leave: Pid
     ask,grant,release,free: Pid
comm ask|grant = enter
     release|free = leave
proc User(i:Pid) = try(i).ask(i).release(i).User(i)
     Lock = sum(i:Pid, grant(i)).sum(i:Pid, free(i)).Lock
init encap({ask,grant,release,free}, User(p1) || User(p2) || User(p3) || User(p4) || Lock)
"""
"""Four users of a lock: one of them is in its critical section, or none."""

STATES = 2**4 + 4 * 2**3
"""Each user has tried or not; while one of them is in its critical section, three others count."""


def generated() -> LTS:
    """Return the state space of the text."""
    from lts import mucrl

    return mucrl.generate(mucrl.read_text(TEXT))


def try_generation() -> None:
    """Generate a state space of known size."""
    check_equal(generated().state_count, STATES)


def try_minimisation() -> None:
    """Minimise, and compare the result with the original and with another system."""
    import lts

    system = generated().hide(["try"])
    least = system.minimise("branching")
    # One of the four is in its critical section, or none.
    check_equal(least.state_count, 4 + 1)
    check_equal(lts.compare(least, system, "branching").holds, True)
    check_equal(lts.compare(least, system, "strong").holds, False)


def try_symmetry() -> None:
    """Find the symmetries, reduce, and expand again."""
    from lts.symmetry import isomorphic

    system = generated()
    group = system.find_symmetry()
    check_equal(group.order, 24)
    reduction = system.reduce(group.generators)
    # So many have tried, while none of them or one is in its critical section.
    check_equal(reduction.orbits, 5 + 4)
    check_equal(isomorphic(reduction.expand(), system), True)


def try_formulas() -> None:
    """Check formulas with known answers."""
    system = generated()
    for formula, holds in {
        "deadlock-free": True,
        "[true*.enter(p1).!leave(p1)*.enter(p2)]false": True,
        "A G (try(p1) => F enter(p1))": False,
    }.items():
        check_equal(system.check(formula).holds, holds)


def try_files() -> None:
    """Write and read files."""
    from tempfile import TemporaryDirectory

    import lts

    system = generated()
    with TemporaryDirectory() as folder:
        for name in ("a.aut", "a.aut.gz", "a.fsm"):
            system.write(Path(folder) / name)
            check_equal(lts.read(Path(folder) / name).transition_count, system.transition_count)


def check_equal(found: object, expected: object) -> None:
    """Raise `ValueError` if a result is not as it must be."""
    if found != expected:
        raise ValueError(f"the result is {found}, not {expected}")


TRIALS: dict[str, Callable[[], None]] = {
    "generation": try_generation,
    "minimisation": try_minimisation,
    "symmetry": try_symmetry,
    "formulas": try_formulas,
    "files": try_files,
}
"""The trials, which take a few seconds together."""
