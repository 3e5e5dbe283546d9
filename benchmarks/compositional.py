"""Ten families of networks, minimised as a whole and compositionally.

    python benchmarks/compositional.py [--quick] [--only NAME] [--states N] [--json FILE]

Dining philosophers, a token ring, alternating bit protocols in a chain, an elevator, a trader as in
ODP, Milner's scheduler, a tree of arbiters, snooping caches, a queue of cells, users of a stock: of
each a size that can be composed as a whole, and a larger one. The result is the minimal system
modulo branching bisimulation in which only steps of one or two components are visible. It is
computed by minimising the whole (`minimise NETWORK`), up to a limit of states, and by `compose
--reduce`. *Largest* are the states and transitions of the largest intermediate system, and *bound*
is twice the memory that they take, 12 bytes a transition and 4 a state, plus the memory that the
program takes for a network of one step. Every run is the whole command line; memory is its peak.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from measure import PROGRAM, measure
from networks import sharing, table, tree, vector

Rows = Iterable[tuple[int, str, int]]
Moves = dict[int, str]


def component(folder: Path, name: str, rows: Rows, initial: int = 0) -> str:
    """Write the file of a component; return its name."""
    known = list(rows)
    count = max(max(source, target) for source, _, target in known) + 1
    lines = [f'({source},"{label}",{target})' for source, label, target in known]
    text = "\n".join([f"des ({initial},{len(known)},{count})", *lines, ""])
    (folder / f"{name}.aut").write_text(text)
    return name


def network(
    folder: Path, name: str, parts: list[str], steps: list[tuple[Moves, str]], *visible: str
) -> Path:
    """Write a network in which only some labels are visible."""
    vectors = ", ".join(vector(len(parts), moves, result) for moves, result in steps)
    body = f"label par using {vectors} in {' || '.join(parts)} end par"
    file = folder / f"{name}{len(parts)}.exp"
    shown = ", ".join(f'"{label}"' for label in visible)
    file.write_text(f"mcrl behaviour total hide all but {shown} in {body} end hide")
    return file


def philosophers(folder: Path, n: int) -> Path:
    return table(folder, n, hide=True, differ=False)


def token_ring(folder: Path, n: int) -> Path:
    """Stations that pass on a token; the station with the token may enter."""
    rows = [
        *((0, "want", 1), (0, "get", 2), (1, "get", 3)),
        *((2, "pass", 0), (3, "enter", 4), (4, "leave", 2)),
    ]
    parts = [
        component(folder, "first", rows, initial=2),
        *[component(folder, "station", rows)] * (n - 1),
    ]
    steps: list[tuple[Moves, str]] = []
    for k in range(n):
        steps += [({k: label}, f"{label}({k})") for label in ("want", "enter", "leave")]
        steps.append(({k: "pass", (k + 1) % n: "get"}, "pass"))
    return network(folder, "ring", parts, steps, "enter(0)", "leave(0)")


def alternating_bits(folder: Path, n: int) -> Path:
    """Alternating bit protocols in a chain: each delivers to the next one."""
    bits, data = (0, 1), (0, 1)
    sender, receiver, channel, answers = [], [], [], []
    for b in bits:
        idle = 5 * b
        for d in data:
            send, wait = idle + 1 + d, idle + 3 + d
            sender += [(idle, f"accept{d}", send), (send, f"in{b}{d}", wait)]
            sender += [(wait, "tau", send), (wait, f"back{b}", 5 * (1 - b))]
            sender.append((wait, f"back{1 - b}", send))
            receiver += [(b, f"out{b}{d}", 2 + 2 * b + d), (2 + 2 * b + d, f"deliver{d}", 6 + b)]
            receiver.append((b, f"out{1 - b}{d}", 8 + b))
            full = 1 + 2 * b + d
            channel += [(0, f"in{b}{d}", full), (full, f"out{b}{d}", 0), (full, "tau", 0)]
        receiver += [(6 + b, f"ack{b}", 1 - b), (8 + b, f"ack{1 - b}", b)]
        answers += [(0, f"ack{b}", 1 + b), (1 + b, f"back{b}", 0), (1 + b, "tau", 0)]
    one = [
        component(folder, name, rows)
        for name, rows in (
            *(("sender", sender), ("channel", channel)),
            *(("answers", answers), ("receiver", receiver)),
        )
    ]
    steps: list[tuple[Moves, str]] = []
    for k in range(n):
        s, c, a, r = range(4 * k, 4 * k + 4)
        for d in data:
            if k == 0:
                steps.append(({s: f"accept{d}"}, f"accept({d})"))
            after = {r + 1: f"accept{d}"} if k + 1 < n else {}
            steps.append(({r: f"deliver{d}"} | after, f"deliver({d})" if not after else "hop"))
            for b in bits:
                steps.append(({s: f"in{b}{d}", c: f"in{b}{d}"}, "in"))
                steps.append(({c: f"out{b}{d}", r: f"out{b}{d}"}, "out"))
        for b in bits:
            steps.append(({r: f"ack{b}", a: f"ack{b}"}, "ack"))
            steps.append(({a: f"back{b}", s: f"back{b}"}, "back"))
    return network(folder, "bits", one * n, steps, "accept(0)", "deliver(0)")


def elevator(folder: Path, n: int) -> Path:
    """A cabin, and on each floor a button and a door."""
    button = component(folder, "button", [(0, "press", 1), (1, "serve", 0)])
    door = component(folder, "door", [(0, "open", 1), (1, "close", 0)])
    rows = []
    for floor in range(n):
        here, open_here = 2 * floor, 2 * floor + 1
        rows += [(here, f"open{floor}", open_here), (open_here, f"close{floor}", here)]
        rows += [(here, "up", here + 2)] * (floor + 1 < n) + [(here, "down", here - 2)] * (
            floor > 0
        )
    cabin = component(folder, f"cabin{n}", rows)
    steps: list[tuple[Moves, str]] = [({0: "up"}, "move"), ({0: "down"}, "move")]
    for floor in range(n):
        pressed, opened = 1 + floor, 1 + n + floor
        steps.append(({pressed: "press"}, f"press({floor})"))
        moves = {0: f"open{floor}", pressed: "serve", opened: "open"}
        steps.append((moves, f"open({floor})"))
        steps.append(({0: f"close{floor}", opened: "close"}, f"close({floor})"))
    return network(
        folder, "elevator", [cabin] + [button] * n + [door] * n, steps, "press(0)", "open(0)"
    )


def trader(folder: Path, n: int) -> Path:
    """Servers export an offer to a trader, which has an entry for each; clients import an offer,
    and call the server."""
    server = component(
        folder,
        "server",
        [(0, "export", 1), (1, "withdraw", 0), (1, "call", 2), (2, "reply", 1)],
    )
    entry = component(folder, "entry", [(0, "export", 1), (1, "withdraw", 0), (1, "import", 1)])
    rows = [(0, "ask", 1)]
    for k in range(n):
        rows += [(1, f"import{k}", 2 + 2 * k), (2 + 2 * k, f"call{k}", 3 + 2 * k)]
        rows += [(3 + 2 * k, f"reply{k}", 0), (2 + 2 * k, "give up", 0)]
    client = component(folder, f"client{n}", rows)
    steps: list[tuple[Moves, str]] = []
    for k in range(n):
        s, e = k, n + k
        steps += [({s: name, e: name}, f"{name}({k})") for name in ("export", "withdraw")]
        for c in range(2):
            at = 2 * n + c
            steps.append(({at: f"import{k}", e: "import"}, f"import({c},{k})"))
            for name in ("call", "reply"):
                steps.append(({at: f"{name}{k}", s: name}, f"{name}({c},{k})"))
    for c in range(2):
        steps += [({2 * n + c: name}, f"{name}({c})") for name in ("ask", "give up")]
    parts = [server] * n + [entry] * n + [client] * 2
    return network(folder, "trader", parts, steps, "call(0,0)", "reply(0,0)")


def scheduler(folder: Path, n: int) -> Path:
    """Milner's scheduler: the processes start their tasks in turn, each after its previous task has
    ended."""
    rows = [
        *((0, "get", 1), (1, "start", 2), (2, "pass", 3), (2, "end", 4)),
        *((3, "end", 0), (4, "pass", 0)),
    ]
    parts = [
        component(folder, "starter", rows, initial=1),
        *[component(folder, "cycler", rows)] * (n - 1),
    ]
    steps: list[tuple[Moves, str]] = []
    for k in range(n):
        steps += [({k: label}, f"{label}({k})") for label in ("start", "end")]
        steps.append(({k: "pass", (k + 1) % n: "get"}, "pass"))
    return network(folder, "scheduler", parts, steps, "start(0)", "start(1)")


def arbiters(folder: Path, n: int) -> Path:
    return tree(folder, n, 0)


def caches(folder: Path, n: int) -> Path:
    """Caches of one line on a snooping bus: invalid, shared or modified."""
    rows = [
        *((0, "read", 1), (0, "write", 2), (1, "write", 2), (1, "hit", 1), (2, "hit", 2)),
        *((0, "see read", 0), (1, "see read", 1), (2, "see read", 1)),
        *((0, "see write", 0), (1, "see write", 0), (2, "see write", 0)),
        *((1, "drop", 0), (2, "drop", 0)),
    ]
    cache = component(folder, "cache", rows)
    steps: list[tuple[Moves, str]] = []
    for k in range(n):
        steps += [({k: name}, f"{name}({k})") for name in ("hit", "drop")]
        for name in ("read", "write"):
            others = {other: f"see {name}" for other in range(n) if other != k}
            steps.append(({k: name} | others, f"{name}({k})"))
    return network(folder, "caches", [cache] * n, steps, "write(0)", "write(1)")


def queue(folder: Path, n: int) -> Path:
    """Cells that pass on their content."""
    cell = component(folder, "cell1", [(0, "put", 1), (1, "get", 0)])
    steps: list[tuple[Moves, str]] = [({0: "put"}, "put"), ({n - 1: "get"}, "get")]
    steps += [({k: "get", k + 1: "put"}, "move") for k in range(n - 1)]
    return network(folder, "queue", [cell] * n, steps, "put", "get")


def stock(folder: Path, n: int) -> Path:
    """Users who share three items of one kind."""
    inner = sharing(folder, n)
    file = folder / f"stock{n}.exp"
    file.write_text(f'total hide all but "use(0)", "use(1)" in "{inner.name}" end hide')
    return file


FAMILIES: dict[str, tuple[Callable[[Path, int], Path], tuple[int, ...], int]] = {
    "philosophers": (philosophers, (10, 12, 100), 3),
    "token ring": (token_ring, (12, 100), 3),
    "alternating bits": (alternating_bits, (3, 20), 1),
    "elevator": (elevator, (8, 12), 2),
    "trader": (trader, (4, 6), 2),
    "scheduler": (scheduler, (12, 100), 3),
    "arbiters": (arbiters, (8, 256), 2),
    "caches": (caches, (10, 16), 3),
    "queue": (queue, (18, 100), 3),
    "stock": (stock, (10, 40), 3),
}
"""For each family the function that writes it, its sizes, and a size for a quick run."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small networks")
    parser.add_argument("--only", metavar="NAME", choices=FAMILIES, help="one family")
    parser.add_argument("--states", metavar="N", type=int, default=3_000_000)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    print(
        f"{'network':17} {'n':>4} {'parts':>5} | {'states':>9} {'s':>7} {'MB':>6} | {'states':>7} "
        f"{'largest':>8} {'steps':>9} {'s':>7} {'least %':>7} {'MB':>6} {'bound':>6}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = ["-o", folder / "out.aut"]
        one = network(
            folder, "one", [component(folder, "step", [(0, "a", 0)])], [({0: "a"}, "a")], "a"
        )
        start = measure([*PROGRAM, "compose", one, "--reduce", "branching", *out], repeat=3)
        for family, (write, sizes, quick) in FAMILIES.items():
            if arguments.only not in (None, family):
                continue
            for n in (quick,) if arguments.quick else sizes:
                rows.append(run(write(folder, n), n, arguments.states, out, start.memory))
                rows[-1]["network"] = family
                print(shown(rows[-1]), flush=True)
    if arguments.json is not None:
        text = json.dumps({"rows": rows, "start": start.as_dict()}, indent=1)
        Path(arguments.json).write_text(text, encoding="utf-8")


def run(file: Path, n: int, states: int, out: list[str | Path], start: int) -> dict[str, Any]:
    """Minimise a network as a whole and compositionally; return the figures."""
    reduced = [*PROGRAM, "compose", file, "--reduce", "branching", "--json", *out]
    on_the_way = measure(reduced, repeat=1)
    told = json.loads(on_the_way.output)
    largest = max(told["steps"], key=lambda step: step["states"])
    limit = ["--max-states", str(states)]
    whole = measure([*PROGRAM, "compose", file, "--verbose", *limit, *out], repeat=1, check=False)
    mono = None
    if whole.status == 0:
        minimal = [*PROGRAM, "minimise", file, "-e", "branching", *out]
        mono = measure(minimal, repeat=1).as_dict()
        facts = dict(line.split(None, 1) for line in whole.errors.decode().splitlines())
        mono["states"] = int(facts["states"].partition(",")[0])
    bound = 2 * (12 * largest["transitions"] + 4 * largest["states"])
    return {
        "n": n,
        "parts": len(told["components"]),
        "mono": mono,
        "states": told["states"],
        "largest": largest["states"],
        "transitions": largest["transitions"],
        "share": told["minimising"] / on_the_way.wall,
        "beyond start": on_the_way.memory - start,
        "bound": bound,
        **on_the_way.as_dict(),
    }


def shown(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    mono = row["mono"]
    whole = (
        f"{mono['states']:9} {mono['wall']:7.2f} {mono['memory'] / 1e6:6.0f}"
        if mono
        else f"{'-':>9} {'-':>7} {'-':>6}"
    )
    return (
        f"{row['network']:17} {row['n']:4} {row['parts']:5} | {whole} | {row['states']:7} "
        f"{row['largest']:8} {row['transitions']:9} {row['wall']:7.2f} {100 * row['share']:7.1f} "
        f"{row['beyond start'] / 1e6:6.1f} {row['bound'] / 1e6:6.1f}"
    )


if __name__ == "__main__":
    main()
