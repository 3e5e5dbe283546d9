"""Formulas about paths: linear temporal logic over actions and states, with fairness.

`A f` and `E f` say that f holds of all maximal paths of a state, or of some. Read `reader`, their
text, `normal_form`, what they are once negations stand before atoms, `quantifiers`, where variables
for data are bound, `tableau`, the automaton of a formula, `fairness`, what is asked for again and
again, and `modal`, fixed points that say that an automaton has a run along some path.
"""
