"""The actions of labels, against the definition in `naive.labels`, and what stands on them."""

import warnings
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
import naive.labels as by_definition
from lts import LTS, Unsupported, check, compare, minimise
from lts.base.label_names import action_names, matched, normal
from lts.network import compose, read
from lts.symmetry import check as check_symmetry
from lts.symmetry import find_symmetry, parse_permutation
from strategies import examples

NAMES = ("put", "get", "a", "b'", "tau")
BLANK = st.sampled_from(["", "", "", " ", "  "])


@st.composite
def terms(draw, most=3):
    """Return a term as tokens, with an empty token where a blank may stand."""
    kind = draw(st.sampled_from(["atom", "atom", "text", "call", "list", "bag", "set", "sum"]))
    if most == 0 or kind == "atom":
        return [draw(st.sampled_from(["0", "1", "d1", "x'", "true"]))]
    if kind == "text":
        return [draw(st.sampled_from(['"a|b"', '"x, y"', '")"', '"  "', '"a  b"']))]
    inner = draw(st.lists(terms(most - 1), min_size=1, max_size=2))
    if kind == "sum":
        sign = draw(st.sampled_from(["+", "|>", "->", "|", "- -"]))
        return [*inner[0], sign, *inner[-1]]
    separated = [token for term in inner for token in (",", *term)][1:]
    if kind == "call":
        return [draw(st.sampled_from(["f", "g"])), "(", *separated, ")"]
    opening, closing = {"list": "[]", "bag": "{}", "set": "{}"}[kind]
    if kind == "bag":
        separated = [*inner[0], ":", "2"]
    return [opening, *separated, closing]


@st.composite
def actions_in_tokens(draw):
    found = [draw(st.sampled_from(NAMES))]
    if found != ["tau"] and draw(st.booleans()):
        arguments = draw(st.lists(terms(), min_size=1, max_size=2))
        separated = [token for term in arguments for token in (",", *term)][1:]
        found += ["(", *separated, ")"]
    return found


@st.composite
def spelt(draw, tokens):
    """Return tokens as text, with blanks between some of them."""
    text = draw(BLANK).join(["", tokens[0]])
    for token in tokens[1:]:
        text += draw(BLANK) + token
    return text


@st.composite
def labels(draw):
    """Return an action or multi-action in two spellings, or a text that looks like one."""
    several = draw(st.lists(actions_in_tokens(), min_size=1, max_size=3))
    kind = draw(st.sampled_from(["good", "good", "good", "good", "bad"]))
    if kind == "bad":
        wrong = st.sampled_from([["1"], ["p.x"], ["a", "(", "0"], [""], ["-"], ["see you, all"]])
        several = [*several, draw(wrong)]
    order = draw(st.permutations(several))
    joined = [[token for one in each for token in ("|", *one)][1:] for each in (several, order)]
    return tuple(draw(spelt(tokens)) for tokens in joined)


def reached(label, seen):
    """Count what a label tries."""
    found = by_definition.actions(label)
    seen["no structure"] += found is None
    for one in found or ():
        seen["bar inside"] += "|" in one.text
        seen["quotes"] += '"' in one.text
        seen["comma"] += "," in one.text
        seen["blank"] += len("".join(one.tokens)) < len(one.text)
    seen["several"] += len(found or ()) > 1
    seen["tau in several"] += len(found or ()) < len(by_definition.parts(label, "|") or ())


def enough(seen, *kinds):
    assert all(seen[kind] > 5 for kind in kinds), seen


KINDS = ("no structure", "bar inside", "quotes", "comma", "blank", "several", "tau in several")


def test_actions_match_definition():
    seen = Counter()

    @settings(max_examples=examples(3))
    @given(labels())
    def as_defined(pair):
        for label in pair:
            found = by_definition.actions(label)
            if found is None:
                # The engine also reads other dialects, of single actions.
                assert len(action_names([label])) == 1
            else:
                assert action_names([label]) == tuple(dict.fromkeys(one.name for one in found))
            reached(label, seen)
        one, other = pair
        same = by_definition.bag(one) == by_definition.bag(other)
        if by_definition.actions(one) is not None:
            assert same
            assert normal(one) == normal(other)
            if normal(one) != "tau":  # internal only without blanks
                system = [LTS.from_transitions([(0, label, 1)]) for label in pair]
                assert compare(*system, "strong").holds
            assert by_definition.bag(normal(one)) == by_definition.bag(one)

    as_defined()
    enough(seen, *KINDS)


def test_label_equality_is_action_equality():
    seen = Counter()

    @settings(max_examples=examples(3))
    @given(labels(), labels())
    def as_defined(pair, others):
        one, other = pair[0], others[0]
        if None in (by_definition.actions(one), by_definition.actions(other)):
            return
        same = by_definition.bag(one) == by_definition.bag(other)
        assert (normal(one) == normal(other)) == same
        seen["different"] += not same
        seen["equal"] += same

    as_defined()
    enough(seen, "different")


def test_hiding_matches_definition():
    seen = Counter()

    @settings(max_examples=examples(5))
    @given(st.lists(labels(), min_size=1, max_size=3), labels(), st.sampled_from(NAMES[:4]))
    def as_defined(pairs, chosen, name):
        texts = [label for pair in pairs for label in pair]
        first = by_definition.actions(chosen[0])
        names = {name, first[0].text if first else chosen[0]}
        names = {each for each in names if each not in ("", "tau") and "*" not in each}
        rows = [(number, label, number + 1) for number, label in enumerate(texts)]
        system = LTS.from_transitions(rows)
        expected = [(s, by_definition.hidden(a, names), t) for s, a, t in rows]
        if any(by_definition.bag(a) == Counter([("tau",)]) and a != "tau" for a in texts):
            return  # a visible `tau ` with blanks
        assert list(system.hide_any(names).transitions()) == expected
        for label in texts:
            has = by_definition.hidden(label, names) != label
            assert (matched(names, [label]) == [label]) == has or label == "tau"
            seen["partly"] += has and by_definition.hidden(label, names) != "tau"
            reached(label, seen)

    as_defined()
    enough(seen, "partly", *KINDS)


def test_renaming_matches_definition():
    seen = Counter()

    @settings(max_examples=examples(5))
    @given(labels(), st.sampled_from(NAMES[:4]))
    def as_defined(pair, old):
        label = pair[0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            [found] = LTS.from_transitions([(0, label, 1)]).rename({old: "new"}).labels
        assert by_definition.bag(found) == by_definition.bag(
            by_definition.renamed(label, old, "new")
        )
        seen["renamed"] += found != label
        reached(label, seen)

    as_defined()
    enough(seen, "renamed", "several", "tau in several")


def test_other_texts_are_single_actions():
    for label in ("p.x|q", "1|2", "a||b", "put 1|get 2", "a(0|b", 'say "a|b', "a|b(1)x"):
        assert action_names([label]) == (label,)
        system = LTS.from_transitions([(0, label, 1)])
        assert system.hide_any(["a", "b", "q", "put", "get", "1"]).labels == (label,)
        assert system.hide([label]).labels == ("tau",)


@pytest.mark.parametrize("label", ["tau", " tau", "tau ", "tau|tau", " tau | tau"])
def test_tau_labels_are_internal_in_any_spelling(label):
    system = LTS.from_transitions([(0, label, 1), (1, "a", 2), (0, "i", 2)])
    plain = LTS.from_transitions([(0, "tau", 1), (1, "a", 2), (0, "i", 2)])
    assert system.internal == (label,)
    assert system.with_internal(["tau"]).internal == (label,)
    assert system.with_internal(()).internal == ()
    assert system.with_internal(()).with_internal(["  tau"]).internal == (label,)
    assert compare(system, plain, "strong")
    assert not compare(system.with_internal(()), plain, "strong")
    assert minimise(system, "branching").state_count == minimise(plain, "branching").state_count
    assert check(system, "<tau><a>true")
    assert system.hide(["i"]).label_counts() == {label: 2, "a": 1}
    assert system.rename({"tau": "b", "a": "c"}).labels == ("b", "c", "i")
    assert {*system.rename({"i": "tau"}).internal} == {label, "tau"}
    with pytest.raises(Unsupported, match="`tau`, which is a visible label here"):
        system.with_internal(()).hide(["a"])
    text = aut_format.dumps(system.with_internal(()))
    assert text.startswith(b"des\t(")
    assert aut_format.loads(text).internal == ()
    assert aut_format.loads(aut_format.dumps(system)).internal == (label,)


def test_both_spellings_of_a_label_are_internal():
    system = LTS.from_transitions([(0, " tau", 1), (1, "tau", 2), (2, "tau|tau", 0)])
    assert system.internal == (" tau", "tau", "tau|tau")
    assert minimise(system, "weak").state_count == 1
    assert LTS.from_transitions([(0, " i", 1), (1, "i", 0)]).internal == (" i", "i")


def test_actions_combined_with_tau_are_renamed():
    system = LTS.from_transitions([(0, "tau|put(0)", 1), (0, " put( 1 ) ", 1)])
    assert system.rename({"put": "get"}).labels == ("get(0)", " get( 1 ) ")
    assert system.rename({"put(?)": "get(?)"}).labels == ("get(0)", " put( 1 ) ")
    assert system.rename({"tau|*": "get"}).labels == ("get", " put( 1 ) ")


def test_labels_that_become_equal_are_one():
    rows = [(0, "put(0)|get(0)", 1), (0, "put(0)", 2), (1, "c", 1), (2, "c", 2), (0, "get(1)", 1)]
    system = LTS.from_transitions(rows).hide(["get"])
    assert system.labels == ("put(0)", "c", "tau")
    assert minimise(system, "strong").transition_count == 3


def test_partly_hidden_multi_actions_need_no_tau():
    system = LTS.from_transitions([(0, "a|b", 1), (1, "tau", 0)]).with_internal(())
    assert system.hide(["a"]).labels == ("b", "tau")
    assert system.hide(["a"]).internal == ()


@pytest.mark.parametrize("equivalence", ["strong", "weak-trace", "branching"])
def test_labels_differing_in_blanks_are_minimised_as_one(equivalence):
    system = LTS.from_transitions([(0, "c(1, 2)", 1), (0, "c(1,2)", 2), (1, "d", 0), (2, "d", 0)])
    least = minimise(system, equivalence)
    assert (least.state_count, least.labels) == (2, ("c(1, 2)", "d"))
    assert system.labels == ("c(1, 2)", "c(1,2)", "d")


def test_labels_differing_in_blanks_are_permuted_as_one():
    rows = [(0, "a(1, 2)", 1), (0, "a(2,1)", 2), (1, "b(1)|c( 2 )", 0), (2, "b(2) | c(1)", 0)]
    system = LTS.from_transitions(rows)
    assert check_symmetry(system, parse_permutation("(1 2)")).order == 2
    assert [str(generator) for generator in find_symmetry(system).generators] == ["(1 2)"]
    assert check(system, "<a(1,2)>true")
    assert check(system, '<"a(1,2)"><"c(2)|b(1)">true')
    assert not check(system, '<"a(1,3)">true')


def test_a_state_is_deterministic_only_if_its_actions_are():
    system = LTS.from_transitions(
        [(0, "a(1)", 1), (0, "a( 1 )", 2), (1, "b|c", 0), (1, "c | b", 0)]
    )
    assert [*system.nondeterministic_states()] == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('par a in "l.aut" || "r.aut" end par', ["a(1)", "a(1)", *["b(1)|c(2)"] * 2]),
        ('label par "a(1)" in "l.aut" || "r.aut" end par', ["a(1)", "a(1)", *["b(1)|c(2)"] * 2]),
        ('label par "b(1)|c(2)" in "l.aut" || "r.aut" end par', ["a(1)"] * 7),
        ('hide b, c in "l.aut" end hide', ["a(1)", "a(1)", "b(1)|c(2)", "b(1)|c(2)"]),
        ('total hide "b.1.|c.2." in "l.aut" end hide', ["a(1)", "a(1)", "tau", "tau"]),
        ('total rename "a(1)" -> z in "l.aut" end rename', ["b(1)|c(2)", "b(1)|c(2)", "z", "z"]),
    ],
)
def test_labels_differing_in_blanks_synchronise(tmp_path, text, labels):
    rows = [(0, "a(1)", 1), (0, "a( 1 )", 2), (1, "b(1)|c(2)", 3), (2, "c( 2 )|b(1)", 3)]
    LTS.from_transitions(rows).write(tmp_path / "l.aut")
    LTS.from_transitions([(0, "a(1)", 1)]).write(tmp_path / "r.aut")
    (tmp_path / "n.exp").write_text(text)
    found = compose(read(tmp_path / "n.exp"))
    assert sorted(label for _, label, _ in found.transitions()) == labels
