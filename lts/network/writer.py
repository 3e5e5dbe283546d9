"""Writes networks to files: components in the Aldebaran format, vectors in EXP notation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lts.base.escaping import quoted
from lts.errors import LtsError, Unsupported
from lts.network.network import TAU, Network
from lts.system.internal_labels import with_tau
from lts.system.lts import LTS

__all__ = ["component_files", "write"]


def component_files(path: str | os.PathLike[str], count: int) -> tuple[str, ...]:
    """Return the file names of a number of components: `net.1.aut` and so on for `net.exp`."""
    file = Path(path)
    return tuple(str(file.with_name(f"{file.stem}.{n}.aut")) for n in range(1, count + 1))


def write(network: Network, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write a network to an .exp file, with its components beside it; return all file names.

    Reading it gives the same vectors. Raises `LtsError` for a name that does not end in `.exp`, or
    a network without components, and `Unsupported` for labels with a line break, which the notation
    cannot express.
    """
    import aut_format
    from aut_format.output import together, writing

    file = os.fspath(path)
    if not file.lower().endswith(".exp"):
        raise LtsError(f"`{file}`: the name of a network must end in `.exp`")
    if not network.components:
        raise LtsError("a network without components cannot be written")
    names = component_files(file, len(network.components))
    text = "".join(f"{line}\n" for line in _lines(network, names))
    with together():
        for name, system in zip(names, network.components, strict=True):
            aut_format.write(system if {*system.internal} <= {TAU} else with_tau(system), name)
        with writing(file) as out:
            out.write(text.encode("utf-8", "surrogateescape"))
    return (*names, file)


def _lines(network: Network, files: tuple[str, ...]) -> Iterator[str]:
    for name, file in zip(network.names, files, strict=True):
        shown = " ".join(name.split())
        yield f"-- {os.path.basename(file)}: {shown}"
    operands = "\n  || ".join(_quoted(os.path.basename(file)) for file in files)
    vectors = []
    for moves, result in network.vectors:
        own = dict(moves)
        if result == TAU and len(own) == 1 and _is_internal(network.components, moves[0]):
            continue
        words = [
            _quoted(system.labels[own[n]]) if n in own else "_"
            for n, system in enumerate(network.components)
        ]
        vectors.append(f"  {' * '.join(words)} -> {_quoted(result)}")
    # With mcrl only `tau` is hidden and no label means termination, as in networks here.
    yield "mcrl behaviour"
    if vectors:
        yield from ("label par using", ",\n".join(vectors), "in", f"  {operands}", "end par")
    else:
        yield from ('total cut ".*" in par', f"  {operands}", "end par end cut")


def _is_internal(components: tuple[LTS, ...], move: tuple[int, int]) -> bool:
    component, label = move
    return components[component].labels[label] in components[component].internal


def _quoted(label: str) -> str:
    if "\n" in label:
        raise Unsupported(f"the label {label!r} cannot be written in the notation of networks")
    return quoted(label)
