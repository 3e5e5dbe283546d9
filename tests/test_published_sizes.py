"""The case studies have as many states as was published for them."""

import tomllib
from pathlib import Path

import pytest

from lts.mucrl import explore, linearise, read

CASES = Path(__file__).parents[1] / "cases"
SMALL = 100_000


def published():
    """Yield each published size that is small: file, parameters and states."""
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for row in table.get("published", []):
            if "full" in row and row["full"] <= SMALL:
                name = ",".join(f"{key}={value}" for key, value in row["parameters"].items())
                yield pytest.param(
                    CASES / table["specification"],
                    row["parameters"],
                    row["full"],
                    id=f"{file.stem}-{name}",
                )


@pytest.mark.parametrize(("specification", "parameters", "full"), list(published()))
def test_number_of_states(specification, parameters, full):
    process = linearise(read(specification, parameters=parameters))
    assert explore(process, columns=False).account.states == full


def test_every_published_row_says_what_and_where():
    for file in CASES.glob("*.toml"):
        for row in tomllib.loads(file.read_text(encoding="utf-8")).get("published", []):
            assert set(row) >= {"parameters", "quotient", "source"}, file
            assert set(row) <= {"parameters", "full", "quotient", "source"}, file
            assert row["quotient"] <= row.get("full", row["quotient"]), file
