"""Minimal sizes of the case studies, published and recomputed with other tools."""

import tomllib
from pathlib import Path

import pytest

from lts import LTS
from lts.equivalence import minimise
from lts.mucrl import explore, generate, linearise, read
from lts.state_space.generation import Output
from lts.symmetry import parse_symmetry_file
from lts.symmetry.data.certify import certified_quotient

CASES = Path(__file__).parents[1] / "cases"
HIDDEN = {
    "abp": "c2 c3 c5 c6",
    "peterson": "setturn setflag wait",
    "philosophers": "get set up down think",
}


def hidden(system, actions):
    names = ["tau" if a.split("(")[0] in actions.split() else a for a in system.labels]
    rows = zip(system.source.tolist(), system.label.tolist(), system.target.tolist(), strict=True)
    return LTS.from_transitions(
        ((s, names[a], t) for s, a, t in rows), state_count=system.state_count
    )


def confirmed():
    """Yield the sizes stated in the case studies' files, as far as they are small."""
    for file in sorted(CASES.glob("*.toml")):
        for row in tomllib.loads(file.read_text()).get("confirmed", []):
            if row["original"][0] < 1_000_000:
                yield file.stem, row["N"], tuple(row["original"])


@pytest.mark.parametrize(("case", "n", "size"), list(confirmed()))
def test_confirmed_sizes(case, n, size):
    process = linearise(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    statistics = explore(process, output=Output(columns=False)).statistics
    assert (statistics.states, statistics.transitions) == size
    symmetry = parse_symmetry_file(
        (CASES / f"{case}.sym").read_text(), name=case, parameters={"N": n}
    )
    certified = certified_quotient(process, symmetry.generators)
    assert certified.quotient.count() == size


@pytest.mark.parametrize(
    ("case", "n", "strong", "weak"),
    [
        ("abp", 2, (68, 86), (3, 4)),
        ("abp", 3, (100, 128), (4, 6)),
        ("peterson", 2, (34, 56), (16, 28)),
        ("peterson", 3, (347, 753), (164, 375)),
        ("peterson", 4, (4784, 12892), None),
        ("philosophers", 2, (976, 1572), (37, 70)),
        ("philosophers", 3, (14856, 32058), (291, 774)),
    ],
)
def test_minimal_sizes(case, n, strong, weak):
    system = generate(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    least = minimise(system, "strong")
    assert (least.state_count, least.transition_count) == strong
    if weak is not None:
        least = minimise(hidden(system, HIDDEN[case]), "weak")
        assert (least.state_count, least.transition_count) == weak
