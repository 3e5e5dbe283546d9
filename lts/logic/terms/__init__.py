"""Terms over data in formulas: `text` reads those of systems and of muCRL, `typed` those of mCRL2;
`candidates` are the values of variables that conditions and labels leave."""
