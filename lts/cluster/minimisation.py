"""Minimisation of a folder of parts in partitions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from itertools import chain
from typing import Any

import lts._engine as _engine
from lts.base.bounds import FILE_STATES
from lts.cluster.part_worker import PartJob
from lts.cluster.parts import Parts
from lts.cluster.refinement import Refinement
from lts.cluster.runs import Run, goes_on
from lts.cluster.transport import with_workers
from lts.equivalence.minimisation import minimise
from lts.equivalence.names import EQUIVALENCES as RELATIONS
from lts.equivalence.names import equivalence_named as named
from lts.errors import LtsError, Unsupported
from lts.formats.parts import labels_alone, manifest
from lts.state_space.settings import DEFAULT, OF_GROUPS, Limits, Settings
from lts.system.lts import LTS

__all__ = ["EQUIVALENCES", "minimise_parts"]

EQUIVALENCES = tuple(name for name, relation in RELATIONS.items() if relation.in_partitions)
"""The equivalences that can be decided in partitions."""


_TOGETHER = 1 << 14
"""Number of transitions read at a time if memory is limited."""


def minimise_parts(
    folder: str | os.PathLike[str],
    equivalence: str,
    parts: Parts,
    settings: Settings = DEFAULT,
    *,
    labels: Callable[[LTS], LTS] | None = None,
) -> LTS:
    """Return the minimal LTS equivalent to the one in a folder of parts, as `lts.minimise` does.

    No partition has the whole system: each has the transitions of a range of source states,
    independently of the parts of the folder, and all refine the partition into blocks together. The
    minimal system has to fit into the memory of one machine, which numbers its states.
    `equivalence` is one of `EQUIVALENCES`. `labels` is a function on LTSs that changes labels, such
    as `lambda lts: lts.hide(["a"])`; it is applied to an LTS with the labels of the folder.
    `progress` is called after each round with the numbers of rounds and of blocks.

    Raises `LtsError` if the run to resume belongs to another task, for limits other than that of
    memory, and if workers fail repeatedly; `LimitReached` if the memory limit cannot be observed;
    `Unsupported` for other equivalences, and if the minimal system is too large; `FormatError` for
    a folder that is incomplete or damaged; `OSError` if it cannot be read or a spill file cannot be
    written.
    """
    max_memory = settings.limits.memory
    if settings.limits != Limits(memory=max_memory):
        raise LtsError("a minimisation in partitions has no limit but that of memory")
    settings.refuse(*OF_GROUPS, "check", what="a minimisation")
    partitions = parts.partitions
    kind = named(equivalence).name
    if kind not in EQUIVALENCES:
        message = (
            f"in partitions, minimisation is only modulo {', '.join(EQUIVALENCES)}, not {kind}"
        )
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
        run = None
        if parts.run is not None:
            location = os.path.normpath(os.fspath(parts.run))
            run = stack.enter_context(Run(location, identity, parts.resume, parts.until))
        directory = None if run is None else run.directory
        if directory is None and max_memory is not None:
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="ltstool-"))
        job = PartJob(
            folder=path,
            found=found,
            partitions=partitions,
            run=None if run is None else run.directory,
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
        refinement = Refinement(
            transport, partitions, found.states, follows, divergence, logged=run is not None
        )
        for level in [] if run is None else run.levels:
            refinement.add(level)
        with_workers(refinement.begin, refinement.begin, resumes=goes_on(run))
        with _engine.Stage("rounds") as round_stage, _engine.Stage("blocks") as block_stage:
            while not refinement.done:
                level = with_workers(refinement.begin, refinement.explore, resumes=goes_on(run))
                if run is not None:
                    run.level(level)
                round_stage.reach(refinement.rounds)
                block_stage.reach(refinement.blocks)
                if settings.progress is not None:
                    settings.progress(refinement.rounds, refinement.blocks)

        def blocks() -> LTS:
            # Without logs, restarted workers start from the first round.
            while not refinement.done:
                refinement.explore()
            return _blocks(refinement, alone, tau, max(numbers, default=0) + 1)

        quotient = with_workers(refinement.begin, blocks, resumes=goes_on(run))
        # Equivalent systems have the same minimal system; its numbering depends on its behaviour
        # alone.
        transport.stop()
        least = minimise(quotient, kind, consume=True)
        parts.report(transport, "what is minimal is numbered")
        if run is not None:
            run.done()
    return least


def _numbers(alone: LTS, kind: str) -> tuple[list[int], int | None]:
    """Return a class number for each label of the folder, and that of the internal labels if
    internal steps are abstracted from: then all internal labels have the same number."""
    numbers: list[int] = alone.label.tolist()
    if kind == "strong" or not alone.internal:
        return numbers, None
    internal = {alone.labels.index(label) for label in alone.internal}
    tau = min(internal)
    return [tau if number in internal else number for number in numbers], tau


def _blocks(refinement: Refinement, alone: LTS, tau: int | None, delta: int) -> LTS:
    """Return the quotient system, given by the signatures of all blocks."""
    import numpy as np

    columns = list(chain.from_iterable(refinement.signatures()))
    blocks = refinement.workers.call_all("initial_block")
    initial = [block for block in blocks if block is not None]
    block, length, word = (
        np.concatenate([np.frombuffer(own[column], "<u4") for own in columns])
        for column in range(3)
    )
    if len(block) >= FILE_STATES.default:
        raise Unsupported(f"{len(block)} blocks are too many states for one machine")
    place = np.empty(int(block.max()) + 1, np.uint32)
    place[block] = np.arange(len(block), dtype=np.uint32)
    source = np.repeat(np.arange(len(block), dtype=np.uint32), length // 2)
    label, target = word[0::2].copy(), place[word[1::2]]
    if tau is not None:
        label[label == delta] = tau
    start = int(place[initial[0]])
    steps: list[Any] = [source, label, target]
    system = LTS.from_columns(steps[0], steps[1], steps[2], alone.labels, start, len(block))
    return system.with_internal(alone.internal)._with_origin(alone)
