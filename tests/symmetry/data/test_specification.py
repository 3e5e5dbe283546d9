"""Symmetry of specifications: certified, refused with a witness, reduced on the fly."""

from pathlib import Path

import pytest

from lts import NotProven, NotSymmetric, SpecificationError, mcrl2
from lts.mucrl import generate, linearise, read, read_text
from lts.state_space.encode import Encoder
from lts.state_space.settings import Limits
from lts.symmetry import (
    ORDERS,
    count,
    encode,
    expand,
    find_in_specification,
    isomorphic,
    parse_permutation,
    reduce,
)
from lts.symmetry.data.certify import certified_quotient
from lts.symmetry.data.closed_terms import ClosedTerms, as_printed
from lts.symmetry.data.lift import Lifted

CASES = Path(__file__).parents[3] / "cases"
BOOL = "sort Bool func T,F:->Bool "


def quotient(case, n, permutation):
    process = linearise(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    return certified_quotient(process, parse_permutation(permutation)).quotient


@pytest.mark.parametrize(
    ("case", "n", "permutation", "orbits", "rows", "most"),
    [
        ("abp", 2, "(d1 d2)", 50, 61, 50),
        ("abp", 3, "(d1 d2 d3)", 50, 61, 50),
        ("peterson", 2, "(p1 p2)", 22, 36, 24),
        ("peterson", 3, "(p1 p2 p3)", 224, 500, 259),
        ("peterson", 4, "(p1 .. p4)", 3242, None, None),
        ("philosophers", 2, "(p1 p2)", 493, 789, 502),
        ("philosophers", 3, "(p1 p2 p3)", 4976, 10720, 5548),
    ],
)
def test_reductions_have_the_published_sizes(case, n, permutation, orbits, rows, most):
    found = quotient(case, n, permutation)
    assert found.orbits == orbits
    original = generate(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    generator = parse_permutation(permutation)
    for order in ORDERS:
        reduction = encode(found, generator, kind="sorts", order=order)
        assert rows is None or reduction.stored == rows
        if order == "greedy" and most is not None:
            assert reduction.encoding.state_count <= most
        assert isomorphic(expand(reduction.encoding, reduction.symmetry), original)
        size = (original.state_count, original.transition_count)
        assert count(reduction.encoding, reduction.symmetry) == size
    from_system = reduce(original, generator)
    assert (from_system.orbits, from_system.stored) == (found.orbits, found.stored)
    assert most is None or from_system.encoding.state_count <= most


@pytest.mark.parametrize("n", [3, 4])
def test_philosophers_cannot_be_exchanged(n):
    with pytest.raises(NotSymmetric, match="has in the image"):
        quotient("philosophers", n, "(p1 p2)")


def test_nil_is_not_symmetric_to_a_datum():
    with pytest.raises(NotSymmetric, match=r"to do: r1\(nil\)"):
        quotient("abp", 2, "(nil d1)")


def test_different_initial_process_breaks_the_symmetry():
    text = (CASES / "peterson.mcrl").read_text()
    start = "init encap({setflag1,setflag2,setturn1,setturn2,wait1,wait2},\n"
    assert start in text
    elsewhere = text.replace(
        start, start + "       criticalout(p1).setflag2(p1,0).Process(p1) ||\n"
    )
    elsewhere = elsewhere.replace(
        "%@ for i in 1..N\n       Process(p@{i})", "%@ for i in 2..N\n       Process(p@{i})"
    )
    process = linearise(read_text(elsewhere, parameters={"N": 2}))
    assert len(process.components) == 3
    with pytest.raises(NotSymmetric) as refused:
        certified_quotient(process, parse_permutation("(p1 p2)"))
    assert refused.value.witness


def test_one_initial_datum_breaks_the_symmetry():
    text = BOOL + "sort D func d,e:->D act a:D proc X(x:D)=sum(y:D,a(x).X(y)) init X(d)"
    with pytest.raises(NotSymmetric, match="initial state is not fixed"):
        certified_quotient(linearise(read_text(text)), parse_permutation("(d e)"))


@pytest.mark.parametrize(
    ("permutation", "message"),
    [
        ("(d1 x)", "not a term of the specification"),
        ("(d1 T)", "the values of a cycle must have the same sort"),
        ("(real(d1) T)", "is not a value"),
    ],
)
def test_invalid_data_permutations_are_refused(permutation, message):
    with pytest.raises(SpecificationError, match=message):
        quotient("abp", 2, permutation)


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("X(p1) || X(p3)", r"starts with \(p2\), and there is none"),
        ("X(p3) || X(p1)", r"starts with \(p2\), and there is none"),
        ("X(p3) || X(p1) || Y(p2)", r"starts with \(p2\), and there is none"),
        (
            "X(p1) || X(p2) || X(p1)",
            r"starts with \(p2\), and another component would move there, too",
        ),
        (
            "X(p3) || X(p1) || X(p2) || X(p2)",
            r"starts with \(p1\), and another component would move there, too",
        ),
    ],
)
def test_components_without_an_image_are_reported(start, why):
    text = f"""sort Bool func T,F:->Bool sort P func p1,p2,p3:->P act a,b:P
proc X(x:P) = sum(y:P, a(x).X(y)) Y(x:P) = sum(y:P, b(x).Y(y)) init {start}
"""
    process = linearise(read_text(text))
    lifted = Lifted(process, Encoder(process), parse_permutation("(p1 p2)"))
    with pytest.raises(NotProven, match=why):
        lifted.component_images()


def test_quoted_numbers_are_terms_and_unquoted_are_values():
    text = "%@ include Nat\nact a:Nat proc X(x:Nat) = a(x).X(x) init X(0) || X(1) || X(2)\n"
    process = linearise(read_text(text))
    for permutation in ("(0 1 2)", "(0 S(0) S(S(0)))", "(0 1 S(1))"):
        assert certified_quotient(process, parse_permutation(permutation)).order == 3
    with pytest.raises(SpecificationError, match=r"`S\(0\)` is not a value: it reduces to `1`"):
        certified_quotient(process, parse_permutation('(0 "S(0)" 2)'))


def test_non_numeric_identities_are_refused():
    text = "act a: Pos; proc P(id: Pos) = a(id) . P(id); init P(1) || P(2) || P(3);"
    specification = mcrl2.read_text(text, identities=())
    [sort] = specification.identities
    process = linearise(specification)
    assert certified_quotient(process, parse_permutation(f"({sort}(1) {sort}(2))")).order == 2
    for wrong in ("x", "1(2)", "true", "!(true)"):
        permutation = parse_permutation(f"({sort}(1) {sort}({wrong}))")
        with pytest.raises(SpecificationError, match="is not a term of the specification"):
            certified_quotient(process, permutation)


def test_process_and_specification_parse_equal_values():
    text = "sort D = struct d1 | d2; act a: Set(D); proc Y(s: Set(D)) = "
    specification = mcrl2.read_text(text + "sum x: D. a(s) . Y(s + {x}); init Y({});")
    process = linearise(specification)
    labels = generate(specification).labels
    shown = [label.removeprefix("a(").removesuffix(")") for label in labels]
    assert "{d1,d2}" in shown
    for value in shown:
        found = ClosedTerms(process).term(value, "Set(D)")
        assert found == ClosedTerms(specification).term(value, "Set(D)")


FORKS = """sort Bool D func T,F:->Bool d1,d2,d3:->D map turned:D->D
rew turned(d1)=d2 turned(d2)=d1 turned(d3)=d3
act a,b,c,e:D
proc P(x:D) = a(x).(Q(x) || Q(x) || R(x)).e(x).P(x) Q(x:D) = sum(y:D, b(y).b(x)) R(x:D) = c(x)
init P(d1) || P(d2) || P(d3)
"""


@pytest.mark.parametrize("permutation", ["(d1 d2)", "() with turned"])
def test_components_move_with_nested_data(permutation):
    process = linearise(read_text(FORKS))
    lifted = Lifted(process, Encoder(process), parse_permutation(permutation))
    assert lifted.component_images() == [4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11]
    assert find_in_specification(process, limits=Limits(2000)).order == 6


def test_strict_rejects_irreducible_terms():
    text = "sort D func d1,d2:->D map f:D->D act a:D proc X(x:D) = a(f(x)).X(x) init X(d1)\n"
    for strict in (False, True):
        process = linearise(read_text(BOOL + text, strict=strict))
        lifted = Lifted(process, Encoder(process), parse_permutation("(d1 d2)"))
        asked = ClosedTerms(process).term("f(d1)")
        assert lifted.evaluate(asked) == (None if strict else asked)
        if not strict:
            assert lifted.value("f(d1)") == asked
            continue
        with pytest.raises(SpecificationError, match=r"`f\(d1\)` is not a value: it reduces to `f"):
            lifted.value("f(d1)")


def test_only_numeric_successors_are_printed_as_numbers():
    text = "%@ include Nat\nsort D func d:->D S:D->D S:Nat#Nat->D act a:D proc X=a(d).X init X"
    specification = read_text(text)
    for given, printed in [
        ("(S(0) S(S(S(0))))", "(1 3)"),
        ("(S(d) S(S(d)))", "(S(d) S(S(d)))"),
        ("(S(0,S(0)) S(S(1),0))", "(S(0,1) S(2,0))"),
    ]:
        assert as_printed(specification, [parse_permutation(given)]) == (
            parse_permutation(printed),
        )


def test_functions_are_identified_by_their_tables():
    text = "sort D = struct d1 | d2; act a: D -> D; proc P(f: D -> D) = a(f) . P(f); "
    specification = mcrl2.read_text(text + "init P(lambda x: D. x);")
    [label] = generate(specification).labels
    value = label.removeprefix("a(").removesuffix(")")
    assert value == "{d1 -> d1,d2 -> d2}"
    found = ClosedTerms(specification).term(value, "(D->D)")
    assert [str(part) for part in found.arguments] == ["d1", "d2"]
    assert ClosedTerms(specification).term(value) is None
    assert ClosedTerms(specification).term(value, "D") is None


LABELS = (
    BOOL
    + """sort D func d1,d2:->D act a,b:D
proc X(x:D) = a(x).X(x) init X(d1) || X(d2)
"""
)


def test_witnesses_are_described_in_words():
    """Of what the engine finds: here what it could find in other processes."""
    process = linearise(read_text(LABELS))
    lifted = Lifted(process, Encoder(process), parse_permutation("(d1 d2)"))
    witness = {"number": 0, "situation": [], "image": [], "expected": [b"b"], "found": [b"a(d1)"]}
    said = {kind: lifted.in_words({"kind": kind, **witness}) for kind in ("label", "summand")}
    assert said["label"] == "the label a(d1) denotes terms with different images"
    assert said["summand"].startswith("`a` of line ")
    assert said["summand"].endswith(" and its image read or write different parameters")
