"""Systems of well-known shapes: what a page should make readable."""

from pathlib import Path

from lts import LTS, mucrl
from lts.linear.linearise import linearise
from lts.state_space.generation import generate

CASES = Path(__file__).resolve().parent.parent / "cases"


def chain(length):
    return LTS.from_transitions([(n, "step", n + 1) for n in range(length)])


def ring(length):
    return LTS.from_transitions([(n, "next", (n + 1) % length) for n in range(length)])


def star(arms):
    """A state from which one goes to each of the others, and back."""
    ways = [(0, f"go({n})", n + 1) for n in range(arms)]
    return LTS.from_transitions([*ways, *((n + 1, "back", 0) for n in range(arms))])


def grid(side):
    right = [(n, "right", n + side) for n in range(side * (side - 1))]
    down = [(n, "down", n + 1) for n in range(side * side) if (n + 1) % side]
    return LTS.from_transitions([*right, *down])


def tree(depth):
    """Every state has three successors, up to a depth."""
    count = (3 ** (depth + 1) - 1) // 2
    return LTS.from_transitions([((n - 1) // 3, f"a{n % 3}", n) for n in range(1, count)])


def square():
    """Four places that one can start at and walk between."""
    ways = [(0, f"at({n})", n + 1) for n in range(4)]
    ways += [(a, "d", b) for a, b in ((1, 2), (2, 1), (3, 4), (4, 3))]
    return LTS.from_transitions(
        [*ways, *((a, "s", b) for a, b in ((2, 3), (3, 2), (4, 1), (1, 4)))]
    )


def hanoi(discs):
    return generate(linearise(mucrl.read(CASES / "hanoi.mcrl", parameters={"discs": discs})))
