"""What tools/dev/mutants.md lists is there to be changed."""

import re
from pathlib import Path

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
