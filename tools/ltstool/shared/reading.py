"""Systems that commands read: files of LTSs, reductions among them, and the state spaces of
specifications and networks."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError, SpecificationError
from lts.names import label_text
from lts.system import LTS, unmatched
from lts.text.report import SHOWN
from ltstool.shared.files import also_read, is_standard, read_lts, shown, standard_input, text_of
from ltstool.shared.originals import original, refuse_reduction
from ltstool.table import ALL, NETWORK, SPECIFICATION, SPECIFICATIONS

if TYPE_CHECKING:
    from lts._engine import Quotient
    from lts.linear.process import LinearProcess
    from lts.network import Network, Reduction
    from lts.specification.specification import Specification
    from lts.state_space import Goals, Internal, Output, Settings
    from lts.state_space.generation import Generation
    from lts.symmetry import Symmetry
    from ltstool.request import Request

    Source = LinearProcess | Network
    """What an LTS is generated of."""


def read_specification(request: Request, file: str | None) -> Specification:
    """Read a specification, as the options of `table.Text` say; remark on it."""
    from ltstool.shared.identities import identities_of

    name = shown(file)
    text = standard_input() if file is None or is_standard(file) else None
    options: dict[str, Any] = {
        "parameters": dict(request.text.parameters),
        "strict": request.text.strict,
    }
    if (request.text.language or _language(name, text)) == "mcrl2":
        from lts import mcrl2

        text = mcrl2.text_of(name) if text is None else text
        options["identities"] = identities_of(request.group, text, name)
        options["ignores_time"] = request.text.ignore_time
        specification = mcrl2.read_text(text, file=name, **options)
    else:
        from lts import mucrl

        if request.group.identities is not None:
            raise LtsError(
                "--identities is for mCRL2: in muCRL identities have a sort of their own"
            )
        if request.text.ignore_time:
            raise LtsError("--ignore-time is for mCRL2: there is no time in muCRL")
        if text is not None:
            specification = mucrl.read_text(text, file=name, **options)
        else:
            specification = mucrl.read(name, **options)
    also_read(request, specification.source.files)
    for text in specification.remarks:
        request.remark(text)
    return specification


def _language(name: str, text: str | None) -> str:
    """Return the language of a specification: by its name, or else as its text is. What ends
    declarations in mCRL2 is no part of muCRL."""
    suffix = Path(name).suffix.lower()
    if suffix in (".mcrl2", ".lps"):
        return "mcrl2"
    if text is None:
        if suffix in (".mcrl", ".mucrl") or not os.path.isfile(name):
            return "mucrl"
        text = text_of(name)
    from lts.mcrl2.binary.source import is_binary

    is_mcrl2 = is_binary(text) or ";" in re.sub("%.*", "", text)
    return "mcrl2" if is_mcrl2 else "mucrl"


def simplifications(request: Request) -> list[str]:
    """Return the simplifications that are to be done."""
    from lts.linear.simplify import SIMPLIFICATIONS

    return [kind for kind in SIMPLIFICATIONS if kind not in request.text.no_simplify]


def linear_process(request: Request, file: str | None) -> LinearProcess:
    """Return the linear process of a specification that is read as the options say."""
    from lts.linear.linearise import linearise

    specification = read_specification(request, file)
    return linearise(specification, simplifications=simplifications(request))


def read_network(request: Request, file: str | None, *, minimising: bool = False) -> Network:
    """Read a network; from standard input, its components in the folder where one works.

    What is internal in components is what the text says, or `--tau` of `compose`; the `--tau` of
    other commands is about what comes out. What in the text does nothing is told, and with
    `--strict` refused. Parts that have priorities are composed, or, if `minimising`, minimised
    modulo strong bisimulation, which is a congruence for priorities.
    """
    from lts import network

    of_component = replace(request, takes=replace(request.takes, reads=ALL))
    specifications = []

    def component(path: str) -> LTS:
        also_read(request, [path])
        if of_component.kind(path) == SPECIFICATION:
            specifications.append(path)
        return read_as_it_is(of_component, path)

    def whole(part: Network) -> LTS:
        return generated(request, part)

    def reduced(part: Network, equivalence: str) -> Reduction:
        with request.exploration(shown=False) as settings:
            limits = settings.limits
            return network.reduce(part, equivalence, limits=limits, threads=settings.threads)

    def bisimilar(part: Network) -> LTS:
        if not minimising:
            return whole(part)
        count = len(part.components)
        request.remark(f"{count} components with priorities: modulo strong bisimulation")
        return reduced(part, "strong").lts

    how: dict[str, Any] = {
        "load": component,
        "internal": request.reading.tau_of_components,
        "composers": network.Composers(whole, bisimilar, reduced),
    }
    if file is None or is_standard(file):
        found = network.read_text(standard_input(), file=shown(file), **how)
    else:
        found = network.read(file, **how)
    of_text = {*SPECIFICATIONS, "max_values"} - {"strict"}
    for name, written in request.given.items():
        if name in of_text and not specifications:
            raise LtsError(f"{written} is for specifications, and no component is one")
    report_idle(request, found.remarks)
    return found


def report_idle(request: Request, remarks: tuple[LtsError, ...]) -> None:
    """Say what in the text of a network does nothing; refuse it with `--strict`."""
    if remarks and request.text.strict:
        first = remarks[0]
        first.others, first.unseen = remarks[1:SHOWN], max(len(remarks) - SHOWN, 0)
        raise first
    for one in remarks[:SHOWN]:
        request.remark(f"{one.place}: {one.message}")
    if len(remarks) > SHOWN:
        request.remark(f"and {len(remarks) - SHOWN} more that do nothing")


def source(request: Request, file: str | None) -> Source | None:
    """Return the linear process or the network that a file is; None for an LTS."""
    kind = request.kind(file)
    if kind == SPECIFICATION:
        return linear_process(request, file)
    return read_network(request, file) if kind == NETWORK else None


def split_specification(
    request: Request, joining: Callable[[str, LtsError], object] | None = None
) -> Network:
    """Return the processes of a specification that run in parallel, as a network; with `joining`,
    those together that cannot be generated by themselves."""
    from lts.network.specification import split

    specification = read_specification(request, request.reading.file)
    with request.exploration(shown=False) as settings:
        return split(
            specification,
            limits=settings.limits,
            threads=settings.threads,
            simplifications=simplifications(request),
            joining=joining,
        )


def explore(
    source: Source, settings: Settings, goals: Goals | None = None, output: Output | None = None
) -> Generation:
    """Explore a linear process or a network; without an `output` transitions are kept."""
    from lts.linear.process import LinearProcess
    from lts.state_space.generation import COLUMNS
    from lts.state_space.generation import explore as explore_process
    from lts.state_space.settings import NO_GOALS

    goals, output = goals or NO_GOALS, output or COLUMNS
    if isinstance(source, LinearProcess):
        return explore_process(source, settings, goals, output=output)
    from lts.network.exploration import explore

    return explore(source, settings, goals, output=output)


def generated(request: Request, source: Source) -> LTS:
    """Return the whole state space; at a limit nothing, and what was found is told."""
    from lts.linear.process import LinearProcess
    from lts.state_space.generation import whole

    with request.exploration() as settings:
        found = explore(source, settings)
    remark_normal_forms(request, found.normal_forms)
    if found.incomplete == "interrupted":
        print(f"ltstool: interrupted; {found.statistics} were found", file=sys.stderr)
    return whole(found, settings, source if isinstance(source, LinearProcess) else None)


def read_system(
    request: Request,
    file: str | None,
    *,
    reduction: str = "original",
    source_of: Source | None = None,
) -> LTS:
    """Read `file` with the internal labels that `--tau` says; nothing is hidden.

    `reduction` and `source_of` are those of `read_as_it_is`.
    """
    system = read_as_it_is(request, file, reduction=reduction, source_of=source_of)
    return with_tau(request, file, system)


def read_as_it_is(
    request: Request,
    file: str | None,
    *,
    reduction: str = "original",
    source_of: Source | None = None,
) -> LTS:
    """Read `file`, or explore what it specifies.

    Of a specification or a network it is the state space; the file is not read if it is there as
    `source_of`. Of a reduction it returns the original, or what is strongly bisimilar
    (`reduction="bisimilar"`), unless there is `--as-such`; or it is refused (`"refused"`).
    """
    found = source(request, file) if source_of is None else source_of
    if found is not None:
        return generated(request, found)
    read = read_lts(request, file)
    if reduction == "refused":
        return refuse_reduction(request, file, read)
    return original(request, file, read, bisimilar=reduction == "bisimilar")


def load(request: Request, file: str | None, *, reduction: str = "original") -> LTS:
    """Return what `read_system` does, with hidden what `--hide` says."""
    return hide(request, read_system(request, file, reduction=reduction))


def hide(request: Request, system: LTS) -> LTS:
    """Return a system with hidden what `--hide` says; remark on what is for none of its labels."""
    remark_absent(request, system.labels)
    return hidden(request, system)


def hidden(request: Request, system: LTS) -> LTS:
    """Return a system with hidden what `--hide` says, which may be for labels of another one."""
    names = request.reading.hide
    return system._hide(names) if names else system


def remark_absent(request: Request, labels: Iterable[str], *, strong: bool = False) -> None:
    """Remark on names and patterns to hide, or in `--strong`, that are for no label."""
    wanted = request.composing.strong if strong else request.reading.hide
    if absent := unmatched(wanted, labels):
        what = "nothing is strong" if strong else "nothing to hide"
        request.remark(f"{what}: no action or label is {', '.join(absent)}")


def remark_normal_forms(request: Request, shown: Iterable[str]) -> None:
    """Remark on values that no equation fits, of each function one."""
    for text in shown:
        request.remark(f"no equation fits `{text}`: it is a value (--strict refuses it)")


def with_tau(request: Request, file: str | None, system: LTS) -> LTS:
    """Return what was read from a file with the internal labels that `--tau` says, and remark on
    those that are taken by convention."""
    tau = _internal(request, system.labels)
    if tau is not None:
        return system.with_internal(tau)
    if "i" in system.internal:
        request.remark(
            f"the label `i` of {shown(file)} is taken as internal (`--tau ''` if it is not)"
        )
    return system


def quotient_with_tau(request: Request, quotient: Quotient) -> Quotient:
    """Return what was explored by orbits with the internal labels that `--tau` says, which the
    group has to leave where they are."""
    tau = _internal(request, map(label_text, quotient.labels))
    if tau is None:
        return quotient
    try:
        return quotient.with_internal([label.encode("utf-8", "surrogateescape") for label in tau])
    except ValueError as error:
        raise SpecificationError(f"--tau: {error}") from None


def _internal(request: Request, labels: Iterable[str]) -> list[str] | None:
    """Return the labels that `--tau` makes internal, if it is given; remark on those that are none
    of `labels`."""
    tau = request.reading.tau
    if tau:
        known = set(labels)
        if absent := [label for label in tau if label not in known]:
            request.remark(f"no label to be internal is {', '.join(absent)}")
    return tau


def internal_on_the_fly(request: Request) -> Internal:
    """Return what is internal in what is explored, as `--tau` and `--hide` say."""
    from lts.state_space.settings import Internal

    tau = ["tau"] if request.reading.tau is None else request.reading.tau
    return Internal(tuple(tau), tuple(request.reading.hide))


def remark_internal(request: Request, system: LTS) -> None:
    """Remark on internal labels of a system to be written that readers do not know by their name.

    That they are internal was said by `--tau`.
    """
    if request.reading.tau is None:
        return
    used = {label for label, count in system.label_counts().items() if count}
    known = "tau" if "tau" in used else "i"
    unknown = [label for label in system.internal if label in used and label != known]
    if unknown:
        shown = ",".join(unknown)
        request.remark(f"what is written is to be read with `--tau '{shown}'`, too")


def read_symmetry(text: str, parameters: Mapping[str, int] | None = None) -> Symmetry:
    """Return the symmetry of a file, or of a permutation that is written out."""
    from lts.symmetry import Symmetry, parse_permutation, parse_symmetry_file

    if text.lstrip().startswith("("):
        return Symmetry(kind="labels", generators=(parse_permutation(text, name="permutation"),))
    if not Path(text).exists():
        raise LtsError(
            f"there is no symmetry file `{text}` (sorts and `auto` are for specifications)"
        )
    return parse_symmetry_file(text_of(text), name=text, parameters=parameters)


def read_encoding(request: Request, file: str | None, symmetry_file: str) -> tuple[LTS, Symmetry]:
    """Read an encoding and its symmetry file, and check that they go together.

    The encoding comes first: where it comes through a pipe, the other one is there in the end.
    """
    from lts.symmetry.reduction.storage import opened_reduction

    system = read_lts(request, file)
    encoding, symmetry = opened_reduction(system, read_symmetry(symmetry_file))
    return with_tau(request, file, encoding), symmetry
