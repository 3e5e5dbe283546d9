"""Fairness assumptions that no path satisfies, or that name what no label is."""

import json
import random

import pytest

from lts import LTS, LtsError, check, write
from ltstool.main import main
from naive import paths

ASSUMED = [
    ("G", ("F", ("label", "a"))),
    ("G", ("label", "a")),
    ("F", ("label", "b")),
    ("label", "a"),
    ("X", ("label", "b")),
    ("and", ("G", ("F", ("label", "b"))), ("F", ("G", ("label", "a")))),
    ("not", ("F", ("label", "a"))),
]


def naively(steps, states, assumed):
    """Whether some path from state 0 satisfies the assumption, and whether one from any state
    does."""
    holding = paths.holding(steps, states, ("E", assumed))
    reachable, waiting = {0}, [0]
    while waiting:
        state = waiting.pop()
        for target in {t for s, _, t in steps if s == state} - reachable:
            reachable.add(target)
            waiting.append(target)
    return 0 in holding, bool(reachable & holding)


def test_vacuous_fairness_matches_definition():
    rng, seen = random.Random(5), {}
    for _ in range(300):
        states = rng.randint(1, 4)
        steps = [
            (rng.randrange(states), rng.choice("ab"), rng.randrange(states))
            for _ in range(rng.randint(1, 6))
        ]
        system = LTS.from_transitions(steps, state_count=states)
        steps = list(system)
        assumed = rng.choice(ASSUMED)
        here, anywhere = naively(steps, states, assumed)
        named = {"a", "b"} if "and" in assumed else {str(assumed).split("'")[-2]}
        formula = rng.choice(["A F a", "E F b", "[true*]A F b", "!(A G a)"])
        try:
            found = check(system, formula, fair=paths.written(assumed))
        except LtsError as error:
            kind = "unknown" if "no label is" in str(error) else "nowhere"
        else:
            kind = "vacuous" if found.vacuous else "sensible"
        if not named <= {*system.labels}:
            expected = "unknown"
        else:
            expected = "sensible" if here else "vacuous" if anywhere else "nowhere"
        assert kind == expected, (steps, assumed, formula)
        seen[kind] = seen.get(kind, 0) + 1
    assert min(seen[kind] for kind in ("unknown", "sensible", "vacuous", "nowhere")) >= 5, seen


TEXT = "act a, b: Bool; proc P = a(true) . Q; Q = b(true) . Q + b(false) . Q; init P;"


@pytest.fixture(params=["process", "orbits", "network", "network orbits", "system"])
def subject(request, tmp_path, monkeypatch):
    """Words of the command line for the system of TEXT, each checked in a way of its own."""
    monkeypatch.chdir(tmp_path)
    steps = [(0, "a(true)", 1), (1, "b(true)", 1), (1, "b(false)", 1)]
    (tmp_path / "p.mcrl2").write_text(TEXT)
    write(LTS.from_transitions(steps), tmp_path / "p.aut")
    (tmp_path / "p.exp").write_text('"p.aut"')
    return {
        "process": ["p.mcrl2"],
        "orbits": ["p.aut", "--symmetry", "()"],
        "network": ["p.exp"],
        "network orbits": ["p.exp", "--symmetry", "()"],
        "system": ["p.aut"],
    }[request.param]


@pytest.mark.parametrize(
    ("formula", "fair", "said"),
    [
        ("A F nonsense", "never", "the fairness assumption is about what never happens: "),
        ("A F nonsense", "b(true)", "vacuous"),
        ("E true", "b(true)", "vacuous"),
        ("A F b(...)", "G a(...)", "no path satisfies the fairness assumption, so every `A`"),
        ("A F b(...)", "SF(b(true))", "sensible"),
    ],
)
def test_every_checking_method_reports_vacuous_fairness(subject, formula, fair, said, capsys):
    file, *options = subject
    code = main(["check", file, formula, "--fair", fair, *options, "--json"])
    out, err = capsys.readouterr()
    if said in ("vacuous", "sensible"):
        assert json.loads(out)["vacuous"] == (said == "vacuous")
        assert ("no path from the initial state" in err) == (said == "vacuous")
        assert code == (1 if formula == "E true" else 0)
    else:
        assert code == 2
        assert said in json.loads(out)["error"]


def test_fair_path_limit_preserves_the_verdict(tmp_path, capsys):
    (tmp_path / "p.mcrl2").write_text(
        "act a, b: Nat; proc P(n: Nat) = a(n) . P(n + 1) + b(n) . P(n + 1); init P(0);"
    )
    words = ["check", str(tmp_path / "p.mcrl2"), "E X a(1)", "--fair", "a(...)", "-q"]
    assert main([*words, "--max-states", "50"]) == 0
    assert capsys.readouterr().out == "true\n"
