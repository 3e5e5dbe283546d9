"""Finds numbers that serve only as identities, and gives them sorts of their own.

`parts` is a specification before the rules of predefined functions are added. `classes` groups
occurrences of numbers that must have the same sort, `uses` finds them, `naming` names the classes
and decides which are identities, and `split` introduces the new sorts."""
