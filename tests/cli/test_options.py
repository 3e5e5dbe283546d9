"""Options that several commands share."""

import pytest

from ltstool.options import split_list


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
