"""The common part of all certificates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from aut_format.writer import blocks
from lts.base.label_names import normal
from lts.errors import Unsupported
from lts.system.lts import LTS

__all__ = ["as_text", "fingerprint", "moved", "reachable_numbers", "table", "with_hidden"]


def as_text(certificate: Mapping[str, Any]) -> bytes:
    """Return the contents of a certificate's file."""
    return json.dumps(certificate, separators=(",", ":")).encode("ascii") + b"\n"


def table(kind: str, system: LTS) -> dict[str, Any]:
    """Return the common entries of a certificate about a system.

    Raises `Unsupported` if labels that are one for ltstool are two for a reader of bytes.
    """
    known: dict[str, str] = {}
    for label in system.labels:
        other = known.setdefault(normal(label), label)
        if other != label:
            raise Unsupported(
                f"`{other}` and `{label}` are one label, but a certificate compares bytes: rename "
                "one of them first"
            )
    return {
        "format": "lts-certificate",
        "version": 1,
        "kind": kind,
        "system": fingerprint(system),
        "internal": list(system.internal),
    }


def fingerprint(system: LTS) -> str:
    """Return the hash of a system's file in a normal form of header and transitions."""
    head = f"des ({system.initial},{system.transition_count},{system.state_count})\n"
    return digest_of([head.encode("ascii"), *list(blocks(system))[1:]])


def with_hidden(as_written: LTS, hidden: LTS) -> LTS:
    """Return the system as in its file, with the transitions whose actions were hidden made
    internal.

    Both systems have the same transitions in the same order. Raises `Unsupported` if only a part of
    a label was hidden: the file has no such label.
    """
    import numpy as np

    internal = [hidden.labels.index(label) for label in hidden.internal]
    is_internal = np.isin(hidden.label, internal)
    pairs = np.stack([as_written.label[~is_internal], hidden.label[~is_internal]])
    for old, new in np.unique(pairs, axis=1).T.tolist():
        if as_written.labels[old] != hidden.labels[new]:
            raise Unsupported(
                f"`{as_written.labels[old]}` is hidden in part, and a certificate has whole "
                "labels: hide in a command before this one"
            )
    return as_written.with_internal(
        [as_written.labels[number] for number in np.unique(as_written.label[is_internal])]
    )


def digest_of(chunks: Iterable[bytes]) -> str:
    """Return the SHA-256 of concatenated bytes."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return f"sha256:{digest.hexdigest()}"


def moved(images: Mapping[str, str], labels: Iterable[str]) -> list[list[str]]:
    """Return the labels among some that a permutation moves, closed under images, with their
    images."""
    found: dict[str, str] = {}
    for label in labels:
        while label not in found and images.get(label, label) != label:
            found[label] = images[label]
            label = images[label]
    return [[label, image] for label, image in sorted(found.items())]


def reachable_numbers(system: LTS) -> list[int]:
    """Return for each state of `system.reachable()` its number in the system.

    That numbers states breadth first, in the order of the transitions.
    """
    import numpy as np

    order = np.argsort(system.source, kind="stable")
    starts = np.searchsorted(system.source[order], np.arange(system.state_count + 1)).tolist()
    target = system.target[order].tolist()
    found, seen = [system.initial], bytearray(system.state_count)
    seen[system.initial] = True
    for state in found:
        for other in target[starts[state] : starts[state + 1]]:
            if not seen[other]:
                seen[other] = True
                found.append(other)
    return found
