"""Consistency of the project's files: version, packages, locked requirements."""

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

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


def test_the_version_stands_in_one_place(capsys):
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


def test_what_is_locked_twice_is_the_same():
    own, more = locked(), locked(ROOT / "tests" / "cluster")
    assert {name: more[name] for name in own.keys() & more.keys()} == {
        name: own[name] for name in own.keys() & more.keys()
    }


@pytest.mark.parametrize("name", sorted(locked()))
def test_what_is_installed_is_what_is_locked(name):
    assert version(name) == locked()[name]


def test_the_metadata_say_what_an_index_shows():
    project = PROJECT["project"]
    assert project["authors"] == [{"name": "the ltstool authors"}]
    assert len(project["keywords"]) > 5
    pythons = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    assert pythons == {"3.11", "3.12", "3.13", "3.14"}
    assert f">={min(pythons)}" == project["requires-python"]
    # The licence is an expression (PEP 639), which a classifier must not repeat.
    assert not [line for line in project["classifiers"] if line.startswith("License")]


def test_every_package_is_distributed():
    folders = PROJECT["tool"]["setuptools"]["package-dir"]
    found = {
        ".".join((package, *init.parent.relative_to(ROOT / folder).parts))
        for package, folder in folders.items()
        for init in (ROOT / folder).rglob("__init__.py")
    }
    assert found == set(PROJECT["tool"]["setuptools"]["packages"])
