"""Write THIRD-PARTY.md: the crates linked into the wheel, the packages it requires, and their
licences.

Run by `make notices`; `make lint` runs it with `--check`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
NOTICES = ROOT / "THIRD-PARTY.md"
D3 = ROOT / "lts" / "web" / "d3"
D3_LICENCE = D3 / "LICENSE"
# Fixed, so that the file does not depend on the machine that writes it.
PLATFORM = "x86_64-unknown-linux-gnu"
LICENCE_FILES = ("licen", "unlicense", "copying", "copyright", "notice")
# Licences that a project under MIT may link in and require. `OR` needs one of them, `AND` all.
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "MIT",
    "PSF-2.0",
    "Python-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def main() -> int:
    """Write the notices, or with `--check` report whether they are current (exit code 1: no)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare with the file")
    check = parser.parse_args().check
    text = notices()
    if not check:
        NOTICES.write_text(text, encoding="utf-8")
    elif NOTICES.read_text(encoding="utf-8") != text:
        print("THIRD-PARTY.md is not current: run `make notices`", file=sys.stderr)
        return 1
    return 0


def notices() -> str:
    """Return the text of the file."""
    crates = sorted(linked_crates(), key=lambda crate: (crate["name"], crate["version"]))
    required = [licence_row(found) for found in required_distributions()]
    linked = [(c["name"], c["version"], permitted(c["name"], c["license"])) for c in crates]
    parts = [
        "# Third-party notices",
        "ltstool is under the MIT licence (LICENSE). This file is written by `make notices`.",
        "## Linked into the compiled module",
        table("Crate", linked),
        "The Rust standard library is linked in too (MIT OR Apache-2.0).",
        "## Put into the pages that `ltstool view` writes",
        table("Module", page_modules()),
        "## Installed beside it, not part of it",
        table("Package", required),
        "## Licence texts of the crates",
    ]
    texts: dict[str, list[str]] = {}
    for crate in crates:
        for text in licence_texts(crate):
            texts.setdefault(text, []).append(crate["name"])
    for text, names in texts.items():
        parts.append(f"### {', '.join(dict.fromkeys(names))}")
        parts.append(f"```text\n{text}\n```")
    parts += [
        "## Licence text of the modules of D3",
        f"```text\n{D3_LICENCE.read_text().strip()}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def page_modules() -> list[tuple[str, str, str]]:
    """Return name, version and licence of the third-party scripts in pages."""
    said = tomllib.loads((D3 / "versions.toml").read_text(encoding="utf-8"))
    versions, licence = said["versions"], permitted("d3", said["licence"])
    files = {file.name.removesuffix(".min.js"): file for file in D3.glob("*.min.js")}
    if set(files) != set(versions):
        raise SystemExit(f"{D3 / 'versions.toml'}: these are not the modules that are there")
    for name, file in files.items():
        header = re.match(rf"// \S+/{name}/ v(\S+) ", file.read_text(encoding="utf-8"))
        if header and header[1] != versions[name]:
            raise SystemExit(f"{file}: version {header[1]}, not {versions[name]}")
    return [(name, version, licence) for name, version in sorted(versions.items())]


def linked_crates() -> Iterator[dict[str, Any]]:
    """Yield the crates whose code is part of the compiled module.

    These are the run-time dependencies of the engine: no build scripts, no tests, no procedural
    macros.
    """
    command = ["cargo", "metadata", "--locked", "--format-version=1", "--features=python"]
    command += [f"--filter-platform={PLATFORM}"]
    done = subprocess.run(command, cwd=ROOT / "engine", check=True, stdout=subprocess.PIPE)
    metadata = json.loads(done.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    seen, todo = {root}, [root]
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            name = dependency["pkg"]
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            macros = any("proc-macro" in target["kind"] for target in packages[name]["targets"])
            if normal and not macros and name not in seen:
                seen.add(name)
                todo.append(name)
                yield packages[name]


def licence_texts(crate: dict[str, Any]) -> list[str]:
    """Return the licence texts that must accompany `crate`; if MIT is a choice, only that of
    MIT."""
    folder = Path(crate["manifest_path"]).parent
    files = sorted(p for p in folder.iterdir() if p.name.lower().startswith(LICENCE_FILES))
    mit = [p for p in files if p.name.lower() in ("license-mit", "license-mit.txt")]
    if mit and "MIT" in alternatives(crate["license"]):
        files = mit
    if not files:
        raise SystemExit(f"{crate['name']}: no licence text in its source")
    return [p.read_text(encoding="utf-8").strip() for p in files]


def required_distributions() -> list[Distribution]:
    """Return the distributions that pip installs with the wheel, by name, without optional ones."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    todo = list(project["dependencies"])
    found: dict[str, Distribution] = {}
    while todo:
        requirement = Requirement(todo.pop())
        name = requirement.name.lower()
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found[name] = distribution(name)
        todo += found[name].requires or []
    return [found[name] for name in sorted(found)]


def licence_row(found: Distribution) -> tuple[str, str, str]:
    """Return name, version and licence of an installed distribution."""
    name, metadata = found.metadata["Name"], found.metadata
    stated = metadata.get("License-Expression")
    if stated is None:
        prefix = "License :: OSI Approved :: "
        classifiers = metadata.get_all("Classifier") or []
        stated = " AND ".join(
            spdx(line.removeprefix(prefix)) for line in classifiers if line.startswith(prefix)
        )
    return name, found.version, permitted(name, stated or spdx(metadata.get("License", "")))


def spdx(words: str) -> str:
    """Return the SPDX identifier of a licence given in words."""
    names = {
        "MIT License": "MIT",
        "BSD License": "BSD-3-Clause",
        "Python Software Foundation License": "PSF-2.0",
        "PSF": "PSF-2.0",
    }
    return names.get(words, words)


def permitted(name: str, expression: str) -> str:
    """Return the SPDX `expression` in current spelling; exit if ltstool may not use `name` under
    it."""
    expression = expression.replace(" / ", " OR ").replace("/", " OR ")
    if not any(
        all(part.strip(" ()") in PERMISSIVE for part in choice.split(" AND "))
        for choice in alternatives(expression)
    ):
        raise SystemExit(f"{name}: licence {expression!r} is not one ltstool can build on")
    return expression


def alternatives(expression: str) -> list[str]:
    """Return the choices of a licence expression: `(A OR B) AND C` gives `A AND C`, `B AND C`."""
    choices = [""]
    for factor in expression.split(" AND "):
        options = [option.strip(" ()") for option in factor.split(" OR ")]
        choices = [f"{c} AND {o}" if c else o for c in choices for o in options]
    return choices


def table(heading: str, rows: list[tuple[str, str, str]]) -> str:
    """Return a Markdown table."""
    lines = [f"| {heading} | Version | Licence |", "|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


if __name__ == "__main__":
    sys.exit(main())
