"""The predefined functions of mCRL2, with their rules.

`sort_names` are the names of sorts, `symbols` the function symbols, and `signatures` their sorts;
`booleans`, `numbers`, `lists`, `sets`, `bags`, `functions` (as values) and `comparisons` define the
functions, using `equations` to write rules in Python. `finite` lists the values of small sorts.
`library` collects what a specification uses, and makes the rules for it."""
