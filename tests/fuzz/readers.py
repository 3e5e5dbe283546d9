"""What is fuzzed: every reader, and what must hold of whatever it accepts."""

from __future__ import annotations

import io
import re
import tempfile
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import aut_format
from lts import LtsError
from lts import mcrl2 as lts_mcrl2
from lts.logic.formula import parse as parse_formula
from lts.mucrl import linearise, read_text
from lts.symmetry import parse_permutation, parse_symmetry_file
from lts.symmetry.labels.dialects import parse_label
from lts.symmetry.permutation.notation import parse_structure
from lts.trace import format_trace, parse_trace
from ltstool.cases import read_cases

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

Reader = Callable[[bytes], None]


@dataclass(frozen=True)
class Target:
    """A reader with the texts to start from, and words that mean something to it.

    `read` returns for a text that is accepted, and raises `LtsError` for another; whatever else it
    raises is a defect.
    """

    read: Reader
    seeds: Callable[[], list[bytes]]
    words: tuple[bytes, ...]


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def aut(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = aut_format.read(io.BytesIO(data))
    if max(system.state_count, system.transition_count) > 1_000:
        return
    written = io.BytesIO()
    aut_format.write(system, written)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = aut_format.read(io.BytesIO(written.getvalue()))
    # What is written reads back as what it was: labels byte for byte, and what is internal.
    assert list(again.transitions()) == list(system.transitions())
    assert (again.initial, again.state_count) == (system.initial, system.state_count)
    used = {label for _, label, _ in system.transitions()}
    assert {*again.internal} & used == {*system.internal} & used


def salvaged(data: bytes) -> None:
    if len(data) > 4_000:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        aut_format.read(io.BytesIO(data), salvage=True)


def specification(data: bytes) -> None:
    # Loops of 100,000 rounds take as long as they say.
    found = read_text(text_of(re.sub(rb"[0-9]{5,}", lambda digits: digits[0][:4], data)))
    if len(data) < 3_000 and len(found.definitions) < 30:
        linearise(found)


def mcrl2(data: bytes) -> None:
    lts_mcrl2.read_text(text_of(data))


def permutation(data: bytes) -> None:
    found = parse_permutation(text_of(data))
    again = parse_permutation(str(found))
    assert str(again) == str(found)
    assert again.images == found.images


def symmetry(data: bytes) -> None:
    found = parse_symmetry_file(text_of(data), parameters={"N": 3})
    again = parse_symmetry_file(str(found))
    assert str(again) == str(found)


def formula(data: bytes) -> None:
    parse_formula(text_of(data))


def trace(data: bytes) -> None:
    steps = parse_trace(text_of(data))
    if all(step.choice is not None for step in steps):
        assert parse_trace(format_trace(steps)) == steps


def label(data: bytes) -> None:
    """Labels may be anything, and taking them apart loses nothing."""
    text = text_of(data)
    parse_label(text)
    structure = parse_structure(text)
    if structure is not None:
        again = parse_structure(str(structure))
        assert str(again) == str(structure)


@cache
def cases() -> tempfile.TemporaryDirectory[str]:
    """A folder with what the cases refer to."""
    folder = tempfile.TemporaryDirectory()
    for file in [*ROOT.glob("cases/*.mcrl"), *ROOT.glob("cases/*.sym")]:
        (Path(folder.name) / file.name).symlink_to(file)
    return folder


def case(data: bytes) -> None:
    folder = cases().name
    (Path(folder) / "case.toml").write_bytes(data)
    read_cases(folder)


def stored(name: str) -> list[bytes]:
    """The stored corpus of a reader: what went wrong once, and what is odd in some way."""
    return [file.read_bytes() for file in sorted((HERE / "corpus" / name).glob("*"))]


def files(pattern: str) -> list[bytes]:
    return [file.read_bytes() for file in sorted(ROOT.glob(pattern))]


def lines(name: str) -> Callable[[], list[bytes]]:
    return lambda: [line for text in stored(name) for line in text.split(b"\n") if line]


def permutations_of_cases() -> list[bytes]:
    found = []
    for text in files("cases/*.sym"):
        generators = tomllib.loads(text.decode()).get("generators", [])
        found += [generator.replace("@{N}", "3").encode() for generator in generators]
    return found + lines("permutation")()


WORDS_OF_AUT = (
    *(b"des", b"(", b")", b",", b'"', b"\n", b"\r\n", b" ", b"\t", b"0", b"1", b"4294967295"),
    *(b"4294967296", b"18446744073709551616", b"-1", b"?", b"tau", b"i", b"\xff", b"\xef\xbb\xbf"),
    *(b'(0,"a",1)\n', b"(0,i,0)\n", b"rho(1)", b"rho-encoding(sha256:", b"\x00", b'""', b"%"),
)
WORDS_OF_SPECIFICATIONS = (
    *(b"sort ", b"func ", b"map ", b"var ", b"rew ", b"act ", b"comm ", b"proc ", b"init ", b"->"),
    *(b"sum(", b"delta", b"tau", b"encap({", b"hide({", b"rename({", b"||", b"|", b"||_", b"<|"),
    *(b"|>", b".", b"+", b"@", b"<<", b"%@ include Nat\n", b"%@ include Enum of d1..d3 as D\n"),
    *(b"%@ parameter N = 3\n", b"%@ for i in 1..3\n", b"%@ end\n", b"@{", b"}", b"#", b"=", b","),
    *(b"(", b")", b"T", b"F", b"Bool", b"next", b"S(", b"0", b"%@ include Set of D as X\n"),
)
WORDS_OF_MCRL2 = (
    *(b"sort ", b"cons ", b"map ", b"var ", b"eqn ", b"act ", b"proc ", b"init ", b"glob ", b";"),
    *(b"->", b"<>", b"sum x: Nat.", b"delta", b"tau", b"allow({", b"comm({", b"hide({", b"}"),
    *(b"||", b"|", b"||_", b"<|", b"|>", b"++", b".", b"+", b"-", b"@", b"<<", b"#", b"=", b"=="),
    *(b"(", b")", b"[", b"]", b"{", b",", b":", b"?", b"!", b"&&", b"=>", b"Nat", b"List(", b"Pos"),
    *(b"struct ", b"0", b"1", b"true", b"if(", b" whr ", b" end ", b" in ", b" mod ", b"forall x:"),
)
WORDS = (
    *(b"(", b")", b",", b" ", b'"', b"'", b"..", b"in ", b"with ", b"*", b"_", b"!", b"|", b"["),
    *(
        b"]",
        b"{",
        b"}",
        b"1",
        b"p1",
        b"a(1)",
        b"\xff",
        b"\x00",
        b"\n",
        b"=",
        b"@{N}",
        b"%trace 1\n",
    ),
)
WORDS_OF_FORMULAS = (
    *(b"<", b">", b"[", b"]", b"(", b")", b"mu X.", b"nu X.", b"X", b"true", b"false", b"&&"),
    *(b"||", b"not ", b"!", b"=>", b".", b"*", b"+", b"tau", b'"a(1)"', b"a", b"deadlock", b" "),
)

TARGETS: dict[str, Target] = {
    "aut": Target(aut, lambda: stored("aut"), WORDS_OF_AUT),
    "salvage": Target(salvaged, lambda: stored("aut"), WORDS_OF_AUT),
    "specification": Target(
        specification,
        # Small ones, as each is read anew.
        lambda: [
            text
            for text in (
                *stored("specification"),
                *files("cases/*.mcrl"),
                *files("tests/mucrl/wrong/*.mcrl"),
                *files("benchmarks/specs/*.mcrl"),
            )
            if len(text) < 1_200
        ],
        WORDS_OF_SPECIFICATIONS,
    ),
    "mcrl2": Target(
        mcrl2,
        lambda: [*files("tests/mcrl2/samples/*.mcrl2"), *files("tests/mcrl2/wrong.txt")],
        WORDS_OF_MCRL2,
    ),
    "permutation": Target(permutation, permutations_of_cases, WORDS),
    "symmetry": Target(symmetry, lambda: files("cases/*.sym") + stored("symmetry"), WORDS),
    "formula": Target(formula, lines("formula"), WORDS_OF_FORMULAS),
    "trace": Target(trace, lambda: stored("trace"), WORDS),
    "label": Target(label, lines("label"), WORDS),
    "case": Target(case, lambda: files("cases/*.toml"), WORDS),
}

__all__ = ["TARGETS", "LtsError", "Target"]
