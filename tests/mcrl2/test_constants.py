"""Constants of a text are given other numbers."""

import pytest

from lts import SpecificationError, mcrl2
from lts.mucrl import generate

TEXT = """map N, M: Nat; K: Int; b: Bool; f: Nat -> Nat; L: Nat;
var n: Nat; eqn N = 3; K = -2; M = N + 1; f(n) = 7; L = 1; N > 0 -> L = 2; b = true;
act a: Nat # Int;
proc P(n: Nat) = (n < M) -> a(n, K) . P(n + 1);
init P(0);
"""


def test_given_constant_replaces_the_declared_number():
    specification = mcrl2.read_text(TEXT)
    assert dict(specification.parameters) == {"N": 3, "K": -2}
    for n, k in [(3, -2), (0, 5), (6, -9)]:
        found = mcrl2.read_text(TEXT, parameters={"N": n, "K": k})
        assert dict(found.parameters) == {"N": n, "K": k}
        written = TEXT.replace("N = 3", f"N = {n}").replace("K = -2", f"K = {k}")
        rows = list(generate(found).transitions())
        assert rows == list(generate(mcrl2.read_text(written)).transitions())
        assert len(rows) == n + 1


@pytest.mark.parametrize("name", ["M", "b", "f", "L", "n", "P", "missing"])
def test_unknown_constant_is_refused(name):
    with pytest.raises(SpecificationError, match=rf"no constant `{name}` .*constants: .*N"):
        mcrl2.read_text(TEXT, parameters={name: 1})


def test_a_number_that_the_sort_does_not_have_is_refused():
    with pytest.raises(SpecificationError, match=r"1:24: .*`Nat`"):
        mcrl2.read_text("map N: Nat; act a; eqn N = 1; init a;", parameters={"N": -1})
