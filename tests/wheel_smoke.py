"""What an installed wheel must do, run by tools/dev/wheel.py where only the wheel is installed."""

import importlib
import json
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
    assert ltstool("--version") == f"ltstool {version('ltstool')}\n"
    converted = ltstool("convert", "-", "-", given="des (0,2,2)\n(0,a,1)\n(1,i,0)\n")
    facts = json.loads(ltstool("info", "--json", "-", given=converted))
    assert (facts["states"], facts["transitions"], facts["internal"]) == (2, 2, ["i"])


def ltstool(*words, given=None):
    """Return what a command prints; nothing may stand on standard error."""
    command = ["ltstool", *words]
    done = subprocess.run(command, input=given, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


every_module_imports_from_the_wheel()
the_engine_works()
the_language_works()
the_command_line_works()
