"""Interrupts each of the calls named on the command line, and says as JSON how that went.

A call runs in the main thread; another one sends SIGINT once the main thread is seen in one place
for a while, which is in the engine. Told are the seconds that it took to raise
`KeyboardInterrupt`, or None for a call that was done before; then the same call is made on a small
input.
"""

import io
import json
import os
import signal
import sys
import threading
import time
import warnings
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

import aut_format
from lts import LTS, mcrl2, mucrl
from lts.base.label_names import unmatched
from lts.certificates import minimisation_certificate
from lts.equivalence import compare, minimise, minimise_with_classes, refines, without_tau_cycles
from lts.logic import check, check_process
from lts.state_space.settings import Internal, Limits, Settings
from lts.symmetry import (
    certified_quotient,
    count_orbits,
    encode,
    expand,
    find_in_specification,
    find_symmetry,
    isomorphic,
    minimise_quotient,
    parse_permutation,
    reduce,
    refines_on_orbits,
)
from lts.symmetry import check as check_symmetry

CASES = Path(__file__).parents[2] / "cases"
SAMPLE = 0.005
"""Seconds between two looks at the main thread."""
STILL = 10
"""Looks in which it has not moved."""


@cache
def process(case, number):
    return mucrl.linearise(mucrl.read(CASES / f"{case}.mcrl", parameters={"N": number}))


def swaps(number):
    """Return what generates all permutations of p1 .. pN."""
    names = " ".join(f"p{i}" for i in range(1, number + 1))
    return [parse_permutation("(p1 p2)"), parse_permutation(f"({names})")]


@cache
def random_system(states, seed=1):
    """Return a system without structure, nearly half of its steps internal."""
    random = np.random.default_rng(seed)
    columns = [random.integers(0, end, 3 * states, dtype=np.uint32) for end in (states, 7, states)]
    columns[1][columns[1] > 4] = 0
    return LTS.from_columns(*columns, ("tau", "a", "b", "c", "d"), 0, states)


@cache
def chains(length):
    """Return two chains that are images of each other."""
    rows = []
    for branch in (0, 1):
        states = [0, *range(1 + branch * length, 1 + (branch + 1) * length)]
        rows += [(s, f"a(p{branch + 1})", t) for s, t in pairwise(states)]
    return LTS.from_transitions(rows)


@cache
def text_of(states):
    return aut_format.dumps(random_system(states))


@cache
def quotient(number):
    return certified_quotient(process("mutex", number), swaps(number)).quotient


@cache
def reduction(number):
    return encode(quotient(number), swaps(number), kind="sorts")


def searched(linear):
    mucrl.simulate(linear).run(lambda _: False, max_states=10**9)


def evaluated(number):
    text = """
sort N Bool
func T,F:->Bool 0:->N S:N->N
map f,plus:N#N->N
var x,y:N
rew plus(0,y)=y plus(S(x),y)=S(plus(x,y)) f(0,y)=y f(S(x),y)=f(x,plus(y,y))
act a:N
init delta
"""
    term = f"f({'S(' * number}0{')' * number},S(0))"
    mucrl.evaluate(mucrl.read_text(text), term, max_steps=10**12)


def inside_a_state(formula):
    """Return a call that checks a formula on a process with one state and so many steps."""

    def call(process):
        check_process(process, formula, settings=Settings(limits=Limits(values=10**8)))

    return call


def many_steps(number):
    text = f"act a: Nat; proc P = sum n: Nat. (n < {number}) -> a(n) . P; init P;"
    return (mucrl.linearise(mcrl2.read_text(text)),)


def all_images(number):
    """Return a process whose states are sets of so many elements, and their permutations."""
    names = ",".join(f"p{i}" for i in range(1, number + 1))
    text = f"""sort Pid = struct {names.replace(",", "|")}; act a: Pid; proc P(s: Set(Pid)) =
    sum i: Pid. (!(i in s)) -> a(i) . P(s + {{i}}); init P({{}});"""
    return mucrl.linearise(mcrl2.read_text(text)), swaps(number)


NO_ROWS = [np.zeros(0, np.uint32)] * 3
ACTIONS = ["*"]
SILENT = LTS.from_transitions([(0, "tau", 0)])


@cache
def many_labels():
    return LTS.from_columns(*NO_ROWS, [f"a{i}" for i in range(200_000)], 0, 1)


def named(number):
    return many_labels(), [f"*{i}*b" for i in range(number)]


def large_process(case):
    return lambda n: (process(case, n),)


def one(n):
    return (random_system(n),)


def two(n):
    return random_system(n), random_system(n, 2)


def chained(n):
    return chains(n), parse_permutation("(p1 p2)")


def chains_of(n):
    return (chains(n),)


def certified(system):
    least, classes = minimise_with_classes(system, "strong")
    return minimisation_certificate(system, least, classes, "strong")


PETERSON = large_process("peterson")
FORMULA = "nu X. mu Y. (<a>X || <b>Y || <c>nu Z. <d>(Z && <a>Y))"

CALLS = {
    "generate": (mucrl.generate, PETERSON, 7, 2),
    "generate on two threads": (lambda p: mucrl.generate(p, threads=2), PETERSON, 7, 2),
    "simulate": (searched, PETERSON, 7, 2),
    "evaluate": (evaluated, lambda n: (n,), 40, 3),
    "steps of one state": (inside_a_state("deadlock-free"), many_steps, 5_000_000, 5),
    "labels of one state": (inside_a_state("<a(1)>[a(2)]<a(0)>true"), many_steps, 2_000_000, 5),
    "all images": (
        lambda p, g: count_orbits(p, g, Settings(strategy="enumerate")),
        *(all_images, 8, 3),
    ),
    "count orbits": (lambda p: count_orbits(p, ()), PETERSON, 7, 2),
    "reduce a specification": (lambda p: certified_quotient(p, ()), PETERSON, 7, 2),
    "find in a specification": (find_in_specification, PETERSON, 7, 2),
    "refine on orbits": (
        lambda p: refines_on_orbits(SILENT, p, "weak-trace", (), internal=Internal(hidden=ACTIONS)),
        *(PETERSON, 7, 2),
    ),
    "minimise a reduction": (
        lambda q: minimise_quotient(q, "weak"),
        *(lambda n: (quotient(n),), 60, 3),
    ),
    "expand": (lambda r: expand(r.encoding, r.symmetry), lambda n: (reduction(n),), 20, 3),
    "strong": (lambda x: minimise(x, "strong"), one, 2_000_000, 5),
    "branching": (lambda x: minimise(x, "branching"), one, 2_000_000, 5),
    "weak": (lambda x: minimise(x, "weak"), one, 2_000_000, 5),
    "trace": (lambda x: minimise(x, "trace", max_states=10**9), one, 30_000, 5),
    "simulation": (lambda x: minimise(x, "simulation", max_states=10**9), one, 30_000, 5),
    "compare": (lambda x, y: compare(x, y, "weak"), two, 500_000, 5),
    "preorder": (lambda x, y: refines(x, y, "failures"), lambda n: one(n) * 2, 100_000, 5),
    "tau cycles": (without_tau_cycles, one, 2_000_000, 5),
    "components": (LTS.components, one, 2_000_000, 5),
    "reachable": (LTS.reachable, one, 2_000_000, 5),
    "nondeterminism": (LTS.nondeterministic_states, one, 2_000_000, 5),
    "duplicates": (lambda x: x.duplicate_count, one, 2_000_000, 5),
    "divergence": (LTS.divergent_states, one, 2_000_000, 5),
    "nearest": (lambda x: x.nearest_deadlocks(10), one, 2_000_000, 5),
    "formula": (lambda x: check(x, FORMULA, max_positions=10**9), one, 2_000_000, 5),
    "find": (find_symmetry, chains_of, 300_000, 5),
    "isomorphic": (isomorphic, lambda n: one(n) * 2, 2_000_000, 5),
    "check symmetry": (check_symmetry, chained, 400_000, 5),
    "reduce": (reduce, chained, 400_000, 5),
    "read": (lambda x: aut_format.read(io.BytesIO(x)), lambda n: (text_of(n),), 2_000_000, 5),
    "write": (lambda x: aut_format.dumps(x), one, 4_000_000, 5),
    "hide": (lambda x, names: x.hide(names), named, 3_000, 1),
    "unmatched": (lambda x, names: unmatched(names, x.labels), named, 3_000, 1),
    "certificate": (certified, one, 1_000_000, 5),
}


def interrupting(main, went_on, done):
    """Send SIGINT once the main thread stays in one place."""
    still, place, begin = 0, None, time.monotonic()
    while not done.wait(SAMPLE):
        frame = sys._current_frames()[main]
        now = (id(frame), frame.f_lasti)
        still, place = (still + 1 if now == place else 0), now
        if still >= STILL or time.monotonic() - begin > 1:
            went_on.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
            return


def interrupted(name, times=1):
    """Interrupt a call on an input that is so many times as large as usual."""
    call, make, large, small = CALLS[name]
    arguments = make(large * times)
    sent, done = [], threading.Event()
    watch = threading.Thread(target=interrupting, args=(threading.get_ident(), sent, done))
    took = None
    try:
        try:
            watch.start()
            call(*arguments)
        finally:
            done.set()
            watch.join()
    except KeyboardInterrupt:
        took = time.process_time() - sent[0]
    call(*make(small))
    return took


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    # All calls, or those named, or of all every second one.
    asked = sys.argv[1:] or list(CALLS)
    if asked[0] in ("0", "1"):
        asked = list(CALLS)[int(asked[0]) :: 2]
    for name in asked:
        begin = time.monotonic()
        took = interrupted(name)
        # A fast machine, or one whose clock jumps, may be done before.
        for times in (2, 4, 8):
            if took is None and CALLS[name][2] > 1_000:
                took = interrupted(name, times)
        print(json.dumps([name, took, time.monotonic() - begin]), flush=True)
