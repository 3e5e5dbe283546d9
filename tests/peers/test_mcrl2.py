"""The regression texts and public formulas of mCRL2, with the answers that mCRL2 gives.

They are other people's work and not part of the project. `make peer-test PEERS=FOLDER` names a
folder that has them: `texts.tsv` (a text in `texts/`, its states/transitions modulo strong
bisimulation, termination left out) and `formulas.tsv` (a specification in `specs/`, a formula in
`formulas/`, whether it holds). What ltstool does not take it refuses, with a reason; where it gives
an answer, that is mCRL2's. Most of it is answered: a share is asked for, so that refusing
everything does not pass.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from programs import outcome

SECONDS = 25
"""What an answer may take; on a busy machine more are unanswered, and none of them wrong."""
PEERS = Path(os.environ.get("PEERS") or os.devnull)
ANSWERED = 0.75
"""The share of all that is answered, at least."""


def read(name: str) -> list[list[str]]:
    """Return the rows of one of the tables."""
    if not (PEERS / name).is_file():
        pytest.skip(f"no {name} of a peer: make peer-test PEERS=FOLDER")
    with (PEERS / name).open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t"))


def least_size(text: str) -> tuple[int, str, str]:
    """Return the exit code, states/transitions modulo strong bisimulation, and what was told."""
    with tempfile.TemporaryDirectory() as folder:
        system, least = Path(folder, "system.aut"), Path(folder, "least.aut")
        words = ["--language", "mcrl2", "--timeout", SECONDS, "-q", "-o", system]
        code, _, reported = outcome("generate", PEERS / "texts" / text, *words)
        if code:
            return code, "", reported
        code, _, reported = outcome("minimise", system, "-e", "strong", "-q", "-o", least)
        assert code == 0, reported
        with least.open(encoding="utf-8") as file:
            _, transitions, states = file.readline().strip("des ()\n").split(",")
        return code, f"{states}/{transitions}", reported


def verdict(specification: str, formula: str) -> tuple[int, str, str]:
    """Return the exit code, the verdict, and what was told."""
    question = f"@{PEERS / 'formulas' / formula}"
    words = ["--language", "mcrl2", "--timeout", SECONDS, "-q"]
    code, _, reported = outcome("check", PEERS / "specs" / specification, question, *words)
    return (0, "false", reported) if code == 1 else (code, "true", reported)


@pytest.mark.parametrize(
    ("table", "answer"), [("texts.tsv", least_size), ("formulas.tsv", verdict)]
)
def test_verdicts_agree_with_mcrl2(table: str, answer: Callable[..., tuple[int, str, str]]) -> None:
    wrong, unanswered, rows = [], [], read(table)
    for *question, expected in rows:
        code, got, reported = answer(*question)
        name = " ".join(question)
        if code == 0 and got != expected:
            wrong.append(f"{name}: {got} instead of {expected}")
        elif code in (2, 3) and reported.startswith("ltstool: error: "):
            unanswered.append(f"{name}: {reported.splitlines()[0]}")
        elif code:
            wrong.append(f"{name}: exit code {code}: {reported[-500:]}")
    print("\n".join(unanswered))
    assert not wrong, "\n".join(wrong)
    assert len(unanswered) <= (1 - ANSWERED) * len(rows)
