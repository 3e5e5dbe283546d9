"""Aldebaran (.aut) files: read, write, stream."""
