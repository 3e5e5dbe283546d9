"""The syntax of formulas: from a text to the nodes of a formula.

`tokens` has the tokens and the cursor over them, which also the parser of data reads
(`lts.mcrl2.text.data`). Start with `formula`, the state formulas; it has a parser for each other
level of the grammar: `action_formulas`, `regular_formulas` and `path_formulas`. They share a
`context`, the nodes and the names in scope, and `binder_scope`, which says where the scopes of
quantifiers and fixed points end."""
