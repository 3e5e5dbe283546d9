"""Streaming writer of JSON: one object with the label table and a list for each transition."""

from __future__ import annotations

import json
from collections.abc import Iterator

import lts._engine as _engine
from lts.formats.labels import unicode_labels
from lts.system.lts import LTS

__all__ = ["blocks"]

_LINES = 1 << 15


def blocks(system: LTS) -> Iterator[bytes]:
    """Yield the text of a JSON file.

    `transitions` has lists `[source, label, target]`, where `label` is a position in `labels`; the
    other keys are `initial`, `states` and `internal`. Raises `FormatError` for a label that is not
    Unicode.
    """
    labels = unicode_labels(system, "JSON")
    internal = [label for label in labels if label in system.internal]
    yield (
        f'{{"initial": {system.initial},\n"states": {system.state_count},\n'
        f'"labels": {json.dumps(labels)},\n"internal": {json.dumps(internal)},\n"transitions": ['
    ).encode()
    columns = (system.source, system.label, system.target)
    with _engine.Stage("writing", system.transition_count) as stage:
        for start in range(0, system.transition_count, _LINES):
            parts = (column[start : start + _LINES].tolist() for column in columns)
            lines = ",\n".join(f"[{s}, {a}, {t}]" for s, a, t in zip(*parts, strict=True))
            yield (",\n" if start else "\n").encode() + lines.encode()
            stage.add(_LINES)
    yield b"]}\n"
