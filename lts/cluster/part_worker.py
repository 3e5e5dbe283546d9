"""One partition of a system being minimised: its transitions in the engine, and its log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

import lts._engine as _engine
from lts.cluster.logs import MOVES, WorkerLog
from lts.cluster.partition import Outbox, PartitionWorker
from lts.formats.parts import Manifest, Row, part_rows

__all__ = ["PartJob", "PartWorker"]

_GRAPH, _NODES, _SETS, _OWNER = range(4)


@dataclass(frozen=True, slots=True)
class PartJob:
    """The job of all workers."""

    folder: str
    """The folder with the system to minimise."""
    found: Manifest
    partitions: int
    run: str | None
    """The folder of the logs; None for no logs."""
    directory: str | None
    """Folder for transitions while they are read; None keeps them in memory."""
    labels: tuple[int, ...]
    """The class number of each label of the folder."""
    tau: int | None
    """The internal label, if internal steps are abstracted from."""
    divergence: bool
    together: int | None = None
    """Most transitions read at a time."""
    silent: frozenset[str] = frozenset({"link", "receive_blocks"})
    """The supersteps that send no batches."""

    def worker(self, index: int, length: int, start: int) -> PartWorker:
        """Create a worker."""
        return PartWorker(self, index, length)


class PartWorker(PartitionWorker):
    """A partition: transitions and the blocks of its states in the engine, changes of blocks in a
    log."""

    _partition: _engine.Part | None = None

    groups = 4
    takes = {  # noqa: RUF012
        "load": (),
        "link": (_NODES,),
        "count": (_NODES,),
        "counted": (_NODES, _OWNER),
        "receive_blocks": (_NODES,),
        "trim": (_GRAPH, _NODES),
        "touch": (_GRAPH, _NODES),
        "choose": (_OWNER,),
        "sign": (_GRAPH, _NODES, _SETS),
        "spread": (_GRAPH, _NODES, _SETS),
        "offer": (_NODES, _SETS),
        "merge": (_OWNER,),
        "split": (_OWNER,),
        "answer": (_OWNER,),
        "apply": (_NODES, _SETS),
        "signatures": (_OWNER,),
        "initial_block": (_NODES,),
    }

    def __init__(self, job: PartJob, index: int, length: int = 0) -> None:
        """Start, or resume after the rounds that the first `length` bytes of the log record."""
        found = job.found
        own = os.path.join(job.directory or "", f"partition-{index:04d}")
        spilled = None if job.directory is None else f"{own}.rows"
        self._partition = _engine.Part(index, job, spilled)
        numbers = range(index, found.partitions, job.partitions)
        parts = (part_rows(job.folder, found, number, job.together) for number in numbers)
        self._transitions: Iterator[Row] = chain.from_iterable(parts)
        self._length = length
        self._log = None if job.run is None else WorkerLog(job.run, index, length)

    @property
    def _present(self) -> _engine.Part:
        assert self._partition is not None
        return self._partition

    def load(self, inbox: list[bytes]) -> tuple[bool, Outbox]:
        """Receive own transitions, and read some transitions for all partitions; return whether
        there were any."""
        self._present.accept(inbox)
        row = next(self._transitions, None)
        if row is None:
            return False, self._present.scatter(b"", b"", b"")
        source, label, target = row
        encoded = (np.ascontiguousarray(column, "<u8").tobytes() for column in (source, target))
        sources, targets = encoded
        return True, self._present.scatter(
            sources, np.ascontiguousarray(label, "<u4").tobytes(), targets
        )

    def subscribe(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """End loading; subscribe to the target states at their owners."""
        self._present.accept(inbox)
        return None, self._present.subscribe()

    def link(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Record the subscriptions of other partitions, and restore the blocks from the log."""
        self._present.link(inbox)
        if self._log is not None and self._length:
            for moves in self._log.records(MOVES):
                self._present.restore(moves)
        return None, None

    def count(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Send the number of own states in each block to the owner of the block."""
        return None, self._present.count()

    def counted(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Receive these numbers; send the blocks of states to the subscribers."""
        return None, self._present.counted(inbox)

    def receive_blocks(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Receive the blocks of states of other partitions."""
        self._present.receive_blocks(inbox)
        return None, None

    def trim(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Drop states from which no infinite sequence of internal steps stays in the block, as far
        as seen so far; return how many were dropped."""
        return self._present.trim(inbox)

    def touch(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Send the blocks whose signatures may have changed to their owners."""
        return None, self._present.touch(inbox)

    def choose(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Send the own blocks to be examined to all partitions; return how many there are."""
        return self._present.choose(inbox)

    def sign(
        self, inbox: list[bytes], every: bool, most: int, chunk: int, chunks: int
    ) -> tuple[None, Outbox]:
        """Compute signatures of at most `most` pairs for the states in the blocks to be examined,
        or in all blocks if `every`. If there are several chunks, the first receives the blocks, and
        each call handles those of its chunk."""
        return None, self._present.sign(inbox, every, most, (chunk, chunks))

    def spread(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Propagate signatures backwards along internal steps; return how many are sent on in
        turn."""
        return self._present.spread(inbox)

    def offer(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Send signatures to their owners; return the number of states whose signature is too
        large."""
        return self._present.offer()

    def merge(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Receive the own signatures; report them to the owners of blocks."""
        return None, self._present.merge(inbox)

    def split(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Split own blocks; return the number of new blocks."""
        return self._present.split(inbox)

    def answer(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Send the block numbers of own signatures."""
        return None, self._present.answer(inbox)

    def apply(self, inbox: list[bytes], last: bool) -> tuple[int, Outbox]:
        """Receive new block numbers; after the last ones of a round, return the length of the log,
        which then records the round."""
        _, outbox = self._present.apply(inbox)
        length = 0
        if self._log is not None and last:
            start: int | None = 0
            while start is not None:
                moves, start = self._present.moves(start)
                self._log.append(MOVES, moves)
            length = self._log.keep()
        return length, outbox

    def signatures(self) -> tuple[bytes, bytes, bytes]:
        """Return the own signatures: columns of blocks, of lengths in words, and of words."""
        return self._present.signatures()

    def initial_block(self) -> int | None:
        """Return the block of the initial state, if this partition owns that state."""
        return self._present.initial_block()

    def size(self) -> int:
        """Return the number of bytes in use between two rounds."""
        return self._present.bytes()

    def back(self, method: str) -> int:
        """Return how many bytes a method has to read back from spill files."""
        if method == "subscribe":
            return self._present.bytes_at_the_end()
        return super().back(method)
