"""Values that maps of the specification move: orbits and symmetry are those of the definitions."""

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from grouped_options import grouped
from lts import LTS, NotProven, NotSymmetric, SpecificationError
from lts.base.bounds import MAP_IMAGES
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Goals, Settings
from lts.symmetry import (
    certified_quotient,
    check,
    count_orbits,
    encode,
    expand,
    parse_permutation,
    refines_on_orbits,
)
from lts.symmetry.data.certify import STRATEGIES
from ltstool.main import main
from mapped_pairs import BODIES, COUNT, PAIRS, PERMUTATION, STEPS, VALUES, text_of
from naive.groups import closure
from naive.systems import isomorphic
from strategies import examples

OPTIONS = st.fixed_dictionaries(
    {"strategy": st.sampled_from([None, *STRATEGIES]), "threads": st.integers(1, 2)}
)


@settings(max_examples=examples(1), deadline=None)
@given(
    st.lists(PERMUTATION, min_size=1, max_size=2),
    STEPS,
    st.sampled_from(sorted(BODIES)),
    OPTIONS,
    st.booleans(),
)
def test_orbits_match_definition(functions, seeds, shape, options, torn):
    steps = closure(seeds, functions)
    if torn and steps:
        steps.remove(max(steps))
    is_symmetric = steps == closure(steps, functions)
    event(f"symmetric: {is_symmetric}")
    text = text_of(functions, sorted(steps), shape)
    process = linearise(read_text(text))
    permutations = [parse_permutation(f"() with g{i}") for i in range(len(functions))]
    if not is_symmetric:
        with pytest.raises(NotSymmetric, match=r"`move\(.*\)` is possible after the trace"):
            count_orbits(process, permutations, **grouped(count_orbits, **options))
        return
    system = generate(read_text(text))
    orbits = {frozenset(closure([pair], functions)) for pair in PAIRS}
    explored = count_orbits(process, permutations, **grouped(count_orbits, **options))
    assert explored.orbits == len(orbits) + 1
    assert (explored.states, explored.transitions) == (system.state_count, system.transition_count)
    group = closure([tuple(VALUES)], functions)
    assert explored.order == len(group)
    certified = certified_quotient(process, permutations, **grouped(certified_quotient, **options))
    assert certified.quotient.orbits == explored.orbits
    assert certified.quotient.count() == (explored.states, explored.transitions)
    reduction = encode(certified.quotient, permutations, kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


@settings(max_examples=examples(0.5), deadline=None)
@given(st.tuples(*[st.integers(0, COUNT - 1)] * COUNT), STEPS, st.sampled_from(sorted(BODIES)))
def test_only_permutations_are_symmetries(function, seeds, shape):
    steps = closure(seeds, [function])
    process = linearise(read_text(text_of([function], sorted(steps), shape)))
    is_permutation = len(set(function)) == COUNT
    event(f"permutation: {is_permutation}")
    permutation = parse_permutation("() with g0")
    if is_permutation:
        assert count_orbits(process, permutation).states == 1 + len(PAIRS)
        return
    with pytest.raises(NotProven, match=r"`g0` does not permute the values: `v\d` and `v\d`"):
        count_orbits(process, permutation)


RING = """%@ parameter N = 4
%@ include Nat
sort Seat func seat:Nat->Seat
map next,previous,mirrored,lost,grown,half:Seat->Seat places:->Nat alike:Seat#Seat->Bool
var m,n:Nat x:Seat
rew places = {places}
    next(seat(n))=seat(mod(S(n),places))
    previous(seat(n))=seat(mod(plus(n,pred(places)),places))
    mirrored(seat(n))=seat(minus(pred(places),n))
    lost(x)=seat(0) grown(seat(n))=seat(S(n))
    half(seat(n))=seat(if(lt(n,S(S(0))),mod(S(n),S(S(0))),n))
    alike(seat(m),seat(n))=eq(m,n)
act take,leave:Seat#Seat shove1,shove2,shove:Seat
comm shove1|shove2=shove
proc Free(i:Seat) = take(i,{towards}).Held(i) + shove1({towards}).Free(i)
     Held(i:Seat) = leave(i,{towards}).Free(i) + shove2(i).Held(i)
init encap({{shove1,shove2}}, {components})
"""


def ring(n=4, towards="next(i)"):
    """Processes at numbered seats, each of which computes its neighbour."""

    def number(k):
        return "S(" * k + "0" + ")" * k

    parts = "||".join(f"Free(seat({number(i)}))" for i in range(n))
    return RING.format(places=number(n), towards=towards, components=parts)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("n", "necklaces"), [(2, 3), (3, 4), (4, 6), (5, 8), (6, 14)])
def test_components_rotate_with_their_seats(n, necklaces, strategy):
    text = ring(n)
    process = linearise(read_text(text))
    rotation = parse_permutation("() with next")
    certified = certified_quotient(process, rotation, settings=Settings(strategy=strategy))
    system = generate(read_text(text))
    assert certified.explored.orbits == necklaces
    assert certified.explored.order == n
    reduction = encode(certified.quotient, rotation, kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)
    assert str(reduction.symmetry.generators[0]) == "() with next"


def test_cycles_beside_a_map_must_agree():
    process = linearise(read_text(ring(3)))
    found = certified_quotient(
        process, parse_permutation("(seat(0) seat(S(0)) seat(S(S(0)))) with next")
    )
    assert found.explored.orbits == 4
    with pytest.raises(SpecificationError, match=r"`next` moves .* but the cycles move it to"):
        count_orbits(process, parse_permutation("(seat(0) seat(S(0))) with next"))


@pytest.mark.parametrize(
    ("map_", "message"),
    [
        ("mirrored", "`shove` of line"),
        ("half", "`shove` of line"),
        ("lost", "starts with (seat(0)), and another component would move there, too"),
        ("grown", "starts with (seat(4)), and there is none"),
    ],
)
def test_maps_that_are_no_symmetries(map_, message):
    with pytest.raises((NotProven, NotSymmetric)) as raised:
        count_orbits(linearise(read_text(ring())), parse_permutation(f"() with {map_}"))
    assert message in str(raised.value)


def test_infinite_orbits_under_maps_are_refused():
    text = "sort Bool N func T,F:->Bool 0:->N S:N->N map up:N->N var n:N rew up(n)=S(n) act a:N "
    process = linearise(read_text(text + "proc X(n:N) = a(n).X(S(n)) init X(0)"))
    with pytest.raises(NotProven, match=f"`0` under `up` are {MAP_IMAGES.exceeded()}"):
        count_orbits(process, parse_permutation("() with up"))


def test_one_permutation_of_a_large_orbit():
    """Every word of 13 bits can be written; exchanging the values of its bits leaves no word."""
    n = 13
    words = "word(" * n + "empty" + ",x)" * n
    variables = "".join(f"sum(x{i}:B," for i in range(n))
    for i in range(n):
        words = words.replace(",x)", f",x{i})", 1)
    text = (
        "sort Bool B W func T,F:->Bool off,on:->B empty:->W word:W#B->W\n"
        "map other:B->B turned:W->W var w:W b:B\n"
        "rew other(off)=on other(on)=off turned(empty)=empty\n"
        "turned(word(w,b))=word(turned(w),other(b))\n"
        f"act write:W proc X = {variables}write({words}).X{')' * n} init X"
    )
    found = count_orbits(linearise(read_text(text)), parse_permutation("() with other, turned"))
    assert (found.orbits, found.states, found.transitions) == (1, 1, 2**n)


# The maps exchange two numbers each; all products of them move the numbers more than the processes.
UNRULY = """sort Bool P N func T,F:->Bool p1,p2:->P 0,1,2,3:->N
map f,g:N->N rew f(0)=1 f(1)=0 f(2)=2 f(3)=3 g(0)=0 g(1)=2 g(2)=1 g(3)=3
act say:P#N#N
proc X(p:P,n:N) = sum(m:N, say(p,n,m).X(p,m))
init X(p1,3)||X(p2,3)
"""


def test_group_acts_on_values_beyond_processes():
    process = linearise(read_text(UNRULY))
    system = generate(read_text(UNRULY))
    permutations = [parse_permutation("(p1 p2) with f"), parse_permutation("() with g")]
    for strategy in STRATEGIES:
        certified = certified_quotient(process, permutations, settings=Settings(strategy=strategy))
        assert certified.explored.order == 12
        # Pairs of numbers under exchanges of the processes, and all permutations of 0, 1, 2.
        assert certified.explored.orbits == 4
        assert certified.explored.states == system.state_count == 16
        reduction = encode(certified.quotient, permutations, kind="sorts")
        assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


def test_values_only_in_labels_are_moved_by_maps():
    text = (
        "sort Bool N func T,F:->Bool 0,1,2:->N map up:N->N rew up(0)=1 up(1)=2 up(2)=0 "
        "act a:N proc X = sum(n:N, a(n).X) init X"
    )
    process = linearise(read_text(text))
    system = generate(read_text(text))
    permutation = parse_permutation("() with up")
    counted = count_orbits(process, permutation, goals=Goals(find=lambda label: label == "a(2)"))
    assert [step.label for step in counted.traces[0].steps] == ["a(2)"]
    certified = certified_quotient(process, permutation)
    assert (counted.order, counted.orbits, counted.transitions) == (3, 1, 3)
    reduction = encode(certified.quotient, permutation, kind="sorts")
    assert isomorphic(expand(reduction.encoding, reduction.symmetry), system)


def test_refinement_under_a_map():
    process = linearise(read_text(ring(3)))
    system = generate(read_text(ring(3)))
    rotation = [parse_permutation("() with next")]
    found = refines_on_orbits(system, process, "failures-divergences", rotation)
    assert found.holds
    assert found.orbits < system.state_count
    rows = [(s, label, t) for s, label, t in system.transitions() if "shove" not in label]
    less = LTS.from_transitions(rows, state_count=system.state_count)
    missing = refines_on_orbits(less, process, "trace", rotation)
    assert missing.counterexample is not None
    assert missing.counterexample.trace[-1].startswith("shove")
    torn = LTS.from_transitions([(0, "take(seat(0),seat(1))", 1)])
    with pytest.raises(NotSymmetric, match="no symmetry of what the specification allows"):
        refines_on_orbits(torn, process, "trace", rotation)


@pytest.mark.parametrize(
    ("permutation", "message"),
    [
        ("() with nxt", "permutation:1:9: unknown map `nxt`; did you mean `next`?"),
        ("() with alike", "`alike: Seat#Seat -> Bool` cannot move values"),
        ("() with S", "unknown map `S`"),
        ("() with places", "`places: -> Nat` cannot move values"),
        ("() with next, previous", "`next` and `previous` both move the values of `Seat`"),
        ("() with next, next", "permutation:1:15: `next` occurs twice"),
        ("() with", "expected the name of a map"),
        ("() with next next", "expected another cycle"),
    ],
)
def test_wrong_maps_are_refused_with_position(permutation, message, capsys, tmp_path):
    file = tmp_path / "ring.mcrl"
    file.write_text(ring(3))
    assert main(["reduce", str(file), "--symmetry", permutation, "--count"]) == 2
    assert message in capsys.readouterr().err
    symmetry = tmp_path / "ring.sym"
    symmetry.write_text(f'version = 1\nkind = "sorts"\n\ngenerators = [\n  "{permutation}"]\n')
    assert main(["reduce", str(file), "--symmetry", str(symmetry), "--count"]) == 2
    messages = capsys.readouterr().err
    assert f"{symmetry}:5:" in messages
    assert message.rpartition("1:9: ")[2].rpartition("1:15: ")[2] in messages


def test_maps_are_for_specifications():
    system = LTS.from_transitions([(0, "a(1)", 0)])
    with pytest.raises(SpecificationError, match="need a specification"):
        check(system, parse_permutation("() with next"))
    process = linearise(read_text(ring(3)))
    with pytest.raises(NotProven, match="`next` is a map"):
        count_orbits(process, parse_permutation("() with next"), settings=Settings(proof="static"))
