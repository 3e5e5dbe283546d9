"""Every bound whose excess is reported is a row of one table, and its words are written there."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lowered import lowered
from lts.base import bounds
from lts.base.bounds import BOUNDS, DIGITS, LABELS, MEMORY, STATES, TIME, Bound
from ltstool.options.parser import command, command_names

ROOT = Path(__file__).resolve().parents[2]
TABLE_NAME = "lts.base.bounds"
TABLE = ROOT / "lts" / "base" / "bounds.py"
PRODUCT = [
    file
    for folder in ("lts", "aut_format", "ltstool")
    for file in (ROOT / folder).rglob("*.py")
    if file != TABLE
]
NAMES = {name: one for name, one in vars(bounds).items() if isinstance(one, Bound)}


def trees(files, *words):
    """The files that have one of some words, with their syntax trees."""
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    return [
        (file, ast.parse(text))
        for file, text in texts.items()
        if any(word in text for word in words)
    ]


def imported(tree):
    """The bounds that a module imports from the table, each by the name that it has there."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == TABLE_NAME
        for alias in node.names
        if alias.name in NAMES
    }


def test_bounds_are_unique_and_complete():
    assert [*NAMES.values()] == [*BOUNDS]
    assert len(BOUNDS) > 80
    assert Counter((bound.room, bound.name) for bound in BOUNDS).most_common(1)[0][1] == 1
    rooms = [room for room, _ in groupby(BOUNDS, lambda one: one.room)]
    assert len(rooms) == len({*rooms}) > 10
    for one in BOUNDS:
        assert all((one.name, one.what, one.why)), one
        # Without a default there is an option.
        assert one.default > 0 or (one.option and one.default == 0), one
        assert one.default % one.scale == 0, one


def test_options_of_bounds_exist():
    known = {
        name
        for each in command_names()
        for row in command(each).TAKES.rows.values()
        for name in row.names
    }
    assert "--max-states" in known
    assert {bound.option for bound in BOUNDS} - known == {""}


def test_every_bound_is_used():
    used = set()
    for _, tree in trees(PRODUCT, TABLE_NAME):
        own = imported(tree)
        used |= {own[node.id] for node in ast.walk(tree) if getattr(node, "id", None) in own}
    assert {*NAMES} - used == set()


def sentences(tree):
    """The lines of a module that write `more than {..}` themselves."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for text, value in zip(node.values, node.values[1:], strict=False)
        if isinstance(text, ast.Constant) and isinstance(value, ast.FormattedValue)
        if str(text.value).endswith("more than ")
    ]


def test_only_the_table_formats_exceeded_bounds():
    assert len(sentences(ast.parse(TABLE.read_text(encoding="utf-8")))) == 2
    own = ast.parse('f"it has " f"more than {MOST} states"\nf"more than 3 {what}"')
    assert sentences(own) == [1]
    written = {file: sentences(tree) for file, tree in trees(PRODUCT, "more than ")}
    assert len(written) > 30
    assert [file for file, found in written.items() if found] == []


def at_import(tree):
    """The nodes of a module that are evaluated when it is loaded."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults]
            waiting += [default for default in node.args.kw_defaults if default is not None]
        elif isinstance(node, ast.Lambda):
            waiting += node.args.defaults
        else:
            waiting += ast.iter_child_nodes(node)


def copied(tree):
    """The bounds whose default a module reads when it is loaded."""
    own = imported(tree)
    return {
        own[node.value.id]
        for node in at_import(tree)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in own
    }


def test_defaults_of_lowered_bounds_are_not_copied():
    """Otherwise lowering it has no effect, and a caller gives another one by a parameter."""
    text = """
from lts.base.bounds import CHOICES, DIGITS, LABELS, PAIRS, STATES, TOKENS
def f(a=CHOICES.default, *, b=PAIRS.default): return DIGITS.default
class C:
    c: int = LABELS.default
    d: int = field(default_factory=lambda: TOKENS.default)
x = g(STATES.exceeded())
"""
    assert copied(ast.parse(text)) == {"CHOICES", "PAIRS", "LABELS", "STATES"}
    before = set().union(*(copied(tree) for _, tree in trees(PRODUCT, TABLE_NAME)))
    assert before >= {"CHOICES", "PAIRS", "SUM_VALUES"}
    lowered_ones = {
        node.args[0].id
        for _, tree in trees((ROOT / "tests").rglob("*.py"), "lower(", "lowered(")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("lower", "lowered")
        if isinstance(node.args[0], ast.Name) and node.args[0].id in NAMES
    }
    assert len(lowered_ones) > 20
    assert before & lowered_ones == set()


def test_only_the_table_reads_engine_defaults():
    constants = {"LARGEST_MATCHED", "MAX_CALLS", "MAX_LABELS", "MAX_STEPS"}
    assert all(f"_engine.{name}" in TABLE.read_text(encoding="utf-8") for name in constants)
    read = {f"_engine.{name}" for name in constants} | {f"_engine import {n}" for n in constants}
    for file in PRODUCT:
        text = file.read_text(encoding="utf-8")
        assert not any(one in text for one in read), file


@given(st.integers(0, 10**15), st.floats(0.001, 10**6))
def test_bounds_are_shown_with_units(number, seconds):
    assert STATES.exceeded(number) == f"more than {number} states"
    assert STATES.exceeded(number, "orbits") == f"more than {number} orbits"
    assert STATES.amount(number) == f"{number} states"
    assert TIME.exceeded(seconds) == f"more than {seconds:g} seconds"
    megabytes = round(number / 1e6)
    assert MEMORY.exceeded(number) == f"more than {megabytes} MB of memory"
    assert LABELS.exceeded(number << 20) == f"more than {number} MB"
    assert DIGITS.exceeded_by(f"{number}") == f"{number} is more than 4000"


def test_lowered_bound_is_restored():
    before = DIGITS.default
    with lowered(DIGITS, 3):
        assert DIGITS.exceeded() == "more than 3 digits"
    assert DIGITS.default == before
    with pytest.raises(AssertionError):
        lowered(DIGITS, before).__enter__()
    assert DIGITS.default == before
