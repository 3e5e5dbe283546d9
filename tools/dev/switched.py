"""Rust mutants in one build, of which a variable of the environment chooses the one that runs.

The body of a function becomes a `match` with a copy of it for each mutant. The compiler tells which
copies are wrong; these mutants are left out. That of a function that returns `impl Trait` is wrong
as a whole, since its copies have different types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from changes import Change

__all__ = ["CHOICE", "VARIABLE", "RustChange", "Switched", "body_of", "switched"]

VARIABLE = "MUTANT"
"""The variable of the environment with the number of the mutant; without it none runs."""

CHOICE = f"""
/// The number of the mutant that runs; 0 if none does.
pub(crate) fn mutant() -> u32 {{
    static NUMBER: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let given = || std::env::var("{VARIABLE}").ok().and_then(|number| number.parse().ok());
    *NUMBER.get_or_init(|| given().unwrap_or(0))
}}
""".encode()
"""What the root module of the engine has in addition."""


@dataclass(frozen=True)
class RustChange(Change):
    """A mutation in a function whose body, with its braces, goes from `body[0]` to `body[1]`."""

    body: tuple[int, int]


def body_of(source: bytes, start: int, end: int, name: str) -> tuple[int, int]:
    """Return the body of the function `name` between two indices, which may begin with comments
    and attributes."""
    head = re.compile(rb"\bfn\s+" + name.rpartition("::")[2].encode() + rb"\b").search(
        source, start, end
    )
    begin = source.index(b"{", head.end() if head else start, end)
    return begin, end


@dataclass(frozen=True)
class Switched:
    """A file with several mutants, and the copies of bodies: start, end and number; the number of
    an unchanged copy is 0. `bodies` have the start and end of each `match`, and its mutants."""

    source: bytes
    copies: tuple[tuple[int, int, int], ...]
    bodies: tuple[tuple[int, int, frozenset[int]], ...]

    def wrong(self, at: int) -> frozenset[int]:
        """Return the mutants to leave out for an error of the compiler at an index."""
        for start, end, number in self.copies:
            if start <= at < end and number:
                return frozenset((number,))
        for start, end, numbers in self.bodies:
            if start <= at < end:
                return numbers
        return frozenset()


def switched(source: bytes, changes: Mapping[int, RustChange]) -> Switched:
    """Return a file with all of these changes by number, each in its own copy of a body."""
    outermost = _outermost(change.body for change in changes.values())
    result, at = b"", 0
    copies, bodies = [], []
    for start, end in outermost:
        inside = {n: one for n, one in changes.items() if start <= one.body[0] < end}
        result += source[at:start]
        begin = len(result)
        result += b"{ match crate::mutant() { "
        for number, change in sorted(inside.items()):
            result += f"{number} => ".encode()
            body = source[start : change.start] + change.new + source[change.end : end]
            copies.append((len(result), len(result) + len(body), number))
            result += body + b" "
        result += b"_ => " + source[start:end] + b" } }"
        bodies.append((begin, len(result), frozenset(inside)))
        at = end
    return Switched(result + source[at:], tuple(copies), tuple(bodies))


def _outermost(bodies: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the bodies that are in no other one, in the order of the file."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(set(bodies), key=lambda body: (body[0], -body[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found
