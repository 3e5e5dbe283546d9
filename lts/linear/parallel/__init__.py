"""Parallel composition of lists of summands, and the operators around it.

`relabelling` is the effect of `encap`, `hide` and `rename` on action names. `communication`
composes as in muCRL, where actions communicate in pairs; `synchronisation` as in mCRL2, where
actions that happen at once form one of the `multi_actions`.
"""
