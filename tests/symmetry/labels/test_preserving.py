"""The largest subgroup that preserves a property of labels, by trying all elements of the group."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts.symmetry import parse_permutation
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.labels.preserving import preserving
from strategies import examples

IDS = ("1", "2", "3", "4")
LABELS = [f"a({one})" for one in IDS] + [f"b({one},{other})" for one in IDS for other in IDS]
GROUPS = (
    ["(1 2)", "(1 2 3 4)"],
    ["(1 2 3 4)"],
    ["(1 2)", "(3 4)"],
    ["(1 3) (2 4)", "(1 2)"],
    ["(1 2 3)"],
    ["(1 2) (3 4)", "(1 3) (2 4)"],
)


def generated(generators):
    """Return all elements, as the images of the ids."""
    moved = [dict(zip(IDS, IDS, strict=True)) | dict(generator.images) for generator in generators]
    moved = [{str(a): str(b) for a, b in images.items()} for images in moved]
    found, waiting = {IDS}, [IDS]
    for one in waiting:
        for images in moved:
            image = tuple(images[of] for of in one)
            if image not in found:
                found.add(image)
                waiting.append(image)
    return found


def image(element, label):
    images = dict(zip(IDS, element, strict=True))
    return "".join(images.get(letter, letter) for letter in label)


@settings(max_examples=examples(2))
@given(st.sampled_from(GROUPS), st.sets(st.sampled_from(LABELS), max_size=6))
def test_preserving_subgroup_matches_enumeration(texts, chosen):
    generators = [parse_permutation(text) for text in texts]
    expected = {
        one
        for one in generated(generators)
        if all((image(one, label) in chosen) == (label in chosen) for label in LABELS)
    }
    found = preserving(generators, LABELS, chosen.__contains__)
    assert generated(found) == expected
    if expected == generated(generators):
        assert found == tuple(generators)


@pytest.mark.parametrize("most", [1, 3, 4])
def test_large_orbits_try_only_generators(most, monkeypatch):
    monkeypatch.setattr("lts.symmetry.labels.preserving.MOST", most)
    generators = [parse_permutation(text) for text in ("(1 2)", "(2 3 4)", "(1 2 3 4)")]
    found = preserving(generators, LABELS, {"a(1)"}.__contains__)
    stabiliser = {
        permutation for permutation in itertools.permutations(IDS) if permutation[0] == "1"
    }
    assert generated(found) == (stabiliser if most == 4 else generated(generators[1:2]))
    assert all(lift_labels(one, LABELS)["a(1)"] == "a(1)" for one in found)
