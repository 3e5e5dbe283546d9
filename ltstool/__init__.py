"""The command line of ltstool."""
