"""`ltstool check`: whether a formula holds."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lts.errors import LtsError
from lts.network.network import TAU
from lts.system import LTS
from ltstool.shared.files import check_format, formula_file, is_network, write_lts
from ltstool.shared.idle import (
    SPECIFICATION,
    UNDER_SYMMETRY,
    reads_specification,
    refuse_alone,
    refuse_idle,
)
from ltstool.shared.limits import looked_at_by_engine, of_engine, settings_under
from ltstool.shared.options import (
    add_from,
    add_hide,
    add_tau,
    hide,
    internal_on_the_fly,
    remark,
    remark_absent,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.progress import phase, quotient_progress
from ltstool.shared.specifications import OF_SPECIFICATION, add_symmetry, remark_normal_forms
from ltstool.shared.systems import (
    SYSTEM,
    add_max_states,
    add_system_options,
    linear_process,
    load,
    read_network,
)
from ltstool.shared.traces import write_traces
from ltstool.symmetric.options import add_strategy

if TYPE_CHECKING:
    from typing import Any

    from lts.logic import Lasso, ProcessVerdict
    from lts.symmetry import Permutation

SHOWN = 20
"""Labels of a path, and of what repeats in it, that are shown to a reader."""
HELP = "check a formula of the modal mu-calculus: exit code 0 if it holds initially, else 1"
EXAMPLES = (
    "check cases/abp.mcrl '[true*.r1(d1)] <true*.s4(d1)> true'",
    "check system.aut deadlock-free",
    "check cases/peterson.mcrl @never.mcf --symmetry auto --set N=5",
    "check system.aut 'A G (send(...) => F recv(...))' --fair 'WF(send(...)) && SF(recv(...))'",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `check` takes."""
    from lts.logic.check import PROPERTIES

    parser.add_argument("file", metavar="FILE", help=f"{SYSTEM} (`-`: standard input)")
    parser.add_argument(
        "formula",
        metavar="FORMULA",
        help="a formula, as `[send(...)] mu X. <true>true && [!recv(...)]X`, or a property: "
        f"{', '.join(PROPERTIES)}, deterministic; or a file with one, by its name if that ends in "
        ".mcf, else as @FILE",
    )
    parser.add_argument(
        "--fair",
        metavar="PATHS",
        help="a formula about paths that all are taken to satisfy that `A` and `E` speak of, as "
        "`forall p:Pid. WF(step(p))`",
    )
    parser.add_argument(
        "--evidence",
        metavar="OUT",
        help="write the transitions that show the answer as an .aut file, states numbered anew",
    )
    parser.add_argument(
        "--trace",
        metavar="OUT",
        help="write the path that shows that `A p` does not hold, or that `E p` does, as a trace "
        "that `ltstool simulate` replays; what repeats without end is written once",
    )
    add_hide(parser)
    add_tau(parser)
    add_from(parser)
    add_as_such(parser)
    group = parser.add_argument_group(
        "FILE as a specification", "it is explored as far as the formula asks for"
    )
    add_max_states(group)
    add_system_options(group)
    add_symmetry(
        group,
        required=False,
        help=f"{OF_SPECIFICATION}; one state of each orbit is explored. The formula need not be "
        "symmetric; answer and evidence are those of the system itself",
    )
    add_strategy(group)
    group.add_argument("-v", "--verbose", action="store_true", help="say in the end what it took")
    parser.set_defaults(salvage=False)


def run(arguments: argparse.Namespace) -> int:
    """Check and write what shows the answer."""
    arguments.answers = True
    check_format(arguments.evidence)
    file = formula_file(arguments.formula)
    formula = arguments.formula
    if file is not None:
        formula = Path(file).read_text(encoding="utf-8-sig", errors="surrogateescape")
    name = "formula" if file is None else file
    # A symmetry is proven on the fly, for formulas that are looked at so.
    of_symmetry = dict.fromkeys(("symmetry", *UNDER_SYMMETRY), (SPECIFICATION,))
    refuse_idle(arguments, arguments.file, meant=of_symmetry)
    if reads_specification(arguments, arguments.file) and formula.strip() != "deterministic":
        return run_on_the_fly(arguments, formula, name)
    if arguments.symmetry is not None:
        raise LtsError(
            "--symmetry is for formulas on a specification that are looked at on the fly"
        )
    refuse_alone(arguments)
    if (
        is_network(arguments.file)
        and not wants_evidence(arguments)
        and arguments.tau is None
        and is_for_parts(formula, name, arguments.fair)
    ):
        return run_in_parts(arguments, formula, name)
    return run_on_system(arguments, formula, name)


def wants_evidence(arguments: argparse.Namespace) -> bool:
    """Whether what shows the answer is to be written."""
    return arguments.evidence is not None or arguments.trace is not None


def is_for_parts(formula: str, file: str, fair: str | None) -> bool:
    """Whether a formula is one that the parts of a network are minimised for.

    Where it can count internal steps they seldom become smaller, and the whole is looked at.
    """
    from lts.logic.check import read
    from lts.logic.preserved import strong_labels

    if formula.strip() == "deterministic":
        return False
    parsed = read(formula, file, fair)
    return not parsed.slots and strong_labels(parsed, ()) is not None


def run_in_parts(arguments: argparse.Namespace, formula: str, file: str) -> int:
    """Check on a network that is minimised on the way, and say what was left of it."""
    from lts.logic.networks import check_network

    as_written = read_network(arguments, arguments.file, minimising=True)
    labels = dict.fromkeys(vector.result for vector in as_written.vectors)
    remark_absent(arguments, labels)
    network = as_written.hide(arguments.hide) if arguments.hide else as_written
    with phase("composing and minimising"), looked_at_by_engine():
        found = check_network(
            network,
            formula,
            fair=arguments.fair,
            limits=of_engine(arguments),
            threads=arguments.threads,
            file=file,
        )
    visible = {vector.result for vector in network.vectors} - {TAU}
    for action in found.unknown:
        remark(arguments, unknown(action, sorted(visible), (TAU,), labels))
    reduction = found.reduction
    if arguments.json:
        told = {"holds": found.holds, "unknown_actions": found.unknown}
        told |= {"equivalence": found.equivalence, "strong": sorted(found.strong)}
        told |= {"hidden": found.hidden}
        print(json.dumps(told | {"largest": reduction.largest, "built": reduction.built}))
    else:
        print(str(found.holds).lower())
    sys.stdout.flush()  # the answer comes first, also where both go to one file
    kind = "sharp" if found.strong else found.equivalence.replace("-branching", " branching")
    strong = f", {len(found.strong)} matched step by step" if found.strong else ""
    remark(
        arguments,
        f"looked at parts modulo {kind} bisimulation, the largest of {reduction.largest} states; "
        f"{found.hidden} labels hidden{strong}",
    )
    return 0 if found.holds else 1


def run_on_system(arguments: argparse.Namespace, formula: str, file: str) -> int:
    """Check on a system that is there as a whole."""
    from lts.logic import check

    # Whether labels lead to different states is no question of behaviour.
    states_count = formula.strip() == "deterministic"
    reduction = "original" if states_count or wants_evidence(arguments) else "bisimilar"
    as_written = load(arguments, arguments.file, hidden=False, reduction=reduction)
    remark_absent(arguments, as_written.labels)
    system = hide(as_written, arguments.hide)
    with phase("checking"):
        found = check(system, formula, fair=arguments.fair, file=file)
    visible = [label for label in system.labels if label not in system.internal]
    for action in found.unknown:
        remark(arguments, unknown(action, visible, system.internal, as_written.labels))
    if arguments.json:
        told = {"holds": found.holds, "unknown_actions": found.unknown}
        print(json.dumps(told | path_told(found.path)))
    else:
        print(str(found.holds).lower())
    write_evidence(arguments, found.evidence)
    show_path(arguments, found.path)
    return 0 if found.holds else 1


def run_on_the_fly(arguments: argparse.Namespace, formula: str, file: str) -> int:
    """Check on a specification, and say how much was looked at."""
    from lts.logic import check_process
    from lts.text.source import Source

    process = linear_process(arguments, arguments.file)
    actions = sorted({action.name for action in process.specification.actions})
    remark_absent(arguments, actions)
    limits = of_engine(arguments)
    internal = internal_on_the_fly(arguments)

    def decide(generators: tuple[Permutation, ...]) -> ProcessVerdict:
        with quotient_progress(arguments) as progress, looked_at_by_engine():
            return check_process(
                process,
                Source(formula, file),
                generators,
                replace(settings_under(arguments, progress), limits=limits),
                fair=arguments.fair,
                internal=internal,
                evidence=wants_evidence(arguments),
            )

    if arguments.symmetry is None:
        refuse_alone(arguments)
        found = decide(())
    else:
        from ltstool.symmetric.given import explore

        _, found = explore(arguments, process, limits, decide)
    for action in found.unknown:
        remark(arguments, unknown(action, actions, internal.labels, actions))
    remark_normal_forms(arguments, found.normal_forms)
    numbers = {name: getattr(found, name) for name in ("states", "positions", "explored", "order")}
    if arguments.json:
        shown = {"holds": found.holds, "unknown_actions": found.unknown, "pairs": found.pairs}
        print(json.dumps(shown | numbers | path_told(found.path)))
    else:
        print(str(found.holds).lower())
    if found.evidence is not None:
        write_evidence(arguments, found.evidence)
    elif arguments.evidence is not None:
        remark(arguments, f"the evidence is too large: {arguments.evidence} is not written")
    sys.stdout.flush()  # the answer comes first, also where both go to one file
    show_path(arguments, found.path)
    if arguments.verbose:
        print(looked_at(found), file=sys.stderr)
    else:
        remark(arguments, summary(found))
    return 0 if found.holds else 1


def summary(found: ProcessVerdict) -> str:
    """Return in a line how much was looked at."""
    if found.order > 1:
        return (
            f"looked at {found.explored} orbits of pairs of a state and a part, under a group "
            f"{found.known}"
        )
    states = f"{found.states} state{'' if found.states == 1 else 's'}"
    return f"looked at the steps of {states}, {found.explored} pairs of a state and a part"


def looked_at(found: ProcessVerdict) -> str:
    """Return what was looked at, in lines."""
    if found.order > 1:
        return "\n".join(
            [
                f"group        {found.known}",
                f"orbits       {found.positions} of pairs of a state and a part of the formula, "
                f"{found.explored} looked at",
                f"pairs        {found.pairs}",
                f"memory       {found.store / 1e6:.1f} MB for the orbits",
            ]
        )
    return "\n".join(
        [
            f"states       {found.states} whose steps were looked at",
            f"pairs        {found.positions} of a state and a part of the formula were met, "
            f"{found.explored} looked at",
            f"memory       {found.store / 1e6:.1f} MB for them",
        ]
    )


def path_told(path: Lasso | None) -> dict[str, Any]:
    """Return the path that shows the answer, if there is one, as JSON has it."""
    if path is None:
        return {}
    return {"path": [label for _, label, _ in path.steps], "again": path.again}


def show_path(arguments: argparse.Namespace, path: Lasso | None) -> None:
    """Tell the path that shows the answer, and write it where asked for."""
    from lts.trace import TraceStep, labels_shown

    sys.stdout.flush()
    if path is None:
        if arguments.trace is not None:
            remark(arguments, f"no single path shows it, so {arguments.trace} is not written")
        return
    labels = [label for _, label, _ in path.steps]
    if arguments.trace is not None:
        write_traces(arguments.trace, [[TraceStep(label) for label in labels]])
    told = [labels_shown(labels[: path.again], SHOWN)] if path.again != 0 else []
    if path.again is not None:
        told.append(f"again and again {labels_shown(labels[path.again :], SHOWN)}")
    remark(arguments, f"shown by the path {', then '.join(told)}")


def write_evidence(arguments: argparse.Namespace, evidence: LTS) -> None:
    """Write what shows the answer, where asked for."""
    if arguments.evidence is not None:
        write_lts(evidence.reachable(), arguments.evidence)


def unknown(
    action: str, labels: Iterable[str], internal: Iterable[str], as_written: Iterable[str]
) -> str:
    """Return what to say of an action in a formula that no label is.

    `labels` are those that are visible, `as_written` all before anything was hidden.
    """
    known = [*labels]
    name = action.removesuffix("(...)")
    if name in internal:
        return f"`{name}` is internal here: a formula calls it `tau`"
    every = {label if action == name else label.partition("(")[0] for label in as_written}
    if name in every:
        return f"`{action}` is hidden: a formula calls it `tau`"
    if name in {label.partition("(")[0] for label in known}:
        return f"no label is `{action}`, but some have arguments: `{name}(...)` is any of them"
    names = known if action == name else [f"{label.partition('(')[0]}(...)" for label in known]
    folded = {known.casefold(): known for known in reversed(names)}
    near = difflib.get_close_matches(action.casefold(), folded, n=1)
    hint = f"; did you mean `{folded[near[0]]}`?" if near else ""
    return f"no label is `{action}`{hint}"
