"""The text of a muCRL specification: from characters to a syntax tree.

`directives` fills in parameters, loops and includes (`expressions` has their arithmetic), `tokens`
and `parser` have lark read what is left by `grammar.lark`, `build` makes the `tree` of it."""
