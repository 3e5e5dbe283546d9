"""Defects of a grammar for lark that reading texts does not reveal."""

import logging

import lark


def conflicts(grammar):
    """Return the rules that can end at a token with which they can also continue; lark
    continues."""
    defects = []
    handler = logging.Handler()
    handler.emit = lambda record: defects.append(record.getMessage())
    level = lark.logger.level
    lark.logger.addHandler(handler)
    lark.logger.setLevel(logging.DEBUG)
    try:
        text = grammar.file.read_text(encoding="utf-8")
        lark.Lark(text, parser="lalr", lexer="basic", start=list(grammar.start), debug=True)
    finally:
        lark.logger.removeHandler(handler)
        lark.logger.setLevel(level)
    return {
        message.strip(" *<").partition(" ")[0] for message in defects if message.startswith(" * ")
    }


def without_method(grammar):
    """Return the rules for which the builder has no method; rules with a single part need none."""
    text = grammar.file.read_text(encoding="utf-8")
    rules = lark.Lark(text, parser="lalr", lexer="basic", start=list(grammar.start)).rules
    # Internal rules of lark begin with `__`; their parts belong to the enclosing rule.
    return {
        name
        for rule in rules
        if not (name := str(rule.alias or rule.origin.name)).startswith("_")
        and not (rule.options.expand1 and not rule.alias and len(_parts(rule)) == 1)
        and not hasattr(grammar.build, name)
    }


def _parts(rule):
    return [symbol for symbol in rule.expansion if not (symbol.is_term and symbol.filter_out)]
