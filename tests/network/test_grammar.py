"""The grammar of networks: where its rules compete, and that all of them build something."""

from grammars import conflicts, without_method
from lts.network.parser import grammar


def test_an_expression_and_what_ends_with_one_reach_as_far_as_they_can():
    assert conflicts(grammar()) == {"expression", "operand"}


def test_each_rule_has_a_method_or_stands_for_its_only_part():
    assert without_method(grammar()) == set()
