"""Write docs/pictures/: screenshots of pages of `ltstool view`.

Run by `make pictures`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from lts import LTS, mucrl
from lts.linear.linearise import linearise
from lts.state_space.generation import generate
from lts.symmetry import parse_permutation, reduce
from lts.web import compared, page, reduced, state_data

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
COLOURS = 128
"""Number of colours to which a picture is reduced: smaller files without a visible difference."""

Shot = tuple[str, bytes, list[str]]


def main() -> int:
    """Take the screenshots."""
    sys.path.insert(0, str(ROOT / "tests"))
    from chromium import Page, started

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, started(width=1280, height=800) as driver:
        for name, content, script in shots():
            file = Path(folder) / f"{name}.html"
            file.write_bytes(content)
            shown = Page(driver, file)
            shown.run("app.theme('light')")
            for line in script:
                driver.execute_script(line)
            out = PICTURES / f"{name}.png"
            shown.picture(out)
            Image.open(out).convert("RGB").quantize(COLOURS).save(out, optimize=True)
            print(out.relative_to(ROOT))
    return 0


def shots() -> Iterator[Shot]:
    """Yield the name of each screenshot, its page, and the actions on the page before it is
    taken."""
    process = linearise(mucrl.read(ROOT / "cases" / "abp.mcrl"))
    protocol = generate(process)
    content = page(
        protocol,
        title="The alternating bit protocol",
        formulas=["<c2(...)>true"],
        values=state_data(protocol, process),
    )
    walk = ["app.colour(app.active.colourings.findIndex((each) => each.name === 'orbits'))"]
    walk += ["app.walkTo(app.active, 30)"]
    walk += ["app.active.move(d3.zoomIdentity.translate(60, 30).scale(0.78))"]
    yield "protocol", content, walk
    look = ["app.theme('dark')", "app.select(app.active, 29)"]
    look += ["const s = document.getElementById('search'); s.value = 'r1(*'; search(app, s.value)"]
    yield "search", content, look
    left = LTS.from_transitions([(0, "coin", 1), (1, "tea", 2), (1, "coffee", 2)])
    right = LTS.from_transitions([(0, "coin", 1), (0, "coin", 2), (1, "tea", 3), (2, "coffee", 3)])
    titles = ("one machine", "another")
    yield "compared", compared(left, right, "strong", titles=titles)[0], []
    found = reduce(protocol, [parse_permutation("(d1 d2)")])
    orbit = ["app.select(app.panes[0], 9)"]
    orbit += [
        "app.panes.forEach((pane) => pane.move(d3.zoomIdentity.translate(30, 120).scale(0.62)))"
    ]
    title = "The protocol and its reduction"
    yield "reduced", reduced(found.encoding, found.symmetry, title=title), orbit
    large = generate(linearise(mucrl.read(ROOT / "cases" / "peterson.mcrl", parameters={"N": 4})))
    part = ["app.toggle(app.active, 2)", "app.walkTo(app.active, 200)", "app.active.fit()"]
    part += ["app.active.move(d3.zoomIdentity.translate(70, 60).scale(0.62))"]
    yield "large", page(large, title="Peterson's algorithm for four processes"), part


if __name__ == "__main__":
    sys.exit(main())
