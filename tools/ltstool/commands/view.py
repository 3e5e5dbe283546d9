"""`ltstool view`: a page to explore a system in a browser."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.commands.minimise import equivalence_help
from ltstool.shared.files import formula_file, is_standard, open_output, refuse_written
from ltstool.shared.idle import ALL, is_explored, refuse_idle
from ltstool.shared.numbers import positive
from ltstool.shared.options import (
    add_from,
    add_hide,
    add_salvage,
    add_tau,
    hide,
    hide_given,
    read_as_told,
    remark_absent,
    with_tau,
)
from ltstool.shared.originals import add_as_such, reduction, shown
from ltstool.shared.systems import SYSTEM, add_system_options
from ltstool.symmetric.of_labels import permutations_of_labels, read_system
from ltstool.symmetric.options import add_symmetry_of_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lts.linear.process import LinearProcess
    from lts.network import Network
    from lts.system import LTS
    from lts.view import Colouring, Values

HELP = "write a page to explore a system in a browser, or two systems beside each other"
EXAMPLES = (
    "view cases/abp.mcrl",
    "view cases/peterson.mcrl --symmetry Pid",
    "view system.aut -e branching --formula '[true*]<true>true' -o page.html",
    "view left.aut right.aut -e strong",
)

MARK = b'<meta name="generator" content="ltstool view">'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `view` takes."""
    parser.add_argument("file", nargs="?", metavar="FILE", help=f"{SYSTEM} (default: stdin)")
    parser.add_argument(
        "other",
        nargs="?",
        metavar="OTHER",
        help="a system to show beside it; with -e, what tells them apart is lit up in both",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PAGE",
        help="default: the name of FILE with .html, in the folder where one works",
    )
    parser.add_argument(
        "-e",
        "--equivalence",
        metavar="EQUIVALENCE",
        action="append",
        default=[],
        help=f"colour the blocks of an equivalence; may be given again; {equivalence_help()}",
    )
    parser.add_argument(
        "--formula",
        dest="formulas",
        metavar="FORMULA",
        action="append",
        default=[],
        help="colour the states in which a formula holds, as `check` takes it; may be given again",
    )
    add_symmetry_of_labels(
        parser,
        "its orbits are coloured (default for small systems: the orbits of all symmetries of data)",
    )
    add_hide(parser)
    add_tau(parser)
    add_as_such(parser)
    add_salvage(parser)
    add_from(parser)
    from lts.view.limits import MAX_STATES

    parser.add_argument(
        "--max-states",
        metavar="N",
        type=positive,
        default=MAX_STATES,
        help="stop when a system has more states (exit 3; default: %(default)s)",
    )
    group = parser.add_argument_group("specifications", "the state space of one is generated")
    add_system_options(group)


def run(arguments: argparse.Namespace) -> int:
    """Write the page, and say where it is."""
    files = [arguments.file] + [arguments.other] * (arguments.other is not None)
    refuse_idle(arguments, *files, meant={"max_states": ALL})
    if len(files) > 1 and all(map(is_standard, files)):
        raise LtsError("only one of the two systems can come from standard input")
    out = arguments.output if arguments.output is not None else default_name(files)
    if len(files) > 1:
        page, facts = compared(arguments, files)
    else:
        page, facts = single(arguments)
    with open_output(out) as opened:
        opened.write(page)
    if arguments.json and not is_standard(out):
        print(json.dumps({"page": out, **facts}))
    elif not is_standard(out):
        print(f"{out}: open it in a browser")
    return 0


def default_name(files: list[str | None]) -> str:
    """Return the name of a page in the current directory; refuse to write over what is none."""
    stems = ["stdin" if file is None or is_standard(file) else Path(file).stem for file in files]
    name = f"{'-'.join(stems)}.html"
    if os.path.exists(name):
        with open(name, "rb") as opened:
            if MARK not in opened.read(4096):
                raise LtsError(f"`{name}` is there and no page of ltstool: `-o PAGE` says where to")
    return name


def single(arguments: argparse.Namespace) -> tuple[bytes, dict[str, object]]:
    """Return the page of one system, or of a reduction with its original."""
    from lts.view import orbits, page, reduced

    file = arguments.file
    if is_reduction(arguments, file):
        found = reduction(file, read_as_told(arguments, file))
        assert found is not None
        encoding, symmetry = found
        if arguments.equivalence or arguments.formulas or arguments.symmetry or arguments.hide:
            raise LtsError(
                f"{shown(file)} is a reduction, shown beside its original: -e, --formula, "
                "--symmetry and --hide are for a system (`--as-such`, or what `expand` writes)"
            )
        title = f"{shown(file)} and its original"
        encoding = with_tau(arguments, file, encoding)
        made = reduced(encoding, symmetry, title=title, max_states=arguments.max_states)
        return made, {"states": encoding.state_count}
    whole, source = read_system(arguments, file)
    system = hide_given(arguments, whole)
    colourings: list[Colouring] = []
    if arguments.symmetry is not None:
        # What a specification has proven is a symmetry whatever is hidden; of an LTS only what is
        # left has to have it.
        moved = system if source is None else whole
        colourings.append(orbits(moved, permutations_of_labels(arguments, moved, source)))
    made = page(
        system,
        title=shown(file),
        equivalences=arguments.equivalence,
        formulas=[*map(formula_text, arguments.formulas)],
        colourings=colourings,
        values=data_of(whole, source),
        max_states=arguments.max_states,
    )
    return made, {"states": system.state_count, "transitions": system.transition_count}


def compared(
    arguments: argparse.Namespace, files: list[str | None]
) -> tuple[bytes, dict[str, object]]:
    """Return the page of two systems."""
    from lts.view import beside
    from lts.view import compared as page_of_two

    if arguments.symmetry is not None:
        raise LtsError("--symmetry is for one system; two are shown with `-e EQUIVALENCE`")
    if len(arguments.equivalence) > 1:
        raise LtsError("two systems are compared modulo one equivalence: one -e")
    (left, of_left), (right, of_right) = (read_system(arguments, file) for file in files)
    one, other = data_of(left, of_left), data_of(right, of_right)
    remark_absent(arguments, [*left.labels, *right.labels])
    systems = hide(left, arguments.hide), hide(right, arguments.hide)
    titles = shown(files[0]), shown(files[1])
    formulas = [*map(formula_text, arguments.formulas)]
    limit = arguments.max_states
    if not arguments.equivalence:
        whole = beside(
            *systems, titles=titles, formulas=formulas, values=(one, other), max_states=limit
        )
        return whole, {}
    whole, found = page_of_two(
        *systems,
        arguments.equivalence[0],
        titles=titles,
        formulas=formulas,
        values=(one, other),
        max_states=limit,
    )
    return whole, {"equivalent": found.holds}


def is_reduction(arguments: argparse.Namespace, file: str | None) -> bool:
    """Whether a file is a reduction that is to be read as one."""
    if arguments.as_such or is_explored(arguments, file):
        return False
    beside = not is_standard(file) and Path(f"{file}.sym").is_file()
    return beside and reduction(file, read_as_told(arguments, file)) is not None


def data_of(system: LTS, source: LinearProcess | Network | None) -> Sequence[Values]:
    """Return the data of the states of a system, as far as what it was generated of tells them."""
    from lts.view import state_data

    return () if source is None else state_data(system, source)


def formula_text(formula: str) -> str:
    """Return a formula, or what is in the file that `@FILE` names."""
    file = formula_file(formula)
    if file is None:
        return formula
    refuse_written([file])
    return Path(file).read_text(encoding="utf-8-sig", errors="surrogateescape")
