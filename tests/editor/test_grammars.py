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


def test_tables_are_those_of_the_grammars():
    for file, text in script("grammars").tables().items():
        message = f"{file.parent}: run `python tools/dev/grammars.py`"
        assert file.read_text(encoding="utf-8") == text, message


def test_files_of_the_manifest_exist():
    manifest = json.loads((FOLDER / "package.json").read_text())
    named = [manifest["main"]]
    named += [one["configuration"] for one in manifest["contributes"]["languages"]]
    named += [one["path"] for one in manifest["contributes"]["grammars"]]
    assert len(named) == 9
    for name in named:
        assert (FOLDER / name).is_file(), name


@pytest.fixture
def activated(tmp_path):
    """Activate the extension with stand-ins for the modules of VS Code; return what they print."""

    def run(start):
        for name, content in {
            "vscode": """
                exports.workspace = {getConfiguration: () => ({get: (key) => "at/" + key})};
                exports.window = {showErrorMessage: (text) => console.log("shown: " + text)};""",
            "vscode-languageclient/node": """exports.CloseAction = {DoNotRestart: 1};
                exports.LanguageClient = class {
                    constructor(...words) {
                        this.given = words;
                        console.log(JSON.stringify(words));
                    }
                    createDefaultErrorHandler() { return {closed: () => ({action: 2})}; }
                    error(message, data, show) { if (show) console.log("shown: " + message); }
                    closed() {
                        const {action, handled} = this.given[3].errorHandler.closed();
                        if (action == 1) this.error("not restarted", null, !handled && "force");
                        return action;
                    }
                    async start() { START }
                    async stop() { console.log("stopped"); } };""".replace("START", start),
        }.items():
            file = tmp_path / "node_modules" / f"{name}.js"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        for name in ("extension.js", "package.json"):
            shutil.copy(FOLDER / name, tmp_path)
        program = 'const e = require("./extension.js"); e.activate().then(() => e.deactivate());'
        done = subprocess.run(
            ["node", "-e", program], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return done.stdout.splitlines()

    if shutil.which("node") is None:
        pytest.skip("node is not there")
    return run


def test_the_extension_starts_the_server(activated):
    words, *states = activated(
        'setTimeout(() => console.log("action", this.closed())); console.log("started");'
    )
    server, client = json.loads(words)[2:]
    assert server == {"command": "at/command", "args": ["language-server"]}
    assert client["documentSelector"] == [{"language": name} for name in LANGUAGES]
    assert states == ["started", "stopped", "action 2"]


def test_one_message_is_shown_if_the_server_does_not_start(activated):
    shown = activated(
        """this.closed(); this.error("couldn't create connection", null, "force");
        throw Error("spawn ENOENT");"""
    )[1:]
    assert len(shown) == 1
    assert "at/command: spawn ENOENT" in shown[0]
    assert "extra `editor`" in shown[0]


def test_dependencies_of_the_extension_are_pinned():
    manifest = json.loads((FOLDER / "package.json").read_text())
    assert all(re.fullmatch(r"[\d.]+", version) for version in manifest["dependencies"].values())


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
