"""The command line: its subcommands and their options, built from the table."""

from __future__ import annotations

import argparse
import importlib
import io
import itertools
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import NoReturn, Protocol

from lts.base.spelling import near
from lts.errors import LtsError
from lts.formats.names import kind_of_file
from ltstool import commands
from ltstool.commands import files, networks, series
from ltstool.options.request import COMMON, Request, Takes
from ltstool.options.request import LIMITS as LIMIT_OPTIONS
from ltstool.options.table import GROUPS, LTS_FILE, USES, british, rows
from ltstool.shared import streams

WRONG = 2
"""The exit code for an empty command line."""

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


@cache
def command_modules() -> dict[str, str]:
    """Return the module of each subcommand, including those in subfolders."""
    return {
        name.replace("_", "-"): f"{package.__name__}.{name}"
        for package in (commands, files, networks, series)
        for name, suffix in map(os.path.splitext, os.listdir(package.__path__[0]))
        if suffix == ".py" and name != "__init__"
    }


def command(name: str) -> Command:
    """Return the module of a subcommand."""
    found: Command = importlib.import_module(command_modules()[name])
    return found


def build_parser(chosen: str | None, words: Sequence[str] = ()) -> argparse.ArgumentParser:
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
    # The version is printed before a command is looked for, and help lists all.
    every = [] if words[:1] == ["--version"] else command_names()
    for name in every if chosen is None else [chosen]:
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
        parser.words = sub.words = words
        if chosen is not None:
            for each in (parser, sub):
                each.takes, each.chosen = module.TAKES, sub
    return parser


def _add(parser: argparse.ArgumentParser, takes: Takes) -> None:
    """Add the options of a command in their groups; options not given are absent from the
    result."""
    groups: dict[str, argparse._ActionsContainer] = {"": parser}
    just_one = parser.add_mutually_exclusive_group(required=True) if takes.one_of else parser
    for name, row in takes.rows.items():
        key = "limits" if name in LIMIT_OPTIONS else takes.known[name]
        if not row.names:
            key = ""
        if key not in groups:
            title, about = takes.about.get(key) or (LIMITS if key == "limits" else GROUPS[key][1:])
            groups[key] = parser.add_argument_group(title, about or None)
        keywords = row.keywords | ({"dest": name} if row.names else {})
        if row.names and row.value is not None:
            keywords.setdefault("action", _Once)
        group = just_one if name in takes.one_of else groups[key]
        group.add_argument(*(row.names or [name]), **keywords)


_NEEDED = {"A": "a system", "B": "a second system", "FILE": "a file", "FORMULA": "a formula"}
"""Required arguments, by their placeholders in the usage."""


class _Parser(argparse.ArgumentParser):
    """A parser with short error messages."""

    takes: Takes | None = None
    """The interface of the chosen command."""
    words: Sequence[str] = ()
    """The command line."""
    chosen: argparse.ArgumentParser | None = None
    """The parser of the chosen command."""

    def error(self, message: str) -> NoReturn:
        pattern = r"argument (\S+): invalid choice: (['\"])(.*)\2 \(choose from (.*)\)$"
        if choice := re.match(pattern, message):
            name, _, word, known = choice.groups()
            choices = known.replace("'", "")
            message = f"argument {name}: `{word}` is not one of {choices}"
            message += near(word, choices.split(", "))
            message = no_command(word) if name == "COMMAND" else message
        elif message.endswith("required: COMMAND"):
            message = "a command is needed"
        elif message.startswith("unrecognized arguments: "):
            message = self._unknown(message.partition(": ")[2])
        elif "arguments are required" in message:
            # A misspelt option is what its user has to know of first.
            options = (word for word in self.words if word.startswith("--") and word != "--")
            unknown = [word for word in options if not self._is_known(word)]
            message = self._unknown(unknown[0]) if unknown else self._missing(message)
        shown = self.chosen if isinstance(self.chosen, _Parser) else self
        name = shown.prog.removeprefix("ltstool").strip()
        more = f"(`{f'ltstool help {name}'.strip()}` says more)"
        print(f"{shown.short_usage()}  {more}", file=sys.stderr)
        streams.message("error", message)
        sys.exit(WRONG)

    def _missing(self, message: str) -> str:
        """Return the message about required arguments that are missing."""
        shown = self.chosen if isinstance(self.chosen, _Parser) else self
        names = message.partition("required: ")[2].split(", ")
        command = shown.prog.rpartition(" ")[2]
        if names == ["A", "B"]:
            return f"`{command}` needs two systems"
        words = [_NEEDED.get(name, name.partition("/")[0]) for name in names]
        return f"`{command}` needs {' and '.join(words)}"

    def _options(self) -> list[str]:
        """Return the options of the chosen command."""
        found = [] if self.takes is None else self.takes.rows.values()
        return [name for row in found for name in row.names]

    def _is_known(self, word: str) -> bool:
        name = word.partition("=")[0]
        return any(option.startswith(name) for option in [*self._options(), "--help"])

    def _unknown(self, words: str) -> str:
        """Return the message about words that are no arguments of the chosen command."""
        word = words.partition(" ")[0]
        if not word.startswith("-") or word == "-":
            message = f"`{word}` is one argument too many"
            if self.takes is None or not {"output", "target"} & self.takes.rows.keys():
                return message
            is_given = any(each.startswith(("-o", "--output")) for each in self.words)
            return message if is_given else f"{message}: `-o {word}` names the output"
        name = word.partition("=")[0]
        if name in self._options():
            return f"`{name}` must come after the command"
        message = f"there is no option `{name}` here"
        if re.fullmatch(r"-[A-Z]", name) and "--set" in self._options():
            return (
                f"{message}; the parameter {name[1:]} of a specification is `--set {name[1:]}=..`"
            )
        return message if len(name) == 2 else f"{message}{near(name, self._options())}"

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
    """Refuses a second value, which would silently replace the first."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        if vars(namespace).get(self.dest, values) != values:
            more = ": put several permutations into a symmetry file"
            hint = more if self.dest == "symmetry" else ""
            raise argparse.ArgumentError(self, f"given twice{hint}")
        setattr(namespace, self.dest, values)


class _Version(argparse.Action):
    """Prints the version, which is looked up only then because that takes a while."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        from importlib.metadata import version

        print(f"ltstool {version('ltstool')}")
        parser.exit()


def no_command(word: str) -> str:
    """Return the message about a word where a command is expected, with what may be meant."""
    names = command_names()
    begun = [name for name in names if len(word) > 1 and name.startswith(word)]
    message = f"there is no command `{word}`"
    if len(begun) == 1:
        return f"{message}; did you mean `{begun[0]}`?"
    # Looked up only here: other command lines do not wait for it.
    from lts.text.habits import COMMANDS, OF_EQUATIONS

    if (ours := COMMANDS.get(word)) is not None:
        how = " SPEC FORMULA`, without a file of equations" if word in OF_EQUATIONS else "`"
        return f"{message}; here it is `ltstool {ours}{how}"
    kind = kind_of_file(word) or (LTS_FILE if os.path.isfile(word) else None)
    if near(word, names) or kind is None:
        return f"{message}{near(word, names)}"
    if not os.path.exists(word):
        return f"{message}, and no file of this name"
    from shlex import quote

    file = quote(word)
    lines = [f"`ltstool {line.replace('FILE', file)}` {what}" for line, what in USES[kind].items()]
    return "\n  ".join([f"what to do with `{word}`? For example:", *lines])


def parse(words: Sequence[str]) -> tuple[str, Request]:
    """Return the command of a command line, and the request. Exits for a wrong command line."""
    words = _in_order([*_spelled(words)])
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    chosen = next((word for word in words if word in command_names()), None)
    values = vars(build_parser(chosen, words).parse_args(words))
    name = values.pop("command")
    return name, command(name).TAKES.made(values, words)


def _spelled(words: Sequence[str]) -> Iterator[str]:
    """Yield the words with the command and the options in British spelling."""
    names, begun, ended = command_names(), False, False
    for word in words:
        ended = ended or word == "--"
        found = word if ended or (begun and not word.startswith("--")) else british(word)
        yield found
        begun = begun or found in names


def _in_order(words: list[str]) -> list[str]:
    """Return the words with those options of all commands that precede the command after it."""
    table = rows(Request)
    common = {name: table[key] for key in (*COMMON, *LIMIT_OPTIONS) for name in table[key].names}
    at = 0
    while at < len(words) and (row := common.get(words[at].partition("=")[0])):
        at += 2 if row.shown and "=" not in words[at] else 1
    if words[at : at + 1] == ["help"]:
        return words[at:]
    if words[at : at + 1] and words[at] in command_names():
        return [words[at], *words[:at], *words[at + 1 :]]
    return words


def colour_of(words: Sequence[str]) -> str:
    """Return the value of `--colour`, for errors in the rest of the command line."""
    found = "auto"
    for word, following in itertools.pairwise([*_spelled(words), ""]):
        name, equals, value = word.partition("=")
        if name == "--colour":
            found = value if equals else following
    return found


def parsed(words: Sequence[str]) -> tuple[str, Request]:
    """Return the result of `parse`. Raises `LtsError` for a wrong command line."""
    keywords = io.StringIO()
    try:
        with redirect_stderr(keywords), redirect_stdout(io.StringIO()):
            return parse(words)
    except SystemExit:
        lines = keywords.getvalue().splitlines() or ["it only prints help"]
        raise LtsError(lines[-1].removeprefix("ltstool: error: ")) from None
