"""Options that several commands share."""

from pathlib import Path

import pytest

from ltstool.main import main
from ltstool.shared.options import split_list

PHILOSOPHERS = Path(__file__).parents[2] / "cases" / "philosophers.mcrl"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("a", ["a"]),
        ("a,b", ["a", "b"]),
        (" a , b ,", ["a", "b"]),
        ("c2(d1,0),c3", ["c2(d1,0)", "c3"]),
        ("f(g(1,2),[3,4]),h", ["f(g(1,2),[3,4])", "h"]),
        ('s("a,)"),b', ['s("a,)")', "b"]),
        ("a),b", ["a)", "b"]),
    ],
)
def test_commas_in_brackets_and_quotes_do_not_split(text, parts):
    assert split_list(text) == parts


def test_debug_shows_where_an_error_comes_from_and_changes_no_exit_code(capsys):
    for words, code in (
        (["info", "/nonexistent/a.aut"], 2),
        (["reduce", str(PHILOSOPHERS), "--set", "N=3", "--symmetry", "(p1 p2)", "--count"], 1),
    ):
        for debug in ([], ["--debug"]):
            assert main([*words, *debug]) == code
            told = capsys.readouterr().err
            assert ("Traceback (most recent call last)" in told) == bool(debug)
            assert "\nltstool: " in f"\n{told}"
