"""The functions that every mCRL2 specification has, with their rules.

`symbols` are the functions themselves and `signatures` their sorts; `booleans`, `numbers`, `lists`
and `comparisons` define them, with `equations` to write rules in Python. `library` collects what
a specification uses, and makes the rules of that."""
