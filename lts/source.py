"""The interface of all descriptions whose states can be explored: linear processes, networks and
nets.

`source_of` gives a description the interface `Source`; a new kind of description adds a class with
it in a room of its own, and a line to `_CLASSES`. `described` reads a file by its name, or a text.
Each class is loaded with the first description of its kind, so that a command loads no room that it
does not need.
"""

from __future__ import annotations

import importlib
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeGuard

from lts.errors import LtsError, ParseError
from lts.formats.names import SPECIFICATIONS, kind_by_name, kind_of_file

if TYPE_CHECKING:
    import lts._engine as _engine
    from lts.linear.process import LinearProcess
    from lts.network.network import Network
    from lts.network.symmetry.found import NetworkSymmetries
    from lts.petri.grounding import GroundNet
    from lts.petri.symmetry import NetAction
    from lts.simulation import Simulation
    from lts.state_space.generation import Generation, Output
    from lts.state_space.settings import Goals, Limits, Settings
    from lts.symmetry.data.find.search import Found
    from lts.system.lts import LTS

__all__ = [
    "Described", "Source", "described", "is_described", "is_mcrl2", "is_text", "network_of",
    "source_of",
]  # fmt: skip

Described: TypeAlias = "LinearProcess | Network | GroundNet"
"""A description of a system whose states can be explored."""

_CLASSES = {
    "lts.linear.process.LinearProcess": ("lts.state_space.source", "ProcessSource"),
    "lts.network.network.Network": ("lts.network.source", "NetworkSource"),
    "lts.petri.grounding.GroundNet": ("lts.petri.source", "NetSource"),
}
"""For each kind of description the module and the name of its class; nothing is imported to ask."""


_OF_A_TEXT = "the text of a specification has an `init`"


class Source(ABC):
    """A description, with the operations that commands need of each kind."""

    title: ClassVar[str]
    """The kind of the description, for messages."""
    has_values: ClassVar[bool] = False
    """Whether values can be checked during the exploration (`Settings.check`)."""

    @property
    def process(self) -> LinearProcess | None:
        """The linear process, if it is one."""
        return None

    @property
    @abstractmethod
    def actions(self) -> Collection[str]:
        """The names of all actions."""

    @abstractmethod
    def explore(self, settings: Settings, goals: Goals, output: Output) -> Generation:
        """Explore all states, as `lts.state_space.explore` does."""

    @abstractmethod
    def simulate(self, max_values: int) -> Simulation:
        """Return a simulation; sums have at most `max_values` values."""

    @abstractmethod
    def in_partitions(
        self, *, check: bool, groups: Sequence[Sequence[int]] = ()
    ) -> _engine.Process:
        """Return the process in the engine, for partitions, which exchange states as terms.

        `groups` are the numbers of the summands that are compared together; those of networks and
        nets are compared each by itself.
        """

    @abstractmethod
    def errors(self, limits: Limits) -> AbstractContextManager[None]:
        """Turn exceptions of the engine into errors for the user."""

    @abstractmethod
    def fingerprint(self) -> dict[str, Any]:
        """Return data that identify the system, to recognise it when a run is resumed."""

    @abstractmethod
    def symmetries(self, *, any_labels: bool) -> Found | NetworkSymmetries | NetAction:
        """Return the symmetries that the description proves; with `any_labels` those of a network
        may map actions to others."""

    def generate(self, settings: Settings) -> LTS:
        """Return the whole state space; raise at a limit, with the sizes found."""
        from lts.state_space.generation import COLUMNS, whole
        from lts.state_space.settings import NO_GOALS

        return whole(self.explore(settings, NO_GOALS, COLUMNS), settings, self.process)


def is_described(given: object) -> TypeGuard[Described]:
    """Whether an object is a description."""
    return _kind_of(given) in _CLASSES


def _kind_of(given: object) -> str:
    return f"{type(given).__module__}.{type(given).__qualname__}"


def source_of(description: Described) -> Source:
    """Return the interface of a description."""
    module, name = _CLASSES[_kind_of(description)]
    found: Source = getattr(importlib.import_module(module), name)(description)
    return found


def described(
    given: str | os.PathLike[str],
    *,
    parameters: Mapping[str, int] | None = None,
    include_path: Iterable[str | os.PathLike[str]] = (),
    settings: Settings | None = None,
    simultaneous: bool = False,
) -> Described:
    """Return the description in a file with a suffix of `SPECIFICATIONS`, or in a text.

    A text is muCRL, or mCRL2 if it has a semicolon; the name of a file has no line ends.
    `settings` apply to parts of networks whose state spaces are generated, and `simultaneous` to
    specifications of mCRL2, as for `linearise`.
    """
    parameters = dict(parameters or {})
    for name, value in parameters.items():
        if type(value) is not int:
            raise TypeError(
                f"the parameter {name} must be an integer, not a {type(value).__name__}"
            )
    if isinstance(given, str) and is_text(given):
        return _of_text(given, parameters, include_path, simultaneous)
    path = os.fspath(given)
    kind = kind_of_file(path)
    if kind not in SPECIFICATIONS.values():
        known = ", ".join(SPECIFICATIONS)
        is_lts = kind == "an LTS" or (os.path.splitext(path)[1] and os.path.exists(path))
        hint = "`lts.read` reads the file of an LTS" if is_lts else _OF_A_TEXT
        raise LtsError(
            f"`{path}`: the name of a specification, network or net must end in {known}; {hint}"
        )
    if kind != "a specification" and parameters:
        raise LtsError(f"{kind} has no parameters, as {', '.join(parameters)}")
    include_path = tuple(include_path)
    of_mcrl2 = os.path.splitext(path)[1].lower() in (".mcrl2", ".lps")
    if include_path and (of_mcrl2 or kind == "a net"):
        raise LtsError(
            "include_path applies only to muCRL and networks: no other text includes any"
        )
    if kind == "a net":
        from lts import petri

        return petri.ground(petri.read(path))
    if kind == "a network":
        return network_of(path, include_path=include_path, settings=settings)
    from lts import mcrl2, mucrl
    from lts.linear.linearise import linearise

    if of_mcrl2:
        return linearise(mcrl2.read(path, parameters=parameters), simultaneous=simultaneous)
    return linearise(mucrl.read(path, parameters=parameters, include_path=include_path))


def is_text(given: str) -> bool:
    """Whether a string is the text of a specification, and not the name of a file.

    >>> is_text("act a; init a;"), is_text("init.mcrl2"), is_text("my init file.mcrl")
    (True, False, False)
    """
    return "\n" in given or (
        kind_by_name(given) is None and re.search(r"(^|[\s;])init\s", given) is not None
    )


def is_mcrl2(text: str) -> bool:
    """Whether the text of a specification is mCRL2 and not muCRL: only mCRL2 has semicolons."""
    return ";" in re.sub("%.*", "", text)


def _of_text(
    text: str,
    parameters: Mapping[str, int],
    include_path: Iterable[str | os.PathLike[str]],
    simultaneous: bool,
) -> LinearProcess:
    from lts import mcrl2, mucrl
    from lts.linear.linearise import linearise

    include_path = tuple(include_path)
    if is_mcrl2(text):
        if include_path:
            raise LtsError("include_path applies only to muCRL: mCRL2 has no inclusion")
        specification = mcrl2.read_text(text, parameters=parameters)
        return linearise(specification, simultaneous=simultaneous)
    return linearise(mucrl.read_text(text, parameters=parameters, include_path=include_path))


def network_of(
    given: str | os.PathLike[str],
    *,
    include_path: Iterable[str | os.PathLike[str]] = (),
    settings: Settings | None = None,
    components: Mapping[str, LTS] | None = None,
) -> Network:
    """Return the network in a file, or in a text in the notation of EXP, with `components` by the
    names in it.

    A string with a line end or `|` is a text, and any other that ends in .exp the name of a file;
    if it has blanks and there is no such file, it is read as a text, too. `settings` apply to parts
    whose state spaces are generated.
    """
    from lts import network
    from lts.state_space.settings import DEFAULT

    chosen = DEFAULT if settings is None else settings

    def compose(part: Network) -> LTS:
        return source_of(part).generate(chosen)

    def reduce(part: Network, equivalence: str) -> network.Reduction:
        return network.reduce(part, equivalence, limits=chosen.limits, threads=chosen.threads)

    composers = network.Composers(compose, compose, reduce)
    is_file = not isinstance(given, str) or (
        kind_by_name(given) == "a network" and not re.search(r"[\n|]", given)
    )
    if is_file and (kind := kind_by_name(os.fspath(given))) not in ("a network", None):
        raise LtsError(f"`{os.fspath(given)}` is {kind}, not a network (.exp)")
    is_either = is_file and isinstance(given, str) and re.search(r"\s", given) is not None
    is_file = is_file and not (is_either and not os.path.exists(given))
    read: Callable[..., Network] = network.read if is_file else network.read_text
    try:
        return read(given, composers=composers, include_path=include_path, load=components)
    except ParseError as error:
        if is_either and not is_file:
            error.message += f"; there is no file `{given}`, so this was read as a text"
        raise
