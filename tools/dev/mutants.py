"""Change the core a little, many times, and see whether a test notices: `make mutants`.

Everything happens in a copy in a temporary folder. Rooms take turns, and the changes of a room come
in an order that the seed decides. For Python the room's tests that run the changed line are run,
the quick ones first, as many as take a minute together; then the types are looked at. For Rust,
whose changes are those of cargo-mutants, the engine's tests of the room are run, then, with the
engine built again, the quick ones of the Python tests of the room. A change that passes them all is
a survivor. docs/mutants.md lists those that nothing can notice; any other makes the exit code 1.
What is changed is in `changes.py`, what becomes of it in `trial.py`.
"""

from __future__ import annotations

import argparse
import difflib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

from changes import Change, python_changes
from trial import Copy

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {
    "lts/linear": ("tests/linear", "tests/mucrl", "tests/mcrl2"),
    "lts/mcrl2/data": ("tests/mcrl2",),
    "lts/mcrl2/identities": ("tests/mcrl2", "tests/symmetry/data"),
    "lts/symmetry/permutation": ("tests/symmetry",),
    "lts/symmetry/labels": ("tests/symmetry",),
    "lts/symmetry/data": ("tests/symmetry",),
    "lts/symmetry/reduction": ("tests/symmetry",),
    "lts/logic": ("tests/logic",),
    "lts/network": ("tests/network",),
    "engine/src/bisimulation": ("tests/equivalence",),
    "engine/src/data": ("tests/mucrl", "tests/mcrl2"),
    "engine/src/group": ("tests/symmetry",),
    "engine/src/symmetry": ("tests/symmetry",),
    "engine/src/orbit_exploration": ("tests/symmetry",),
    "engine/src/preorder": ("tests/equivalence",),
    "engine/src/parity_game": ("tests/logic",),
    "engine/src/lpe": ("tests/mucrl",),
}
"""The rooms whose code is changed, and the Python tests of each."""
KNOWN = ROOT / "docs" / "mutants.md"


def called(name: str) -> list[str]:
    """Return the rooms of this name, or whose names end with it: `data` is several."""
    found = [room for room in ROOMS if f"/{room}".endswith(f"/{name}")]
    if not found:
        raise argparse.ArgumentTypeError(f"`{name}` is none of {', '.join(ROOMS)}")
    return found


def changes(room: str) -> list[Change]:
    """Return all changes of a room."""
    if not room.startswith("engine"):
        files = sorted((ROOT / room).rglob("*.py"))
        return [c for f in files for c in python_changes(str(f.relative_to(ROOT)), f.read_bytes())]
    folder = room.removeprefix("engine/")
    command = ["cargo", "mutants", "--list", "--json", "--file", f"{folder}/**"]
    told = subprocess.run(command, cwd=ROOT / "engine", check=True, stdout=subprocess.PIPE).stdout
    found = []
    for one in json.loads(told):
        file, span = f"engine/{one['file']}", one["span"]
        rows = (ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
        start, end = (_offset(rows, **span[name]) for name in ("start", "end"))
        found.append(Change(file, start, end, one["replacement"].encode()))
    return [
        change for change in found if not says_little((ROOT / change.file).read_bytes(), change)
    ]


_BESIDE = re.compile(rb"\s*[A-Z][A-Z0-9_]+\b(?!::)")


def says_little(source: bytes, change: Change) -> bool:
    """Whether a change of Rust is one of those that are left alone in Python, too: what is compared
    with a constant may be equal to it. And `^` for `|` shows no more than `&` does, which is tried:
    flags are there or not."""
    old = source[change.start : change.end]
    if (old, change.new) == (b"|", b"^"):
        return True
    if {old, change.new} not in ({b"<", b"<="}, {b">", b">="}):
        return False
    before = source[: change.start].split()[-1:]
    named = before and re.fullmatch(rb"[(]*[A-Z][A-Z0-9_]+", before[0])
    return bool(named or _BESIDE.match(source, change.end))


def _offset(rows: list[str], line: int, column: int) -> int:
    """Return the byte where a line and column are, both from 1."""
    return len("".join([*rows[: line - 1], rows[line - 1][: column - 1]]).encode())


def sample(rooms: list[str], seed: int) -> Iterator[tuple[str, Change]]:
    """Return the changes of rooms in turns, each room's in an order of its own."""
    lists = []
    for room in rooms:
        ordered = changes(room)
        random.Random(f"{seed} {room}").shuffle(ordered)
        lists.append([(room, change) for change in ordered])
    return (one for one in chain.from_iterable(zip_longest(*lists)) if one is not None)


def shown(change: Change) -> tuple[str, list[str]]:
    """Return where a change is, and the lines that it takes away and puts there."""
    source = (ROOT / change.file).read_bytes()
    texts = [text.decode().splitlines() for text in (source, change.applied(source))]
    rows = list(difflib.unified_diff(*texts, n=0, lineterm=""))[3:]
    return f"{change.file}:{change.line(source)}", [r for r in rows if not r.startswith("@@")]


def known() -> set[tuple[str, ...]]:
    """Return the changes that docs/mutants.md lists: under a file's name, as diffs."""
    found, file = set(), ""
    text = KNOWN.read_text(encoding="utf-8") if KNOWN.exists() else ""
    for name, rows in re.findall(r"^## `(\S+)`$|^```diff\n(.*?)^```$", text, re.M | re.S):
        file = name or file
        if rows:
            found.add((file, *(row[0] + row[1:].strip() for row in rows.splitlines())))
    return found


def main() -> int:
    """Try changes until time is up; return 1 if one survived that is not listed.

    What tests run is learned once for all runs that name the same file.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--learned", type=Path, metavar="FILE")
    parser.add_argument(
        "rooms", nargs="*", type=called, metavar="ROOM",
        help=f"the end of a name, `logic` for `lts/logic`, of: {', '.join(ROOMS)}",
    )  # fmt: skip
    arguments = parser.parse_args()
    rooms = list(dict.fromkeys(chain.from_iterable(arguments.rooms))) or list(ROOMS)
    until = time.monotonic() + 60 * arguments.minutes
    counts: dict[str, Counter[str]] = {room: Counter() for room in rooms}
    listed, survivors = known(), 0
    with tempfile.TemporaryDirectory(prefix="ltstool-mutants-") as folder:
        tests = {room: ROOMS[room] for room in rooms}
        copy = Copy(Path(folder), tests, until, arguments.learned)
        for room, change in sample(rooms, arguments.seed):
            outcome = copy.outcome(room, change)
            if outcome == "late":
                break
            place, rows = shown(change)
            if outcome == "survived":
                if (change.file, *(row[0] + row[1:].strip() for row in rows)) in listed:
                    outcome = "listed"
                else:
                    survivors += 1
            counts[room][outcome] += 1
            print(
                f"{outcome}: {place}",
                *(rows if outcome == "survived" else ()),
                sep="\n",
                flush=True,
            )
    print()
    for room, count in counts.items():
        print(
            f"{room}: {count.total()} tried",
            *(f"{n} {what}" for what, n in sorted(count.items())),
            sep=", ",
        )
    if not any(count.total() for count in counts.values()):
        print("time was up before anything was tried", file=sys.stderr)
        return 1
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
