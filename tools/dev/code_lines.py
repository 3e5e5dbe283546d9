"""Count lines of code by folder, without blank lines, comments, documentation and tests.

    python tools/dev/code_lines.py [--commit COMMIT] [--depth N]

Folders are named by the first `--depth` parts of their paths. A line counts if it has anything that
is neither a comment nor a docstring. Test files do not count, nor do Rust modules that are compiled
only for tests.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("lts", "aut_format", "ltstool", "engine/src")
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
IN_RUST = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\])*"|r(?P<hashes>\#*)".*?"(?P=hashes)|'\\?.'""",
    re.DOTALL,
)
IN_SCRIPT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""",
    re.DOTALL,
)


def python_lines(text: str) -> int:
    """Return the number of lines of a Python file that are code."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE and token.string:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def _written(text: str, strings: re.Pattern[str]) -> int:
    """Return the number of lines that are not blank without comments; `strings` matches the
    language's strings."""
    bare = strings.sub(lambda m: re.sub(r"[^\n]", "", m[0]) if m["comment"] else m[0], text)
    return sum(1 for line in bare.splitlines() if line.strip())


def rust_lines(text: str) -> int:
    """Return the number of lines of a Rust file that are code, except for code only for tests."""
    return _written(re.split(r"^#\[cfg\(test\)\]\nmod \w+ \{", text, flags=re.M)[0], IN_RUST)


COUNTED = {
    ".py": python_lines,
    ".rs": rust_lines,
    ".js": lambda text: _written(text, IN_SCRIPT),
}


def count(commit: str, depth: int) -> Counter[str]:
    """Return the number of lines of code of each folder at a commit."""
    listed = _git("ls-tree", "-r", "--name-only", commit, "--", *PRODUCT)
    found: Counter[str] = Counter()
    for name in listed.splitlines():
        path = Path(name)
        own = {*path.parent.parts, path.stem}
        if path.suffix in COUNTED and not own & {"tests", "vendor"} and ".min" not in path.name:
            room = "/".join(path.parent.parts[:depth])
            found[room] += COUNTED[path.suffix](_git("show", f"{commit}:{name}"))
            found[path.suffix] += COUNTED[path.suffix](_git("show", f"{commit}:{name}"))
    return found


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout


def main() -> int:
    """Print a table of folders and their lines of code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--commit", default="HEAD", help="what to count (HEAD)")
    parser.add_argument("--depth", type=int, default=3, help="parts of a path that name a room (3)")
    arguments = parser.parse_args()
    found = count(arguments.commit, arguments.depth)
    kinds = {name: n for name, n in found.items() if name.startswith(".")}
    for room, lines in sorted(found.items()):
        if room not in kinds:
            print(f"{lines:7} {room}")
    print(f"{sum(kinds.values()):7} in all:", ", ".join(f"{n} {k}" for k, n in kinds.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
