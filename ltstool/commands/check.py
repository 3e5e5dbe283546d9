"""`ltstool check`: check a formula."""

from __future__ import annotations

import re
import sys
from math import inf
from typing import TYPE_CHECKING

from lts.base.bounds import EVIDENCE
from lts.base.label_names import action_names, label_text
from lts.errors import LtsError, NotSymmetric
from lts.logic.check import PROPERTIES
from lts.network.network import TAU
from lts.system.lts import LTS
from lts.text.source import Source
from ltstool.options import table
from ltstool.options.request import Request, Takes
from ltstool.options.table import option
from ltstool.shared import reading
from ltstool.shared.files import check_format, formula_file, text_of, write_lts
from ltstool.shared.shown import facts, plural, unknown_action
from ltstool.shared.traces import write_traces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Mapping, Sequence
    from typing import Any

    import lts._engine as _engine
    from lts.logic import Lasso, ProcessVerdict
    from lts.petri.answering import Answer
    from lts.state_space import Internal, Settings
    from lts.symmetry import Permutation

SHOWN = 20
"""Most labels of a path, and of its cycle, that are printed."""
HELP = (
    "check a formula of the modal mu-calculus or CTL*: exit code 0 if it holds in the "
    "initial state, else 1"
)
EXAMPLES = (
    "check cases/abp.mcrl '[true*.r1(d1)] <true*.s4(d1)> true'",
    "check system.aut deadlock-free",
    "check cases/peterson.mcrl @never.mcf --symmetry auto --set N=5",
    "check system.aut 'A G (send(...) => F recv(...))' --fair 'WF(send(...)) && SF(recv(...))'",
)


class Checking(Request):
    """The options of `check`."""

    formula: str = option(
        "FORMULA",
        "a formula such as `[send(...)] mu X. <true>true && [!recv(...)]X`, or a property: "
        f"{', '.join(PROPERTIES)}, deterministic; or a file that contains one: FILE.mcf, or "
        "@FILE for any other name; for a net also a file of properties in the format of the Model "
        "Checking Contest: FILE.xml",
    )
    fair: str | None = option(
        "--fair PATHS",
        "a fairness assumption: `A` and `E` range only over the paths that satisfy this path "
        "formula, such as `forall p:Pid. WF(step(p))`",
    )
    evidence: str | None = option(
        "--evidence OUT",
        "write the transitions that prove the answer as an .aut file, with states renumbered",
        file="written",
    )
    trace: str | None = option(
        "--trace OUT",
        "write a path that proves the answer, such as a counterexample to `A p` or `[R]false`, "
        "as a trace for `ltstool simulate --replay`; a cycle is written once",
        file="written",
    )

    @property
    def wants_evidence(self) -> bool:
        """Whether evidence for the answer is to be written."""
        return self.evidence is not None or self.trace is not None


TAKES = Takes(
    request=Checking,
    reads=table.ALL,
    options=(
        *("file", "formula", "verbose", "fair", "evidence", "trace", "hide", "tau", "as_such"),
        *("format", *table.STATE_SPACE, *table.SYMMETRY),
    ),
    changed={
        "file": {"flags": "FILE"},
        "symmetry": {
            "help": f"{table.OF_SPECIFICATION}; one state of each orbit is explored. The formula "
            "need not be symmetric, unless FILE is an LTS or a reduction; answer and "
            "evidence are those of the original system",
        },
        "strategy": {"of": (table.SPECIFICATION,)},
    },
    about={
        "text": (
            "FILE as a specification",
            "only the part that the formula depends on is explored",
        ),
    },
    answers=True,
)


def run(request: Checking) -> int:
    """Check, and write evidence for the answer."""
    check_format(request.evidence)
    if request.kind(request.reading.file) == table.NET:
        from lts.petri.properties import NAMED_PROPERTIES

        if is_properties(request.formula) or request.formula in NAMED_PROPERTIES:
            return run_properties(request)
        refuse_misspelt(request.formula, NAMED_PROPERTIES)
    file = formula_file(request.formula)
    formula = request.formula if file is None else text_of(file)
    name = "formula" if file is None else file
    remark_reach(request, formula, name)
    kind = request.kind(request.reading.file)
    if kind == table.SPECIFICATION and formula.strip() != "deterministic":
        return run_on_the_fly(request, formula, name)
    if request.group.symmetry is not None:
        if kind == table.SPECIFICATION:
            raise LtsError(
                "--symmetry applies to formulas that are checked on the fly on a specification"
            )
        return run_on_orbits(request, formula, name)
    if kind == table.NET:
        from lts.petri.checking import is_about_some

        if is_about_some(Source(formula, name), request.fair):
            return run_on_net(request, formula, name)
    is_plain = not request.wants_evidence and request.reading.tau is None
    if kind == table.NETWORK and is_plain and is_for_parts(formula, name, request.fair):
        return run_in_parts(request, formula, name)
    return run_on_system(request, formula, name)


def refuse_misspelt(formula: str, names: Collection[str]) -> None:
    """Refuse a word that is no formula and almost the name of a property."""
    from lts.base.spelling import near

    known = (*names, *PROPERTIES, "deterministic")
    if formula not in known and _WORD.fullmatch(formula) and (hint := near(formula, known)):
        raise LtsError(f"`{formula}` is no property of a net{hint}")


_WORD = re.compile(r"[A-Za-z-]{4,}(?<!true)(?<!false)")


def is_properties(formula: str) -> bool:
    """Whether this is the name of a file of properties of the Model Checking Contest."""
    return formula.removeprefix("@").lower().removesuffix(".gz").endswith(".xml")


_YEAR = re.compile(r"-20\d\d(?=-\d+$)")
"""The year before the number of a property that was new in this contest: its results are published
by number, without the year."""


def run_properties(request: Checking) -> int:
    """Answer the properties of a file, or one that has a name, on a net, on orbits if it has
    symmetries."""
    from lts.petri import action_of, answers, global_property, read_properties
    from lts.petri.answering import roles_for
    from lts.petri.process import labels_of
    from lts.petri.properties import NAMED_PROPERTIES
    from ltstool.symmetric.explored import action_on_net, proven_by

    for name in ("fair", "evidence", "trace", "hide", "tau", "verbose", "net_labels"):
        if name in request.given:
            raise LtsError(f"{request.given[name]} does not apply to properties of the contest")
    net = reading.read_net(request, request.reading.file, labels="id")
    is_global = request.formula in NAMED_PROPERTIES
    properties = (
        [global_property(request.formula, net.net)]
        if is_global
        else read_properties(request.formula.removeprefix("@"), net.net)
    )
    action = None
    if request.group.symmetry is not None:
        action = action_on_net(request, net, roles_for(net, properties))
    elif labels_of(net) is None:
        # Properties name places and transitions with all their colours: every permutation of
        # colours fits.
        with request.phase("searching for symmetries"):
            action = action_of(net)
    verdicts: dict[int, Answer] = {}
    try:
        with request.exploration(group=True) as settings:
            answers(
                net,
                properties,
                action,
                settings if action is None else proven_by(action, settings),
                report=verdicts.__setitem__,
            )
    finally:
        # A limit keeps what was decided before it.
        found = [
            (properties[n].identifier, "+inf" if verdicts[n] == inf else verdicts[n])
            for n in sorted(verdicts)
        ]
        lines = [f"{identifier}  {str(verdict).lower()}" for identifier, verdict in found]
        shown = [
            {"id": _YEAR.sub("", identifier), "property": identifier, "verdict": verdict}
            for identifier, verdict in found
        ]
        if found:
            request.say(shown, "\n".join(lines))
    return 1 if any(verdict is False for _, verdict in found) else 0


def remark_reach(request: Checking, formula: str, file: str) -> None:
    """Remark on a formula outside of an .mcf file that mCRL2 would read as another one."""
    from lts.logic.text.formula import operator_ending_scope

    operator = None if file.endswith(".mcf") else operator_ending_scope(formula)
    if operator is not None:
        request.warn(
            f"the scope of a quantifier or fixed point extends to the right over `{operator}`; "
            "in mCRL2 and .mcf files it does not: add brackets"
        )


def is_for_parts(formula: str, file: str, fair: str | None) -> bool:
    """Whether the components of a network should be minimised to check a formula.

    If the formula can count internal steps, minimisation seldom helps, and the network is explored
    as a whole.
    """
    from lts.logic.check import read
    from lts.logic.preserved import strong_labels

    if formula.strip() == "deterministic":
        return False
    parsed = read(formula, file, fair)
    return not parsed.slots and strong_labels(parsed, ()) is not None


def report(request: Checking, found: Any, more: dict[str, Any]) -> int:
    """Print the answer, and return the exit code."""
    shown = {"holds": found.holds, "unknown_actions": found.unknown}
    if request.fair is not None:
        shown["vacuous"] = found.vacuous
    if found.vacuous:
        request.warn(
            "no path from the initial state satisfies the fairness assumption: every `A` holds "
            "in it, and no `E`"
        )
    request.say(shown | more, str(found.holds).lower())
    return 0 if found.holds else 1


def run_in_parts(request: Checking, formula: str, file: str) -> int:
    """Check on a network that is minimised component by component, and report its remaining
    size."""
    from lts.logic.networks import check_network

    as_written = reading.read_network(request, request.reading.file, minimising=True)
    labels = dict.fromkeys(vector.result for vector in as_written.vectors)
    reading.remark_absent(request, labels)
    hide = request.reading.hide
    network = as_written.hide(hide) if hide else as_written
    with (
        request.phase("composing"),
        request.exploration(shown=False) as settings,
    ):
        found = check_network(
            network,
            formula,
            fair=request.fair,
            limits=settings.limits,
            threads=settings.threads,
            file=file,
        )
    visible = {vector.result for vector in network.vectors} - {TAU}
    for action in found.unknown:
        request.warn(unknown_action(action, sorted(visible), (TAU,), labels))
    reduction = found.reduction
    more: dict[str, Any] = {"equivalence": found.equivalence, "strong": sorted(found.strong)}
    more |= {"hidden": found.hidden, "largest": reduction.largest, "built": reduction.built}
    code = report(request, found, more)
    strong = f", {len(found.strong)} matched strongly" if found.strong else ""
    request.note(
        f"checked on the network minimised modulo {found.named}, largest part "
        f"{reduction.largest} states; {found.hidden} labels hidden{strong}"
    )
    return code


def run_on_orbits(request: Checking, formula: str, file: str) -> int:
    """Check one state of each orbit of a network, an LTS or the original of a reduction.

    Of the symmetries of a network those are used that preserve every set of labels in the formula.
    """
    from lts.logic.orbits import check_orbits, sets_of

    sets = sets_of(formula, fair=request.fair, file=file)
    quotient, labels, group = quotient_of(request, sets)
    try:
        with request.phase("checking"):
            found = check_orbits(
                quotient,
                formula,
                fair=request.fair,
                file=file,
                max_evidence=EVIDENCE.default if request.evidence is not None else 0,
            )
    except NotSymmetric as error:
        witness = f"{error.witness}; leave out --symmetry to check all states"
        raise NotSymmetric(error.message, witness=witness, which=error.which) from None
    internal = set(map(label_text, quotient.internal))
    visible = {label_text(label) for label in quotient.labels} - internal
    for action in found.unknown:
        request.warn(unknown_action(action, sorted(visible), (TAU, *internal), labels))
    numbers = {"orbits": found.orbits, "states": found.states, **group}
    code = report(request, found, numbers | path_facts(found.path))
    write_evidence(request, found.evidence)
    show_path(request, found.path)
    checked = f"{plural(found.orbits, 'orbit')} of {plural(found.states, 'state')}"
    request.note(f"checked {checked}, under a group of order {group['order']}")
    return code


def quotient_of(
    request: Checking, keeping: Callable[[str], object]
) -> tuple[_engine.Quotient, Collection[str], Mapping[str, object]]:
    """Return the quotient of a network or of an LTS, with the actions of `--hide` hidden; the
    labels before hiding; and the order of the group with its proof. Symmetries that do not preserve
    `keeping`, a function on labels, are left out."""
    if request.kind(request.reading.file) != table.NETWORK:
        from lts.symmetry import hide_in_quotient
        from ltstool.symmetric import reductions

        hide, internal = request.reading.hide, request.reading.tau or ()

        def also_hidden(label: str) -> object:
            # A label of `--tau` has to stay where it is.
            return keeping(label), label in hide, label in internal and label

        is_net = request.kind(request.reading.file) == table.NET
        preserved = also_hidden if is_net else keeping
        found = reductions.quotient(request, encodings=True, keeping=preserved)
        labels = list(map(label_text, found.quotient.labels))
        if found.system is not None or not hide:
            return found.quotient, [*labels, *hide], found.group
        reading.remark_absent(request, labels)
        return hide_in_quotient(found.quotient, hide), labels, found.group
    from ltstool.symmetric.explored import quotient

    if request.reading.tau is not None:
        raise LtsError("--tau cannot be combined with --symmetry here: hide labels with --hide")
    as_written = reading.read_network(request, request.reading.file)
    known = dict.fromkeys(vector.result for vector in as_written.vectors)
    reading.remark_absent(request, known)
    hide = request.reading.hide
    network = as_written.hide(hide) if hide else as_written
    found = quotient(request, network, keeping=keeping)
    return found.quotient, known, found.group


def run_on_system(request: Checking, formula: str, file: str) -> int:
    """Check on a complete LTS."""
    from lts.logic import check

    # Nondeterminism is not preserved by equivalences, so the states themselves matter.
    states_count = formula.strip() == "deterministic"
    reduction = "original" if states_count or request.wants_evidence else "bisimilar"
    as_written = reading.read_system(request, request.reading.file, reduction=reduction)
    reading.remark_absent(request, as_written.labels)
    system = reading.hidden(request, as_written)
    with request.phase("checking"):
        found = check(system, formula, fair=request.fair, file=file)
    visible = [label for label in system.labels if label not in system.internal]
    for action in found.unknown:
        request.warn(unknown_action(action, visible, system.internal, as_written.labels))
    code = report(request, found, path_facts(found.path))
    write_evidence(request, found.evidence)
    show_path(request, found.path)
    return code


def run_on_the_fly(request: Checking, formula: str, file: str) -> int:
    """Check on a specification on the fly, and report how much was explored."""
    from lts.logic import check_process

    is_alone = request.group.symmetry is None
    process = reading.linear_process(request, request.reading.file, simultaneous=is_alone)
    actions = sorted({action.name for action in process.specification.actions})
    reading.remark_undeclared(request, actions)
    internal = reading.internal_on_the_fly(request)

    def decide(generators: tuple[Permutation, ...], settings: Settings) -> ProcessVerdict:
        return check_process(
            process,
            Source(formula, file),
            generators,
            settings,
            fair=request.fair,
            internal=internal,
            evidence=request.wants_evidence,
        )

    if request.group.symmetry is None:
        with request.exploration(group=True) as settings:
            found = decide((), settings)
    else:
        from ltstool.symmetric.given import explore

        _, found = explore(request, process, decide)
    reading.remark_normal_forms(request, found.normal_forms)
    return report_explored(request, found, actions, internal, declared=actions)


def run_on_net(request: Checking, formula: str, file: str) -> int:
    """Check on a net on the fly, and report how much was explored."""
    from lts.petri.checking import check_net

    net = reading.read_net(request, request.reading.file)
    actions = sorted(net.net.actions)
    reading.remark_undeclared(request, actions)
    internal = reading.internal_on_the_fly(request)
    with request.exploration() as settings:
        found = check_net(
            net,
            Source(formula, file),
            settings,
            fair=request.fair,
            internal=internal,
            evidence=request.wants_evidence,
        )
    return report_explored(request, found, actions, internal)


def report_explored(
    request: Checking,
    found: ProcessVerdict,
    actions: Sequence[str],
    internal: Internal,
    declared: Container[str] = (),
) -> int:
    """Print an answer that was found on the fly, and how much was explored; return the exit
    code. `declared` are the actions of a specification."""
    for action in found.unknown:
        names = action_names([action.removesuffix("(...)")])
        if any(name in declared for name in names) and names[0] not in internal.labels:
            why = "hidden, blocked, always part of a communication, or in no step"
            request.warn(f"`{action}` never occurs: `{names[0]}` is {why}")
        else:
            request.warn(unknown_action(action, actions, internal.labels, actions))
    names = ("pairs", "states", "positions", "explored", "order")
    numbers: dict[str, Any] = {name: getattr(found, name) for name in names}
    numbers["proof"] = found.known.kind
    code = report(request, found, numbers | path_facts(found.path))
    write_evidence(request, found.evidence)
    show_path(request, found.path)
    if request.verbose:
        print(looked_at(found), file=sys.stderr)
    else:
        request.note(summary(found))
    return code


def summary(found: ProcessVerdict) -> str:
    """Return one line about how much was explored."""
    if found.order > 1:
        return (
            f"explored {plural(found.explored, 'orbit')} of pairs of a state and a subformula, "
            f"under a group {found.known}"
        )
    # States are not counted where orbits are explored, under a group of the identity alone.
    states = f"{plural(found.states, 'state')}, " if found.states else ""
    return f"explored {states}{plural(found.explored, 'pair')} of a state and a subformula"


def looked_at(found: ProcessVerdict) -> str:
    """Return lines about how much was explored."""
    store, looked = f"{found.store / 1e6:.1f} MB for", f"{found.explored} explored"
    if found.order > 1:
        orbits = f"{found.positions} of pairs of a state and a subformula, {looked}"
        shown = {"group": found.known, "orbits": orbits, "pairs": found.pairs}
        return facts(shown | {"memory": f"{store} the orbits"})
    states = f"{found.states} explored" if found.states else "not counted"
    pairs = f"{found.positions} of a state and a subformula found, {looked}"
    return facts({"states": states, "pairs": pairs, "memory": f"{store} them"})


def path_facts(path: Lasso | None) -> dict[str, Any]:
    """Return the path that is evidence for the answer, if there is one, for JSON."""
    if path is None:
        return {}
    shown: dict[str, Any] = {"path": [label for _, label, _ in path.steps], "again": path.again}
    if path.preimages is not None:
        shown["preimages"] = [preimage.as_json() for preimage in path.preimages]
    return shown


def show_path(request: Checking, path: Lasso | None) -> None:
    """Print the path that is evidence for the answer, and write it to a file on request."""
    from lts.trace import IMAGES, TraceStep, labels_shown, preimages_shown

    if path is None:
        if request.trace is not None:
            reason = "no single path proves the answer, or it is too long"
            request.note(f"{reason}: {request.trace} is not written")
        return
    labels = [label for _, label, _ in path.steps]
    write_traces(request, request.trace, [[TraceStep(label) for label in labels]])
    shown = [labels_shown(labels[: path.again], SHOWN)] if path.again != 0 else []
    if path.again is not None:
        shown.append(f"forever {labels_shown(labels[path.again :], SHOWN)}")
    request.note(f"proven by the path {', then '.join(shown)}")
    if images := preimages_shown(labels, path.preimages, SHOWN) if path.preimages else "":
        request.note(f"{IMAGES}\n{images}")


def write_evidence(request: Checking, evidence: LTS | None) -> None:
    """Write the evidence for the answer to a file on request, unless it is too large."""
    if request.evidence is None:
        return
    if evidence is None:
        request.note(f"the evidence is too large: {request.evidence} is not written")
    else:
        write_lts(request, evidence.reachable(), request.evidence)
