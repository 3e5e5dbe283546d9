"""The help of each command has examples, which the command takes."""

import importlib
import shlex

import pytest

from ltstool.options.parser import build_parser, command_modules, command_names


@pytest.mark.parametrize("command", command_names())
def test_examples_are_command_lines(command):
    examples = importlib.import_module(command_modules()[command]).EXAMPLES
    assert examples
    for line in examples:
        words = shlex.split(line.partition(" > ")[0])
        assert words[0] == command
        # A slip exits.
        assert build_parser(command).parse_args(words).command == command


def test_help_shows_examples(capsys):
    with pytest.raises(SystemExit):
        build_parser("split").parse_args(["split", "--help"])
    assert "examples:\n  ltstool split cases/abp.mcrl -o abp.exp\n" in capsys.readouterr().out
