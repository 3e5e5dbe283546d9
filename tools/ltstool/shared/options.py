"""Options that several commands have, so that they are called the same and mean the same."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lts.errors import LtsError, SpecificationError
from lts.formats.names import FORMATS
from lts.names import label_text
from lts.system import LTS, unmatched
from ltstool.shared.files import is_standard, read_lts
from ltstool.shared.numbers import thread_count

if TYPE_CHECKING:
    from lts._engine import Quotient
    from lts.state_space import Internal


def add_input(parser: argparse.ArgumentParser, what: str = ".aut file") -> None:
    """Add the file that is read: `arguments.file`; `what` it is."""
    parser.add_argument("file", nargs="?", metavar="FILE", help=f"{what} (default: standard input)")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add `-o OUT`: `arguments.output`."""
    parser.add_argument("-o", "--output", metavar="OUT", help="default: standard output")


def add_tau(parser: argparse.ArgumentParser, of: str = "") -> None:
    """Add `--tau LABELS`: `arguments.tau`, a list or None, or another name with `of` what it is."""
    default = "what the text says" if of else "tau, or i where no label is tau"
    parser.add_argument(
        "--tau",
        dest=f"tau_of_{of}" if of else "tau",
        metavar="LABELS",
        type=split_list,
        help=f"labels{f' of {of}' if of else ''} that are internal, separated by commas "
        f"(default: {default}; '' for none)",
    )


def add_hide(parser: argparse.ArgumentParser) -> None:
    """Add `--hide A,B`: `arguments.hide`, a list."""
    parser.add_argument(
        "--hide",
        metavar="A,B",
        type=split_list,
        action="extend",
        default=[],
        help="make these internal, separated by commas: actions by name, whole labels, or patterns "
        "for either with * and ?",
    )


def add_certificate(parser: argparse._ActionsContainer) -> None:
    """Add `--certificate FILE`: `arguments.certificate`."""
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="write what shows the result to whoever has only the .aut files, for "
        "`tools/verify/verify.py`",
    )


def add_threads(parser: argparse._ActionsContainer) -> None:
    """Add `--threads N`: `arguments.threads`, at least 1."""
    parser.add_argument(
        "--threads",
        metavar="N",
        type=thread_count,
        default=1,
        help="work on so many processor cores; the result is the same (default: %(default)s)",
    )


def add_from(parser: argparse.ArgumentParser) -> None:
    """Add `--from FORMAT`: `arguments.from`, the name of a format or None."""
    parser.add_argument(
        "--from",
        choices=sorted(name for name, entry in FORMATS.items() if entry.is_read),
        help="the format of the LTS that is read (default: by the name of the file, else aut)",
    )


def add_salvage(parser: argparse.ArgumentParser) -> None:
    """Add `--salvage`: `arguments.salvage`."""
    parser.add_argument(
        "--salvage",
        action="store_true",
        help="accept an unfinished file: count what is there, leave out a last line that was cut",
    )


def read_as_told(arguments: argparse.Namespace, file: str | None) -> LTS:
    """Read `file` as `--salvage` and `--from` say, as far as the command has them."""
    kind = getattr(arguments, "from", None)
    return read_lts(file, salvage=getattr(arguments, "salvage", False), kind=kind)


def hide_given(arguments: argparse.Namespace, system: LTS) -> LTS:
    """Return `system` with hidden what `--hide` says, if the command has that."""
    if not hasattr(arguments, "hide"):
        return system
    remark_absent(arguments, system.labels)
    return hide(system, arguments.hide)


def with_tau(arguments: argparse.Namespace, file: str | None, system: LTS) -> LTS:
    """Return what was read from a file with the internal labels that `--tau` says, and remark on
    those that are taken by convention."""
    tau = internal_given(arguments, system.labels)
    if tau is None:
        if "i" in system.internal:
            name = "standard input" if file is None or is_standard(file) else file
            said = f"the label `i` of {name} is taken as internal (`--tau ''` if it is not)"
            remark(arguments, said)
        return system
    return system.with_internal(tau)


def quotient_with_tau(arguments: argparse.Namespace, quotient: Quotient) -> Quotient:
    """Return what was explored by orbits with the internal labels that `--tau` says, which the
    group has to leave where they are."""
    tau = internal_given(arguments, map(label_text, quotient.labels))
    if tau is None:
        return quotient
    try:
        return quotient.with_internal([label.encode("utf-8", "surrogateescape") for label in tau])
    except ValueError as error:
        raise SpecificationError(f"--tau: {error}") from None


def internal_given(arguments: argparse.Namespace, labels: Iterable[str]) -> list[str] | None:
    """Return the labels that `--tau` makes internal, if it is given; remark on those that are none
    of `labels`."""
    tau: list[str] | None = getattr(arguments, "tau", None)
    if tau:
        known = set(labels)
        if absent := [label for label in tau if label not in known]:
            remark(arguments, f"no label to be internal is {', '.join(absent)}")
    return tau


def internal_on_the_fly(arguments: argparse.Namespace) -> Internal:
    """Return what is internal in what is explored, as `--tau` and `--hide` say."""
    from lts.state_space.settings import Internal

    tau = ["tau"] if arguments.tau is None else arguments.tau
    return Internal(tuple(tau), tuple(arguments.hide))


def remark_internal(arguments: argparse.Namespace, system: LTS) -> None:
    """Remark on internal labels of a system to be written that readers do not know by their name.

    That they are internal was said by `--tau`.
    """
    if getattr(arguments, "tau", None) is None:
        return
    used = {label for label, count in system.label_counts().items() if count}
    known = "tau" if "tau" in used else "i"
    unknown = [label for label in system.internal if label in used and label != known]
    if unknown:
        shown = ",".join(unknown)
        remark(arguments, f"what is written is to be read with `--tau '{shown}'`, too")


def hide(system: LTS, names: Sequence[str]) -> LTS:
    """Return `system` with actions hidden, if there are any to hide.

    Names that are for none are remarked on by `remark_absent`, once for all systems.
    """
    return system._hide(names) if names else system


def add_strong(parser: argparse._ActionsContainer) -> None:
    """Add `--strong A,B`: `arguments.strong`, a list."""
    parser.add_argument(
        "--strong",
        metavar="A,B",
        type=split_list,
        action="extend",
        default=[],
        help="modulo divergence-preserving branching bisimulation, steps that are matched by one "
        "step each, without internal steps before (sharp bisimulation); named as for --hide",
    )


def remark_absent(
    arguments: argparse.Namespace, labels: Iterable[str], option: str = "hide"
) -> None:
    """Remark on names and patterns in `arguments.hide`, or another list, that are for no label."""
    absent = unmatched(getattr(arguments, option), labels)
    if absent:
        what = "nothing to hide" if option == "hide" else f"nothing is {option}"
        remark(arguments, f"{what}: no action or label is {', '.join(absent)}")


def refuse_json_beside(arguments: argparse.Namespace, out: str | None) -> None:
    """Refuse `--json` where what is written goes to standard output, too."""
    if arguments.json and is_standard(out):
        message = "--json and what is written would both go to standard output: say -o FILE"
        raise LtsError(message)


def tell_written(arguments: argparse.Namespace, **facts: int) -> None:
    """Print what was written, with `--json`."""
    if arguments.json:
        print(json.dumps(facts))


def remark(arguments: argparse.Namespace, text: str) -> None:
    """Say something nobody asked for: on standard error, silent with `-q`."""
    if not arguments.quiet:
        print(f"ltstool: {text}", file=sys.stderr)


def split_list(text: str) -> list[str]:
    """Split at commas outside brackets and quotes: `c2(d1,0),c3` are two."""
    parts, depth, quoted = [""], 0, False
    for c in text:
        if c == "," and depth == 0 and not quoted:
            parts.append("")
            continue
        parts[-1] += c
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth = max(0, depth + (c in "([{") - (c in ")]}"))
    return [part.strip() for part in parts if part.strip()]
