"""Files of the DOT language: `tokens` cuts a text up, `parser` reads the graph, `system` finds the
LTS in it, and knows how AutomataLib, AALpy, mCRL2 and TLC mark what is initial."""
