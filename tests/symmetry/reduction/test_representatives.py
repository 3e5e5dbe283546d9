"""Representatives of orbits of states: one for each orbit, whatever the data and however chosen."""

import itertools
import math
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grouped_options import grouped
from lts.mucrl import generate, linearise, read, read_text
from lts.state_space.settings import Settings
from lts.symmetry import encode, expand, parse_permutation, parse_symmetry_file
from lts.symmetry.data.certify import STRATEGIES, certified_quotient, count_orbits
from naive.systems import isomorphic
from strategies import examples
from structures import GROUPS, STRUCTURES, specification

CASES = Path(__file__).parents[3] / "cases"
SMALL = 3000


def rows():
    """Yield the published sizes that are small."""
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for row in table.get("counted", []):
            if row.get("full", SMALL + 1) <= SMALL:
                name = ",".join(f"{key}={value}" for key, value in row["parameters"].items())
                yield pytest.param(file.parent, table, row, id=f"{file.stem}-{name}")


@pytest.mark.parametrize(("folder", "table", "row"), list(rows()))
def test_every_strategy_finds_the_published_orbits(folder, table, row):
    specification = read(folder / table["specification"], parameters=row["parameters"])
    process = linearise(specification)
    text = (folder / table["symmetry"]).read_text(encoding="utf-8")
    symmetry = parse_symmetry_file(text, parameters=specification.parameters)
    for strategy in STRATEGIES:
        certified = certified_quotient(
            process, symmetry.generators, settings=Settings(strategy=strategy)
        )
        explored = certified.explored
        assert (explored.orbits, explored.states) == (row["quotient"], row["full"])
        assert certified.quotient.orbits == row["quotient"]
        assert certified.quotient.count() == (explored.states, explored.transitions)
        counted = count_orbits(
            process, symmetry.generators, settings=Settings(strategy=strategy, threads=2)
        )
        assert (counted.orbits, counted.steps) == (explored.orbits, explored.steps)
        assert (counted.states, counted.transitions) == (explored.states, explored.transitions)
        assert counted.strategy == strategy


def observed(label, kinds):
    """What a label shows, as a tuple of the ids that are seen, structure by structure."""
    parts, depth, start = [], 0, len("show(")
    for at in range(start, len(label)):
        depth += {"(": 1, ")": -1}.get(label[at], 0)
        if depth < 0 or (depth == 0 and label[at] == ","):
            parts.append(label[start:at])
            start = at + 1
    ids = [tuple(int(i) for i in re.findall(r"p(\d)", part)) for part in parts]
    found = []
    for kind in kinds:
        if kind in ("set", "array"):
            own, parts[:3] = parts[:3], []
            values, ids[:3] = ids[:3], []
            flags = [part == "T" for part in own]
            found.append((kind, tuple(flags) if kind == "set" else tuple(values)))
        else:
            part, value = parts.pop(0), ids.pop(0)
            shape = re.sub(r"p\d", "p", part)
            found.append((kind, (shape, tuple(sorted(value)) if kind == "unordered" else value)))
    return tuple(found)


def moved(state, images):
    """The image of what is observed, from the definition."""
    found = []
    for kind, value in state:
        if kind == "set":
            found.append((kind, tuple(value[images.index(i)] for i in (1, 2, 3))))
        elif kind == "array":
            image = [tuple(images[x - 1] for x in row) for row in value]
            found.append((kind, tuple(image[images.index(i)] for i in (1, 2, 3))))
        else:
            row = tuple(images[x - 1] for x in value[1])
            found.append((kind, (value[0], tuple(sorted(row)) if kind == "unordered" else row)))
    return tuple(found)


@settings(max_examples=examples(0.4))
@given(
    st.lists(st.sampled_from(sorted(STRUCTURES)), min_size=1, max_size=2, unique=True),
    st.sampled_from(sorted(GROUPS)),
    st.sampled_from(STRATEGIES),
    st.integers(1, 2),
)
def test_orbits_of_data_structures(kinds, group, strategy, threads):
    assume(kinds != ["array", "nested"] and kinds != ["nested", "array"])  # 64 * 85 states
    written, images = GROUPS[group]
    permutations = [parse_permutation(text) for text in written]
    shown = generate(read_text(specification(kinds, shows=True)))
    states = {observed(label, kinds) for label in shown.labels if label.startswith("show(")}
    assert len(states) == shown.state_count
    orbits = {frozenset(moved(state, image) for image in images) for state in states}
    process = linearise(read_text(specification(kinds, shows=False)))
    system = generate(read_text(specification(kinds, shows=False)))
    options = {"strategy": strategy, "threads": threads}
    explored = count_orbits(process, permutations, **grouped(count_orbits, **options))
    assert explored.orbits == len(orbits)
    assert explored.order == len(images)
    assert (explored.states, explored.transitions) == (system.state_count, system.transition_count)
    certified = certified_quotient(process, permutations, **grouped(certified_quotient, **options))
    assert certified.quotient.orbits == len(orbits)
    if system.state_count < 200:
        reduction = encode(certified.quotient, permutations, kind="sorts")
        assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


def graphs(n, *, directed):
    """One component for each pair of n points, on or off: the states are graphs."""
    points = [f"p{i}" for i in range(1, n + 1)]
    if directed:
        pairs = list(itertools.permutations(points, 2))
        sort, rules = "", ""
        arguments, sorts = "p:P,q:P", "P#P"
        call, starts = "p,q", [f"Edge({p},{q})" for p, q in pairs]
    else:
        pairs = list(itertools.combinations(points, 2))
        sort = "sort Two func two:P#P->Two\n"
        rules = "rew " + " ".join(f"two({q},{p})=two({p},{q})" for p, q in pairs) + "\n"
        arguments, sorts = "u:Two", "Two"
        call, starts = "u", [f"Edge(two({p},{q}))" for p, q in pairs]
    return (
        "sort Bool func T,F:->Bool\n"
        f"sort P func {','.join(points)}:->P\n{sort}{rules}act on,off:{sorts}\n"
        f"proc Edge({arguments}) = on({call}).off({call}).Edge({call})\n"
        f"init {'||'.join(starts)}\n"
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("n", "directed", "classes"),
    # Numbers of graphs and of directed graphs up to isomorphism (Harary and Palmer, 1973).
    [(3, False, 4), (4, False, 11), (5, False, 34), (2, True, 3), (3, True, 16)],
)
def test_orbits_of_graphs(n, directed, classes, strategy):
    process = linearise(read_text(graphs(n, directed=directed)))
    cycle = " ".join(f"p{i}" for i in range(1, n + 1))
    permutations = [parse_permutation("(p1 p2)"), parse_permutation(f"({cycle})")]
    explored = count_orbits(process, permutations, settings=Settings(strategy=strategy))
    assert explored.orbits == classes
    pairs = n * (n - 1) // (1 if directed else 2)
    assert (explored.states, explored.transitions) == (2**pairs, pairs * 2**pairs)
    certified = certified_quotient(
        process, permutations, settings=Settings(strategy=strategy, threads=2)
    )
    assert certified.quotient.count() == (2**pairs, pairs * 2**pairs)


def test_large_groups_are_not_enumerated():
    processes = "||".join(f"P(p{i})" for i in range(1, 21))
    names = ",".join(f"p{i}" for i in range(1, 21))
    text = f"""sort Bool func T,F:->Bool sort Pid func {names}:->Pid act a,b:Pid
    proc P(i:Pid) = a(i).b(i).P(i) init {processes}"""
    cycle = " ".join(f"p{i}" for i in range(1, 21))
    permutations = [parse_permutation("(p1 p2)"), parse_permutation(f"({cycle})")]
    explored = count_orbits(linearise(read_text(text)), permutations)
    # How many of the twenty have done a.
    assert (explored.orbits, explored.states) == (21, 2**20)
    assert explored.transitions == 20 * 2**20
    assert explored.order == math.factorial(20)


PARTIAL = """%@ parameter N = 3
%@ include Enum of p1..p@{N} as P
%@ include Map of P, P as Arrow
act draw: P#P rub: P#P size: Nat
proc X(f:Arrow) =
    sum(p:P, sum(q:P, draw(p,q).X(set(f,p,q))))
  + sum(p:P, rub(p,get(f,p)).X(remove(f,p)) <| contains(f,p) |> delta)
  + size(size(f)).X(f)
init X(empty_Arrow)
"""


@pytest.mark.parametrize(("n", "classes"), [(1, 2), (2, 6), (3, 16), (4, 45)])
@pytest.mark.parametrize("proof", ["tested", "static"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_maps_of_the_library_are_partial_functions(n, classes, proof, strategy):
    """As many orbits as there are partial functions on n points up to isomorphism (A126285)."""
    specification = read_text(PARTIAL, parameters={"N": n})
    swaps = ["(p1 p2)", f"(p1 .. p{n})"][: max(0, min(2, n - 1))]
    permutations = [parse_permutation(text) for text in swaps] or [parse_permutation("()")]
    process = linearise(specification)
    found = count_orbits(process, permutations, settings=Settings(proof=proof, strategy=strategy))
    system = generate(specification)
    assert (found.orbits, found.states) == (classes, (n + 1) ** n)
    assert (found.states, found.transitions) == (system.state_count, system.transition_count)
    if n == 3:
        certified = certified_quotient(
            process, permutations, settings=Settings(proof=proof, strategy=strategy)
        )
        reduction = encode(certified.quotient, permutations, kind="sorts")
        assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)
