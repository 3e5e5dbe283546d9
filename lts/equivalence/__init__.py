"""Behavioural equivalences: minimisation, comparison, evidence."""
