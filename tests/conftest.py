"""Hypothesis profiles: `--hypothesis-profile=thorough` looks twenty times as long.

`soak` takes as many as the variable SOAK says, and none that an earlier run has kept (`make soak`).

`few` takes few examples, the same ones each time: they run nearly all lines that any others run.
"""

import os
import signal

from hypothesis import settings

from lts.linear import invariants

# A slow machine is no error: no deadline. The same examples on every CI run, so that a red run is
# about the change it tests; half as many, so that it is short. Elsewhere the examples are new ones
# each time, and `make soak` takes more.
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

# Every linear process is looked through after each change of it.
invariants.thorough = True

# Some tests interrupt a program that they start. What was started in the background by a shell, or
# by `nohup`, ignores signals, and so would the program.
for name in ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT"):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        handler = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
        signal.signal(number, handler)
