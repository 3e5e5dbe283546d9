"""`ltstool rename`: rename labels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from lts.errors import LtsError, NameWarning
from ltstool.options.request import Request, Takes
from ltstool.options.table import FILES, LTS_FILE, option
from ltstool.shared.files import write_lts
from ltstool.shared.reading import load

HELP = "rename the labels of an LTS, by pattern"
EXAMPLES = (
    "rename a.aut send=put -o b.aut",
    "rename a.aut 'c_*(*)=channel(*,*)' 'done=tau' -o b.aut",
)


class Renaming(Request):
    """The options of `rename`."""

    names: Sequence[str] = option(
        "OLD=NEW...",
        "OLD is an action name, a whole label, or a pattern with * and ?; the text that each of "
        "these matches replaces those of NEW, in order. The first OLD that matches applies",
    )


TAKES = Takes(
    request=Renaming,
    reads=(LTS_FILE,),
    writes=LTS_FILE,
    options=("file", "names", "output", *FILES),
    changed={"file": {"flags": "FILE", "help": "file of an LTS (`-`: standard input)"}},
)


def run(request: Renaming) -> int:
    """Rename and write."""
    names = dict(map(_pair, request.names))
    system = load(request, request.reading.file, reduction="refused")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", NameWarning)
        try:
            renamed = system.rename(names)
        except ValueError as error:
            raise LtsError(str(error)) from None
    for each in said:
        request.warn(str(each.message))
    for old, new in names.items():
        left = next((label for label in renamed.labels if label.startswith(f"{new}(")), None)
        if new in ("tau", "i") and left is not None and left not in system.labels:
            pattern = f"{old.removesuffix('(...)')}(*)={new}"
            request.warn(f"`{left}` is not internal: `{pattern}` drops the arguments")
    write_lts(request, renamed, request.output)
    request.written(labels=len(renamed.labels))
    return 0


def _pair(text: str) -> tuple[str, str]:
    """Return the old and the new name; they are separated by the only `=` outside brackets and
    quotes."""
    depth, quoted, places = 0, False, []
    for place, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth += (c in "([{") - (c in ")]}")
            if c == "=" and depth <= 0:
                places.append(place)
    if len(places) != 1 or places[0] in (0, len(text) - 1):
        raise LtsError(f"expected OLD=NEW, not `{text}`")
    return text[: places[0]], text[places[0] + 1 :]
