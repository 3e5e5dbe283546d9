"""Deep data: no recursion anywhere over the depth of a value, and no text without bound."""

import math
import resource
import subprocess
import sys

import pytest

from lts import LimitReached, SpecificationError
from lts.mucrl import generate, linearise, read_text
from lts.symmetry import (
    check,
    count,
    encode,
    expand,
    parse_permutation,
    parse_symmetry_file,
)
from lts.symmetry.data.certify import certified_quotient

DEPTH = 100_000
NAT = """sort Bool func T,F:->Bool
sort Nat func 0:->Nat S:Nat->Nat
map plus,times:Nat#Nat->Nat down:Nat->Nat eq:Nat#Nat->Bool
var m,n:Nat
rew plus(0,n)=n plus(S(m),n)=S(plus(m,n)) times(0,n)=0 times(S(m),n)=plus(n,times(m,n))
    down(0)=0 down(S(n))=down(n)
    eq(n,n)=T eq(0,S(n))=F eq(S(n),0)=F eq(S(m),S(n))=eq(m,n)
map ten,much:->Nat
rew ten=S(S(S(S(S(S(S(S(S(S(0))))))))))
    much=times(times(times(ten,ten),times(ten,ten)),ten)
"""
PAIRS = """sort D func d1,d2:->D
sort Box func box:Nat#D->Box
act a:Box b
proc P(x:D) = a(box(much,x)).b.P(x)
init P(d1) || P(d2)
"""
NUMBERS = """act a:Nat b
proc P(n:Nat) = a(n).b.P(n) <| eq(down(n),0) |> delta
init P(much)
"""
SWAP = parse_permutation("(d1 d2)")


def test_deep_values_are_generated():
    system = generate(read_text(NAT + NUMBERS))
    assert (system.state_count, system.transition_count) == (2, 2)
    assert max(map(len, system.labels)) == len("a(0)") + 3 * DEPTH


def test_deep_values_are_reduced_expanded_and_checked():
    process = linearise(read_text(NAT + PAIRS))
    system = generate(process)
    certified = certified_quotient(process, SWAP)
    assert certified.quotient.count() == (system.state_count, system.transition_count)
    reduction = encode(certified.quotient, SWAP, kind="sorts")
    expanded = expand(reduction.encoding, reduction.symmetry)
    assert (expanded.state_count, expanded.transition_count) == (4, 8)
    assert check(system, SWAP).quotient.count() == (4, 8)


def test_deep_initial_values_distinguish_components():
    text = NAT + PAIRS.replace("P(x:D)", "P(x:D,n:Nat)").replace("P(x)", "P(x,n)").replace(
        "P(d1) || P(d2)", "P(d1,much) || P(d2,much)"
    )
    assert certified_quotient(linearise(read_text(text)), SWAP).quotient.count() == (4, 8)


def test_deep_values_are_solved_for():
    text = NAT + (
        "act r,s,c:Nat comm r|s=c proc X=s(S(much)).X Y=sum(n:Nat,r(S(n)).Y <| eq(n,much) |> delta)"
        "init encap({r,s},X||Y)"
    )
    system = generate(read_text(text))
    assert (system.state_count, system.transition_count) == (1, 1)


def test_large_groups_are_not_enumerated():
    primes = [2, 3, 5, 7, 11, 13, 17, 19]
    cycles = [[f"d{p}-{i}" for i in range(p)] for p in primes]
    names = ",".join(name for cycle in cycles for name in cycle)
    text = f"sort Bool func T,F:->Bool sort D func {names}:->D act a:D init sum(x:D,a(x))"
    permutation = parse_permutation("".join(f"({' '.join(cycle)})" for cycle in cycles))
    quotient = certified_quotient(linearise(read_text(text)), permutation).quotient
    assert quotient.order == math.prod(primes)
    assert quotient.count() == (2, sum(primes))
    assert quotient.stored == len(primes)
    reduction = encode(quotient, permutation, kind="sorts")
    symmetry = parse_symmetry_file(str(reduction.symmetry))
    assert symmetry == reduction.symmetry
    assert count(reduction.encoding, symmetry) == (2, sum(primes))
    assert expand(reduction.encoding, symmetry).transition_count == sum(primes)


def test_self_containing_arrays_are_refused():
    text = """sort Bool func T,F:->Bool
    sort D func d1,d2:->D
    sort A func nil:->A
    map get:A#D->A set:A#D#A->A var a,b:A x:D rew get(a,x)=a set(a,x,b)=a
    act c:A e:D init c(nil).sum(x:D,e(x))"""
    with pytest.raises(SpecificationError, match="array `nil` is one of its own elements"):
        certified_quotient(linearise(read_text(text)), SWAP)


ENDLESS = {
    "one state": "proc P = sum(n:Nat,a(n).P) init P",
    "many states": "proc P(m:Nat) = sum(n:Nat,a(n).P(n)) init P(0)",
    "condition": "proc P = sum(n:Nat,a(n).P <| eq(n,n) |> delta) init P",
    "narrowed": "map big:Nat->Bool var n:Nat rew big(0)=F big(S(0))=F big(S(S(n)))=T "
    "proc P = sum(n:Nat,a(n).P <| big(n) |> delta) init P",
}

RUN = """
import sys
from lts import LimitReached
from lts.mucrl import generate, linearise, read_text
from lts.symmetry import parse_permutation
from lts.state_space import Limits, Settings
from lts.symmetry.data.certify import certified_quotient
text, how, states = sys.argv[1:]
process = linearise(read_text(text))
most = int(states) or None
try:
    if how == "generate":
        generate(process, max_states=most)
    else:
        settings = Settings(limits=Limits(states=most))
        certified_quotient(process, parse_permutation("()"), settings)
except LimitReached as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("how", "kind", "states"),
    [
        ("generate", "one state", 0),
        ("generate", "many states", 50_000),
        ("generate", "condition", 0),
        ("reduce", "many states", 0),
        ("reduce", "narrowed", 0),
    ],
)
def test_labels_of_an_infinite_sum_use_bounded_memory(kind, states, how):
    text = NAT + "act a:Nat " + ENDLESS[kind]
    stopped = subprocess.run(
        [sys.executable, "-c", RUN, text, how, str(states)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)),
    )
    assert stopped.stderr == ""
    assert "a sum over `n:Nat` has more than 1000000 values" in stopped.stdout


def test_labels_that_grow_without_bound_stop_at_a_limit():
    text = NAT + "act a:Nat proc P(n:Nat) = a(n).P(plus(much,n)) init P(ten)"
    with pytest.raises(LimitReached, match="labels of `a` take more than 256 MB"):
        generate(read_text(text))
