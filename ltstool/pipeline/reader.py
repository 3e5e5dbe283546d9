"""Reader of pipeline files: TOML with a table `steps.NAME` for each step."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lts.base.bounds import PIPELINE_STEPS
from lts.base.spelling import near
from lts.errors import FormatError, LtsError
from ltstool.options.parser import parsed
from ltstool.pipeline.order import ordered
from ltstool.pipeline.steps import Expectation, Pipeline, Step, Value

__all__ = ["read"]

KEYS = ("run", "program", "needs", "inputs", "outputs", "print", "expect", "each")
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
_SERIES = {"run", "simulate"}
"""Commands that cannot be steps: their own steps would not be traced, or they are interactive."""


def read(file: str) -> Pipeline:
    """Read a pipeline; its steps are in an order in which they can run.

    Raises `LtsError`, also if the command line of a step is wrong.
    """
    path = Path(file)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        content = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"not valid TOML: {error}", file=file) from None
    try:
        steps = list(_steps(content))
        folder = Path(os.path.realpath(path)).parent
        pipeline = Pipeline(path, folder, tuple(steps))
        return Pipeline(path, folder, ordered(pipeline))
    except LtsError as error:
        raise LtsError(f"{file}: {error}") from None


def _steps(content: Mapping[str, Any]) -> Iterator[Step]:
    _refuse_unknown(content, ("steps", "values"), "a pipeline")
    values = _values(content.get("values", {}), "`values`")
    tables = content.get("steps", {})
    if not isinstance(tables, dict) or not tables:
        raise LtsError("there are no steps: define one with a table [steps.NAME]")
    variants: dict[str, list[dict[str, Value]]] = {}
    count, most = 0, PIPELINE_STEPS.default
    for name, table in tables.items():
        if not _NAME.fullmatch(name):
            raise LtsError(
                f"`{name}` is not a valid step name: use letters, digits, `_`, `-` and `.`"
            )
        if not isinstance(table, dict):
            raise LtsError(f"`{name}` must be a table, [steps.{name}]")
        _refuse_unknown(table, KEYS, f"step `{name}`")
        several = itertools.islice(_each(table.get("each"), name), most + 1)
        variants[name] = list(several)
        count += len(variants[name])
        if count > most:
            raise LtsError(f"there are {PIPELINE_STEPS.exceeded()}, counting those of `{name}`")
    for name, table in tables.items():
        for own in variants[name]:
            try:
                yield _step(name, table, own, values, variants)
            except LtsError as error:
                raise LtsError(f"step `{_called(name, own)}`: {error}") from None


def _step(
    name: str,
    table: Mapping[str, Any],
    own: Mapping[str, Value],
    values: Mapping[str, Value],
    variants: Mapping[str, list[dict[str, Value]]],
) -> Step:
    both = {**values, **own}
    if ("run" in table) == ("program" in table):
        raise LtsError(
            "a step needs exactly one of `run` (an ltstool command) and `program` (another program)"
        )
    program = "program" in table
    words = _words(table["program" if program else "run"], both)
    outputs = list(_strings(table, "outputs", both))
    if not program:
        words, known = _command(words)
        outputs += known
    printed = table.get("print")
    if printed is not None:
        if not isinstance(printed, str):
            raise LtsError("`print` must be the name of a file")
        printed = filled(printed, both)
        outputs.append(printed)
    return Step(
        _called(name, own),
        tuple(words),
        program,
        tuple(_needed(_strings(table, "needs", both), own, variants)),
        tuple(_strings(table, "inputs", both)),
        tuple(dict.fromkeys(outputs)),
        printed,
        _expectation(table.get("expect"), both),
    )


def _command(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words of a command of ltstool, and the files that it will write."""
    if words[0] == "ltstool":
        del words[0]
    name, request = parsed(words)
    if name in _SERIES:
        raise LtsError(f"`{name}` cannot be the command of a step")
    return words, request.outputs


def _words(given: object, values: Mapping[str, Value]) -> list[str]:
    """Return the words of a command line; a substituted value stays within its word."""
    if isinstance(given, str):
        try:
            given = shlex.split(given)
        except ValueError as error:
            raise LtsError(f"the command line is incomplete: {error}") from None
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        raise LtsError("a command must be a string, or a list of words")
    if not given or given == ["ltstool"]:
        raise LtsError("the command line is empty")
    return [filled(word, values) for word in given]


def filled(text: str, values: Mapping[str, Value]) -> str:
    """Replace names in braces by their values; other braces are left unchanged."""
    pattern = "|".join(map(re.escape, values))
    if not pattern:
        return text
    return re.sub(rf"\{{({pattern})\}}", lambda match: str(values[match[1]]), text)


def _strings(table: Mapping[str, Any], key: str, values: Mapping[str, Value]) -> list[str]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise LtsError(f'`{key}` must be a list of names, as in {key} = ["one"]')
    return [filled(text, values) for text in found]


def _values(found: object, what: str) -> dict[str, Value]:
    if not isinstance(found, dict):
        raise LtsError(f"{what} must be a table of names and their values")
    for name, value in found.items():
        if not re.fullmatch(r"\w+", name):
            raise LtsError(f"{what}: the name `{name}` must consist of letters and digits")
        if not isinstance(value, (int, float, str)):
            raise LtsError(f"{what}: `{name}` must be a number or a string")
    return found


def _each(found: object, name: str) -> Iterator[dict[str, Value]]:
    """Yield the values of the names for each step that a table with `each` stands for."""
    what = f"`each` of step `{name}`"
    if found is None:
        yield {}
    elif isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
        for row in found:
            yield _values(row, what)
    elif isinstance(found, dict) and found and all(isinstance(v, list) for v in found.values()):
        if not all(found.values()):
            raise LtsError(f"{what} has an empty list of values")
        for chosen in itertools.product(*found.values()):
            yield _values(dict(zip(found, chosen, strict=True)), what)
    else:
        raise LtsError(
            f"{what} must have a list of values for each name, each = {{N = [2, 3]}}, or be a "
            "list of tables, each = [{N = 2}, {N = 3}]"
        )


def _called(name: str, own: Mapping[str, Value]) -> str:
    """Return the name of a step: with its values, if it is one of several."""
    listed = ",".join(f"{key}={value}" for key, value in own.items())
    return f"{name}[{listed}]" if listed else name


def _needed(
    names: Iterable[str], own: Mapping[str, Value], variants: Mapping[str, list[dict[str, Value]]]
) -> Iterator[str]:
    """Yield the names of needed steps: of a table with several, those that agree in the common
    values."""
    all_names = {_called(name, each) for name, rows in variants.items() for each in rows}
    for name in names:
        if name in all_names:
            yield name
            continue
        if name not in variants:
            raise LtsError(f"it needs step `{name}`, which does not exist{near(name, variants)}")
        agreeing = [
            _called(name, each)
            for each in variants[name]
            if all(own[key] == value for key, value in each.items() if key in own)
        ]
        if not agreeing:
            raise LtsError(f"it needs step `{name}`, which has no variant with the same values")
        yield from agreeing


def _expectation(found: object, values: Mapping[str, Value]) -> Expectation:
    """Return the expectation, with names in braces replaced by values."""
    filled_in = _filled_in(found, values)
    if filled_in is None or isinstance(filled_in, (bool, int, str, dict)):
        return filled_in
    raise LtsError(
        "`expect` must be true or false, an exit code, a part of the output, or a table: a part "
        "of the JSON output"
    )


def _filled_in(found: Any, values: Mapping[str, Value]) -> Any:
    if isinstance(found, str):
        name = found[1:-1]
        # A text that is only a name keeps the type of the value, a number for example.
        return values[name] if found == f"{{{name}}}" and name in values else filled(found, values)
    if isinstance(found, dict):
        return {key: _filled_in(value, values) for key, value in found.items()}
    if isinstance(found, list):
        return [_filled_in(value, values) for value in found]
    return found


def _refuse_unknown(table: Mapping[str, object], known: Iterable[str], what: str) -> None:
    listed = list(known)
    for key in table:
        if key not in listed:
            names = ", ".join(f"`{name}`" for name in listed)
            raise LtsError(f"{what} has no `{key}`{near(key, listed)} ({names})")
