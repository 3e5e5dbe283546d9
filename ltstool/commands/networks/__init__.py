"""Commands on networks of LTSs."""
