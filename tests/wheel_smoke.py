"""Tests of an installed wheel, run by tools/dev/wheel.py where only the wheel is installed."""

import importlib
import json
import pkgutil
import subprocess
import sysconfig
from importlib.metadata import version
from pathlib import Path

RELAY = """
sort Bool D
func T,F: -> Bool
     d,e: -> D
act  read,write: D
proc X = sum(x:D, read(x).write(x).X)
init X
"""
OF_EXTRAS = {f"ltstool.editor.{name}" for name in ("answers", "server", "workers")}
"""Modules that need an optional package, which is not there."""
SITE = Path(sysconfig.get_path("platlib")).resolve()


def every_module_imports_from_the_wheel():
    for package in ("lts", "lts_verifier", "aut_format", "ltstool"):
        found = importlib.import_module(package)
        modules = pkgutil.walk_packages(found.__path__, f"{package}.")
        for name in {package, *(module.name for module in modules)} - OF_EXTRAS:
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

    text = """%@ include Bool
              act a b c comm a|b = c proc X = a.X proc Y = b.Y init encap({a,b}, X || Y)"""
    system = mucrl.generate(mucrl.read_text(text))
    assert aut_format.dumps(system) == b'des (0,1,1)\n(0,"c",0)\n'


def the_command_line_works():
    Path("relay.mcrl").write_text(RELAY, encoding="utf-8")
    assert ltstool("--version") == f"ltstool {version('ltstool')}\n"
    generated = ltstool("generate", "relay.mcrl", "-o", "-")
    hidden = ltstool("minimise", "-e", "weak", "--hide", "read", "-", given=generated)
    facts = json.loads(ltstool("info", "--json", "-", given=hidden))
    assert (facts["states"], facts["transitions"], facts["internal"]) == (3, 4, ["tau"])
    ltstool("reduce", "relay.mcrl", "--symmetry", "(d e)", "-o", "reduced.aut")
    assert ltstool("expand", "reduced.aut", "--count") == "3 states, 4 transitions\n"
    Path("expanded.aut").write_text(ltstool("expand", "reduced.aut"), encoding="utf-8")
    Path("relay.aut").write_text(generated, encoding="utf-8")
    ltstool("compare", "relay.aut", "expanded.aut", "-e", "strong")
    Path("two.exp").write_text("relay ||| relay", encoding="utf-8")
    assert ltstool("compose", "two.exp", "-o", "-").startswith("des (0,24,9)\n")
    assert ltstool("view", "reduced.aut").startswith("reduced.html: ")
    assert "d3.zoom" in Path("reduced.html").read_text(encoding="utf-8")
    ltstool("draw", "relay.aut", "-o", "relay.svg")
    assert ltstool("format", "relay.mcrl").endswith("\ninit X\n")


def ltstool(*words, given=None):
    """Return the output of a command; standard error must be empty."""
    command = ["ltstool", *words]
    done = subprocess.run(command, input=given, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


every_module_imports_from_the_wheel()
the_engine_works()
the_language_works()
the_command_line_works()
