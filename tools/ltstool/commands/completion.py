"""`ltstool completion`: what makes a shell complete command lines."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HELP = "print what makes bash, zsh or fish complete command lines"
EXAMPLES = (
    "completion bash > ~/.local/share/bash-completion/completions/ltstool",
    "completion zsh > ~/.zfunc/_ltstool",
    "completion fish > ~/.config/fish/completions/ltstool.fish",
)


@dataclass(frozen=True)
class Option:
    """An option: its names, its help, what stands after it (None for nothing), which values."""

    names: tuple[str, ...]
    help: str
    value: str | None
    values: tuple[str, ...]


Commands = dict[str, tuple[str, tuple[Option, ...], tuple[str, ...]]]
"""What each command does, its options, and what words may stand in it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `completion` takes."""
    parser.add_argument("shell", choices=sorted(SHELLS), help="the shell")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    print("\n".join(SHELLS[arguments.shell](known_commands())))
    return 0


def known_commands() -> Commands:
    """Return the commands as their parsers have them."""
    from ltstool.parser import build_parser

    [found] = [
        action
        for action in build_parser(None)._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    commands: Commands = {}
    for name, parser in found.choices.items():
        options = tuple(_option(each) for each in parser._actions if each.option_strings)
        words = [str(c) for a in parser._actions if not a.option_strings for c in a.choices or ()]
        commands[name] = (parser.description or "", options, tuple(words))
    commands["help"] = ("explain a command", (), tuple(commands))
    return commands


def _option(action: argparse.Action) -> Option:
    from lts.equivalence.names import EQUIVALENCES, PREORDERS

    value = None if action.nargs == 0 else str(action.metavar or action.dest)
    known = {"EQUIVALENCE": tuple(EQUIVALENCES), "PREORDER": tuple(PREORDERS)}
    values = tuple(map(str, action.choices or known.get(value or "", ())))
    text = (action.help or "").replace("%(default)s", str(action.default)).partition(";")[0]
    return Option(tuple(action.option_strings), text.partition(" (")[0], value, values)


def bash(commands: Commands) -> Iterator[str]:
    """Yield the lines for bash."""
    yield "_ltstool() {"
    yield "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
    yield "  local options= words="
    yield "  COMPREPLY=()"
    yield "  if [ $COMP_CWORD -eq 1 ]; then"
    yield f'    COMPREPLY=($(compgen -W "{" ".join(commands)} --help --version" -- "$cur"))'
    yield "    return"
    yield "  fi"
    yield '  case "${COMP_WORDS[1]} $prev" in'
    for name, (_, options, _) in commands.items():
        for option in options:
            if option.values:
                cases = "|".join(f'"{name} {each}"' for each in option.names)
                yield f'    {cases}) words="{" ".join(option.values)}" ;;'
    yield "  esac"
    yield '  if [ -n "$words" ]; then'
    yield '    COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield "    return"
    yield "  fi"
    yield "  case ${COMP_WORDS[1]} in"
    for name, (_, options, words) in commands.items():
        names = " ".join(each for option in options for each in option.names)
        yield f'    {name}) options="{names}" words="{" ".join(words)}" ;;'
    yield "  esac"
    yield "  case $cur in"
    yield '    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;'
    yield '    *) COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur")) ;;'
    yield "  esac"
    yield "}"
    yield "complete -o filenames -F _ltstool ltstool"


def zsh(commands: Commands) -> Iterator[str]:
    """Yield the lines for zsh."""
    yield "#compdef ltstool"
    yield "_ltstool() {"
    yield "  local -a commands"
    yield "  commands=("
    for name, (help, _, _) in commands.items():
        yield f"    {_single(name + ':' + help.replace(':', ' -'))}"
    yield "  )"
    yield "  if (( CURRENT == 2 )); then"
    yield "    _describe command commands"
    yield "    return"
    yield "  fi"
    yield "  local command=$words[2]"
    yield "  shift words; (( CURRENT-- ))"
    yield "  case $command in"
    for name, (_, options, words) in commands.items():
        specs = []
        for option in options:
            for each in option.names:
                text = option.help.replace("[", "(").replace("]", ")").replace(":", " -")
                spec = f"{each}[{text}]"
                if option.value is not None:
                    values = f"({' '.join(option.values)})" if option.values else "_files"
                    spec += f":{option.value.replace(':', ' ')}:{values}"
                specs.append(_single(spec))
        specs.append(_single(f"*:word:({' '.join(words)})" if words else "*:file:_files"))
        yield f"    {name}) _arguments {' '.join(specs)} ;;"
    yield "  esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = _ltstool ]; then _ltstool "$@"; else compdef _ltstool ltstool; fi'


def fish(commands: Commands) -> Iterator[str]:
    """Yield the lines for fish."""
    for name, (help, options, words) in commands.items():
        yield f"complete -c ltstool -n __fish_use_subcommand -f -a {name} -d {_escaped(help)}"
        seen = f"complete -c ltstool -n '__fish_seen_subcommand_from {name}'"
        if words:
            yield f"{seen} -f -a {_escaped(' '.join(words))}"
        for option in options:
            flags = "".join(
                f" -l {each[2:]}" if each.startswith("--") else f" -s {each[1:]}"
                for each in option.names
            )
            if option.values:
                flags += f" -x -a {_escaped(' '.join(option.values))}"
            elif option.value is not None:
                flags += " -r"
            yield f"{seen}{flags} -d {_escaped(option.help)}"


def _single(text: str) -> str:
    """Return a text as shells quote it."""
    quote = "'"
    return quote + text.replace(quote, "'\\''") + quote


def _escaped(text: str) -> str:
    """Return a text as fish quotes it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[Commands], Iterator[str]]] = {"bash": bash, "fish": fish, "zsh": zsh}
