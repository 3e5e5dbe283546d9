"""Subcommands that transform a file into another."""
