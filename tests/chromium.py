"""Headless Chromium, and a page of `ltstool view` in it."""

import shutil
import time
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

SECONDS = 30
WINDOWS = (1280, 800), (390, 844)
"""The sizes of a screen and of a phone."""


@contextmanager
def started(*, width=1400, height=900):
    """Yield a browser that can access nothing but files."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in (
        *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"),
        *("--hide-scrollbars", "--force-color-profile=srgb", f"--window-size={width},{height}"),
        "--proxy-server=127.0.0.1:9",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.set_script_timeout(SECONDS)
        yield driver
    finally:
        driver.quit()


class Page:
    """A page in the browser, in a window of some size, with a fragment in its address."""

    def __init__(self, driver, file, window=None, fragment=""):
        self.driver = driver
        if window is None:
            driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        else:
            self.resize(window)
        driver.get(file.as_uri() + fragment)
        self.until("document.body.dataset.ready")
        assert self.run("document.body.dataset.ready") == "true"

    def resize(self, window):
        """Give the page the size of a window."""
        width, height = window
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def states(self):
        return self.run("app.active.system.states")

    def run(self, expression, *arguments):
        """Return the value of a JavaScript expression evaluated in the page."""
        return self.driver.execute_script(f"return {expression};", *arguments)

    def until(self, expression, *arguments):
        """Wait until an expression holds; return its value."""
        end = time.monotonic() + SECONDS
        while not (found := self.run(expression, *arguments)):
            assert time.monotonic() < end, f"still not: {expression}"
            time.sleep(0.02)
        return found

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def click(self, selector):
        self.find(selector).click()

    def click_text(self, selector, text):
        """Click the first element with this text."""
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        next(each for each in found if text in each.text).click()

    def choose(self, selector, text):
        """Choose an option by its text, or by what it begins with."""
        found = self.find(selector).find_elements(By.TAG_NAME, "option")
        fitting = [each for each in found if each.text.startswith(text)]
        next((each for each in found if each.text == text), fitting and fitting[0]).click()

    def type(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def press(self, *keys):
        """Press keys, whatever has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def point_at(self, place, pane=0, double=False):
        """Click a point of a canvas, in pixels from its upper left corner."""
        chain = self.moved(ActionChains(self.driver), place, pane)
        (chain.double_click() if double else chain.click()).perform()

    def moved(self, chain, place, pane=0):
        """Return the actions with a move of the pointer to a point of a canvas."""
        canvas = self.driver.find_elements(By.CSS_SELECTOR, ".pane canvas")[pane]
        x, y = place
        size = canvas.size
        return chain.move_to_element_with_offset(
            canvas, round(x - size["width"] / 2), round(y - size["height"] / 2)
        )

    def move_to(self, place, pane=0):
        """Move the pointer to a point of a canvas."""
        self.moved(ActionChains(self.driver), place, pane).perform()

    def drag(self, start, end, pane=0):
        """Press the button at a point of a canvas, and release it at another."""
        chain = self.moved(ActionChains(self.driver), start, pane).click_and_hold()
        halfway = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        self.moved(self.moved(chain, halfway, pane), end, pane).release().perform()

    def click_state(self, state, pane=0):
        self.point_at(self.run(f"app.panes[{pane}].placeOf({state})"), pane)

    def part_place(self, part):
        node = f"app.active.picture.nodes.find((node) => node.part === {part})"
        return self.run(f"((node) => app.active.transform.apply([node.x, node.y]))({node})")

    def pixels(self, state, pane=0, dx=0, dy=-9):
        """Return the colour of a state on the canvas, beside its number."""
        self.painted()
        return self.run(
            f"""((pane) => {{
              const node = pane.picture.nodes[pane.picture.nodeOf[{state}]];
              const [x, y] = pane.transform.apply([node.x + {dx}, node.y + {dy}]);
              const ratio = window.devicePixelRatio;
              const at = [Math.round(x * ratio), Math.round(y * ratio)];
              const context = new OffscreenCanvas(1, 1).getContext("2d");
              context.drawImage(pane.canvas, ...at, 1, 1, 0, 0, 1, 1);
              const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
              return "#" + [r, g, b].map((n) => n.toString(16).padStart(2, "0")).join("");
            }})(app.panes[{pane}])"""
        )

    def painted(self):
        """Wait until painting is finished."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));"
        )

    def picture(self, file):
        """Save a screenshot."""
        self.painted()
        self.driver.save_screenshot(str(file))


__all__ = ["WINDOWS", "Keys", "Page", "started"]
