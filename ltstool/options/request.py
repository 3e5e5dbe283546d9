"""A request: the options of a command line in small frozen parts, and behaviour common to all
commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lts.base.bounds import CHOICES
from lts.formats.names import kind_of_file
from ltstool.options.table import (
    EXPLORED,
    GROUPS,
    LTS_FILE,
    NET,
    SPECIFICATION,
    SYSTEMS,
    Composing,
    Exploring,
    Fields,
    Group,
    Option,
    Partitions,
    Reading,
    Search,
    Text,
    changed,
    option,
    rows,
)
from ltstool.shared.files import is_standard, is_xml_given, symmetry_file
from ltstool.shared.limits import Watch
from ltstool.shared.progress import Progress
from ltstool.shared.shown import rounded
from ltstool.shared.streams import message

if TYPE_CHECKING:
    from lts.state_space.settings import Limits, Settings


REDUCTION, TEXT = "a reduction", "a text"
"""Kinds of output of commands other than an LTS."""

RHO = "rho"
"""The kind of process whose state space is a reduction."""

COMMON, LIMITS = ("quiet", "progress_lines", "json", "debug", "colour"), ("timeout", "max_memory")
"""The options of all commands: at the beginning and at the end of the help."""

NOTHING_FOUND = {"states": 0, "transitions": 0, "levels": 0, "deadlocks": 0}
"""The sizes reported if a limit is exceeded before an exploration starts."""


class Request(Fields):
    """A parsed command line. Commands with options of their own extend this class."""

    takes: Takes
    values: Mapping[str, Any]
    """The values of all options of the command."""
    given: Mapping[str, str]
    """The options given on the command line, as written there."""
    read: list[str]
    """The files that are read, as far as known."""
    watch: Watch
    progress: Progress
    reading = Reading()
    text = Text()
    exploring = Exploring()
    group = Group()
    composing = Composing()
    search = Search()
    partitions = Partitions()
    quiet: bool = option("-q --quiet", "no progress, notes or warnings")
    progress_lines: bool = option(
        "--progress",
        "show progress even if standard error is no terminal: a line every 30 seconds",
    )
    json: bool = option("--json", "results as JSON on standard output")
    debug: bool = option("--debug", "show the traceback of an error")
    colour: str = option(
        "--colour auto|always|never",
        "colour `error`, `warning` and `note` (default: on a terminal, unless NO_COLOR is set)",
        default="auto",
    )
    verbose: bool = option(
        "-v --verbose", "print time, memory and sizes on standard error at the end"
    )
    output: str | None = option("-o --output OUT", "default: standard output", file="written")
    certificate: str | None = option(
        "--certificate FILE",
        "write a certificate of the result, which `python -m lts_verifier` checks from the .aut "
        "files alone",
        of=(LTS_FILE,),
        file="written",
    )
    timeout: float | None = option(
        "--timeout TIME", "stop after this time, such as 90 (seconds), 10s, 5m or 2h"
    )
    max_memory: int | None = option(
        "--max-memory SIZE", "stop when memory exceeds SIZE, such as 500M or 4G"
    )

    @property
    def systems(self) -> list[str | None]:
        """The systems that are read; None is standard input."""
        if not self.takes.reads:
            return []
        return [self.reading.file, *filter(None, [self.reading.other])]

    def kind(self, file: str | None) -> str:
        """Return the kind of a system: by its name, for standard input and names without a known
        suffix by `--language`, otherwise the kind that the command reads. XML on standard input is
        a net, unless `--from` names another format."""
        others = self.takes.reads_lts_and_others
        if is_standard(file):
            is_text = self.text.language is not None and SPECIFICATION in self.takes.reads
            found = SPECIFICATION if is_text else None
            if not is_text and self.reading.format is None and NET in self.takes.reads:
                found = NET if is_xml_given() else None
        elif self.reading.format is not None and not others:
            found = None  # whatever the name is
        elif self.text.language is not None and not others:
            found = None
        else:
            found = kind_of_file(str(file))
            if found is None and self.text.language is not None:
                found = SPECIFICATION if SPECIFICATION in self.takes.reads else None
        return found or (LTS_FILE if others else self.takes.reads[0])

    def is_explored(self, file: str | None) -> bool:
        """Whether the state space of a system must be explored: it is no LTS."""
        return self.kind(file) in EXPLORED

    @property
    def symmetry(self) -> str:
        """The value of `--symmetry`; empty if it is not given."""
        return self.group.symmetry or ""

    @property
    def node_limit(self) -> int:
        """Limit on the choices in a search for automorphisms."""
        return self.group.node_limit or CHOICES.default

    @property
    def searches(self) -> bool:
        """Whether something is searched for, so that the exit code says whether it was found."""
        return self.search.is_requested

    @property
    def target(self) -> str | None:
        """The file that the system is written to."""
        return self.output

    @property
    def writes(self) -> bool:
        """Whether a system is written: not during a search unless a name is given, and not if it is
        only counted."""
        if not self.takes.writes or self.values.get("count"):
            return False
        return not self.searches or self.output is not None

    @property
    def writes_text(self) -> bool:
        """Whether a text is written, of a process or something else, and no system."""
        return self.takes.writes == TEXT or bool(self.values.get("as_process"))

    @property
    def outputs(self) -> list[str]:
        """The files to be written that the command line names, or whose names follow from it."""
        rows = self.takes.rows
        found = [self.values[name] for name in rows if rows[name].file == "written"]
        own = self.group.write_symmetry
        has_symmetry = not self.writes_text or self.values.get("as_process") == RHO
        if "write_symmetry" in rows and own is None and has_symmetry:
            found += [] if is_standard(self.output) else [symmetry_file(self.output)]
        return [file for file in found if not is_standard(file)]

    def note(self, text: str) -> None:
        """Print information about the result on standard error, long numbers rounded; silent with
        `-q`."""
        if not self.quiet:
            message("note", rounded(text))

    def warn(self, text: str) -> None:
        """Print a warning on standard error: the result may not be the intended one; silent with
        `-q`."""
        if not self.quiet:
            message("warning", text)

    def say(self, facts: object, text: str) -> None:
        """Print a result, as JSON if requested, else as text. It is flushed, so that it precedes
        remarks that go to the same file."""
        if self.json:
            import json

            text = json.dumps(facts)
        print(text, flush=True)

    def written(self, **facts: Any) -> None:
        """Print facts about the output, with `--json`."""
        if self.json:
            self.say(facts, "")

    @contextmanager
    def phase(self, text: str) -> Iterator[None]:
        """Show a description of the work inside the context, once it has taken a while; a limit
        that is exceeded meanwhile names it."""
        with self.watch.doing(text), self.progress.phase(text):
            yield

    @property
    def limits(self) -> Limits:
        """The limits of an exploration."""
        return self.watch.limits(self.exploring.max_states, self.exploring.max_values)

    @contextmanager
    def exploration(
        self, *, partial: bool = False, group: bool = False, shown: bool = True
    ) -> Iterator[Settings]:
        """Yield the settings of an exploration, which observes limits itself and, if `shown`,
        reports progress; for an exploration under a `group`, including the settings of the
        proof."""
        from dataclasses import replace

        from lts.state_space.settings import Settings

        settings = Settings(limits=self.limits, threads=self.exploring.threads)
        if group:
            settings = replace(
                settings,
                strategy=self.group.strategy,
                proof=self.group.symmetry_proof,
                sample=self.group.proof_sample,
                node_limit=self.group.node_limit,
            )
        with self.watch.engine_first(partial=partial):
            if not shown:
                yield settings
                return
            with self.progress.exploration() as progress:
                yield replace(settings, progress=progress)


class Takes(Fields):
    """The interface of a command: the kinds of systems it `reads`, what it `writes`, and the names
    of its `options`, in the order of the help.

    `changed` has the columns of rows that differ for this command, `about` the titles and texts of
    groups in the help. `against` has refused combinations: an option, others given with it, and why
    it has no effect there. Besides options, three names stand for effects of options: `parts`, a
    folder of parts is written; `search`, something is searched for; `quotient`, there is a symmetry
    and no search. Exactly one of `one_of` is required. `answers` says that exit code 1 answers
    another question than whether there is a symmetry.
    """

    request: type[Request] = Request
    reads: Sequence[str] = ()
    writes: str = ""
    options: Sequence[str]
    changed: Mapping[str, Mapping[str, Any]] = {}
    about: Mapping[str, tuple[str, str]] = {}
    against: Mapping[tuple[str, ...], str] = {}
    one_of: Sequence[str] = ()
    answers: bool = False
    talks: bool = False
    """Whether the command is interactive, so that no progress is shown."""
    asks_symmetry: bool = False
    """Whether the command asks if there is a symmetry, so that the identity is not an answer."""

    @property
    def reads_lts_and_others(self) -> bool:
        """Whether a file may be an LTS or something else; a name says which."""
        return LTS_FILE in self.reads and len(self.reads) > 1

    @cached_property
    def known(self) -> dict[str, str]:
        """The group of every option of this command; empty for the command's own."""
        own = dict.fromkeys(rows(self.request), "")
        return {name: key for key, (kind, *_) in GROUPS.items() for name in rows(kind)} | own

    @cached_property
    def rows(self) -> dict[str, Option]:
        """The rows of the options, with the changes for this command."""
        table = {name: row for kind, *_ in GROUPS.values() for name, row in rows(kind).items()}
        table |= rows(self.request)
        names = (*COMMON, *self.options, *LIMITS)
        found = {name: changed(table[name], **self.changed.get(name, {})) for name in names}
        for name in {"file", "other"} & found.keys():
            found[name] = changed(found[name], help=found[name].help or self._systems())
        return found

    def _written(self, name: str, words: Sequence[str]) -> str:
        """Return an option as it is written on the command line."""
        names = self.rows[name].names or [name]
        there = {word.partition("=")[0] for word in words}
        return next((each for each in names if each in there), names[0])

    def _systems(self) -> str:
        """Return the kinds of systems that can be read, for the help."""
        names = [SYSTEMS[kind] for kind in SYSTEMS if kind in self.reads]
        *first, last = names
        comma = "," if len(first) > 1 else ""
        shown = f"{', '.join(first)}{comma} or {last}" if first else last
        is_needed = not self.changed.get("file", {}).get("flags", "[").startswith("[")
        return f"{shown} ({'`-`' if is_needed else 'default'}: standard input)"

    def made(self, values: Mapping[str, Any], words: Sequence[str]) -> Request:
        """Return the request of a command line with these values of options."""
        every = {name: row.default for name, row in self.rows.items()} | dict(values)
        parts: dict[str, dict[str, Any]] = {"": {}}
        for name, value in every.items():
            parts.setdefault(self.known[name], {})[name] = value
        own = parts.pop("")
        # Orbits and minimised components are reported with other numbers.
        is_plain = all(every.get(name) is None for name in ("symmetry", "reduce", "preserve"))
        at_start = NOTHING_FOUND if "partial" in every and is_plain else {}
        return self.request(
            takes=self,
            values=every,
            read=[],
            given={name: self._written(name, words) for name in values},
            watch=Watch(every["timeout"], every["max_memory"], at_start),
            progress=Progress(
                enabled=not (every["quiet"] or self.talks), lines=every["progress_lines"]
            ),
            **{key: GROUPS[key][0](**found) for key, found in parts.items()},
            **own,
        )


def is_parts(file: str | None) -> bool:
    """Whether a name is that of a folder of parts."""
    return file is not None and file.rstrip("/").lower().endswith(".parts")
