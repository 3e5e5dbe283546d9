"""The system explored in partitions: a linear process, a network or a net, as the engine has it."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

from lts import _engine
from lts.cluster.runs import of_process
from lts.linear.process import LinearProcess
from lts.state_space.encode import Encoder
from lts.state_space.generation import evaluation_errors
from lts.state_space.settings import Limits, limit_errors

if TYPE_CHECKING:
    # Loaded on demand: partitions of specifications should use little memory.
    from lts.network.network import Network
    from lts.petri.grounding import GroundNet

__all__ = ["Subject", "engine_process", "errors", "facts"]

Subject: TypeAlias = "LinearProcess | Network | GroundNet"


def engine_process(subject: Subject, *, check: bool) -> _engine.Process:
    """Return the system in the engine; with `check`, every value of a linear process is checked."""
    if not isinstance(subject, LinearProcess):
        from lts.network.exploration import process_of
        from lts.network.network import Network
        from lts.petri.process import process_of as process_of_net

        if not isinstance(subject, Network):
            return process_of_net(subject)
        # Partitions exchange states as terms.
        return process_of(subject, constants=True)
    encoder = Encoder(subject)
    process = encoder.linear_process()
    if check:
        unset = subject.unset.values()
        process.check_values([encoder.symbols[term.function] for term in unset])
    return process


def errors(subject: Subject, limits: Limits) -> AbstractContextManager[None]:
    """Turn exceptions of the engine into errors for the user."""
    if not isinstance(subject, LinearProcess):
        return limit_errors(limits)
    return evaluation_errors(subject, limits)


def facts(subject: Subject) -> dict[str, Any]:
    """Return the data that identify the system."""
    if isinstance(subject, LinearProcess):
        return of_process(subject)
    from lts.network.network import Network

    if not isinstance(subject, Network):
        parts = (subject.net.name, subject.spots, subject.initial, subject.firings)
        return {"net": hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()}
    found = hashlib.sha256(repr(subject.vectors).encode("utf-8", "surrogateescape"))
    for system in subject.components:
        found.update(repr((system.initial, system.state_count, system.labels)).encode())
        for column in (system.source, system.label, system.target):
            found.update(column.tobytes())
    return {"network": found.hexdigest()}
