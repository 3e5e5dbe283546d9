"""Every command, on every kind of input, with every option that it takes: the answer is that on
the plain .aut file, or the option is refused by its name. There is nothing third.

Options are those of the parser: one that has no row in the table fails. They are chosen so that the
answer changes where it can, which is looked at on the .aut file.
"""

import argparse
import collections
import io
import json
import re
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

import aut_format
import lts
from lts import ReductionWarning
from lts.equivalence import minimise
from lts.symmetry import expand, parse_symmetry_file
from ltstool.main import main
from ltstool.options.parser import build_parser, command, command_names
from ltstool.options.table import LTS_FILE, NETWORK, SPECIFICATION
from option_table import COMMANDS, ELSEWHERE, KINDS, OPTIONS, SPECIAL, TEXTS
from page_contents import content, rows


class Ran(NamedTuple):
    code: int
    answer: object
    reported: str

    def is_like(self, other):
        return (self.code, self.answer) == (other.code, other.answer)


def start(words, stdin=None):
    """Run the program in this process: exit code, and what it printed and told."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    given = b"" if stdin is None else Path(stdin).read_bytes()
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(given)), out, err
    try:
        code = main(words)
    except SystemExit as ended:
        code = ended.code
    finally:
        out.flush()
        sys.stdin, sys.stdout, sys.stderr = streams
    return code, out.buffer.getvalue(), err.getvalue()


class Matrix:
    """The files of all kinds, and how commands are run on them."""

    def __init__(self, folder):
        self.folder = folder
        self.known = {}
        for name, text in TEXTS.items():
            (folder / name).write_text(text)
        for words in (
            ["generate", "m.mcrl", "-o", "m.aut"],
            ["generate", "m.mcrl", "--set", "N=2", "-o", "m2.aut"],
            ["generate", "m4.mcrl", "-o", "m4.aut"],
            ["generate", "m.mcrl", "--confluence", "-o", "less.aut"],
            ["reduce", "m.mcrl", "--symmetry", "(d1 d2)", "-o", "r.aut"],
            ["convert", "m.aut", "m.parts", "--partitions", "2"],
            ["convert", "--as-such", "r.aut", "bare.aut"],
        ):
            assert start(words)[0] == 0, words
        whole = (folder / "m.aut").read_text()
        (folder / "m.fsm").write_text(whole)
        cut = whole.partition("\n")[2] + '(3,"go'
        (folder / "cut.aut").write_text(f"des (0,0,0)\n{cut}")
        (folder / "r.fsm").write_bytes((folder / "r.aut").read_bytes())
        (folder / "r.fsm.sym").write_bytes((folder / "r.aut.sym").read_bytes())
        (folder / "m4.exp").write_text("m4.aut ||| nothing.aut\n")
        (folder / "nothing.aut").write_text("des (0,0,1)\n")
        (folder / "m.trace").write_text("pick(d1)\n")

    def run(self, command, file, words=()):
        """Run a command on a file, with words more, or return what came of that before."""
        key = (command, file, *words)
        if key not in self.known:
            for path in self.folder.glob("OUT*"):
                path.unlink()
            base = COMMANDS[command]
            place = file.removeprefix("< ")
            is_piped = place != file
            given = [
                ("-" if is_piped else file) if word == "FILE" else word for word in (*base, *words)
            ]
            if is_piped and not place.endswith(".aut") and "--language" not in words:
                given += ["--language", "mucrl"]
            name = command.partition(" ")[0]
            code, out, reported = start([name, *given], place if is_piped else None)
            answer = self.answer(name, out) if code in (0, 1) else None
            reported += out.decode() if name == "simulate" else ""
            self.known[key] = Ran(code, answer, reported)
        return self.known[key]

    def right(self, command, taken, names, row, kind):
        """Return what is right on a kind of input, if the option is not refused there."""
        if row.kind == "wrong":
            return Ran(2, None, "")
        # Commands that take no .aut file are held to the first kind that they take.
        plain = row.likes.get(kind, row.like)
        plain = plain if ".aut" in taken else KINDS[min(taken, key=[*KINDS].index)]
        if row.kind != "seen" and command in ("generate", "compose"):
            return self.run("convert", row.like)
        found = self.run(command, plain, row.words if row.kind == "seen" else ())
        # What is only for others must not change what they have.
        return self.run(command, plain) if is_refused(found, names) else found

    def answer(self, name, out):
        """Return what an answer says, without the numbers of states."""
        written = self.folder / "OUT"
        if name != "reduce" and written.exists():
            out = written.read_bytes()
        match name:
            case "check" | "compare" | "check-symmetry":
                kept = ("holds", "equivalent", "refines", "symmetric", "states")
                found = json.loads(out)
                return {key: found[key] for key in kept if key in found and name != "check"} or (
                    found["holds"]
                )
            case "find-symmetry":
                return int(re.findall(r"order\W+(\d+)", out.decode())[0])
            case "info":
                found = json.loads(out)
                nearest = [len(each["trace"]) for each in found.pop("nearest_deadlocks", ())]
                return {**found, "initial": 0, "nearest": nearest, "files": 0, "proof": ""}
            case "view":
                pages = [content(page.read_bytes()) for page in self.folder.glob("OUT*")]
                return [self.shown(page["systems"][0]) for page in pages]
            case "reduce" if out.startswith(b"{"):
                return {**json.loads(out), "proof": ""}  # a text proves more than a system
            case "split":
                return json.loads(out)
            case "linearise":
                return self.of_system(aut_format.dumps(lts.generate(out.decode())))
            case "simulate":
                lines = [re.sub(r"^ *\d+ +", "", line) for line in out.decode().splitlines()]
                return sorted(line.split()[0] for line in lines if line[:1].isalpha())
        if b"digraph" in out:
            text = out.decode()
            return sorted(re.findall(r"-> \S+ (\[.*\])", text)), text.count("shape=circle")
        return self.of_system(out or written.read_bytes()) if out or written.exists() else out

    def of_system(self, text):
        """Return what a written system is, of a reduction its original, of a process what it
        generates."""
        if text.startswith(b"% The orbits"):
            text = aut_format.dumps(lts.generate(text.decode()))
        if not text.startswith(b"des"):
            return text
        with warnings.catch_warnings(action="ignore", category=ReductionWarning):
            system = aut_format.loads(text)
        beside = [self.folder / name for name in ("OUT.own", "OUT.sym")]
        if found := [file for file in beside if file.exists()]:
            system = expand(system, parse_symmetry_file(found[0].read_text()))
        least = aut_format.dumps(minimise(system.with_internal([]), "strong"))
        return system.state_count, system.transition_count - system.duplicate_count, least

    @staticmethod
    def shown(system):
        """Return what a page shows of a system."""
        labels = collections.Counter(label for _, label, _ in rows(system))
        internal = [system["labels"][number] for number in system["internal"]]
        names = {each["name"] for each in system["colourings"]}
        return labels, sorted(internal), names - {"strong blocks"}


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("matrix")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield Matrix(folder)


def is_refused(found, names):
    """Whether an option is refused by its name."""
    return found.code == 2 and any(name in found.reported for name in names)


def options_of(name):
    """Return the options of a command's parser, by their last names, with all of them."""
    [choices] = (
        a.choices for a in build_parser(name)._actions if isinstance(a, argparse._SubParsersAction)
    )
    found = (action.option_strings for action in choices[name]._actions if action.option_strings)
    return {names[-1]: names for names in found}


def rows_of(command):
    """Yield the options of a command with their names and rows."""
    for option, names in options_of(command.partition(" ")[0]).items():
        if option not in ELSEWHERE:
            row = SPECIAL.get((command, option), OPTIONS.get(option))
            if row is None and f"{command} {option}" in COMMANDS:
                continue  # another result, which is looked at as a command of its own
            assert row is not None, f"{option} of {command}: add a row to OPTIONS of option_table"
            yield option, names, row


def test_every_command_is_in_the_matrix():
    known = {command.partition(" ")[0] for command in COMMANDS}
    assert known == set(command_names()), "COMMANDS of option_table has the arguments of each"


READING = [command for command, words in COMMANDS.items() if words]


@pytest.mark.parametrize("command", READING)
def test_every_option_on_every_kind_of_input(command, matrix):
    wrong = []
    taken = {kind for kind, file in KINDS.items() if matrix.run(command, file).code in (0, 1)}
    for option, names, row in rows_of(command):
        for kind in KINDS:
            found = matrix.run(command, row.instead.get(kind, KINDS[kind]), row.words)
            right = matrix.right(command, taken, names, row, kind)
            refused = is_refused(found, names) or (kind not in taken and found.code == 2)
            limited = row.kind == "limit" and (found.code == 3 or names[-1] in found.reported)
            if not (refused or limited or found.is_like(right)):
                wrong.append(f"{option}, {kind}\n  {found}\n  {right}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("command", READING)
def test_options_change_the_answer(command, matrix):
    idle = []
    for option, _, row in rows_of(command):
        if row.kind == "seen":
            plain = KINDS[next(k for k in KINDS if matrix.run(command, KINDS[k]).code in (0, 1))]
            plain = "m.aut" if matrix.run(command, "m.aut").code in (0, 1) else plain
            if matrix.run(command, plain).is_like(matrix.run(command, plain, row.words)):
                idle.append(option)
    assert not idle, f"{idle}: without effect on {command}; leave out, or add a row to SPECIAL"


OF_KINDS = {
    "muCRL": SPECIFICATION,
    "mCRL2": SPECIFICATION,
    "muCRL on stdin": SPECIFICATION,
    "network": NETWORK,
}


@pytest.mark.parametrize("name", READING)
def test_options_are_refused_exactly_where_inapplicable(name, matrix):
    """It is refused where none of what is read is what it is for, and nowhere else."""
    wrong = []
    takes = command(name.partition(" ")[0]).TAKES
    taken = [kind for kind, file in KINDS.items() if matrix.run(name, file).code in (0, 1)]
    beside = {
        NETWORK if word.endswith(".exp") else LTS_FILE for word in COMMANDS[name] if "m4." in word
    }
    table = {row.names[-1]: row for row in takes.rows.values() if row.names}
    for option, names, row in rows_of(name):
        for kind in taken:
            found = matrix.run(name, row.instead.get(kind, KINDS[kind]), row.words)
            # What comes through a pipe is what `--language` makes of it.
            piped = option == "--language" and kind == "stdin"
            read = {SPECIFICATION if piped else OF_KINDS.get(kind, LTS_FILE), *beside}
            is_said = any(f"{each} applies to" in found.reported for each in names)
            is_said = is_said and "but the input is" in found.reported
            if is_said != read.isdisjoint(table[option].of):
                wrong.append(f"{option}, {kind}\n  {found}")
    assert not wrong, "\n".join(wrong)
