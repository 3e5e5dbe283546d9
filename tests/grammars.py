"""What may be wrong with a grammar of lark, and goes unnoticed where a text is read."""

import logging

import lark


def conflicts(grammar):
    """Return the rules that lark does not end where it could, because it can also go on."""
    told = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    level = lark.logger.level
    lark.logger.addHandler(handler)
    lark.logger.setLevel(logging.DEBUG)
    try:
        text = grammar.file.read_text(encoding="utf-8")
        lark.Lark(text, parser="lalr", lexer="basic", start=list(grammar.start), debug=True)
    finally:
        lark.logger.removeHandler(handler)
        lark.logger.setLevel(level)
    return {message.strip(" *<").partition(" ")[0] for message in told if message.startswith(" * ")}


def without_method(grammar):
    """Return the rules for which the builder has no method; a rule of one part may have none."""
    text = grammar.file.read_text(encoding="utf-8")
    rules = lark.Lark(text, parser="lalr", lexer="basic", start=list(grammar.start)).rules
    # Rules of lark itself begin with `__`; their parts are those of the rule around them.
    return {
        name
        for rule in rules
        if not (name := str(rule.alias or rule.origin.name)).startswith("_")
        and not (rule.options.expand1 and not rule.alias and len(_parts(rule)) == 1)
        and not hasattr(grammar.build, name)
    }


def _parts(rule):
    return [symbol for symbol in rule.expansion if not (symbol.is_term and symbol.filter_out)]
