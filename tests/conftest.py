"""Hypothesis profiles.

`--hypothesis-profile=thorough` runs twenty times as many examples. `soak` runs as many as the
variable SOAK says, without examples stored by earlier runs (`make soak`). `few` runs few examples,
the same ones each time: these execute nearly all lines that any others execute.
"""

import os
import signal

from hypothesis import settings

from lts.linear import invariants

# No deadline, since a slow machine is not an error. CI uses the same examples on every run, so that
# a failure is caused by the change under test, and half as many, so that it is short. Elsewhere the
# examples are new each time, and `make soak` runs more.
settings.register_profile("dev", max_examples=100, deadline=None, print_blob=True)
settings.register_profile(
    "ci", settings.get_profile("dev"), max_examples=50, derandomize=True, database=None
)
settings.register_profile("few", settings.get_profile("ci"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("dev"), max_examples=2000)
settings.register_profile(
    "soak",
    settings.get_profile("dev"),
    max_examples=int(os.environ.get("SOAK", "500")),
    database=None,
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# Check every linear process after each transformation.
invariants.thorough = True

# Some tests interrupt a program that they start. A process started in the background by a shell, or
# by `nohup`, ignores signals, and its children inherit that.
for name in ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT"):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        handler = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
        signal.signal(number, handler)
