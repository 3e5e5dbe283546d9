"""The state space of a specification, breadth first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lts import _engine
from lts.errors import LimitReached, SpecificationError
from lts.mucrl.encode import Encoder
from lts.mucrl.linear import LinearProcess
from lts.mucrl.linearisation import linearise
from lts.mucrl.specification import Specification
from lts.system import LTS

__all__ = ["MAX_VALUES", "evaluation_errors", "generate"]

MAX_VALUES = 1_000_000
"""Values that a sum may take in one state before generation stops."""


def generate(
    process: Specification | LinearProcess,
    *,
    max_states: int | None = None,
    max_values: int = MAX_VALUES,
) -> LTS:
    """Return the labelled transition system of a specification or linear process.

    States are numbered breadth first from 0; labels are `name(arg,arg)`. Raises `LimitReached` with
    what was found if there are more than `max_states` states or a sum has more than `max_values`
    values, `SpecificationError` for a term that does not reduce to a value.
    """
    linear = process if isinstance(process, LinearProcess) else linearise(process)
    with evaluation_errors(linear):
        explored = Encoder(linear).linear_process().generate(max_states, max_values)
    check_limits(linear, explored, max_states, max_values)
    return LTS(explored.lts)


@contextmanager
def evaluation_errors(process: LinearProcess) -> Iterator[None]:
    """Turn an error of the engine into one that points at the summand's text."""
    try:
        yield
    except _engine.EvaluationError as error:
        message, summand = error.args
        source = process.specification.source
        if summand is None:
            raise SpecificationError(message, file=source.file) from None
        place = process.summands[summand].places[0]
        raise source.error(SpecificationError, message, place) from None


def check_limits(
    process: LinearProcess,
    explored: _engine.Exploration,
    max_states: int | None,
    max_values: int,
) -> None:
    """Raise `LimitReached` if the exploration was stopped by a limit."""
    if explored.complete:
        return
    found = {"states": explored.lts.states, "transitions": explored.lts.transitions}
    shown = f"{found['states']} states and {found['transitions']} transitions were found"
    if explored.limit_summand is None:
        assert max_states is not None
        message = f"more than {max_states} states; {shown}"
        raise LimitReached(message, limit=max_states, found=found)
    summand = process.summands[explored.limit_summand]
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in summand.variables)
    message = f"a sum over {names} has more than {max_values} values in one state; {shown}"
    source = process.specification.source
    line, column = summand.places[0]
    raise LimitReached(
        f"{source.file or 'text'}:{source.line_number(line)}:{column}: {message}",
        limit=max_values,
        found=found,
    )
