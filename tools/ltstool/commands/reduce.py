"""`ltstool reduce`: one state and one transition of each orbit, and what is needed to go back."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack

from lts.errors import LtsError
from ltstool import partitioned
from ltstool.shared.idle import LTS_FILE, refuse_idle
from ltstool.shared.options import (
    add_certificate,
    add_from,
    add_input,
    add_output,
    add_salvage,
    add_tau,
    add_threads,
)
from ltstool.shared.originals import add_as_such
from ltstool.shared.specifications import (
    OF_SPECIFICATION,
    add_parameters,
    add_simplifications,
    add_symmetry,
)
from ltstool.shared.systems import add_limits
from ltstool.symmetric.options import add_node_limit, add_reduction_output, add_strategy
from ltstool.symmetric.reductions import count, write_reduction

HELP = (
    "reduce an LTS, or on the fly a specification or a network, by a symmetry that is proven on "
    "the way"
)
EXAMPLES = (
    "reduce cases/mutex.mcrl --symmetry cases/mutex.sym -o reduced.aut",
    "reduce system.aut --symmetry '(d1 d2)' -o reduced.aut",
    "reduce network.exp --symmetry auto --count",
    "reduce cases/peterson.mcrl --set N=5 --symmetry Pid --count --partitions 2",
    "reduce model.mcrl --symmetry Pid -o reduced.aut --partitions 8 --max-memory 2G",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `reduce` takes."""
    add_input(parser)
    add_symmetry(parser, required=True, help=OF_SPECIFICATION)
    add_output(parser)
    add_reduction_output(parser)
    parser.add_argument(
        "--count",
        action="store_true",
        help="print how many orbits there are, and the states and transitions that they stand for; "
        "write nothing",
    )
    add_search(parser)
    add_certificate(parser)
    partitioned.add_orbits(parser)


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add what the search for a symmetry takes."""
    add_parameters(parser)
    add_simplifications(parser)
    add_limits(parser)
    add_tau(parser)
    add_as_such(parser)
    add_salvage(parser)
    add_from(parser)
    add_threads(parser)
    add_strategy(parser)
    add_node_limit(parser)


def run(arguments: argparse.Namespace) -> int:
    """Reduce and write, or count."""
    refuse_idle(arguments, arguments.file, meant={"certificate": (LTS_FILE,)})
    in_parts = partitioned.explores_orbits(arguments)
    if not arguments.count:
        return write_reduction(arguments, in_parts=in_parts)
    if arguments.output is not None or arguments.certificate is not None:
        raise LtsError("--count writes no reduction: leave out -o and --certificate")
    with ExitStack() as stack:
        numbers = count(arguments, stack if in_parts else None)
        if arguments.json:
            print(json.dumps(numbers))
        else:
            print(f"group        of order {numbers['order']}")
            print(f"orbits       {numbers['orbits']}")
            if "representatives" in numbers:
                print(f"explored     {numbers['representatives']}, with approximate images")
            print(f"states       {numbers['states']}")
            print(f"transitions  {numbers['transitions']}")
        sys.stdout.flush()
    return 0
