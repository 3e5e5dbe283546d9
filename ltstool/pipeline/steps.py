"""The steps of a pipeline."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lts.errors import LtsError

Value = bool | int | float | str
"""A value substituted for a name in braces."""

Expectation = bool | int | str | dict[str, object] | None
"""The expected verdict, exit code, part of the output, or part of the JSON output."""


@dataclass(frozen=True, slots=True)
class Step:
    """A named command.

    `words` are the words of the command line, without the program's name for a command of ltstool,
    with it for another `program`. File names are relative to the folder of the pipeline. `outputs`
    are the files that the command may write, as far as known before it runs, `printed` is the file
    that receives its standard output.
    """

    name: str
    words: tuple[str, ...]
    program: bool = False
    needs: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    printed: str | None = None
    expect: Expectation = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The steps of a file, each after those that it depends on; `folder` is their working
    directory."""

    file: Path
    folder: Path
    steps: tuple[Step, ...]

    def step(self, name: str) -> Step:
        """Return a step by its name. Raises `LtsError` if there is none."""
        for step in self.steps:
            if step.name == name:
                return step
        raise LtsError(f"{self.file} has no step `{name}`; {known(s.name for s in self.steps)}")

    def name(self, file: str) -> str:
        """Return the absolute name of a file, without resolving links."""
        return os.path.join(self.folder, file)

    def path(self, file: str) -> str:
        """Return the canonical path of a file, the same for all its names."""
        return os.path.realpath(self.folder / file)


def known(names: Iterable[str]) -> str:
    """Return the names to choose from, for a message."""
    listed = [f"`{name}`" for name in names]
    more = f" and {len(listed) - 12} more" if len(listed) > 12 else ""
    return f"there are {', '.join(listed[:12])}{more}" if listed else "there are none"
