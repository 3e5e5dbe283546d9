"""The text of a muCRL specification: from characters to a syntax tree.

`directives` expands parameters, loops and includes, with the arithmetic of `expressions`. `tokens`
and `parser` then let lark parse the text by `grammar.lark`, and `build` makes the syntax `tree`."""
