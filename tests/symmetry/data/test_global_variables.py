"""Parameters of one process that belong to identities, one to each: they move with these, although
conditions that test all of them but one then have another order."""

import json
from pathlib import Path

import pytest

from lts.errors import NotSymmetric
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Settings
from lts.symmetry import check, count_orbits, find_in_specification, parse_permutation
from ltstool.main import main
from verifier import verifier

CASES = Path(__file__).parents[3] / "cases"


def text(count):
    flags = [f"f{i}" for i in range(1, count + 1)]

    def call(number, value):
        return f"M({','.join(value if f == f'f{number}' else f for f in flags)})"

    steps = []
    for i in range(1, count + 1):
        test = "T"
        for flag in flags:
            test = test if flag == f"f{i}" else f"and(eq({flag},F),{test})"
        steps.append(f"raise(p{i}).{call(i, 'T')} <| or(f{i},{test}) |> delta")
        steps.append(f"lower(p{i}).{call(i, 'F')}")
    return f"""%@ include Enum of {",".join(f"p{i}" for i in range(1, count + 1))} as Pid
act raise,lower: Pid
proc M({",".join(f"{flag}:Bool" for flag in flags)}) = {" + ".join(steps)}
init M({",".join("F" for _ in flags)})
"""


@pytest.mark.parametrize("count", [3, 4, 5])
def test_global_variables_move_with_their_identities(count):
    process = linearise(read_text(text(count)))
    group = [parse_permutation(f"(p1 p{i})") for i in range(2, count + 1)]
    proven = count_orbits(process, group, Settings(proof="static"))
    system = generate(process)
    # By definition: the automorphisms of the whole system that move the labels so.
    assert proven.orbits == check(system, group).quotient.orbits < system.state_count
    assert proven.states == system.state_count
    assert find_in_specification(process).order == proven.order


def test_request_lines_case_from_search_to_certificate(tmp_path, capfd):
    """Found, proven, reduced, expanded, and certified for the verifier, which sees only labels."""
    case, symmetry = (str(CASES / f"request_lines.{end}") for end in ("mcrl", "sym"))
    assert main(["find-symmetry", case, "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["order"], found["structure"], found["proof"]) == (6, "S_3", "text")
    assert main(["check-symmetry", case, "--symmetry", symmetry]) == 0
    shown = capfd.readouterr().out
    assert "of order 6: S_3\n" in shown
    assert "20 in 7 orbits" in shown
    names = ("original.aut", "quotient.aut", "expanded.aut", "shown.json", "reduced.json")
    original, quotient, expanded, shown, reduced = (str(tmp_path / name) for name in names)
    assert main(["generate", case, "-o", original, "-q"]) == 0
    assert main(["reduce", case, "--symmetry", symmetry, "-o", quotient, "-q"]) == 0
    assert main(["expand", quotient, "-o", expanded, "-q"]) == 0
    assert main(["compare", original, expanded, "-e", "isomorphism"]) == 0
    assert main(["check-symmetry", original, "--permute", "(p1 p2)", "--certificate", shown]) == 0
    assert verifier.verify(json.loads(Path(shown).read_text()), [original]).startswith("valid: ")
    files = ["-o", quotient, "--certificate", reduced]
    assert main(["reduce", original, "--permute", "(p1 p2 p3)", *files]) == 0
    said = verifier.verify(json.loads(Path(reduced).read_text()), [original, quotient])
    assert said.startswith("valid: ")


def test_crossed_request_lines_have_only_rotations(tmp_path, capfd):
    """If a device lowers the line of the next one, only rotations move lines with devices."""
    text = (CASES / "request_lines.mcrl").read_text(encoding="utf-8")
    old = "grant2(p@{i}).Bus("
    new = "grant2(p@{i % N + 1}).Bus("
    assert text.count(old) == 1
    file = tmp_path / "crossed.mcrl"
    file.write_text(text.replace(old, new), encoding="utf-8")
    process = linearise(read_text(file.read_text(encoding="utf-8")))
    system = generate(process)
    for permutation in ("(p1 p2)", "(p1 p2 p3)"):
        code = main(["check-symmetry", str(file), "--permute", permutation, "-q"])
        one = parse_permutation(permutation)
        try:
            check(system, one)
        except NotSymmetric:
            assert code == 1
        else:
            assert code == 0
    assert code == 0
