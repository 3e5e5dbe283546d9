"""The compiled engine (private): what touches every state or transition."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from typing_extensions import Buffer as Buffer

class Column(Buffer):
    """Read-only bytes of a column of 32-bit unsigned integers."""

    def __len__(self) -> int: ...

class Lts:
    """Columns, label table and initial state."""

    def __new__(
        cls,
        initial: int,
        states: int,
        source: Buffer,
        label: Buffer,
        target: Buffer,
        labels: Sequence[bytes],
    ) -> Lts: ...
    @property
    def initial(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def source(self) -> Column: ...
    @property
    def label(self) -> Column: ...
    @property
    def target(self) -> Column: ...
    @property
    def labels(self) -> list[bytes]: ...
    @property
    def internal(self) -> list[int]: ...
    def beginning(self, prefix: bytes) -> list[int]: ...
    def with_internal(self, internal: Sequence[int]) -> Lts: ...

Code = Sequence[int]
"""A term in prefix order: symbol `n >= 0`, variable `v` as `-(v+1)`."""

LARGEST_MATCHED: int
"""The largest number on the left side of a rule: it is matched successor by successor."""

RawSymbol = tuple[bytes, Sequence[int], int, int, str | None]
"""Name, sorts of the arguments, sort, kind (0 constructor, 1 map, 2 placeholder), what is computed
of numerals."""

RawRule = tuple[Sequence[int], Code, Code, Code | None, str]
"""Sorts of the variables, left, right, condition, what errors call it."""

RawNumbers = tuple[str, int, tuple[int, int]]
"""Kind (`Pos`, `Nat`, `Int`), sort, the constructors that numerals stand for."""

RawCollection = tuple[str, int, int]
"""`list`, `set` or `bag`, and the symbols of what is empty and of what puts an element in front."""

RawData = tuple[
    Sequence[bytes],
    Sequence[RawSymbol],
    Sequence[RawRule],
    int,
    int,
    tuple[bool, bool],
    Sequence[RawNumbers],
    Sequence[RawCollection],
    int | None,
]
"""Sorts, symbols, rules, the Boolean constants, whether values are built from constructors only,
and whether others may be equal; the sorts of numbers, the sorts of lists, sets and bags; what makes
fractions."""

RawArrays = tuple[int, int, int, tuple[int, int] | None, bool]
"""A sort of arrays, the maps that read and write it; for partial ones those that tell whether there
is an element, and that remove it; whether it is permuted by definition."""

RawGenerator = tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[tuple[int, int]]]
"""What a generator does to values, parameters and summands; its maps, sort and symbol each."""

RawAlternative = tuple[
    Sequence[int],
    Sequence[Code],
    Sequence[tuple[Code, Code]],
    bytes,
    Sequence[Code],
    Sequence[tuple[int, Code]],
]
"""Sorts of its variables, conditions, equations, action, arguments, updates."""

RawSummand = tuple[
    Sequence[int],
    Sequence[Code],
    Sequence[tuple[Code, Code]],
    bytes,
    Sequence[Code],
    Sequence[tuple[int, Code]],
    Sequence[RawAlternative],
]
"""The same, with others of that action that write the same: it has their steps, too."""

class EvaluationError(Exception):
    """A term cannot be evaluated: (message, number of the summand or None)."""

MAX_LABELS: int
"""Bytes that the labels of one process may take."""

class LabelLimit(Exception):
    """The labels are too long: (bytes that they may take, number of the summand or None)."""

    args: tuple[int, int | None]

MAX_CALLS: int
"""Calls that may wait on one stack."""

class CallLimit(Exception):
    """Too many calls wait on a stack: (calls that may wait, number of the summand)."""

    args: tuple[int, int]

class LimitPassed(Exception):
    """Work took too long, or too much memory: (`time` or `memory`, seconds or bytes)."""

    args: tuple[str, float]

class Data:
    """Sorts, symbols and rules."""

    def __new__(cls, data: RawData) -> Data: ...
    def normal_form(self, code: Code) -> tuple[bytes, bool]: ...
    def differ(self, one: Code, other: Code) -> bool: ...
    def missing_case(self, symbol: int, tries: int) -> bytes | None: ...
    def evaluate(
        self, code: Code, max_steps: int, memoise: bool, most: int
    ) -> Evaluation | None: ...

class Evaluation:
    """What evaluating a term gave."""

    @property
    def text(self) -> bytes: ...
    @property
    def is_value(self) -> bool: ...
    @property
    def steps(self) -> int: ...
    @property
    def found(self) -> int: ...

class Process:
    """A linear process."""

    def __new__(
        cls, data: RawData, initial: Sequence[Code], summands: Sequence[RawSummand]
    ) -> Process: ...
    @staticmethod
    def network(
        components: Sequence[Lts],
        labels: Sequence[bytes],
        groups: Sequence[tuple[Sequence[int], Sequence[int]]],
        names: Sequence[bytes] | None = None,
    ) -> Process: ...
    def bound_calls(self, stacks: Sequence[int]) -> None: ...
    def check_values(self, unset: Sequence[int]) -> None: ...
    def normal_forms(self) -> list[tuple[int, bytes]]: ...
    def generate(
        self,
        max_states: int | None,
        max_values: int,
        *,
        max_memory: int | None = None,
        timeout: float | None = None,
        threads: int = 1,
        columns: bool = True,
        write: Callable[[bytes], object] | None = None,
        hidden: Sequence[bytes] = (),
        progress: Callable[[Statistics], object] | None = None,
        deadlocks: bool = False,
        is_wanted: Callable[[bytes], bool] | None = None,
        enough: int | None = None,
    ) -> Exploration: ...

class Statistics:
    """What a generation has seen: numbers, bytes, seconds."""

    @property
    def states(self) -> int: ...
    @property
    def explored(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def levels(self) -> int: ...
    @property
    def deadlocks(self) -> int: ...
    @property
    def store(self) -> int: ...
    @property
    def tables(self) -> int: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def rewriting(self) -> float: ...
    @property
    def time(self) -> float: ...
    @property
    def memory(self) -> int: ...

_Key = tuple[int, int]

class Partition:
    """A partition of a state space that is being generated."""

    def __new__(
        cls,
        process: Process,
        index: int,
        partitions: int,
        max_values: int,
        cap: int,
        traces: bool,
        deadlocks: int,
        hidden: Sequence[bytes],
    ) -> Partition: ...
    def expand(
        self,
    ) -> tuple[
        list[tuple[int, bytes, bool, _Key]],
        list[int],
        tuple[_Key, str, str, int | None] | None,
        list[bytes],
    ]: ...
    def receive(self, batches: Sequence[bytes], start: int, end: int) -> list[bytes]: ...
    def rank(self, batches: Sequence[bytes]) -> tuple[int, list[bytes]]: ...
    def ranked(self, rank: int) -> _Key | None: ...
    def number(
        self, batches: Sequence[bytes], firsts: Sequence[int], cut: _Key | None
    ) -> list[bytes]: ...
    def settle(
        self, batches: Sequence[bytes], labels: Sequence[tuple[int, int]], cut: _Key | None
    ) -> tuple[int, int, int]: ...
    def save(self) -> bytes: ...
    def load(self, checkpoint: bytes) -> None: ...
    def resume(self, start: int) -> None: ...
    def interrupt(self) -> None: ...
    def take(self) -> tuple[bytes, bytes, bytes]: ...
    def states(self, start: int) -> bytes: ...
    def parent(self, state: int) -> _Key | None: ...
    def step(self, source: int, index: int) -> tuple[bytes, int] | None: ...
    def sizes(self) -> tuple[int, int]: ...
    def normal_forms(self) -> list[tuple[int, bytes]]: ...

class Exploration:
    """What a generation found; see `lts.state_space.generation.Generation`."""

    @property
    def statistics(self) -> Statistics: ...
    @property
    def lts(self) -> Lts | None: ...
    @property
    def incomplete(self) -> str | None: ...
    @property
    def limit_summand(self) -> int | None: ...
    @property
    def labels(self) -> list[bytes]: ...
    @property
    def traces(self) -> list[tuple[bool, list[tuple[bytes, int]]]]: ...

class Walk:
    """The states of a linear process or of an LTS, their steps computed on demand."""

    @staticmethod
    def of_process(process: Process, max_values: int, grown: Sequence[int]) -> Walk: ...
    @staticmethod
    def of_lts(lts: Lts) -> Walk: ...
    @property
    def initial(self) -> int: ...
    def grown(self) -> list[int]: ...
    def met(self, state: Sequence[int]) -> int | None: ...
    def components_of(self, state: int) -> list[int]: ...
    def values(self, state: int) -> list[bytes]: ...
    def steps(self, state: int) -> tuple[list[tuple[bytes, int]], int | None]: ...
    def search(
        self, start: int, max_states: int, wanted: Callable[[bytes], bool]
    ) -> tuple[list[int] | None, int, bool, int | None]: ...

class ScanError(Exception):
    """Not an Aldebaran file: message, line (from 1), offset in bytes (from 0), the line's text."""

    args: tuple[str, int, int, bytes]

class Scanner:
    """Aldebaran text, fed in blocks of any size."""

    def __new__(cls, salvage: bool, size: int | None) -> Scanner: ...
    def feed(self, block: bytes) -> None: ...
    def finish(self) -> Lts: ...

def aut_rows(lts: Lts, start: int, stop: int) -> bytes: ...
def aut_unwritable(lts: Lts) -> tuple[int, int] | None: ...
def largest_state(lts: Lts) -> int: ...
def hide(lts: Lts, names: Sequence[bytes]) -> Lts | None: ...
def unmatched(names: Sequence[bytes], labels: Sequence[bytes]) -> list[int]: ...
def matched(names: Sequence[bytes], labels: Sequence[bytes]) -> list[int]: ...
def reachable(lts: Lts) -> Lts: ...

StateSet = bytes
"""State s is bit s % 8 of byte s // 8."""

def reachable_states(lts: Lts) -> StateSet: ...
def deadlocks(lts: Lts) -> StateSet: ...
def nondeterministic_states(lts: Lts) -> StateSet: ...
def divergence_states(lts: Lts) -> tuple[StateSet, StateSet]: ...
def duplicates(lts: Lts) -> int: ...

Sizes = list[tuple[int, int]]
"""How many states, and how many components have so many; the largest first."""

def components(lts: Lts, internal: bool) -> tuple[Sizes, Sizes, Sizes]: ...
def nearest(lts: Lts, states: StateSet, most: int) -> list[tuple[int, list[int]]]: ...
def label_counts(lts: Lts) -> list[int]: ...

class Instances(Protocol):
    """A formula in positive normal form, whose parts are made as they are asked for.

    Parts are (operator, number, parts): `and`, `or`; `can` and `must` with the number of a set of
    labels, and without parts where what holds after a step depends on its label (`after`); `fixed`
    with a priority, even for a greatest fixed point. A part is a shape and values.
    """

    def part(self, number: int) -> tuple[str, int, list[int]]: ...
    def has(self, number: int, label: bytes) -> bool: ...
    def after(self, number: int, label: bytes) -> list[int]: ...
    def taken_apart(self, number: int) -> tuple[int, list[list[int]]]: ...
    def put_together(self, shape: int, values: list[bytes]) -> int: ...
    def is_internal(self, label: bytes) -> bool: ...

def check(
    lts: Lts, formula: Instances, root: int, most: int, path: bool
) -> tuple[bool, list[int], tuple[list[int], int | None] | None] | None:
    """Check part `root` of a formula. The rows returned are those that are walked to win, and, with
    `path`, those of one play, and from which of them on they repeat."""

def satisfying_states(lts: Lts, formula: Instances, root: int, most: int) -> bytes | None:
    """Return the states in which part `root` of a formula holds, as bits."""

class Checked:
    """What was found of a formula on a process."""

    @property
    def holds(self) -> bool | None: ...
    @property
    def evidence(self) -> tuple[list[tuple[int, int, int]], list[bytes], int] | None: ...
    @property
    def path(self) -> tuple[list[int], int | None] | None: ...
    @property
    def broken(self) -> tuple[int, str, Any] | None: ...
    @property
    def defect(self) -> tuple[int, Witness] | None: ...
    @property
    def incomplete(self) -> str | None: ...
    @property
    def limit_summand(self) -> int | None: ...
    @property
    def order(self) -> int: ...
    @property
    def strategy(self) -> str: ...
    @property
    def orbits(self) -> int: ...
    @property
    def explored(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def labels(self) -> list[bytes]: ...
    @property
    def store(self) -> int: ...
    @property
    def checked(self) -> int: ...
    @property
    def proving(self) -> float: ...
    @property
    def sampled(self) -> int: ...

def check_process(
    process: Process,
    symmetry: Symmetry,
    options: Options,
    progress: Callable[[int, int], object] | None,
    formula: Instances,
    root: int,
    shapes: tuple[int, int] | None,
    most: int,
    pairs: int | None,
) -> Checked:
    """Check part `root` of a formula on a process under a group."""

Situation = list[tuple[int, bytes]]
"""Parameters with their values."""

Witness = tuple[str, int, Situation, Situation, list[bytes], list[bytes]]
"""What failed, parameter or summand, the situation, its image, what is expected there and found."""

Spelling = tuple[tuple[bytes, list[Code]] | None, list[int | None]]
"""A label of a specification: action and arguments, or else its images, numbers of labels."""

class Symmetry:
    """A group that acts on a process, and for every summand whether it is proven already."""

    def __new__(
        cls,
        values: Sequence[Code],
        names: Sequence[str],
        generators: Sequence[RawGenerator],
        arrays: Sequence[RawArrays],
        proven: Sequence[bool],
        first: int | None = None,
    ) -> Symmetry: ...

class Options:
    """How an exploration under a group goes on."""

    def __new__(
        cls,
        max_states: int | None,
        max_values: int,
        max_memory: int | None,
        timeout: float | None,
        strategy: str | None,
        threads: int,
        sample: int,
    ) -> Options: ...

class NormalForm:
    """What a specification allows."""

    @property
    def nodes(self) -> int: ...
    @property
    def labels(self) -> list[bytes]: ...

class Refined:
    """What a refinement check on orbits found."""

    @property
    def counterexample(
        self,
    ) -> tuple[list[tuple[bytes, int, bool]], list[bytes] | None, bool] | None: ...
    @property
    def broken(self) -> tuple[int, str, Any] | None: ...
    @property
    def defect(self) -> tuple[int, Witness] | None: ...
    @property
    def incomplete(self) -> str | None: ...
    @property
    def limit_summand(self) -> int | None: ...
    @property
    def order(self) -> int: ...
    @property
    def strategy(self) -> str: ...
    @property
    def orbits(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def explored(self) -> bool: ...
    @property
    def spared(self) -> bool: ...
    @property
    def store(self) -> int: ...
    @property
    def checked(self) -> int: ...
    @property
    def sampled(self) -> int: ...
    @property
    def proving(self) -> float: ...

def normal_form(lts: Lts, relation: str, most: int) -> NormalForm | None: ...
def refine(
    process: Process,
    symmetry: Symmetry,
    options: Options,
    progress: Callable[[int, int], object] | None,
    normal: NormalForm,
    spellings: Sequence[Spelling],
    hidden: Sequence[bytes],
) -> Refined: ...
def quotient(
    process: Process,
    symmetry: Symmetry,
    options: Options,
    progress: Callable[[int, int], object] | None,
    rows: bool,
    deadlocks: bool,
    is_wanted: Callable[[bytes], bool] | None,
    enough: int | None,
) -> Reduced: ...
def refute(
    process: Process, symmetry: Symmetry, most: int, max_values: int
) -> tuple[int, list[bytes], list[bytes]] | None: ...
def label_images(
    process: Process, symmetry: Symmetry
) -> tuple[list[bytes], list[list[int]]] | None: ...

class Reduced:
    """What an exploration under a symmetry found."""

    @property
    def quotient(self) -> Quotient | None: ...
    @property
    def witness(self) -> tuple[int, Witness] | None: ...
    @property
    def defect(self) -> tuple[int, Witness] | None: ...
    @property
    def incomplete(self) -> str | None: ...
    @property
    def limit_summand(self) -> int | None: ...
    @property
    def traces(self) -> list[tuple[bool, list[tuple[bytes, int]]]]: ...
    @property
    def deadlocks(self) -> int: ...
    @property
    def order(self) -> int: ...
    @property
    def strategy(self) -> str: ...
    @property
    def orbits(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def store(self) -> int: ...
    @property
    def checked(self) -> int: ...
    @property
    def sampled(self) -> int: ...
    @property
    def proving(self) -> float: ...

class Quotient:
    """The annotated quotient of an LTS under a group."""

    @property
    def order(self) -> int: ...
    @property
    def orbits(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def labels(self) -> list[bytes]: ...
    @property
    def internal(self) -> list[bytes]: ...
    @property
    def points(self) -> list[str]: ...
    @property
    def generators(self) -> list[tuple[list[int], list[int]]]: ...
    def powers(self) -> int | None: ...
    def count(self) -> tuple[int, int]: ...
    def encode(self, greedy: bool) -> tuple[Lts, str]: ...
    def hide(self, names: Sequence[bytes]) -> Quotient: ...
    def minimise(self, name: str, limit: int) -> Quotient | None: ...
    def facts(
        self, most: int
    ) -> tuple[
        list[int], list[list[tuple[int, int]]], list[int], list[tuple[int, int, list[int]]]
    ]: ...
    def expand(self) -> Lts: ...
    def __copy__(self) -> Quotient: ...
    def __deepcopy__(self, memo: object) -> Quotient: ...

def minimise(lts: Lts, name: str, keep_unreachable: bool) -> tuple[Lts, Column]: ...
def minimise_taken(system: object, name: str, keep_unreachable: bool) -> tuple[Lts, Column]: ...
def minimise_sharp(
    lts: Lts, strong: Sequence[bytes], keep_unreachable: bool
) -> tuple[Lts, Column]: ...
def minimise_coarse(
    lts: Lts, name: str, keep_unreachable: bool, max_states: int
) -> tuple[Lts, Column | None] | None: ...
def compare(
    left: Lts, right: Lts, name: str, preorder: bool, looks: tuple[int, int], max_states: int
) -> (
    tuple[
        bool,
        bool,
        tuple[bytes, list[int]] | None,
        tuple[list[int], list[bytes] | None, bool] | None,
    ]
    | None
): ...
def tau_cycles(lts: Lts, keep_loops: bool) -> tuple[Lts, Column]: ...
def quotient_of_lts(
    lts: Lts,
    names: Sequence[bytes],
    points: Sequence[str],
    generators: Sequence[tuple[Sequence[int], Sequence[int]]],
    limit: int,
) -> tuple[str, int, Quotient | None, list[Column]]: ...
def symmetries_of_lts(
    lts: Lts,
    label_colours: Sequence[int],
    arguments: Sequence[Sequence[int]],
    data_colours: Sequence[int],
    limit: int,
) -> tuple[list[list[int]], list[int]] | None: ...
def relational_automorphisms(
    colours: Sequence[int], facts: Sequence[tuple[int, Sequence[int]]]
) -> tuple[list[list[int]], int]: ...
def group_order(points: int, generators: Sequence[Sequence[int]]) -> int: ...
def isomorphic(left: Lts, right: Lts, limit: int) -> bool | None: ...
def remade_quotient(*parts: object) -> Quotient: ...
def decode(
    lts: Lts,
    names: Sequence[bytes],
    points: Sequence[str],
    generators: Sequence[tuple[Sequence[int], Sequence[int]]],
    powers: Sequence[int | None] | None,
    elements: Sequence[Sequence[int] | None] | None,
) -> Quotient: ...
def is_program() -> None: ...
def watch(seconds: float | None, memory: int | None) -> None: ...
def note_file(name: bytes) -> None: ...
def forget_file(name: bytes) -> None: ...
def anonymous_memory() -> int | None: ...
