"""The nets of `cases/nets`: sizes that the Model Checking Contest publishes, in all ways."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lts.errors import SpecificationError, Unsupported
from lts.petri import (
    action_of,
    counting,
    counts,
    explore,
    ground,
    net_orbits,
    read,
    read_text,
)
from lts.petri.diagrams import Effort
from lts.state_space.generation import NOTHING
from lts.symmetry.relational import RelationalStructure

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "dev"))
nets = importlib.import_module("nets")

FOLDER = ROOT / "cases" / "nets"

# States, steps, most tokens of a marking and of a place, as published in 2025 for the nets
# Philosophers-COL, TokenRing-COL, SharedMemory-COL, DatabaseWithMutex-COL and Peterson-COL.
PUBLISHED = {
    ("philosophers", 5): (243, 945, 10, 1),
    ("philosophers", 10): (59_049, 459_270, 20, 1),
    ("philosophers", 20): (3_486_784_401, 54_238_868_460, 40, 1),
    ("token_ring", 5): (166, 365, 6, 1),
    ("token_ring", 10): (58_905, 294_050, 11, 1),
    ("shared_memory", 5): (1_863, 10_395, 11, 1),
    ("shared_memory", 10): (1_830_519, 19_486_170, 21, 1),
    ("shared_memory", 20): (445_146_141_861, 9_197_362_408_860, 41, 1),
    ("database", 2): (153, 312, 6, 1),
    ("peterson", 2): (20_754, 62_262, 8, 1),
}
FEW = 60_000
"""Markings that are visited one by one."""


def sizes(found):
    return found.states, found.transitions, found.marking, found.place


@pytest.mark.parametrize(("name", "size"), PUBLISHED)
def test_sizes_are_as_published(name, size):
    make, _ = nets.NETS[name]
    net = ground(read_text(make(size).pnml()))
    expected = PUBLISHED[name, size]
    action = action_of(net)
    found = counts(net, action)
    assert sizes(found) == expected
    if found.by == "orbits":
        orbits = net_orbits(action)
        assert (orbits.states, orbits.transitions) == expected[:2]
        assert found.order == action.order > 1
    if expected[0] <= FEW:
        statistics = explore(net, output=NOTHING).statistics
        assert (statistics.states, statistics.transitions) == expected[:2]


@pytest.mark.parametrize("name", nets.NETS)
def test_files_are_as_described(name):
    make, size = nets.NETS[name]
    file = FOLDER / f"{name}.pnml"
    assert file.read_text(encoding="utf-8") == make(size).pnml(), "run `make nets`"
    assert read(str(file)).actions == {transition[0] for transition in make(size).transitions}


def test_generators_are_verified(monkeypatch):
    net = ground(read(str(FOLDER / "philosophers.pnml")))
    points = len(action_of(net).points.names)
    images = [(1, 0, *range(2, points))]
    monkeypatch.setattr(RelationalStructure, "automorphisms", lambda self: (images, 2))
    with pytest.raises(RuntimeError, match="moves other tokens than the images of"):
        action_of(net)


def test_a_diagram_and_orbits_agree(monkeypatch):
    seen = set()
    for name, size in (("database", 2), ("philosophers", 6), ("shared_memory", 4)):
        net = ground(read_text(nets.NETS[name][0](size).pnml()))
        by_orbits = counts(net, action_of(net))
        monkeypatch.setattr(counting, "BY_MARKINGS", (Effort(0, 10**6),))
        by_diagram = counts(net)
        assert sizes(by_orbits) == sizes(by_diagram)
        seen |= {by_orbits.by, by_diagram.by}
        alone = counts(net, replace(action_of(net, ()), order=1))
        assert alone == by_diagram
    assert seen == {"orbits", "diagram"}


IDS = {"t(c0)", "t(c1)"}
NAMED = """<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>
<namedsort id="C" name="C"><finiteenumeration><feconstant id="c0" name="a"/>
<feconstant id="c1" name="NAME"/></finiteenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
</declarations></structure></declaration><place id="p"><type><structure>
<usersort declaration="C"/></structure></type><hlinitialMarking><structure><all>
<usersort declaration="C"/></all></structure></hlinitialMarking></place><transition id="ID"/>
<arc id="in" source="p" target="ID"><hlinscription><structure><variable refvariable="x"/>
</structure></hlinscription></arc></net></pnml>"""


@pytest.mark.parametrize(
    ("name", "shown"), [("b", {"t(a)", "t(b)"}), ("a", IDS), ("b,c", IDS), ("f(b)", IDS)]
)
def test_colour_names_in_labels_are_unambiguous(name, shown):
    net = read_text(NAMED.replace("NAME", name).replace("ID", "t"))
    assert set(explore(ground(net)).lts.labels) == shown


@pytest.mark.parametrize("identifier", ["t(1)", "a|b", "two  words", "a,b"])
def test_identifiers_that_labels_cannot_have_are_refused(identifier):
    with pytest.raises(Unsupported, match="labels begin with identifiers"):
        read_text(NAMED.replace("NAME", "b").replace("ID", identifier))


def test_references_must_be_of_their_kind():
    net = """<pnml><net id="n" type="ptnet"><place id="p"/><transition id="t"/>
    <referencePlace id="r" ref="REF"/></net></pnml>"""
    assert read_text(net.replace("REF", "p")).actions == {"t"}
    for ref in ("t", "nothing"):
        with pytest.raises(SpecificationError, match="in `r`: it refers to no place"):
            read_text(net.replace("REF", ref))


def test_empty_products_are_refused():
    net = NAMED.replace("NAME", "b").replace("ID", "t")
    empty = '<namedsort id="E" name="E"><productsort/></namedsort><variabledecl'
    with pytest.raises(SpecificationError, match="a product of no sorts"):
        read_text(net.replace("<variabledecl", empty))
