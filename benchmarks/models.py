"""Typical models: numbers, many summands, and given models, compared with mCRL2 if installed.

    python benchmarks/models.py [--quick] [--threads N] [--repeat K] [--json FILE] [MODEL ...]

A counter to a million, 20 counters that take turns, a queue of numbers, and 2,600 summands over 69
parameters, few of which are enabled in a state. Further `MODEL`s are files, for instance mCRL2's
public examples. If `mcrl22lps` and `lps2lts` are on the path, mCRL2 models are also generated with
them (rewriter `jitty`, cached), and the ratio of the times of the whole commands is shown. Steps
per second are those of the exploration including writing, if no limit ended it; memory is the peak.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

from measure import PROGRAM, calibration, measure

COUNTER = """act up: Nat;
proc C(n: Nat) = (n < {most}) -> up(n) . C(n + 1);
init C(0);
"""
QUEUE = """act put, get: Nat;
proc Q(q: List(Nat)) =
       (#q < {size}) -> sum n: Nat. (n < 5) -> put(n) . Q(q <| n)
     + (#q > 0) -> get(head(q)) . Q(tail(q));
init Q([]);
"""
VALUES = 6


def counters(count: int, most: int) -> str:
    """Return a specification of a process with counters, each of which counts up when the one
    before it is ahead: at most `most` times `count` states."""
    parameters = ", ".join(f"n{k}: Nat" for k in range(count))
    lines = [f"act up: Nat;\nproc C({parameters}) ="]
    for k in range(count):
        before = f"n{k} < n{k - 1}" if k else f"n0 == n{count - 1} && n0 < {most}"
        lines.append(f"     {'+' if k else ' '} ({before}) -> up({k}) . C(n{k} = n{k} + 1)")
    return "\n".join([*lines, f";\ninit C({', '.join(['0'] * count)});\n"])


def summands(count: int, parameters: int, seed: int = 1) -> str:
    """Return a specification with this number of summands, each over two random parameters."""
    draw = random.Random(seed)
    names = [f"x{k}" for k in range(parameters)]
    values = [f"v{k}" for k in range(VALUES)]
    lines = [
        f"sort V = struct {' | '.join(values)};",
        "act step: Nat;",
        f"proc P({', '.join(f'{name}: V' for name in names)}) =",
    ]
    for number in range(count):
        one, other = draw.sample(names, 2)
        have, own, new = (draw.choice(values) for _ in range(3))
        sign = "+" if number else " "
        condition = f"{one} == {own} && {other} == {have}"
        lines.append(f"  {sign} ({condition}) -> step({number % 97}) . P({one} = {new})")
    return "\n".join([*lines, f";\ninit P({', '.join([values[0]] * parameters)});\n"])


def texts(quick: bool) -> list[tuple[str, str, list[str]]]:
    """Return names, specifications and options."""
    most = 1_000 if quick else 1_000_000
    few = ["--max-states", "2000" if quick else "200000", "--partial"]
    return [
        (f"counter to {most:,}", COUNTER.format(most=most), []),
        ("20 counters", counters(20, most // 20), []),
        ("queue", QUEUE.format(size=3 if quick else 8), []),
        ("2,600 summands, 69 parameters", summands(260 if quick else 2_600, 69), few),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", metavar="MODEL", nargs="*", help="files to be generated as well")
    parser.add_argument("--quick", action="store_true", help="small systems, once each")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the median counts")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    repeat = 1 if arguments.quick else arguments.repeat
    other = shutil.which("mcrl22lps") and shutil.which("lps2lts")
    print(f"calibration: {calibration():.3f} s of pure Python")
    print(
        f"{'model':32} {'states':>10} {'transitions':>12} {'seconds':>8} {'steps/s':>11} {'MB':>7}"
        f" {'mCRL2':>8} {'times':>6}"
    )
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        models = []
        for number, (name, text, options) in enumerate(texts(arguments.quick)):
            file = Path(folder) / f"{number}.mcrl2"
            file.write_text(text)
            models.append((name, file, options))
        models += [(Path(model).stem, Path(model), []) for model in arguments.models]
        for name, file, options in models:
            rows.append(row(name, file, options, folder, arguments.threads, repeat, bool(other)))
            show(rows[-1])
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"rows": rows}, indent=1) + "\n")


def row(
    name: str,
    file: Path,
    options: list[str],
    folder: str,
    threads: int,
    repeat: int,
    other: bool,
) -> dict[str, Any]:
    """Return the figures of one model."""
    words = ["--threads", str(threads), *options, "-o", f"{folder}/out.aut", "--json", "-q"]
    found = measure([*PROGRAM, "generate", str(file), *words], repeat=repeat, check=False)
    told = json.loads(found.output)
    if found.status not in (0, 3):
        raise RuntimeError(found.errors.decode(errors="replace"))
    sizes = told if found.status == 0 else told["found"]
    figures = {
        "model": name,
        "states": sizes["states"],
        "transitions": sizes["transitions"],
        "exploration": told.get("time"),
        **found.as_dict(),
    }
    if other and file.suffix == ".mcrl2" and not options:
        command = f"mcrl22lps -q '{file}' | lps2lts -q --cached -rjitty - '{folder}/other.aut'"
        figures["mcrl2"] = measure(["sh", "-c", command], repeat=repeat).as_dict()
    return figures


def show(figures: dict[str, Any]) -> None:
    """Print a row."""
    seconds = figures["exploration"] or figures["wall"]
    rate = figures["transitions"] / seconds
    theirs = figures.get("mcrl2")
    beside = f" {theirs['wall']:8.2f} {theirs['wall'] / figures['wall']:6.1f}" if theirs else ""
    print(
        f"{figures['model'][:32]:32} {figures['states']:10,} {figures['transitions']:12,} "
        f"{figures['wall']:8.2f} {rate:11,.0f} {figures['memory'] / 1e6:7.1f}{beside}",
        flush=True,
    )


if __name__ == "__main__":
    main()
