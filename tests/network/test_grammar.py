"""The grammar of networks: where its rules compete, and that all of them build something."""

from grammar_defects import conflicts, without_method
from lts.network.parser import grammar


def test_no_rules_compete_but_for_the_end_of_an_operator_with_and_without_one():
    assert conflicts(grammar()) == {"open"}


def test_each_rule_has_a_method_or_stands_for_its_only_part():
    assert without_method(grammar()) == set()
