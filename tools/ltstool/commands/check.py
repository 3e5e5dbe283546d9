"""`ltstool check`: whether a formula holds."""

from __future__ import annotations

import argparse
import difflib
import json
from pathlib import Path

from lts.system import LTS
from ltstool.shared.files import write_lts
from ltstool.shared.options import add_hide, add_tau, hide, load, remark, remark_absent
from ltstool.shared.originals import add_as_such

HELP = "check a formula of the modal mu-calculus: exit code 0 if it holds initially, else 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `check` takes."""
    from lts.logic.check import PROPERTIES

    parser.add_argument("file", metavar="FILE", help=".aut file (`-`: standard input)")
    parser.add_argument(
        "formula",
        metavar="FORMULA",
        help="a formula, as `[send(...)] mu X. <true>true && [!recv(...)]X`, or a property: "
        f"{', '.join(PROPERTIES)}, deterministic; or @FILE: a file with one, as "
        "`compare --evidence` writes it",
    )
    parser.add_argument(
        "--evidence",
        metavar="OUT",
        help="write the transitions that show the answer as an .aut file, states numbered anew",
    )
    add_hide(parser)
    add_tau(parser)
    add_as_such(parser)
    parser.set_defaults(salvage=False)


def run(arguments: argparse.Namespace) -> int:
    """Check and write what shows the answer."""
    from lts.logic import check

    formula, file = arguments.formula, "formula"
    if formula.startswith("@"):
        file = formula[1:]
        formula = Path(file).read_text(encoding="utf-8-sig", errors="surrogateescape")
    # Whether labels lead to different states is no question of behaviour.
    states_count = formula.strip() == "deterministic"
    reduction = "original" if states_count or arguments.evidence is not None else "bisimilar"
    as_written = load(arguments, arguments.file, hidden=False, reduction=reduction)
    remark_absent(arguments, as_written.labels)
    system = hide(as_written, arguments.hide)
    found = check(system, formula, file=file)
    for action in found.unknown:
        remark(arguments, unknown(action, system, as_written))
    if arguments.json:
        print(json.dumps({"holds": found.holds, "unknown_actions": found.unknown}))
    else:
        print(str(found.holds).lower())
    if arguments.evidence is not None:
        write_lts(found.evidence.reachable(), arguments.evidence)
    return 0 if found.holds else 1


def unknown(action: str, system: LTS, as_written: LTS) -> str:
    """Return what to say of an action in a formula that no label of the system is.

    `as_written` is the system before anything was hidden.
    """
    name = action.removesuffix("(...)")
    if name in system.internal:
        return f"`{name}` is internal here: a formula calls it `tau`"
    every = {label if action == name else label.partition("(")[0] for label in as_written.labels}
    if name in every:
        return f"`{action}` is hidden: a formula calls it `tau`"
    known = [label for label in system.labels if label not in system.internal]
    if name in {label.partition("(")[0] for label in known}:
        return f"no label is `{action}`, but some have arguments: `{name}(...)` is any of them"
    names = known if action == name else [f"{label.partition('(')[0]}(...)" for label in known]
    folded = {known.casefold(): known for known in reversed(names)}
    near = difflib.get_close_matches(action.casefold(), folded, n=1)
    hint = f"; did you mean `{folded[near[0]]}`?" if near else ""
    return f"no label is `{action}`{hint}"
