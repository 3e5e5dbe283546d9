"""The examples in Python of README and docs/ are typed: `mypy --strict` accepts them, except those
that show an error."""

import doctest
import re
import subprocess
import sys

import pytest

from docs.test_documents import DOCUMENTS, ROOT, blocks

FEWEST = 9
"""Fewest documents with examples."""


def code(document):
    """Return the statements of all examples of a document, each after a comment with its place."""
    found = []
    for block in blocks(document):
        if block.language != "python":
            continue
        if ">>>" not in block.text:
            found += [f"# {block.place}", block.text]
            continue
        for example in doctest.DocTestParser().get_examples(block.text):
            if example.exc_msg is None:
                found += [f"# {block.place}", example.source]
    return "\n".join(found)


def test_examples_are_typed(tmp_path):
    pytest.importorskip("mypy")
    files = []
    for document in DOCUMENTS:
        if text := code(document):
            name = re.sub(r"\W", "_", str(document.relative_to(ROOT)))
            files.append(tmp_path / f"{name}.py")
            files[-1].write_text(text)
    assert len(files) >= FEWEST
    settings = tmp_path / "mypy.ini"
    settings.write_text(
        f"[mypy]\nstrict = True\nmypy_path = {ROOT}\nignore_missing_imports = True\n"
        "untyped_calls_exclude = lark\n"
    )
    words = ["--config-file", settings, "--cache-dir", tmp_path / "cache", *files]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *map(str, words)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
