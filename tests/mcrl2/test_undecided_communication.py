"""Whether a parameter is a constant may be undecided, where summands are found by that constant."""

import pytest

from lts import SpecificationError, mcrl2, mucrl
from lts.mucrl import generate, linearise
from lts.state_space.simulation import simulate
from lts.symmetry import count_orbits, parse_permutation

HEAD = """
map f: Nat -> Nat; k: Nat;
act a, b, c: Nat;
proc X(n: Nat) = a(n) . X(f(0));
"""


@pytest.mark.parametrize("partner", ["b(1)", "b(f(1))", "b(k)", "(b(1) + b(2))"])
def test_undecided_communication_is_an_error(partner):
    """`f(0) == 1` has no truth value, so nobody can say whether both sides communicate."""
    text = f"""{HEAD} Y = {partner} . Y;
    init allow({{c}}, comm({{a|b -> c}}, X(1) || Y));"""
    specification = mcrl2.read_text(text.replace("X(1)", "X(f(0))"))
    with pytest.raises(SpecificationError, match="does not reduce to a value"):
        generate(specification)


def test_unreached_undecided_communication_is_no_error():
    text = f"{HEAD} Y = b(1) . c(2) . delta; init allow({{c}}, comm({{a|b -> c}}, X(1) || Y));"
    process = mcrl2.read_text(text)
    assert [label for _, label, _ in generate(process).transitions()] == ["c(1)", "c(2)"]


def test_syntactically_equal_terms_communicate():
    text = f"{HEAD} Y = b(f(0)) . Y; init allow({{c}}, comm({{a|b -> c}}, X(f(0)) || Y));"
    assert list(generate(mcrl2.read_text(text)).transitions()) == [(0, "c(f(0))", 0)]


def test_mucrl_irreducible_terms_are_distinct():
    text = """sort Bool func T,F:->Bool sort D func d1:->D map f:D->D
    act a,b,c:D comm a|b=c proc X(d:D) = a(d).X(f(d)) Y = b(d1).Y init encap({a,b},X(d1) || Y)"""
    assert list(generate(mucrl.read_text(text)).transitions()) == [(0, "c(d1)", 1)]


def test_undecided_communication_is_an_error_on_orbits():
    text = f"""sort D = struct d1 | d2; act e: D; {HEAD} Y = b(1) . Y; Z = sum x: D. e(x) . Z;
    init allow({{c}}, comm({{a|b -> c}}, X(1) || Y)) || Z;"""
    process = linearise(mcrl2.read_text(text))
    with pytest.raises(SpecificationError, match="does not reduce to a value"):
        count_orbits(process, parse_permutation("(d1 d2)"))


def test_undecided_communication_is_an_error_in_simulation():
    text = f"{HEAD} Y = b(1) . Y; init allow({{c}}, comm({{a|b -> c}}, X(f(0)) || Y));"
    with pytest.raises(SpecificationError, match="does not reduce to a value"):
        simulate(mcrl2.read_text(text)).steps  # noqa: B018
