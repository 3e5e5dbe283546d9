"""Certificates of reductions: the states of the encoding, and its rho-steps as words in
generators."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

from lts.base.bounds import CERTIFICATE_NAMES
from lts.certificates.table import digest_of, moved, reachable_numbers, table
from lts.errors import LimitReached, Unsupported
from lts.symmetry import Reduction, Symmetry, expand
from lts.symmetry.labels.automorphism import check
from lts.symmetry.permutation.cycles import cycles
from lts.symmetry.permutation.notation import Element, Permutation, parse_permutation
from lts.symmetry.reduction.storage import written
from lts.system.lts import LTS

__all__ = ["reduction_certificate"]

Word = tuple[int, ...]
"""The generators whose product is a group element, in the order of application."""


def reduction_certificate(system: LTS, reduction: Reduction) -> dict[str, Any]:
    """Return the certificate that every state and transition of an LTS comes from its reduction.

    It has permutations of labels and states that generate the group, the states of the encoding,
    and the rho-steps as words in the generators. Raises `LimitReached` for large groups.
    """
    encoding, symmetry = reduction.encoding, reduction.symmetry
    words, products = _elements(symmetry, encoding.state_count)
    prefix = "#"
    while any(label.startswith(prefix) for label in (*system.labels, *encoding.labels)):
        prefix += "#"
    tags = [f"{prefix}{state}" for state in range(encoding.state_count)]
    expansion = _expanded(encoding, symmetry, tags, products)
    member: dict[str, int] = {}
    transitions = []
    for s, a, t in expansion.transitions():
        if a.startswith(prefix):
            member[a] = s
        else:
            transitions.append((s, a, t))
    names = _corresponding(transitions, expansion, system)
    generators = []
    for number, product in enumerate(products):
        states: list[int | None] = [None] * system.state_count
        for tag in tags:
            for element, image in enumerate(product):
                one, other = member[f"{tag}@{element}"], member[f"{tag}@{image}"]
                states[names[one]] = names[other]
        assert symmetry.actions is not None
        action = symmetry.actions[number].images
        images = {e.text: image.text for e, image in action.items() if e.quoted}
        generators.append({"labels": moved(images, images), "states": states})
    # The verifier hashes the encoding's file, with its mark, and with a blank for the header's tab.
    chunks = list(written(encoding, symmetry)[0])
    chunks[0] = chunks[0].replace(b"\t", b" ")
    return table("reduction", system) | {
        "result": digest_of(chunks),
        "generators": generators,
        "states": [names[member[f"{tag}@0"]] for tag in tags],
        "rho": {label: _in_runs(words[label]) for label in encoding.labels if label in words},
    }


def _elements(symmetry: Symmetry, states: int) -> tuple[_Words, list[list[int]]]:
    """Return words for rho-labels, and for each generator its products with all elements.

    Elements are numbered; the identity is 0.
    """
    assert symmetry.order is not None
    assert symmetry.actions is not None
    if symmetry.order * states > CERTIFICATE_NAMES.default:
        raise LimitReached(
            f"a certificate of a reduction with {states} states under a group of order "
            f"{symmetry.order} would take {CERTIFICATE_NAMES.exceeded()}",
            limit=CERTIFICATE_NAMES.default,
            found={"states": states, "order": symmetry.order},
        )
    if not symmetry.points and len(symmetry.actions) == 1:
        order = symmetry.order
        return _Words(symmetry, {}, {}), [[(k + 1) % order for k in range(order)]]
    points = {name: number for number, name in enumerate(symmetry.points)}
    generators = []
    for action in symmetry.actions:
        images = {e.text: image.text for e, image in action.images.items() if not e.quoted}
        generators.append(tuple(points[images.get(name, name)] for name in points))
    identity = tuple(range(len(points)))
    numbers = {identity: 0}
    found: dict[tuple[int, ...], Word] = {identity: ()}
    products: list[list[int]] = [[] for _ in generators]
    for element in (waiting := [identity]):
        for which, generator in enumerate(generators):
            product = tuple(generator[image] for image in element)
            if product not in numbers:
                numbers[product] = len(numbers)
                found[product] = (*found[element], which)
                waiting.append(product)
            products[which].append(numbers[product])
    return _Words(symmetry, points, found), products


class _Words:
    """The rho-labels as words in generators."""

    def __init__(
        self,
        symmetry: Symmetry,
        points: dict[str, int],
        found: dict[tuple[int, ...], Word],
    ) -> None:
        self.prefix = symmetry.rho or ""
        self.points = points
        self.found = found

    def __contains__(self, label: str) -> bool:
        return label.startswith(f"{self.prefix}(")

    def __getitem__(self, label: str) -> Word:
        step = label[len(self.prefix) :]
        if not self.found:
            return (0,) * int(step[1:-1])
        images = {e.text: i.text for e, i in parse_permutation(step).images.items()}
        return self.found[tuple(self.points[images.get(name, name)] for name in self.points)]


def _in_runs(word: Word) -> list[list[int]]:
    """Return a word as pairs of a generator and the number of times it is applied."""
    runs: list[list[int]] = []
    for generator in word:
        if runs and runs[-1][0] == generator:
            runs[-1][1] += 1
        else:
            runs.append([generator, 1])
    return runs


def _expanded(encoding: LTS, symmetry: Symmetry, tags: list[str], products: list[list[int]]) -> LTS:
    """Return the expansion, where the image of state i under element g has a loop labelled
    `#i@g`."""
    assert symmetry.actions is not None
    actions = []
    for action, product in zip(symmetry.actions, products, strict=True):
        turns = [
            tuple(Element(f"{tag}@{element}", quoted=True) for element in cycle)
            for tag in tags
            for cycle in cycles(product)
        ]
        actions.append(Permutation((*action.cycles, *turns)))
    source, target = encoding.source.tolist(), encoding.target.tolist()
    loops = range(encoding.state_count)
    first = len(encoding.labels)
    label = [*encoding.label.tolist(), *(first + state for state in loops)]
    tagged = LTS.from_columns(
        array("I", [*source, *loops]),
        array("I", label),
        array("I", [*target, *loops]),
        [*encoding.labels, *(f"{tag}@0" for tag in tags)],
        encoding.initial,
        encoding.state_count,
    ).with_internal(encoding.internal)
    unstated = replace(symmetry, states=None, transitions=None, actions=tuple(actions))
    return expand(tagged, unstated)


def _corresponding(
    transitions: list[tuple[int, str, int]], expansion: LTS, system: LTS
) -> dict[int, int]:
    """Return for each state of an expansion the corresponding state of the system.

    The isomorphism is found as the symmetry that swaps both in a system that begins with a choice
    of one of them.
    """
    shift = 1 + expansion.state_count
    left, right = "left", "right"
    while {left, right} & {*system.labels}:
        left, right = f"{left}'", f"{right}'"
    both = [(0, left, 1 + expansion.initial), (0, right, shift + system.initial)]
    both += [(1 + s, a, 1 + t) for s, a, t in transitions]
    both += [(shift + s, a, shift + t) for s, a, t in system.transitions()]
    count = shift + system.state_count
    joined = LTS.from_transitions(both, state_count=count).with_internal([])
    swap = Permutation(((Element(left, quoted=True), Element(right, quoted=True)),))
    column = check(joined, swap).states[0].tolist()
    numbers = reachable_numbers(joined)
    found = {numbers[s]: numbers[t] for s, t in enumerate(column)}
    pairs = {s - 1: t - shift for s, t in found.items() if 1 <= s < shift}
    if not all(t >= 0 for t in pairs.values()):
        raise Unsupported("the reduction does not expand to the system")
    return pairs
