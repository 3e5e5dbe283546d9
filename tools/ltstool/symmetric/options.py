"""The options about symmetry that several commands take."""

from __future__ import annotations

import argparse

from ltstool.shared.numbers import natural_number, positive
from ltstool.shared.specifications import OF_SPECIFICATION, add_symmetry

SAMPLE = 32
"""States in which a proof from the text is looked at again."""

NODE_LIMIT = 1_000_000
"""Choices after which a search is given up unless told otherwise: as in `lts.symmetry.labels`,
which takes long to load."""


def add_strategy(parser: argparse._ActionsContainer) -> None:
    """Add `--strategy` and `--symmetry-proof`."""
    parser.add_argument(
        "--strategy",
        choices=("enumerate", "refine"),
        help="how the representatives of a specification's orbits are chosen (default: as suits "
        "the group)",
    )
    parser.add_argument(
        "--symmetry-proof",
        choices=("certificate", "static", "tested"),
        default="certificate",
        help="prove the symmetry from the text where that shows it, and else by comparing steps in "
        "all local situations with those of their images; from the text alone (static); or by "
        "comparing alone (tested) (default: %(default)s)",
    )
    parser.add_argument(
        "--proof-sample",
        metavar="N",
        type=natural_number,
        default=SAMPLE,
        help="compare what the text has proven all the same, in N states (default: %(default)s; "
        "0: believe the text)",
    )


def add_node_limit(parser: argparse._ActionsContainer) -> None:
    """Add `--node-limit N`."""
    parser.add_argument(
        "--node-limit",
        metavar="N",
        type=positive,
        default=NODE_LIMIT,
        help="choices in a search for automorphisms or canonical images; of a specification, one "
        "that takes more is approximate: more states are explored, and joined in the end "
        "(default: %(default)s)",
    )


def add_symmetry_output(parser: argparse._ActionsContainer) -> None:
    """Add `--write-symmetry`."""
    parser.add_argument(
        "--write-symmetry", metavar="FILE", help="symmetry file that is written (default: OUT.sym)"
    )


def add_reduction_output(parser: argparse._ActionsContainer, order: str = "greedy") -> None:
    """Add how a reduction is written; `order` is the default."""
    add_symmetry_output(parser)
    parser.add_argument(
        "--order",
        choices=("greedy", "bfs"),
        default=order,
        help="store few states, for which all states of the original are looked at unless they are "
        "too many, or each transition as it is met first (default: %(default)s)",
    )


def add_symmetry_of_labels(parser: argparse.ArgumentParser, help: str) -> None:
    """Add `--symmetry`; a symmetry of a specification is proven in the way that is the default."""
    add_symmetry(parser, required=False, help=f"{OF_SPECIFICATION}; {help}")
    parser.set_defaults(strategy=None, symmetry_proof="certificate", proof_sample=SAMPLE)
