"""The command line: its subcommands and their options, built from the table."""

from __future__ import annotations

import argparse
import importlib
import io
import pkgutil
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import NoReturn, Protocol

from lts.errors import LtsError
from ltstool import commands
from ltstool.commands import files, networks, series
from ltstool.request import Request, Takes
from ltstool.table import GROUPS

WRONG = 2
"""The exit code for an empty command line."""

ALIASES = {"minimize": "minimise", "linearize": "linearise"}

LIMITS = ("limits of the command", "a run that reaches one ends with exit code 3")


class Command(Protocol):
    """The module of a subcommand."""

    HELP: str
    EXAMPLES: Sequence[str]
    TAKES: Takes

    def run(self, request: Request) -> int:
        """Execute the request, and return the exit code."""


def command_names() -> list[str]:
    """Return the subcommands: the modules of `ltstool.commands`, `_` written as `-`."""
    return sorted(command_modules())


def command_modules() -> dict[str, str]:
    """Return the module of each subcommand, including those in subfolders."""
    return {
        module.name.replace("_", "-"): f"{package.__name__}.{module.name}"
        for package in (commands, files, networks, series)
        for module in pkgutil.iter_modules(package.__path__)
        if not module.ispkg
    }


def command(name: str) -> Command:
    """Return the module of a subcommand."""
    found: Command = importlib.import_module(command_modules()[name])
    return found


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return the parser; only the module of the `chosen` subcommand is imported."""
    parser = _Parser(
        prog="ltstool",
        description="A toolkit for labelled transition systems: generate, minimise, compare, "
        "check, and prove and use symmetries. `ltstool help COMMAND` explains a command.",
    )
    parser.add_argument(
        "--version",
        action=_Version,
        nargs=0,
        default=argparse.SUPPRESS,
        help="show the version and exit",
    )
    subparsers = parser.add_subparsers(
        prog="ltstool", dest="command", metavar="COMMAND", required=True
    )
    for name in command_names():
        if chosen is not None and name != chosen:
            subparsers.add_parser(name)
            continue
        module = command(name)
        sub = subparsers.add_parser(
            name,
            help=module.HELP,
            description=module.HELP,
            epilog="\n".join(["examples:", *(f"  ltstool {line}" for line in module.EXAMPLES)]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            argument_default=argparse.SUPPRESS,
        )
        _add(sub, module.TAKES)
    return parser


def _add(parser: argparse.ArgumentParser, takes: Takes) -> None:
    """Add the options of a command in their groups; options not given are absent from the
    result."""
    places: dict[str, argparse._ActionsContainer] = {"": parser}
    just_one = parser.add_mutually_exclusive_group(required=True) if takes.one_of else parser
    for name, row in takes.rows.items():
        key = "limits" if name in ("timeout", "max_memory") else takes.known[name]
        if not row.names:
            key = ""
        if key not in places:
            title, about = takes.about.get(key) or (LIMITS if key == "limits" else GROUPS[key][1:])
            places[key] = parser.add_argument_group(title, about or None)
        keywords = row.keywords | ({"dest": name} if row.names else {})
        if keywords.get("action") == "once":
            keywords["action"] = _Once
        place = just_one if name in takes.one_of else places[key]
        place.add_argument(*(row.names or [name]), **keywords)


class _Parser(argparse.ArgumentParser):
    """A parser with short error messages."""

    def error(self, message: str) -> NoReturn:
        import difflib

        unknown = re.match(r"(?:unrecognized arguments: |.*invalid choice: ')([^ ']+)", message)
        near = []
        if unknown:
            word = unknown[1].partition("=")[0]
            near = difflib.get_close_matches(word, [*self._words()], 1)
            if message.startswith("argument COMMAND"):
                message = f"there is no command `{word}`"
        if unknown and near == [word]:
            message = f"`{word}` must come after the command"
        elif near:
            message = f"{message.partition(' (choose from')[0]}; did you mean `{near[0]}`?"
        if message.endswith("required: COMMAND"):
            message = "a command is needed"
        name = self.prog.removeprefix("ltstool").strip()
        self.exit(
            WRONG,
            f"{self.short_usage()}  (`{f'ltstool help {name}'.strip()}` says more)\n"
            f"ltstool: {message}\n",
        )

    def _words(self) -> Iterator[str]:
        """Yield all options and choices, including those of the chosen command."""
        for action in self._actions:
            yield from action.option_strings
            yield from map(str, action.choices or ())
            if isinstance(action.choices, dict):
                for each in action.choices.values():
                    yield from (name for other in each._actions for name in other.option_strings)

    def short_usage(self) -> str:
        """Return the usage line without options."""
        words = [
            str(action.metavar or action.dest)
            if action.nargs not in ("?", "*")
            else f"[{action.metavar or action.dest}]"
            for action in self._actions
            if not action.option_strings
        ]
        return " ".join(["usage:", self.prog, *words, "[OPTION ...]"])


class _Once(argparse.Action):
    """Refuses a second permutation, which would silently replace the first."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        if self.dest in vars(namespace):
            raise argparse.ArgumentError(
                self, "given twice: put several permutations into a symmetry file"
            )
        setattr(namespace, self.dest, values)


class _Version(argparse.Action):
    """Prints the version, which is looked up only then because that takes a while."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        from importlib.metadata import version

        print(f"ltstool {version('ltstool')}")
        parser.exit()


def parse(words: Sequence[str]) -> tuple[str, Request]:
    """Return the command of a command line, and the request. Exits for a wrong command line."""
    words = [ALIASES.get(word, word) if i == 0 else word for i, word in enumerate(words)]
    if words[:1] == ["help"]:
        words = [*(ALIASES.get(word, word) for word in words[1:]), "--help"]
    chosen = next((word for word in words if word in command_names()), None)
    values = vars(build_parser(chosen).parse_args(words))
    name = values.pop("command")
    return name, command(name).TAKES.made(values, words)


def parsed(words: Sequence[str]) -> tuple[str, Request]:
    """Return the result of `parse`. Raises `LtsError` for a wrong command line."""
    keywords = io.StringIO()
    try:
        with redirect_stderr(keywords), redirect_stdout(io.StringIO()):
            return parse(words)
    except SystemExit:
        lines = keywords.getvalue().splitlines() or ["it only prints help"]
        raise LtsError(lines[-1].removeprefix("ltstool: ")) from None
