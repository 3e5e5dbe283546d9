"""The tests that `make test` leaves out are there."""

import ast
from pathlib import Path

import pytest

from left_out import KEPT, OF_MANY_EXAMPLES, SLOW

TESTS = Path(__file__).parent


@pytest.mark.parametrize("name", sorted({*SLOW, *OF_MANY_EXAMPLES}))
def test_a_test_that_is_left_out_exists(name):
    file, _, function = name.partition("::")
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    assert function in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_only_what_would_be_left_out_is_kept():
    assert {name.partition("[")[0] for name in KEPT} <= SLOW
