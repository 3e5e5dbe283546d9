"""Write docs/ltstool.1, the manual page, docs/commands.md, the reference of all commands, and
docs/limits.md, the table of bounds.

Run by `make manual`; a test fails if they are not current. The wheel installs the manual page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from lts.base.bounds import BOUNDS, Bound
from ltstool.options.parser import Command, command, command_names
from ltstool.options.table import ALL, Option

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "ltstool.1"
REFERENCE = ROOT / "docs" / "commands.md"
LIMITS = ROOT / "docs" / "limits.md"
HEAD = r"""
.\" Written by `make manual`.
.TH LTSTOOL 1 "" "ltstool" "User Commands"
.SH NAME
ltstool \- generate, reduce, minimise and compare labelled transition systems
.SH SYNOPSIS
.B ltstool
.I COMMAND
[\fIOPTION\fR ...]
.SH DESCRIPTION
A toolkit for labelled transition systems: it generates them from \(*mCRL and mCRL2
specifications and from networks, proves their symmetries, reduces them by symmetry, and minimises
and compares them modulo
the bisimulations of the field.
.PP
.B ltstool help
.I COMMAND
says the same of one command.
.SH "EXIT STATUS"
.TP
.B 0
yes, or done
.TP
.B 1
the answer is no
.TP
.B 2
wrong use or input
.TP
.B 3
a limit was reached, or something could not be proven
.TP
.B 70
a defect of the program
.TP
.B 130
interrupted, or told to end
.SH COMMANDS
"""


BEGINNING = """# Commands and options

Every command of `ltstool` with what it takes, as `ltstool help COMMAND` says it. This page is
written by `make manual`, from the table of options that the program reads. [The guide](guide.md)
shows how commands are put together.
"""

LIMITS_BEGINNING = """# Limits

How large an input may be, and how much work it may cause, before ltstool stops with a message.
There is a row for each bound whose excess is reported: by an error (exit code 2), by a limit (exit
code 3, `LimitReached` in the library), or by a note on what was left out. The option, if there is
one, sets another bound for a run; in the library, parameters do. This page is written by
`make manual`, from the table that the program reads, `lts/base/bounds.py`.
[When something goes wrong](troubleshooting.md#it-is-too-big-or-does-not-end) says what to do about
a system that is too large, and the [threat model](threat-model.md#what-each-limit-protects) what to
set on files of others.
"""


def main() -> int:
    """Write all three files."""
    PAGE.write_text(page(), encoding="utf-8")
    REFERENCE.write_text(reference(), encoding="utf-8")
    LIMITS.write_text(limits(), encoding="utf-8")
    return 0


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD.lstrip("\n")]
    for name in command_names():
        parts += written(name, command(name))
    return "".join(parts)


def written(name: str, module: Command) -> Iterator[str]:
    """Yield the lines about a command."""
    rows = module.TAKES.rows.values()
    words = " ".join(f"\\fI{escaped(row.shown)}\\fR" for row in rows if not row.names)
    yield f".SS \\fB{name}\\fR {words} [\\fIOPTION\\fR ...]\n"
    yield f"{line(module.HELP)}\n"
    for row in rows:
        names = ", ".join(f"\\fB{escaped(each)}\\fR" for each in row.names)
        value = f"\\fI{escaped(row.shown)}\\fR" if row.shown else ""
        yield f".TP\n{f'{names} {value}'.strip()}\n{line(row.keywords['help'] % {} + fits(row))}\n"
    shown = "\n.br\n".join(line(f"ltstool {example}") for example in module.EXAMPLES)
    yield f".PP\nExamples:\n.RS\n{shown}\n.RE\n"


def reference() -> str:
    """Return the text of docs/commands.md."""
    parts = [BEGINNING]
    for name in command_names():
        parts += described(name, command(name))
    return "".join(parts)


def described(name: str, module: Command) -> Iterator[str]:
    """Yield the lines about a command in docs/commands.md."""
    rows = module.TAKES.rows.values()
    words = "".join(f" {row.shown}" for row in rows if not row.names)
    yield f"\n## `{name}`\n\n`ltstool {name}{words} [OPTION ...]`: {module.HELP}.\n\n"
    yield "| option | what it does |\n|---|---|\n"
    for row in rows:
        value = f" {row.shown}" if row.names and row.shown else ""
        names = ", ".join(f"`{each}{value}`" for each in row.names or [row.shown])
        yield f"| {cell(names)} | {cell(row.keywords['help'] % {} + fits(row))} |\n"
    examples = "".join(f"ltstool {example}\n" for example in module.EXAMPLES)
    yield f"\n```text\n{examples}```\n"


def limits() -> str:
    """Return the text of docs/limits.md."""
    parts = [LIMITS_BEGINNING]
    for room, bounds in groupby(BOUNDS, lambda bound: bound.room):
        parts.append(
            f"\n## {room}\n\n| bound on | at most | option | reason |\n|---|---|---|---|\n"
        )
        parts += map(bounded, bounds)
    return "".join(parts)


def bounded(bound: Bound) -> str:
    """Return the row of a bound."""
    most = f"{bound.default // bound.scale:,} {bound.what}" if bound.default else "no bound"
    option = f"`{bound.option}`" if bound.option else ""
    return f"| {cell(bound.name)} | {most} | {option} | {cell(bound.why)} |\n"


def cell(text: str) -> str:
    """Return a text escaped for a table of Markdown."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def fits(row: Option) -> str:
    """Return the systems that an option is for, and the options that it needs."""
    found = "" if {*row.of} == {*ALL} else f"; for {' or '.join(row.of)}"
    needed = [f"--{name}" for name in row.needs if name in ("symmetry", "reduce")]
    return found + (f"; needs {' or '.join(needed)}" if needed else "")


def line(text: str) -> str:
    """Return a text escaped so that its line is not a roff request."""
    found = escaped(re.sub(r"\s+", " ", text))
    return f"\\&{found}" if found.startswith((".", "'")) else found


def escaped(text: str) -> str:
    """Return a text escaped so that roff prints it unchanged."""
    signs = {"\\": "\\e", "-": "\\-", "`": "\\(ga", "'": "\\(aq", "~": "\\(ti", "^": "\\(ha"}
    return "".join(signs.get(c, c if c.isascii() else f"\\[u{ord(c):04X}]") for c in text)


if __name__ == "__main__":
    sys.exit(main())
