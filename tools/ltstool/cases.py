"""Case studies: what a folder of them holds, and the measurements that its tables show."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lts import mucrl
from lts.equivalence import equivalent, minimise
from lts.errors import FormatError
from lts.symmetry import count, encode, expand, isomorphic
from lts.symmetry.reduction import rho_cycles
from lts.symmetry.specification import certified_quotient
from lts.system import LTS
from ltstool.specifications import read_symmetry

Size = tuple[int, int]
"""States and transitions."""


@dataclass(frozen=True)
class Case:
    """One parametrised specification, its symmetry, what to hide, and published figures by N."""

    title: str
    specification: Path
    symmetry: Path
    hide: list[str]
    published: dict[int, dict[str, Any]]


@dataclass
class Minimised:
    """Minimal sizes of the original and of its encoding, and what the latter expands to."""

    original: Size
    encoding: Size
    expansion: Size | None
    percent: float | None
    equivalent: bool | None


@dataclass
class Measured:
    """Everything that the tables show of one case for one N, computed."""

    title: str
    n: int
    original: Size
    orbits: int
    order: int
    encoding: Size
    rho: dict[str, int]
    expands: bool
    counted: bool
    minimal: dict[str, Minimised] = field(default_factory=dict)
    published: dict[str, Any] = field(default_factory=dict)


def read_cases(folder: str) -> list[Case]:
    """Read the case studies of a folder: the `.toml` files there that have a table `sizes`."""
    if not Path(folder).is_dir():
        raise FormatError("not a folder of case studies", file=folder)
    found = []
    for file in sorted(Path(folder).glob("*.toml")):
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8"))
            if "sizes" not in table:
                continue  # published elsewhere than in the report whose tables these are
            found.append(
                Case(
                    title=table["title"],
                    specification=file.parent / table["specification"],
                    symmetry=file.parent / table["symmetry"],
                    hide=table["hide"],
                    published={row["N"]: row for row in table["sizes"]},
                )
            )
        except (tomllib.TOMLDecodeError, KeyError) as error:
            raise FormatError(f"not a case study: {error}", file=str(file)) from None
    if not found:
        raise FormatError("there is no case study (.toml with sizes) in this folder", file=folder)
    return found


def measure(case: Case, n: int) -> Measured:
    """Compute all figures of a case for one N, with the calls that any user would make."""
    specification = mucrl.read(case.specification, parameters={"N": n})
    symmetry = read_symmetry(str(case.symmetry), specification.parameters)
    process = mucrl.linearise(specification)
    original = mucrl.generate(process)
    certified = certified_quotient(process, symmetry.generators)
    reduction = encode(certified.quotient, symmetry.generators, kind="sorts")
    expansion = expand(reduction.encoding, reduction.symmetry)
    measured = Measured(
        title=case.title,
        n=n,
        original=size(original),
        orbits=reduction.orbits,
        order=certified.order,
        encoding=(reduction.encoding.state_count, reduction.stored),
        rho=rho_cycles(reduction.encoding, reduction.symmetry),
        expands=isomorphic(expansion, original),
        counted=count(reduction.encoding, reduction.symmetry) == size(original),
        published=case.published.get(n, {}),
    )
    for equivalence in ("strong", "weak"):
        hidden = case.hide if equivalence == "weak" else []
        least = minimise(original.hide(hidden), equivalence)
        encoding = minimise(reduction.encoding.hide(hidden), equivalence)
        row = Minimised(size(least), size(encoding), None, None, None)
        try:
            expansion = expand(encoding, reduction.symmetry)
        except FormatError:
            pass  # what minimisation left is no rho-encoding any more
        else:
            row.expansion = count(encoding, reduction.symmetry)
            row.equivalent = equivalent(expansion, least, equivalence)
            gone = original.state_count - least.state_count
            row.percent = 100 * (original.state_count - row.expansion[0]) / gone if gone else None
        measured.minimal[equivalence] = row
    return measured


def size(system: LTS) -> Size:
    """Return states and transitions."""
    return system.state_count, system.transition_count


def as_dict(measured: Measured) -> dict[str, Any]:
    """Return a row for JSON."""
    return asdict(measured)


def rows(folder: str) -> Iterator[Measured]:
    """Measure every case of a folder for every N that it has figures for."""
    cases = read_cases(folder)
    numbers = sorted({n for case in cases for n in case.published})
    for n in numbers:
        for case in cases:
            if n in case.published:
                yield measure(case, n)
