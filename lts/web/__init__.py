"""Web pages to explore systems in a browser: self-contained HTML files.

Modules in reading order: `shown` (the contents of a page), `pages` (which computes them),
`html_document` (which writes the page), `notebook` (which shows it). `script/` runs in the browser,
with the modules of D3 in `d3/`.
"""

from typing import TYPE_CHECKING

from lts.base.lazy import loader
from lts.web.limits import MAX_STATES

if TYPE_CHECKING:
    from lts.web.colourings import orbits
    from lts.web.html_document import document, replaying
    from lts.web.notebook import Page, view
    from lts.web.pages import beside, compared, page, reduced
    from lts.web.shown import Colouring, Difference, Shown, Values
    from lts.web.values import state_data

__all__ = [
    "MAX_STATES",
    "Colouring",
    "Difference",
    "Page",
    "Shown",
    "Values",
    "beside",
    "compared",
    "document",
    "orbits",
    "page",
    "reduced",
    "replaying",
    "state_data",
    "view",
]

# Loaded on demand: the command line needs only the limit.
__getattr__ = loader(
    "lts.web",
    dict.fromkeys(("beside", "compared", "page", "reduced"), "lts.web.pages")
    | dict.fromkeys(("Page", "view"), "lts.web.notebook")
    | dict.fromkeys(("Colouring", "Difference", "Shown", "Values"), "lts.web.shown")
    | {
        "document": "lts.web.html_document",
        "replaying": "lts.web.html_document",
        "orbits": "lts.web.colourings",
        "state_data": "lts.web.values",
    },
)
