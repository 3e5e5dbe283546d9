"""The manifest of a folder of parts."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from lts.errors import FormatError

__all__ = ["LABELS", "MANIFEST", "FileFacts", "Manifest", "manifest", "part_names"]

MANIFEST = "manifest.json"
LABELS = "labels.parquet"
_FORMAT = "ltstool-parts"
_VERSION = 1
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Facts about a file: its rows and bytes, and its hash."""

    rows: int
    bytes: int
    sha256: str

    @classmethod
    def of(cls, file: str, rows: int) -> FileFacts:
        """Return the facts about a file that was written."""
        digest, size = hashlib.sha256(), 0
        with open(file, "rb") as opened:
            while block := opened.read(_BLOCK):
                digest.update(block)
                size += len(block)
        return cls(rows, size, digest.hexdigest())


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a folder: `partitions` parts with the total numbers of states and
    transitions.

    `internal` names the internal labels, None for the default. `incomplete` is the reason why the
    run that wrote the folder did not find everything, None if it did.
    """

    partitions: int
    states: int
    transitions: int
    labels: int
    initial: int
    internal: tuple[str, ...] | None
    incomplete: str | None
    files: Mapping[str, FileFacts]

    def dumps(self) -> str:
        """Return the manifest as text."""
        facts = {"format": _FORMAT, "version": _VERSION, "made_by": f"ltstool {version('ltstool')}"}
        own = asdict(self)
        if self.internal is not None:
            own["internal"] = [_bytes(label).decode("latin-1") for label in self.internal]
        return json.dumps(facts | own, indent=1) + "\n"


def part_names(partition: int) -> tuple[str, str]:
    """Return the names of the two files of a partition: states and transitions."""
    return f"states-{partition:04d}.parquet", f"transitions-{partition:04d}.parquet"


def manifest(folder: str | os.PathLike[str]) -> Manifest:
    """Read the manifest of a folder, and check that its files exist with the right sizes.

    Raises `FormatError` if this is not such a folder or files are missing or damaged; `OSError` if
    it cannot be read.
    """
    name = os.path.join(os.fspath(folder), MANIFEST)
    try:
        with open(name, "rb") as file:
            facts = json.loads(file.read())
    except FileNotFoundError:
        if os.path.isdir(folder):
            message = f"the folder has no {MANIFEST}, so it is not an LTS in parts"
            raise FormatError(message, file=os.fspath(folder)) from None
        raise
    except (ValueError, RecursionError):
        raise FormatError("this is not the manifest of an LTS in parts", file=name) from None
    found = _checked(facts, name)
    for file_name, known in found.files.items():
        path = os.path.join(os.fspath(folder), file_name)
        try:
            size = os.stat(path).st_size
        except FileNotFoundError:
            raise FormatError(
                f"the file {file_name} of the folder is missing", file=os.fspath(folder)
            ) from None
        if size != known.bytes:
            message = f"the file has {size} bytes instead of {known.bytes}"
            raise FormatError(message, file=path)
    return found


def _checked(facts: Any, name: str) -> Manifest:
    if not isinstance(facts, dict) or facts.get("format") != _FORMAT:
        raise FormatError("this is not the manifest of an LTS in parts", file=name)
    if facts.get("version") != _VERSION:
        message = (
            f"the folder has version {facts.get('version')}; only version {_VERSION} is supported"
        )
        raise FormatError(message, file=name)
    try:
        files = {
            str(file): FileFacts(_count(each["rows"]), _count(each["bytes"]), str(each["sha256"]))
            for file, each in facts["files"].items()
        }
        internal = facts["internal"]
        found = Manifest(
            partitions=_count(facts["partitions"]),
            states=_count(facts["states"]),
            transitions=_count(facts["transitions"]),
            labels=_count(facts["labels"]),
            initial=_count(facts["initial"]),
            internal=None if internal is None else tuple(_label(each) for each in internal),
            incomplete=None if facts["incomplete"] is None else str(facts["incomplete"]),
            files=files,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FormatError("the manifest was changed or damaged", file=name) from None
    parts = [part_names(partition) for partition in range(found.partitions)]
    states, transitions = ([own[kind] for own in parts] for kind in (0, 1))
    whole = set(files) == {LABELS, *states, *transitions}
    counts = whole and [
        sum(files[file].rows for file in group) for group in (states, transitions, [LABELS])
    ]
    if counts != [found.states, found.transitions, found.labels] or found.initial >= found.states:
        raise FormatError("the manifest contradicts itself", file=name)
    return found


def _count(number: Any) -> int:
    if type(number) is not int or not 0 <= number < 2**63:
        raise ValueError
    return number


def _bytes(label: str) -> bytes:
    return label.encode("utf-8", "surrogateescape")


def _label(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")
