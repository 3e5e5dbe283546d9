"""The VS Code extension and its grammars are those of the lexers."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lts.editor import LANGUAGES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tools" / "editors" / "vscode"


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / "dev" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_files_are_up_to_date():
    for name, text in script("grammars").files().items():
        message = f"{name}: run `python tools/dev/grammars.py`"
        assert (FOLDER / name).read_text(encoding="utf-8") == text, message


def test_files_of_the_manifest_exist():
    manifest = json.loads((FOLDER / "package.json").read_text())
    named = [manifest["main"]]
    named += [one["configuration"] for one in manifest["contributes"]["languages"]]
    named += [one["path"] for one in manifest["contributes"]["grammars"]]
    assert len(named) == 9
    for name in named:
        assert (FOLDER / name).is_file(), name


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not there")
def test_the_extension_starts_the_server(tmp_path):
    """With stand-ins for the modules of VS Code: the program, its words, and the languages."""
    for name, content in {
        "vscode": 'exports.workspace = {getConfiguration: () => ({get: (key) => "at/" + key})};',
        "vscode-languageclient/node": """exports.LanguageClient = class {
            constructor(...words) { console.log(JSON.stringify(words)); }
            async start() { console.log("started"); }
            async stop() { console.log("stopped"); } };""",
    }.items():
        file = tmp_path / "node_modules" / f"{name}.js"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    for name in ("extension.js", "package.json"):
        shutil.copy(FOLDER / name, tmp_path)
    run = 'const e = require("./extension.js"); e.activate().then(() => e.deactivate());'
    done = subprocess.run(
        ["node", "-e", run], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    words, *states = done.stdout.splitlines()
    server, client = json.loads(words)[2:]
    assert server == {"command": "at/command", "args": ["language-server"]}
    assert client == {"documentSelector": [{"language": name} for name in LANGUAGES]}
    assert states == ["started", "stopped"]


def coloured(name, line):
    """Return the parts of a line with their scopes, by the first pattern that matches first."""
    patterns = json.loads((FOLDER / "syntaxes" / f"{name}.tmLanguage.json").read_text())["patterns"]
    patterns = [(one["name"], re.compile(one.get("match") or one["begin"])) for one in patterns]
    at, found = 0, []
    while at < len(line):
        matches = [(pattern.search(line, at), scope) for scope, pattern in patterns]
        matches = [
            (match.start(), n, match[0], scope) for n, (match, scope) in enumerate(matches) if match
        ]
        if not matches:
            break
        begin, _, text, scope = min(matches)
        found.append((text, scope.split(".")[0]))
        at = begin + len(text)
    return [(text, scope) for text, scope in found if scope != "keyword" or text.isalpha()] + [
        text for text, scope in found if scope == "keyword" and not text.isalpha()
    ]


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        (
            "mucrl",
            "proc P(sum-1:D) = sum(d:D, tau.act') <| T |> delta % init",
            [
                ("proc", "keyword"), ("sum", "keyword"), ("tau", "constant"),
                ("delta", "constant"), ("% init", "comment"),
                *"(", ":", ")", "=", "(", ":", ",", ".", ")", "<|", "|>",
            ],
        ),
        (
            "mcrl2",
            "map in_: List(Nat) -> Bool; eqn x in y' = 12; %end",
            [
                ("map", "keyword"), ("List", "support"), ("Nat", "support"), ("Bool", "support"),
                ("eqn", "keyword"), ("in", "keyword"), ("12", "constant"), ("%end", "comment"),
                ":", "(", ")", "->", ";", "=", ";",
            ],
        ),
        (
            "mcf",
            'nu X. [true*."a b"]X && val(in_ < 3) % mu',
            [
                ("nu", "keyword"), ("true", "constant"), ('"a b"', "string"), ("val", "keyword"),
                ("3", "constant"), ("% mu", "comment"),
                ".", "[", "*", ".", "]", "&&", "(", "<", ")",
            ],
        ),
        (
            "exp",
            'hide a, hidden in "b c.aut" ||| d.exp end hide -- par',
            [
                ("hide", "keyword"), ("in", "keyword"), ('"b c.aut"', "string"),
                ("d.exp", "string"), ("-- par", "comment"), ",", "|||", "end hide",
            ],
        ),
    ],
)  # fmt: skip
def test_lines_are_coloured(name, line, expected):
    assert coloured(name, line) == expected
