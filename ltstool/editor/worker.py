"""A process that examines texts: it reads jobs from standard input, and writes their results.

Each message is the length of a pickle, in eight bytes, and the pickle. The process ends with its
input, whatever it is doing, and if it exceeds the limits that its arguments are.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO

from lts.errors import LtsError
from ltstool.shared.streams import INPUT, OUTPUT

__all__ = ["COMMAND", "GRACE", "packed", "run"]

COMMAND = [sys.executable, "-P", "-c", "from ltstool.editor.worker import run; run()"]
"""The command that starts the process; the seconds for a job and the bytes of memory follow."""
GRACE = 3.0
"""Seconds after which a process that should have been stopped ends by itself."""


def packed(message: object) -> bytes:
    """Return a message as it is written."""
    data = pickle.dumps(message)
    return len(data).to_bytes(8, "little") + data


def run() -> None:
    """Do jobs until the input ends."""
    import lts._engine as _engine

    seconds, memory = float(sys.argv[1]), int(sys.argv[2])
    input, output = os.fdopen(os.dup(INPUT), "rb"), os.fdopen(os.dup(OUTPUT), "wb")
    # Nothing else may read the jobs, or write among the results.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (INPUT, OUTPUT):
        os.dup2(nowhere, number)
    _engine.is_program()
    _engine.watch(None, memory)
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(input, jobs.put), daemon=True).start()
    from ltstool.editor.answers import ANSWERS

    output.write(packed(None))
    output.flush()
    while True:
        name, arguments = pickle.loads(jobs.get())
        _engine.watch(seconds + GRACE, memory)
        try:
            result = True, ANSWERS[name](*arguments)
        except Exception as error:
            if not isinstance(error, LtsError):
                error.add_note(traceback.format_exc())  # the traceback itself stays here
            result = False, error
        _engine.watch(None, memory)
        output.write(packed(result))
        output.flush()


def _read(input: BinaryIO, put: Callable[[bytes], None]) -> None:
    """Read jobs; end the process with its input."""
    while len(head := input.read(8)) == 8:
        put(input.read(int.from_bytes(head, "little")))
    os._exit(0)
