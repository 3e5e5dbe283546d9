"""The reference of the library has every public name, as it is."""

import importlib
import pkgutil
import sys
from pathlib import Path

import lts

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "dev"))
api = importlib.import_module("api")
sys.path.pop(0)

INSIDE = {"text", "base", "drawing", "linear", "specification", "state_space", "system"}
"""Rooms whose names are reached through others."""


def test_the_page_is_current():
    assert api.PAGE.read_text(encoding="utf-8") == api.page(), "run `make api`"


def test_every_room_is_documented():
    rooms = {room.name for room in pkgutil.iter_modules(lts.__path__) if room.ispkg}
    assert {f"lts.{room}" for room in rooms - INSIDE} <= set(api.ROOMS)


def test_every_public_name_is_documented():
    text = api.PAGE.read_text(encoding="utf-8")
    for room in api.ROOMS:
        section = text.partition(f"\n## `{room}`\n")[2].partition("\n## ")[0]
        module = importlib.import_module(room)
        for name in module.__all__:
            found = getattr(module, name)
            if type(found) is not type(api):
                assert f"| `{name}" in section, f"{room}.{name}"


def test_all_rooms_are_reached_from_the_package():
    for name in lts.__all__:
        assert getattr(lts, name) is not None
    assert lts.mucrl.read is not None
    assert lts.__version__.count(".") >= 1


def test_no_module_hides_a_name_that_its_room_exports():
    """A module that is loaded becomes an attribute of its room."""
    seen = 0
    for room in pkgutil.walk_packages(lts.__path__, "lts."):
        if room.ispkg:
            module = importlib.import_module(room.name)
            for inner in pkgutil.iter_modules(module.__path__):
                if inner.name in getattr(module, "__all__", ()):
                    loaded = importlib.import_module(f"{room.name}.{inner.name}")
                    assert getattr(module, inner.name) is not loaded, loaded
                    seen += 1
    assert seen
