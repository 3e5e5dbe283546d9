"""`ltstool completion`: scripts that make a shell complete command lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lts.formats.names import ENDINGS, SPECIFICATIONS
from ltstool.options.request import COMMON, LIMITS, Request, Takes
from ltstool.options.table import Option, rows
from ltstool.options.table import option as word

HELP = "print a completion script for bash, zsh or fish"
EXAMPLES = (
    "completion bash > ~/.local/share/bash-completion/completions/ltstool",
    "completion zsh > ~/.zfunc/_ltstool",
    "completion fish > ~/.config/fish/completions/ltstool.fish",
)

Commands = dict[str, tuple[str, tuple[Option, ...], tuple[str, ...], tuple[str, ...]]]
"""The summary, the options, the positional words and the suffixes of input files of each
command."""

SYSTEMS = tuple(end.lstrip(".") for end in (*SPECIFICATIONS, *ENDINGS))
SUFFIXES = {
    "SPEC": tuple(end.lstrip(".") for end in SPECIFICATIONS),
    "NETWORK": ("exp",),
    **dict.fromkeys(("A", "B", "OTHER"), SYSTEMS),
    "FORMULA": ("mcf", "xml"),
    "S": ("sym",),
}
"""Suffixes of the files that a placeholder stands for. If there are none, all files are shown."""
OF_COMMANDS = {"run": (), "format": ("mcrl", "mucrl", "mcrl2", "mcf", "exp")}
"""Suffixes of inputs that are not systems."""


class Completing(Request):
    """The options of `completion`."""

    shell: str = word(
        "bash|fish|zsh",
        "the shell, which looks for scripts in the folders of the examples: make them first, such "
        "as `mkdir -p ~/.local/share/bash-completion/completions`, `mkdir -p ~/.zfunc` or "
        "`mkdir -p ~/.config/fish/completions`. For zsh, ~/.zshrc needs two lines: "
        "`fpath+=~/.zfunc` and `autoload -U compinit && compinit`",
    )


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
        positional = [row for row in rows if not row.names]
        words = [word for row in positional for word in values(row)]
        endings = [end for row in positional if row.value == "FILE" for end in SYSTEMS]
        endings += [end for row in positional for end in suffixes(row)]
        options = (HELP_OPTION, *(row for row in rows if row.names))
        suffixed = OF_COMMANDS.get(name, tuple(dict.fromkeys(endings)))
        commands[name] = (module.HELP, options, tuple(words), suffixed)
    commands["help"] = ("explain a command", (), tuple(commands), ())
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
    from lts.logic.check import PROPERTIES

    known = {
        "EQUIVALENCE": tuple(EQUIVALENCES),
        "PREORDER": tuple(PREORDERS),
        "RELATION": tuple(COMPARED),
        "FORMULA": (*PROPERTIES, "deterministic"),
    }
    return tuple(row.choices) or known.get(row.value or "", ())


def suffixes(row: Option) -> tuple[str, ...]:
    """Return the suffixes of the files that the value of an option or argument may be."""
    return () if row.file == "written" else SUFFIXES.get(row.value or "", ())


def summary(row: Option) -> str:
    """Return the first part of an option's help."""
    return str(row.keywords["help"]).partition(";")[0].partition(" (")[0]


BASH_FUNCTIONS = """
_ltstool_reply() {
  local each
  while IFS= read -r each; do COMPREPLY+=("$prefix$each"); done < <(compgen -W "$1" -- "$cur")
}
_ltstool_files() {
  local each all=() fit=()
  while IFS= read -r each; do
    all+=("$prefix$each")
    if [[ -d $each || -z $1 || $each =~ \\.($1)$ ]]; then fit+=("$prefix$each"); fi
  done < <(compgen -f -- "$cur")
  if [ "${#fit[@]}" = 0 ]; then fit=("${all[@]}"); fi
  COMPREPLY+=("${fit[@]}")
}
_ltstool() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local options= words= command= suffixes= prefix= is_value= word
  COMPREPLY=()
  if [ "$cur" = "=" ]; then
    cur=
  elif [ "$prev" = "=" ]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == --*=* ]]; then
    prev=${cur%%=*} prefix=$prev= cur=${cur#*=}
  fi
""".strip()
"""An option and its value are one word or three, by COMP_WORDBREAKS. Names may contain blanks."""


def bash(commands: Commands) -> Iterator[str]:
    """Yield the lines for bash."""
    yield BASH_FUNCTIONS
    # Options of all commands may precede the command.
    yield '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield f"    case $word in {'|'.join(commands)}) command=$word; break ;; esac"
    yield "  done"
    yield '  if [ -z "$command" ]; then'
    first = " ".join([*commands, *first_options()])
    yield f'    _ltstool_reply "{first}"'
    yield "    return"
    yield "  fi"
    yield '  case "$command $prev" in'
    for name, (_, options, _, _) in commands.items():
        for option in options:
            cases = "|".join(f'"{name} {each}"' for each in option.names)
            if values(option):
                yield f'    {cases}) is_value=1 words="{" ".join(values(option))}" ;;'
            elif option.value is not None and not option.is_optional:
                yield f'    {cases}) is_value=1 suffixes="{"|".join(suffixes(option))}" ;;'
    yield "  esac"
    yield '  if [ -n "$words" ]; then'
    yield '    _ltstool_reply "$words"'
    yield "    return"
    yield '  elif [ -n "$is_value" ]; then'
    yield '    _ltstool_files "$suffixes"'
    yield "    return"
    yield "  fi"
    yield "  case $command in"
    for name, (_, options, words, endings) in commands.items():
        names = " ".join(each for option in options for each in option.names)
        known = f'options="{names}" words="{" ".join(words)}" suffixes="{"|".join(endings)}"'
        yield f"    {name}) {known} ;;"
    yield "  esac"
    yield "  case $cur in"
    yield '    -*) _ltstool_reply "$options" ;;'
    yield '    *) _ltstool_reply "$words"; _ltstool_files "$suffixes" ;;'
    yield "  esac"
    yield "}"
    yield "complete -o filenames -F _ltstool ltstool"


def zsh(commands: Commands) -> Iterator[str]:
    """Yield the lines for zsh."""
    yield "#compdef ltstool"
    yield "_ltstool() {"
    yield "  local -a commands"
    yield "  commands=("
    for name, (help, _, _, _) in commands.items():
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
    for name, (_, options, words, endings) in commands.items():
        specs = []
        for option in options:
            for each in option.names:
                text = summary(option).replace("[", "(").replace("]", ")").replace(":", " -")
                takes = option.value is not None or values(option)
                # `--option=value` and `--option value`
                spec = f"{each}{'=' if takes and each.startswith('--') else ''}[{text}]"
                if takes:
                    known = values(option)
                    action = f"({' '.join(known)})" if known else _zsh_files(suffixes(option))
                    spec += f":{option.value or option.names[-1].strip('-')}:{action}"
                specs.append(_single(spec))
        action = _zsh_files(endings)
        if words:
            action = f"{{compadd -- {' '.join(words)}; {action}}}"
        specs.append(_single(f"*:file or word:{action}"))
        yield f"    {name}) _arguments {' '.join(specs)} ;;"
    yield "  esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = _ltstool ]; then _ltstool "$@"; else compdef _ltstool ltstool; fi'


def _zsh_files(endings: tuple[str, ...]) -> str:
    """Return the action that completes files, those with some suffixes first."""
    # `(exp)` alone at the end of a pattern would be qualifiers.
    patterns = f"({'|'.join(endings)})" if len(endings) > 1 else "".join(endings)
    return f'_files -g "*.{patterns}"' if endings else "_files"


def fish(commands: Commands) -> Iterator[str]:
    """Yield the lines for fish."""
    # Options of all commands may precede the command.
    yield "function __ltstool_command"
    yield "  for word in (commandline -opc)[2..-1]"
    yield f"    if contains -- $word {' '.join(commands)}"
    yield "      echo $word"
    yield "      return"
    yield "    end"
    yield "  end"
    yield "  return 1"
    yield "end"
    yield "function __ltstool_is"
    yield "  test (__ltstool_command; or echo none) = $argv[1]"
    yield "end"
    none = "complete -c ltstool -n '__ltstool_is none' -f"
    for each in first_options():
        yield f"{none} {'-l' if each.startswith('--') else '-s'} {each.lstrip('-')}"
    for name, (help, options, words, endings) in commands.items():
        yield f"{none} -a {name} -d {_escaped(help)}"
        seen = f"complete -c ltstool -n '__ltstool_is {name}'"
        if words:
            yield f"{seen} {'' if endings else '-f '}-a {_escaped(' '.join(words))}"
        if endings:
            yield f"{seen} -k -f -a {_escaped(_fish_files(endings))}"
        for option in options:
            flags = "".join(
                f" -l {each[2:]}" if each.startswith("--") else f" -s {each[1:]}"
                for each in option.names
            )
            if values(option):
                flags += f" -x -a {_escaped(' '.join(values(option)))}"
            elif suffixes(option):
                flags += f" -x -k -a {_escaped(_fish_files(suffixes(option)))}"
            elif option.value is not None:
                flags += " -r"
            yield f"{seen}{flags} -d {_escaped(summary(option))}"


def _fish_files(endings: tuple[str, ...]) -> str:
    """Return the command that completes files, those with some suffixes first."""
    return f"(__fish_complete_suffix {' '.join(f'.{end}' for end in endings)})"


def _single(text: str) -> str:
    """Return a text quoted for POSIX shells."""
    quote = "'"
    return quote + text.replace(quote, "'\\''") + quote


def _escaped(text: str) -> str:
    """Return a text quoted for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[Commands], Iterator[str]]] = {"bash": bash, "fish": fish, "zsh": zsh}
