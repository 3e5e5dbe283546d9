"""The case studies have as many states, and orbits of states, as was published for them."""

import tomllib
from pathlib import Path

import pytest

from lts.mucrl import explore, linearise, read
from lts.symmetry import parse_symmetry_file
from lts.symmetry.specification import certified_quotient

CASES = Path(__file__).parents[1] / "cases"
SMALL = 100_000


def published():
    """Yield each published size that is small: file, symmetry and row."""
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for row in table.get("published", []):
            if "full" in row and row["full"] <= SMALL:
                name = ",".join(f"{key}={value}" for key, value in row["parameters"].items())
                yield pytest.param(
                    CASES / table["specification"],
                    CASES / table["symmetry"],
                    row,
                    id=f"{file.stem}-{name}",
                )


@pytest.mark.parametrize(("specification", "symmetry", "row"), list(published()))
def test_number_of_states_and_of_orbits(specification, symmetry, row):
    text = read(specification, parameters=row["parameters"])
    process = linearise(text)
    account = explore(process, columns=False).account
    assert account.states == row["full"]
    group = parse_symmetry_file(symmetry.read_text(encoding="utf-8"), parameters=text.parameters)
    certified = certified_quotient(process, group.generators)
    assert certified.quotient.count() == (account.states, account.transitions)
    assert certified.quotient.orbits == row["quotient"]


def test_every_published_row_says_what_and_where():
    for file in CASES.glob("*.toml"):
        for row in tomllib.loads(file.read_text(encoding="utf-8")).get("published", []):
            assert set(row) >= {"parameters", "quotient", "source"}, file
            assert set(row) <= {"parameters", "full", "quotient", "source"}, file
            assert row["quotient"] <= row.get("full", row["quotient"]), file
