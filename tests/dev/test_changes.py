"""The changes that `make mutants` tries."""

import argparse
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools" / "dev"


def loaded(name="changes"):
    spec = importlib.util.spec_from_file_location(f"dev_{name}", TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def changed(source):
    data = source.encode()
    return [change.applied(data).decode() for change in loaded().python_changes("a.py", data)]


def test_mutations_of_statements_and_expressions():
    assert changed("f(x)\n") == ["pass\n"]
    assert changed("y = a and b\n") == ["y = True and b\n", "y = a or b\n", "y = a and True\n"]
    assert changed("y = (é) < (b)\n") == ["y = (é) <= (b)\n"]
    assert changed("y = a not in b\n") == ["y = a in b\n"]
    assert changed("y = not (a)\n") == ["y = (a)\n"]
    assert changed("y = {**a, **b}\n") == ["y = {**b, **a}\n"]
    assert changed("y = 1\n") == ["y = 2\n"]
    assert changed("if x:\n    y = z\n") == ["if False:\n    y = z\n", "if True:\n    y = z\n"]
    assert changed("for x in y:\n    z = x\n") == ["for x in ():\n    z = x\n"]
    assert changed("y = sorted(x)\n") == ["y = list(x)\n"]


def test_texts_and_bounds_are_not_mutated():
    assert changed('"""Words."""\nassert a == b\nx: Literal[1]\ny = f"{a + b}"\n') == []
    assert changed("raise Wrong(1 + 2)\n") == ["pass\n"]
    assert changed("raise AssertionError(x)\n") == []
    assert changed("MOST = 1 << 20\n") == changed("y = x < MOST\n") == []
    assert changed('MOST = Bound("states", 2**31 - 1)\n') == []
    assert changed("y = x > MOST.default - 1\n") == []
    assert changed("y = x == MOST\n") == ["y = x != MOST\n"]
    assert changed("y = x in NAMES\n") == ["y = x not in NAMES\n"]
    assert changed("y = x is NONE\n") == ["y = x is not NONE\n"]
    assert changed("most = 1\n") == ["most = 2\n"]


@pytest.mark.parametrize(
    ("source", "old", "new", "alone"),
    [
        ("flags | VALUE", "|", "^", True),
        ("flags | VALUE", "|", "&", False),
        ("a > MOST", ">", ">=", True),
        ("MOST > a", ">", ">=", True),
        ("if (MOST << 8) <= a", "<=", "<", False),
        ("a > MOST", ">", "<", False),
        ("a > MOST", ">", "==", False),
        ("a > most", ">", ">=", False),
        ("a < Some", "<", "<=", False),
        ("a < MAX::of(b)", "<", "<=", False),
    ],
)
def test_equivalent_rust_mutants_are_skipped(monkeypatch, source, old, new, alone):
    monkeypatch.syspath_prepend(str(TOOLS))
    mutants = loaded("mutants")
    start = source.rindex(old)
    change = loaded().Change("a.rs", start, start + len(old), new.encode())
    assert mutants.says_little(source.encode(), change) == alone


def test_statement_lines_end_at_the_given_line():
    source = b"if (a\n    and b):\n    f(\n        x)\n"
    lines = loaded().statement_lines
    assert list(lines(source, 2)) == [1, 2]
    assert list(lines(source, 4)) == [3, 4]


def test_rooms_are_selected_by_suffix_of_their_path(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    called = loaded("mutants").called
    assert called("logic") == ["lts/logic"]
    assert called("symmetry/data") == called("lts/symmetry/data") == ["lts/symmetry/data"]
    assert called("data") == ["lts/mcrl2/data", "lts/symmetry/data", "engine/src/data"]
    with pytest.raises(argparse.ArgumentTypeError, match="`ogic` is none of aut_format, "):
        called("ogic")


def test_every_folder_of_the_product_is_in_a_room(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    rooms = loaded("mutants").ROOMS
    product = {
        "aut_format": "py",
        "lts": "py",
        "lts_verifier": "py",
        "ltstool": "py",
        "engine/src": "rs",
    }
    folders = {
        str(file.parent.relative_to(ROOT))
        for base, suffix in product.items()
        for file in (ROOT / base).rglob(f"*.{suffix}")
        if file.name != "__init__.py"
    }
    within = [
        room for room in rooms if any(f"{folder}/".startswith(f"{room}/") for folder in folders)
    ]
    assert sorted(rooms) == sorted(within)
    left = {
        folder
        for folder in folders - {"lts", "engine/src"}
        if not any(f"{folder}/".startswith(f"{room}/") for room in rooms)
    }
    assert left == {"lts/mcrl2", "lts/symmetry"}  # a few files above their rooms
    for tests in rooms.values():
        assert all((ROOT / path).exists() for path in tests)
