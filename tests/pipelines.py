"""Runs of `ltstool run`, and the outcomes of their steps."""

import json

from ltstool.main import main


def run(capfd, text, *options):
    """Run a pipeline; return the exit code, and the steps of the JSON output by name."""
    with open("p.toml", "w", encoding="utf-8") as file:
        file.write(text)
    code = main(["run", "p.toml", "--json", "-q", *options])
    printed = capfd.readouterr().out
    steps = json.loads(printed)["steps"] if printed else []
    return code, {step["name"]: step for step in steps}


def went(steps):
    return {name: step["went"] for name, step in steps.items()}
