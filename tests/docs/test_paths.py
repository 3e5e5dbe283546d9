"""Documents name no file that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
PATH = re.compile(r"`((?:engine|lts|tools|aut_format|tests|benchmarks|cases)/[\w/.]*?)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_paths_exist(document):
    named = PATH.findall(document.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists() and "NAME" not in path] == []
