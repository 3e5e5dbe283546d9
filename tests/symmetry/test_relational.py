"""Automorphisms of relational structures, against all permutations of their points."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lts._engine as _engine
from lts.base.bounds import NET_FACTS
from lts.errors import LimitReached
from lts.symmetry.relational import RelationalStructure
from strategies import examples

KINDS = ("a", "b")
RELATIONS = {"p": 1, "q": 2, "r": 3}


def random_structure(random):
    """Return the colours of up to five points, and facts."""
    colours = [random.choice(KINDS[: random.randint(1, 2)]) for _ in range(random.randint(2, 5))]
    facts = set()
    for _ in range(random.randrange(5)):
        relation = random.choice([*RELATIONS])
        facts.add((relation, tuple(random.choices(range(len(colours)), k=RELATIONS[relation]))))
    return colours, sorted(facts)


def built(colours, facts):
    structure = RelationalStructure(NET_FACTS, "the net", "points")
    for colour in colours:
        structure.point(colour)
    for relation, points in facts:
        structure.add_fact(relation, points)
    return structure


def test_automorphism_group_matches_enumeration():
    reached = Counter()

    @settings(max_examples=examples(6))
    @given(st.integers(0, 10**9))
    def check(seed):
        colours, facts = random_structure(Random(seed))
        group = {
            images
            for images in permutations(range(len(colours)))
            if [colours[image] for image in images] == colours
            and {(of, tuple(images[p] for p in points)) for of, points in facts} == {*facts}
        }
        generators, order = built(colours, facts).automorphisms()
        assert order == len(group)
        assert {*generators} <= group
        assert not generators or _engine.group_order(len(colours), generators) == order
        reached["facts"] += len({*sum((points for _, points in facts), ())}) > 1 and order > 1
        reached["trivial"] += order == 1

    check()
    assert min(reached["facts"], reached["trivial"]) > 0, reached


@pytest.mark.parametrize(
    "images", [(1, 0, 2), (0, 2, 1), (0, 0, 2)], ids=["a fact", "a colour", "no permutation"]
)
def test_non_automorphic_generator_is_an_error(monkeypatch, images):
    structure = built("aab", [("q", (0, 2))])
    monkeypatch.setattr(_engine, "relational_automorphisms", lambda *_: ([images], 2))
    with pytest.raises(RuntimeError, match="does not preserve"):
        structure.automorphisms()


def test_too_many_facts_reach_a_limit(lower):
    lower(NET_FACTS, 2)
    with pytest.raises(LimitReached, match="the net has more than 2 facts") as caught:
        built("ab", [("p", (0,)), ("p", (1,)), ("q", (0, 1))])
    assert caught.value.found == {"facts": 3}
