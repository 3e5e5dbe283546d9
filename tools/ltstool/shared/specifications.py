"""Specifications and symmetries on the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lts.errors import LtsError
from ltstool.shared.files import refuse_same, refuse_written
from ltstool.shared.identities import add_identities, identities_of
from ltstool.shared.numbers import MOST, clipped, natural
from ltstool.shared.options import remark

if TYPE_CHECKING:
    from lts.specification.specification import Specification
    from lts.symmetry import Symmetry


def add_specification(parser: argparse.ArgumentParser) -> None:
    """Add the specification that is read, and `--set`."""
    parser.add_argument(
        "specification", metavar="SPEC", help="muCRL or mCRL2 file, also .lps (`-`: standard input)"
    )
    add_parameters(parser)


def add_parameters(parser: argparse._ActionsContainer) -> None:
    """Add `--language`, `--set N=3`, a dict `arguments.parameters`, and `--strict`."""
    parser.add_argument(
        "--language",
        choices=("mucrl", "mcrl2"),
        help="language of the specification (default: mcrl2 if its name ends in .mcrl2 or .lps, "
        "else mucrl)",
    )
    parser.add_argument(
        "--set",
        metavar="NAME=NUMBER",
        dest="parameters",
        action=_Assign,
        default={},
        help="value of a parameter that the specification declares (`%%@ parameter`), in mCRL2 of "
        "a constant (`map N: Pos; eqn N = 3;`)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse communication that is not associative, closed terms that no equation fits, "
        "and what does nothing in a network",
    )


def remark_normal_forms(arguments: argparse.Namespace, shown: Iterable[str]) -> None:
    """Remark on values that no equation fits, of each function one."""
    for text in shown:
        remark(arguments, f"no equation fits `{text}`: it is a value (--strict refuses it)")


def add_simplifications(parser: argparse._ActionsContainer) -> None:
    """Add `--no-simplify KINDS`: `arguments.no_simplify`, a list."""
    parser.add_argument(
        "--no-simplify",
        metavar="KINDS",
        type=_simplification_list,
        default=[],
        help="leave out simplifications of the linear process, separated by commas: unreachable, "
        "constants, dead, unused, duplicates, or `all`",
    )


def _simplification_list(text: str) -> list[str]:
    from lts.linear.simplify import SIMPLIFICATIONS

    kinds = list(SIMPLIFICATIONS) if text == "all" else text.split(",")
    if unknown := [kind for kind in kinds if kind not in SIMPLIFICATIONS]:
        raise argparse.ArgumentTypeError(f"no simplification is called `{unknown[0]}`")
    return kinds


def simplifications(arguments: argparse.Namespace) -> list[str]:
    """Return the simplifications that are to be done."""
    from lts.linear.simplify import SIMPLIFICATIONS

    return [kind for kind in SIMPLIFICATIONS if kind not in arguments.no_simplify]


OF_SPECIFICATION = (
    "permutation such as `(d1 d2 d3)`, or symmetry file; of a specification also sorts whose "
    "values may be exchanged (`Pid,Data`), `auto`: what can be found and proven, or `() with f`: "
    "values are moved by its map f"
)


def add_symmetry(
    parser: argparse._ActionsContainer, *, required: bool, help: str, identities: bool = True
) -> None:
    """Add `--symmetry S`, also called `--permute`: `arguments.symmetry`, and `--identities`."""
    parser.add_argument(
        "--symmetry", "--permute", metavar="S", required=required, help=help, action=_Once
    )
    if identities:
        add_identities(parser)


def read_specification(arguments: argparse.Namespace, file: str) -> Specification:
    """Read a specification, `-` from standard input, as `add_parameters` says; remark on it."""
    name = "standard input" if file == "-" else file
    text = _standard_input() if file == "-" else None
    language = arguments.language
    if language is None:
        refuse_kind(file, "a specification")
        language = "mcrl2" if _is_mcrl2(file, text) else "mucrl"
    if language == "mcrl2":
        from lts import mcrl2

        text = mcrl2.text_of(file) if text is None else text
        identities = identities_of(arguments, text, name)
        specification = mcrl2.read_text(
            text,
            file=name,
            parameters=arguments.parameters,
            strict=arguments.strict,
            identities=identities,
        )
    else:
        from lts import mucrl

        if getattr(arguments, "identities", None) is not None:
            raise LtsError(
                "--identities is for mCRL2: in muCRL identities have a sort of their own"
            )

        options: dict[str, Any] = {"parameters": arguments.parameters, "strict": arguments.strict}
        if text is not None:
            specification = mucrl.read_text(text, file=name, **options)
        else:
            specification = mucrl.read(file, **options)
    refuse_written(specification.source.files)
    for text in specification.remarks:
        remark(arguments, text)
    return specification


def _is_mcrl2(file: str, text: str | None) -> bool:
    """Whether a specification is one of mCRL2: by its name, or as it is a binary file."""
    if Path(file).suffix.lower() in (".mcrl2", ".lps"):
        return True
    if text is None and not os.path.isfile(file):
        return False
    from lts.mcrl2.binary.source import START, is_binary

    if text is not None:
        return is_binary(text)
    with open(file, "rb") as opened:
        return opened.read(len(START)) == START


def refuse_kind(file: str, wanted: str) -> None:
    """Refuse a file that is something else than a specification or a network, by its name."""
    from lts.formats.names import kind_by_name

    found = None if file == "-" else kind_by_name(file)
    if found not in (None, wanted):
        raise LtsError(f"`{file}` is {found}, by its name: what is read here is {wanted}")


def _standard_input() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def read_symmetry(text: str, parameters: Mapping[str, int] | None = None) -> Symmetry:
    """Return the symmetry of a file, or of a permutation that is written out."""
    from lts.symmetry import Symmetry, parse_permutation, parse_symmetry_file

    if not text.lstrip().startswith("("):
        if not Path(text).exists():
            raise LtsError(
                f"there is no symmetry file `{text}` (sorts and `auto` are for specifications)"
            )
        # Labels are any bytes, and so is what permutations say of them.
        content = Path(text).read_text(encoding="utf-8-sig", errors="surrogateescape")
        return parse_symmetry_file(content, name=text, parameters=parameters)
    return Symmetry(kind="labels", generators=(parse_permutation(text, name="permutation"),))


class _Once(argparse.Action):
    """Refuses a second permutation, of which the first would be forgotten."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        if getattr(namespace, self.dest) is not None:
            raise argparse.ArgumentError(
                self, "given twice: several permutations stand in a symmetry file"
            )
        setattr(namespace, self.dest, values)


class _Assign(argparse.Action):
    """Collects NAME=NUMBER in a dict."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        name, equals, digits = values.partition("=")
        number = natural(digits)
        if not equals or not name.isidentifier() or number is None:
            raise argparse.ArgumentError(self, f"expected NAME=NUMBER, not `{clipped(values)}`")
        if number > MOST:
            raise argparse.ArgumentError(self, f"{clipped(values)} is more than {MOST}")
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), name: number})


def output_name(out: str | None, symmetry_out: str | None) -> str:
    """Return where the symmetry file goes: beside the output, or where the user says."""
    if symmetry_out is not None:
        refuse_same({"the symmetry file": symmetry_out, "the reduction": out})
        return symmetry_out
    if out in (None, "-"):
        raise LtsError(
            "the reduction goes to standard output, so `--write-symmetry FILE` must say where its "
            "symmetry file goes"
        )
    return f"{out}.sym"
