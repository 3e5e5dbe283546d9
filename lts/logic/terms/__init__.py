"""Data terms in formulas.

`text` parses those over labels and over muCRL specifications, `typed` those over mCRL2
specifications; `candidates` are the values of variables that conditions and labels allow."""
