"""The entry point: parse the command line, run one subcommand, turn errors into exit codes."""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence

from lts.errors import LimitReached, LtsError
from ltstool import commands
from ltstool.errors import as_json, describe

YES, NO, WRONG, LIMIT, INTERRUPTED = 0, 1, 2, 3, 130


ALIASES = {"minimize": "minimise", "linearize": "linearise"}


def command_names() -> list[str]:
    """Return the subcommands: the modules of `ltstool.commands`, `_` written as `-`."""
    modules = pkgutil.iter_modules(commands.__path__)
    return sorted(module.name.replace("_", "-") for module in modules)


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return the parser; only the module of the `chosen` subcommand is imported."""
    parser = argparse.ArgumentParser(
        prog="ltstool",
        description="Labelled transition systems: generate, prove and use symmetry, minimise, "
        "compare. `ltstool COMMAND --help` explains one command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    subparsers = parser.add_subparsers(
        prog="ltstool", dest="command", metavar="COMMAND", required=True
    )
    for name in command_names():
        if chosen is not None and name != chosen:
            subparsers.add_parser(name)
            continue
        module = importlib.import_module(f"ltstool.commands.{name.replace('-', '_')}")
        sub = subparsers.add_parser(name, help=module.HELP, description=module.HELP)
        sub.add_argument("-q", "--quiet", action="store_true", help="no progress, no remarks")
        sub.add_argument("--json", action="store_true", help="results as JSON on standard output")
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


class _Version(argparse.Action):
    """Prints the version, which takes a while to look up, when it is asked for."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        from importlib.metadata import version

        print(f"ltstool {version('ltstool')}")
        parser.exit()


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv` (without the program's name) and return the exit code."""
    argv = [ALIASES.get(word, word) if i == 0 else word for i, word in enumerate(argv)]
    names = set(command_names())
    chosen = next((word for word in argv if word in names), None)
    arguments = build_parser(chosen).parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): not our error, and nothing more can be told it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return YES
    except LimitReached as error:
        if arguments.debug:
            raise
        if arguments.json:
            print(json.dumps({"limit": error.limit, "found": error.found, "error": error.message}))
        print(f"ltstool: {error}", file=sys.stderr)
        return LIMIT
    except (LtsError, OSError, MemoryError, RecursionError) as error:
        if arguments.debug:
            raise
        if arguments.json:
            print(json.dumps(as_json(error)))
        print(f"ltstool: {describe(error)}", file=sys.stderr)
        return WRONG


def run() -> None:
    """Run as the `ltstool` program."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Labels are printed as the bytes they are in their file.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.exit(main(sys.argv[1:]))
