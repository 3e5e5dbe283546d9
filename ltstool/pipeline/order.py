"""Dependencies between steps, from `needs` and from the files that steps name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from lts.errors import LtsError
from ltstool.pipeline.steps import Pipeline, Step

__all__ = ["named_files", "needed", "ordered", "writers"]


def writers(pipeline: Pipeline) -> dict[str, Step]:
    """Return the step that writes each file, by the file's path. Raises `LtsError` if two steps
    do."""
    found: dict[str, Step] = {}
    for step in pipeline.steps:
        for file in step.outputs:
            other = found.setdefault(pipeline.path(file), step)
            if other is not step:
                raise LtsError(f"steps `{other.name}` and `{step.name}` both write `{file}`")
    return found


def needed(pipeline: Pipeline, step: Step, writer: dict[str, Step]) -> tuple[str, ...]:
    """Return the names of the steps that must run before this one."""
    found = dict.fromkeys(step.needs)
    for file in named_files(step):
        other = writer.get(pipeline.path(file))
        if other is not None and other is not step:
            found[other.name] = None
    return tuple(found)


def named_files(step: Step) -> Iterator[str]:
    """Yield the words of a step that may be names of files that it reads."""
    yield from step.inputs
    for word in filter(lambda word: "\0" not in word, step.words):
        yield word
        # --option=FILE, @FILE, FILE:2
        yield from re.split(r"[=@:,]", word)


def ordered(pipeline: Pipeline) -> tuple[Step, ...]:
    """Return the steps in an order in which they can run, otherwise as in the file, with their
    needs.

    Raises `LtsError` if steps depend on each other in a cycle, or write the same file.
    """
    writer = writers(pipeline)
    graph = {step.name: needed(pipeline, step, writer) for step in pipeline.steps}
    for name, needs in graph.items():
        if name in needs:
            raise LtsError(f"step `{name}` needs itself")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        around = " needs ".join(f"`{name}`" for name in reversed(error.args[1]))
        raise LtsError(f"steps need each other: {around}") from None
    found: dict[str, Step] = {}
    waiting = list(pipeline.steps)
    while waiting:
        # The first step in the file whose dependencies are met.
        index = next(i for i, step in enumerate(waiting) if found.keys() >= set(graph[step.name]))
        step = waiting.pop(index)
        found[step.name] = replace(step, needs=graph[step.name])
    return tuple(found.values())
