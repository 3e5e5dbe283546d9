"""What tools/dev/mutants.md lists is there to be changed; which test kills a mutant is read."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_listed_mutants_exist_in_their_files():
    text = (ROOT / "tools" / "dev" / "mutants.md").read_text(encoding="utf-8")
    sections = re.split(r"^## `(\S+)`$", text, flags=re.MULTILINE)[1:]
    assert sections
    for file, section in zip(sections[::2], sections[1::2], strict=True):
        known = {line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()}
        changed = re.findall(r"^-(.+)$", section, re.MULTILINE)
        assert changed
        assert [line for line in changed if line.strip() not in known] == []


@pytest.mark.parametrize(("output", "name"), [
    ("..F\nFAILED tests/a/test_b.py::test_c - assert 1 == 2\n", "tests/a/test_b.py::test_c"),
    ("FAILED tests/a.py::test_b[x - [y] z] - E: [w]\n", "tests/a.py::test_b[x - [y] z]"),
    ("ERROR tests/a.py\n!!! stopping after 1 failures !!!\n", "tests/a.py"),
    ("test data::sums ... ok\ntest data::products ... FAILED\n", "data::products"),
    ("FAILED (errors=1) but no test\n", None), ("1 passed in 0.1s\n", None),
])  # fmt: skip
def test_the_first_failed_test_is_named(output, name, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "dev"))
    sys.modules.pop("trial", None)
    from trial import failed_test

    assert failed_test(output) == name
