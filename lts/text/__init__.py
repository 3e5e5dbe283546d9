"""Parsing and error reporting that the input languages share.

`source` maps positions in a text to lines of files, `names` are words with their places, and
`report` collects errors. Languages that are LALR(1) are parsed by lark (`grammar`). mCRL2 and
formulas are not; their parsers use operator precedence: `tokens` is the lexer, `reader` a cursor
over the tokens, and `climbing` joins operands by the priorities of their operators. `syntax` has
the process constructs common to muCRL and mCRL2."""
