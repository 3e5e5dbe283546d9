"""`ltstool simulate`: step through a specification or an LTS."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial

from lts.base.bounds import SIMULATED_STATES, SIMULATED_VALUES
from lts.errors import LtsError
from lts.simulation import Simulation
from ltstool import signals
from ltstool.options.request import Request, Takes
from ltstool.options.table import ALL, NET, NETWORK, SPECIFICATION, option
from ltstool.shared import reading
from ltstool.shared.errors import describe
from ltstool.shared.files import open_output
from ltstool.simulator import Session

HELP = "step through a specification or an LTS: choose, undo, search, replay"
EXAMPLES = (
    "simulate cases/abp.mcrl",
    "simulate cases/abp.mcrl --replay stuck.trace",
)


class Simulating(Request):
    """The options of `simulate`."""

    replay: str | None = option(
        "--replay TRACE",
        "follow this trace first: of ltstool, CADP (.seq) or mCRL2 (.trc, or text)",
        file="read",
    )


TAKES = Takes(
    request=Simulating,
    reads=ALL,
    options=(
        *("file", "replay", "as_such", "language", "parameters", "strict"),
        *("ignore_time", "include_path"),
        *("max_states", "max_values"),
    ),
    changed={
        "file": {
            "flags": "FILE",
            "help": "specification (.mcrl, .mcrl2, .lps), network, net (.pnml) or .aut file",
        },
        "max_states": {
            "help": "most states that a search visits (default: %(default)s)",
            "default": SIMULATED_STATES.default,
            "of": ALL,
        },
        "max_values": {
            "help": "most values of a sum that are tried in one state (default: %(default)s)",
            "default": SIMULATED_VALUES.default,
        },
    },
    talks=True,
)


def run(request: Simulating) -> int:
    """Read and execute commands until `quit` or the end of the input."""
    simulation = load(request)
    most = request.exploring.max_states
    assert most is not None
    session = Session(simulation, say, as_json=request.json, most=most)
    session.open = partial(open_output, request)
    if request.replay is None:
        session.do("show")
    else:
        session.replay(request.replay)
    failed = False
    for line in lines(session, quiet=request.quiet or request.json):
        try:
            if session.do(line):
                break
        except (LtsError, OSError) as error:
            failed = True
            say(json.dumps({"error": describe(error)}) if request.json else describe(error))
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            signals.go_on()
            say("interrupted")
    # At a terminal the user has seen the error; a script needs the exit code.
    return 2 if failed and not sys.stdin.isatty() else 0


def load(request: Simulating) -> Simulation:
    """Return the simulation of the file."""
    file = request.reading.file
    if file == "-":
        raise LtsError("commands are read from standard input: name a file for the system")
    kind = request.kind(file)
    if kind == NETWORK:
        from lts import network

        return network.simulate(reading.read_network(request, file))
    if kind == NET:
        from lts import petri

        return petri.simulate(reading.read_net(request, file))
    if kind != SPECIFICATION:
        return Simulation.of_lts(reading.load(request, file))
    from lts.mucrl import simulate

    specification = reading.read_specification(request, file)
    return simulate(specification, max_values=request.exploring.max_values)


def lines(session: Session, *, quiet: bool) -> Iterator[str]:
    """Yield the lines of standard input: with line editing on a terminal, otherwise echoed unless
    `quiet`."""
    if not sys.stdin.isatty():
        for line in sys.stdin:
            if not quiet:
                say(f"> {line.rstrip()}")
            yield line
        return
    edit(session)
    while True:
        try:
            line = input("> ")
        except EOFError:
            say("")
            return
        except KeyboardInterrupt:
            signals.go_on()
            say("")
            continue
        yield line


def edit(session: Session) -> None:
    """Turn on line editing with completion of commands and labels, if the system has it."""
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, number: int) -> str | None:
        try:
            fitting = [word for word in session.completions() if word.startswith(text)]
        except LtsError:
            return None
        return fitting[number] if number < len(fitting) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    emulated = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if emulated else "tab: complete")


def say(text: str) -> None:
    """Print a line and flush: another program may be waiting for it."""
    print(text, flush=True)
