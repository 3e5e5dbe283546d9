"""Mutation testing of the core: `make mutants`.

Everything happens in a copy in a temporary folder. Packages (rooms) take turns, and the order of
the mutants of a package depends on the seed. For Python, the package's tests that execute the
changed line are run, fastest first, up to about a minute, and types are checked. For Rust, whose
mutants come from cargo-mutants and are built many at once (`switched.py`), the engine's tests of
the module are run, and the fast Python tests of the package. The tests are run first as by `make
test`, with few random examples and without the slow tests, and then as by `make check`: a mutant
that only the latter kills is printed with the test that does. A mutant that passes them all
survives. `mutants.md` lists equivalent mutants, which no test can detect; any other survivor makes
the exit code 1. The mutations are in `changes.py`, their trials in `trial.py`.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from changes import Change, python_changes
from switched import RustChange, body_of
from trial import BY_CHECK, BY_TYPES, SURVIVED, Copy, Outcome

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {
    "aut_format": ("tests/aut_format", "tests/formats"),
    "lts/base": ("tests/base", "tests/formats", "tests/text", "tests/test_python.py"),
    "lts/certificates": ("tests/certificates",),
    "lts/cluster": ("tests/cluster",),
    "lts/drawing": ("tests/drawing", "tests/web", "tests/test_python.py"),
    "lts/editor": ("tests/editor",),
    "lts/equivalence": ("tests/equivalence",),
    "lts/formats": ("tests/formats",),
    "lts/linear": ("tests/linear", "tests/mucrl", "tests/mcrl2"),
    "lts/logic": ("tests/logic", "tests/editor"),
    "lts/mcrl2/binary": ("tests/mcrl2", "tests/formats"),
    "lts/mcrl2/data": ("tests/mcrl2",),
    "lts/mcrl2/identities": ("tests/mcrl2", "tests/symmetry/data"),
    "lts/mcrl2/static": ("tests/mcrl2",),
    "lts/mcrl2/text": ("tests/mcrl2",),
    "lts/mucrl": ("tests/mucrl",),
    "lts/network": ("tests/network",),
    "lts/petri": ("tests/petri",),
    "lts/specification": ("tests/mucrl", "tests/mcrl2"),
    "lts/state_space": ("tests/mucrl", "tests/mcrl2"),
    "lts/symmetry/data": ("tests/symmetry",),
    "lts/symmetry/labels": ("tests/symmetry",),
    "lts/symmetry/permutation": ("tests/symmetry",),
    "lts/symmetry/reduction": ("tests/symmetry",),
    "lts/system": ("tests/equivalence", "tests/formats", "tests/aut_format"),
    "lts/text": ("tests/text", "tests/mucrl"),
    "lts/web": ("tests/web", "tests/test_python.py"),
    "lts_verifier": ("tests/certificates",),
    "ltstool": ("tests/cli",),
    "engine/src/aterm": ("tests/formats", "tests/mcrl2"),
    "engine/src/aut": ("tests/aut_format",),
    "engine/src/base": ("tests/equivalence", "tests/aut_format"),
    "engine/src/bindings": ("tests/equivalence", "tests/symmetry", "tests/network"),
    "engine/src/bisimulation": ("tests/equivalence",),
    "engine/src/check": ("tests/logic",),
    "engine/src/compare": ("tests/equivalence",),
    "engine/src/data": ("tests/mucrl", "tests/mcrl2"),
    "engine/src/diagrams": ("tests/petri",),
    "engine/src/formula": ("tests/logic", "tests/equivalence"),
    "engine/src/group": ("tests/symmetry",),
    "engine/src/ops": ("tests/network", "tests/equivalence"),
    "engine/src/orbits": ("tests/symmetry",),
    "engine/src/partition": ("tests/cluster",),
    "engine/src/preorder": ("tests/equivalence", "tests/symmetry"),
    "engine/src/process": ("tests/mucrl", "tests/mcrl2"),
    "engine/src/symmetry": ("tests/symmetry", "tests/equivalence"),
    "engine/src/symmetry_of_process": ("tests/symmetry",),
}
"""The packages to mutate, and the Python tests of each."""
KNOWN = ROOT / "tools" / "dev" / "mutants.md"
AT_ONCE = 160
"""Rust mutants in one build."""


def called(name: str) -> list[str]:
    """Return the packages with this name, or whose paths end with it: `data` matches several."""
    found = [room for room in ROOMS if f"/{room}".endswith(f"/{name}")]
    if not found:
        raise argparse.ArgumentTypeError(f"`{name}` is none of {', '.join(ROOMS)}")
    return found


def changes(room: str) -> Sequence[Change]:
    """Return all mutants of a package."""
    if not room.startswith("engine"):
        files = sorted((ROOT / room).rglob("*.py"))
        return [c for f in files for c in python_changes(str(f.relative_to(ROOT)), f.read_bytes())]
    found: list[RustChange] = []
    for mutant in mutants_of_engine():
        file, span = f"engine/{mutant['file']}", mutant["span"]
        if not file.startswith(f"{room}/") and file != f"{room}.rs":
            continue
        rows = (ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
        start, end = (_offset(rows, **span[name]) for name in ("start", "end"))
        if (function := mutant["function"]) is not None:
            whole = [_offset(rows, **function["span"][name]) for name in ("start", "end")]
            body = body_of("".join(rows).encode(), *whole, function["function_name"])
            found.append(RustChange(file, start, end, mutant["replacement"].encode(), body))
    return [
        change for change in found if not says_little((ROOT / change.file).read_bytes(), change)
    ]


@functools.cache
def mutants_of_engine() -> Sequence[Mapping[str, Any]]:
    """Return what cargo-mutants would try."""
    command = ["cargo", "mutants", "--list", "--json"]
    told = subprocess.run(command, cwd=ROOT / "engine", check=True, stdout=subprocess.PIPE).stdout
    listed: Sequence[Mapping[str, Any]] = json.loads(told)
    return listed


_BESIDE = re.compile(rb"\s*(?:\d+ \* )?[A-Z][A-Z0-9_]+\b(?!::)")


def says_little(source: bytes, change: Change) -> bool:
    """Whether a Rust mutant is of a kind that is also left out for Python: a comparison with a
    constant that includes equality or not. `^` for `|` is left out too, since `&`, which is tried,
    shows whether flags are tested."""
    old = source[change.start : change.end]
    if (old, change.new) == (b"|", b"^"):
        return True
    if {old, change.new} not in ({b"<", b"<="}, {b">", b">="}):
        return False
    before = source[: change.start].split()[-1:]
    named = before and re.fullmatch(rb"[(]*[A-Z][A-Z0-9_]+", before[0])
    return bool(named or _BESIDE.match(source, change.end))


def _offset(rows: list[str], line: int, column: int) -> int:
    """Return the byte offset of a line and column, both counted from 1."""
    return len("".join([*rows[: line - 1], rows[line - 1][: column - 1]]).encode())


def sample(rooms: list[str], seed: int) -> Iterator[tuple[str, Change]]:
    """Yield the mutants of packages in turns, in a random order within each package."""
    lists = []
    for room in rooms:
        ordered = list(changes(room))
        random.Random(f"{seed} {room}").shuffle(ordered)
        lists.append([(room, change) for change in ordered])
    return (mutant for mutant in chain.from_iterable(zip_longest(*lists)) if mutant is not None)


def shown(change: Change) -> tuple[str, list[str]]:
    """Return the place of a mutant, and the lines that it removes and adds."""
    source = (ROOT / change.file).read_bytes()
    texts = [text.decode().splitlines() for text in (source, change.applied(source))]
    rows = list(difflib.unified_diff(*texts, n=0, lineterm=""))[3:]
    return f"{change.file}:{change.line(source)}", [r for r in rows if not r.startswith("@@")]


def known() -> set[tuple[str, ...]]:
    """Return the mutants listed in tools/dev/mutants.md as diffs below file names."""
    found, file = set(), ""
    text = KNOWN.read_text(encoding="utf-8") if KNOWN.exists() else ""
    for name, rows in re.findall(r"^## `(\S+)`$|^```diff\n(.*?)^```$", text, re.M | re.S):
        file = name or file
        if rows:
            found.add((file, *(row[0] + row[1:].strip() for row in rows.splitlines())))
    return found


def main() -> int:
    """Try mutants until time is up; return 1 if an unlisted one survived.

    Coverage of the tests is measured once for all runs that name the same file.
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
        sampled = list(sample(rooms, arguments.seed))
        for number, (room, change) in enumerate(sampled):
            if isinstance(change, RustChange) and change not in copy.built:
                following = [one for _, one in sampled[number:] if isinstance(one, RustChange)]
                copy.build(following[:AT_ONCE])
            outcome = copy.outcome(room, change)
            if outcome.kind == "late":
                break
            place, rows = shown(change)
            if outcome.kind == SURVIVED:
                if (change.file, *(row[0] + row[1:].strip() for row in rows)) in listed:
                    outcome = Outcome("listed")
                else:
                    survivors += 1
            counts[room][outcome.kind] += 1
            print(
                f"{outcome}: {place}",
                *(rows if outcome.kind in (SURVIVED, BY_CHECK, BY_TYPES) else ()),
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
