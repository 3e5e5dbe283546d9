"""muCRL: from the text of a specification to its linear process and its state space."""
