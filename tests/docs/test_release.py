"""What a release says of itself is the same everywhere."""

import os
import re
import subprocess
import textwrap
import tomllib
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(("tag", "code"), [(f"v{PROJECT['version']}", 0), ("v9.9.9", 1)])
def test_a_release_needs_the_tag_of_its_version(tag, code):
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    step = workflow.partition("ref_type == 'tag'\n        run: |\n")[2].partition("\n\n")[0]
    command = ["bash", "-e", "-c", textwrap.dedent(step)]
    environment = {**os.environ, "GITHUB_REF_NAME": tag}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == code
    assert ("::error::" in done.stdout) == (code == 1)
