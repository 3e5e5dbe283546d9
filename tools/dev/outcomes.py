"""List conditions without a relevant outcome in any test: `make outcomes ROOMS=linear`.

`mutants.py` tries one change at a time; this finds many survivors in a single run of a package's
tests: if no test makes `b` false in `a and b`, none can detect that `b` is removed. The package is
instrumented in a copy, so that each condition records its outcomes; required outcomes that never
occurred are printed. Each line is a mutant that survives, or that only the types exclude.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import builtins
import json
import operator
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

_ORDERS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_OTHERS: dict[str, Callable[..., Any]] = {
    "any": all, "all": any, "min": max, "max": min, "sorted": list,
}  # fmt: skip
VALUES_SEEN: set[tuple[int, str]] = set()
"""Pairs of a condition's number and an outcome that occurred."""


@dataclass(frozen=True)
class Site:
    """A condition, and the outcome that must occur for a mutant of it to be detected."""

    file: str
    line: int
    text: str
    wanted: str


# The functions called by instrumented code follow.


def noted(number: int, value: Any) -> Any:
    """Record whether a value is true."""
    VALUES_SEEN.add((number, "true" if value else "false"))
    return value


def compared(number: int, name: str, left: Any, right: Any) -> Any:
    """Record if the operands of an order comparison are equal."""
    if left == right:
        VALUES_SEEN.add((number, "equal"))
    return getattr(operator, name)(left, right)


def called(number: int, name: str, *arguments: Any, **named: Any) -> Any:
    """Record if `any` and `all`, or `min` and `max`, differ here, or if sorting changes the
    order."""
    first, *others = arguments
    if not others:
        # Consume no more than `any` or `all` would: evaluating further elements may fail.
        first = list(_until(first, name) if name in ("any", "all") else first)
    found = getattr(builtins, name)(first, *others, **named)
    # With an explicit key or direction, the original order proves nothing.
    is_own = name == "sorted" and bool(named)
    if not is_own and _OTHERS[name](first, *others, **named) != found:
        VALUES_SEEN.add((number, "different"))
    return found


def _until(values: Iterable[Any], name: str) -> Iterator[Any]:
    for value in values:
        yield value
        if bool(value) == (name == "any"):
            return


def rounds(number: int, values: Iterable[Any]) -> Iterator[Any]:
    """Record that a loop has a round."""
    for value in values:
        VALUES_SEEN.add((number, "true"))
        yield value


@atexit.register
def _write() -> None:
    if folder := os.environ.get("OUTCOMES"):
        told = Path(folder) / f"{os.getpid()}-{id(VALUES_SEEN)}.json"
        told.write_text(json.dumps(list(VALUES_SEEN)), encoding="utf-8")


class Noting(ast.NodeTransformer):
    """Instruments the conditions of a file, except in the wording of errors."""

    def __init__(self, file: str, sites: list[Site]) -> None:
        self.file = file
        self.sites = sites

    def site(self, node: ast.expr, wanted: str) -> ast.Constant:
        """Return the number of a new condition with this required outcome."""
        self.sites.append(Site(self.file, node.lineno, ast.unparse(node), wanted))
        return ast.Constant(len(self.sites) - 1)

    def noted(self, node: ast.expr, *wanted: str) -> ast.expr:
        """Return a condition that records its outcomes, with these as the required ones."""
        numbers = [self.site(node, condition) for condition in wanted]
        found: ast.expr = self.visit(node)
        for number in numbers:
            found = _call("noted", number, found)
        return found

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Return a node with its conditions instrumented."""
        match node:
            case ast.Assert() | ast.Raise() | ast.JoinedStr():
                return node
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return node
            case ast.AnnAssign():
                node.value = node.value and self.visit(node.value)
                return node
            case ast.If() | ast.IfExp():
                test = self.noted(node.test, "true", "false")
                node.test = ast.Constant(True)
                super().generic_visit(node)
                node.test = test
                return node
            case ast.BoolOp():
                wanted = "false" if isinstance(node.op, ast.And) else "true"
                node.values = [self.noted(value, wanted) for value in node.values]
                return node
            case ast.comprehension():
                super().generic_visit(node)
                node.ifs = [self.noted(condition, "false") for condition in node.ifs]
                return node
            case ast.For():
                number = self.site(node.iter, "true")
                super().generic_visit(node)
                node.iter = _call("rounds", number, node.iter)
                return node
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _ORDERS:
                if any(
                    isinstance(operand, ast.Name) and operand.id.isupper()
                    for operand in (left, right)
                ):
                    return super().generic_visit(node)  # limits may be off by one
                number = self.site(node, "equal")
                name = ast.Constant(_ORDERS[type(op)])
                return _call("compared", number, name, self.visit(left), self.visit(right))
            case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in _OTHERS:
                number = self.site(node, "different")
                super().generic_visit(node)
                arguments = [number, ast.Constant(name), *node.args]
                return ast.Call(_attribute("called"), arguments, node.keywords)
        return super().generic_visit(node)


def _attribute(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("outcomes", ast.Load()), name, ast.Load())


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_attribute(name), list(arguments), [])


def noting(file: str, source: str, sites: list[Site]) -> str:
    """Return the instrumented text of a file, and append its conditions to `sites`."""
    tree = Noting(file, sites).visit(ast.parse(source))
    # After the docstring and `__future__` imports.
    first = next(
        number
        for number, node in enumerate([*tree.body, None])
        if not isinstance(node, ast.Expr)
        and not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    )
    tree.body.insert(first, ast.Import([ast.alias("outcomes")]))
    return ast.unparse(ast.fix_missing_locations(tree))


def missing(room: str, folder: Path) -> list[Site]:
    """Return the conditions of a package whose required outcome never occurs in its tests."""
    from mutants import ROOMS
    from trial import copied

    copy, told = folder / "copy", folder / "told"
    told.mkdir()
    environment = {**copied(copy), "OUTCOMES": str(told)}
    sites: list[Site] = []
    for path in sorted((copy / room).rglob("*.py")):
        name = str(path.relative_to(copy))
        path.write_text(noting(name, path.read_text(encoding="utf-8"), sites), encoding="utf-8")
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=few"]
    command = [sys.executable, "-m", "pytest", *options, *ROOMS[room]]
    code = subprocess.run(command, cwd=copy, env=environment, stdout=sys.stderr).returncode
    if code > 1:
        raise SystemExit(f"{room}: the tests cannot be run with notes around conditions")
    if code:
        print(f"{room}: some tests fail with notes around conditions", file=sys.stderr)
    seen = {tuple(outcome) for file in told.iterdir() for outcome in json.loads(file.read_text())}
    return [site for number, site in enumerate(sites) if (number, site.wanted) not in seen]


def main() -> int:
    """Print the missing outcomes of each package; return 1 if there are any."""
    import mutants

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="+", type=mutants.called, metavar="ROOM")
    found = 0
    for room in dict.fromkeys(chain.from_iterable(parser.parse_args().rooms)):
        if room.startswith("engine"):
            print(f"{room}: only rooms of Python note their conditions", file=sys.stderr)
            return 2
        with tempfile.TemporaryDirectory(prefix="ltstool-outcomes-") as folder:
            for site in missing(room, Path(folder)):
                found += 1
                print(f"{site.file}:{site.line}: never {site.wanted}: {site.text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
