"""A real browser, without a window: Debian's chromium, driven by selenium.

`make browser-test` installs it; elsewhere these tests are left out.
"""

import shutil
from pathlib import Path

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def pytest_collection_modifyitems(items):
    if BROWSER is None or DRIVER is None:
        missing = pytest.mark.skip(reason="no chromium, or no chromedriver: `make browser-test`")
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(missing)


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages; what a page loads from elsewhere fails the test."""
    from chromium import started

    with started() as driver:
        yield driver


@pytest.fixture
def opened(browser, tmp_path):
    """Return what opens a page and waits for it; in the end nothing was complained of."""
    from chromium import Page

    pages = []

    def opener(content, window=None, fragment=""):
        file = tmp_path / f"page{len(pages)}.html"
        file.write_bytes(content)
        pages.append(Page(browser, file, window, fragment))
        return pages[-1]

    yield opener
    complaints = [entry["message"] for entry in browser.get_log("browser")]
    assert complaints == []
