"""A folder of parts, minimised in partitions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from itertools import chain
from typing import Any

from lts.cluster.part_worker import PartJob
from lts.cluster.parts import Parts
from lts.cluster.rounds import Rounds
from lts.cluster.runs import Run, goes_on
from lts.cluster.transport import with_workers
from lts.equivalence.minimise import minimise
from lts.equivalence.names import equivalence as named
from lts.errors import LtsError, Unsupported
from lts.formats.parts import labels_alone, manifest
from lts.formats.rows import STATES
from lts.state_space.settings import DEFAULT, OF_GROUPS, Limits, Settings
from lts.system import LTS

__all__ = ["EQUIVALENCES", "minimise_parts"]

EQUIVALENCES = ("strong", "branching", "divergence-preserving-branching")
"""Modulo which partitions minimise."""


_TOGETHER = 1 << 14
"""Transitions that are read together where memory is little."""


def minimise_parts(
    folder: str | os.PathLike[str],
    equivalence: str,
    parts: Parts,
    settings: Settings = DEFAULT,
    *,
    labels: Callable[[LTS], LTS] | None = None,
) -> LTS:
    """Return the least LTS equivalent to the one in a folder of parts, as `lts.minimise` does.

    No partition has the whole system: each has the transitions from a range of states, whatever
    the parts of the folder, and blocks are split by all of them together. What is minimal has to
    fit one machine, which numbers it. `equivalence` is one of `EQUIVALENCES`. `labels` is done to
    an LTS that has the labels of the folder, as `lambda lts: lts.hide(["a"])`, and so to them.
    `progress` is called after each round, with the numbers of rounds and of blocks.

    Raises `LtsError` for a run that is of something else, for other limits than of memory, and
    where workers fail again and again; `LimitReached` where that limit cannot be kept;
    `Unsupported` for other equivalences, and where what is minimal is too large; `FormatError` for
    a folder that is not complete, or not as it was written; `OSError` if it cannot be read, or what
    is put away not be written.
    """
    max_memory = settings.limits.memory
    if settings.limits != Limits(memory=max_memory):
        raise LtsError("a minimisation in partitions has no limit but that of memory")
    settings.refuse(*OF_GROUPS, "check", what="a minimisation")
    partitions = parts.partitions
    kind = named(equivalence).name
    if kind not in EQUIVALENCES:
        message = f"partitions minimise modulo {', '.join(EQUIVALENCES)} only, not {kind}"
        raise Unsupported(message)
    path = os.path.abspath(folder)
    found = manifest(folder)
    alone = labels_alone(folder, found)
    if labels is not None:
        alone = labels(alone)
    numbers, tau = _numbers(alone, kind)
    identity = {
        "partitions": partitions,
        "equivalence": kind,
        "folder": {name: facts.sha256 for name, facts in sorted(found.files.items())},
        "initial": found.initial,
        "labels": numbers,
        "internal": tau,
    }
    with ExitStack() as stack:
        kept = None
        if parts.run is not None:
            run = os.path.normpath(os.fspath(parts.run))
            kept = stack.enter_context(Run(run, identity, parts.resume, parts.until))
        directory = None if kept is None else kept.directory
        if directory is None and max_memory is not None:
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="ltstool-"))
        job = PartJob(
            folder=path,
            found=found,
            partitions=partitions,
            run=None if kept is None else kept.directory,
            directory=directory,
            labels=tuple(numbers),
            tau=tau,
            divergence=kind == "divergence-preserving-branching",
            together=None if max_memory is None else _TOGETHER,
        )
        transport = parts.transport(job, settings)
        stack.callback(transport.stop)
        divergence = job.divergence and tau is not None
        follows = tau is not None
        rounds = Rounds(
            transport, partitions, found.states, follows, divergence, kept=kept is not None
        )
        for level in [] if kept is None else kept.levels:
            rounds.add(level)
        with_workers(rounds.begin, rounds.begin, resumes=goes_on(kept))
        while not rounds.done:
            level = with_workers(rounds.begin, rounds.explore, resumes=goes_on(kept))
            if kept is not None:
                kept.level(level)
            if settings.progress is not None:
                settings.progress(rounds.rounds, rounds.blocks)

        def blocks() -> LTS:
            # Without logs workers that begin anew have all rounds before them.
            while not rounds.done:
                rounds.explore()
            return _blocks(rounds, alone, tau, max(numbers, default=0) + 1)

        quotient = with_workers(rounds.begin, blocks, resumes=goes_on(kept))
        # Equivalent systems have one minimal system, whose numbers depend on its behaviour alone.
        transport.stop()
        least = minimise(quotient, kind, consume=True)
        parts.report(transport, "what is minimal is numbered")
        if kept is not None:
            kept.done()
    return least


def _numbers(alone: LTS, kind: str) -> tuple[list[int], int | None]:
    """Return for each label of a folder the number of what it is, and the internal one, if internal
    steps are followed: then it is one for all."""
    numbers: list[int] = alone.label.tolist()
    if kind == "strong" or not alone.internal:
        return numbers, None
    internal = {alone.labels.index(label) for label in alone.internal}
    tau = min(internal)
    return [tau if number in internal else number for number in numbers], tau


def _blocks(rounds: Rounds, alone: LTS, tau: int | None, delta: int) -> LTS:
    """Return the system of the blocks, from the signatures of all of them."""
    import numpy as np

    columns = list(chain.from_iterable(rounds.signatures()))
    blocks = rounds.workers.call_all("initial_block")
    initial = [block for block in blocks if block is not None]
    block, length, word = (
        np.concatenate([np.frombuffer(own[column], "<u4") for own in columns])
        for column in range(3)
    )
    if len(block) >= STATES:
        raise Unsupported(f"{len(block)} blocks are more states than one machine takes here")
    place = np.empty(int(block.max()) + 1, np.uint32)
    place[block] = np.arange(len(block), dtype=np.uint32)
    source = np.repeat(np.arange(len(block), dtype=np.uint32), length // 2)
    label, target = word[0::2].copy(), place[word[1::2]]
    if tau is not None:
        label[label == delta] = tau
    start = int(place[initial[0]])
    steps: list[Any] = [source, label, target]
    system = LTS.from_columns(steps[0], steps[1], steps[2], alone.labels, start, len(block))
    return system.with_internal(alone.internal)
