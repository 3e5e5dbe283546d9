"""Consistency of the project's files: version, packages, locked requirements."""

import os
import re
import subprocess
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from ltstool.commands.doctor import DEVELOPMENT
from ltstool.main import main

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements():
    project = PROJECT["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return [*PROJECT["build-system"]["requires"], *(line for group in groups for line in group)]


def locked(folder=ROOT):
    lines = (folder / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return dict(line.split()[0].split("==") for line in lines if line[:1].isalpha())


def test_version_is_defined_once(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"ltstool {PROJECT['project']['version']}\n"
    crate = tomllib.loads((ROOT / "engine" / "Cargo.toml").read_text(encoding="utf-8"))
    assert "version" not in crate["package"]


@pytest.mark.parametrize("line", requirements())
def test_every_requirement_is_locked(line):
    requirement = Requirement(line)
    # Requirements of a cluster are installed only for its tests.
    known = locked(ROOT / "tests" / "cluster") | locked()
    assert requirement.specifier.contains(known[requirement.name])


def test_lock_files_agree():
    own, more = locked(), locked(ROOT / "tests" / "cluster")
    assert {name: more[name] for name in own.keys() & more.keys()} == {
        name: own[name] for name in own.keys() & more.keys()
    }


@pytest.mark.parametrize("name", sorted(locked()))
def test_installed_versions_equal_the_lock(name):
    assert version(name) == locked()[name]


def test_metadata_are_complete():
    project = PROJECT["project"]
    assert project["authors"] == [{"name": "the ltstool authors"}]
    assert len(project["keywords"]) > 5
    pythons = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    assert pythons == {"3.11", "3.12", "3.13", "3.14"}
    assert f">={min(pythons)}" == project["requires-python"]
    # The licence is an expression (PEP 639), which a classifier must not repeat.
    assert not [line for line in project["classifiers"] if line.startswith("License")]


def test_distributed_packages_are_complete():
    found = {
        ".".join(init.parent.relative_to(ROOT).parts)
        for package in ("aut_format", "lts", "lts_verifier", "ltstool")
        for init in (ROOT / package).rglob("__init__.py")
    }
    assert found == set(PROJECT["tool"]["setuptools"]["packages"])


def tracked():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return [ROOT / os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def texts():
    """Yield the lines of the project's own texts, with their files."""
    for file in tracked():
        if file.is_file() and file != Path(__file__) and "fuzz" not in file.parts:
            try:
                lines = file.read_text(encoding="utf-8").splitlines()
            except UnicodeDecodeError:
                continue
            for line in lines:
                yield file, line


EXTRAS = {
    name: lines
    for name, lines in PROJECT["project"]["optional-dependencies"].items()
    if name not in DEVELOPMENT
}
BY_NAME = re.compile(
    r"\b(?:pip3?|pipx|uv|uvx|conda|mamba)\s+(?:tool\s+|pip\s+)?(?:install|run|add)\b"
    r"[^\n`]*?[\s'\"]ltstool(?![\w/*-])"
)


def test_no_document_installs_by_index_name():
    """`ltstool` is not registered in the package index: whoever registers it would be installed."""
    for text in ("pip install ltstool", "pip install 'ltstool[plots]'", "pipx install -q ltstool"):
        assert BY_NAME.search(text)
    for text in ("pip install .", "pip install dist/ltstool-*.whl", "pip install pygls"):
        assert not BY_NAME.search(text)
    assert not [(str(file), line) for file, line in texts() if BY_NAME.search(line)]


def test_workflow_actions_are_pinned_to_commits():
    used = [(file, line) for file, line in texts() if re.match(r"\s*- uses:", line)]
    assert len(used) > 8
    for file, line in used:
        ours = "OWNER/ltstool" in line
        assert ours or re.search(r"@[0-9a-f]{40} # v[0-9.]+$", line), (file, line)


def test_downloads_are_not_piped_to_a_shell():
    wrong = re.compile(r"\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b")
    for file, line in texts():
        assert not (re.search(r"\b(?:curl|wget)\b", line) and wrong.search(line)), (file, line)
        if file.name == "Dockerfile":
            # Hashes come from the lock file; what was built is installed without the index.
            if re.search(r"\bpip (?:install|wheel)\b", line):
                assert "--require-hashes" in line or "--no-index" in line, line
            assert not re.match(r"\s*\|\s*(?:ba)?sh\b|\s*\| sh", line), line


REQUIRED = {
    "run": PROJECT["project"]["dependencies"],
    "build": ["build", *PROJECT["build-system"]["requires"]],
    **EXTRAS,
}


@pytest.mark.parametrize("needed", REQUIRED)
def test_hashed_requirements_cover_all_dependencies(needed):
    if needed == "cluster":
        pytest.importorskip("ray")
    script = ROOT / "tools" / "dev" / "locked.sh"
    done = subprocess.run(["sh", script, needed], check=True, capture_output=True, text=True)
    waiting, names = [*map(Requirement, REQUIRED[needed])], set()
    while waiting:
        requirement = waiting.pop()
        if requirement.name not in names and (
            requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        ):
            names.add(requirement.name.replace("_", "-").lower())
            waiting += map(Requirement, requires(requirement.name) or [])
    lines = done.stdout.splitlines()
    assert {line.partition("==")[0] for line in lines if line[0] != " "} == names
    assert all("==" in line or "--hash=sha256:" in line for line in lines if "#" not in line)
    assert done.stdout.count("==") == len(names) <= done.stdout.count("--hash=sha256:")
