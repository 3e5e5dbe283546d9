"""Networks of LTSs: composed as a whole, minimised compositionally, and by orbits.

    python benchmarks/networks.py [--quick] [--threads N] [--repeat K] [--json FILE]

Philosophers and forks around a table. First the network as a whole, compared with the generation of
the same system from a specification (`specs/forks.mcrl`): transitions per second of wall-clock
time, from the first state to the file. Then the minimal system in which only the meals of one
philosopher are visible: by minimising the whole, by compositional minimisation, and by the latter
with component files that differ in their state numbers, so that no result for one part can be
reused for another. Then a tree of arbiters with a client at each leaf, and a formula about one of
these. Last, one state of each orbit, for the table with components from different files, and for
users who can all be exchanged. Every run is the whole command line; memory is its peak.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from measure import PROGRAM, measure

SPECIFICATION = Path(__file__).resolve().parent / "specs" / "forks.mcrl"
PHILOSOPHER = ("left", "right", "eat", "putleft", "putright")
FORK = ("take", "put")
CLIENT = ("request", "grant", "enter", "leave", "release")


def cycle(labels: tuple[str, ...], shift: int = 0) -> str:
    """Return the file of a cycle with these labels, its states numbered from `shift` on."""
    count = len(labels)
    rows = [
        f'({(n + shift) % count},"{a}",{(n + 1 + shift) % count})' for n, a in enumerate(labels)
    ]
    return "\n".join([f"des ({shift % count},{count},{count})", *rows, ""])


def vector(parts: int, moves: dict[int, str], result: str) -> str:
    labels = [f'"{moves[n]}"' if n in moves else "_" for n in range(parts)]
    return " * ".join(labels) + f' -> "{result}"'


def table(folder: Path, n: int, *, hide: bool, differ: bool) -> Path:
    """Write the network of n philosophers and n forks."""
    vectors, parts = [], []
    for i in range(n):
        following = (i + 1) % n
        for label, fork, done in (
            ("left", i, "take"),
            ("right", following, "take"),
            ("putleft", i, "put"),
            ("putright", following, "put"),
        ):
            vectors.append(vector(2 * n, {i: label, n + fork: done}, f"{done}(p{fork + 1})"))
        vectors.append(vector(2 * n, {i: "eat"}, f"eat(p{i + 1})"))
    for labels, name in ((PHILOSOPHER, "philosopher"), (FORK, "fork")):
        for i in range(n):
            file = f"{name}{i}.aut" if differ else f"{name}.aut"
            text = cycle(labels, i if differ else 0)
            # Different files for equal components: the rows are in another order.
            lines = text.splitlines()
            turn = i % len(labels) if differ else 0
            rows = lines[1:][turn:] + lines[1:][:turn]
            (folder / file).write_text("\n".join([lines[0], *rows, ""]))
            parts.append(f'"{file}"')
    body = f"par using {', '.join(vectors)} in {' || '.join(parts)} end par"
    file = folder / f"table{n}{'hidden' * hide}{'differ' * differ}.exp"
    file.write_text(f'total hide all but "eat(p1)" in {body} end hide' if hide else body)
    return file


def tree(folder: Path, clients: int, visible: int) -> Path:
    """Write a tree of arbiters as nested networks, level by level."""
    (folder / "client.aut").write_text(cycle(CLIENT))
    rows = []
    for first, side in ((0, "left"), (5, "right")):
        a, b, c, d, e = range(first + 1, first + 6)
        rows += [(0, f"request {side}", a), (a, "request", b), (b, "grant", c)]
        rows += [(c, f"grant {side}", d), (d, f"release {side}", e), (e, "release", 0)]
    text = [f'({s},"{a}",{t})' for s, a, t in rows]
    (folder / "cell.aut").write_text("\n".join(["des (0,12,11)", *text, ""]))
    (folder / "root.aut").write_text(cycle(("request", "grant", "release")))
    (folder / "some.exp").write_text("hide enter, leave in client")
    (folder / "one.exp").write_text(f'rename enter -> "enter({visible})" in client end rename')
    level = ["one" if n == visible else "some" for n in range(clients)]
    made: dict[tuple[str, str], str] = {}
    while len(level) > 1:
        pairs = list(zip(level[::2], level[1::2], strict=True))
        for left, right in pairs:
            name = f"n{len(made)}"
            if (left, right) not in made:
                made[left, right] = name
                sides = [
                    "rename "
                    + ", ".join(f'"{a}" -> "{a} {side}"' for a in CLIENT if a in SHARED)
                    + f' in "{file}.exp" end rename'
                    for side, file in (("left", left), ("right", right))
                ]
                synchronised = ", ".join(f'"{a} {s}"' for a in SHARED for s in ("left", "right"))
                both = f"({sides[0]} ||| {sides[1]})"
                body = f"label par {synchronised} in {both} || cell end par"
                (folder / f"{name}.exp").write_text(f"total hide {synchronised} in {body} end hide")
        level = [made[pair] for pair in pairs]
    file = folder / f"tree{clients}.exp"
    shared = ", ".join(SHARED)
    file.write_text(f'hide {shared} in "{level[0]}.exp" |[{shared}]| root')
    return file


SHARED = ("request", "grant", "release")


def sharing(folder: Path, n: int) -> Path:
    """Write the network of n users who share three items of one kind and can all be exchanged."""
    (folder / "user.aut").write_text(cycle(("work", "ask", "use", "done")))
    steps = [f'({k},"ask",{k + 1})' for k in range(3)]
    steps += [f'({k + 1},"done",{k})' for k in range(3)]
    (folder / "stock.aut").write_text("\n".join(["des (0,6,4)", *steps, ""]))
    vectors = []
    for i in range(n):
        vectors += [vector(n + 1, {i: label}, f"{label}({i})") for label in ("work", "use")]
        for label in ("ask", "done"):
            vectors.append(vector(n + 1, {i: label, n: label}, f"{label}({i})"))
    file = folder / f"sharing{n}.exp"
    parts = " || ".join(["user"] * n + ["stock"])
    file.write_text(f"par using {', '.join(vectors)} in {parts} end par")
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small systems, once each")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3, help="runs, of which the median counts")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    repeat = 1 if arguments.quick else arguments.repeat
    rows: list[dict[str, Any]] = []
    print(
        f"{'system':10} {'N':>5} {'how':24} {'states':>9} {'transitions':>12} {'largest':>9} "
        f"{'built':>6} {'seconds':>8} {'steps/s':>11} {'peak MB':>8}"
    )

    def run(system: str, n: int, how: str, words: list[str | Path]) -> None:
        threads = ["--threads", str(arguments.threads)]
        measured = measure([*PROGRAM, *words, *threads, "--json"], repeat=repeat)
        told = json.loads(measured.output) if measured.output.startswith(b"{") else {}
        took = told.get("time", measured.wall)
        rate = told.get("transitions", 0) / took if "time" in told else 0
        rows.append(
            {"system": system, "n": n, "how": how, "rate": rate} | told | measured.as_dict()
        )
        rows[-1].pop("steps", None)
        print(
            f"{system:10} {n:5} {how:24} {told.get('orbits', told.get('states', 0)):9} "
            f"{told.get('transitions', 0):12} "
            f"{told.get('largest', ''):>9} {told.get('built', ''):>6} {measured.wall:8.2f} "
            f"{rate:11,.0f} {measured.memory / 1e6:8.1f}"
        )

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = ["-o", folder / "out.aut"]
        for n in (3, 4) if arguments.quick else (6, 8, 10, 12):
            flat = table(folder, n, hide=False, differ=False)
            run("table", n, "specification", ["generate", SPECIFICATION, "--set", f"N={n}", *out])
            run("table", n, "network", ["compose", flat, *out])
        for n in (3, 4) if arguments.quick else (6, 8, 10, 12):
            hidden = table(folder, n, hide=True, differ=False)
            minimal = ["minimise", hidden, "-e", "branching", *out]
            run("table", n, "whole, then minimal", minimal)
            reduced = ["--reduce", "branching", *out]
            run("table", n, "on the way", ["compose", hidden, *reduced])
            other = table(folder, n, hide=True, differ=True)
            run("table", n, "on the way, all built", ["compose", other, *reduced])
        for n in (2, 4) if arguments.quick else (8, 64, 1024):
            file = tree(folder, n, min(777, n - 1))
            run("tree", n, "on the way", ["compose", file, "--reduce", "branching", *out])
            asked = f"[true*.enter({min(777, n - 1)})]<true*.leave>true"
            run("tree", n, "a formula, in parts", ["check", file, asked])
        for n in (3, 4) if arguments.quick else (6, 8, 10, 12):
            flat = table(folder, n, hide=False, differ=True)
            orbits = ["reduce", flat, "--symmetry", "auto", "--count"]
            run("table", n, "orbits", orbits)
            eats = "[true*.eat(p1)]<true*.eat(p2)>true"
            run("table", n, "a formula, in parts", ["check", flat, eats])
        for n in (3, 4) if arguments.quick else (8, 16, 32):
            users = sharing(folder, n)
            run("sharing", n, "orbits", ["reduce", users, "--symmetry", "auto", "--count"])
    if arguments.json is not None:
        Path(arguments.json).write_text(json.dumps({"rows": rows}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
