"""What an mCRL2 text means before it does anything: names, sorts, types."""
