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
from lts.state_space.simulation import simulate
from lts.symmetry import parse_permutation, reduce
from lts.web import compared, page, reduced, replaying, state_data

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import shapes as systems  # noqa: E402
from chromium import WINDOWS  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
COLOURS = 256
"""Number of colours to which a picture is reduced: smaller files without a visible difference."""

SCREEN, PHONE = WINDOWS

Shot = tuple[str, bytes, list[str]]


def main() -> int:
    """Take the screenshots."""
    from chromium import Page, started

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, started() as driver:
        for name, content, script in (*shots(), *shapes()):
            file = Path(folder) / f"{name}.html"
            file.write_bytes(content)
            shown = Page(driver, file, PHONE if name.endswith("phone") else SCREEN)
            shown.run("app.theme('light')")
            for line in script:
                driver.execute_script(line)
            out = PICTURES / f"{name}.png"
            shown.picture(out)
            Image.open(out).convert("RGB").quantize(
                COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
            ).save(out, optimize=True)
            print(out.relative_to(ROOT))
    return 0


def shots() -> Iterator[Shot]:
    """Yield the name of each screenshot, its page, and the actions on the page before it is
    taken."""
    process = linearise(mucrl.read(ROOT / "cases" / "abp.mcrl"))
    protocol = generate(process)
    data = state_data(protocol, process)
    content = page(
        protocol,
        title="The alternating bit protocol",
        formulas=["<c2(...)>true"],
        values=data,
    )
    walk = ["app.colour(app.active.colourings.findIndex((each) => each.name === 'orbits'))"]
    walk += ["app.walkTo(app.active, 30)"]
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
    title = "The protocol and its reduction"
    yield "reduced", reduced(found.encoding, found.symmetry, title=title), orbit
    process = linearise(mucrl.read(ROOT / "cases" / "peterson.mcrl", parameters={"N": 5}))
    large = generate(process)
    title = "Peterson's algorithm for five processes"
    content = page(large, title=title, values=state_data(large, process))
    yield "large", content, []
    yield "large-phone", content, []
    divide = ["app.toggle(app.active, 30)", "app.select(app.active, null)", "app.active.fit()"]
    yield "divided", content, divide
    both = "app.active.groupings.findIndex((each) => each.name === 'depth × Process_p1: n')"
    yield "clusters", content, [f"app.group(1 + {both})"]
    walk = simulate(linearise(mucrl.read(ROOT / "cases" / "abp.mcrl")))
    walk.wander(14, 5)
    played = replaying(page(protocol, title="A run of the protocol", values=data), walk.trace)
    yield "played", played, ["app.arrange('band')", "app.along(6)"]


def shapes() -> Iterator[Shot]:
    """Yield pages of well-known shapes, as they are shown at first."""
    shown = {
        "chain": systems.chain(300),
        "star": systems.star(10),
        "ring": systems.ring(60),
        "hanoi": systems.hanoi(5),
        "grid": systems.grid(15),
        "tree": systems.tree(4),
    }
    for name, system in shown.items():
        yield f"shape-{name}", page(system, title=name), []
    yield "shape-chain-phone", page(shown["chain"], title="chain"), []


if __name__ == "__main__":
    sys.exit(main())
