"""The grammar of muCRL: it has no conflicts, and all of its rules build something."""

from grammars import conflicts, without_method
from lts.mucrl.text.build import grammar


def test_no_two_rules_compete():
    assert conflicts(grammar()) == set()


def test_each_rule_has_a_method_or_stands_for_its_only_part():
    assert without_method(grammar()) == set()
