"""Conversion of an LTS to and from data types of pandas, networkx and scipy."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from lts.base.lazy import optional
from lts.base.spelling import near
from lts.system.internal_labels import by_name

if TYPE_CHECKING:
    from lts.system.lts import LTS

__all__ = ["from_networkx", "from_pandas", "matrices", "matrix", "to_networkx", "to_pandas"]

_NAMES = "source, label and target"
_TABLE = (
    ("source", int, "whole numbers"),
    ("label", str, "strings"),
    ("target", int, "whole numbers"),
)
"""The columns of a data frame of transitions, with the types of their values."""


def to_pandas(system: LTS) -> Any:
    """Return the transitions as a `pandas.DataFrame`; see `LTS.to_pandas`."""
    pandas = optional("pandas", "this needs")
    labels = pandas.Categorical.from_codes(system.label.astype("int32"), list(system.labels))
    return pandas.DataFrame({"source": system.source, "label": labels, "target": system.target})


def from_pandas(frame: Any, kind: type[LTS], initial: int, state_count: int | None) -> LTS:
    """Return the LTS of a data frame of transitions; see `LTS.from_pandas`."""
    names = getattr(frame, "columns", None)
    if names is None:
        raise TypeError(
            f"a data frame with columns {_NAMES} is expected, not {_shown(frame)}: "
            "pandas.read_csv makes one of a file, and LTS.from_transitions takes triples"
        )
    lists = []
    for name, kind_of_value, what in _TABLE:
        count = list(names).count(name)
        if count != 1:
            has = ", ".join(map(str, names)) or "none"
            raise TypeError(
                f"a data frame with columns {_NAMES} is expected: {count or 'none'} of its "
                f"columns ({has}) {'are' if count > 1 else 'is'} named {name}; "
                "frame.rename(columns={..}) renames some"
            )
        values = frame[name].tolist()
        for number, value in enumerate(values):
            if not isinstance(value, kind_of_value):
                raise TypeError(
                    f"the column {name} must contain {what}, and has {value!r} "
                    f"at position {number} ({frame[name].dtype})"
                )
        lists.append(values)
    transitions = zip(*lists, strict=True)
    return kind.from_transitions(transitions, initial=initial, state_count=state_count)


def to_networkx(system: LTS) -> Any:
    """Return the transitions as a multigraph; see `LTS.to_networkx`."""
    import networkx

    names = system.state_names
    graph: Any = networkx.MultiDiGraph(initial=names[system.initial])
    if {*system.internal} != {*by_name(system.labels)}:
        graph.graph["internal"] = system.internal
    graph.add_nodes_from(names)
    graph.add_edges_from((names[s], names[t], {"label": a}) for s, a, t in system)
    return graph


def from_networkx(graph: Any, kind: type[LTS], label: str, initial: Hashable | None) -> LTS:
    """Return the LTS of a directed graph; see `LTS.from_networkx`."""
    if not getattr(graph, "is_directed", lambda: False)():
        raise TypeError(f"expected a directed graph of networkx, not {_shown(graph)}")
    nodes = list(graph.nodes)
    if not nodes:
        raise ValueError("a graph without nodes is not an LTS, which needs an initial state")
    numbers = {node: number for number, node in enumerate(nodes)}
    is_numbered = False
    if all(type(node) is int for node in nodes) and set(nodes) == set(range(len(nodes))):
        numbers = {node: node for node in nodes}
        is_numbered = True
    if initial is None:
        initial = graph.graph.get("initial", nodes[0])
    if initial not in numbers:
        raise ValueError(f"the initial state {initial!r} is not a node of the graph")
    transitions = []
    for source, target, found in graph.edges(data=label):
        if not isinstance(found, str):
            edge = f"the edge from {source!r} to {target!r}"
            raise TypeError(f"the {label!r} of {edge} must be a string, not {found!r}")
        transitions.append((numbers[source], found, numbers[target]))
    system = kind.from_transitions(transitions, initial=numbers[initial], state_count=len(nodes))
    if not is_numbered:
        system = kind(system._engine, tuple(nodes))
    internal = graph.graph.get("internal")
    return system if internal is None else system.with_internal(internal)


def matrix(system: LTS, label: str | None) -> Any:
    """Return a sparse matrix of the transitions; see `LTS.matrix`."""
    if label is None:
        return _sparse(system, slice(None))
    return _sparse(system, system.label == _number(system, label))


def matrices(system: LTS) -> dict[str, Any]:
    """Return a sparse matrix for each label; see `LTS.matrices`."""
    import numpy as np

    order = np.argsort(system.label, kind="stable")
    offsets = np.cumsum(np.bincount(system.label, minlength=len(system.labels)))
    parts = np.split(order, offsets[:-1])
    return {
        label: _sparse(system, positions)
        for label, positions in zip(system.labels, parts, strict=False)
        if len(positions)
    }


def _sparse(system: LTS, positions: Any) -> Any:
    sparse = optional("scipy.sparse", "this needs")
    import numpy as np

    source, target = system.source[positions], system.target[positions]
    shape = (system.state_count, system.state_count)
    # Duplicates are added, which for Booleans is disjunction.
    return sparse.csr_array((np.ones(len(source), dtype=bool), (source, target)), shape=shape)


def _number(system: LTS, label: str) -> int:
    if not isinstance(label, str):
        raise TypeError(f"a label must be a string, not {_shown(label)}")
    if label not in system.labels:
        raise ValueError(f"no label is `{label}`{near(label, system.labels)}")
    return system.labels.index(label)


def _shown(value: object) -> str:
    return f"an object of {type(value).__name__}"
