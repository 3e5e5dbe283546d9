"""The verbs of the command line as functions, of all that a command reads.

A system is an `LTS`, the name of a file, the text of a specification, or a description that was
read: a specification, its linear process, a network or a net. State spaces are generated where a
verb needs them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Never, TypeAlias, overload

from lts.base.bounds import CHOICES, PAIRS
from lts.errors import LtsError
from lts.formats.names import kind_of_file
from lts.source import Described, described, is_described, is_text, network_of, source_of
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lts.drawing.notebook import Picture
    from lts.equivalence.comparison import Comparison
    from lts.logic.check import Verdict
    from lts.logic.networks import NetworkVerdict
    from lts.logic.processes import ProcessVerdict
    from lts.network.network import Network
    from lts.network.symmetry.found import NetworkSymmetries
    from lts.petri.net import Net
    from lts.petri.symmetry import NetAction
    from lts.specification.specification import Specification
    from lts.state_space.settings import Settings
    from lts.symmetry.data.find.search import Found
    from lts.symmetry.labels.detection import Detection
    from lts.symmetry.permutation.notation import Permutation
    from lts.web.notebook import Page

__all__ = [
    "System", "bisimilar", "check", "classes", "compare", "compose", "determinise", "draw",
    "find_symmetry", "generate", "minimise", "minimize", "view",
]  # fmt: skip

System: TypeAlias = "LTS | str | os.PathLike[str] | Specification | Described | Net"
"""All that a verb takes."""


def generate(
    file: System,
    /,
    *,
    max_states: int | None = None,
    threads: int = 1,
    include_path: Iterable[str | os.PathLike[str]] = (),
    **parameters: int,
) -> LTS:
    """Return the state space of a specification (.mcrl, .mcrl2, .lps), a network (.exp) or a Petri
    net (.pnml, also .pnml.gz): the name of a file, the text of a specification, or what was read.

    `parameters` are values for parameters that the specification declares, as in
    `generate("cases/peterson.mcrl", N=3)`; in mCRL2 these are constants that an equation defines as
    a number. Texts that it includes must be below its folder or one of `include_path`. States are
    numbered breadth first. `lts.mucrl`, `lts.mcrl2` and `lts.network` offer further options.

    Raises `ParseError`, `SpecificationError` and `Unsupported` with the place in the text,
    `LimitReached` for more than `max_states` states, `OSError` if the file cannot be read.

    >>> generate("act a, b; init a . b . delta;")
    <LTS: 3 states, 2 transitions>
    """
    from lts.state_space.settings import Limits, Settings

    settings = Settings(limits=Limits(states=max_states), threads=threads)
    if isinstance(file, str | os.PathLike):
        found = described(
            file,
            parameters=parameters,
            include_path=include_path,
            settings=settings,
            simultaneous=True,
        )
        return source_of(found).generate(settings)
    if parameters or include_path:
        raise LtsError("parameters and folders of included texts apply to a file that is read")
    if isinstance(file, LTS):
        raise TypeError(
            "an LTS is a state space already: a specification, network or net is expected"
        )
    return _generated(_described(file, simultaneous=True), settings)


def compose(
    network: str | os.PathLike[str] | Network,
    /,
    *unnamed: Never,
    reduce: str | None = None,
    max_states: int | None = None,
    threads: int = 1,
    include_path: Iterable[str | os.PathLike[str]] = (),
    **components: System,
) -> LTS:
    """Return the LTS of a network: the name of a file (.exp), a text in its notation, or what was
    read.

    The text names its components; those that are not passed by their names as `components` are
    files. Components that are passed keep their internal labels; those of a file are `tau` and the
    hidden label of the reference language. A component whose name is that of an argument, such as
    `reduce`, or a keyword of Python can only be passed by `lts.network.read_text`, as `load`.
    With `reduce`, an equivalence of `lts.network.reduction.CONGRUENCES`, the network is minimised
    while it is composed. `lts.network` offers further options, and networks that are built of
    vectors.

    Raises `ParseError` and `LtsError` with the place in the text, `LimitReached` for more than
    `max_states` states, `TypeError` for components that are passed without their names.

    >>> machine = LTS.from_transitions([(0, "coin", 1), (1, "coffee", 0)])
    >>> user = LTS.from_transitions([(0, "coin", 1), (1, "work", 0)])
    >>> compose("machine |[coin]| user", machine=machine, user=user)
    <LTS: 4 states, 5 transitions>
    """
    from lts.network.network import Network
    from lts.network.reduction import reduce as reduced
    from lts.state_space.settings import Limits, Settings

    if unnamed or isinstance(network, LTS):
        raise TypeError(
            "components are passed by the names that a text gives them, as in "
            'compose("one ||| two", one=.., two=..)'
        )
    settings = Settings(limits=Limits(states=max_states), threads=threads)
    if isinstance(network, str | os.PathLike):
        given = {name: system_of(component) for name, component in components.items()}
        how: dict[str, Any] = {"include_path": include_path, "settings": settings}
        found = network_of(network, components=given, **how)
    elif not isinstance(network, Network):
        raise TypeError(
            "the name of a network (.exp), its text, or a network that was read is expected, not "
            f"an object of {type(network).__name__}"
        )
    elif components or include_path:
        raise LtsError("components and folders of included texts apply to a network that is read")
    else:
        found = network
    if reduce is None:
        return _generated(found, settings)
    return reduced(found, reduce, limits=settings.limits, threads=threads).lts


@overload
def check(
    system: LTS,
    formula: str,
    *,
    fair: str | None = None,
    max_positions: int | None = None,
    file: str = "formula",
) -> Verdict: ...
@overload
def check(
    system: System,
    formula: str,
    *,
    fair: str | None = None,
    max_positions: int | None = None,
    file: str = "formula",
) -> Verdict | ProcessVerdict | NetworkVerdict: ...
def check(
    system: System,
    formula: str,
    *,
    fair: str | None = None,
    max_positions: int | None = None,
    file: str = "formula",
) -> Verdict | ProcessVerdict | NetworkVerdict:
    """Check a formula, or a property of `lts.logic.PROPERTIES`, in the initial state.

    Of a specification or net, only the states that the formula needs are explored; a network is
    minimised while it is composed. `lts.logic.check_process` and `check_network` have further
    options. `fair` is a path formula: `A` and `E` then range over the paths that satisfy it. `file`
    is the name of the formula in errors. Raises `ParseError` for a malformed formula, `LtsError` if
    no path satisfies `fair` or it names what no label is, and `LimitReached` if there are more than
    `max_positions` pairs of a subformula and a state.

    >>> check("act a, b; proc P = a . b . P; init P;", "[true*]<true>true").holds
    True
    """
    from lts.logic.check import check as check_lts
    from lts.logic.check import is_deterministic
    from lts.network.network import Network
    from lts.petri.grounding import GroundNet
    from lts.state_space.settings import Limits, Settings
    from lts.text.source import Source

    most = PAIRS.default if max_positions is None else max_positions
    found = _read(system, simultaneous=True)
    if isinstance(found, Network) and max_positions is None:
        from lts.errors import Unsupported
        from lts.logic.networks import check_network

        try:
            return check_network(found, formula, fair=fair, file=file)
        except Unsupported:
            pass  # a formula about states or their data needs the whole system
    settings = Settings(limits=Limits(positions=most))
    if isinstance(found, GroundNet):
        from lts.petri.checking import check_net, is_about_some

        if is_about_some(formula, fair):
            return check_net(found, Source(formula, file), settings, fair=fair)
    process = None if isinstance(found, LTS) else source_of(found).process
    if process is None or is_deterministic(formula, fair):
        whole = found if isinstance(found, LTS) else _generated(found)
        return check_lts(whole, formula, fair=fair, max_positions=most, file=file)
    from lts.logic.processes import check_process

    return check_process(process, Source(formula, file), fair=fair, settings=settings)


def compare(
    left: System, right: System, equivalence: str, *, max_states: int | None = None
) -> Comparison:
    """Compare the initial states of two systems modulo an equivalence, with evidence.

    The equivalence is a name of `lts.equivalence.COMPARED`, such as strong, branching, weak or
    trace; see `lts.equivalence.compare`.

    >>> compare("act a; init a . delta;", "act a; init a . delta + a . delta;", "strong").holds
    True
    """
    from lts.equivalence.comparison import compare

    return compare(system_of(left), system_of(right), equivalence, max_states=max_states)


def minimise(
    system: System,
    equivalence: str,
    *,
    keep_unreachable: bool = False,
    max_states: int | None = None,
    strong: Iterable[str] = (),
) -> LTS:
    """Return the smallest LTS equivalent to a system; see `lts.equivalence.minimise`.

    The equivalence is a name of `lts.equivalence.EQUIVALENCES`, such as strong, branching, weak or
    weak-trace.

    >>> minimise("act a; proc P = a . a . P; init P;", "strong").state_count
    1
    """
    from lts.equivalence.minimisation import minimise

    return minimise(
        system_of(system),
        equivalence,
        keep_unreachable=keep_unreachable,
        max_states=max_states,
        strong=strong,
    )


minimize = minimise


def determinise(system: System, *, max_states: int | None = None) -> LTS:
    """Return the smallest deterministic LTS with the same weak traces as a system.

    Raises `LimitReached` for more than `max_states` sets of states.

    >>> determinise("act a, b; init a . a . delta + a . b . delta;")
    <LTS: 3 states, 3 transitions>
    """
    return minimise(system, "weak-trace", max_states=max_states)


def classes(system: System, equivalence: str) -> npt.NDArray[np.uint32]:
    """Return for each state of a system the state of `minimise` that it belongs to, or `DROPPED` if
    it is unreachable; see `lts.equivalence.classes`.

    >>> classes(LTS.from_transitions([(0, "a", 1), (1, "a", 2), (2, "a", 1)]), "strong").tolist()
    [0, 0, 0]
    """
    from lts.equivalence.minimisation import classes

    return classes(system_of(system), equivalence)


def bisimilar(left: System, right: System, /, equivalence: str = "strong") -> bool:
    """Return whether two systems are equivalent, by default strongly bisimilar.

    >>> bisimilar("act a; init a . a . delta;", "act a; proc P = a . P; init P;")
    False
    """
    from lts.equivalence.comparison import equivalent

    return equivalent(system_of(left), system_of(right), equivalence)


@overload
def find_symmetry(
    system: LTS,
    equivalence: str | None = None,
    *,
    any_labels: bool = False,
    node_limit: int | None = None,
) -> Detection: ...
@overload
def find_symmetry(
    system: System,
    equivalence: str | None = None,
    *,
    any_labels: bool = False,
    node_limit: int | None = None,
) -> Detection | Found | NetworkSymmetries | NetAction: ...
def find_symmetry(
    system: System,
    equivalence: str | None = None,
    *,
    any_labels: bool = False,
    node_limit: int | None = None,
) -> Detection | Found | NetworkSymmetries | NetAction:
    """Return all label permutations under which an LTS is symmetric modulo a bisimulation (by
    default strong), or the symmetries of a specification, a network or a net that its text proves.

    Every result has an `order`. The other arguments apply to an LTS, and `any_labels` to a network:
    see `lts.symmetry.find_symmetry`, `find_in_specification`,
    `lts.network.symmetries` and `lts.petri.action_of`.

    >>> text = "sort D = struct d1 | d2; act c: D; proc P = sum d: D. c(d) . P; init P;"
    >>> find_symmetry(text).order
    2
    """
    found = _read(system)
    if isinstance(found, LTS):
        from lts.symmetry.labels.detection import find_symmetry

        return find_symmetry(
            found,
            "strong" if equivalence is None else equivalence,
            any_labels=any_labels,
            node_limit=CHOICES.default if node_limit is None else node_limit,
        )
    source = source_of(found)
    if equivalence is not None or node_limit is not None:
        raise LtsError(f"equivalence and node_limit apply to an LTS, not to {source.title}")
    return source.symmetries(any_labels=any_labels)


def draw(
    system: System,
    permutations: Permutation | Sequence[Permutation] | None = None,
    *,
    layout: str = "automatic",
    max_states: int | None = None,
) -> Picture:
    """Return the picture of `ltstool draw`: a small system, coloured by the orbits of its
    symmetries.

    With `permutations` of its labels, their reduction is drawn beside it. `layout` is `layers`,
    `band`, `cone`, `circle` or `force`, by default the one that is easiest to read. Raises
    `NotSymmetric` for a permutation that is no symmetry, `LtsError` for an unknown layout, and for
    more than `max_states` states.

    >>> draw("act a; init a . delta;")
    <Picture: 2 states, 1 transition>
    """
    from lts.drawing.notebook import draw

    return draw(system_of(system), permutations, layout=layout, max_states=max_states)


def view(
    system: System,
    other: System | None = None,
    *,
    equivalence: str | None = None,
    title: str = "",
    max_states: int | None = None,
) -> Page:
    """Return the page of `ltstool view` for a system, or for two beside each other.

    With an `equivalence`, the classes of a system are coloured, and a difference between two is
    highlighted. Raises `LimitReached` for more than `max_states` states.

    >>> view(LTS.from_transitions([(0, "a", 1)]), title="one step").title
    'one step'
    """
    from lts.web.limits import MAX_STATES
    from lts.web.notebook import view

    most = MAX_STATES if max_states is None else max_states
    second = None if other is None else system_of(other)
    return view(system_of(system), second, equivalence=equivalence, title=title, max_states=most)


def system_of(given: System) -> LTS:
    """Return the LTS that was given, read from a file, or generated."""
    found = _read(given, simultaneous=True)
    return found if isinstance(found, LTS) else _generated(found)


def _generated(description: Described, settings: Settings | None = None) -> LTS:
    from lts.state_space.settings import DEFAULT

    return source_of(description).generate(DEFAULT if settings is None else settings)


def _read(given: System, *, simultaneous: bool = False) -> LTS | Described:
    """Read a file or text, or take a system as it is, and linearise a specification.

    `simultaneous` is as for `linearise`, where only the states are explored.
    """
    if isinstance(given, LTS):
        return given
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        if not is_text(path) and (kind := kind_of_file(path)) in ("an LTS", None):
            from lts.formats.files import read

            if kind is None and isinstance(given, str) and not os.path.exists(path):
                what = "no such file, nor the text of a specification, which has an `init`"
                raise FileNotFoundError(errno.ENOENT, what, path)
            return read(path)
        return described(given, simultaneous=simultaneous)
    return _described(given, "an LTS, ", simultaneous=simultaneous)


def _described(given: object, more: str = "", *, simultaneous: bool = False) -> Described:
    """Return what was read, as a description from which states can be explored.

    `more` is what else the caller takes, for messages.
    """
    from lts.specification.specification import Specification

    if isinstance(given, Specification):
        from lts.linear.linearise import linearise

        return linearise(given, simultaneous=simultaneous)
    if is_described(given):
        return given
    from lts.petri.grounding import ground
    from lts.petri.net import Net

    if isinstance(given, Net):
        return ground(given)
    kind = type(given).__name__
    raise TypeError(
        f"{more}a specification, a network, a net, the name of a file or a text is expected, not "
        f"an object of {kind}"
    )
