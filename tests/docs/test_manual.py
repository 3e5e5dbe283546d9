"""The manual page says what every command takes, and docs/limits.md lists all bounds."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lts.base.bounds import BOUNDS
from ltstool.options.parser import command_names

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "dev"))
manual = importlib.import_module("manual")
sys.path.pop(0)


def test_the_page_is_current():
    assert manual.PAGE.read_text(encoding="utf-8") == manual.page(), "run `make manual`"
    assert manual.REFERENCE.read_text(encoding="utf-8") == manual.reference(), "run `make manual`"
    assert manual.LIMITS.read_text(encoding="utf-8") == manual.limits(), "run `make manual`"


def test_every_command_is_documented():
    assert re.findall(r"^## `([a-z-]+)`$", manual.reference(), re.MULTILINE) == command_names()
    assert re.findall(r"^\.SS \\fB([a-z-]+)", manual.page(), re.MULTILINE) == command_names()


def test_every_bound_is_documented():
    rows = [row for row in manual.limits().splitlines() if row.startswith("| ")]
    rows = [row for row in rows if not row.startswith("| bound on |")]
    assert [row.split(" | ")[0] for row in rows] == [f"| {bound.name}" for bound in BOUNDS]
    assert all(row.count("|") == 5 for row in rows)


def test_manual_has_only_known_groff_requests():
    known = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".RS", ".RE", ".br", '.\\"'}
    starts = {line.split()[0] for line in manual.page().splitlines() if line[:1] in (".", "'")}
    assert starts <= known


def test_groff_requests_and_escapes_are_quoted():
    assert manual.line(".aut -- it's `\\n` ~\n x") == (
        "\\&.aut \\-\\- it\\(aqs \\(ga\\en\\(ga \\(ti x"
    )


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_groff_gives_no_warnings():
    words = ["groff", "-man", "-Tutf8", "-ww", str(manual.PAGE)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "--max-memory" in re.sub(r"\x1b\[\d+m|.\x08", "", done.stdout)
