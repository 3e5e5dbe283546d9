"""Comparison of partitioned results with those of one machine, and the systems used for it."""

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

import aut_format
from grouped_options import grouped
from lts import LTS, mucrl
from lts.cluster import generate_parts
from lts.formats import parts
from lts.mucrl import linearise
from lts.network import Network
from lts.network import explore as explore_network
from lts.state_space.generation import explore
from ltstool.shared.reading import read_symmetry

COUNTS = ("states", "explored", "transitions", "levels", "deadlocks")
EQUIVALENCES = ("strong", "branching", "divergence-preserving-branching")

NUMBERS = """
act a: Nat # List(Nat); b: Set(Nat);
proc X(n: Nat, l: List(Nat), s: Set(Nat)) =
  (n < 40) -> a(n * 12345678901234567890, l) . X(n + 1, n |> l, s + {n mod 3})
  + (n > 3) -> b(s) . X(n div 2, tail(l), {});
init X(0, [], {});
"""

CASES = Path(__file__).parents[1] / "cases"
SYMMETRIC = [
    ("peterson_turns", {"N": 3}),
    ("peterson_turns", {"N": 4}),
    ("list_stack", {}),
    ("mutex", {}),
    ("philosophers", {"N": 3}),
    ("lamps", {}),
    ("hanoi", {}),
    ("three_tiers", {}),
]
"""Case studies under the groups of their symmetry files, with parameters."""


def case(name, **values):
    """A case study, and the generators of its symmetry file."""
    specification = mucrl.read(CASES / f"{name}.mcrl", parameters=values)
    symmetry = read_symmetry(str(CASES / f"{name}.sym"), specification.parameters)
    return linearise(specification), symmetry.generators


def counts(found):
    return [getattr(found.statistics, count) for count in COUNTS]


def as_text(system):
    return aut_format.dumps(system)


def agree(process, path, partitions, **options):
    """Require that the results in partitions equal those of one machine; return them."""
    one_machine = explore_network if isinstance(process, Network) else explore
    whole = one_machine(process, **grouped(explore, **options))
    partial = whole.incomplete is not None
    found = generate_parts(
        process, path, **grouped(generate_parts, partitions=partitions, partial=partial, **options)
    )
    assert counts(found) == counts(whole)
    assert (found.incomplete, found.limit_summand) == (whole.incomplete, whole.limit_summand)
    assert found.traces == whole.traces
    assert found.normal_forms == whole.normal_forms or partial
    columns = [[], [], []]
    for row in parts.rows(path):
        for column, more in zip(columns, row, strict=True):
            column += more.tolist()
    system = whole.lts
    expected = [list(c) for c in (system.source, system.label, system.target)]
    assert columns == expected
    facts = parts.manifest(path)
    assert facts.incomplete == whole.incomplete
    assert facts.states == whole.statistics.states
    labels = parts.reading.labels_of(path, facts)
    assert labels == list(system.labels)
    if not partial:
        assert as_text(parts.read(path)) == b"".join(parts.aut_blocks(path))
    return whole


def system_of(states, rows, labels, initial=0):
    columns = [np.array([row[place] for row in rows], np.uint32) for place in range(3)]
    return LTS.from_columns(*columns, labels, initial, states)


def same_files(path, other):
    """Whether two folders have the same bytes in the same files."""
    names = sorted(file.name for file in path.iterdir())
    assert names == sorted(file.name for file in other.iterdir())
    return all((path / name).read_bytes() == (other / name).read_bytes() for name in names)


@st.composite
def difficult_systems(draw):
    """Return systems with internal cycles, unreachable states, duplicates and deadlocks."""
    chosen = draw(st.randoms(use_true_random=False))
    states = chosen.choice([1, 2, 3, 5, 8, 13, 40])
    labels = chosen.choice(
        [[], ["tau"], ["tau", "a"], ["tau", "a", "b"], ["i", "a"], ["a", "b", "c", "tau", "i"]]
    )
    rows = []
    if labels:
        count = int(states * chosen.choice([0.5, 1, 1.5, 2, 3]))
        often = [chosen.choice([1, 1, 5]) for _ in labels]
        for label in chosen.choices(range(len(labels)), often, k=count):
            rows.append((chosen.randrange(states), label, chosen.randrange(states)))
        rows += rows[: len(rows) // 3]
    return system_of(states, rows, labels, chosen.randrange(states))
