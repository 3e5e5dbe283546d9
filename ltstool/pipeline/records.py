"""Records of steps that ran, stored between runs, and the test whether they are still valid.

A record is valid as long as the step's words, the program, and the content of all files that the
step read or looked for are unchanged, and the files that it wrote are still as it wrote them. Files
are identified by the names that the step used, so a link that leads elsewhere counts as a change.
Times are ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any
from urllib.parse import quote

from aut_format.output import writing
from lts.errors import LtsError
from ltstool.pipeline.steps import Pipeline, Step

__all__ = ["Record", "Records", "content", "fingerprint"]

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class Record:
    """The effects of a step: paths of files with hashes of their content (None: the file did not
    exist)."""

    key: str
    code: int
    seconds: float
    memory: int | None
    inputs: dict[str, str | None] = field(default_factory=dict)
    folders: dict[str, str | None] = field(default_factory=dict)
    outputs: dict[str, str | None] = field(default_factory=dict)


def _record(**table: Any) -> Record:
    """Return a stored record. Raises `TypeError` for anything else."""
    record = Record(**table)
    kinds: dict[str, Any] = {
        "key": str,
        "code": int,
        "seconds": (int, float),
        "memory": (int, NoneType),
        **dict.fromkeys(("inputs", "folders", "outputs"), dict),
    }
    for name, kind in kinds.items():
        value = getattr(record, name)
        values = [*value.keys(), *value.values()] if isinstance(value, dict) else []
        right = isinstance(value, kind) and not isinstance(value, bool)
        if not right or not all(isinstance(each, (str, NoneType)) for each in values):
            raise TypeError(name)
    if not all(isinstance(file, str) for file in (*record.inputs, *record.outputs)):
        raise TypeError("files")
    return record


def content(file: str) -> str | None:
    """Return a hash of a file's content; None if it does not exist or cannot be read.

    Folders are hashed only if they are LTSs in parts.
    """
    try:
        if os.path.isdir(file):
            return _whole(file) if file.rstrip(os.sep).endswith(".parts") else "folder"
        if not os.path.isfile(file):
            return None
        with open(file, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


def _whole(folder: str) -> str:
    """Return a hash of the files in a folder."""
    names = sorted(os.listdir(folder))
    found = [(name, content(os.path.join(folder, name))) for name in names]
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def listing(folder: str) -> str | None:
    """Return a hash of the names in a folder; None if it is not a folder."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return None
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()


@cache
def program() -> str:
    """Return a hash of this program: all files of its packages that Python or the engine
    executes."""
    import aut_format
    import lts
    import ltstool

    whole = hashlib.sha256(sys.version.encode())
    for package in (lts, aut_format, ltstool):
        root = Path(package.__file__ or "").parent
        for file in sorted(root.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                whole.update(f"{file.relative_to(root)}\0{content(str(file))}\0".encode())
    return whole.hexdigest()


def fingerprint(step: Step) -> str:
    """Return a hash of a step's definition in the pipeline file."""
    what = [step.words, step.program, step.inputs, step.outputs, step.printed]
    what.append(None if step.program else program())
    return hashlib.sha256(json.dumps(what).encode("utf-8", "surrogateescape")).hexdigest()


class Records:
    """The records of a pipeline, and the output of its steps, in a folder beside the pipeline
    file."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.folder = pipeline.folder / f".{pipeline.file.name}.run"
        self._state = self.folder / "records.json"
        self._found: dict[str, Record] = self._read()

    def _read(self) -> dict[str, Record]:
        # If it cannot be read, the steps run again.
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            found: Any = json.loads(self._state.read_text(encoding="utf-8"))
            if found["format"] == _FORMAT:
                return {name: _record(**table) for name, table in found["steps"].items()}
        return {}

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the pipeline against other runs. Raises `LtsError` if one is under way."""
        self.folder.mkdir(exist_ok=True)
        with open(self.folder / "lock", "w", encoding="utf-8") as file:
            try:
                import fcntl
            except ImportError:  # no lock on this system
                yield
                return
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise LtsError("another run of this pipeline is in progress") from None
            self._found = self._read()
            yield

    def get(self, step: Step) -> Record | None:
        """Return the record of a step, whether or not it is still valid."""
        return self._found.get(step.name)

    def holding(self, step: Step) -> Record | None:
        """Return the record of a step if it is valid and is a result: exit code 0 or 1."""
        record = self._found.get(step.name)
        if record is None or record.code not in (0, 1) or record.key != fingerprint(step):
            return None
        files = {**record.inputs, **record.outputs}
        if any(content(file) != known for file, known in files.items()):
            return None
        if any(listing(folder) != known for folder, known in record.folders.items()):
            return None
        return record if all(file.is_file() for file in self.streams(step)) else None

    def put(self, step: Step, record: Record) -> None:
        """Store the record of a step."""
        self._found[step.name] = record
        self._write()

    def forget(self, step: Step) -> None:
        """Remove the record of a step, before it runs."""
        if self._found.pop(step.name, None) is not None:
            self._write()

    def keep_only(self, steps: Iterable[Step]) -> None:
        """Remove the records and output of steps that are not in the pipeline any more."""
        names = {step.name for step in steps}
        if self._found.keys() - names:
            self._found = {name: self._found[name] for name in self._found.keys() & names}
            self._write()
        known = {file.name for step in steps for file in self.streams(step)}
        for file in self.folder.iterdir():
            if file.suffix in (".out", ".err") and file.name not in known:
                file.unlink()

    def streams(self, step: Step) -> tuple[Path, Path]:
        """Return the files with a step's standard output and standard error."""
        name = quote(step.name, safe="[]=,")
        return self.folder / f"{name}.out", self.folder / f"{name}.err"

    def _write(self) -> None:
        steps = {name: asdict(record) for name, record in self._found.items()}
        text = json.dumps({"format": _FORMAT, "steps": steps}, indent=1)
        with writing(self._state) as file:
            file.write(text.encode("utf-8", "surrogateescape"))
