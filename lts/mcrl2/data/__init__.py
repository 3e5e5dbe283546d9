"""The functions that every mCRL2 specification has, with their rules."""
