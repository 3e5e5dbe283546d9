"""The grammar of networks: where its rules compete, and that all of them build something."""

from grammar_defects import conflicts, without_method
from lts.network.parser import grammar


def test_only_optional_end_is_a_grammar_conflict():
    assert conflicts(grammar()) == {"open"}


def test_rules_without_builder_method_have_one_part():
    assert without_method(grammar()) == set()
