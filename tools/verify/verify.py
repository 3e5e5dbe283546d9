"""The verifier of certificates under the name that scripts for a checkout use: it is
`python -m lts_verifier`, and needs nothing that is installed."""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    runpy.run_module("lts_verifier", run_name="__main__", alter_sys=True)
