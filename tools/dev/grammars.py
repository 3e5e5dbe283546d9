"""Write the tables of the LALR(1) grammars, the TextMate grammars of the languages, and the VS Code
extension that contains them.

    python tools/dev/grammars.py

The words and signs are those of the lexers, so nothing here names a keyword. A test compares the
files with what this script makes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lts.editor import LANGUAGES
from lts.logic.text import tokens as formulas
from lts.mcrl2.text import tokens as mcrl2
from lts.mucrl.text.build import grammar as mucrl_grammar
from lts.mucrl.text.tokens import SECTIONS
from lts.network.parser import grammar as network_grammar
from lts.text.grammar import Grammar, analysed

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tools" / "editors" / "vscode"

GRAMMARS = {
    ROOT / "lts" / "mucrl" / "text": ("section", "term", "unknown"),
    ROOT / "lts" / "network": ("network", "closed", "unknown"),
}
"""The folders of the LALR(1) grammars, and their start symbols."""
CONSTANTS = {"true", "false", "delta", "tau"}
"""Words that are coloured as constants."""
NAME = r"[\w'^\\]"
"""A character of a name in some language."""

Patterns = list[dict[str, Any]]


def main() -> None:
    """Write the files."""
    for file, text in tables().items():
        file.write_text(text, encoding="utf-8")
    for name, text in files().items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")


def tables() -> dict[Path, str]:
    """Return the files with what lark finds out about the LALR(1) grammars."""
    found = {}
    for folder, start in GRAMMARS.items():
        content = analysed(folder / "grammar.lark", start)
        parser = content["data"]["parser"]
        parser["parser"] = canonical(parser["parser"])
        text = json.dumps(content, separators=(",", ":"))
        found[folder / "tables.json"] = text.replace("},", "},\n") + "\n"
    return found


def canonical(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table of lark whose symbols are sorted by name, and whose states are in the order of
    a search through them: lark's order is another one in each run."""
    names = dict(enumerate(sorted(table["tokens"].values())))
    symbols = {name: number for number, name in names.items()}
    order = list(table["start_states"].values())
    entries: dict[int, dict[int, Any]] = {}
    for state in order:  # grows during the loop
        steps = {symbols[table["tokens"][t]]: step for t, step in table["states"][state].items()}
        entries[state] = dict(sorted(steps.items()))
        targets = (target for is_reduction, target in entries[state].values() if not is_reduction)
        order += [target for target in dict.fromkeys(targets) if target not in order]
    numbers = {state: number for number, state in enumerate(order)}

    def renumbered(step: tuple[int, Any]) -> tuple[int, Any]:
        return step if step[0] else (0, numbers[step[1]])

    return {
        "tokens": names,
        "states": {
            numbers[state]: {symbol: renumbered(step) for symbol, step in steps.items()}
            for state, steps in entries.items()
        },
        "start_states": {name: numbers[s] for name, s in table["start_states"].items()},
        "end_states": {name: numbers[table["end_states"][name]] for name in table["start_states"]},
    }


def files() -> dict[str, str]:
    """Return the generated files by name."""
    found = {f"syntaxes/{name}.tmLanguage.json": as_json(grammar(name)) for name in LANGUAGES}
    found["package.json"] = as_json(package())
    for name in LANGUAGES:
        found[f"{name}.language-configuration.json"] = as_json(configuration(name))
    found["LICENSE"] = (ROOT / "LICENSE").read_text(encoding="utf-8")
    return found


def as_json(content: object) -> str:
    """Return a JSON file."""
    return json.dumps(content, indent=2) + "\n"


def package() -> dict[str, Any]:
    """Return the manifest of the extension."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command = {
        "type": "string",
        "default": "ltstool",
        "description": "The program, such as /home/me/.venv/bin/ltstool",
        "scope": "machine",
    }
    return {
        "name": "ltstool",
        "displayName": "muCRL and mCRL2 (ltstool)",
        "description": "Specifications in muCRL and mCRL2, formulas, and networks in EXP",
        "version": project["version"],
        "publisher": "ltstool",
        "license": project["license"],
        "engines": {"vscode": "^1.82.0"},
        "categories": ["Programming Languages", "Formatters"],
        "main": "./extension.js",
        # The project has no public address, which the packager would ask for.
        "scripts": {"package": "vsce package --allow-missing-repository"},
        "contributes": {
            "languages": [
                {
                    "id": name,
                    "aliases": [language.title],
                    "extensions": list(language.endings),
                    "configuration": f"./{name}.language-configuration.json",
                }
                for name, language in LANGUAGES.items()
            ],
            "grammars": [
                {
                    "language": name,
                    "scopeName": f"source.{name}",
                    "path": f"./syntaxes/{name}.tmLanguage.json",
                }
                for name in LANGUAGES
            ],
            "configuration": {"title": "ltstool", "properties": {"ltstool.command": command}},
        },
        "dependencies": {"vscode-languageclient": "9.0.1"},
    }


def configuration(name: str) -> dict[str, Any]:
    """Return the comments and brackets of a language."""
    pairs = [["(", ")"], ["[", "]"], ["{", "}"]]
    comments: dict[str, Any] = {"lineComment": "--" if name == "exp" else "%"}
    if name == "exp":
        comments["blockComment"] = ["(*", "*)"]
    return {"comments": comments, "brackets": pairs, "autoClosingPairs": pairs}


def grammar(name: str) -> dict[str, Any]:
    """Return the TextMate grammar of a language."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": LANGUAGES[name].title,
        "scopeName": f"source.{name}",
        "patterns": PATTERNS[name](),
    }


def mucrl() -> Patterns:
    """Return the patterns of muCRL, from the terminals of its grammar."""
    fixed = fixed_texts(mucrl_grammar())
    words = {word for word in fixed if word.isalpha()}
    return [
        scoped("keyword.control.directive", r"%[@!].*$"),
        scoped("comment.line.percentage", "%.*$"),
        *of_words(words, SECTIONS, dashes=True),
        scoped("keyword.operator", alternatives(fixed - words)),
    ]


def mcrl2_words() -> Patterns:
    """Return the patterns of the words of mCRL2."""
    types = {*mcrl2.SORTS, *mcrl2.CONTAINERS}
    found = of_words(mcrl2.WORDS - types, mcrl2.SECTIONS)
    return [
        *found,
        scoped("support.type", whole(types)),
        scoped("constant.numeric", whole(["[0-9]+"], raw=True)),
    ]


def mcrl2_patterns() -> Patterns:
    """Return the patterns of mCRL2, from its lexer."""
    return [
        scoped("keyword.control.directive", r"%!.*$"),
        scoped("comment.line.percentage", "%.*$"),
        *mcrl2_words(),
        scoped("keyword.operator", mcrl2.SIGNS),
    ]


def formula() -> Patterns:
    """Return the patterns of formulas, which may begin with declarations of mCRL2."""
    return [
        scoped("keyword.control.directive", r"%!.*$"),
        scoped("comment.line.percentage", "%.*$"),
        scoped("string.quoted.double", r'"(?:[^"\\]|\\.)*"'),
        *of_words({*formulas.NAMES, *formulas.WORDS, "form"}, ("form",)),
        *mcrl2_words(),
        scoped("keyword.operator", formulas.SIGNS),
    ]


def network() -> Patterns:
    """Return the patterns of networks, from the terminals of their grammar."""
    known = network_grammar().patterns
    words = {
        name: known[name] for name in known if known[name].rstrip(")").endswith("(?![A-Za-z0-9_]")
    }
    keywords = [words[name] for name in words if name not in ("NAME", "BLANK")]
    keywords.sort(key=lambda pattern: -len(pattern))
    return [
        {"name": "comment.block.exp", "begin": r"\(\*", "end": r"\*\)"},
        scoped("comment.line.double-dash", "--.*$"),
        scoped("string.quoted.double", known["STRING"]),
        scoped("string.unquoted.file", known["FILE"]),
        scoped("keyword.control", rf"(?<!\w)(?:{'|'.join(keywords)})"),
        scoped("constant.numeric", rf"(?<!\w){known['NUMBER']}"),
        scoped("keyword.operator", alternatives(fixed_texts(network_grammar()))),
    ]


def fixed_texts(grammar: Grammar) -> set[str]:
    """Return the texts of the terminals that stand for one text only."""
    fixed = {re.sub(r"\\(.)", r"\1", pattern): pattern for pattern in grammar.patterns.values()}
    return {text for text, pattern in fixed.items() if re.escape(text) == pattern}


PATTERNS = {"mucrl": mucrl, "mcrl2": mcrl2_patterns, "mcf": formula, "exp": network}


def of_words(words: Iterable[str], sections: Iterable[str], *, dashes: bool = False) -> Patterns:
    """Return the patterns of reserved words: sections, constants, and all others.

    With `dashes`, names may contain them, so that `sum-1` is a name.
    """
    begin = set(sections)
    rest = set(words) - begin
    return [
        scoped("keyword.control.section", whole(begin, dashes=dashes)),
        scoped("constant.language", whole(rest & CONSTANTS, dashes=dashes)),
        scoped("keyword.other", whole(rest - CONSTANTS, dashes=dashes)),
    ]


def scoped(scope: str, pattern: str) -> dict[str, str]:
    """Return a pattern with its scope."""
    return {"name": scope, "match": pattern}


def whole(words: Iterable[str], *, raw: bool = False, dashes: bool = False) -> str:
    """Return a pattern of whole words."""
    shown = "|".join(sorted(words)) if raw else alternatives(words)
    before, after = ("(?<!-)", f"(?!-+{NAME})") if dashes else ("", "")
    return rf"(?<!{NAME}){before}(?:{shown})(?!{NAME}){after}"


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern of these words; of two that begin alike, the longer one comes first."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


if __name__ == "__main__":
    main()
