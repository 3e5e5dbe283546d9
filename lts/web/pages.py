"""The kinds of pages: for one system, for two compared systems, and for a reduction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import lts._engine as _engine
from lts.equivalence.comparison import Comparison, compare
from lts.equivalence.evidence import Property
from lts.equivalence.isomorphism import Mismatch
from lts.equivalence.names import Relation, equivalence_named
from lts.symmetry.permutation.file import Symmetry
from lts.symmetry.reduction.orbits import original_with_orbits
from lts.symmetry.reduction.rho_encoding import count
from lts.system.lts import LTS, expect_systems
from lts.web.colourings import ORBITS, blocks, found_orbits, shared_blocks, truth
from lts.web.html_document import document
from lts.web.limits import MAX_STATES, refuse_large, refuse_sizes
from lts.web.shown import Colouring, Difference, Shown, Values

__all__ = ["beside", "compared", "page", "reduced"]

_FEW_STATES, _FEW_TRANSITIONS = 2_000, 20_000
"""Sizes up to which symmetries are searched for."""


def page(
    system: LTS,
    *,
    title: str = "",
    equivalences: Sequence[str] = (),
    formulas: Sequence[str] = (),
    colourings: Sequence[Colouring] = (),
    values: Sequence[Values] = (),
    max_states: int = MAX_STATES,
) -> bytes:
    """Return a page that shows a system, as a file of HTML.

    States can be coloured by the blocks of `equivalences` (by default strong bisimulation), by the
    truth of `formulas`, by other `colourings` such as `orbits` (for small systems by default those
    of all symmetries found), and by their data, which `state_data` computes. Raises `LimitReached`
    for more than `max_states` states, and the errors of the equivalences and formulas.

    >>> b"</html>" in page(LTS.from_transitions([(0, "a", 1)]), title="one step")
    True
    """
    expect_systems(system)
    refuse_large(system, max_states)
    classes: list[Colouring] = []
    with _engine.Stage("colouring", len(formulas) + (len(equivalences) or 1), items=True) as stage:
        for formula in formulas:
            stage.add(1)
            classes.append(truth(system, formula))
        classes += colourings
        for name in equivalences:
            stage.add(1)
            classes.append(blocks(system, name))
        small = system.state_count <= _FEW_STATES and system.transition_count <= _FEW_TRANSITIONS
        known = any(colouring.name == ORBITS for colouring in classes)
        if small and not known:
            with _engine.Stage("searching for symmetries", 0):
                found = found_orbits(system)
            classes += [] if found is None else [found]
        if not equivalences:
            stage.add(1)
            classes.append(blocks(system, "strong"))
    shown = Shown(title, system, classes, values)
    return document([shown], title=title)


def compared(
    left: LTS,
    right: LTS,
    equivalence: str,
    *,
    titles: tuple[str, str] = ("left", "right"),
    formulas: Sequence[str] = (),
    values: tuple[Sequence[Values], Sequence[Values]] = ((), ()),
    max_states: int = MAX_STATES,
) -> tuple[bytes, Comparison]:
    """Return a page with two systems side by side, and their comparison modulo `equivalence`.

    Equivalent states have the same colour, except modulo traces, and the distinguishing run is
    highlighted in both systems. Raises the errors of `lts.equivalence.compare` and of `page`.
    """
    expect_systems(left, right)
    systems = (left, right)
    for system in systems:
        refuse_large(system, max_states)
    kind = equivalence_named(equivalence)
    found = compare(left, right, kind.name)
    both: list[list[Colouring]] = [[], []]
    if kind.family != "traces":
        both = [[each] for each in shared_blocks(left, right, kind.name)]
    shown = _pair(systems, titles, both, formulas, values)
    verdict = f"{titles[0]} and {titles[1]} are {'' if found.holds else 'not '}equivalent modulo"
    verdict = f"{verdict} {kind.title}"
    difference = _difference(found, systems, titles, kind)
    return document(shown, title=verdict, difference=difference), found


def beside(
    left: LTS,
    right: LTS,
    *,
    title: str | None = None,
    titles: tuple[str, str] = ("left", "right"),
    formulas: Sequence[str] = (),
    values: tuple[Sequence[Values], Sequence[Values]] = ((), ()),
    max_states: int = MAX_STATES,
) -> bytes:
    """Return a page with two systems side by side, without a comparison; errors as for `page`."""
    expect_systems(left, right)
    for system in (left, right):
        refuse_large(system, max_states)
    shown = _pair((left, right), titles, [[], []], formulas, values)
    return document(shown, title=title or " and ".join(titles))


def _pair(
    systems: tuple[LTS, LTS],
    titles: tuple[str, str],
    both: Sequence[Sequence[Colouring]],
    formulas: Sequence[str],
    values: tuple[Sequence[Values], Sequence[Values]],
) -> list[Shown]:
    """Return two systems with their common colourings and their own."""
    return [
        Shown(
            title,
            system,
            [*colourings, *(truth(system, formula) for formula in formulas)],
            data,
        )
        for title, system, colourings, data in zip(titles, systems, both, values, strict=True)
    ]


def _difference(
    found: Comparison, systems: tuple[LTS, LTS], titles: tuple[str, str], kind: Relation
) -> Difference | None:
    """Return the difference as a run through the states of the system that has it."""
    evidence = found.evidence
    if evidence is None:
        return None
    assert not isinstance(evidence, Mismatch)
    owner = 0 if evidence.of_left else 1
    system = systems[owner]
    states = [system.initial, *(int(system.target[row]) for row in evidence.rows)]
    text = evidence.describe(titles[owner])
    if isinstance(evidence, Property):
        text = f"{text}\n(the highlighted run follows this property)"
    weak = not kind.counts_internal
    judged: Literal["every", "visible", "none"] = "none"
    if kind.family == "bisimulation":
        # Modulo tau*.a, a state reached by internal steps need not have an equivalent one in the
        # other.
        judged = "visible" if kind.name == "tau-star-a" else "every"
    return Difference(text, owner, states, evidence.labels, weak, judged)


def reduced(
    encoding: LTS, symmetry: Symmetry, *, title: str = "", max_states: int = MAX_STATES
) -> bytes:
    """Return a page with the original of a reduction and the reduction, side by side.

    An orbit has the same colour in both and is highlighted in both. Raises the errors of
    `lts.symmetry.expand`, and `LimitReached` if the original has more than `max_states` states.
    """
    expect_systems(encoding)
    refuse_large(encoding, max_states)
    states, transitions = count(encoding, symmetry)
    refuse_sizes(states, transitions, max_states)
    system, found, theirs = original_with_orbits(encoding, symmetry)
    names = [f"orbit {number}" for number in range(1 + max(theirs))]
    rho = frozenset(a for a in encoding.labels if a.startswith(f"{symmetry.rho}("))
    original = Colouring("orbits", found, names, shared=True)
    reduction = Colouring("orbits", theirs, names, shared=True)
    shown = [
        Shown("original", system, [original]),
        Shown("reduction", encoding, [reduction], jumps=rho),
    ]
    return document(shown, title=title)
