"""Contents of pages, read without a browser."""

import base64
import json
import re
import struct
import zlib


def content(page):
    """Return the data embedded in a page, with columns as lists."""
    [data] = re.findall(r'<script type="text/plain" id="data">([^<]*)</script>', page.decode())
    whole = zlib.decompress(base64.b64decode(data))
    (length,) = struct.unpack("<I", whole[-4:])

    def column(value):
        if set(value) == {"at", "length", "width"}:
            at, length, width = value["at"], value["length"], value["width"]
            cut = [whole[at + n * length : at + (n + 1) * length] for n in range(width)]
            return [int.from_bytes(number, "little") for number in zip(*cut, strict=True)]
        if set(value) == {"numbered", "count"}:
            return [f"{value['numbered']} {n}" for n in range(value["count"])]
        if "degrees" in value:
            source = [s for s, degree in enumerate(value["degrees"]) for _ in range(degree)]
            ends = zip(source, value["ahead"], strict=True)
            return {**value, "source": source, "target": [(s + a) % 2**32 for s, a in ends]}
        return value

    return json.loads(whole[-4 - length : -4], object_hook=column)


def rows(system):
    """Return the transitions of a system on a page."""
    columns = (system["source"], system["label"], system["target"])
    return [(s, system["labels"][a], t) for s, a, t in zip(*columns, strict=True)]


def colouring(system, name):
    """Return the name of the class of every state."""
    [found] = [each for each in system["colourings"] if each["name"] == name]
    return [found["names"][number] for number in found["classes"]]


def values(system):
    """Return the data of every state, by component and name."""
    return [
        {
            (each["group"], each["name"]): each["values"][each["indices"][state]]
            for each in system["values"]
            if each["values"][each["indices"][state]] is not None
        }
        for state in range(system["states"])
    ]
