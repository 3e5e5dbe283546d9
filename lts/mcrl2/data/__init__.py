"""The functions that every mCRL2 specification has, with their rules.

`sort_names` is what sorts are called, `symbols` are the functions themselves and `signatures` their
sorts; `booleans`, `numbers`, `lists`, `sets`, `bags`, `functions` (those that are values) and
`comparisons` define them, with `equations` to write rules in Python. `finite` lists the values of
sorts that have few. `library` collects what a specification uses, and makes the rules of that."""
