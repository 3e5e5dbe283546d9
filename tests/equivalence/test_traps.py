"""Pairs of systems that tools and papers are known to get wrong, with the right verdicts.

The expected verdicts are written down by hand; the naive references must give them, too.
"""

import pytest

from lts import LTS
from lts.equivalence import compare, refines
from lts.logic import check
from naive import relations


def lts(*rows):
    return LTS.from_transitions(rows)


STOP = lts()
LIVELOCK = lts((0, "tau", 0))
A = lts((0, "a", 1))
TAU_A = lts((0, "tau", 1), (1, "a", 2))
A_B = lts((0, "a", 1), (1, "b", 2))
A_TAU_B = lts((0, "a", 1), (1, "tau", 2), (2, "b", 3))
A_OR_TAU = lts((0, "a", 1), (0, "tau", 2))
EXTERNAL = lts((0, "a", 1), (0, "b", 2))
INTERNAL = lts((0, "tau", 1), (0, "tau", 2), (1, "a", 3), (2, "b", 3))

# Names as on the command line; `<` is the preorder, right refines left, `>` the other way round.
TRAPS = {
    "a livelock is no deadlock where divergence or stability is seen": (
        STOP,
        LIVELOCK,
        "branching weak rooted-branching-not rooted-weak-not strong-not weak-trace tau-star-a "
        "divergence-preserving-branching-not divergence-preserving-weak-not weak-simulation "
        "failures< failures>-not failures-divergences<-not failures-divergences>",
    ),
    "an internal loop beside a step": (
        A,
        lts((0, "tau", 0), (0, "a", 1)),
        "branching weak rooted-branching-not rooted-weak-not "
        "divergence-preserving-branching-not divergence-preserving-weak-not "
        "coupled-simulation failures< failures>-not failures-divergences<-not",
    ),
    "a divergence that passes through several classes": (
        lts((0, "tau", 1), (1, "tau", 0), (0, "a", 2), (1, "b", 2)),
        lts((0, "tau", 0), (0, "a", 1), (0, "b", 1)),
        "branching weak divergence-preserving-branching divergence-preserving-weak strong-not "
        "failures< failures> failures-divergences< failures-divergences>",
    ),
    "a divergence after an internal step": (
        lts((0, "a", 1), (0, "tau", 1), (1, "tau", 1)),
        lts((0, "a", 1), (0, "tau", 1), (1, "tau", 2), (2, "tau", 2), (2, "tau", 1)),
        "branching divergence-preserving-branching rooted-branching rooted-weak",
    ),
    "a first internal step": (
        A,
        TAU_A,
        "weak branching divergence-preserving-branching divergence-preserving-weak tau-star-a "
        "coupled-simulation weak-trace failures< failures> rooted-weak-not rooted-branching-not "
        "strong-not trace-not",
    ),
    "an internal step that is not the first": (
        A_B,
        A_TAU_B,
        "weak branching rooted-weak rooted-branching strong-not trace-not",
    ),
    "a first internal step beside another choice": (
        EXTERNAL,
        lts((0, "tau", 1), (0, "b", 2), (1, "a", 2)),
        "weak-not branching-not rooted-weak-not coupled-simulation-not tau-star-a weak-trace "
        "failures<-not failures>",
    ),
    "a first internal loop": (
        TAU_A,
        lts((0, "tau", 0), (0, "a", 1)),
        "weak branching rooted-weak rooted-branching-not divergence-preserving-weak-not",
    ),
    "the third tau law": (
        lts((0, "a", 1), (1, "tau", 2), (2, "b", 3), (1, "c", 3)),
        lts((0, "a", 1), (1, "tau", 2), (2, "b", 3), (1, "c", 3), (0, "a", 2)),
        "weak rooted-weak branching-not rooted-branching-not branching-simulation< "
        "branching-simulation>",
    ),
    "internal and external choice": (
        EXTERNAL,
        INTERNAL,
        "tau-star-a weak-trace weak-not coupled-simulation-not failures<-not failures> "
        "weak-simulation simulation-not branching-simulation< branching-simulation>-not",
    ),
    "a choice that is made step by step": (
        lts((0, "tau", 1), (0, "tau", 2), (0, "tau", 3), (1, "a", 4), (2, "b", 4), (3, "c", 4)),
        lts(
            (0, "tau", 1), (0, "tau", 5), (5, "tau", 2), (5, "tau", 3),
            (1, "a", 4), (2, "b", 4), (3, "c", 4),
        ),
        "coupled-simulation weak-not branching-not failures< failures>",
    ),
    "an offer that can be withdrawn": (
        A,
        A_OR_TAU,
        "weak-trace tau-star-a failures<-not failures> weak-not coupled-simulation-not "
        "weak-simulation",
    ),
    "a trace that only an unstable state has": (
        lts((0, "a", 1), (0, "tau", 2)),
        STOP,
        "failures< failures-divergences< failures>-not failures-divergences>-not",
    ),
    "after a divergence comes chaos": (
        lts((0, "a", 1), (1, "tau", 1)),
        lts((0, "a", 1), (1, "b", 2), (2, "c", 3), (3, "tau", 3)),
        "failures-divergences< failures-divergences>-not failures<-not weak-trace<-not",
    ),
    "a branch that ends": (
        A_B,
        lts((0, "a", 1), (1, "b", 2), (0, "a", 3)),
        "simulation trace ready-simulation-not strong-not failures<-not failures>",
    ),
    "one branch that can do what two can": (
        lts((0, "a", 1), (1, "b", 2), (1, "c", 2)),
        lts((0, "a", 1), (1, "b", 2), (0, "a", 3), (3, "c", 2)),
        "trace simulation-not simulation< simulation>-not ready-simulation<-not "
        "weak-simulation-not weak-simulation< weak-simulation>-not",
    ),
    "no labels but internal ones": (
        LIVELOCK,
        lts((0, "tau", 1)),
        "weak branching weak-trace tau-star-a strong-not rooted-weak rooted-branching "
        "divergence-preserving-weak-not trace-not coupled-simulation simulation-not "
        "failures<-not failures> failures-divergences<",
    ),
    "no labels at all": (
        STOP,
        lts((1, "a", 2)),
        "strong branching weak rooted-weak trace simulation ready-simulation failures< failures> "
        "failures-divergences< failures-divergences>",
    ),
    "duplicates": (
        lts((0, "a", 1), (0, "a", 1), (0, "a", 2)),
        A,
        "strong trace simulation ready-simulation rooted-branching",
    ),
}  # fmt: skip
CASES = [
    pytest.param(left, right, word, id=f"{title}: {word}")
    for title, (left, right, words) in TRAPS.items()
    for word in words.split()
]


@pytest.mark.parametrize(("left", "right", "word"), CASES)
def test_verdicts_on_known_traps(left, right, word):
    name = word.removesuffix("-not")
    expected = not word.endswith("-not")
    if name.endswith(">"):
        left, right = right, left
    preorder = name.endswith(("<", ">"))
    name = name.rstrip("<>")
    found = (refines if preorder else compare)(left, right, name)
    assert found.holds == expected
    assert relations.holds(name, left, right, preorder) == expected
    assert (found.evidence is None) == expected


def test_divergence_is_named_in_the_evidence():
    found = compare(A, lts((0, "tau", 0), (0, "a", 1)), "divergence-preserving-branching")
    assert found.evidence.formula == "<tau>@"
    found = refines(STOP, LIVELOCK, "failures-divergences")
    assert (found.evidence.trace, found.evidence.diverges) == ((), True)


def test_rooted_evidence_shows_the_initial_internal_step():
    found = compare(A, TAU_A, "rooted-branching")
    assert found.evidence.formula == "<a>true"
    assert check(A, "<a>true").holds
    assert not check(TAU_A, "<a>true").holds
