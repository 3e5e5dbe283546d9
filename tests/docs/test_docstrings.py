"""The examples in docstrings are right."""

import doctest
import importlib
import pkgutil

import pytest


def modules():
    for package in ("lts", "aut_format", "ltstool"):
        yield package
        path = importlib.import_module(package).__path__
        found = pkgutil.walk_packages(path, f"{package}.")
        yield from (module.name for module in found if module.name != "lts._engine")


@pytest.mark.parametrize("name", list(modules()))
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    assert module.__doc__, "says what the module is for"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    report = []
    for test in doctest.DocTestFinder().find(module, name):
        runner.run(test, out=report.append)
    assert not report, "".join(report)
