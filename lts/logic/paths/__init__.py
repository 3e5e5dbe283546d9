"""Path formulas: linear temporal logic over actions and states, with fairness.

`A f` and `E f` say that f holds on all maximal paths from a state, or on some. They are parsed
by `lts.logic.text.path_formulas`. Start with `normal_form`, the negation normal form; `quantifiers`
moves quantifiers over data inwards, `tableau` builds the automaton of a formula, `fairness`
recognises what must happen infinitely often, and `modal` translates the existence of a path with a
run to fixed points.
"""
