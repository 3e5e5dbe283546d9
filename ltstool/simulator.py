"""The commands of the simulator, and their output."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO

from aut_format.output import writing
from lts.base.escaping import one_line
from lts.base.regular import Regular, literal
from lts.errors import LtsError
from lts.simulation import ComponentState, Possible, Simulation
from lts.trace import format_trace
from ltstool.shared.shown import plural
from ltstool.shared.traces import read_trace

HELP = """\
NUMBER, LABEL   take a step; an action name or a pattern with * is enough if it matches one step
take ...        the same, for a label with the name of a command
undo [N]        undo N steps (default: 1)
redo [N]        redo N undone steps (default: 1)
goto N          go to the state after N steps of the trace
restart         go to the initial state
run PATTERN     take a shortest path to a state that has such a step: c2, c2(d1,*), *
random N [SEED] take N steps at random
trace           print the trace so far
save FILE       write the trace so far
replay FILE     go to the initial state and follow a trace
show [all]      print the state and its steps again, all of them
help            print this
quit            quit; the end of the input does the same"""

_SHOWN = 40
"""Most steps that are listed, unless all are requested."""

_ALIASES = {"q": "quit", "exit": "quit", "h": "help", "?": "help", "u": "undo", "r": "redo"}


class Session:
    """A simulation with the commands that drive it. Output is passed to `write` line by line."""

    def __init__(
        self, simulation: Simulation, write: Callable[[str], object], *, as_json: bool, most: int
    ) -> None:
        self.simulation = simulation
        self.write = write
        self.as_json = as_json
        self.max_states = most
        self.open: Callable[[str], AbstractContextManager[BinaryIO]] = writing
        self.commands: dict[str, Callable[[str], bool | None]] = {
            "take": self._take,
            "undo": lambda rest: self._move(simulation.undo, _number(rest, default=1)),
            "redo": lambda rest: self._move(simulation.redo, _number(rest, default=1)),
            "goto": lambda rest: self._move(simulation.goto, _number(rest)),
            "restart": self._restart,
            "run": self._run,
            "random": self._random,
            "trace": self._trace,
            "save": self._save,
            "replay": self.replay,
            "show": lambda rest: self.show(everything=_word(rest, "all")),
            "help": self._help,
            "quit": lambda rest: True,
        }

    def do(self, line: str) -> bool:
        """Execute a command line; return whether it ends the session. Raises `LtsError`,
        `OSError`."""
        first, _, rest = line.strip().partition(" ")
        command = self.commands.get(_ALIASES.get(first, first))
        if command is not None:
            return bool(command(rest.strip()))
        if first:
            self._take(line.strip())
        return False

    def completions(self) -> Iterator[str]:
        """Yield the words that a line can begin with."""
        yield from self.commands
        yield from (step.label for step in self.simulation.steps)

    def _move(self, how: Callable[[int], None], number: int) -> None:
        how(number)
        self.show()

    def _restart(self, rest: str) -> None:
        _none(rest)
        self._move(self.simulation.goto, 0)

    def _take(self, text: str) -> None:
        steps = self.simulation.steps
        if text.isdecimal():
            if not 1 <= _number(text) <= len(steps):
                raise LtsError(f"there is no step {text}: this state has {len(steps)}")
            self.simulation.take(_number(text) - 1)
            self.show()
            return
        matches = pattern(text)
        found = [n for n, step in enumerate(steps) if step.label == text]
        found = found or [n for n, step in enumerate(steps) if matches(step.label)]
        if not found:
            raise LtsError(
                f"`{text}` is neither a step of this state nor a command (`help` lists the "
                "commands)"
            )
        if len(found) > 1:
            numbers = ", ".join(str(number + 1) for number in found)
            raise LtsError(f"`{text}` matches the steps {numbers}: choose one by its number")
        self.simulation.take(found[0])
        self.show()

    def _run(self, text: str) -> None:
        if not text:
            raise LtsError("expected `run PATTERN`")
        taken = self.simulation.run(pattern(text), max_states=self.max_states)
        if taken is None:
            raise LtsError(f"no reachable state has a step `{text}`")
        self._note(
            f"{plural(taken, 'step')} taken" if taken else f"`{text}` is possible in this state"
        )
        self.show()

    def _random(self, text: str) -> None:
        count, _, seed = text.partition(" ")
        number = random.SystemRandom().randrange(10**6) if not seed else _number(seed)
        taken = self.simulation.wander(_number(count), number)
        self._note(f"{plural(taken, 'step')} taken, seed {number}")
        self.show()

    def _trace(self, rest: str) -> None:
        _none(rest)
        trace = self.simulation.trace
        if self.as_json:
            steps = [{"label": step.label, "choice": step.choice} for step in trace]
            self.write(json.dumps({"trace": steps}))
        for number, step in enumerate(() if self.as_json else trace, start=1):
            self.write(f"{number:3}  {one_line(step.label)}")

    def _save(self, file: str) -> None:
        if not file:
            raise LtsError("expected `save FILE`")
        if "\0" in file:
            raise LtsError("a file name must not contain a null byte")
        trace = self.simulation.trace
        with self.open(file) as out:
            out.write(format_trace(trace).encode("utf-8", "surrogateescape"))
        self._note(f"{plural(len(trace), 'step')} saved")

    def replay(self, file: str) -> None:
        """Follow the trace in a file, and print the state that it ends in."""
        if not file:
            raise LtsError("expected `replay FILE`")
        if "\0" in file:
            raise LtsError("a file name must not contain a null byte")
        trace = read_trace(file)
        self.simulation.replay(trace, max_states=self.max_states)
        self._note(f"{plural(len(trace), 'step')} replayed")
        self.show()

    def _help(self, rest: str) -> None:
        _none(rest)
        self.write(json.dumps({"help": HELP}) if self.as_json else HELP)

    def _note(self, text: str) -> None:
        if not self.as_json:
            self.write(text)

    def show(self, everything: bool = False) -> None:
        """Print the state and its steps."""
        state = self.simulation.state
        components = self.simulation.components(state)
        if not self.as_json:
            self.write(f"state {state}, after {plural(len(self.simulation.trace), 'step')}")
            for line in _state_lines(components):
                self.write(line)
        try:
            steps, missing = self.simulation.steps, self.simulation.missing
        except LtsError as error:
            if not self.as_json:
                raise
            self.write(json.dumps({**self._facts(components), "error": str(error)}))
            return
        changes = [
            _changes(components, self.simulation.components(step.target))
            for step in (steps if everything or self.as_json else steps[:_SHOWN])
        ]
        if self.as_json:
            listed = [
                {"number": n, "label": step.label, "target": step.target, "changes": change}
                for n, (step, change) in enumerate(zip(steps, changes, strict=True), start=1)
            ]
            facts = {**self._facts(components), "steps": listed, "missing": missing}
            self.write(json.dumps(facts))
            return
        for line in _step_lines(steps, changes):
            self.write(line)
        if len(steps) > len(changes):
            self.write(f"  .. {len(steps) - len(changes)} more: `show all`")
        if missing is not None:
            self.write(f"  not all steps are known: {missing} (`--max-values`)")
        elif not steps:
            ended = components and all(c.remaining in ("(terminated)", None) for c in components)
            self.write("no step: everything has terminated" if ended else "no step: a deadlock")

    def _facts(self, components: tuple[ComponentState, ...]) -> dict[str, object]:
        return {
            "state": self.simulation.state,
            "position": len(self.simulation.trace),
            "undone": self.simulation.undone,
            "components": [
                {
                    "name": c.name,
                    "position": c.position,
                    "remaining": c.remaining,
                    "values": c.values,
                }
                for c in components
            ],
        }


def _number(text: str, default: int | None = None) -> int:
    if not text and default is not None:
        return default
    if not text.isdecimal() or len(text) > 18:
        raise LtsError(f"expected a number, not `{text}`")
    return int(text)


def _none(rest: str) -> None:
    if rest:
        raise LtsError(f"unexpected argument `{rest}`")


def _word(rest: str, word: str) -> bool:
    if rest not in ("", word):
        raise LtsError(f"expected `{word}` or nothing, not `{rest}`")
    return bool(rest)


def pattern(text: str) -> Callable[[str], bool]:
    """Return a test for labels: `*` matches any text, a name all labels of the action."""
    expression = ".*".join(map(literal, text.split("*")))
    return Regular(rf"{expression}(?:\(.*\))?" if "(" not in text else expression).matches


def _state_lines(components: tuple[ComponentState, ...]) -> Iterator[str]:
    """Yield the lines that show a state; inactive components are left out."""
    there = [component for component in components if component.position is not None]
    width = max((len(c.name) for c in there), default=0)
    columns = shutil.get_terminal_size().columns
    for component in there:
        line = f"  {component.name:{width}}  {component.position}"
        line += f": {component.remaining}" if component.remaining else ""
        yield line if len(line) < columns else f"{line[: columns - 4]} .."
        held = ", ".join(f"{n}={v}" for n, v in component.values.items() if v is not None)
        if held:
            yield f"  {'':{width}}  {held}"


def _step_lines(steps: tuple[Possible, ...], changes: list[dict[str, str]]) -> Iterator[str]:
    """Yield the lines that list the steps with their changes, as far as these were computed."""
    shown = steps[: len(changes)]
    width = max((len(step.label) for step in shown), default=0)
    for number, (step, change) in enumerate(zip(shown, changes, strict=True), start=1):
        leads = "  ".join(f"{name}: {what}" for name, what in change.items())
        leads = leads or f"to state {step.target}"
        yield f"{number:3}  {one_line(step.label):{min(width, 40)}}  {leads}"


def _changes(
    before: tuple[ComponentState, ...], after: tuple[ComponentState, ...]
) -> dict[str, str]:
    """Return the changes of a step, for each component that it changes."""
    changes = {}
    for old, new in zip(before, after, strict=True):
        shown = [] if new.position in (None, old.position) else [new.position]
        shown += [
            f"{name}={value}"
            for name, value in new.values.items()
            if value not in (None, old.values.get(name))
        ]
        if new != old:
            changes[new.name] = ", ".join(shown) or new.position or "over"
    return changes
