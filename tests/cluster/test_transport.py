"""Workers in threads of one process: whatever ends their work, none goes on after that."""

import signal
from threading import Event, Lock, main_thread
from time import sleep

import pytest

from lts.cluster.transport import Local


class Worker:
    """One that works until it is interrupted, and signals as it begins."""

    def __init__(self, job):
        self.job = job
        self.stopped = Event()

    def work(self, inbox):
        with self.job.lock:
            self.job.running += 1
            signals = self.job.signals
            self.job.signals = ()
        self.stopped.clear()  # what was said before it begins is forgotten
        for each in signals:
            signal.pthread_kill(main_thread().ident, each)
        assert self.stopped.wait(60), "nobody ends it"
        with self.job.lock:
            self.job.running -= 1
        return 0, None

    def interrupt(self):
        self.stopped.set()

    def leave(self):
        pass


class Job:
    run, silent = None, frozenset()

    def __init__(self, partitions, signals):
        self.partitions, self.signals = partitions, signals
        self.running, self.lock = 0, Lock()

    def worker(self, index, length, start):
        return Worker(self)


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGINT, signal.SIGINT]])
@pytest.mark.parametrize("partitions", [2, 5])
def test_interrupt_returns_after_all_workers_stop(partitions, signals):
    """The signal comes while a thread is started, or work handed over to it."""
    for _ in range(20):
        job = Job(partitions, signals)
        local = Local(job, 3)
        local.begin([0] * partitions, 0)
        with pytest.raises(KeyboardInterrupt):
            local.step("work", [()] * partitions)
        assert job.running == 0
        sleep(0.001)
        assert job.running == 0
        local.stop()
