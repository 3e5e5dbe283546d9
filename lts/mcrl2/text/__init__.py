"""The syntax of mCRL2: from a text to its tree.

Read `tokens`, then `tree`, which has what a text can consist of; `reader` walks through tokens,
`sorts`, `data` and `processes` read expressions with the priorities of mCRL2, and `parser` the
sections of a text."""
