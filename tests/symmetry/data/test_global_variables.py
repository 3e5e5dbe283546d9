"""Parameters of one process that belong to identities, one to each: they move with these, although
conditions that test all of them but one then have another order."""

import pytest

from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Settings
from lts.symmetry import check, count_orbits, find_in_specification, parse_permutation


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
