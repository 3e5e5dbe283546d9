"""The parser of specifications against lark's own, on one long section.

lark makes tuples of what it reads; ours makes the tree with the place of everything in it. The
collector is suspended for both, as it is where specifications are read.

    python benchmarks/parsing.py --lines 64000
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import lark

from lts.mucrl.text.parser import parse
from lts.specification import gc_pause
from lts.text.source import Source

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools" / "dev"))

import grammar


def processes(count: int) -> str:
    """Return the text of as many processes, a line each."""
    body = "a{a}(d).P{b}(d) + b(d).P{c}(d) <| eq(d,d1) |> delta"
    return " ".join(
        f"P{i}(d:D) = {body.format(a=i % 7, b=(i + 1) % count, c=i * 7 % count)}"
        for i in range(count)
    )


def of_lark(lexer: str) -> lark.Lark:
    """Return lark's parser of the grammar, with callbacks that make tuples."""
    rules = {str(rule.alias or rule.origin.name) for rule in grammar.compiled().rules}
    builders = {rule: staticmethod(lambda *children: children) for rule in rules}
    return lark.Lark(
        (grammar.FOLDER / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer=lexer,
        start=["proc_section"],
        transformer=type("Tuples", (lark.Transformer,), builders)(),
    )


def seconds(work: Callable[[], object], repeat: int) -> float:
    """Return the median of several runs."""
    taken = []
    for _ in range(repeat):
        begun = time.perf_counter()
        with gc_pause.suspended():
            work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", type=int, default=16000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    text = processes(arguments.lines)
    ours = seconds(lambda: parse(Source("proc " + text)), arguments.repeat)
    print(f"{'ours':<18} {ours:8.2f} s")
    for lexer in ("basic", "contextual"):
        other = of_lark(lexer)
        taken = seconds(lambda other=other: other.parse(text), arguments.repeat)
        print(f"{'lark, ' + lexer:<18} {taken:8.2f} s {taken / ours:6.2f} times as long")


if __name__ == "__main__":
    main()
