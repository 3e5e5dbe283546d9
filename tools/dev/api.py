"""Write docs/api.md: every public name of the library, with its signature and its first sentence.

Run by `make api`; a test fails if the page is not current.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api.md"
ROOMS = (
    *("lts", "lts.formats", "lts.equivalence", "lts.logic", "lts.symmetry", "lts.network"),
    *(
        "lts.petri",
        "lts.mucrl",
        "lts.mcrl2",
        "lts.simulation",
        "lts.trace",
        "lts.certificates",
        "lts.web",
        "lts.editor",
        "lts.formats.parts",
        "lts.cluster",
        "aut_format",
    ),
)
HEAD = """\
# The library

Every public name, with the first sentence of what `help(name)` says of it in Python. This page is
written by `make api` from the names that each package exports. [The tutorial](python.md) shows how
they are used, [the architecture](architecture.md) what belongs where.
"""


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD]
    for room in ROOMS:
        module = importlib.import_module(room)
        parts.append(f"## `{room}`\n\n{first(module)}\n")
        rows = [row(module, name) for name in module.__all__]
        parts.append("\n".join(["| name | what it is |", "|---|---|", *filter(None, rows)]) + "\n")
        if room == "lts":
            parts.append(of_class(module.LTS))
    return "\n".join(parts)


def of_class(kind: type) -> str:
    """Return the members of a class as a section."""
    rows = [row(kind, name) for name in sorted(vars(kind)) if not name.startswith("_")]
    special = (
        "Besides, `len(system)` is the number of transitions, iteration gives them as "
        "`(source, label, target)`; systems are compared with `==`, have a hash, and can be copied "
        "and pickled."
    )
    table = "\n".join(["| member | what it is |", "|---|---|", *filter(None, rows)])
    return f"### `lts.LTS`\n\n{first(kind)}\n\n{table}\n\n{special}\n"


def row(owner: object, name: str) -> str | None:
    """Return the row of a name, or None for a subpackage, which has a section of its own."""
    found = inspect.getattr_static(owner, name, None)
    found = getattr(owner, name) if found is None or inspect.ismodule(owner) else found
    if inspect.ismodule(found):
        return None
    if isinstance(found, classmethod | staticmethod):
        found = found.__func__
    shown = name
    if inspect.isfunction(found):
        shown += signature(found)
    if isinstance(found, str | dict | int | tuple):
        what = of_constant(owner, name, found) if name != "__version__" else "the version"
    else:
        what = first(found)
    return f"| `{shown}` | {what} |".replace("\\", "\\\\")


def of_constant(owner: object, name: str, value: object) -> str:
    """Return the first sentence of a constant's docstring in the module that defines it."""
    for module in list(sys.modules.values()):
        package = getattr(owner, "__name__", "?").partition(".")[0]
        inside = module.__name__.startswith(package)
        if not inside or vars(module).get(name) is not value:
            continue
        body = ast.parse(inspect.getsource(module)).body
        for node, below in itertools.pairwise(body):
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            if any(getattr(target, "id", None) == name for target in targets):
                text = getattr(getattr(below, "value", None), "value", None)
                if isinstance(text, str):
                    return sentence(text)
    raise SystemExit(f"{owner}: nothing says what {name} is")


def signature(function: object) -> str:
    """Return the parameters of a function without their types."""
    found = inspect.signature(function)  # type: ignore[arg-type]
    arguments = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in found.parameters.values()
        if each.name not in ("self", "cls")
    ]
    text = str(inspect.Signature(arguments))
    return re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", text).replace("|", "\\|")


def first(owner: object) -> str:
    """Return the first sentence of a docstring."""
    return sentence(inspect.getdoc(owner) or "")


def sentence(text: str) -> str:
    """Return the first sentence of a text."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[.]) (?=[A-Z`])", paragraph)[0].replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
