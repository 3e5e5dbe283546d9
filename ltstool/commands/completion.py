"""`ltstool completion`: scripts that make a shell complete command lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ltstool.options.request import COMMON, LIMITS, Request, Takes
from ltstool.options.table import Option, rows
from ltstool.options.table import option as word

HELP = "print a completion script for bash, zsh or fish"
EXAMPLES = (
    "completion bash > ~/.local/share/bash-completion/completions/ltstool",
    "completion zsh > ~/.zfunc/_ltstool",
    "completion fish > ~/.config/fish/completions/ltstool.fish",
)

Commands = dict[str, tuple[str, tuple[Option, ...], tuple[str, ...]]]
"""The summary, the options and the positional choices of each command."""


@dataclass(frozen=True, kw_only=True)
class Completing(Request):
    """The options of `completion`."""

    shell: str = word("bash|fish|zsh", "the shell")


TAKES = Takes(
    request=Completing,
    options=("shell",),
    against={("json",): "has no effect: a script is not JSON"},
)


def run(request: Completing) -> int:
    """Print the script."""
    print("\n".join(SHELLS[request.shell](known_commands())))
    return 0


def known_commands() -> Commands:
    """Return the commands, from the table of options."""
    from ltstool.options.parser import command, command_names

    commands: Commands = {}
    for name in command_names():
        module = command(name)
        rows = module.TAKES.rows.values()
        words = [word for row in rows if not row.names for word in row.choices]
        options = (HELP_OPTION, *(row for row in rows if row.names))
        commands[name] = (module.HELP, options, tuple(words))
    commands["help"] = ("explain a command", (), tuple(commands))
    return commands


def first_options() -> list[str]:
    """Return the options that may precede the command."""
    table = rows(Request)
    common = [name for key in (*COMMON, *LIMITS) for name in table[key].names]
    return [*common, "--help", "--version"]


HELP_OPTION = Option("-h --help", "show this help message and exit")


def values(row: Option) -> tuple[str, ...]:
    """Return the possible values of an option, if they are a fixed set."""
    from lts.equivalence.names import COMPARED, EQUIVALENCES, PREORDERS

    known = {
        "EQUIVALENCE": tuple(EQUIVALENCES),
        "PREORDER": tuple(PREORDERS),
        "RELATION": tuple(COMPARED),
    }
    return tuple(row.choices) or known.get(row.value or "", ())


def summary(row: Option) -> str:
    """Return the first part of an option's help."""
    return str(row.keywords["help"]).partition(";")[0].partition(" (")[0]


def bash(commands: Commands) -> Iterator[str]:
    """Yield the lines for bash."""
    yield "_ltstool() {"
    yield "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
    yield "  local options= words= command= word"
    yield "  COMPREPLY=()"
    # Options of all commands may precede the command.
    yield '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield f"    case $word in {'|'.join(commands)}) command=$word; break ;; esac"
    yield "  done"
    yield '  if [ -z "$command" ]; then'
    first = " ".join([*commands, *first_options()])
    yield f'    COMPREPLY=($(compgen -W "{first}" -- "$cur"))'
    yield "    return"
    yield "  fi"
    yield '  case "$command $prev" in'
    for name, (_, options, _) in commands.items():
        for option in options:
            if values(option):
                cases = "|".join(f'"{name} {each}"' for each in option.names)
                yield f'    {cases}) words="{" ".join(values(option))}" ;;'
    yield "  esac"
    yield '  if [ -n "$words" ]; then'
    yield '    COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield "    return"
    yield "  fi"
    yield "  case $command in"
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
    yield f"  local -a names=({' '.join(commands)})"
    yield "  local command="
    yield "  integer at"
    # Options of all commands may precede the command.
    yield "  for (( at = 2; at < CURRENT; at++ )); do"
    yield '    if [[ -n "${names[(re)$words[at]]}" ]]; then command=$words[at]; break; fi'
    yield "  done"
    yield '  if [[ -z "$command" ]]; then'
    yield "    _describe command commands"
    yield f"    compadd -- {' '.join(first_options())}"
    yield "    return"
    yield "  fi"
    yield "  shift $(( at - 1 )) words; (( CURRENT -= at - 1 ))"
    yield "  case $command in"
    for name, (_, options, words) in commands.items():
        specs = []
        for option in options:
            for each in option.names:
                text = summary(option).replace("[", "(").replace("]", ")").replace(":", " -")
                spec = f"{each}[{text}]"
                if option.value is not None or values(option):
                    known = f"({' '.join(values(option))})" if values(option) else "_files"
                    spec += f":{option.value or option.names[-1].strip('-')}:{known}"
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
            if values(option):
                flags += f" -x -a {_escaped(' '.join(values(option)))}"
            elif option.value is not None or values(option):
                flags += " -r"
            yield f"{seen}{flags} -d {_escaped(summary(option))}"


def _single(text: str) -> str:
    """Return a text quoted for POSIX shells."""
    quote = "'"
    return quote + text.replace(quote, "'\\''") + quote


def _escaped(text: str) -> str:
    """Return a text quoted for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[Commands], Iterator[str]]] = {"bash": bash, "fish": fish, "zsh": zsh}
