"""What an installed wheel must do, run by tools/dev/wheel.py where only the wheel is installed."""

import importlib
import pkgutil
import subprocess
import sysconfig
from importlib.metadata import version
from pathlib import Path

SITE = Path(sysconfig.get_path("platlib")).resolve()


def every_module_imports_from_the_wheel():
    for package in ("lts", "aut_format", "ltstool"):
        found = importlib.import_module(package)
        modules = pkgutil.walk_packages(found.__path__, f"{package}.")
        for name in [package, *(module.name for module in modules)]:
            file = importlib.import_module(name).__file__
            assert SITE in Path(file).resolve().parents, file


def the_engine_works():
    import lts

    system = lts.LTS.from_transitions([(0, "a", 1), (1, "tau", 0)])
    assert system.source.tolist() == [0, 1]
    assert system.internal == ("tau",)


def the_language_works():
    import aut_format
    from lts import mucrl

    text = """sort Bool func T,F: -> Bool act a b c comm a|b = c
              proc X = a.X proc Y = b.Y init encap({a,b}, X || Y)"""
    system = mucrl.generate(mucrl.read_text(text))
    assert aut_format.dumps(system) == b'des (0,1,1)\n(0,"c",0)\n'


def the_command_line_works():
    shown = subprocess.run(["ltstool", "--version"], check=True, capture_output=True, text=True)
    assert shown.stdout == f"ltstool {version('ltstool')}\n"
    assert shown.stderr == ""


every_module_imports_from_the_wheel()
the_engine_works()
the_language_works()
the_command_line_works()
