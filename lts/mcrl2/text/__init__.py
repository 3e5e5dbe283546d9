"""The syntax of mCRL2: from a text to its tree.

Read `tokens`, the words of mCRL2, then `tree`, which has what a text can consist of; `sorts`,
`data` and `processes` read expressions with the priorities of mCRL2, and `parser` the sections of a
text. No grammar of lark does: mCRL2 is not LALR(1), as a name or a bracket may begin a condition or
a process however far one looks ahead. Expressions climb a table of priorities."""
