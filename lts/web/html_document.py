"""The page as an HTML file: its script, its style, and the systems as one compressed text.

The systems are embedded as columns of numbers and JSON, deflated and base64-encoded, so that no
label can be taken for markup. The numbers of a column are cut into bytes: all lowest bytes, then
all second ones. So columns need few bytes, are compressed fast, and are read without parsing. The
page's content security policy allows only its own scripts and no connection.
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

import lts._engine as _engine
from lts.base.bounds import PAGE_DATA
from lts.system.lts import LTS
from lts.trace import TraceStep, format_trace
from lts.web.shown import Difference, Shown, Values

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["document", "replaying"]

_D3 = (
    *("dispatch", "timer", "quadtree", "color", "interpolate"),
    *("selection", "ease", "transition", "drag", "zoom"),
)
"""Modules of D3, in the order of their dependencies."""

_SCRIPTS = (
    *("text", "data", "system", "palette", "colouring", "clusters", "picture"),
    *("layered", "radial", "stress", "layout", "curve", "painter", "vector", "pointer", "pane"),
    *("details", "legend", "trace", "player", "difference", "predicate", "search"),
    *("export", "link", "keys", "main"),
)
"""Scripts of the page, in the order of their dependencies."""


_REPLAY = b'<script type="text/plain" id="replay"></script>'


def document(
    shown: Sequence[Shown], *, title: str = "", difference: Difference | None = None
) -> bytes:
    """Return the page that shows one system, or two side by side."""
    if not 1 <= len(shown) <= 2:
        raise ValueError(f"a page shows one system or two, not {len(shown)}")
    packed = _Packed()
    with _engine.Stage("compressing", 0):
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


def replaying(page: bytes, trace: Sequence[TraceStep]) -> bytes:
    """Return a page that follows a trace of its first system when it is opened."""
    if not trace:
        return page
    text = base64.b64encode(format_trace(trace).encode("utf-8", "surrogateescape"))
    return page.replace(_REPLAY, _REPLAY.replace(b"><", b">" + text + b"<"), 1)


class _Packed:
    """Columns of numbers, compressed one after the other, with the position of each."""

    def __init__(self) -> None:
        self.stream = zlib.compressobj(6)
        self.compressed = b""
        self.bytes = 0

    def column(self, numbers: Sequence[int] | npt.NDArray[np.integer[Any]]) -> dict[str, int]:
        """Add a column of numbers below 2**32; return its position."""
        import numpy as np

        column = np.ascontiguousarray(numbers, dtype="<u4")
        largest = int(column.max(initial=0))
        width = next(width for width in (1, 2, 3, 4) if largest < 256**width)
        cut = column.view(np.uint8).reshape(-1, 4)[:, :width]
        place = {"at": self.bytes, "length": len(column), "width": width}
        self.add(np.ascontiguousarray(cut.T).tobytes())
        return place

    def add(self, data: bytes) -> None:
        self.compressed += self.stream.compress(data) + self.stream.flush(zlib.Z_SYNC_FLUSH)
        self.bytes += len(data)

    def system(self, shown: Shown) -> dict[str, Any]:
        """Add a system; return its description for the JSON."""
        import numpy as np

        system = shown.system
        source, label, target = _transitions(system)
        jumps = shown.jumps
        described = {
            "title": shown.title,
            "states": system.state_count,
            "initial": system.initial,
            "duplicates": system.transition_count - len(source),
            "labels": list(system.labels),
            "internal": [n for n, text in enumerate(system.labels) if text in system.internal],
            "jumps": [n for n, text in enumerate(system.labels) if text in jumps],
            # Smaller than the columns of sources and targets: how many steps every state has, and
            # how far ahead each leads.
            "degrees": self.column(np.bincount(source, minlength=system.state_count)),
            "label": self.column(label),
            "ahead": self.column((target.astype(np.int64) - source).astype("<u4")),
            "colourings": [
                {
                    "name": each.name,
                    "names": _names(each.names),
                    "shared": each.shared,
                    "classes": self.column(each.classes),
                }
                for each in shown.colourings
            ],
        }
        included, left = self.values(shown.values)
        return {**described, "values": included, "left": left}

    def values(self, values: Sequence[Values]) -> tuple[list[dict[str, Any]], list[str]]:
        """Add the data of states until the page would exceed `PAGE_DATA`; return their descriptions
        for the JSON, and the names of the data that were left out."""
        included: list[dict[str, Any]] = []
        left: list[str] = []
        for each in values:
            before = self.stream.copy(), self.compressed, self.bytes
            column = self.column(each.indices)
            if len(self.compressed) * 4 // 3 > PAGE_DATA.default:
                self.stream, self.compressed, self.bytes = before
                left.append(f"{each.group}: {each.name}" if each.group else each.name)
                continue
            described = {"group": each.group, "name": each.name, "values": list(each.values)}
            included.append({**described, "indices": column})
        return included, left

    def whole(self, content: dict[str, Any]) -> str:
        """Return everything as text: the columns, the JSON, the length of the JSON."""
        described = json.dumps(content).encode("ascii")
        self.add(described + len(described).to_bytes(4, "little"))
        return base64.b64encode(self.compressed + self.stream.flush()).decode("ascii")


def _names(names: Sequence[str]) -> list[str] | dict[str, Any]:
    """Return the names of classes for the page; `C 0` .. `C n` are abbreviated to the prefix `C`
    and the number of classes."""
    kind = names[0].removesuffix(" 0") if names else ""
    if len(names) > 1 and all(name == f"{kind} {n}" for n, name in enumerate(names)):
        return {"numbered": kind, "count": len(names)}
    return list(names)


def _transitions(system: LTS) -> tuple[npt.NDArray[np.uint32], ...]:
    """Return the transitions ordered by source, without duplicates."""
    import numpy as np

    columns = (system.source, system.label, system.target)
    # The first of equal transitions: in this order these are adjacent.
    order = np.lexsort(columns[::-1])
    ordered = np.stack([column[order] for column in columns])
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    unique = np.sort(order[is_first])
    unique = unique[np.argsort(system.source[unique], kind="stable")]
    return tuple(column[unique] for column in columns)


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
