"""The page of a system as an object, which a notebook shows inline."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass

from aut_format.output import writing
from lts.base.argument_types import expect, expect_limit, expect_text
from lts.system.lts import LTS, expect_systems
from lts.web.limits import MAX_STATES
from lts.web.pages import beside, compared, page

__all__ = ["Page", "view"]

_HEIGHT = 640
"""Height of the page in a notebook, in pixels."""


@dataclass(frozen=True, slots=True)
class Page:
    """A web page that shows a system; a notebook displays it, `write` makes a file of it."""

    html: bytes
    title: str

    def write(self, file: str | os.PathLike[str]) -> None:
        """Write the page to a file for a browser, whole or not at all."""
        expect(file, (str, os.PathLike), "the path of a file")
        with writing(os.fspath(file)) as out:
            out.write(self.html)

    def __contains__(self, text: str) -> bool:
        """Whether the file of the page contains a text."""
        return text.encode() in self.html

    def __repr__(self) -> str:
        return f"<Page: {self.title}, {len(self.html)} bytes>"

    def _repr_html_(self) -> str:
        source = html.escape(self.html.decode("utf-8"))
        return (
            f'<iframe srcdoc="{source}" width="100%" height="{_HEIGHT}" '
            'style="border:0" sandbox="allow-scripts allow-downloads allow-modals"></iframe>'
        )


def view(
    system: LTS,
    other: LTS | None = None,
    *,
    equivalence: str | None = None,
    title: str = "",
    max_states: int = MAX_STATES,
) -> Page:
    """Return the page of `ltstool view` for a system, or for two beside each other.

    `lts.view` also takes files and specifications; `lts.web` has more kinds of pages. Raises
    `LimitReached` for more than `max_states` states.

    >>> view(LTS.from_transitions([(0, "a", 1)]), title="one step").title
    'one step'
    """
    expect_systems(system, *([] if other is None else [other]))
    expect_text(title, "the title of the page")
    expect_limit(max_states, "the largest number of states")
    if other is None:
        title = title or repr(system)[1:-1]
        names = () if equivalence is None else (equivalence,)
        return Page(page(system, title=title, equivalences=names, max_states=max_states), title)
    titles = (repr(system)[1:-1], repr(other)[1:-1])
    if equivalence is None:
        made = beside(system, other, title=title, titles=titles, max_states=max_states)
    else:
        made, _ = compared(system, other, equivalence, titles=titles, max_states=max_states)
    return Page(made, title or " and ".join(titles))
