"""Networks: systems composed of components by synchronisation vectors.

Start with `network`, which defines networks; `exploration` generates their state spaces. `tree` has
composition expressions, which `vectors` turns into networks, with `parallel`, `priority` and
`interface`. `parser` lets lark parse the notation of CADP's EXP, and `building` builds the tree, by
the reference `language`; `labels` are label patterns, which `matching` matches; `inclusion` inserts
included networks, and `reader` reads the files. `reduction` minimises during composition: `parts`
are merged in an order chosen by `smart`; `runs` turns traces of the result into runs of the
network, and `simulation` walks through single paths. `specification` splits specifications into
networks, and `writer` writes networks to files. `symmetry` finds the group of a network, and
explores its orbits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.network.exploration import compose, explore
    from lts.network.network import Network, Vector
    from lts.network.reader import read, read_text
    from lts.network.reduction import Composers, Reduction, reduce
    from lts.network.simulation import simulate
    from lts.network.specification.split import split
    from lts.network.symmetry.action import NetworkAction, action_of
    from lts.network.symmetry.found import symmetries
    from lts.network.symmetry.orbits import network_orbits, network_quotient
    from lts.network.writer import write

__all__ = [
    "Composers",
    "Network",
    "NetworkAction",
    "Reduction",
    "Vector",
    "action_of",
    "compose",
    "explore",
    "network_orbits",
    "network_quotient",
    "read",
    "read_text",
    "reduce",
    "simulate",
    "split",
    "symmetries",
    "write",
]

_HOME = {
    "Network": "lts.network.network",
    "Vector": "lts.network.network",
    "NetworkAction": "lts.network.symmetry.action",
    "action_of": "lts.network.symmetry.action",
    "network_orbits": "lts.network.symmetry.orbits",
    "network_quotient": "lts.network.symmetry.orbits",
    "Composers": "lts.network.reduction",
    "Reduction": "lts.network.reduction",
    "compose": "lts.network.exploration",
    "explore": "lts.network.exploration",
    "read": "lts.network.reader",
    "read_text": "lts.network.reader",
    "reduce": "lts.network.reduction",
    "simulate": "lts.network.simulation",
    "split": "lts.network.specification.split",
    "symmetries": "lts.network.symmetry.found",
    "write": "lts.network.writer",
}

__getattr__ = loader("lts.network", _HOME)


def __dir__() -> list[str]:
    return __all__
