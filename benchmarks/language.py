"""Reading specifications: the time must not grow faster than the size of the text.

    python benchmarks/language.py [--quick] [--json FILE]

Texts of 1,000 to 64,000 lines consist of equations, of declarations, of processes, or of all three.
Each text is read and linearised five times in a process of its own; the table has the medians.
Growth is the time of each step, and of all of them, divided by that for half the lines.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from lts.mucrl import linearise
from lts.mucrl.static.check import check
from lts.mucrl.text.directives import expand
from lts.mucrl.text.parser import parse
from lts.specification import gc_pause

sys.path.insert(0, str(Path(__file__).parent))
from measure import calibration, measure

STEPS = ("parse", "check", "linearise")

HEAD = """\
sort Bool
func T,F: -> Bool
map  not: Bool -> Bool
rew  not(T) = F
     not(F) = T
sort Nat
func 0: -> Nat
     S: Nat -> Nat
act  send,recv: Nat
     tick
"""
TAIL = "init {}\n"


def equations(lines: int) -> str:
    """Functions of two numbers with four equations each."""
    count = max(1, (lines - 13) // 5)
    text = [HEAD, "map"]
    text += [f"     f{i}: Nat#Nat -> Nat" for i in range(count)]
    text += ["var  n,m: Nat", "rew"]
    for i in range(count):
        text += [
            f"     f{i}(0,0) = 0",
            f"     f{i}(S(n),0) = f{i}(n,S(0))",
            f"     f{i}(0,S(m)) = S(f{i // 2}(0,m))",
            f"     f{i}(S(n),S(m)) = f{i}(n,f{i // 2}(S(n),m))",
        ]
    return "\n".join([*text, TAIL.format(f"send(f{count - 1}(0,0))")])


def declarations(lines: int) -> str:
    """Sorts with constructors, maps and actions, used only once."""
    count = max(1, (lines - 13) // 4)
    text = [HEAD]
    for i in range(count):
        text += [
            f"sort D{i}",
            f"func d{i},e{i}: -> D{i}",
            f"map  next{i}: D{i}#Nat -> D{i}",
            f"act  get{i},put{i}: D{i}#Nat",
        ]
    return "\n".join([*text, TAIL.format("get0(d0,0)")])


def processes(lines: int) -> str:
    """A ring of processes, each of which becomes the next, and an initial one."""
    count = max(1, (lines - 12) // 4)
    text = [HEAD, "proc"]
    for i in range(count):
        text += [
            f"     P{i}(n: Nat, b: Bool) =",
            f"       send(n).P{(i + 1) % count}(S(n), not(b)) <| b |> delta",
            f"       + sum(m: Nat, recv(m).P{i}(m, b))",
            f"       + tick.P{(i * 7 + 1) % count}(n, T)",
        ]
    return "\n".join([*text, TAIL.format("P0(0, T)")])


def mixed(lines: int) -> str:
    """A third of the lines of each."""
    third = lines // 3
    parts = [equations(third), declarations(third), processes(third)]
    bodies = [part[len(HEAD) : part.rindex("init")] for part in parts]
    return HEAD + "".join(bodies) + TAIL.format("P0(0, T)")


KINDS: dict[str, Callable[[int], str]] = {
    "equations": equations,
    "declarations": declarations,
    "processes": processes,
    "mixed": mixed,
}


def seconds(text: str) -> dict[str, float]:
    """Return the processor time of each step in seconds."""
    start = time.process_time()
    with gc_pause.suspended():  # as `read_text` does
        source, values = expand(text)
        tree = parse(source)
        parsed = time.process_time()
        specification = check(tree, values)
    checked = time.process_time()
    linearise(specification)
    return {
        "parse": parsed - start,
        "check": checked - parsed,
        "linearise": time.process_time() - checked,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small texts, once")
    parser.add_argument("--json", metavar="FILE", help="write the figures here")
    arguments = parser.parse_args()
    sizes = [1000, 2000] if arguments.quick else [1000 * 2**k for k in range(7)]
    repeat = 1 if arguments.quick else 5
    rows = []
    print(f"{'text':14}{'lines':>7}{'parse s':>10}{'check s':>10}{'linear s':>10}", end="")
    print(f"{'lines/s':>10}{'MB':>8}   growth of each, and of all")
    for kind, make in KINDS.items():
        before = None
        for size in sizes:
            text = make(size)
            lines = text.count("\n")
            runs = [measure(lambda text=text: seconds(text), repeat=1) for _ in range(repeat)]
            each = [json.loads(run.output) for run in runs]
            row = {step: statistics.median(run[step] for run in each) for step in STEPS}
            row["total"] = statistics.median(sum(run.values()) for run in each)
            memory = max(run.memory for run in runs)
            print(f"{kind:14}{lines:7}", *(f"{row[step]:9.3f}" for step in STEPS), end="")
            print(f"{lines / row['total']:10.0f}{memory / 1e6:8.0f}   ", end="")
            if before is not None:
                growth = {step: row[step] / before[step] for step in (*STEPS, "total")}
                print(*(f"{ratio:5.2f}" for ratio in growth.values()), end="")
                row["growth"] = growth
            print(flush=True)
            rows.append({"text": kind, "lines": lines, "memory": memory, **row})
            before = row
    if arguments.json:
        figures = {"calibration": calibration(), "rows": rows}
        Path(arguments.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
