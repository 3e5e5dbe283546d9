"""The text of a specification: from characters to a syntax tree.

`source` knows lines and places, `directives` fills in parameters, loops and includes (`expressions`
has their arithmetic), `tokens` and `parser` read what is left with the tables that `lalr` runs, and
`tree` is what comes out."""
