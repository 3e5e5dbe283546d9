"""Binary files of mCRL2, which are streams of terms: linear processes, and labels of LTSs.

`stream` gives the terms, `forms` says what they stand for, whatever mCRL2 calls it inside; `data`
makes expressions of them as the parser does, `process` the tree of a specification, and `labels`
the texts of labels.
"""
