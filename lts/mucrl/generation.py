"""The state space of a specification, breadth first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from lts import _engine
from lts.errors import LimitReached, SpecificationError
from lts.mucrl.encode import Encoder
from lts.mucrl.linear import LinearProcess
from lts.mucrl.linearisation import linearise
from lts.mucrl.specification import Specification
from lts.system import LTS

__all__ = ["MAX_VALUES", "check_limits", "evaluation_errors", "generate", "sum_shown"]

MAX_VALUES = 1_000_000
"""Values that a sum may take in one state before generation stops."""


def generate(
    process: Specification | LinearProcess,
    *,
    max_states: int | None = None,
    max_values: int = MAX_VALUES,
    check: bool = False,
) -> LTS:
    """Return the labelled transition system of a specification or linear process.

    States are numbered breadth first from 0; labels are `name(arg,arg)`. Raises `LimitReached` with
    what was found if there are more than `max_states` states or a sum has more than `max_values`
    values, `SpecificationError` for a term that does not reduce to a value; with `check`, also for
    one that is not built from constructors only, as a constant without equations.
    """
    linear = process if isinstance(process, LinearProcess) else linearise(process)
    with evaluation_errors(linear):
        encoder = Encoder(linear)
        engine = encoder.linear_process()
        if check:
            unset = linear.unset.values()
            engine.check_values([encoder.symbols[term.function] for term in unset])
        explored = engine.generate(max_states, max_values)
    sizes = {"states": explored.lts.states, "transitions": explored.lts.transitions}
    check_limits(linear, explored.complete, explored.limit_summand, sizes, max_states, max_values)
    return LTS(explored.lts)


@contextmanager
def evaluation_errors(process: LinearProcess) -> Iterator[None]:
    """Turn an error of the engine into one that points at the summand's text."""
    try:
        yield
    except _engine.EvaluationError as error:
        message, summand = error.args
        message = re.sub(
            r"parameter #(\d+)$",
            lambda match: f"`{process.parameters[int(match[1])].variable}`",
            message,
        )
        source = process.specification.source
        if summand is None:
            raise SpecificationError(message, file=source.file) from None
        place = process.summands[summand].places[0]
        raise source.error(SpecificationError, message, place) from None
    except _engine.LabelLimit as error:
        most, summand = error.args
        where = "" if summand is None else f"{_where(process, summand)}: "
        what = "labels" if summand is None else f"labels of {_named(process, summand)}"
        message = f"{where}{what} take more than {most >> 20} MB: their data grow without bound"
        raise LimitReached(message, limit=most, found={}) from None


def _where(process: LinearProcess, number: int) -> str:
    """Return file, line and column of a summand."""
    line, column = process.summands[number].places[0]
    origin = process.specification.source.origin(line)
    return f"{origin.file or 'text'}:{origin.line}:{column}"


def _named(process: LinearProcess, number: int) -> str:
    """Return the action of a summand, with the variables it is a sum over."""
    summand = process.summands[number]
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in summand.variables)
    over = f" in a sum over {names}" if names else ""
    return f"`{summand.action or 'tau'}`{over}"


def check_limits(
    process: LinearProcess,
    complete: bool,
    limit_summand: int | None,
    found: dict[str, int],
    max_states: int | None,
    max_values: int,
) -> None:
    """Raise `LimitReached` with what was found if an exploration is not complete."""
    if complete:
        return
    kind, *_ = found
    shown = " and ".join(f"{number} {name}" for name, number in found.items()) + " were found"
    if limit_summand is None:
        assert max_states is not None
        message = f"more than {max_states} {kind}; {shown}"
        raise LimitReached(message, limit=max_states, found=found)
    shown = f"{sum_shown(process, limit_summand, max_values)}; {shown}"
    raise LimitReached(shown, limit=max_values, found=found)


def sum_shown(process: LinearProcess, number: int, max_values: int) -> str:
    """Return, in words, that the sum of a summand has too many values, and where it stands."""
    names = ", ".join(f"`{v.name}:{v.sort}`" for v in process.summands[number].variables)
    return (
        f"{_where(process, number)}: a sum over {names} has more than {max_values} values in one "
        "state"
    )
