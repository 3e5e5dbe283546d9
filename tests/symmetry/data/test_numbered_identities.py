"""Identities that are closed terms or numbers, with arrays as lists that end in a default."""

from fractions import Fraction

import pytest

from lts import SpecificationError
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Settings
from lts.symmetry import certified_quotient, check, count_orbits, parse_permutation
from lts.symmetry.labels.automorphism import isomorphic
from ltstool.main import main

# A mutual exclusion with flags and a turn of levels, as lists that begin with the item of n(zero)
# or S(0) and end in the item of all others. A list that ends in its default has one form.
PETERSON = """
sort Bool func T,F: -> Bool
map and,or: Bool#Bool -> Bool not: Bool -> Bool var b: Bool
rew and(T,b)=b and(F,b)=F or(T,b)=T or(F,b)=b not(T)=F not(F)=T
sort Nat func 0: -> Nat S: Nat -> Nat map eq,lt: Nat#Nat -> Bool var i,j: Nat
rew eq(0,0)=T eq(S(i),0)=F eq(0,S(j))=F eq(S(i),S(j))=eq(i,j)
    lt(i,0)=F lt(0,S(j))=T lt(S(i),S(j))=lt(i,j)
sort Id func zero: -> Id n: Id -> Id map eq: Id#Id -> Bool var p,q: Id
rew eq(zero,zero)=T eq(n(p),zero)=F eq(zero,n(q))=F eq(n(p),n(q))=eq(p,q)
sort Flags func nil: Nat -> Flags cons: Nat#Flags -> Flags
map eq: Flags#Flags -> Bool get: Flags#Id -> Nat set: Flags#Id#Nat -> Flags tidy: Flags -> Flags
    if: Bool#Flags#Flags -> Flags
var l,m: Flags p: Id i,j: Nat
rew eq(nil(i),nil(j))=eq(i,j) eq(nil(i),cons(j,m))=F eq(cons(i,l),nil(j))=F
    eq(cons(i,l),cons(j,m))=and(eq(i,j),eq(l,m)) if(T,l,m)=l if(F,l,m)=m
    set(nil(i),n(zero),j)=cons(j,nil(i)) set(nil(i),n(n(p)),j)=cons(i,set(nil(i),n(p),j))
    set(cons(i,l),n(zero),j)=cons(j,l) set(cons(i,l),n(n(p)),j)=cons(i,set(l,n(p),j))
    get(nil(i),p)=i get(cons(i,l),n(zero))=i get(cons(i,l),n(n(p)))=get(l,n(p))
    tidy(nil(i))=nil(i) tidy(cons(i,l))=if(eq(nil(i),tidy(l)),nil(i),cons(i,tidy(l)))
sort Turns func none: Id -> Turns turn: Id#Turns -> Turns
map get: Turns#Nat -> Id set: Turns#Nat#Id -> Turns
var t: Turns p,q: Id i: Nat
rew set(none(p),S(0),q)=turn(q,none(p)) set(none(p),S(S(i)),q)=turn(p,set(none(p),S(i),q))
    set(turn(p,t),S(0),q)=turn(q,t) set(turn(p,t),S(S(i)),q)=turn(p,set(t,S(i),q))
    get(none(p),i)=p get(turn(p,t),S(0))=p get(turn(p,t),S(S(i)))=get(t,S(i))
map below: Flags#Id#Nat#Id -> Bool last: -> Id top: -> Nat
var f: Flags p,q: Id j: Nat
rew below(f,p,j,zero)=T below(f,p,j,n(q))=and(or(eq(n(q),p),lt(get(f,n(q)),j)),below(f,p,j,q))
    last=@last@ top=@top@
act turn1,turn2,turn: Nat#Id flag1,flag2,flag: Id#Nat wait1,wait2,wait: Id#Nat in,out: Id
comm turn1|turn2=turn flag1|flag2=flag wait1|wait2=wait
proc M(t:Turns,f:Flags) = sum(j:Nat,sum(p:Id,turn1(j,p).M(set(t,j,p),f)))
  + sum(p:Id,sum(j:Nat,flag1(p,j).M(t,tidy(set(f,p,j)))))
  + sum(p:Id,sum(j:Nat,wait1(p,j).M(t,f) <| or(below(f,p,j,last),not(eq(get(t,j),p))) |> delta))
 E(p:Id,j:Nat) = tau <| eq(j,top) |> flag2(p,j).turn2(j,p).wait2(p,j).E(p,S(j))
 P(p:Id) = E(p,S(0)).in(p).out(p).flag2(p,0).P(p)
init encap({turn1,turn2,flag1,flag2,wait1,wait2}, @clients@ || M(none(zero),nil(0)))
"""


def terms(function, base, n):
    return f"{function}(" * n + base + ")" * n


def peterson(n):
    ids = [terms("n", "zero", i) for i in range(1, n + 1)]
    text = PETERSON.replace("@last@", ids[-1]).replace("@top@", terms("S", "0", n))
    return text.replace("@clients@", " || ".join(f"P({i})" for i in ids)), ids


@pytest.mark.parametrize("n", [2, 3])
def test_identities_that_are_terms(n):
    text, ids = peterson(n)
    process = linearise(read_text(text))
    system = generate(process)
    # A term that stays has to be named where a part of it moves.
    swap = f"({ids[0]} {ids[1]})" + "".join(f" ({stays})" for stays in ids[2:])
    for permutation in (swap, f"({' '.join(ids)})"):
        generator = parse_permutation(permutation)
        expected = check(system, generator).quotient
        found = certified_quotient(process, generator)
        assert found.quotient.count() == expected.count()
        assert found.quotient.orbits == expected.orbits


# Philosophers who are numbers at forks that are numbers, and count what they have eaten in numbers.
PHILOSOPHERS = """%@ include Nat
act up,down,take,leave,grab,drop: Nat#Nat fed: Nat#Nat
comm up|take=grab down|leave=drop
map next: Nat -> Nat var n: Nat rew next(n)=mod(S(n),3)
proc P(i:Nat,k:Nat) = take(i,i).take(i,next(i)).fed(i,k).Q(i,k)
 Q(i:Nat,k:Nat) = leave(i,i).leave(i,next(i)).P(i,mod(S(k),2))
 F(f:Nat) = sum(i:Nat,up(i,f).down(i,f).F(f))
init encap({up,down,take,leave}, P(0,0)||P(1,0)||P(2,0)||F(0)||F(1)||F(2))
"""
ROTATION = "(0 S(0) S(S(0))) in grab(*,*), drop(*,*), fed(*,_)"


def test_identities_that_are_numbers():
    process = linearise(read_text(PHILOSOPHERS))
    system = generate(process)
    rotation = parse_permutation(ROTATION)
    checked = check(system, parse_permutation(ROTATION.replace("S(0)", "1").replace("S(1)", "2")))
    expected = checked.quotient
    found = certified_quotient(process, rotation)
    assert found.explored.proof == "whole"
    assert (found.quotient.orbits, found.quotient.count()) == (expected.orbits, expected.count())
    # All states of an orbit have as many steps, and together these count as one state's.
    [images] = checked.states
    orbits = [len({s, images[s], images[images[s]]}) for s, _, _ in system.transitions()]
    assert found.explored.steps == sum(Fraction(1, size) for size in orbits) < len(orbits)
    assert count_orbits(process, rotation).orbits == expected.orbits
    with pytest.raises(SpecificationError, match="`in` names places of data in labels"):
        count_orbits(process, rotation, settings=Settings(proof="static"))


def test_identities_that_are_numbers_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "philosophers.mcrl"
    path.write_text(PHILOSOPHERS)
    out = tmp_path / "reduced.aut"
    assert main(["check-symmetry", str(path), "--symmetry", ROTATION]) == 0
    assert "of order 3" in capsys.readouterr().out
    assert main(["reduce", str(path), "--symmetry", ROTATION, "-o", str(out)]) == 0
    whole, back = tmp_path / "whole.aut", tmp_path / "back.aut"
    assert main(["generate", str(path), "-o", str(whole)]) == 0
    assert main(["expand", str(out), "-o", str(back)]) == 0
    import aut_format

    assert isomorphic(aut_format.read(str(whole)), aut_format.read(str(back)))
    capsys.readouterr()
    exchange = ROTATION.replace("(0 S(0) S(S(0)))", "(0 S(0)) (S(S(0)))")
    assert main(["check-symmetry", str(path), "--symmetry", exchange]) == 1
