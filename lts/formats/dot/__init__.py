"""Files in the DOT language: `tokens` is the lexer, `parser` reads the graph, `system` extracts the
LTS and knows how AutomataLib, AALpy, mCRL2 and TLC mark initial states."""
