"""Petri nets: place/transition nets and symmetric nets in PNML (ISO/IEC 15909).

Read `net.py` first, then `pnml.py`, which reads files, `ground.py`, which replaces variables by
colours, `process.py`, which passes nets to the engine, and `symmetry.py`. `exploration.py` explores
markings or orbits. `properties.py` reads formulas of the Model Checking Contest, and `answering.py`
answers them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.lazy import loader

if TYPE_CHECKING:
    from lts.petri.answering import answers
    from lts.petri.pnml import read
    from lts.petri.properties import read_properties

__all__ = ["answers", "read", "read_properties"]

_HOME = {
    "answers": "lts.petri.answering",
    "read": "lts.petri.pnml",
    "read_properties": "lts.petri.properties",
}

__getattr__ = loader("lts.petri", _HOME)


def __dir__() -> list[str]:
    return __all__
