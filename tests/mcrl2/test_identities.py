"""Which numbers are identities, which count, and what is said of them."""

import pytest

from lts import LtsError, SpecificationError, mcrl2
from lts.mucrl import generate, linearise
from lts.state_space.settings import Settings
from lts.symmetry import count_orbits, find_in_specification, parse_permutation
from naive.systems import bisimilar
from numbered_components import SAMPLES

HEAD = """act a, b, c: Pos; n: Nat; two: Pos # Nat; l: List(Pos); s: Set(Pos);
n2: Nat; r: Real; i: Int;
sort S = struct pair(first: Pos, second: Nat) | none;
map f: Pos -> Pos; """

COUNTS = {
    "added": "proc P(id: Pos) = a(id) . P(id + 1); init P(1) || P(2);",
    "compared by order": "proc P(id: Pos) = (id < 2) -> a(id) . P(id); init P(1) || P(2);",
    "order of lists": "proc P(id: Pos) = ([id] < [2]) -> a(id) . P(id); init P(1) || P(2);",
    "order of structures":
        "proc P(id: Pos) = (pair(id, 1) < pair(2, 1)) -> a(id) . P(id); init P(1) || P(2);",
    "leak through a map":
        "var p: Pos; eqn f(p) = p * 2; proc P(id: Pos) = a(f(id)) . P(id); init P(1) || P(2);",
    "leak through a projection":
        "proc P(x: S) = n(first(x) + 1) . P(x); Q(id: Pos) = a(id) . P(pair(id, 0)); "
        "init Q(1) || Q(2);",
    "leak through a list":
        "proc P(id: Pos, x: List(Pos)) = n(head(x) + 1) . P(id, id |> x) + a(id) . P(id, [id]);"
        "init P(1, [1]) || P(2, [2]);",
    "leak through `exists`":
        "proc P(id: Pos) = (exists k: Pos. k == id && k < 2) -> a(id) . P(id); init P(1) || P(2);",
    "leak through a sum":
        "proc P(id: Pos) = sum k: Pos. (k == id && k <= 2) -> a(k) . P(id); init P(1) || P(2);",
    "leak through a function":
        "proc P(id: Pos, h: Pos -> Pos) = a(h(id)) . P(id, h);"
        "init P(1, lambda x: Pos. x + 1) || P(2, lambda x: Pos. x);",
    "leak through communication":
        "proc P(id: Pos) = a(id) . P(id); Q(k: Pos) = b(k) . Q(max(k, 2));"
        "init allow({c}, comm({a|b -> c}, P(1) || P(2) || Q(1)));",
    "leak through renaming":
        "proc P(id: Pos) = a(id) . P(id); Q(k: Pos) = b(k) . Q(k + 1);"
        "init rename({a -> c}, P(1) || P(2)) || rename({b -> c}, Q(1));",
    "leak through a set":
        "proc P(id: Pos, x: Set(Pos)) = (exists k: Pos. k in x && k > 1) -> a(id) . P(id, {id});"
        "init P(1, {1}) || P(2, {2});",
    "an index": "proc P(id: Nat) = a([1, 2] . id) . P(id); init P(0) || P(1);",
    "how often in a bag":
        "proc P(id: Nat) = n(count(true, {true: id})) . P(id); init P(1) || P(2);",
    "a remainder": "proc P(id: Nat) = n(id) . P((id + 1) mod 3); init P(0) || P(2);",
    "a real number": "proc P(id: Pos) = r(id / 2) . P(id); init P(1) || P(2);",
    "negative": "proc P(id: Int) = i(id) . P(id); init P(-1) || P(1);",
    "made smaller": "proc P(id: Nat) = a(Nat2Pos(id)) . P(id); init P(1) || P(2);",
    "where 0 is none of its sort":
        "proc P(id: Pos) = n2(id) . P(id); init P(1) || P(2) || n2(0);",
    "two sorts that overloads tell apart":
        "act n2: Pos; proc P(id: Pos) = n2(id) . n(id) . P(id); init P(1) || P(2);",
    "of two sorts, of one of which all are asked for":
        "proc P(id: Pos) = n(id) . ((exists k: Nat. k != id) -> a(id) . P(id)); init P(1) || P(2);",
    "of two sorts, of one of which a set has all but one":
        "act t: Set(Nat); proc P(id: Pos) = n(id) . t({k: Nat | k != id}) . P(id);"
        "init P(1) || P(2);",
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTS)
def test_counting_numbers_are_not_identities(what):
    text = HEAD + COUNTS[what]
    found = {use: number for number in mcrl2.numbers(text) for use in number.uses}
    name = next(use for use in ("Q.id", "P.id") if use in found)
    assert found[name].count is not None
    assert not any(name in identity for identity in mcrl2.read_text(text, identities=()).identities)
    with pytest.raises(SpecificationError, match=f"`{name}` are not identities: they are"):
        mcrl2.read_text(text, identities=[name])


def test_counting_use_is_reported_with_its_position():
    text = "act a: Pos;\nproc P(id: Pos) =\n  a(id) . P(id + 1);\ninit P(1) || P(2);"
    with pytest.raises(SpecificationError, match="they are added") as error:
        mcrl2.read_text(text, identities=["a.1"])
    assert (error.value.line, error.value.column) == (3, 11)


def test_list_length_does_not_count_its_identities():
    text = """act a: Pos; n: Nat; proc P(id: Pos, l: List(Pos)) = a(id) . n(#l) . P(id, id |> l);
    init P(1, []) || P(2, []);"""
    [ids, lengths] = mcrl2.numbers(text)
    assert (ids.name, ids.literals, ids.count) == ("P.id", (1, 2), None)
    assert ids.uses == ("P.id", "P.l.inside", "a.1")
    assert (lengths.name, lengths.count) == ("n.1", "computed with by `#`")


def test_literals_of_wider_sorts_are_the_same_numbers():
    text = SAMPLES["wider in actions"][0]
    [one] = mcrl2.numbers(text)
    assert one.sorts == ("Pos", "Nat", "Int")
    assert one.literals == (1, 2, 3)
    text = "act a: Nat; proc P(id: Nat) = a(id) . P(id); init P(1) || P(0);"
    assert [number.literals for number in mcrl2.numbers(text)] == [(0, 1)]


def test_identities_of_two_sorts_occur_in_equations():
    """Variables of a left side are matched: they do not range over all values."""
    text = """act a: Pos; n: Nat; map f: Pos -> Pos; var p: Pos; eqn f(p) = p;
    proc P(id: Pos) = n(id) . a(f(id)) . P(id); init P(1) || P(2);"""
    [one] = mcrl2.numbers(text)
    assert (one.sorts, one.literals, one.count) == (("Pos", "Nat"), (1, 2), None)


def test_unknown_identity_names_are_refused_with_a_hint():
    text = SAMPLES["around a mutex"][0]
    with pytest.raises(SpecificationError, match=r"no numbers `Philosoper\.id`; did you mean"):
        mcrl2.read_text(text, identities=["Philosoper.id"])


def test_identities_directive_selects_identities():
    text = SAMPLES["two classes"][0]
    assert [*mcrl2.read_text(text, identities=()).identities] == ["P.id", "a.2"]
    said = "%! identities a.2\n" + text
    assert [*mcrl2.read_text(said, identities=()).identities] == ["a.2"]
    assert not mcrl2.read_text(said).identities


def test_identity_classes_can_be_joined():
    """What is written out for each number may have no other connection with it."""
    text = """act a, b: Pos; proc P(id: Pos) = a(id) . P(id); Q = b(1) . Q + b(2) . Q;
    init P(1) || P(2) || Q;"""
    apart = mcrl2.read_text(text, identities=())
    assert [*apart.identities] == ["P.id", "b.1"]
    joined = mcrl2.read_text(text, identities=["P.id+b.1"])
    assert {sort: [str(v) for v in values] for sort, values in joined.identities.items()} == {
        "P.id": ["P.id(1)", "P.id(2)"]
    }
    found = count_orbits(linearise(joined), parse_permutation("(P.id(1) P.id(2))"))
    assert found.certified
    assert [*generate(joined).transitions()] == [*generate(mcrl2.read_text(text)).transitions()]


def test_non_symmetric_identity_permutation_is_refused():
    text, _ = SAMPLES["one is special"]
    process = linearise(mcrl2.read_text(text, identities=()))
    with pytest.raises(LtsError, match="is no symmetry"):
        count_orbits(process, parse_permutation("(P.id(1) P.id(2))"))
    assert count_orbits(process, parse_permutation("(P.id(2) P.id(3))")).certified


def test_the_text_proves_symmetries_of_numbers():
    text, _ = SAMPLES["around a mutex"]
    process = linearise(mcrl2.read_text(text, identities=()))
    found = find_in_specification(process)
    assert found.explored.from_text == found.explored.summands
    assert count_orbits(process, found.generators, settings=Settings(proof="static")).certified


def test_element_order_prevents_static_proof():
    """Sets have their elements in order, which exchanges of identities do not keep."""
    text, _ = SAMPLES["in a set"]
    process = linearise(mcrl2.read_text(text, identities=()))
    found = find_in_specification(process)
    assert found.explored.from_text < found.explored.summands


def test_overloaded_actions_are_matched_by_arity():
    text = """act a: Pos; a: Pos # Pos; proc P(id: Pos) = a(id) . a(id, id) . P(id);
    init allow({a}, P(1) || P(2));"""
    assert find_in_specification(linearise(mcrl2.read_text(text, identities=()))).order == 2


def test_overloaded_functions_remain_distinct():
    text = """map f: Pos -> Nat; f: Nat -> Pos; var p: Pos; n: Nat; eqn f(p) = if(p == 1, 2, 1);
    act a: Nat; proc P(id: Pos) = a(id) . a(f(id)) . P(id); init P(1) || P(2);"""
    assert not mcrl2.read_text(text, identities=()).identities


def test_overloaded_projections_remain_distinct():
    text = """sort S = struct s(id: Pos); T = struct t(id: Pos, n: Nat);
    act a: Pos; b: Pos # Nat; proc P(x: S, y: T) = a(id(x)) . b(id(y), n(y) + 1) . P(x, y);
    init P(s(1), t(1, 1)) || P(s(2), t(2, 0));"""
    assert [*mcrl2.read_text(text, identities=()).identities] == ["a.1", "b.1"]


@pytest.mark.parametrize("name", ["Pos2Nat", "Nat2Int"])
@pytest.mark.parametrize(("equations", "labels"), [
    ("", {"a(0)", "a(1)", "b({name}(0))", "b({name}(1))"}),
    ("var n: Nat; eqn {name}(n) = if(n == 0, 1, if(n == 1, 0, n));",
     {"a(0)", "a(1)", "b(0)", "b(1)"}),
])  # fmt: skip
def test_user_functions_may_have_predefined_names(name, equations, labels):
    text = f"map {name}: Nat -> Nat; {equations.format(name=name)} act a, b: Nat;"
    text += f"proc P(id: Nat) = a(id) . b({name}(id)) . P(id); init allow({{a, b}}, P(0) || P(1));"
    specification = linearise(mcrl2.read_text(text, identities=()))
    assert specification.specification.identities
    system = generate(specification)
    assert set(system.labels) == {label.format(name=name) for label in labels}
    assert bisimilar(system, generate(mcrl2.read_text(text)))
    assert find_in_specification(specification).order == 2
