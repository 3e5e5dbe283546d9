"""Case studies: the contents of a folder of them, and the measurements shown in their tables."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lts import _engine, mucrl
from lts.equivalence import equivalent, minimise
from lts.errors import FormatError
from lts.symmetry import (
    Symmetry,
    count,
    count_orbits,
    encode,
    expand,
    isomorphic,
    minimise_quotient,
)
from lts.symmetry.data.certify import certified_quotient
from lts.symmetry.reduction.rho_encoding import rho_cycles
from lts.system import LTS
from lts.text.inclusion import Folders
from ltstool.shared.reading import read_symmetry

Size = tuple[int, int]
"""Numbers of states and transitions."""

MOST_ORBITS = 5_000
"""Most orbits of the rows that are counted for the tables."""


@dataclass(frozen=True)
class Case:
    """A parametrised specification, its symmetry, the actions to hide, and published figures by N.

    `group` is the name of the group of `symmetry`; `groups` has other symmetries by title.
    """

    title: str
    group: str
    specification: Path
    symmetry: Path
    hide: list[str]
    published: dict[int, dict[str, Any]]
    groups: dict[str, Path] = field(default_factory=dict)


@dataclass
class Minimised:
    """Minimal sizes of the original and of its encoding, and the size of the latter's expansion."""

    original: Size
    encoding: Size
    expansion: Size | None
    percent: float | None
    equivalent: bool | None


@dataclass
class Complete:
    """The reduction of the minimal original, as found by complete minimisation.

    `exact` says whether its expansion is isomorphic to the minimised original.
    """

    orbits: int
    expansion: Size
    percent: float | None
    exact: bool


@dataclass
class OtherGroup:
    """Complete minimisation under a group other than that of the tables."""

    title: str
    order: int
    orbits: int
    complete: dict[str, Complete]


@dataclass
class Measured:
    """All computed figures of the tables for one case and one N."""

    title: str
    n: int
    original: Size
    orbits: int
    group: str
    order: int
    encoding: Size
    rho: dict[str, int]
    expands: bool
    counted: bool
    minimal: dict[str, Minimised] = field(default_factory=dict)
    complete: dict[str, Complete] = field(default_factory=dict)
    groups: list[OtherGroup] = field(default_factory=list)
    published: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether all expansions are as they must be."""
        found = [self.complete, *(group.complete for group in self.groups)]
        exact = all(row.exact for complete in found for row in complete.values())
        return self.expands and self.counted and exact


@dataclass(frozen=True)
class CountedCase:
    """A parametrised specification and its symmetry, and known numbers of states and orbits for
    some parameters.

    `name` is that of its file. The rows have `parameters`, `quotient` (orbits), perhaps `full`
    (states), and perhaps `printed`: the texts of such figures in a source.
    """

    name: str
    title: str
    specification: Path
    symmetry: Path
    rows: list[dict[str, Any]]


@dataclass
class Counted:
    """Numbers of states and orbits of a case study, as counted and as known and printed."""

    title: str
    parameters: dict[str, int]
    order: int
    states: int
    orbits: int
    known: dict[str, int]
    printed: dict[str, str]

    @property
    def holds(self) -> bool:
        """Whether the numbers are the known ones."""
        own = {"full": self.states, "quotient": self.orbits}
        return all(own[name] == number for name, number in self.known.items())


def read_cases(folder: str) -> tuple[list[Case], list[CountedCase]]:
    """Read the case studies of a folder: `.toml` files with a table `sizes` or `counted`."""
    if not Path(folder).is_dir():
        raise FormatError("not a folder of case studies", file=folder)
    found: list[Case] = []
    counted: list[CountedCase] = []
    for file in sorted(Path(folder).glob("*.toml")):
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
            if "sizes" in table:
                found.append(_case(table, file.parent))
            if "counted" in table:
                counted.append(_counted_case(table, file))
        except KeyError as error:
            raise FormatError(f"not a case study: {error} is missing", file=str(file)) from None
        except UnicodeDecodeError:
            raise FormatError("not a case study: it is not valid UTF-8", file=str(file)) from None
        except (ValueError, TypeError, RecursionError) as error:  # tomllib raises all of these
            raise FormatError(f"not a case study: {error}", file=str(file)) from None
    if not found and not counted:
        raise FormatError(
            "this folder contains no case study (a .toml file with `sizes` or `counted`)",
            file=folder,
        )
    return found, counted


def _file(table: dict[str, Any], key: str, folder: Path) -> Path:
    name: str = _field(table, key, str)
    if "\0" in name or not (folder / name).is_file():
        raise ValueError(f"the file `{name}` does not exist")
    if not Folders.of(str(folder)).have(str(folder / name)):
        raise ValueError(f"the file `{name}` is outside the folder of the case studies")
    return folder / name


def _counted_case(table: dict[str, Any], file: Path) -> CountedCase:
    """Return the case study of a table. Raises as `_case` does."""
    rows = _field(table, "counted", list)
    for row in rows:
        numbers = [*_field(row, "parameters", dict).values(), row["quotient"], row.get("full", 0)]
        if not all(isinstance(number, int) for number in numbers):
            raise TypeError("`parameters`, `full` and `quotient` must be whole numbers")
        if not all(isinstance(text, str) for text in row.get("printed", {}).values()):
            raise TypeError("`printed` must be a table of texts")
    return CountedCase(
        name=file.stem,
        title=_field(table, "title", str),
        specification=_file(table, "specification", file.parent),
        symmetry=_file(table, "symmetry", file.parent),
        rows=rows,
    )


def _case(table: dict[str, Any], folder: Path) -> Case:
    """Return the case study of a table. Raises `KeyError`, `TypeError` and `ValueError` for a
    malformed table."""
    hide = _field(table, "hide", list)
    if not all(isinstance(name, str) for name in hide):
        raise TypeError("`hide` must be a list of strings")
    groups = _field(table, "groups", list) if "groups" in table else []
    return Case(
        title=_field(table, "title", str),
        group=_field(table, "group", str),
        specification=_file(table, "specification", folder),
        symmetry=_file(table, "symmetry", folder),
        hide=hide,
        published={_field(row, "N", int): _figures(row) for row in _field(table, "sizes", list)},
        groups={_field(one, "title", str): _file(one, "symmetry", folder) for one in groups},
    )


def _field(table: Any, key: str, kind: type) -> Any:
    if not isinstance(table, dict) or not isinstance(table[key], kind):
        raise TypeError(f"`{key}` must be of type {kind.__name__}")
    return table[key]


def _figures(row: dict[str, Any]) -> dict[str, Any]:
    """Return the figures published for one N. Raises `TypeError` for malformed figures."""
    names: tuple[str, ...] = ("original", "reduction")
    pairs = {key: row[key] for key in names if key in row}
    for name in ("strong", "weak"):
        found = row.get(name, {})
        if not isinstance(found, dict):
            raise TypeError(f"`{name}` must be a table")
        names = ("original", "reduction", "expansion")
        pairs |= {f"{name}.{key}": found[key] for key in names if key in found}
        if not _is_number(found.get("percent", 0)):
            raise TypeError(f"`{name}.percent` must be a number")
    for name, pair in pairs.items():
        if not (isinstance(pair, list) and len(pair) == 2 and all(map(_is_number, pair))):
            raise TypeError(f"`{name}` must be a list of two numbers: states and transitions")
    return row


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def measure(case: Case, n: int) -> Measured:
    """Compute all figures of a case for one N, through the public API."""
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
        group=case.group,
        order=certified.order,
        encoding=(reduction.encoding.state_count, reduction.stored),
        rho=rho_cycles(reduction.encoding, reduction.symmetry),
        expands=isomorphic(expansion, original),
        counted=count(reduction.encoding, reduction.symmetry) == size(original),
        published=case.published.get(n, {}),
    )
    others = []
    for title, file in case.groups.items():
        other = read_symmetry(str(file), specification.parameters)
        found = certified_quotient(process, other.generators)
        measured.groups.append(OtherGroup(title, found.order, found.quotient.orbits, {}))
        others.append((measured.groups[-1].complete, found.quotient, other))
    # A minimised encoding expands to another size than the file states.
    unstated = replace(reduction.symmetry, states=None, transitions=None)
    for equivalence in ("strong", "weak"):
        hidden = case.hide if equivalence == "weak" else []
        least = minimise(original.hide(hidden), equivalence)
        quotients = [(measured.complete, certified.quotient, symmetry), *others]
        for complete, quotient, group in quotients:
            complete[equivalence] = minimise_completely(
                quotient, group, equivalence, hidden, original, least
            )
        encoding = minimise(reduction.encoding.hide(hidden), equivalence)
        row = Minimised(size(least), size(encoding), None, None, None)
        try:
            expansion = expand(encoding, unstated)
        except FormatError:
            pass  # minimisation may leave something that is not a rho-encoding
        else:
            row.expansion = count(encoding, unstated)
            row.equivalent = equivalent(expansion, least, equivalence)
            row.percent = percent(original, row.expansion, least)
        measured.minimal[equivalence] = row
    return measured


def minimise_completely(
    quotient: _engine.Quotient,
    symmetry: Symmetry,
    equivalence: str,
    hidden: list[str],
    original: LTS,
    least: LTS,
) -> Complete:
    """Minimise the original of a quotient on the quotient, and compare the result with the
    minimum."""
    found = minimise_quotient(quotient, equivalence, hide=hidden)
    reduction = encode(found, symmetry.generators, kind="sorts")
    sizes = count(reduction.encoding, reduction.symmetry)
    exact = isomorphic(expand(reduction.encoding, reduction.symmetry), least)
    return Complete(found.orbits, sizes, percent(original, sizes, least), exact)


def percent(original: LTS, expansion: Size, least: LTS) -> float | None:
    """Return which percentage of the states that minimising the original removes are absent from
    the expansion."""
    gone = original.state_count - least.state_count
    return 100 * (original.state_count - expansion[0]) / gone if gone else None


def size(system: LTS) -> Size:
    """Return the numbers of states and transitions."""
    return system.state_count, system.transition_count


def count_states(case: CountedCase, row: dict[str, Any]) -> Counted:
    """Count the states and orbits of a case study."""
    specification = mucrl.read(case.specification, parameters=row["parameters"])
    symmetry = read_symmetry(str(case.symmetry), specification.parameters)
    found = count_orbits(mucrl.linearise(specification), symmetry.generators)
    return Counted(
        title=case.title,
        parameters=row["parameters"],
        order=found.order,
        states=found.states,
        orbits=found.orbits,
        known={name: row[name] for name in ("full", "quotient") if name in row},
        printed=row.get("printed", {}),
    )


def measure_all(cases: list[Case]) -> Iterator[Measured]:
    """Measure every case for every N with published figures, by N."""
    for n in sorted({n for case in cases for n in case.published}):
        for case in cases:
            if n in case.published:
                yield measure(case, n)


def count_all(cases: list[CountedCase]) -> Iterator[Counted]:
    """Count the states of every case for all its parameters that give few orbits."""
    for case in cases:
        for row in case.rows:
            if row["quotient"] <= MOST_ORBITS:
                yield count_states(case, row)
