"""Generation of the state space of a specification, network or net file in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lts.errors import LtsError
from lts.formats.names import SPECIFICATIONS, kind_by_name
from lts.system import LTS

__all__ = ["generate"]


def generate(
    file: str | os.PathLike[str],
    /,
    *,
    max_states: int | None = None,
    threads: int = 1,
    include_path: Iterable[str | os.PathLike[str]] = (),
    **parameters: int,
) -> LTS:
    """Return the state space of a specification (.mcrl, .mcrl2, .lps), a network (.exp) or a Petri
    net (.pnml, also .pnml.gz).

    `parameters` are values for parameters that the specification declares, as in
    `generate("cases/peterson.mcrl", N=3)`; in mCRL2 these are constants that an equation defines as
    a number. Texts that it includes must be below its folder or one of `include_path`. States are
    numbered breadth first. `lts.mucrl`, `lts.mcrl2` and `lts.network` offer further options.

    Raises `ParseError`, `SpecificationError` and `Unsupported` with the place in the text,
    `LimitReached` for more than `max_states` states, `OSError` if the file cannot be read.
    """
    if not isinstance(file, str | os.PathLike):
        kind = type(file).__name__
        raise TypeError(
            f"the path of a specification is expected, not {kind}; `lts.mucrl.generate` takes "
            "specifications that were read"
        )
    for name, value in parameters.items():
        if type(value) is not int:
            kind = type(value).__name__
            raise TypeError(f"the parameter {name} must be an integer, not a {kind}")
    path = os.fspath(file)
    source = kind_by_name(path)
    end = ".pnml" if source == "a net" else os.path.splitext(path)[1].lower()
    if end not in SPECIFICATIONS:
        known = ", ".join(SPECIFICATIONS)
        hint = "; `lts.read` reads the file of an LTS" if end != "" else ""
        raise LtsError(
            f"`{path}`: the name of a specification, network or net must end in {known}{hint}"
        )
    if parameters and end in (".exp", ".pnml"):
        raise LtsError(f"{source} has no parameters, as {', '.join(parameters)}")
    if end == ".pnml":
        from lts import petri

        return petri.generate(petri.read(path), max_states=max_states, threads=threads)
    if end == ".exp":
        from lts import network
        from lts.state_space.settings import Limits

        def compose(part: network.Network) -> LTS:
            return network.compose(part, max_states=max_states, threads=threads)

        def reduce(part: network.Network, equivalence: str) -> network.Reduction:
            limits = Limits(states=max_states)
            return network.reduce(part, equivalence, limits=limits, threads=threads)

        composers = network.Composers(compose, compose, reduce)
        return compose(network.read(path, composers=composers, include_path=include_path))
    from lts import mcrl2, mucrl
    from lts.state_space.generation import generate as generate_states

    if end in (".mcrl2", ".lps"):
        specification = mcrl2.read(path, parameters=parameters)
    else:
        specification = mucrl.read(path, parameters=parameters, include_path=include_path)
    return generate_states(specification, max_states=max_states, threads=threads)
