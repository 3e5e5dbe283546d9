"""Case studies: the contents of a folder of them, and the measurements shown in their tables."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple

from lts import _engine, mucrl
from lts.equivalence import equivalent, minimise
from lts.errors import FormatError
from lts.linear.process import LinearProcess
from lts.state_space.settings import Internal
from lts.symmetry import (
    Reduction,
    Refinement,
    Symmetry,
    count,
    count_orbits,
    encode,
    expand,
    isomorphic,
    minimise_quotient,
    refines_on_orbits,
)
from lts.symmetry.data.certify import certified_quotient
from lts.symmetry.reduction.rho_encoding import rho_cycles
from lts.system.lts import LTS
from lts.text.inclusion import Folders
from ltstool.shared.reading import read_symmetry


class Size(NamedTuple):
    """Numbers of states and transitions."""

    states: int
    transitions: int

    def __str__(self) -> str:
        return f"{self.states}/{self.transitions}"


MOST_ORBITS = 5_000
"""Most orbits of the rows that are counted for the tables, if the user chooses no other number."""


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
    """The size of a minimised encoding without its rho-steps, their number, and what follows.

    `expansion` has the size of its expansion by Lemma 6.8 of the report, and `equivalent` says
    whether that is equivalent to the original; both are None if minimisation left something that is
    no encoding.
    """

    encoding: Size
    rho_steps: int
    expansion: Size | None
    percent: float | None
    equivalent: bool | None

    @property
    def reduction(self) -> str:
        """The size as a text, with the number of rho-steps after a plus sign."""
        return f"{self.encoding}+{self.rho_steps}" if self.rho_steps else str(self.encoding)


@dataclass
class Encoded:
    """An encoding without its rho-steps, its rho-cycles, and its minimised forms.

    `expands` says whether its expansion is isomorphic to the original, `counted` whether the size
    of that was right before it was built.
    """

    encoding: Size
    rho: dict[str, int]
    expands: bool
    counted: bool
    minimal: dict[str, Minimised]

    @property
    def cycles(self) -> str:
        """The rho-cycles as a text."""
        return cycles(self.rho)


@dataclass
class Cell:
    """A figure of the report's tables: as computed, as printed, and why these differ if so."""

    name: str
    computed: str
    printed: str
    agrees: bool
    reason: str | None

    @property
    def holds(self) -> bool:
        """Whether the figures agree, or it is known why they do not."""
        return self.agrees == (self.reason is None)


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
    """All computed figures of the tables for one case and one N.

    `minimal` has the sizes of the minimised original, and `encodings` the reductions by the order
    in which transitions are chosen (see `ORDERS`); the report's is `bfs`.
    """

    title: str
    n: int
    original: Size
    orbits: int
    group: str
    order: int
    minimal: dict[str, Size]
    encodings: dict[str, Encoded]
    complete: dict[str, Complete] = field(default_factory=dict)
    groups: list[OtherGroup] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether all expansions are as they must be, and all figures as printed or explained."""
        found = [self.complete, *(group.complete for group in self.groups)]
        exact = all(row.exact for complete in found for row in complete.values())
        expands = all(row.expands and row.counted for row in self.encodings.values())
        return expands and exact and all(cell.holds for cell in self.cells)


@dataclass(frozen=True)
class CountedCase:
    """A parametrised specification and its symmetry, and known figures for some parameters.

    `name` is that of its file. The rows have `parameters`, `quotient`, `symmetry` (the case's, if
    they have none of their own), perhaps others of `FIGURES`, and perhaps `printed`: the texts of
    such figures in a source, and of its percentage of orbits. Rows with `pairs` have `calls`: the
    parameters of the case's `calls`.
    """

    name: str
    title: str
    specification: Path
    symmetry: Path
    rows: list[dict[str, Any]]
    calls: Calls | None


@dataclass(frozen=True)
class Calls:
    """A specification that the traces of a case must refine, after hiding the actions in `hide`."""

    specification: Path
    hide: list[str]


PAIRS = ("pairs", "pair_orbits", "representatives")

FIGURES = (
    *("order", "full", "transitions", "quotient", "quotient_transitions"),
    *PAIRS,
)
"""The figures of a counted row: the order of the group, states, transitions, orbits of states, and
triples of the representative of an orbit, a label, and the representative of a target; pairs of a
state and a node of the normal form of `calls`, their orbits, and those pairs whose state is the
representative of its orbit."""


@dataclass
class Counted:
    """Some `FIGURES` of a case study, as counted and as known and printed."""

    title: str
    parameters: dict[str, int]
    figures: dict[str, int]
    known: dict[str, int]
    printed: dict[str, str]
    refines: bool = True

    @property
    def percent(self) -> float:
        """How many orbits there are for a hundred states."""
        return 100 * self.figures["quotient"] / self.figures["full"]

    @property
    def holds(self) -> bool:
        """Whether the numbers are the known ones, and the case does what its `calls` allow."""
        return self.refines and all(
            self.figures[name] == number for name, number in self.known.items()
        )


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
        figures = [row["quotient"], *(row[name] for name in FIGURES if name in row)]
        numbers = [*_field(row, "parameters", dict).values(), *figures]
        if not all(isinstance(number, int) for number in numbers):
            names = ", ".join(f"`{name}`" for name in FIGURES)
            raise TypeError(f"`parameters`, {names} must be whole numbers")
        if not all(isinstance(text, str) for text in row.get("printed", {}).values()):
            raise TypeError("`printed` must be a table of texts")
    symmetry = _file(table, "symmetry", file.parent)

    def own(row: dict[str, Any]) -> Path:
        return _file(row, "symmetry", file.parent) if "symmetry" in row else symmetry

    calls = _calls(table, rows, file.parent)
    return CountedCase(
        name=file.stem,
        title=_field(table, "title", str),
        specification=_file(table, "specification", file.parent),
        symmetry=symmetry,
        rows=[row | {"symmetry": own(row)} for row in rows],
        calls=calls,
    )


def _calls(table: dict[str, Any], rows: list[dict[str, Any]], folder: Path) -> Calls | None:
    """Return the specification of a case's traces, None if the table has none. Raises as `_case`
    does."""
    for row in rows:
        if any(name in row for name in PAIRS):
            numbers = [*_field(row, "calls", dict).values()]
            if "calls" not in table or not all(isinstance(number, int) for number in numbers):
                raise TypeError("rows with pairs need `calls`, with whole numbers as parameters")
    if "calls" not in table:
        return None
    own = _field(table, "calls", dict)
    return Calls(_file(own, "specification", folder), _texts(own, "hide"))


def _texts(table: dict[str, Any], key: str) -> list[str]:
    texts: list[str] = _field(table, key, list)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"`{key}` must be a list of strings")
    return texts


def _case(table: dict[str, Any], folder: Path) -> Case:
    """Return the case study of a table. Raises `KeyError`, `TypeError` and `ValueError` for a
    malformed table."""
    hide = _texts(table, "hide")
    groups = _field(table, "groups", list) if "groups" in table else []
    return Case(
        title=_field(table, "title", str),
        group=_field(table, "group", str),
        specification=_file(table, "specification", folder),
        symmetry=_file(table, "symmetry", folder),
        hide=hide,
        published={_field(row, "N", int): _figures(row) for row in _field(table, "sizes", list)},
        groups={_field(group, "title", str): _file(group, "symmetry", folder) for group in groups},
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
    if not all(isinstance(text, str) for text in row.get("differs", {}).values()):
        raise TypeError("`differs` must be a table of texts")
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
    hidden = {"strong": [], "weak": case.hide}
    least = {name: minimise(original.hide(names), name) for name, names in hidden.items()}
    measured = Measured(
        title=case.title,
        n=n,
        original=size(original),
        orbits=certified.quotient.orbits,
        group=case.group,
        order=certified.order,
        minimal={name: size(system) for name, system in least.items()},
        encodings={
            order: encoded(
                encode(certified.quotient, symmetry.generators, kind="sorts", order=order),
                original,
                hidden,
                least,
            )
            for order in ("bfs", "greedy")
        },
    )
    others = []
    for title, file in case.groups.items():
        other = read_symmetry(str(file), specification.parameters)
        found = certified_quotient(process, other.generators)
        measured.groups.append(OtherGroup(title, found.order, found.quotient.orbits, {}))
        others.append((measured.groups[-1].complete, found.quotient, other))
    quotients = [(measured.complete, certified.quotient, symmetry), *others]
    for name, names in hidden.items():
        for complete, quotient, group in quotients:
            complete[name] = minimise_completely(
                quotient, group, name, names, original, least[name]
            )
    measured.cells = compare_cells(measured, case.published[n])
    return measured


def encoded(
    reduction: Reduction, original: LTS, hidden: dict[str, list[str]], least: dict[str, LTS]
) -> Encoded:
    """Return the figures of an encoding: `hidden` has the actions to hide and `least` the
    minimised original for each equivalence."""
    encoding, symmetry = reduction.encoding, reduction.symmetry
    minimal = {}
    # A minimised encoding expands to another size than the file states.
    unstated = replace(symmetry, states=None, transitions=None)
    for equivalence, names in hidden.items():
        smaller = minimise(encoding.hide(names), equivalence)
        # An image of a rho-step is a rho-step: they are neither hidden nor merged with others.
        is_rho = [label.startswith(f"{symmetry.rho}(") for label in smaller.labels]
        steps = sum(is_rho[label] for label in smaller.label.tolist())
        row = Minimised(
            Size(smaller.state_count, smaller.transition_count - steps), steps, None, None, None
        )
        try:
            expansion = expand(smaller, unstated)
        except FormatError:
            pass  # minimisation may leave something that is not a rho-encoding
        else:
            row.expansion = Size(*count(smaller, unstated))
            row.equivalent = equivalent(expansion, least[equivalence], equivalence)
            row.percent = percent(original, row.expansion, least[equivalence])
        minimal[equivalence] = row
    return Encoded(
        encoding=Size(encoding.state_count, reduction.stored),
        rho=rho_cycles(encoding, symmetry),
        expands=isomorphic(expand(encoding, symmetry), original),
        counted=count(encoding, symmetry) == size(original),
        minimal=minimal,
    )


def compare_cells(measured: Measured, published: dict[str, Any]) -> list[Cell]:
    """Compare the computed figures with those that the report prints.

    A printed number of transitions of a reduction may count the rho-steps or not, and a percentage
    may be rounded either way. `differs` in the `.toml` file has the reason for each other
    difference.
    """
    reasons = published.get("differs", {})
    ours = measured.encodings["bfs"]
    found = []

    def cell(name: str, computed: str, printed: str, *also: str) -> None:
        agrees = printed in (computed, *also)
        found.append(Cell(name, computed, printed, agrees, reasons.get(name)))

    def sizes(name: str, own: Size | None, row: dict[str, Any], rho_steps: int = 0) -> None:
        if (key := name.rpartition(".")[2]) in row:
            both = () if own is None else (str(Size(own.states, own.transitions + rho_steps)),)
            text = f"{own or '-'}+{rho_steps}" if rho_steps else str(own or "-")
            cell(name, text, str(Size(*row[key])), str(own), *both)

    sizes("original", measured.original, published)
    sizes("reduction", ours.encoding, published)
    if "rho" in published:
        cell("rho", ours.cycles, cycles(parse_cycles(published["rho"])))
    for equivalence, row in ours.minimal.items():
        printed = published.get(equivalence, {})
        sizes(f"{equivalence}.original", measured.minimal[equivalence], printed)
        sizes(f"{equivalence}.reduction", row.encoding, printed, row.rho_steps)
        sizes(f"{equivalence}.expansion", row.expansion, printed)
        if "percent" in printed:
            exact = row.percent
            texts = (
                ["-"] if exact is None else [f"{exact:.0f}", str(floor(exact)), str(ceil(exact))]
            )
            cell(f"{equivalence}.percent", texts[0], str(printed["percent"]), *texts)
    unknown = reasons.keys() - {case.name for case in found}
    if unknown:
        raise FormatError(f"`differs` names no printed figure: {', '.join(sorted(unknown))}")
    return found


def cycles(rho: dict[str, int]) -> str:
    """Return the number of rho-cycles of each kind, in a fixed order."""
    found = sorted(rho.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number} {kind}" for kind, number in found) or "none"


def parse_cycles(text: str) -> dict[str, int]:
    """Parse `2 [1,1], 3 [2,2]`."""
    return {kind: int(number) for number, kind in re.findall(r"(\d+) (\[\d+,\d+\])", text)}


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
    sizes = Size(*count(reduction.encoding, reduction.symmetry))
    exact = isomorphic(expand(reduction.encoding, reduction.symmetry), least)
    return Complete(found.orbits, sizes, percent(original, sizes, least), exact)


def percent(original: LTS, expansion: Size, least: LTS) -> float | None:
    """Return which percentage of the states that minimising the original removes are absent from
    the expansion."""
    gone = original.state_count - least.state_count
    return 100 * (original.state_count - expansion[0]) / gone if gone else None


def size(system: LTS) -> Size:
    """Return the numbers of states and transitions."""
    return Size(system.state_count, system.transition_count)


def count_states(case: CountedCase, row: dict[str, Any]) -> Counted:
    """Compute the figures of a case study: the numbers of states and orbits, and others that are
    known."""
    specification = mucrl.read(case.specification, parameters=row["parameters"])
    symmetry = read_symmetry(str(row["symmetry"]), specification.parameters)
    process = mucrl.linearise(specification)
    if "quotient_transitions" in row:
        certified = certified_quotient(process, symmetry.generators)
        states, transitions = certified.quotient.count()
        figures = {
            "order": certified.order,
            "full": states,
            "transitions": transitions,
            "quotient": certified.quotient.orbits,
            "quotient_transitions": certified.quotient.representative_transitions(),
        }
    else:
        found = count_orbits(process, symmetry.generators)
        figures = {
            "order": found.order,
            "full": found.states,
            "transitions": found.transitions,
            "quotient": found.orbits,
        }
    refines = True
    if case.calls is not None and any(name in row for name in PAIRS):
        pairs = refinement_of_calls(case.calls, row, process, symmetry)
        figures |= {
            "pairs": pairs.pairs,
            "pair_orbits": pairs.orbits,
            "representatives": pairs.representatives,
        }
        refines = pairs.holds
    return Counted(
        title=case.title,
        parameters=row["parameters"],
        refines=refines,
        figures=figures,
        known={name: row[name] for name in FIGURES if name in row},
        printed=row.get("printed", {}),
    )


def refinement_of_calls(
    calls: Calls, row: dict[str, Any], process: LinearProcess, symmetry: Symmetry
) -> Refinement:
    """Decide whether a case does only what its `calls` allow, and count pairs."""
    allowed = mucrl.generate(
        mucrl.linearise(mucrl.read(calls.specification, parameters=row["calls"]))
    )
    internal = Internal(hidden=calls.hide)
    return refines_on_orbits(allowed, process, "weak-trace", symmetry.generators, internal=internal)


def measure_all(cases: list[Case]) -> Iterator[Measured]:
    """Measure every case for every N with published figures, by N."""
    for n in sorted({n for case in cases for n in case.published}):
        for case in cases:
            if n in case.published:
                yield measure(case, n)


def count_all(cases: list[CountedCase], most_orbits: int = MOST_ORBITS) -> Iterator[Counted]:
    """Count the states of every case for all its parameters that give few orbits."""
    for case in cases:
        for row in case.rows:
            if row["quotient"] <= most_orbits:
                yield count_states(case, row)
