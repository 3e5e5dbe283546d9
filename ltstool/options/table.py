"""The table of options: how each is written, its help, and where it applies.

An option is an attribute of a small class; there is one class for each group of the help. The rows
also say where an option applies: `of` lists the kinds of systems that it is for, and `needs` the
options without which it has no effect. A command names the options that it takes (`request.Takes`),
its own changes to them, and the combinations that it refuses (`against`). The parser, `fits`, the
manual page, the completion and the tests of all options read this table, and nothing else defines
options.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, Self, dataclass_transform

from lts.base.bounds import CHOICES, SUM_VALUES
from lts.formats.names import FORMATS
from lts.formats.names import SPECIFICATIONS as TEXTS
from ltstool.shared.numbers import (
    assignment,
    natural_number,
    number_or_all,
    positive,
    seconds,
    size,
    thread_count,
)

SPECIFICATION, NETWORK, LTS_FILE = "a specification", "a network", "an LTS"
NET = "a net"
TEXTUAL = (SPECIFICATION, NETWORK)
"""Kinds of systems that are texts in one of the languages, or have components that are."""
EXPLORED = (*TEXTUAL, NET)
"""Kinds of systems whose state space has to be explored."""
ALL = (*EXPLORED, LTS_FILE)

SYSTEMS = {
    LTS_FILE: ".aut file",
    SPECIFICATION: "specification (.mcrl, .mcrl2, .lps)",
    NETWORK: "network (.exp)",
    NET: "Petri net (.pnml)",
}
"""All kinds of systems, with their names in the help."""
MAKE = {SPECIFICATION: "generate", NETWORK: "compose", NET: "generate"}
"""The command that generates an .aut file from each kind of system that has to be explored."""
USES = {
    LTS_FILE: {
        "info FILE": "prints an overview",
        "minimise FILE -e branching": "minimises it",
        "check FILE deadlock-free": "checks a property",
        "view FILE -o page.html": "writes a page for a browser",
    },
    SPECIFICATION: {
        "generate FILE -o out.aut": "generates its state space",
        "simulate FILE": "steps through it",
        "check FILE deadlock-free": "checks a property",
        "find-symmetry FILE": "finds its symmetries",
    },
    NETWORK: {
        "compose FILE -o out.aut": "generates its state space",
        "compose FILE --reduce branching -o out.aut": "minimises while composing",
        "check FILE deadlock-free": "checks a property",
    },
    NET: {
        "info FILE --symmetry auto": "counts its markings and steps",
        "generate FILE -o out.aut": "generates its state space",
        "check FILE properties.xml": "checks properties in the format of the contest",
        "find-symmetry FILE": "finds its symmetries",
    },
}
"""The commands for a file, by its kind."""


class Option(NamedTuple):
    """A row of the table. `flags` are the names of the option and its value: `[VALUE]` is optional,
    `VALUE...` can be repeated, and `one|other` lists all choices; of `[one|other]` the first is the
    value if none is given. A row without a name is a positional argument.

    `of` lists the kinds of systems that the option is for. If `needs` is not empty, one of these
    options is required, and `lacking` is the message if none is given. `file` says whether the
    value names a file that is `read` or `written`. `parsing` has further keywords for argparse.

    Rows are attributes of the classes of options. Of an instance to which no value was given, the
    attribute is the default: `absent`, in commands that do not take the option.
    """

    flags: str
    help: str = ""
    default: Any = None
    of: Collection[str] = ALL
    needs: Sequence[str] = ()
    lacking: str = ""
    file: str = ""
    parsing: Mapping[str, Any] = {}
    absent: Any = None

    def __get__(self, instance: object | None, owner: type) -> Any:
        return self if instance is None else self.absent

    @property
    def names(self) -> list[str]:
        """The names, short one first."""
        return [word for word in self.flags.split() if word.startswith("-")]

    @property
    def value(self) -> str | None:
        """The placeholder of the value, or of a positional argument."""
        return None if self.choices else self.shown or None

    @property
    def shown(self) -> str:
        """The placeholder of the value as the help shows it."""
        return self._last.removesuffix("...").strip("[]")

    @property
    def choices(self) -> list[str]:
        """The possible values, if they are a fixed set."""
        return self._last.strip("[]").split("|") if "|" in self._last else []

    @property
    def _last(self) -> str:
        last = self.flags.rpartition(" ")[2]
        return "" if last.startswith("-") else last

    @property
    def is_optional(self) -> bool:
        """Whether the option can be given without a value."""
        return self._last.startswith("[")

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords of `add_argument`."""
        help = self.help.replace("%(default)s", str(self.default))
        kind = VALUES.get(self.value or "", str)
        found: dict[str, Any] = {"help": help, "metavar": self.value, "type": kind}
        if self.choices:
            found["choices"] = self.choices
        if self.names and self.value is None and not self.choices:
            return {"help": help, "action": "store_true"}
        if self._last.endswith("..."):
            action = "extend" if kind in LISTS else "append"
            found |= {"action": action} if self.names else {"nargs": "+"}
        elif self.is_optional:
            found |= {"nargs": "?"} | ({"const": self.choices[0]} if self.choices else {})
        return {**found, **self.parsing}


def option(flags: str, help: str = "", **row: Any) -> Any:
    """Return the row of an option; keywords that are not columns of the table go to argparse.

    `absent` is its value in commands that do not take it, if that is not the default.
    """
    found = changed(Option(flags, help), **row)
    needed = " or ".join(f"--{name}" for name in found.needs)
    default = found.default
    if "default" not in row:
        is_switch = found.keywords.get("action") == "store_true"
        default = False if is_switch else () if "..." in flags else None
    return found._replace(
        lacking=found.lacking or f"needs {needed}",
        default=default,
        absent=row.get("absent", default),
    )


def changed(row: Option, **changes: Any) -> Option:
    """Return a row as changed by a command; keywords of argparse are merged."""
    known = {key: changes.pop(key) for key in [*changes] if key in Option._fields}
    return row._replace(parsing={**row.parsing, **changes}, **known)


def rows(kind: type) -> dict[str, Option]:
    """Return the options of a class, those of its base classes first."""
    return {
        name: row
        for base in reversed(kind.__mro__)
        for name, row in vars(base).items()
        if isinstance(row, Option)
    }


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Fields:
    """Attributes that the constructor is given, and that are never assigned; the class has the
    defaults of others."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"`{name}` cannot be assigned")

    def but(self, **changes: Any) -> Self:
        """Return a copy with other values of some attributes."""
        kind = type(self)
        known = {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }
        return kind(**known | changes)


AMERICAN = {"minimise": "minimize", "linearise": "linearize", "colour": "color"}
"""British spellings in names of commands and options, with the American ones, which are understood
as well."""


def british(word: str) -> str:
    """Return a command or an option in the spelling of the table.

    >>> british("minimize"), british("--color=never"), british("color.aut")
    ('minimise', '--colour=never', 'color.aut')
    """
    name, equals, value = word.partition("=")
    for ours, theirs in AMERICAN.items():
        if name == theirs:
            return ours
        if name.startswith("--"):
            name = "-".join(ours if part == theirs else part for part in name.split("-"))
    return f"{name}{equals}{value}"


def split_list(text: str) -> list[str]:
    """Split at commas outside brackets and quotes: `c2(d1,0),c3` are two."""
    parts, depth, quoted = [""], 0, False
    for c in text:
        if c == "," and depth == 0 and not quoted:
            parts.append("")
            continue
        parts[-1] += c
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth = max(0, depth + (c in "([{") - (c in ")]}"))
    return [part.strip() for part in parts if part.strip()]


def lts_format(text: str) -> str:
    """Return the name of a format of LTSs; refuse languages, which `--from` is not about."""
    suffix = f".{text.lower()}".replace(".mucrl", ".mcrl")
    if (kind := TEXTS.get(suffix)) is not None:
        given = f" or, on standard input, `--language {text}`" if kind == SPECIFICATION else ""
        raise ArgumentTypeError(
            f"`{text}` is the format of {kind}: its file name must end in {suffix}{given}"
        )
    return text


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise ArgumentTypeError(f"`{text}` has an empty name")
    return names


def _simplifications(text: str) -> list[str]:
    from lts.linear.simplify import SIMPLIFICATIONS

    kinds = list(SIMPLIFICATIONS) if text == "all" else text.split(",")
    if unknown := [kind for kind in kinds if kind not in SIMPLIFICATIONS]:
        raise ArgumentTypeError(f"unknown simplification `{unknown[0]}`")
    return kinds


LISTS = (split_list, _names, _simplifications)

VALUES: dict[str, Callable[[str], Any]] = {
    "A,B": split_list,
    "LABELS": split_list,
    "NAMES": _names,
    "KINDS": _simplifications,
    "NAME=NUMBER": assignment,
    "N": positive,
    "K": positive,
    "TIME": seconds,
    "SIZE": size,
}
"""Conversions of values, by their placeholder."""

_of_text = partial(option, of=TEXTUAL)
_of_lts = partial(option, of=(LTS_FILE,))
_of_group = partial(option, needs=("symmetry",))
_of_proof = partial(option, of=EXPLORED, needs=("symmetry",))
ACTION_GOALS = ("find", "multiaction")
"""The options that search for actions by their names."""
GOALS = ("deadlocks", "divergence", *ACTION_GOALS)
"""The options that say what to search for."""
ON_THE_FLY = tuple(name for name in GOALS if name != "divergence")
"""Those that are searched for while states are generated."""


def as_flags(names: Sequence[str]) -> str:
    """Return options in words, by the names of their fields.

    >>> as_flags(["deadlocks", "find", "multiaction"])
    '--deadlocks, --find or --multiaction'
    """
    *first, last = (f"--{name.replace('_', '-')}" for name in names)
    return f"{', '.join(first)} or {last}"


_of_search = partial(
    option,
    needs=GOALS,
    lacking=f"needs a search: add {as_flags(GOALS)}",
)
_of_partitions = partial(
    option, needs=("partitions", "cluster"), lacking="applies only to --partitions or --cluster"
)


class Reading(Fields):
    """The input systems, and how their labels and files are interpreted."""

    file: str | None = option("[FILE]", file="read")
    other: str | None = option("[OTHER]", file="read")
    tau: list[str] | None = option(
        "--tau LABELS",
        "internal labels, separated by commas (default: tau, or i if no label is tau; '' for none)",
    )
    tau_of_components: list[str] | None = option(
        "--tau LABELS",
        "internal labels of components, separated by commas (default: as the network specifies; "
        "'' for none)",
    )
    hide: Sequence[str] = option(
        "--hide A,B...",
        "make labels internal, separated by commas: action names, whole labels, or patterns for "
        "either with * and ?",
    )
    net_labels: str | None = option(
        "--labels id|name",
        "labels of a net begin with the identifiers of its transitions, or with their names "
        "(default: id, or name if all identifiers are generated, and all names exist and differ)",
        of=(NETWORK, NET),
    )
    net: str | None = option(
        "--net ID",
        "the net to read of a file that contains several, by its identifier",
        of=(NETWORK, NET),
    )
    as_such: bool = option(
        "--as-such",
        "read a reduction as the LTS in its file, with its rho-steps, instead of as the system "
        "that it stands for",
        of=(LTS_FILE, NETWORK),
    )
    salvage: bool = _of_lts(
        "--salvage",
        "accept an unfinished file: take the sizes from its content and drop a truncated last line",
    )
    format: str | None = _of_lts(
        f"--from {'|'.join(sorted(name for name, kind in FORMATS.items() if kind.is_read))}",
        "the format of the input (default: by the name of the file, else aut)",
        type=lts_format,
    )


class Text(Fields):
    """How a specification is read, including one that is a component of a network."""

    language: str | None = _of_text(
        "--language mucrl|mcrl2",
        "language of the specification (default: by the name of the file, else by its text)",
    )
    parameters: Sequence[tuple[str, int]] = _of_text(
        "--set NAME=NUMBER...",
        "set a parameter of the specification (`%%@ parameter`), or in mCRL2 a constant (`map "
        "N: Pos; eqn N = 3;`)",
    )
    strict: bool = _of_text(
        "--strict",
        "refuse communication that is not associative, closed terms that no equation fits, "
        "and parts of a network without effect",
    )
    ignore_time: bool = _of_text("--ignore-time", "ignore times in a specification in mCRL2")
    include_path: Sequence[str] = _of_text(
        "--include-path FOLDER...",
        "a further folder whose files `%%@ include`, and networks, may include; without it they "
        "must be below the folder of the text",
    )
    no_simplify: Sequence[str] = _of_text(
        "--no-simplify KINDS...",
        "leave out simplifications of the linear process, separated by commas: unreachable, "
        "constants, dead, unused, duplicates, or `all`",
    )
    confluence: bool = option(
        "--confluence",
        "leave out internal steps that the text proves to commute with all others; the result is "
        "equivalent modulo divergence-preserving branching bisimulation",
        of=(SPECIFICATION,),
    )


class Exploring(Fields):
    """Limits of an exploration, and its number of threads."""

    max_states: int | None = option(
        "--max-states N", "stop when there are more than N states (exit 3)", of=EXPLORED
    )
    max_values: int = _of_text(
        "--max-values N",
        "stop when a sum has more than N values in one state (exit 3; default: %(default)s)",
        default=SUM_VALUES.default,
    )
    partial: bool = option(
        "--partial",
        "write the states found so far if it stops early, marked unfinished (readers: --salvage)",
    )
    threads: int = option(
        "--threads N",
        "number of threads; the result does not depend on it (default: %(default)s)",
        default=1,
        type=thread_count,
    )


OF_SPECIFICATION = (
    "a permutation such as `(d1 d2 d3)`, or a symmetry file; for a specification also sorts "
    "whose values may be exchanged (`Pid,Data`), `auto` (all symmetries that can be found and "
    "proven), or `() with f` (values are moved by the map f)"
)
OF_NETWORK = (
    "a permutation of the network's labels, such as `(1 2)`, a symmetry file, or `auto`: all "
    "symmetries"
)


class Group(Fields):
    """A symmetry: its group, and how it is proven."""

    symmetry: str | None = option("--symmetry --permute S", OF_SPECIFICATION, file="read")
    other_symmetry: str | None = _of_group(
        "--other-symmetry S",
        "symmetry of B",
        lacking="is the symmetry file of B: --symmetry, that of A, is missing",
        file="read",
    )
    identities: Sequence[str] | None = _of_group(
        "--identities NAMES",
        "numbers of a specification in mCRL2 that serve only as identities, named by where they "
        "occur: `P.id,get.1` (default: those of `%%! identities` in the text, else all that are "
        "never used as numbers)",
        of=(SPECIFICATION,),
    )
    strategy: str | None = _of_proof(
        "--strategy enumerate|refine",
        "how representatives of a specification's orbits are chosen (default: depends on the "
        "group)",
    )
    symmetry_proof: str = _of_proof(
        "--symmetry-proof certificate|static|tested",
        "prove the symmetry from the text where possible, and otherwise by comparing the steps "
        "of all local situations with those of their images; from the text alone (static); or "
        "by comparison alone (tested) (default: %(default)s)",
        default="certificate",
    )
    proof_sample: int = _of_proof(
        "--proof-sample N",
        "also test in N states what was proven from the text (default: %(default)s; 0: no tests)",
        default=32,
        type=natural_number,
    )
    node_limit: int | None = _of_group(
        "--node-limit N",
        "most choices in a search for automorphisms or canonical images; for a specification, a "
        "canonical image that needs more is approximate: more states are explored, and merged "
        "at the end (default: %(default)s)",
        default=CHOICES.default,
        absent=None,
    )
    write_symmetry: str | None = _of_group(
        "--write-symmetry FILE",
        "symmetry file to write (default: OUT.sym)",
        file="written",
    )
    order: str = _of_group(
        "--order greedy|bfs",
        "store few states (greedy: visits all states of the original unless there are too "
        "many), or each transition when it is first found (bfs) (default: %(default)s)",
        default="greedy",
    )


class Composing(Fields):
    """Compositional minimisation: of the components of a network, then of their compositions."""

    reduce: str | None = option(
        "--reduce EQUIVALENCE",
        "strong, branching, divergence-preserving-branching or weak: write the minimal LTS",
    )
    preserve: str | None = option(
        "--preserve FORMULA",
        "hide the labels that a formula does not depend on, minimise modulo the weakest "
        "bisimulation that preserves it, and report which: the result is for `check` with this "
        "formula. Also @FILE or FILE.mcf",
    )
    nesting: str | None = option(
        "--order ORDER",
        "which parts are minimised, and when: `smart` (default: the most promising first), "
        "`node` (after each operator of the network), `leaf` (only components, so that the "
        "result is not minimal), `root` (only the result), `root leaf` (both), or components, "
        "counted from 1, in nested brackets: `((1 2) (3 4))`",
        needs=("reduce", "preserve"),
    )
    strong: Sequence[str] = option(
        "--strong A,B...",
        "with divergence-preserving branching bisimulation: labels whose steps must be matched "
        "by a single step, without internal steps before it (sharp bisimulation); named as for "
        "--hide",
        needs=("reduce",),
    )

    @property
    def is_requested(self) -> bool:
        """Whether compositional minimisation is requested."""
        return self.reduce is not None or self.preserve is not None


class Search(Fields):
    """A search for shortest traces."""

    deadlocks: bool = option("--deadlocks", "find deadlocks: states without transitions")
    divergence: bool = option(
        "--divergence",
        "find cycles of internal steps, in memory, once the states are generated or a limit is "
        "reached; a trace ends with one round of the cycle. `check FILE livelock-free` looks for "
        "one during the exploration",
    )
    find: Sequence[str] = option(
        "--find ACTION...",
        "find an action, by its name, as a whole label, or as a pattern with * and ?",
    )
    multiaction: Sequence[str] = option(
        "--multiaction LABEL...",
        "find a multi-action that consists of exactly these actions, in any order, with all their "
        "arguments as labels show them: `a(1)|b`; `c` is the action c alone",
    )
    traces: int | None = _of_search(
        "--traces N",
        "stop after N traces; `all` never stops (default: %(default)s)",
        default=1,
        type=number_or_all,
    )
    trace: str | None = _of_search(
        "--trace FILE",
        "write the trace to a file for `ltstool simulate --replay`; several are numbered",
        file="written",
    )

    @property
    def is_requested(self) -> bool:
        """Whether anything is searched for."""
        return self.has_goals or self.divergence

    @property
    def has_goals(self) -> bool:
        """Whether something is searched for while states are generated."""
        return any(getattr(self, name) for name in ON_THE_FLY)


class Partitions(Fields):
    """Work in partitions."""

    partitions: int | None = option(
        "--partitions K",
        "number of partitions (default: 1, or with --cluster the number of processors)",
    )
    cluster: str | None = option(
        "--cluster [ADDRESS]",
        "start a worker for each partition, on the Ray cluster at this address (`auto`: the one "
        "of this machine), or without an address on this machine alone",
        const="local",
    )
    resume: bool = _of_partitions(
        "--resume",
        "resume a run that was stopped, from its logs in OUT.run or NAME.run",
    )
    run: str | None = _of_partitions(
        "--run NAME",
        "keep the logs for --resume in NAME.run (default: NAME is OUT of -o OUT)",
    )


GROUPS = {
    "reading": (Reading, "input", ""),
    "text": (Text, "specifications", "including those that are components of a network"),
    "exploring": (Exploring, "exploration", "a run that reaches a limit ends with exit code 3"),
    "group": (
        Group,
        "symmetry",
        "one state of each orbit is explored; the symmetries are proven",
    ),
    "composing": (
        Composing,
        "reduction",
        "minimise the components first, then their compositions",
    ),
    "search": (
        Search,
        "search",
        "find shortest traces; exit code 0 if there are any, else 1. Transitions are written "
        "only with -o",
    ),
    "partitions": (
        Partitions,
        "partitions",
        "generate into a folder of parts (-o FOLDER.parts), minimise such a folder modulo "
        "strong, branching or divergence-preserving-branching bisimulation, or explore the "
        "orbits of a specification, a network or a net; the result does not depend on the number "
        "of partitions; with --max-memory they take turns, and data that do not fit are kept in "
        "files",
    ),
}
"""The groups as attributes of a request, with their classes, titles and texts in the help."""

SPECIFICATIONS = (
    *("language", "parameters", "strict", "ignore_time", "include_path", "no_simplify"),
)
FILES = ("tau", "as_such", "salvage", "format")
LIMITS = ("max_states", "max_values")
STATE_SPACE = (*SPECIFICATIONS, "net_labels", "net", *LIMITS, "threads")
PROOF = ("strategy", "symmetry_proof", "proof_sample")
SYMMETRY = ("symmetry", "identities", *PROOF)
SEARCH = (*GOALS, "traces", "trace")
IN_PARTITIONS = ("partitions", "cluster", "resume")
"""Sets of options that several commands take."""

OF_PARTS = {"needs": ("parts",), "lacking": "applies only to a folder of parts: -o FOLDER.parts"}
"""Changes to the rows of `IN_PARTITIONS` for commands that write a state space."""
NO_PARTS: dict[tuple[str, ...], str] = {
    (name, "parts"): f"cannot write a folder of parts (`ltstool {other}` can)"
    for name, other in (("symmetry", "reduce"), ("reduce", "convert"), ("preserve", "convert"))
}
"""Options without effect if a state space is written as a folder of parts."""

OF_ALL_STATES: dict[tuple[str, ...], str] = {
    ("divergence", name): "looks at all states in memory: use `ltstool check FILE livelock-free`"
    for name in ("symmetry", "partial", "parts")
}
"""Options that cannot be combined with `--divergence`."""

OF_RELATIONS = {
    "help": "stop (exit code 3) beyond N sets of states (trace relations), classes of states "
    "(simulations), or states or orbits of a specification",
    "of": ALL,
}
"""The row of `max_states` for commands that compare or minimise systems."""

SPEC = {"flags": "[SPEC]", "help": "muCRL or mCRL2 file, also .lps (default: standard input)"}
"""The row of `file` for commands that read a specification."""
