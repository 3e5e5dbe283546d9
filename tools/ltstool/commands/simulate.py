"""`ltstool simulate`: step through a specification or an LTS."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from lts.errors import LtsError
from lts.simulation import Simulation
from ltstool import signals
from ltstool.shared.errors import describe
from ltstool.shared.files import is_network, is_specification
from ltstool.shared.idle import ALL, refuse_idle
from ltstool.shared.numbers import positive
from ltstool.shared.originals import add_as_such
from ltstool.shared.specifications import add_parameters, read_specification
from ltstool.shared.systems import load as load_lts
from ltstool.shared.systems import read_network
from ltstool.simulator import Session

HELP = "step through a muCRL specification or an LTS: choose, undo, search, replay"
EXAMPLES = (
    "simulate cases/abp.mcrl",
    "simulate cases/abp.mcrl --replay stuck.trace",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `simulate` takes."""
    parser.add_argument("file", metavar="FILE", help="muCRL specification (.mcrl), or .aut file")
    add_parameters(parser)
    add_as_such(parser)
    parser.add_argument("--replay", metavar="TRACE", help="begin by following this trace")
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=positive,
        default=1_000_000,
        help="states that a search may meet (default: %(default)s)",
    )
    parser.add_argument(
        "--max-values",
        metavar="N",
        type=positive,
        default=10_000,
        help="values of a sum to try in one state (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read commands and do them, until `quit` or the end of the input."""
    simulation = load(arguments)
    session = Session(simulation, say, as_json=arguments.json, most=arguments.max_states)
    if arguments.replay is None:
        session.do("show")
    else:
        session.replay(arguments.replay)
    failed = False
    for line in lines(session, quiet=arguments.quiet or arguments.json):
        try:
            if session.do(line):
                break
        except (LtsError, OSError) as error:
            failed = True
            say(json.dumps({"error": describe(error)}) if arguments.json else describe(error))
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            signals.go_on()
            say("interrupted")
    # Whoever sits at a terminal has seen it; a script is told by the exit code.
    return 2 if failed and not sys.stdin.isatty() else 0


def load(arguments: argparse.Namespace) -> Simulation:
    """Return the simulation of the file."""
    refuse_idle(arguments, arguments.file, meant={"max_states": ALL})
    if arguments.file == "-":
        raise LtsError("the commands come from standard input, so the system needs a file")
    if is_network(arguments.file):
        from lts import network

        # Components may be specifications, and parts with priorities are composed.
        explored = argparse.Namespace(no_simplify=[], threads=1, **vars(arguments))
        return network.simulate(read_network(explored, arguments.file))
    if not is_specification(arguments.file):
        return Simulation.of_lts(load_lts(arguments, arguments.file))
    from lts.mucrl import simulate

    specification = read_specification(arguments, arguments.file)
    return simulate(specification, max_values=arguments.max_values)


def lines(session: Session, *, quiet: bool) -> Iterator[str]:
    """Yield the lines of standard input: edited on a terminal, else echoed unless `quiet`."""
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
    """Turn on line editing, with commands and labels completed, where there is any."""
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
    """Print a line now: another program may be waiting for it."""
    print(text, flush=True)
