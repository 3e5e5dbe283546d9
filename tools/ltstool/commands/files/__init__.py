"""Subcommands that write what they read as another file."""
