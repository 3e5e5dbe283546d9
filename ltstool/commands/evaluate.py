"""`ltstool evaluate`: print the normal form of a data expression."""

from __future__ import annotations

import sys

from lts.errors import LtsError
from ltstool.options.request import Request, Takes
from ltstool.options.table import SPECIFICATION, option
from ltstool.shared.reading import read_specification
from ltstool.shared.shown import facts

HELP = "print the normal form of a data expression, by the equations of a specification"
EXAMPLES = (
    "evaluate protocol.mcrl2 'tail([1, 2]) ++ [3]'",
    "evaluate cases/abp.mcrl 'invert(0)'",
)


class Evaluating(Request):
    """The options of `evaluate`."""

    expression: str = option(
        "EXPRESSION",
        "an expression without free variables, in the language of the specification; after `--` "
        "if it begins with `-`",
    )


TAKES = Takes(
    request=Evaluating,
    reads=(SPECIFICATION,),
    options=(
        *("file", "expression", "verbose", "language", "parameters", "strict"),
        *("ignore_time", "include_path"),
    ),
    changed={
        "file": {
            "flags": "SPEC",
            "help": "specification (.mcrl, .mcrl2, .lps; `-`: standard input)",
        },
        "verbose": {"help": "print the sort, and how many equations were applied"},
    },
)


def run(request: Evaluating) -> int:
    """Print the normal form; with `--strict` it must be a value."""
    from lts.mucrl import evaluate

    specification = read_specification(request, request.reading.file)
    found = evaluate(specification, request.expression)
    if not found.is_value:
        raise LtsError(f"`{request.expression}` does not reduce to a value, but to `{found}`")
    request.say({"value": found.text, "sort": found.sort, "steps": found.steps}, found.text)
    if request.verbose:
        print(facts({"sort": found.sort, "steps": found.steps}), file=sys.stderr)
    return 0
