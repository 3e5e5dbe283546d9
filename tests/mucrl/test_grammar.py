"""The grammar of muCRL has no conflicts, its rules build something, and errors cost little."""

import lark
import pytest
from lark.parsers.lalr_parser_state import ParserState

from grammar_defects import conflicts, without_method
from lts import ParseError
from lts.mucrl.text.build import grammar
from lts.mucrl.text.parser import parse
from lts.text.grammar import Grammar
from lts.text.source import Source


def test_grammar_has_no_conflicts():
    assert conflicts(grammar()) == set()


def test_rules_without_builder_method_have_one_part():
    assert without_method(grammar()) == set()


def test_tables_of_another_lark_are_not_used(monkeypatch):
    stored = Grammar(grammar().file, None)
    monkeypatch.setattr(lark, "__version__", "1.0")
    afresh = Grammar(grammar().file, None)
    tokens = stored.tokens("f(a, g(b))")
    assert afresh.parse("term", tokens[:-1]) == stored.parse("term", tokens[:-1])
    assert (afresh.patterns, afresh.start) == (stored.patterns, stored.start)


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
