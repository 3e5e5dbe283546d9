"""One partition of a system that is being minimised: its transitions in the engine, and its log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from lts import _engine
from lts.cluster.logs import MOVES, WorkerLog
from lts.cluster.partition import Outbox, PartitionWorker
from lts.formats.parts import Manifest, Row, part_rows

__all__ = ["PartJob", "PartWorker"]

_GRAPH, _NODES, _SETS, _OWNER = range(4)


@dataclass(frozen=True, slots=True)
class PartJob:
    """What all workers are asked for."""

    folder: str
    """What is minimised."""
    found: Manifest
    partitions: int
    run: str | None
    """Where logs are; None keeps none."""
    directory: str | None
    """Where transitions are while they come; None keeps them in memory."""
    labels: tuple[int, ...]
    """For each label of the folder the one that counts."""
    tau: int | None
    """The internal label, where internal steps are followed."""
    divergence: bool
    together: int | None = None
    """Transitions that are read together, at most."""
    silent: frozenset[str] = frozenset({"link", "hear"})
    """The supersteps after which nothing is sent."""

    def worker(self, index: int, length: int, start: int) -> PartWorker:
        """Have a worker."""
        return PartWorker(self, index, length)


class PartWorker(PartitionWorker):
    """A partition: transitions and blocks of its states in the engine, their moves in a log."""

    _partition: _engine.Part | None = None

    groups = 4
    takes = {  # noqa: RUF012
        "load": (),
        "link": (_NODES,),
        "count": (_NODES,),
        "counted": (_NODES, _OWNER),
        "hear": (_NODES,),
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
        """Begin, or go on, if `length` bytes of the log are of rounds that were ended."""
        found = job.found
        own = os.path.join(job.directory or "", f"partition-{index:04d}")
        rows = None if job.directory is None else f"{own}.rows"
        self._partition = _engine.Part(index, job, rows)
        numbers = range(index, found.partitions, job.partitions)
        parts = (part_rows(job.folder, found, number, job.together) for number in numbers)
        self._rows: Iterator[Row] = chain.from_iterable(parts)
        self._length = length
        self._log = None if job.run is None else WorkerLog(job.run, index, length)

    @property
    def _present(self) -> _engine.Part:
        assert self._partition is not None
        return self._partition

    def load(self, inbox: list[bytes]) -> tuple[bool, Outbox]:
        """Take own transitions, and read some for all; whether there were any."""
        self._present.accept(inbox)
        row = next(self._rows, None)
        if row is None:
            return False, self._present.scatter(b"", b"", b"")
        source, label, target = row
        wide = (np.ascontiguousarray(column, "<u8").tobytes() for column in (source, target))
        sources, targets = wide
        return True, self._present.scatter(
            sources, np.ascontiguousarray(label, "<u4").tobytes(), targets
        )

    def ask(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """End loading; ask the owners of targets to tell of them."""
        self._present.accept(inbox)
        return None, self._present.ask()

    def link(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Note what others want to be told of, and go on where the log ends."""
        self._present.link(inbox)
        if self._log is not None and self._length:
            for moves in self._log.pieces(MOVES):
                self._present.restore(moves)
        return None, None

    def count(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Tell the owners of blocks how many states these have."""
        return None, self._present.count()

    def counted(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Take these numbers; tell of blocks who has to know."""
        return None, self._present.counted(inbox)

    def hear(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Take what others tell."""
        self._present.hear(inbox)
        return None, None

    def trim(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Drop states without internal steps without end; say how many."""
        return self._present.trim(inbox)

    def touch(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Tell the owners of blocks which are to be looked at."""
        return None, self._present.touch(inbox)

    def choose(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Tell all which own blocks are looked at, and say how many."""
        return self._present.choose(inbox)

    def sign(
        self, inbox: list[bytes], every: bool, most: int, piece: int, pieces: int
    ) -> tuple[None, Outbox]:
        """Compute signatures in these blocks, or in all, of at most so many pairs; of the blocks
        that the first of so many pieces is told, those of this piece."""
        return None, self._present.sign(inbox, every, most, (piece, pieces))

    def spread(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Add what is behind internal steps; say how much is told in turn."""
        return self._present.spread(inbox)

    def offer(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Send signatures to their owners; say how many states have one that is too large."""
        return self._present.offer()

    def merge(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Take own signatures; tell the owners of blocks."""
        return None, self._present.merge(inbox)

    def split(self, inbox: list[bytes]) -> tuple[int, Outbox]:
        """Split own blocks; say how many are new."""
        return self._present.split(inbox)

    def answer(self, inbox: list[bytes]) -> tuple[None, Outbox]:
        """Tell the numbers of own signatures."""
        return None, self._present.answer(inbox)

    def apply(self, inbox: list[bytes], last: bool) -> tuple[int, Outbox]:
        """Take new numbers of blocks; with the last ones of a round, return the length of the log,
        which has all."""
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
        """Return own signatures: columns of blocks, lengths in words, and words."""
        return self._present.signatures()

    def initial_block(self) -> int | None:
        """Return the block of the initial state, if it is here."""
        return self._present.initial_block()

    def size(self) -> int:
        """Return bytes that are held between two rounds."""
        return self._present.bytes()

    def back(self, method: str) -> int:
        """Return how many bytes a superstep takes back, or anything else that is done."""
        if method == "ask":
            return self._present.bytes_at_the_end()
        return super().back(method)
