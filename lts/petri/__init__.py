"""Petri nets: place/transition nets and symmetric nets in PNML (ISO/IEC 15909).

Read `net.py` first, then `pnml.py`, which reads files, with `declarations.py`, `terms.py`,
`markings.py` and `arcs.py`; `elements.py` reads their XML. `grounding.py` replaces variables by
colours, `unfolding.py` writes the result, and `process.py` passes it to the engine. `symmetry.py`
finds and proves symmetries, `automorphisms.py` those of nets without colours.
`exploration.py` and `simulation.py` visit markings, `counting.py` has the sizes of state spaces,
and `unbounded.py` unbounded places. `properties.py` reads the properties of the Model Checking
Contest, and `answering.py` answers them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.petri.answering import answers
    from lts.petri.counting import Counts, counts
    from lts.petri.exploration import explore, generate, net_orbits, net_quotient
    from lts.petri.grounding import GroundNet, ground
    from lts.petri.net import Net
    from lts.petri.pnml import read, read_text
    from lts.petri.properties import global_property, read_properties
    from lts.petri.simulation import simulate
    from lts.petri.symmetry import NetAction, action_of
    from lts.petri.unfolding import unfolded

__all__ = [
    "Counts",
    "GroundNet",
    "Net",
    "NetAction",
    "action_of",
    "answers",
    "counts",
    "explore",
    "generate",
    "global_property",
    "ground",
    "net_orbits",
    "net_quotient",
    "read",
    "read_properties",
    "read_text",
    "simulate",
    "unfolded",
]

_HOME = {
    "Counts": "lts.petri.counting",
    "GroundNet": "lts.petri.grounding",
    "Net": "lts.petri.net",
    "NetAction": "lts.petri.symmetry",
    "action_of": "lts.petri.symmetry",
    "answers": "lts.petri.answering",
    "counts": "lts.petri.counting",
    "explore": "lts.petri.exploration",
    "generate": "lts.petri.exploration",
    "global_property": "lts.petri.properties",
    "ground": "lts.petri.grounding",
    "net_orbits": "lts.petri.exploration",
    "net_quotient": "lts.petri.exploration",
    "read": "lts.petri.pnml",
    "read_properties": "lts.petri.properties",
    "read_text": "lts.petri.pnml",
    "simulate": "lts.petri.simulation",
    "unfolded": "lts.petri.unfolding",
}

__getattr__ = loader("lts.petri", _HOME)


def __dir__() -> list[str]:
    return __all__
