"""Labels as tools write them: taken apart, moved without a change of any other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS
from lts.base.bounds import LABEL_IMAGES
from lts.errors import LimitReached, ParseError, SpecificationError
from lts.symmetry import check, find_symmetry, parse_permutation, reduce
from lts.symmetry.labels.automorphism import check_bisimilar
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.labels.lift import lift_labels, refuse_idle


def image(permutation, label, *others):
    return lift_labels(parse_permutation(permutation), [label, *others])[label]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("put(1, 5)", "put(2, 5)"),
        ("put( 1 ,11)", "put( 2 ,11)"),
        ("put (1)", "put (2)"),
        ("a(1)|b(3, 2)", "a(2)|b(3, 1)"),
        ("snd([1, 3], {2: 1, 7: 2})", "snd([2, 3], {1: 2, 7: 1})"),
        ("pos(1 + x, -1)", "pos(2 + x, -1)"),
        ("f(g(g(1)), s(1,1))", "f(g(g(2)), s(2,2))"),
        ("PUT !1 !TRUE", "PUT !2 !TRUE"),
        ("PUT !1!2", "PUT !2!1"),
        ('PUT !CONS (1, CONS (2, NIL)) !"1"', 'PUT !CONS (2, CONS (1, NIL)) !"1"'),
        ('say("1, 2", 1)', 'say("1, 2", 2)'),
        ("put 1 5", "put 2 5"),
        ("send[1](x)", "send[2](x)"),
        ("1(x)", "1(x)"),  # a name is no datum
        ("1", "2"),  # a whole label, as nothing has it as an argument
        ("put(1", "put(1"),
        ('put("1)', 'put("1)'),
        ("put(1]", "put(1]"),
        ("put(1,,5)", "put(1,,5)"),
    ],
)
def test_only_data_are_replaced(label, expected):
    assert image("(1 2)", label) == expected


def test_terms_are_equal_up_to_spacing():
    labels = ["PUT !CONS (1, NIL)", "GET !CONS (2, NIL)", "PUT !CONS (2, NIL)"]
    moved = lift_labels(parse_permutation("(CONS(1,NIL) CONS(2,NIL))"), labels)
    assert moved["PUT !CONS (1, NIL)"] == "PUT !CONS (2, NIL)"


def test_images_have_the_spacing_of_the_replaced_term():
    labels = ["a(g(1,1))", "b(g(1, 1))", "a(g(2,2))", "b(g(2, 2))", "c(g( 1,1))"]
    permutation = parse_permutation("(g(1,1) g(2,2))")
    for order in (labels, labels[::-1]):
        moved = lift_labels(permutation, order)
        assert moved["a(g(1,1))"] == "a(g(2,2))"
        assert moved["b(g(1, 1))"] == "b(g(2, 2))"
        assert moved["c(g( 1,1))"] == "c(g( 2,2))"


def test_images_of_another_form_follow_existing_spelling():
    labels = ["a(g(1, 1))", "b(h(1, 2, 3))"]
    moved = lift_labels(parse_permutation("(g(1,1) h(1,2,3))"), labels)
    assert moved["a(g(1, 1))"] == "a(h(1, 2, 3))"
    assert moved["b(h(1, 2, 3))"] == "b(g(1, 1))"
    with pytest.raises(SpecificationError, match="have the same image"):
        lift_labels(parse_permutation("(g(1,1) h(1,2,3))"), [*labels, "a(g(1,1))"])


def test_patterns_of_offers_and_multi_actions():
    assert image("(1 2) in PUT(_,*)", "PUT !1 !2") == "PUT !1 !1"
    assert image("(1 2) in b(*)", "a(1)|b(1)") == "a(1)|b(2)"


def test_deeply_nested_labels_are_permuted():
    depth = 100_000
    deep = f"a({'s(' * depth}1{')' * depth})"
    assert image("(1 2)", deep) == deep.replace("1", "2")


names = st.sampled_from(["a", "PUT", "get_x", "x1"])
atoms = st.sampled_from(["1", "2", "3", "d", "TRUE", '"1 2"', "-1", "x'"])
terms = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(lambda f, xs: (f, xs), names, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda xs: ("[", xs), st.lists(inner, max_size=3)),
    ),
    max_leaves=6,
)
blank = st.sampled_from(["", "", " ", "  "])


@st.composite
def spelt(draw):
    """Return a label, and what it is with 1 and 2 exchanged, both written in one dialect."""
    gaps = draw(st.lists(blank, min_size=60, max_size=60))

    def both(term, gap):
        if isinstance(term, str):
            return term, {"1": "2", "2": "1"}.get(term, term)
        name, parts = term
        inner = [both(part, gap) for part in parts]
        opening, closing = ("[", "]") if name == "[" else (f"{name}(", ")")
        between = [f"{next(gap)},{next(gap)}" for _ in inner[1:]]
        ends = next(gap), next(gap)
        texts = []
        for side in (0, 1):
            text = inner[0][side] if inner else ""
            for comma, part in zip(between, inner[1:], strict=True):
                text += comma + part[side]
            texts.append(f"{opening}{ends[0]}{text}{ends[1]}{closing}")
        return tuple(texts)

    arguments = draw(st.lists(terms, min_size=1, max_size=3))
    name = draw(names)
    gap = iter(gaps * 20)
    if draw(st.booleans()):
        pairs = [both(term, gap) for term in arguments]
        return tuple(name + "".join(f" !{pair[side]}" for pair in pairs) for side in (0, 1))
    components = [(name, arguments)]
    if draw(st.booleans()):
        components.append((draw(names), draw(st.lists(terms, min_size=1, max_size=2))))
    pairs = [both(component, gap) for component in components]
    return tuple("|".join(pair[side] for pair in pairs) for side in (0, 1))


@given(spelt())
def test_random_labels_have_the_images_that_their_terms_have(pair):
    label, expected = pair
    assert parse_label(label) is not None
    assert image("(1 2)", label) == expected
    assert image("(1 2)", expected) == label


@given(st.lists(spelt(), min_size=1, max_size=4))
def test_detected_generators_are_accepted_by_check(pairs):
    rows = []
    for number, pair in enumerate(pairs):
        rows += [(0, pair[0], 1 + number), (0, pair[1], 1 + number)]
        rows += [(1 + number, "next", 0)] * (number % 2)
    system = LTS.from_transitions(rows)
    assert check(system, parse_permutation("(1 2)")).order <= 2
    found = find_symmetry(system)
    if any(one != other for one, other in pairs):
        assert found
    for generator in found.generators:
        refuse_idle(generator, system.labels)
        check_bisimilar(system, parse_permutation(str(generator)))


@given(st.text(alphabet="ab1 ,()[]{}|!\"\\:'", max_size=14))
def test_parsed_labels_reassemble_to_the_text(text):
    parsed = parse_label(text)
    if parsed is not None:
        assert parsed.edited([]) == text
        frame = parsed.layout(parsed.arguments, 0, len(text))
        pieces = [frame[0]]
        for part, piece in zip(parsed.arguments, frame[1:], strict=True):
            pieces += [parsed.shown(part), piece]
        assert "".join(pieces) == text
    try:
        moved = image("(a b)", text)
    except SpecificationError:
        return
    assert len(moved) == len(text)
    assert sorted(moved.translate({97: 98})) == sorted(text.translate({97: 98}))


@pytest.mark.parametrize(
    ("permutation", "hint"),
    [
        ("(q1 q2)", "no label has the data `q1`; did you mean `p1`"),
        ("(p1 p2) in gt(*)", "no label has the form `gt(*)`; did you mean `get`"),
        ("(p1 p2) in get(*,_)", "no label has the form"),
        ("(p1 p2) in put(_), get(_)", "moves nothing: no label has these data at that place"),
        ('("gett(p1)" "gett(p2)")', "moves nothing"),
        ("(p1)", "a cycle of one element, `(p1)`, moves nothing"),
        ('("get")', 'a cycle of one element, `("get")`, moves nothing'),
        ("(p1..p2)", "expected spaces: `(p1 .. p2)`"),
    ],
)
def test_idle_permutations_are_refused(permutation, hint):
    with pytest.raises((ParseError, SpecificationError)) as refused:
        refuse_idle(parse_permutation(permutation), ["get(p1)", "get(p2)", "put(p1)"])
    assert hint in str(refused.value)
    refuse_idle(parse_permutation("()"), ["get(p1)"])


@pytest.mark.parametrize(
    ("permutation", "labels"),
    [
        ("(b put(b))", ["get(b)", "put(b)"]),
        ('(1 "x !1")', ["x !1", "x !2"]),
        ('(a "r(b)" c)', ["r(a)", "r(b)", "r(c)"]),
        ("(p r(a))", ["r(a)", "r(p)"]),
    ],
)
def test_a_cycle_of_labels_and_data_is_refused(permutation, labels):
    with pytest.raises(SpecificationError, match="mixes the label"):
        lift_labels(parse_permutation(permutation), labels)


def test_label_maps_are_closed_under_images():
    images = lift_labels(parse_permutation("(d1 d2 d3)"), ["a(d1)"])
    assert images == {"a(d1)": "a(d2)", "a(d2)": "a(d3)", "a(d3)": "a(d1)"}


def test_closure_under_images_is_limited(lower):
    lower(LABEL_IMAGES, 1000)
    cycles, label, at = [], [], 0
    for length in (2, 3, 5, 7, 11, 13):
        cycles.append(f"(x{at} .. x{at + length - 1})")
        label.append(f"x{at}")
        at += length
    with pytest.raises(LimitReached, match="more than 1001 images"):
        lift_labels(parse_permutation(" ".join(cycles)), [f"a({','.join(label)})"])


@given(st.lists(st.sampled_from(["a", "f(a)", "b", "f(b)", "f(f(a))", "g(a,b)"]), unique=True))
def test_nested_cycles_terminate_in_a_permutation(elements):
    labels = ["x(a)", "x(f(a))", "y(g(a,b),b)", "z(f(f(f(a))))"]
    try:
        images = lift_labels(parse_permutation(f"({' '.join(elements)})"), labels)
    except SpecificationError:
        return
    assert sorted(images) == sorted(images.values())


def test_unreachable_labels_do_not_affect_detection():
    rows = [(0, "out(a)", 1), (0, "out(b)", 1), (1, "c", 1), (2, "b", 3)]
    system = LTS.from_transitions(rows)
    for generator in find_symmetry(system).generators:
        assert check(system, generator).order == 2
        assert reduce(system, generator).symmetry.order == 2


def test_pattern_selects_data_over_labels():
    system = LTS.from_transitions([(0, "out(a)", 1), (0, "out(b)", 1), (1, "b", 0)])
    with pytest.raises(SpecificationError, match="in PATTERN"):
        check(system, parse_permutation("(a b)"))
    assert check(system, parse_permutation("(a b) in out(*)")).order == 2
