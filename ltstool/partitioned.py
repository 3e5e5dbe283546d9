"""Work in partitions, in this process or on the workers of a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from lts.errors import LtsError
from ltstool.options.request import is_parts
from ltstool.shared.files import is_standard, symmetry_file
from ltstool.shared.reading import hide, with_tau

if TYPE_CHECKING:
    from lts.cluster import Parts
    from lts.source import Described
    from lts.state_space import Goals, Settings
    from lts.state_space.generation import Generation
    from lts.system.lts import LTS
    from ltstool.options.request import Request

RESUME = "--resume goes on with this run"


def is_requested(request: Request) -> bool:
    """Whether work in partitions is requested."""
    return request.partitions.partitions is not None or request.partitions.cluster is not None


def explore(request: Request, process: Described, settings: Settings, goals: Goals) -> Generation:
    """Explore in partitions; the folder is written if the exploration is complete, or with
    `--partial`."""
    from lts.cluster import generate_parts

    assert request.output is not None
    with _parts(request) as parts:
        found = generate_parts(
            process,
            request.output,
            parts,
            settings,
            goals,
            hide=request.reading.hide,
            partial=request.exploring.partial,
        )
    if found.incomplete == "interrupted" and found.statistics.levels > 1:
        request.note(RESUME)
    return found


@contextmanager
def _parts(request: Request) -> Iterator[Parts]:
    """Yield the number of partitions and the workers."""
    from lts.cluster import Parts

    options = request.partitions
    parts = Parts(
        options.partitions or 1,
        resume=options.resume,
        spilled=lambda cost: request.note(str(cost)),
    )
    if options.cluster is None:
        yield parts
        return
    from lts.cluster.on_ray import OnRay, connected

    request.watch.forbid_kill()
    with connected(None if options.cluster == "local" else options.cluster) as processors:
        yield replace(parts, workers=OnRay, partitions=options.partitions or processors)


@contextmanager
def run_of(request: Request) -> Iterator[Parts]:
    """Yield the options of partitioned work, with the run named by `--run` or `-o`. The logs are
    retained until the context is left, so that the result can be written inside it."""
    output = request.output
    is_special = (
        output is None
        or is_standard(output)
        or (
            # There is no place for logs beside a pipe or a device.
            os.path.exists(output) and not (os.path.isfile(output) or os.path.isdir(output))
        )
    )
    run = request.partitions.run or (None if is_special else output)
    if request.partitions.resume and run is None:
        more = ", or --run NAME" if "run" in request.takes.rows else ""
        raise LtsError(f"--resume needs the name of the output: -o OUT{more}")
    try:
        with _parts(request) as parts, ExitStack() as until:
            yield replace(parts, run=run, until=until)
    except KeyboardInterrupt:
        if run is not None:
            request.note(RESUME)
        raise


@contextmanager
def minimised(request: Request, equivalence: str) -> Iterator[LTS]:
    """Minimise a folder of parts in partitions, and yield the result, which the caller writes
    inside."""
    from lts.cluster import minimise_parts
    from lts.state_space.settings import Limits, Settings

    file = request.reading.file
    if file is None or not is_parts(file):
        raise LtsError(
            "--partitions and --cluster minimise only a folder of parts (FOLDER.parts): "
            "`ltstool convert` writes one"
        )
    if not request.reading.as_such and os.path.isfile(symmetry_file(file)):
        message = (
            f"{file} is a reduction, since {file}.sym exists: minimise the encoding itself "
            "with --as-such"
        )
        raise LtsError(message)
    with run_of(request) as parts:
        memory = request.max_memory if parts.workers is None else None
        settings = Settings(limits=Limits(memory=memory), threads=request.exploring.threads)
        with request.phase("minimising"):
            least = minimise_parts(
                file,
                equivalence,
                parts,
                settings,
                labels=lambda system: hide(request, with_tau(request, file, system)),
            )
        yield least
