"""What the steps of a pipeline are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lts.errors import LtsError

Value = bool | int | float | str
"""What stands for a name in braces."""

Expectation = bool | int | str | dict[str, object] | None
"""The verdict, the exit code, a part of what is printed, or of what is printed as JSON."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command with a name.

    `words` are those of the command line, for a `program` with its name, for a command of ltstool
    without. Files are named as from the folder of the pipeline; `outputs` are those that it may
    write, as far as known before it runs, `printed` the one that what it prints goes to.
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
    """The steps of a file, each after those that it needs; `folder` is where they run."""

    file: Path
    folder: Path
    steps: tuple[Step, ...]

    def step(self, name: str) -> Step:
        """Return a step by its name. Raises `LtsError` if there is none."""
        for step in self.steps:
            if step.name == name:
                return step
        raise LtsError(f"{self.file} has no step `{name}`: {known(s.name for s in self.steps)}")

    def name(self, file: str) -> str:
        """Return the whole name of a file: links in it lead where they lead at the time."""
        return os.path.join(self.folder, file)

    def path(self, file: str) -> str:
        """Return the one path of a file, by whatever name it is given."""
        return os.path.realpath(self.folder / file)


def known(names: Iterable[str]) -> str:
    """Return names to choose from, as a message shows them."""
    listed = [f"`{name}`" for name in names]
    more = f" and {len(listed) - 12} more" if len(listed) > 12 else ""
    return f"there are {', '.join(listed[:12])}{more}" if listed else "there are none"
