"""Write docs/ltstool.1, the manual page: what each command takes, as its help says.

Run by `make manual`; a test says if the page is not current. The wheel installs it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from ltstool.parser import build_parser, command_names

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "ltstool.1"
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


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD.lstrip("\n")]
    for name in command_names():
        whole = build_parser(name)
        parts += command(name, _commands(whole)[name])
    return "".join(parts)


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (found,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


def command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines on a command."""
    words = " ".join(
        f"\\fI{escaped(_metavar(action))}\\fR"
        for action in parser._actions
        if not action.option_strings
    )
    yield f".SS \\fB{name}\\fR {words} [\\fIOPTION\\fR ...]\n"
    yield f"{line(parser.description or '')}\n"
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
            continue
        yield f".TP\n{_head(action)}\n{line(_help(action, parser))}\n"
    examples = (parser.epilog or "").partition("examples:\n")[2]
    if examples:
        shown = "\n.br\n".join(line(example.strip()) for example in examples.splitlines())
        yield f".PP\nExamples:\n.RS\n{shown}\n.RE\n"


def _head(action: argparse.Action) -> str:
    """Return how an argument is written."""
    value = "" if action.nargs == 0 else f"\\fI{escaped(_metavar(action))}\\fR"
    if not action.option_strings:
        return value
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in action.option_strings)
    return f"{names} {value}".rstrip()


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper()


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    known = {**vars(action), "prog": parser.prog}
    return (action.help or "") % {key: value for key, value in known.items() if value is not None}


def line(text: str) -> str:
    """Return a text as a line that begins no request."""
    found = escaped(re.sub(r"\s+", " ", text))
    return f"\\&{found}" if found.startswith((".", "'")) else found


def escaped(text: str) -> str:
    """Return a text that roff prints as it is."""
    signs = {"\\": "\\e", "-": "\\-", "`": "\\(ga", "'": "\\(aq", "~": "\\(ti", "^": "\\(ha"}
    return "".join(signs.get(c, c if c.isascii() else f"\\[u{ord(c):04X}]") for c in text)


if __name__ == "__main__":
    sys.exit(main())
