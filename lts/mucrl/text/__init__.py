"""The text of a muCRL specification: from characters to a syntax tree.

`directives` fills in parameters, loops and includes (`expressions` has their arithmetic), `tokens`
and `parser` read what is left with the tables that `lalr` runs, and `tree` is what comes out."""
