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
    (length,) = struct.unpack_from("<I", whole)
    columns = whole[4 + length :]
    numbers = struct.unpack(f"<{len(columns) // 4}I", columns)

    def column(value):
        if set(value) == {"at", "length"}:
            return list(numbers[value["at"] : value["at"] + value["length"]])
        return value

    return json.loads(whole[4 : 4 + length], object_hook=column)


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
