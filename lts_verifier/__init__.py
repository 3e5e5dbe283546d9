"""The verifier of certificates: `python -m lts_verifier`. It imports nothing of ltstool."""
