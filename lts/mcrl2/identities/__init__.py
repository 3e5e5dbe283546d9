"""Numbers that tell things apart, found by their use, and made sorts of their own.

`parts` is what a specification says before the rules of predefined functions are added. `classes`
are the places of numbers that have to be of one sort, `uses` finds them, `naming` says what they
are called and which are identities, `split` gives these sorts of their own."""
