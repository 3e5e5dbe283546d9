"""What counts is what summands do together, however they are written: split, merged, linear.

Every answer is held against that of the generated system, whose automorphisms are searched.
"""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lts import LimitReached, NotProven, NotSymmetric, SpecificationError
from lts.mucrl import generate, linear_text, linearise, read, read_text
from lts.state_space.generation import explore
from lts.symmetry import (
    certified_quotient,
    check,
    count_orbits,
    encode,
    expand,
    isomorphic,
    parse_permutation,
    parse_symmetry_file,
)
from ltstool.main import main
from strategies import examples

CASES = Path(__file__).parents[3] / "cases"
PIDS = "%@ include Nat\n%@ include Enum of none,p1..p3 as Pid\n"

WRITTEN_OUT = {
    "an alternative for each value": """act a:Pid
proc X(x:Pid) = a(p1).X(none) <| eq(x,p1) |> delta + a(p2).X(none) <| eq(x,p2) |> delta
  + a(p3).X(none) <| eq(x,p3) |> delta
  + sum(i:Pid,a(i).X(i) <| and(eq(x,none),not(eq(i,none))) |> delta)
init X(none)
""",
    "one that a sum has already": """act a:Pid b
proc P = sum(i:Pid,a(i).b.P <| not(eq(i,none)) |> delta) + a(p1).b.P
init P
""",
    "all of two actions": """act a,c:Pid
proc X(x:Pid) = a(p1).X(none) <| eq(x,p1) |> delta + a(p2).X(none) <| eq(x,p2) |> delta
  + a(p3).X(none) <| eq(x,p3) |> delta
  + c(p1).X(p1) <| eq(x,none) |> delta + c(p2).X(p2) <| eq(x,none) |> delta
  + c(p3).X(p3) <| eq(x,none) |> delta
init X(none)
""",
    "conditions in other words": """act a:Pid b
proc X(x:Pid,y:Nat,z:Nat) =
   a(p1).X(none,y,z) <| and(eq(x,p1),and(not(eq(y,2)),not(eq(z,1)))) |> delta
 + a(p2).X(none,y,z) <| and(eq(x,p2),not(or(eq(y,2),eq(z,1)))) |> delta
 + a(p3).X(none,y,z) <| and(eq(x,p3),and(not(eq(z,1)),not(eq(y,2)))) |> delta
 + sum(i:Pid,a(i).X(i,mod(S(y),3),z) <| and(not(eq(i,none)),eq(x,none)) |> delta)
 + b.X(x,y,mod(S(z),3))
init X(none,0,0)
""",
    "several such components": """act a,c:Pid k1,k2,k:Pid comm k1|k2=k
proc P(i:Pid) = a(i).P(i) <| not(eq(i,p3)) |> delta + a(p3).P(i) <| eq(i,p3) |> delta
  + k1(p1).P(i) <| eq(i,p1) |> k1(i).P(i)
 Q(x:Pid) = sum(i:Pid,k2(i).Q(i)) + c(p1).Q(none) <| eq(x,p1) |> delta
  + c(p2).Q(none) <| eq(x,p2) |> delta + c(p3).Q(none) <| eq(x,p3) |> delta
init encap({k1,k2},P(p1)||P(p2)||P(p3)||Q(none))
""",
}


@pytest.mark.parametrize("name", WRITTEN_OUT)
@pytest.mark.parametrize("permutation", ["(p1 p2)", "(p1 p2 p3)"])
def test_written_out_summands_are_symmetric(name, permutation):
    process = linearise(read_text(PIDS + WRITTEN_OUT[name]))
    generator = parse_permutation(permutation)
    found = certified_quotient(process, generator)
    assert found.explored.proof == "certificate"
    system = generate(process)
    assert found.quotient.count() == (system.state_count, system.transition_count)
    assert found.quotient.orbits == check(system, generator).quotient.orbits
    reduction = encode(found.quotient, generator, kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


# Those with values moved by maps have no other name for the places they move to, and symmetries of
# more processes are the same with larger numbers.
LINEAR = [
    *("abp", "allocator", "butler", "hanoi", "list_stack", "managers", "mutex", "peterson"),
    *("peterson_statements", "peterson_turns", "phonebook", "three_tiers"),
]


@pytest.mark.parametrize("name", LINEAR)
def test_printed_linear_process_has_the_same_symmetry(name):
    table = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    process = linearise(read(CASES / table["specification"]))
    text = (CASES / table["symmetry"]).read_text(encoding="utf-8")
    parameters = process.specification.parameters
    generators = parse_symmetry_file(text, parameters=parameters).generators
    counted = count_orbits(process, generators)
    again = linearise(read_text(linear_text(process)))
    assert len(again.components) == 1
    found = count_orbits(again, generators)
    numbers = ("orbits", "states", "transitions", "deadlocks")
    assert [getattr(found, n) for n in numbers] == [getattr(counted, n) for n in numbers]


VALUES = ("p1", "p2", "p3")
HEAD = PIDS + "act a,b:Pid c:Pid#Pid t\nproc X(x:Pid,y:Pid) = {body}\ninit X({x},{y})\n"
TERM = st.sampled_from(["x", "y", "i", "i", "none"])
GUARDS = st.sampled_from(
    ["eq(x,i)", "not(eq(x,i))", "eq(x,none)", "eq(y,x)", "and(eq(x,none),not(eq(i,none)))", "T"]
)
STEP = st.tuples(st.sampled_from(["a(i)", "b(x)", "c(i,y)", "t", "a(y)"]), TERM, TERM, GUARDS)
FORMS = ("{}", "not(not({}))", "and({},T)", "or(F,{})")
"""The same condition in other words."""


@st.composite
def written(draw):
    """A process, some of whose sums are written out, in any order, with other words for conditions,
    and some of whose alternatives stand there once more, or are missing."""
    summands = []
    for action, x, y, guard in draw(st.lists(STEP, min_size=1, max_size=2)):

        def alternative(*, only=None, step=(action, x, y), guard=guard):
            condition = draw(st.sampled_from(FORMS)).format(guard)
            if only is not None:
                condition = f"and(eq(i,{only}),{condition})"
            return f"sum(i:Pid,{step[0]}.X({step[1]},{step[2]}) <| {condition} |> delta)"

        values = ["none", *VALUES]
        if draw(st.booleans()):
            summands.append(alternative())
        else:
            kept = values if draw(st.integers(0, 3)) else draw(st.sets(st.sampled_from(values)))
            summands += [alternative(only=value) for value in kept]
        if draw(st.integers(0, 2)) == 0:
            summands.append(alternative(only=draw(st.sampled_from(values))))
    return " + ".join(draw(st.permutations(summands))) or "delta"


@settings(max_examples=examples(1.5), deadline=None)
@given(
    written(),
    st.sampled_from(["none,none", "p1,none", "none,p3", "p1,p2"]),
    st.sampled_from(["(p1 p2)", "(p1 p2 p3)", "(p2 p3)"]),
)
def test_verdict_equals_that_of_the_generated_system(body, start, permutation):
    x, y = start.split(",")
    process = linearise(read_text(HEAD.format(body=body, x=x, y=y)))
    generator = parse_permutation(permutation)
    system = generate(process)
    try:
        expected = check(system, generator).quotient.count()
    except NotSymmetric:
        expected = None
    except (LimitReached, SpecificationError):
        event("nothing moves")
        return
    try:
        found = count_orbits(process, generator)
    except NotSymmetric:
        event("no")
        assert expected is None
    except NotProven:
        event("not proven")  # then nothing that can be seen moves
        moved = {element.text for element in generator.images}
        assert not any(value in label for label in system.labels for value in moved)
    else:
        event(f"yes, {found.proof}")
        assert expected == (found.states, found.transitions)


ASKED = """sort Bool Nat func T,F:->Bool 0:->Nat S:Nat->Nat
map less:Nat#Nat->Bool var m,n:Nat rew less(n,0)=F less(0,S(n))=T less(S(m),S(n))=less(m,n)
sort D func d1,d2:->D map last:D->Bool low:Nat->Bool
var n:Nat rew last(d1)=F last(d2)=T
act a:D e:Nat
proc X(n:Nat) = e(n).X(S(n)) <| less(n,{many}) |> sum(d:D,a(d).Y(d))
Y(d:D) = a(d).a(d).Y(d) {odd}
init X(0)
"""


def number(n):
    return "S(" * n + "0" + ")" * n


def asked(tmp_path, many, odd):
    path = tmp_path / "asked.mcrl"
    path.write_text(ASKED.format(many=number(many), odd=odd))
    return str(path)


def test_refutations_show_a_trace_without_image(tmp_path, capsys):
    path = asked(tmp_path, 2, "+ e(0).Y(d) <| last(d) |> delta")
    codes = [
        main(["check-symmetry", path, "--symmetry", "(d1 d2)"]),
        main(["reduce", path, "--symmetry", "(d1 d2)", "--count"]),
        main(["generate", path, "--symmetry", "(d1 d2)", "-o", str(tmp_path / "x.aut")]),
        main(["reduce", path, "--symmetry", "(d1 d2)", "--count", "--symmetry-proof", "static"]),
        main(["reduce", path, "--symmetry", "(d1 d2)", "--count", "--symmetry-proof", "tested"]),
    ]
    assert codes == [1] * 5
    assert not (tmp_path / "x.aut").exists()
    messages = capsys.readouterr()
    assert (
        "`e(0)` is possible after the trace\n  e(0) e(S(0)) a(d2)\n"
        "but its image `e(0)` is not after\n  e(0) e(S(0)) a(d1)\n" in messages.out
    )
    # Where 1 would be the answer to another question, it is no answer.
    assert main(["generate", path, "--symmetry", "(d1 d2)", "--deadlocks"]) == 2


def test_undecided_symmetry_has_no_verdict(tmp_path, capsys):
    """Further away than a search for traces goes, and in a system that has no end."""
    far = """sort Bool Nat func T,F:->Bool 0:->Nat S:Nat->Nat sort D func d1,d2:->D
map odd:Nat#D->Bool var n:Nat d:D rew odd(0,d)=F odd(S(n),d)=odd(n,d)
act a:D#Nat b:D proc X(n:Nat) = sum(d:D,a(d,n).X(S(n))) + sum(d:D,b(d).X(n) <| odd(n,d) |> delta)
init X(0)
"""
    path = tmp_path / "far.mcrl"
    path.write_text(far.replace("odd(0,d)=F", "odd(0,d1)=F odd(0,d2)=F"))
    words = ["--symmetry", "(d1 d2)", "--max-states", "200"]
    codes = [
        main(["check-symmetry", str(path), *words]),
        main(["reduce", str(path), *words, "--count"]),
        main(["reduce", str(path), *words, "--count", "--symmetry-proof", "tested"]),
    ]
    assert codes == [3] * 3
    assert "no symmetry" not in capsys.readouterr().err


def test_static_proof_reports_undecided(capsys):
    words = ["--symmetry", "() with rotated", "--symmetry-proof", "static"]
    lamps = str(CASES / "lamps.mcrl")
    for command in (["check-symmetry"], ["reduce", "--count"], ["generate", "--deadlocks"]):
        assert main([command[0], lamps, *words, *command[1:]]) == 3
        assert "the text alone does not prove `() with rotated`" in capsys.readouterr().err


def test_failed_orbit_proof_falls_back_to_the_system(tmp_path, capsys):
    """Names of states that the data do not tell: what is seen is symmetric all the same."""
    text = """sort Bool func T,F:->Bool sort D func d1,d2:->D sort K func k0,k1,k2:->K
map to:D->K back:K->D rew to(d1)=k1 to(d2)=k2 back(k0)=d1 back(k1)=d1 back(k2)=d2
act a,b:D proc X(k:K) = sum(d:D,a(d).Y(to(d))) Y(k:K) = b(back(k)).X(k0) init X(k0)
"""
    path = tmp_path / "named.mcrl"
    path.write_text(text)
    words = [str(path), "--symmetry", "(d1 d2)"]
    assert main(["check-symmetry", *words]) == 0
    assert "states       3 in 2 orbits" in capsys.readouterr().out
    assert main(["generate", *words, "--deadlocks", "-v"]) == 1
    messages = capsys.readouterr()
    assert "none found" in messages.out
    assert "shown on the whole system" in messages.err
    out = tmp_path / "out.aut"
    assert main(["reduce", *words, "-o", str(out)]) == 0
    assert main(["expand", str(out), "--count"]) == 0
    assert "3 states, 4 transitions" in capsys.readouterr().out


ALONE = """sort Bool D E func T,F:->Bool d1,d2:->D e1,e2:->E
act a:D#D b:E
proc X = a(d1,d1).X + a(d2,d1).X + sum(e:E,b(e).X)
init X
"""


def test_idle_permutation_is_a_symmetry_of_the_whole():
    text = ALONE.replace("sum(e:E,b(e).X)", "a(d1,d2).X")
    process = linearise(read_text(text))
    idle = parse_permutation("(e1 e2)")
    assert count_orbits(process, idle).order == 1
    with pytest.raises(NotProven, match="no state or step"):
        count_orbits(process, idle, whole=False)


def test_located_permutations_are_decided_on_labels():
    process = linearise(read_text(ALONE))
    located, other = parse_permutation("(d1 d2) in a(*,_)"), parse_permutation("(e1 e2)")
    found = count_orbits(process, [located, other])
    assert (found.order, found.proof, found.orbits) == (4, "whole", 1)


def test_interrupt_stops_the_decision_on_the_system(monkeypatch):
    process = linearise(read_text(ALONE))
    interrupted = replace(explore(process), incomplete="interrupted")
    monkeypatch.setattr(
        "lts.symmetry.data.proof.deciding.explore", lambda *rest, **options: interrupted
    )
    with pytest.raises(KeyboardInterrupt):
        count_orbits(process, parse_permutation("(d1 d2) in a(*,_)"))
