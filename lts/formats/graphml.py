"""Streaming writer of GraphML, which yEd, Gephi, igraph and networkx read."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lts._engine as _engine
from lts.errors import FormatError
from lts.formats.labels import unicode_labels
from lts.system.lts import LTS

__all__ = ["blocks"]

_LINES = 1 << 15
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="label" for="edge" attr.name="label" attr.type="string"/>
<key id="internal" for="edge" attr.name="internal" attr.type="boolean">\
<default>false</default></key>
<key id="initial" for="node" attr.name="initial" attr.type="boolean">\
<default>false</default></key>
<graph edgedefault="directed">
"""


def blocks(system: LTS) -> Iterator[bytes]:
    """Yield the text of a GraphML file with a node for each state and an edge for each transition.

    Edges have `label` and `internal`, the initial node has `initial`. Raises `FormatError` for a
    label with characters that XML cannot represent.
    """
    shown = []
    for label in unicode_labels(system, "GraphML"):
        if _FORBIDDEN.search(label):
            raise FormatError(f"the label {label!r} contains a character that XML cannot represent")
        shown.append(_data(label, label in system.internal))
    yield _HEAD.encode()
    for start in range(0, system.state_count, _LINES):
        states = range(start, min(start + _LINES, system.state_count))
        yield b"".join(_node(state, state == system.initial) for state in states)
    columns = (system.source, system.label, system.target)
    with _engine.Stage("writing", system.transition_count) as stage:
        for start in range(0, system.transition_count, _LINES):
            parts = (column[start : start + _LINES].tolist() for column in columns)
            yield b"".join(
                b'<edge source="n%d" target="n%d">%b</edge>\n' % (s, t, shown[a])
                for s, a, t in zip(*parts, strict=True)
            )
            stage.add(_LINES)
    yield b"</graph>\n</graphml>\n"


def _node(state: int, is_initial: bool) -> bytes:
    if is_initial:
        return b'<node id="n%d"><data key="initial">true</data></node>\n' % state
    return b'<node id="n%d"/>\n' % state


def _data(label: str, is_internal: bool) -> bytes:
    # XML readers turn a literal carriage return into a line feed.
    text = label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("\r", "&#13;")
    data = f'<data key="label">{text}</data>'
    if is_internal:
        data += '<data key="internal">true</data>'
    return data.encode()
