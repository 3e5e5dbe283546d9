"""The grammar of muCRL has no conflicts, its rules build something, and errors cost little."""

import pytest
from lark.parsers.lalr_parser_state import ParserState

from grammar_defects import conflicts, without_method
from lts import ParseError
from lts.mucrl.text.build import grammar
from lts.mucrl.text.parser import parse
from lts.text.source import Source


def test_grammar_has_no_conflicts():
    assert conflicts(grammar()) == set()


def test_rules_without_builder_method_have_one_part():
    assert without_method(grammar()) == set()


@pytest.mark.parametrize("wrong", ["a..b", "a.(b", "a. <| b"])
def test_error_recovery_takes_linear_time(monkeypatch, wrong):
    steps = []
    feed = ParserState.feed_token

    def counted(state, token, is_end=False):
        steps.append(token)
        return feed(state, token, is_end)

    monkeypatch.setattr(ParserState, "feed_token", counted)
    found = []
    for count in (100, 200):
        steps.clear()
        with pytest.raises(ParseError):
            parse(Source("proc " + "\n".join(f"P{i} = {wrong}" for i in range(count))))
        found.append(len(steps))
    assert found[0] > 300
    assert found[1] < 2.1 * found[0]
