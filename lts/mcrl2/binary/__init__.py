"""mCRL2's binary files, which are streams of terms: linear processes, and labels of LTSs.

`stream` reads the terms, and `forms` interprets them, hiding how mCRL2 represents data internally.
From these, `data` builds the syntax trees of expressions, `process` that of a specification, and
`labels` the texts of labels.
"""
