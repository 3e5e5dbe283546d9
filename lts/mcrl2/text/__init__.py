"""The syntax of mCRL2: from a text to its syntax tree.

Start with `tokens`, the lexer, then `tree`, the constructs of a text; `sorts`, `data` and
`processes` parse expressions by mCRL2's priorities, and `parser` the sections of a text. lark is
not used here, because mCRL2 is not LALR(1): a name or a bracket may begin a condition or a process,
and no bounded lookahead decides which. Expressions are parsed by operator precedence."""
