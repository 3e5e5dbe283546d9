"""Symmetric sorts: all permutations of their constants, but for those treated apart."""

import pytest

from lts.errors import SpecificationError, Unsupported
from lts.mucrl import linearise, read_text
from lts.symmetry import Permutation, count_orbits, find_in_specification, symmetric_sorts

TEXT = """%@ include Enum of none,p1..p4 as Pid
%@ include Enum of d1..d2 as Data
act a:Pid#Data b:Pid
proc M(i:Pid) = sum(j:Pid,sum(d:Data,a(j,d).M(j) <| not(eq(j,none)) |> delta)) + b(i).M(none)
init M(none)
"""


@pytest.fixture(scope="module")
def process():
    return linearise(read_text(TEXT))


def test_distinguished_values_are_fixed(process):
    sorts = symmetric_sorts(process, ["Pid"])
    assert sorts.fixed == ("none",)
    assert [str(generator) for generator in sorts.generators] == ["(p1 p2)", "(p1 p2 p3 p4)"]
    assert count_orbits(process, sorts.generators).order == 24


def test_several_sorts(process):
    sorts = symmetric_sorts(process, ["Data", "Pid", "Data"])
    assert count_orbits(process, sorts.generators).order == 48
    assert [str(generator) for generator in symmetric_sorts(process, ["Data"]).generators] == [
        "(d1 d2)"
    ]


def test_asymmetric_sorts_are_permuted_entirely():
    text = "%@ include Enum of p1..p3 as Pid\nact a:Pid\nproc P = a(p1).a(p2).a(p3).P init P"
    sorts = symmetric_sorts(linearise(read_text(text)), ["Pid"])
    assert [str(generator) for generator in sorts.generators] == ["(p1 p2)", "(p1 p2 p3)"]
    assert sorts.fixed == ()
    # Of two that are treated apart both stay: exchanging them is all that there would be.
    text = "%@ include Enum of p1..p2 as Pid\nact a:Pid\nproc P = a(p1).a(p2).P init P"
    sorts = symmetric_sorts(linearise(read_text(text)), ["Pid"])
    assert (sorts.generators, sorts.fixed) == ((), ("p1", "p2"))
    # One that does not occur has no effect.
    text = "%@ include Enum of p1..p2 as Pid\nact a:Pid\nproc P = a(p1).P init P"
    sorts = symmetric_sorts(linearise(read_text(text)), ["Pid"])
    assert (sorts.generators, sorts.fixed) == ((), ())


def test_sorts_without_constants_to_permute(process):
    with pytest.raises(SpecificationError, match="unknown sort `Pdi`; did you mean `Pid`"):
        symmetric_sorts(process, ["Data", "Pdi"])
    with pytest.raises(SpecificationError, match="there are `Bool`, `Nat`, `Pid`, `Data`"):
        symmetric_sorts(process, ["Zzz"])
    with pytest.raises(Unsupported, match="no two constants to permute; write a permutation of"):
        symmetric_sorts(process, ["Nat"])
    with pytest.raises(Unsupported, match="the sort of conditions"):
        symmetric_sorts(process, ["Bool"])


def test_suggested_permutation_is_of_the_sort():
    text = "%@ include Nat\nact a:Nat proc X = sum(n:Nat,a(n).X <| lt(n,3) |> delta) init X"
    with pytest.raises(Unsupported, match=r"such as `\(0 S\(0\)\)`$"):
        symmetric_sorts(linearise(read_text(text)), ["Nat"])


def test_suggested_values_are_constructor_terms():
    text = """sort Bool func T,F:->Bool sort N map o:->N func s:N->N z:->N
    map p:N->N rew o=s(z) p(z)=z act a:N init sum(n:N, a(n))"""
    with pytest.raises(Unsupported, match=r"closed terms, such as `\(z s\(z\)\)`"):
        symmetric_sorts(linearise(read_text(text)), ["N"])


def test_a_sort_of_one_value_has_the_identity():
    text = "sort Bool N func T,F:->Bool only:->N act a:N init sum(n:N, a(n))"
    process = linearise(read_text(text))
    sorts = symmetric_sorts(process, ["N"])
    assert (sorts.generators, sorts.fixed) == ((Permutation(()),), ())
    assert count_orbits(process, sorts.generators).order == 1


def test_single_value_sort_does_not_affect_other_sorts():
    text = """sort Bool N D func T,F:->Bool only:->N d1,d2:->D map is:D->Bool
    rew is(d1)=T is(d2)=F act a:N#D init sum(d:D, a(only,d) <| is(d) |> delta)"""
    process = linearise(read_text(text))
    assert symmetric_sorts(process, ["N", "D"]) == symmetric_sorts(process, ["D"])
    assert all(generator.cycles for generator in symmetric_sorts(process, ["N", "D"]).generators)


def test_terms_of_a_sort_without_constants_are_shown():
    text = """sort Bool N M func T,F:->Bool o:->M s:M->N t:N->M end:->M
    act a:N init sum(n:N, a(n))"""
    with pytest.raises(Unsupported, match=r"no two constants to permute; write"):
        symmetric_sorts(linearise(read_text(text)), ["N"])


def test_values_are_grouped_by_symmetry_class():
    text = """%@ include Enum of p1..p6 as Pid
act a:Pid b proc P(i:Pid) = a(i).P(i) Q(i:Pid) = a(i).b.Q(i)
init P(p1) || P(p5) || Q(p2) || P(p3) || Q(p4)"""
    sorts = symmetric_sorts(linearise(read_text(text)), ["Pid"])
    assert [str(generator) for generator in sorts.generators] == [
        "(p1 p3)", "(p1 p3 p5)", "(p2 p4)",
    ]  # fmt: skip
    assert sorts.fixed == ()  # p6 does not occur


RING = """%@ include Enum of p1..p5 as Pid
act a,c: Pid b: Pid#Pid
map after: Pid -> Pid last: Pid -> Bool var p: Pid
rew after(p1) = p2 after(p2) = p3 after(p3) = p1 after(p4) = p4 after(p5) = p5
  last(p) = and(not(lt(p,p1)),not(lt(p5,p)))
proc X = sum(p:Pid, b(p,after(p)).X <| last(p) |> delta)
init X
"""


def test_named_sort_has_the_group_that_the_search_finds():
    """Of p1 to p3 only the ring is symmetric, of p4 and p5 all."""
    process = linearise(read_text(RING))
    found = find_in_specification(process)
    named = symmetric_sorts(process, ["Pid"])
    assert count_orbits(process, named.generators).order == found.order == 6


def test_unreachable_steps_fix_no_values():
    text = """%@ include Enum of p1..p3 as Pid
%@ include Nat
act a,b: Pid
proc P(i:Pid,n:Nat) = a(i).P(i,1) <| eq(n,0) |> delta
  + b(i).P(i,n) <| and(eq(i,p1),eq(n,2)) |> delta
init P(p1,0) || P(p2,0) || P(p3,0)"""
    process = linearise(read_text(text))
    sorts = symmetric_sorts(process, ["Pid"])
    assert sorts.fixed == ()
    explored = count_orbits(process, sorts.generators)
    assert (explored.order, explored.orbits) == (6, 4)
