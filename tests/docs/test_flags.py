"""Every option that README and docs/ name is there, at the command that it is named with."""

import argparse
import re
from pathlib import Path

import pytest

from ltstool.options.parser import build_parser, command_names

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ("architecture.md", "benchmarks.md")
"""Documents about other programs."""
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
]
PROGRAMS = re.compile(r"(mcrl2|lps|lts|pbes|pins)[\w-]*(?<!ltstool)")
"""Those of mCRL2 and LTSmin, which have options of their own."""
DOCUMENTS = [document for document in DOCUMENTS if document.name not in OTHERS]


def options(command):
    """Return the options of a command."""
    [subparsers] = [
        action
        for action in build_parser(command)._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    return {
        name for action in subparsers.choices[command]._actions for name in action.option_strings
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_options_exist(document):
    known = {command: options(command) for command in command_names()}
    every = {"--version"}.union(*known.values())
    unknown = []
    for code in re.findall(r"`([^`\n]+)`", document.read_text(encoding="utf-8")):
        words = code.removeprefix("ltstool ").split()
        if words and PROGRAMS.fullmatch(words[0]):
            continue
        named = [word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)]
        of_command = known.get(words[0], every) if words else every
        unknown += [f"{name} in `{code}`" for name in named if name not in of_command]
    assert not unknown
