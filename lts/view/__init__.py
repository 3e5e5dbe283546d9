"""Web pages to explore systems in a browser: self-contained HTML files.

Modules in reading order: `shown` (the contents of a page), `pages` (which computes them),
`document` (which writes the page). `script/` runs in the browser, with the modules of D3 in `d3/`.
"""

from typing import TYPE_CHECKING

from lts.lazy import loader
from lts.view.limits import MAX_STATES

if TYPE_CHECKING:
    from lts.view.colourings import orbits
    from lts.view.document import document
    from lts.view.pages import beside, compared, page, reduced
    from lts.view.shown import Colouring, Difference, Shown, Values
    from lts.view.values import state_data

__all__ = [
    "MAX_STATES",
    "Colouring",
    "Difference",
    "Shown",
    "Values",
    "beside",
    "compared",
    "document",
    "orbits",
    "page",
    "reduced",
    "state_data",
]

# Loaded on demand: the command line needs only the limit.
__getattr__ = loader(
    "lts.view",
    dict.fromkeys(("beside", "compared", "page", "reduced"), "lts.view.pages")
    | dict.fromkeys(("Colouring", "Difference", "Shown", "Values"), "lts.view.shown")
    | {
        "document": "lts.view.document",
        "orbits": "lts.view.colourings",
        "state_data": "lts.view.values",
    },
)
