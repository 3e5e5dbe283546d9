"""The page as an HTML file: its script, its style, and the systems as one compressed text.

The systems are embedded as numbers and JSON, deflated and base64-encoded, so that no label can be
taken for markup. The page's content security policy allows only its own scripts and no connection.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lts.system import LTS
from lts.web.shown import Difference, Shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["document"]

_D3 = (
    *("dispatch", "timer", "collection", "quadtree", "force", "color", "interpolate"),
    *("selection", "ease", "transition", "drag", "zoom"),
)
"""Modules of D3, in the order of their dependencies."""

_SCRIPTS = (
    *("text", "data", "system", "palette", "colouring", "parts", "layout", "curve"),
    *("painter", "pane", "details", "legend", "trace", "search", "keys", "main"),
)
"""Scripts of the page, in the order of their dependencies."""


def document(
    shown: Sequence[Shown], *, title: str = "", difference: Difference | None = None
) -> bytes:
    """Return the page that shows one system, or two side by side."""
    if not 1 <= len(shown) <= 2:
        raise ValueError(f"a page shows one system or two, not {len(shown)}")
    packed = _Packed()
    content: dict[str, Any] = {
        "title": title,
        "systems": [packed.system(each) for each in shown],
        "difference": None if difference is None else _difference(difference),
    }
    scripts = [_text(f"d3/d3-{name}.min.js") for name in _D3]
    scripts += [_text(f"script/{name}.js") for name in _SCRIPTS]
    allowed = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    parts = {
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}",
        "title": html.escape(_shown(title) or "ltstool view"),
        "style": _text("style.css"),
        "data": packed.whole(content),
        "licence": _text("d3/LICENSE"),
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    # In one pass: a title may look like a placeholder.
    page = re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], _text("page.html"))
    return page.encode("utf-8", "replace")


class _Packed:
    """Columns of numbers, concatenated, with the position of each."""

    def __init__(self) -> None:
        self.columns: list[bytes] = []
        self.numbers = 0

    def column(self, numbers: Sequence[int] | npt.NDArray[np.uint32]) -> dict[str, int]:
        """Add a column of numbers below 2**32; return its position."""
        import numpy as np

        column = np.asarray(numbers, dtype="<u4")
        place = {"at": self.numbers, "length": len(column)}
        self.columns.append(column.tobytes())
        self.numbers += len(column)
        return place

    def system(self, shown: Shown) -> dict[str, Any]:
        """Add a system; return its description for the JSON."""
        system = shown.system
        source, label, target = _rows(system)
        jumps = shown.jumps
        return {
            "title": shown.title,
            "states": system.state_count,
            "initial": system.initial,
            "duplicates": system.transition_count - len(source),
            "labels": list(system.labels),
            "internal": [n for n, text in enumerate(system.labels) if text in system.internal],
            "jumps": [n for n, text in enumerate(system.labels) if text in jumps],
            "source": self.column(source),
            "label": self.column(label),
            "target": self.column(target),
            "colourings": [
                {
                    "name": each.name,
                    "names": list(each.names),
                    "shared": each.shared,
                    "classes": self.column(each.classes),
                }
                for each in shown.colourings
            ],
            "values": [
                {
                    "group": each.group,
                    "name": each.name,
                    "values": list(each.values),
                    "indices": self.column(each.indices),
                }
                for each in shown.values
            ],
        }

    def whole(self, content: dict[str, Any]) -> str:
        """Return everything as text: the length of the JSON, the JSON, the columns."""
        head = json.dumps(content).encode("ascii")
        head += b" " * (-len(head) % 4)
        whole = len(head).to_bytes(4, "little") + head + b"".join(self.columns)
        return base64.b64encode(zlib.compress(whole, 9)).decode("ascii")


def _rows(system: LTS) -> tuple[npt.NDArray[np.uint32], ...]:
    """Return the transitions ordered by source, without duplicates."""
    import numpy as np

    columns = (system.source, system.label, system.target)
    if not system.transition_count:
        return columns
    _, first = np.unique(np.stack(columns, axis=1), axis=0, return_index=True)
    kept = np.sort(first)
    kept = kept[np.argsort(system.source[kept], kind="stable")]
    return tuple(column[kept] for column in columns)


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "text": difference.text,
        "owner": difference.owner,
        "states": list(difference.states),
        "labels": list(difference.labels),
        "weak": difference.weak,
        "judged": difference.judged,
    }


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")


@cache
def _text(name: str) -> str:
    return files("lts.web").joinpath(name).read_text(encoding="utf-8")
