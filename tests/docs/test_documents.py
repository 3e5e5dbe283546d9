"""README and docs/ do as they say: every command and every piece of Python in them is run.

A `console` block is a shell session: `$ ` before a command, `> ` before its further lines, then
what it prints on both streams. `...` stands for any lines, or within a line for any text. A command
must succeed unless the next one is `echo $?`. A `python` block is a doctest, or plain code. A
`mcrl` block is a complete specification, which must be accepted; `mcrl NAME` is a file that later
blocks use. The blocks of a document are run in order, in one folder that has a copy of cases/.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
]
SHELL = shutil.which("bash")
# Shown, not run: other things than commands.
DATA = {"text", "aut", "toml", "json", "rust", "mermaid", "diff"}
MARK = "-- exit code"
SECONDS = 1000


@dataclass
class Block:
    language: str
    text: str
    place: str


@dataclass
class Command:
    text: str
    output: str


def blocks(document):
    """Return the fenced blocks of a Markdown file."""
    text = document.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^( *)```(.*)\n((?:.*\n)*?)\1```$", text, re.MULTILINE):
        place = f"{document.name}:{text.count(chr(10), 0, match.start()) + 1}"
        found.append(Block(match[2].strip(), textwrap.dedent(match[3]), place))
    return found


def commands(session):
    """Return the commands of a `console` block and what they are to print."""
    found = []
    for line in session.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif line.startswith("> ") and not found[-1].output:
            found[-1].text += "\n" + line[2:]
        else:
            found[-1].output += line + "\n"
    return found


def run_console(session, folder):
    """Run a `console` block in `folder`; return what is wrong with it, or an empty string."""
    shown = commands(session)
    # A mark ends the output of each command, and leaves `$?` as it was.
    script = "".join(
        f"{c.text}\nlast=$?; printf '\\n{MARK} %d\\n' $last; (exit $last)\n" for c in shown
    )
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "HOME": str(folder),
        "COLUMNS": "80",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        [SHELL, "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        encoding="utf-8",
        errors="surrogateescape",
    )
    parts = re.split(rf"\n{MARK} (\d+)\n", done.stdout)
    outputs, codes = parts[0:-1:2], parts[1::2]
    if len(codes) != len(shown):
        return f"the shell stopped after {len(codes)} of {len(shown)} commands:\n{done.stdout}"
    for number, command in enumerate(shown):
        if not matches(command.output, outputs[number]):
            return f"$ {command.text}\nprinted\n{outputs[number]}\nand not\n{command.output}"
        reported = number + 1 < len(shown) and shown[number + 1].text == "echo $?"
        if codes[number] != "0" and not reported:
            return f"$ {command.text}\nended with exit code {codes[number]}"
    return ""


def load(text, folder):
    """Read a `mcrl` block; return what is wrong with it, or an empty string."""
    from lts import LtsError
    from lts.mucrl import linearise, read_text

    try:
        linearise(read_text(text, file=str(folder / "block.mcrl")))
    except LtsError as error:
        return str(error)
    return ""


def matches(expected, found):
    """Return whether `found` is the output `expected`, but for `...` and blanks at line ends."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r".*".join(map(re.escape, line.rstrip().split("..."))) + r"\n"
    lines = "".join(line.rstrip() + "\n" for line in found.splitlines())
    return re.fullmatch(pattern, lines) is not None


def run_python(block, names):
    """Run a `python` block among `names`; return what is wrong with it, or an empty string."""
    if ">>>" not in block.text:
        exec(compile(block.text, block.place, "exec"), names)
        return ""
    report = []
    test = doctest.DocTestParser().get_doctest(block.text, names, block.place, block.place, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    return "".join(report)


@pytest.mark.skipif(SHELL is None, reason="the documents show sessions of a POSIX shell")
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_document_code_blocks_run(document, tmp_path, monkeypatch):
    if (ROOT / "cases").exists():
        shutil.copytree(ROOT / "cases", tmp_path / "cases")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    found = blocks(document)
    for number, block in enumerate(found):
        kind, _, name = block.language.partition(" ")
        if kind == "mcrl" and name:
            (tmp_path / name).write_text(block.text, encoding="utf-8")
            later = "".join(other.text for other in found[number + 1 :])
            wrong = "" if name in later else f"{name} is never used"
        elif kind == "mcrl":
            wrong = load(block.text, tmp_path)
        elif block.language == "console":
            wrong = run_console(block.text, tmp_path)
        elif block.language == "python":
            wrong = run_python(block, names)
        elif block.language == "sh":
            wrong = "".join(f"{line}: CI does not run this\n" for line in not_run_by_ci(block.text))
        else:
            wrong = "" if block.language in DATA else f"language {block.language!r}: run it or not?"
        assert not wrong, f"{block.place}: {wrong}"


def not_run_by_ci(script):
    """Yield the lines of a `sh` block, set-up of a checkout, that are no part of .ci/run."""
    scripts = [ci_script(), (ROOT / "Makefile").read_text(encoding="utf-8")]
    # The second is what `make rest` makes.
    patterns = r"^make (.*)$", r"^\t\$\(MAKE\) (.*)$"
    made_there = [
        line
        for pattern, text in zip(patterns, scripts, strict=True)
        for line in re.findall(pattern, text, re.MULTILINE)
    ]
    targets = [word for words in made_there for word in words.split()]
    for line in script.splitlines():
        words = line.partition("#")[0].split()
        made = words[:1] == ["make"] and set(words[1:]) <= set(targets)
        if not made and words[:2] != ["git", "clone"] and words[:1] != ["cd"]:
            yield line


def ci_script():
    return (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_have_targets(document):
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = document.parent / name if name else document
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def anchors(document):
    """Return the anchors that the headings of a Markdown file make."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.skipif(SHELL is None, reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("session", "wrong"),
    [
        ("$ echo one; echo two\none\ntwo\n", ""),
        ("$ echo one; echo two\none\n", "and not"),
        ("$ echo one; echo two\n...\n", ""),
        ("$ echo one; echo two; echo three\none\n...\nthree\n", ""),
        ("$ echo one two three\none ... three\n", ""),
        ("$ echo one two\none ... three\n", "and not"),
        ("$ echo one\n", "and not"),
        ("$ true\none\n", "and not"),
        ("$ printf one\none\n", ""),
        ("$ cat <<end\n> one\n> end\none\n", ""),
        ("$ echo one >&2\none\n", ""),
        ("$ false\n", "exit code 1"),
        ("$ (exit 3)\n$ echo $?\n3\n", ""),
        ("$ (exit 3)\n$ echo $?\n0\n", "and not"),
        ("$ touch here; ls\nhere\n$ rm here\n", ""),
        ("$ exit 0\n$ echo one\none\n", "stopped"),
    ],
)
def test_differing_sessions_are_detected(session, wrong, tmp_path):
    found = run_console(session, tmp_path)
    assert (wrong in found) if wrong else not found


def test_differing_doctests_are_detected():
    names = {}
    assert run_python(Block("python", ">>> x = 2\n>>> x\n2\n", "here"), names) == ""
    assert "Expected" in run_python(Block("python", ">>> x\n3\n", "here"), names)


def test_wrong_specifications_are_detected(tmp_path):
    assert load("%@ include Bool\nact a init a", tmp_path) == ""
    assert "`b`" in load("%@ include Bool\nact a init b", tmp_path)


def test_code_blocks_are_extracted(tmp_path):
    document = tmp_path / "document.md"
    document.write_text("a\n```text\nb\n```\n- c\n  ```console\n  $ d\n  ```\n", encoding="utf-8")
    found = [(block.language, block.text, block.place) for block in blocks(document)]
    assert found == [("text", "b\n", "document.md:2"), ("console", "$ d\n", "document.md:6")]
