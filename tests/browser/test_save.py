"""What is seen is saved as a file, and an address restores a view."""

import re
import shutil
import subprocess
import time
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

import lts
from chromium import WINDOWS, Keys
from lts import LTS, mucrl
from lts.linear.linearise import linearise
from lts.state_space.generation import generate
from lts.web import page, state_data
from shapes import star, tree

NASTY = LTS.from_transitions(
    [
        (0, 'say("a<b&c\\d_{x}")', 1),
        (0, "[b]", 1),
        (1, "tau", 2),
        (2, "100%", 0),
        (1, "~^#$ --- `x'|", 2),
    ]
)


def saved(shown, tmp_path, form, suffix):
    """Choose a format in the page; return the file that the browser has then."""
    folder = {"behavior": "allow", "downloadPath": str(tmp_path)}
    shown.driver.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
    shown.choose("#export", form)
    end = time.monotonic() + 20
    while not (found := list(tmp_path.glob(f"*.{suffix}"))):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert shown.find("#export").get_attribute("value") == ""
    return found[0]


@pytest.mark.parametrize("system", [star(5), NASTY, tree(3)])
def test_a_graph_for_graphviz_is_the_system(opened, tmp_path, system):
    shown = opened(page(system, title="the star"))
    file = saved(shown, tmp_path, "DOT", "dot")
    assert file.name == "the-star.dot"
    read = lts.read(file)
    assert sorted(read.transitions()) == sorted(system.transitions())
    assert read.initial == system.initial
    assert len(re.findall(r"pos=", file.read_text())) == system.state_count + 1


@pytest.mark.parametrize("system", [star(5), NASTY])
def test_a_picture_as_svg(opened, tmp_path, system):
    shown = opened(page(system))
    root = ET.fromstring(saved(shown, tmp_path, "SVG", "svg").read_text())
    size = shown.run("app.active.size()")
    assert root.get("width") == str(size["width"])
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {str(n) for n in range(system.state_count)} <= set(texts)
    written = shown.run("app.active.written.flatMap(({ arrow }) => arrow.texts)")
    assert written
    assert set(written) <= set(texts)
    # A state is where it is seen.
    x, y = shown.run("app.active.placeOf(1)")
    [at] = [each for each in root.iter("{http://www.w3.org/2000/svg}text") if each.text == "1"]
    assert (float(at.get("x")), float(at.get("y"))) == pytest.approx((x, y), abs=2)


def test_png_shows_the_current_view(opened, tmp_path):
    shown = opened(page(star(4)))
    picture = Image.open(saved(shown, tmp_path, "PNG", "png")).convert("RGB")
    size = shown.run("app.active.size()")
    assert picture.size == (2 * size["width"], 2 * size["height"])
    x, y = shown.run("app.active.placeOf(2)")
    dy = -9 * shown.run("app.active.transform.k")
    colour = "#{:02x}{:02x}{:02x}".format(*picture.getpixel((round(2 * x), round(2 * (y + dy)))))
    assert colour == shown.pixels(2)


@pytest.mark.parametrize("system", [star(4), NASTY])
def test_a_picture_for_latex(opened, tmp_path, system):
    shown = opened(page(system))
    text = saved(shown, tmp_path, "TikZ", "tex").read_text()
    assert text.count(r"\begin{tikzpicture}") == text.count(r"\end{tikzpicture}") == 1
    nodes = re.findall(r"\\node\[.*\] \(s(\d+)\) at \((-?[\d.]+), (-?[\d.]+)\) \{(\d+)\};", text)
    assert [(int(name), int(shown)) for name, *_, shown in nodes] == [
        (n, n) for n in range(system.state_count)
    ]
    arrows = shown.run("app.active.picture.arrows.length")
    assert len(re.findall(r"\\draw\[.*\] \(.*\) \.\. controls", text)) == arrows
    # Braces are balanced, and no character of a label has a meaning of its own.
    plain = re.sub(r"\\[\\{}%_&#$]", "", text)
    assert plain.count("{") == plain.count("}")
    assert not re.search(r"(?<!\\)[&#]|(?<!\\)%(?! \\usepackage)", text)
    assert not re.search(r"\\\\[\[*]", text)
    # The places are those that are seen: up is up.
    first, second = (shown.run(f"app.active.placeOf({n})") for n in (0, 1))
    spans = [float(nodes[1][k + 1]) - float(nodes[0][k + 1]) for k in (0, 1)]
    assert spans[0] == pytest.approx((second[0] - first[0]) / 50, abs=0.01)
    assert spans[1] == pytest.approx((first[1] - second[1]) / 50, abs=0.01)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex")
@pytest.mark.parametrize("system", [star(4), NASTY, tree(3)])
def test_latex_takes_the_picture(opened, tmp_path, system):
    picture = saved(opened(page(system)), tmp_path, "TikZ", "tex").read_text()
    packages, _, rest = picture.partition("\n")
    text = "\n".join(
        (r"\documentclass{article}", packages[2:], r"\begin{document}", rest, r"\end{document}")
    )
    (tmp_path / "whole.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "whole.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "whole.pdf").stat().st_size > 0


@pytest.fixture(scope="module")
def protocol():
    process = linearise(mucrl.read("cases/abp.mcrl"))
    system = generate(process)
    return page(system, formulas=["<c2(...)>true"], values=state_data(system, process))


VIEW = """JSON.stringify([app.active.selected, app.active.trace, app.active.position,
    app.active.used, app.active.colouring.name, document.getElementById("search").value,
    document.documentElement.dataset.theme, app.active.transform,
    [...app.active.picture.pins].map(([key]) => key), app.active.picture.grouping?.name])"""


def test_address_restores_the_view(opened, protocol):
    shown = opened(protocol)
    shown.press("t", "l", "l")
    shown.choose("#colour", "depth")
    shown.run("app.walkTo(app.active, 60)")
    shown.press("[", "[", "+")
    shown.type("#search", "c3*")
    shown.run("document.activeElement.blur()")
    shown.drag(shown.run("app.active.placeOf(app.active.selected)"), (200, 200))
    shown.run("app.address.write()")
    fragment = shown.run("location.hash")
    assert len(fragment) > 20
    before = shown.run(VIEW)
    again = opened(protocol, fragment=fragment)
    after = again.run(VIEW)
    numbers = r"-?\d+\.\d+"
    assert re.sub(numbers, "", after) == re.sub(numbers, "", before)
    places = [[float(n) for n in re.findall(numbers, text)] for text in (before, after)]
    assert places[0] == pytest.approx(places[1], rel=1e-4)
    assert "showing the state after" in again.text("#walked")
    # Another address in the same page, and what no page has.
    again.run("location.hash = 'state=5&layout=circle'")
    again.until("app.active.selected === 5 && app.active.used === 'circle'")
    strange = (
        "#state=9999&trace=99.x.1&view=a,b&layout=none&colour=no&parts=no&pins=s1,x,y&search=%ff"
    )
    strange = opened(protocol, fragment=strange)
    assert strange.run("app.active.selected") is None
    assert strange.run("app.active.trace.length") == 0


def test_address_follows_the_selection(opened, protocol):
    shown = opened(protocol)
    shown.run("app.select(app.active, 7)")
    shown.until("/(^|&)state=7(&|$)/.test(location.hash.slice(1))")
    shown.driver.refresh()
    shown.until("document.body.dataset.ready")
    assert shown.run("app.active.selected") == 7


def test_the_address_is_copied(opened, protocol):
    shown = opened(protocol)
    rights = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    shown.driver.execute_cdp_cmd("Browser.grantPermissions", rights)
    shown.run("app.walkTo(app.active, 30)")
    shown.click("#link")
    shown.until("document.getElementById('link').textContent === 'Copied'")
    shown.driver.execute_script(
        "navigator.clipboard.readText().then((text) => { document.body.dataset.copied = text; })"
    )
    copied = shown.until("document.body.dataset.copied")
    assert copied == shown.run("location.href")
    assert "state=30" in copied


def test_clusters_are_in_the_address(opened):
    content = page(tree(7))
    shown = opened(content)
    shown.choose("#grouping", "parts: strong blocks")
    shown.run("app.address.write()")
    before = shown.run("app.active.picture.nodes.length")
    again = opened(content, fragment=shown.run("location.hash"))
    assert again.run("app.active.picture.grouping.name") == "strong blocks"
    assert again.run("app.active.picture.nodes.length") == before


def test_keys_work_after_a_drop_down(opened, protocol):
    shown = opened(protocol)
    for selector, text in (("#colour", "depth"), ("#layout", "layers"), ("#speed", "2×")):
        shown.choose(selector, text)
        theme = shown.run("document.documentElement.dataset.theme")
        shown.press("t")
        assert shown.run("document.documentElement.dataset.theme") != theme
    # What was chosen before is chosen again: nothing changes, and keys work.
    shown.choose("#colour", "depth")
    shown.press("i")
    assert shown.run("app.active.selected") == 0
    shown.choose("#colour", "orbits")
    shown.press(Keys.ARROW_RIGHT)
    assert shown.run("app.active.selected") == 1
    assert shown.run("app.active.colouring.name") == "orbits"
    # By keys, a drop-down is used on: arrows choose in it, and Escape leaves it.
    shown.run("document.getElementById('layout').focus()")
    shown.press(Keys.ARROW_DOWN)
    assert shown.run("document.activeElement.id") == "layout"
    assert shown.run("app.active.used") == "band"
    shown.press(Keys.END)
    assert shown.run("app.active.used") == "force"
    assert shown.run("app.active.selected") == 1
    shown.press(Keys.ESCAPE)
    assert shown.run("document.activeElement.tagName") == "BODY"


def test_the_page_fits_a_phone(opened, protocol):
    shown = opened(protocol, WINDOWS[1])
    assert shown.run("document.documentElement.scrollWidth") <= 390
    size = shown.run("app.active.size()")
    assert size["width"] > 350
    assert size["height"] > 350
    for control in ("#search", "#colour", "#grouping", "#layout", "#export", "#link", "#help"):
        box = shown.find(control).rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    controls = "[...document.querySelectorAll('button, select, input[type=search], .file')]"
    sizes = f"{controls}.map((each) => each.getBoundingClientRect()).filter((box) => box.width)"
    boxes = shown.run(f"{sizes}.map(({{ width, height }}) => [width, height])")
    assert len(boxes) > 12
    assert all(min(box) >= 40 for box in boxes)
