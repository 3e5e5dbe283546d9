"""The tests that `make test` leaves out are there."""

import ast
from pathlib import Path

from left_out import KEPT, OF_MANY_EXAMPLES, SLOW

TESTS = Path(__file__).parent


def test_slow_tests_exist():
    of_file = {}
    for file in TESTS.rglob("test_*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        of_file[str(file.relative_to(TESTS))] = {
            each.name for each in tree.body if isinstance(each, ast.FunctionDef)
        }
    pairs = [name.split("::") for name in sorted(SLOW | OF_MANY_EXAMPLES)]
    assert len(pairs) > 100
    assert [(file, name) for file, name in pairs if name not in of_file[file]] == []


def test_tests_run_nevertheless_are_of_slow_functions():
    assert {name.partition("[")[0] for name in KEPT} <= SLOW
