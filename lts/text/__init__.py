"""Texts of languages, and what is wrong with them, whatever language it is.

`source` knows the lines and places of a text, `names` are words with their places, `report`
collects what is wrong, and `spelling` guesses what a name was meant to be. `grammar` has lark read
what is LALR(1); mCRL2 and formulas, which are not, climb one table of priorities: `tokens` are
words by the lexicon of a language, `reader` walks through them, and `climbing` joins operators.
`syntax` is what texts of processes have in common."""
