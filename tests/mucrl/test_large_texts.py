"""Long texts, and processes with many control states, in time that grows as they do."""

import pytest

from lts import LtsError
from lts.mucrl import generate, linearise, read_text

HEAD = "sort Bool func T,F: -> Bool act a "


def doubling(n):
    """Each process calls the next one twice: what remains to be done has 2^n forms."""
    parts = [f"P{i} = a.P{i + 1}.P{i + 1}" for i in range(n)]
    return f"{HEAD}proc {' '.join(parts)} P{n} = a init P0"


def test_many_residual_processes_use_a_stack():
    few, many = (linearise(read_text(doubling(n))) for n in (5, 40))
    assert few.components[0].shape.stack is None
    assert many.components[0].shape.stack is not None
    assert len(many.summands) < 200


def test_stack_preserves_the_state_space(monkeypatch):
    text = doubling(7)
    plain = linearise(read_text(text))
    monkeypatch.setattr("lts.linear.shapes.MOST_RESIDUALS", 20)
    stacked = linearise(read_text(text))
    assert (plain.stacks, stacked.stacks != []) == ([], True)
    systems = [generate(process) for process in (plain, stacked)]
    assert systems[0].state_count == systems[1].state_count == 2**8
    assert systems[0].transition_count == systems[1].transition_count


def test_equal_alternatives_are_dropped_once():
    process = linearise(read_text(f"{HEAD}proc P = {' + '.join(['a.P'] * 20_000)} init P"))
    assert len(process.summands) == 1


def test_a_long_chain_of_processes():
    n = 6_000
    parts = [f"P{i} = a.P{(i + 1) % n}" for i in range(n)]
    system = generate(read_text(f"{HEAD}proc {' '.join(parts)} init P0"))
    assert (system.state_count, system.transition_count) == (n, n)


@pytest.mark.parametrize(
    "line",
    [
        "%@ for i in{0}",
        "%@ for i in 1{0}.{0}2",
        "%@ for{0}i{0}in{0}1{0}..{0}",
        "%@ include A of B{0}x{0}as{0}C{0}d",
        "%@ include A{0}of{0}B{0}as{0}",
        "%@ parameter N{0}={0}1{0}x",
        "%@ unit A{0}of{0}B{0},{0}C{0}x",
        "%@{0}end{0}x",
    ],
)
def test_blanks_take_linear_time(line):
    """With expressions that give blanks back, these took hours."""
    with pytest.raises(LtsError):
        read_text(line.format(" " * 30_000) + "\n")


def test_directives_allow_extra_blanks():
    loop = "%@  for  i  in  1  ..  N + 1  \nact a@{i}\n%@  end  \n"
    head = "%@  parameter  N  =  2  \nsort Bool func T,F: -> Bool\n"
    found = read_text(head + loop + "init a3\n")
    assert sorted(action.name for action in found.actions) == ["a1", "a2", "a3"]
