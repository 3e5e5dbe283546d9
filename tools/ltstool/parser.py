"""The command line: its subcommands and what they take."""

from __future__ import annotations

import argparse
import importlib
import io
import pkgutil
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import NoReturn

from lts.errors import LtsError
from ltstool import commands
from ltstool.commands import files, networks, series
from ltstool.shared import limits

WRONG = 2
"""The exit code of a command line that says nothing."""

ALIASES = {"minimize": "minimise", "linearize": "linearise"}


def command_names() -> list[str]:
    """Return the subcommands: the modules of `ltstool.commands`, `_` written as `-`."""
    return sorted(command_modules())


def command_modules() -> dict[str, str]:
    """Return the module of each subcommand; also in its folders."""
    return {
        module.name.replace("_", "-"): f"{package.__name__}.{module.name}"
        for package in (commands, files, networks, series)
        for module in pkgutil.iter_modules(package.__path__)
        if not module.ispkg
    }


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return the parser; only the module of the `chosen` subcommand is imported."""
    parser = _Parser(
        prog="ltstool",
        description="Labelled transition systems: generate, prove and use symmetry, minimise, "
        "compare. `ltstool help COMMAND` explains one command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    subparsers = parser.add_subparsers(
        prog="ltstool", dest="command", metavar="COMMAND", required=True
    )
    for name, path in sorted(command_modules().items()):
        if chosen is not None and name != chosen:
            subparsers.add_parser(name)
            continue
        module = importlib.import_module(path)
        sub = subparsers.add_parser(
            name,
            help=module.HELP,
            description=module.HELP,
            epilog=_examples(getattr(module, "EXAMPLES", ())),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.add_argument("-q", "--quiet", action="store_true", help="no progress, no remarks")
        sub.add_argument("--json", action="store_true", help="results as JSON on standard output")
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        module.add_arguments(sub)
        limits.add_limits(sub)
        for action in sub._actions:
            _record(action)
        sub.set_defaults(run=module.run)
    return parser


def _examples(lines: Sequence[str]) -> str | None:
    """Return what stands under a command's help: lines to try."""
    return "\n".join(["examples:", *(f"  ltstool {line}" for line in lines)]) if lines else None


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in a line or two."""

    def error(self, message: str) -> NoReturn:
        import difflib

        unknown = re.match(r"(?:unrecognized arguments: |.*invalid choice: ')([^ ']+)", message)
        near = []
        if unknown:
            word = unknown[1].partition("=")[0]
            near = difflib.get_close_matches(word, [*self._words()], 1)
            if message.startswith("argument COMMAND"):
                message = f"there is no command `{word}`"
        if near:
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
        """Yield the options and choices that there are, those of a chosen command, too."""
        for action in self._actions:
            yield from action.option_strings
            yield from map(str, action.choices or ())
            if isinstance(action.choices, dict):
                for each in action.choices.values():
                    yield from (name for other in each._actions for name in other.option_strings)

    def short_usage(self) -> str:
        """Return what stands in a command line, without its options."""
        words = [
            str(action.metavar or action.dest)
            if action.nargs not in ("?", "*")
            else f"[{action.metavar or action.dest}]"
            for action in self._actions
            if not action.option_strings
        ]
        return " ".join(["usage:", self.prog, *words, "[OPTION ...]"])


def _record(action: argparse.Action) -> None:
    """Have an option say that it is given, in `arguments.given`: its default may be given, too."""

    class Recorded(type(action)):  # type: ignore[misc]
        def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
            if option_string is not None:
                vars(namespace).setdefault("given", {})[self.dest] = option_string
            super().__call__(parser, namespace, values, option_string)

    action.__class__ = Recorded


class _Version(argparse.Action):
    """Prints the version, which takes a while to look up, when it is asked for."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        from importlib.metadata import version

        print(f"ltstool {version('ltstool')}")
        parser.exit()


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return what a command line says. Raises `LtsError` for one that is wrong."""
    words = [ALIASES.get(words[0], words[0]), *words[1:]]
    told = io.StringIO()
    try:
        with redirect_stderr(told), redirect_stdout(io.StringIO()):
            chosen = words[0] if words[0] in command_names() else None
            return build_parser(chosen).parse_args(words)
    except SystemExit:
        lines = told.getvalue().splitlines() or ["it does nothing but print help"]
        raise LtsError(lines[-1].removeprefix("ltstool: ")) from None
