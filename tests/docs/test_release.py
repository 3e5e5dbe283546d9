"""What a release says of itself is the same everywhere."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_versions_are_the_same():
    texts = {
        "CITATION.cff": r"^version: (\S+)$",
        "tools/conda/meta.yaml": r'set version = "(\S+)"',
    }
    for file, pattern in texts.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.findall(pattern, text, re.MULTILINE) == [PROJECT["version"]], file


def test_conda_recipe_has_the_package_requirements():
    text = (ROOT / "tools/conda/meta.yaml").read_text(encoding="utf-8")
    run = text.partition("  run:\n")[2].partition("\n\n")[0]
    found = {line.strip("- ").replace(" ", "") for line in run.splitlines()}
    assert found == {f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]}


def test_site_lock_covers_its_requirements():
    folder = ROOT / "tools" / "site"
    asked = (folder / "requirements.in").read_text(encoding="utf-8").split("\n", 1)[1].split()
    lock = (folder / "requirements.lock").read_text(encoding="utf-8")
    assert asked
    assert all(re.search(rf"^{name}==\S+ \\$", lock, re.MULTILINE) for name in asked)
