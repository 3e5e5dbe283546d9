"""Systems that commands read: LTS files, including reductions, and the state spaces of
specifications and networks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from lts.base.label_names import action_names, label_text, normal, unmatched
from lts.errors import SHOWN, LtsError, SpecificationError
from lts.source import is_mcrl2
from lts.system.internal_labels import by_name
from lts.system.lts import LTS
from ltstool.options.table import ALL, NET, NETWORK, SPECIFICATION, SPECIFICATIONS
from ltstool.shared.files import (
    also_read,
    is_standard,
    read_lts,
    remarking,
    shown,
    standard_input,
    text_of,
)
from ltstool.shared.originals import original, refuse_reduction
from ltstool.shared.streams import message

if TYPE_CHECKING:
    from lts._engine import Quotient
    from lts.linear.process import LinearProcess
    from lts.network import Network, Reduction
    from lts.petri import GroundNet
    from lts.petri.labels import Labels
    from lts.source import Described
    from lts.specification.specification import Specification
    from lts.state_space import Internal
    from lts.symmetry import Symmetry
    from ltstool.options.request import Request


def read_specification(request: Request, file: str | None) -> Specification:
    """Read a specification with the options of `table.Text`, and print remarks on it."""
    from ltstool.shared.identities import identities_of

    name = shown(file)
    text = standard_input() if file is None or is_standard(file) else None
    options: dict[str, Any] = {
        "parameters": dict(request.text.parameters),
        "strict": request.text.strict,
    }
    if (request.text.language or _language(name, text)) == "mcrl2":
        from lts import mcrl2

        if request.text.include_path:
            raise LtsError("--include-path applies only to muCRL: mCRL2 has no inclusion")
        text = mcrl2.text_of(name) if text is None else text
        options["identities"] = identities_of(request.group, text, name)
        options["ignores_time"] = request.text.ignore_time
        specification = mcrl2.read_text(text, file=name, **options)
    else:
        from lts import mucrl

        if request.group.identities is not None:
            raise LtsError(
                "--identities applies only to mCRL2: in muCRL identities have a sort of their own"
            )
        if request.text.ignore_time:
            raise LtsError("--ignore-time applies only to mCRL2: muCRL has no time")
        options["include_path"] = request.text.include_path
        if text is not None:
            specification = mucrl.read_text(text, file=name, **options)
        else:
            specification = mucrl.read(name, **options)
    also_read(request, specification.source.files)
    for text in specification.remarks:
        request.warn(text)
    return specification


def _language(name: str, text: str | None) -> str:
    """Return the language of a specification: by its name, otherwise by its text."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix in (".mcrl2", ".lps"):
        return "mcrl2"
    if text is None:
        if suffix in (".mcrl", ".mucrl") or not os.path.isfile(name):
            return "mucrl"
        text = text_of(name)
    from lts.mcrl2.binary.kinds import is_binary

    if text.lstrip().startswith(("<?xml", "<pnml")):
        raise LtsError(f"{name} is XML, and not a specification")
    return "mcrl2" if is_binary(text) or is_mcrl2(text) else "mucrl"


def simplifications(request: Request) -> list[str]:
    """Return the simplifications to apply."""
    from lts.linear.simplify import SIMPLIFICATIONS

    return [kind for kind in SIMPLIFICATIONS if kind not in request.text.no_simplify]


def linear_process(
    request: Request, file: str | None, *, simultaneous: bool = False
) -> LinearProcess:
    """Return the linear process of a specification, read with the options.

    If `simultaneous`, steps of several processes at once may be left to the engine.
    """
    specification = read_specification(request, file)
    return linearised(request, specification, simultaneous=simultaneous)


def linearised(
    request: Request, specification: Specification, *, simultaneous: bool = False
) -> LinearProcess:
    """Return the linear process of a specification that was read, with the options."""
    from lts.linear.linearise import linearise

    kinds = simplifications(request)
    with request.phase("linearising the specification"):
        return linearise(
            specification,
            simplifications=kinds,
            confluence=request.text.confluence,
            simultaneous=simultaneous,
        )


def read_network(request: Request, file: str | None, *, minimising: bool = False) -> Network:
    """Read a network; if it comes from standard input, its components are in the working directory.

    The internal labels of components are those of the text, or of `--tau` with `compose`; for other
    commands `--tau` is about the composed system. Statements of the text without effect are
    reported, with `--strict` as errors. Parts with priorities are composed or, if `minimising`,
    minimised modulo strong bisimulation, which is a congruence for priorities.
    """
    from lts import network

    of_component = request.but(takes=request.takes.but(reads=ALL))
    kinds = set()

    def component(path: str) -> LTS:
        also_read(request, [path])
        kinds.add(of_component.kind(path))
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
        request.note(f"{count} components with priorities: modulo strong bisimulation")
        return reduced(part, "strong").lts

    how: dict[str, Any] = {
        "load": component,
        "internal": request.reading.tau_of_components,
        "include_path": request.text.include_path,
        "composers": network.Composers(whole, bisimilar, reduced),
    }
    if file is None or is_standard(file):
        found = network.read_text(standard_input(), file=shown(file), **how)
    else:
        found = network.read(file, **how)
    of_text = {*SPECIFICATIONS, "max_values"} - {"strict", "include_path"}
    for name, written in request.given.items():
        if name in of_text and SPECIFICATION not in kinds:
            raise LtsError(f"{written} applies to specifications, but no component is one")
        if name in ("net_labels", "net") and NET not in kinds:
            raise LtsError(f"{written} applies to nets, but no component is one")
    report_idle(request, found.remarks)
    return found


def report_idle(request: Request, remarks: tuple[LtsError, ...]) -> None:
    """Report the statements of a network without effect; with `--strict` as errors."""
    if remarks and request.text.strict:
        first = remarks[0]
        first.others, first.unseen = remarks[1:SHOWN], max(len(remarks) - SHOWN, 0)
        raise first
    for remark in remarks[:SHOWN]:
        request.warn(f"{remark.place}: {remark.message}")
    if len(remarks) > SHOWN:
        request.warn(f"and {len(remarks) - SHOWN} more without effect")


def read_net(request: Request, file: str | None, labels: Labels | None = None) -> GroundNet:
    """Read a Petri net, with these labels or those of `--labels`, the one of `--net` if the file
    contains several, and replace its variables by colours."""
    from lts.petri import ground, read, read_text
    from lts.petri.elements import read_bytes

    labels = labels or cast("Labels | None", request.reading.net_labels)
    with request.phase("reading the net"), remarking(request):
        if file is None or is_standard(file):
            data = read_bytes(sys.stdin.buffer, shown(file))
            net = read_text(data, file=shown(file), labels=labels, net=request.reading.net)
        else:
            net = read(file, labels=labels, net=request.reading.net)
    with request.phase("replacing variables by colours"):
        return ground(net)


def source(request: Request, file: str | None, *, simultaneous: bool = False) -> Described | None:
    """Return the linear process, network or net of a file; None for an LTS.

    `simultaneous` is as for `linear_process`.
    """
    kind = request.kind(file)
    if kind == NET:
        return read_net(request, file)
    if kind == SPECIFICATION:
        return linear_process(request, file, simultaneous=simultaneous)
    return read_network(request, file) if kind == NETWORK else None


def split_specification(
    request: Request, joining: Callable[[str, LtsError], object] | None = None
) -> Network:
    """Return the parallel processes of a specification as a network; with `joining`, processes that
    cannot be generated by themselves are combined."""
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


def generated(request: Request, source: Described) -> LTS:
    """Return the whole state space; at a limit raise an error with the sizes found."""
    from lts.source import source_of
    from lts.state_space.generation import COLUMNS, whole
    from lts.state_space.settings import NO_GOALS

    explored = source_of(source)
    with request.exploration() as settings:
        found = explored.explore(settings, NO_GOALS, COLUMNS)
    remark_normal_forms(request, found.normal_forms)
    if found.incomplete == "interrupted":
        message("note", f"interrupted; {found.statistics.when_interrupted}")
    return whole(found, settings, explored.process)


def read_system(
    request: Request,
    file: str | None,
    *,
    reduction: str = "original",
    of: Described | None = None,
) -> LTS:
    """Read `file` with the internal labels of `--tau`, without hiding.

    `reduction` and `of` are as for `read_as_it_is`.
    """
    system = read_as_it_is(request, file, reduction=reduction, of=of)
    return with_tau(request, file, system)


def read_as_it_is(
    request: Request,
    file: str | None,
    *,
    reduction: str = "original",
    of: Described | None = None,
) -> LTS:
    """Read the LTS `file`, or explore the state space that it specifies.

    If a specification or network was read before, it is passed as `of` and not read again.
    For a reduction the result is the original, or with `reduction="bisimilar"` a strongly bisimilar
    system; with `"refused"` it is an error. With `--as-such` it is the encoding.
    """
    found = source(request, file, simultaneous=True) if of is None else of
    if found is not None:
        return generated(request, found)
    read = read_lts(request, file)
    if reduction == "refused":
        return refuse_reduction(request, file, read)
    return original(request, file, read, bisimilar=reduction == "bisimilar")


def load(request: Request, file: str | None, *, reduction: str = "original") -> LTS:
    """Return the result of `read_system` with the actions of `--hide` hidden."""
    return hide(request, read_system(request, file, reduction=reduction))


def hide(request: Request, system: LTS) -> LTS:
    """Return a system with the actions of `--hide` hidden; remark on names that match no label."""
    remark_absent(request, system.labels)
    return hidden(request, system)


def hidden(request: Request, system: LTS) -> LTS:
    """Return a system with the actions of `--hide` hidden, which may match labels of another system
    only."""
    names = request.reading.hide
    return system.hide_any(names) if names else system


def remark_absent(request: Request, labels: Iterable[str], *, strong: bool = False) -> None:
    """Remark on names and patterns of `--hide` or `--strong` that match no label."""
    names = request.composing.strong if strong else request.reading.hide
    what = "no label is made strong" if strong else "nothing to hide"
    _remark_without_effect(request, what, unmatched(names, labels))


def remark_undeclared(request: Request, actions: Collection[str]) -> None:
    """Remark on names and patterns of `--hide` that match no label of these actions, whatever its
    arguments."""
    names = request.reading.hide
    absent = [name for name in names if unmatched(action_names([name]), actions)]
    _remark_without_effect(request, "nothing to hide", absent)


def _remark_without_effect(request: Request, what: str, absent: Sequence[str]) -> None:
    if absent:
        request.warn(f"{what}: no action or label is {', '.join(absent)}")


def remark_normal_forms(request: Request, shown: Iterable[str]) -> None:
    """Remark on values that no equation matches, one for each function."""
    for text in shown:
        request.warn(
            f"no equation fits `{text}`, so it is taken as a value (--strict refuses this)"
        )


def remark_reset(request: Request, source: Described | None) -> None:
    """Remark on variables whose values are reset, for commands that print the number of states."""
    from lts.source import source_of

    process = None if source is None else source_of(source).process
    if process is not None and (names := process.reset_names):
        of = ", ".join(f"`{name}`" for name in names[:SHOWN])
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        request.note(
            f"the values of {of}{more} are reset where nothing reads them: other tools may count "
            "more states, as may --no-simplify dead"
        )


def with_tau(request: Request, file: str | None, system: LTS) -> LTS:
    """Return a system read from a file with the internal labels of `--tau`, and remark on those
    that are internal by convention."""
    tau = _internal(request, system.labels)
    if tau is not None:
        return system.with_internal(tau)
    if "i" in system.internal:
        request.warn(
            f"the label `i` of {shown(file)} is read as internal (--tau '' makes it visible)"
        )
    return system


def quotient_with_tau(request: Request, quotient: Quotient) -> Quotient:
    """Return a quotient with the internal labels of `--tau`, which the group must fix."""
    tau = _internal(request, map(label_text, quotient.labels))
    if tau is None:
        return quotient
    try:
        return quotient.with_internal([label.encode("utf-8", "surrogateescape") for label in tau])
    except ValueError as error:
        raise SpecificationError(f"--tau: {error}") from None


def _internal(request: Request, labels: Iterable[str]) -> list[str] | None:
    """Return the labels that `--tau` makes internal, None if it is not given; warn of names that
    are not among `labels`, and of a `tau` that becomes visible."""
    tau = request.reading.tau
    if not tau:
        return tau
    known = set(map(normal, labels))
    for name in (label for label in tau if normal(label) not in known):
        if unmatched([name], known):
            request.warn(f"--tau: no label is `{name}`")
        else:
            hide = f": use `--hide {name}`" if "hide" in request.takes.rows else ""
            request.warn(f"--tau: no whole label is `{name}`, which is the name of an action{hide}")
    if "tau" in known and "tau" not in map(normal, tau):
        others = ",".join(tau)
        hide = f", or `--hide {others}`" if "hide" in request.takes.rows else ""
        request.warn(
            "`tau` is visible here, since --tau lists all internal labels: to add to them, use "
            f"`--tau tau,{others}`{hide}"
        )
    return tau


def internal_on_the_fly(request: Request) -> Internal:
    """Return the internal labels of an on-the-fly exploration, by `--tau` and `--hide`."""
    from lts.state_space.settings import Internal

    tau = ["tau"] if request.reading.tau is None else request.reading.tau
    # A label of a process is in normal form.
    return Internal(tuple(map(normal, tau)), tuple(request.reading.hide))


def remark_internal(request: Request, system: LTS) -> None:
    """Remark on internal labels of an output system that readers do not recognise by their names.

    Only `--tau` made them internal.
    """
    if request.reading.tau is None:
        return
    used = {label for label, count in system.label_counts().items() if count}
    known = by_name(used)
    unknown = [label for label in system.internal if label in used and label not in known]
    if unknown:
        shown = ",".join(unknown)
        request.note(f"read the result with `--tau '{shown}'`, too")


def read_symmetry(text: str, parameters: Mapping[str, int] | None = None) -> Symmetry:
    """Return the symmetry of a file, or of a permutation in cycle notation."""
    from lts.symmetry import Symmetry, parse_permutation, parse_symmetry_file

    if text.lstrip().startswith("("):
        return Symmetry(kind="labels", generators=(parse_permutation(text, name="permutation"),))
    if not os.path.exists(text):
        raise LtsError(
            f"the symmetry file `{text}` does not exist (sorts and `auto` apply only to "
            "specifications)"
        )
    return parse_symmetry_file(text_of(text), name=text, parameters=parameters)


def read_encoding(request: Request, file: str | None, symmetry_file: str) -> tuple[LTS, Symmetry]:
    """Read an encoding and its symmetry file, and check that they belong together.

    The encoding is read first: if it comes through a pipe, the symmetry file exists only at its
    end.
    """
    from lts.symmetry.reduction.storage import opened_reduction

    system = read_lts(request, file)
    encoding, symmetry = opened_reduction(system, read_symmetry(symmetry_file))
    return with_tau(request, file, encoding), symmetry
