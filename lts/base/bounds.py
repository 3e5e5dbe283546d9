"""The bounds on what an input decides: one row for each, from which docs/limits.md is made.

A bound is listed if exceeding it is reported: by an error, by a limit (`LimitReached`), or by a
note on what was left out. Numbers that only select between two algorithms stay beside these.
"""

from __future__ import annotations

import lts._engine as _engine


class Bound:
    """A row of the table.

    >>> DIGITS.exceeded(), LABELS.exceeded(), STATES.exceeded(10)
    ('more than 4000 digits', 'more than 256 MB', 'more than 10 states')
    """

    def __init__(
        self,
        name: str,
        default: int,
        what: str,
        *,
        room: str,
        why: str,
        option: str = "",
        scale: int = 1,
    ) -> None:
        self.name = name
        """What has the bound."""
        self.default = default
        """The bound unless the caller gives another one; 0 if there is none by default."""
        self.what = what
        """What is counted, in the plural."""
        self.room = room
        """The part of the program, as the heading in docs/limits.md."""
        self.why = why
        """What the bound protects, or from what, in a few words."""
        self.option = option
        """The option of the command line that sets another bound, if there is one."""
        self.scale = scale
        """How many units, such as bytes, `default` has for each of `what`, such as megabytes."""

    def amount(self, limit: float | None = None) -> str:
        """Return the default, or a given limit, with what it counts."""
        return f"{self._number(self.default if limit is None else limit)} {self.what}"

    def exceeded(self, limit: float | None = None, what: str = "") -> str:
        """Return the words of a message that the default, or a given limit, is exceeded.

        `what` is counted if that is not always the same.
        """
        number = self._number(self.default if limit is None else limit)
        return f"more than {number} {what or self.what}"

    def exceeded_by(self, value: str) -> str:
        """Return the words of a message that a value, as it was written, exceeds the default."""
        return f"{value} is more than {self.default}"

    def _number(self, limit: float) -> str:
        if self.scale > 1:
            return f"{limit / self.scale:.0f}"
        return f"{limit:g}" if isinstance(limit, float) else f"{limit}"


_BYTES_OF_MB = 1 << 20

# fmt: off
MEMORY = Bound(
    "memory", 0, "MB of memory", option="--max-memory", scale=1_000_000, room="Every command",
    why="the memory of the machine; what the process itself has allocated is measured",
)
TIME = Bound(
    "time", 0, "seconds", option="--timeout", room="Every command", why="your time",
)
THREADS = Bound(
    "threads", 1024, "threads", room="Every command",
    why="what a machine has: the value of `--threads`",
)
OPTION_VALUE = Bound(
    "numbers on the command line", 2**63 - 1, "as a value", room="Every command",
    why="arithmetic with 64 bits",
)
PIPELINE_STEPS = Bound(
    "pipeline", 5000, "steps", room="Every command",
    why="`run`: a short list of values can multiply steps",
)
INCLUDED_FILE = Bound(
    "included file", 1 << 26, "MB", scale=_BYTES_OF_MB, room="Texts",
    why="memory: a text may name any file in its folder",
)
DIGITS = Bound(
    "number", 4000, "digits", room="Texts",
    why="time: close to Python's own limit on converting numbers",
)
LOOP_ITERATIONS = Bound(
    "loops of directives", 1_000_000, "iterations", room="μCRL",
    why="time and memory: nested loops multiply",
)
EXPANDED_LINES = Bound(
    "expansion of directives", 1_000_000, "lines", room="μCRL",
    why="time and memory of all that follows",
)
DIRECTIVE_VALUE = Bound(
    "numbers in directives", 10**18, "as an absolute value", room="μCRL",
    why="time: powers grow fast",
)
SUCCESSORS = Bound(
    "number without the library's `Nat`", 1000, "successors", room="μCRL",
    why="memory: such a number is a term of that size",
)
SORT_LETTERS = Bound(
    "sort without aliases", 100_000, "characters", room="mCRL2",
    why="memory: aliases of aliases grow exponentially",
)
LETTERS_OF_SORTS = Bound(
    "all sorts without aliases", 20_000_000, "characters", room="mCRL2",
    why="memory, if there are many long sorts",
)
MEANINGS = Bound(
    "shared expressions", 100_000, "meanings", room="mCRL2",
    why="time: an expression that is repeated may have a meaning at each place",
)
ENUMERATED_VALUES = Bound(
    "sort whose values are listed", 1000, "values", room="mCRL2",
    why="memory: needed for bags by comprehension and complements of finite sets",
)
IDENTITY_CLASSES = Bound(
    "identities that become sorts", 12, "classes", room="mCRL2",
    why="the engine can distinguish no more sorts of numbers",
)
BINARY_SORT_NAME = Bound(
    "sort in a binary file", 100_000, "characters", room="mCRL2",
    why="memory: shared parts are written out",
)
BINARY_EXPRESSION = Bound(
    "expression of a binary file that is printed", 1_000_000, "characters", room="mCRL2",
    why="memory: shared parts are written out",
)
BINARY_SUBTERMS = Bound(
    "binary file", 10_000_000, "subterms", room="mCRL2",
    why="memory: a small file may share its parts many times over",
)
BINARY_ARGUMENT = Bound(
    "argument of a label in a binary file", 1 << 24, "characters", room="mCRL2",
    why="memory: shared parts are written out",
)
FIRST_CALLS = Bound(
    "calls before the first action", 20_000, "calls", room="Linearisation",
    why="time: calls may multiply without an action between them",
)
NESTED_COMPOSITIONS = Bound(
    "parallel compositions inside each other", 50, "deep", room="Linearisation",
    why="recursion that starts more and more processes",
)
CONTROL_STATES = Bound(
    "process", 1_000_000, "control states", room="Linearisation", why="memory",
)
MULTI_ACTIONS = Bound(
    "parallel composition", 200_000, "multi-actions", room="Linearisation",
    why="memory: without `allow`, actions of all processes combine",
)
COMPILED_SUBTERMS = Bound(
    "equation", 100_000, "subterms", room="Linearisation",
    why="memory: shared subterms are counted each time that they occur",
)
LARGEST_MATCHED = Bound(
    "number on the left side of an equation", _engine.LARGEST_MATCHED, "successors",
    room="Linearisation", why="memory: it is matched by as many successors",
)
STATES = Bound(
    "state space", 2**32 - 2, "states", option="--max-states", room="State spaces",
    why="memory; by default, the numbers of states, which have 32 bits",
)
SUM_VALUES = Bound(
    "sum in one state", 1_000_000, "values", option="--max-values", room="State spaces",
    why="a sum over infinitely many values",
)
SIMULATED_VALUES = Bound(
    "sum in a state of `simulate`", 10_000, "values", option="--max-values", room="State spaces",
    why="the reader of the steps",
)
SIMULATED_STATES = Bound(
    "search of `simulate`", 1_000_000, "states", option="--max-states", room="State spaces",
    why="time and memory of `run` and `replay`",
)
LABELS = Bound(
    "labels of a process", _engine.MAX_LABELS, "MB", scale=_BYTES_OF_MB, room="State spaces",
    why="memory: data that grow without bound",
)
CALLS = Bound(
    "pending calls in one state", _engine.MAX_CALLS, "pending calls", room="State spaces",
    why="memory: recursion without end",
)
REWRITE_STEPS = Bound(
    "value", _engine.MAX_STEPS, "rewrite steps", room="State spaces",
    why="equations that do not terminate",
)
NORMAL_FORM = Bound(
    "normal form that is shown", 1 << 28, "MB", scale=_BYTES_OF_MB, room="State spaces",
    why="memory: shared subterms are written out",
)
NUMBERED_STATES = Bound(
    "system in an algorithm", 2**31 - 1, "states", room="Files of systems",
    why="numbers of 32 bits, one of which algorithms need",
)
NUMBERED_TRANSITIONS = Bound(
    "transitions of a system in an algorithm", 2**32 - 2, "transitions", room="Files of systems",
    why="numbers of 32 bits",
)
FILE_STATES = Bound(
    "system in a file", 2**32 - 1, "states", room="Files of systems", why="numbers of 32 bits",
)
ISOLATED_STATES = Bound(
    "states without transitions in a file", 1 << 24, "states", room="Files of systems",
    why="memory: a few bytes may claim billions of states",
)
PACKED_LINE = Bound(
    "line of a compressed file", 1 << 26, "bytes", room="Files of systems",
    why="memory: a few compressed bytes may expand to any length",
)
PARQUET_GROUP = Bound(
    "row group of a Parquet file that is compressed to a thousandth", 1 << 28, "bytes",
    room="Files of systems", why="memory: a few compressed bytes may expand to any length",
)
DOT_FILE = Bound(
    "DOT file", 1 << 30, "bytes", room="Files of systems", why="memory: it is read as a whole",
)
SUBGRAPHS = Bound(
    "nesting in a DOT file", 100, "subgraphs in each other", room="Files of systems",
    why="they are read by recursion",
)
EDGES_AT_ONCE = Bound(
    "statement of a DOT file", 1 << 20, "edges at once", room="Files of systems",
    why="memory: an edge between two subgraphs joins all their nodes",
)
SETS_OF_STATES = Bound(
    "minimisation modulo traces", 2_000_000, "sets of states", option="--max-states",
    room="Minimisation and comparison", why="memory: there may be exponentially many",
)
CLASSES_OF_STATES = Bound(
    "simulations", 20_000, "classes of states", option="--max-states",
    room="Minimisation and comparison", why="memory: a bit for each pair of classes",
)
CLASSES_WITH_PATHS = Bound(
    "branching and coupled simulation", 4_000, "classes of states", option="--max-states",
    room="Minimisation and comparison", why="time: internal paths are compared as well",
)
COMPARED_PAIRS = Bound(
    "comparison modulo traces, failures and the like", 5_000_000,
    "pairs of states and (large) sets",
    option="--max-states", room="Minimisation and comparison",
    why="memory: there may be exponentially many sets",
)
WRONG_IMAGES = Bound(
    "comparison modulo isomorphism", 1_000_000, "wrong choices", option="--max-states",
    room="Minimisation and comparison", why="time: some graphs need exponentially many",
)
CHOICES = Bound(
    "search for automorphisms or canonical images", 1_000_000, "choices", option="--node-limit",
    room="Symmetry", why="time: some graphs need exponentially many",
)
RANGE_OF_ELEMENTS = Bound(
    "range in a permutation", 1_000_000, "elements", room="Symmetry",
    why="memory: `p1 .. p9` is written out",
)
LABEL_IMAGES = Bound(
    "images of labels that are no labels", 1_000_000, "images", room="Symmetry",
    why="memory: a misspelt permutation may generate images without end",
)
SEARCH_TRIALS = Bound(
    "trials of `find-symmetry`", 64, "trials of permutations", room="Symmetry",
    why="time: each explores orbits",
)
TRIAL_ORBITS = Bound(
    "trial of one permutation", 20_000, "orbits of states", room="Symmetry", why="time",
)
SORT_ORBITS = Bound(
    "trial of all permutations of sorts", 500_000, "orbits of states", room="Symmetry", why="time",
)
STATE_PERMUTATIONS = Bound(
    "search for symmetries of states", 200, "permutations", room="Symmetry",
    why="time: each needs a search; beyond, a part of the group is found",
)
# The engine's own constant; a test compares its message.
MAP_IMAGES = Bound(
    "images of a value under maps", 1 << 12, "values", room="Symmetry",
    why="a map may have infinitely many images of one value",
)
WRITTEN_ELEMENTS = Bound(
    "group written into a specification", 1_000, "elements", room="Symmetry",
    why="the length of the text: one equation for each",
)
REFINEMENT_SETS = Bound(
    "normal form of the specification in a refinement on orbits", 1_000_000, "sets of states",
    option="--max-states", room="Symmetry", why="memory: there may be exponentially many",
)
POWERS = Bound(
    "order in a symmetry file without points", 1 << 16, "powers", room="Symmetry",
    why="memory: a table for each",
)
EXPANDED_TRANSITIONS = Bound(
    "original that a command builds from a reduction", 20_000_000, "transitions", room="Symmetry",
    why="memory; `expand` builds larger ones",
)
CERTIFICATE_NAMES = Bound(
    "certificate of a reduction", 1_000_000, "names", room="Symmetry",
    why="the size of the file: one for each state and group element",
)
FORMULA_LEVELS = Bound(
    "formula", 20_000, "levels", room="Formulas", why="it is read by recursion",
)
PAIRS = Bound(
    "check", 200_000_000, "pairs of a subformula and a state", room="Formulas", why="memory",
)
INSTANCES = Bound(
    "formula with data", 5_000_000, "instances of subformulas with different data", room="Formulas",
    why="parameters may have unboundedly many values",
)
RANGE_OF_VALUES = Bound(
    "quantifier over data", 100_000, "values", room="Formulas", why="time",
)
VALUE_LETTERS = Bound(
    "value in a formula", 1 << 20, "characters", room="Formulas",
    why="parameters may grow without bound",
)
VALUES_LETTERS = Bound(
    "all values in a formula", 1 << 28, "characters", room="Formulas",
    why="parameters may grow without bound",
)
COMPUTED_DIGITS = Bound(
    "number computed in a formula", 4_000, "digits", room="Formulas",
    why="time: decimal numbers take quadratic time to convert",
)
AUTOMATON_STATES = Bound(
    "automaton of a path formula", 10_000, "states", room="Formulas",
    why="memory: it may be exponentially large",
)
AUTOMATON_STEPS = Bound(
    "construction of the automaton of a path formula", 800_000, "steps", room="Formulas",
    why="time",
)
MOVED_CASES = Bound(
    "function of a formula that is checked under a symmetry", 10_000, "cases", room="Formulas",
    why="time: it must treat all values alike",
)
EVIDENCE = Bound(
    "evidence", 1_000_000, "pairs of a subformula and a state", room="Formulas",
    why="the size of the file; beyond, none is written",
)
LIFTED_PATH = Bound(
    "path of the original, found on orbits", 100_000, "transitions", room="Formulas",
    why="time: orders of permutations multiply; beyond, none is shown",
)
COMPONENTS = Bound(
    "network with its included networks", 10_000, "components", room="Networks",
    why="memory: inclusions multiply",
)
VECTORS = Bound(
    "network", 4_000_000, "synchronisation vectors", room="Networks",
    why="memory: steps of many components combine",
)
NETWORK_LEVELS = Bound(
    "expression", 300, "levels", room="Networks", why="it is read by recursion",
)
COMPONENT_STATES = Bound(
    "component of `split`", 1_000_000, "states", option="--max-states", room="Networks",
    why="a component by itself may be infinite",
)
INTERFACE_ROUNDS = Bound(
    "values exchanged by components of `split`", 1000, "rounds", room="Networks",
    why="the set of values may be infinite",
)
TRACE_STATES = Bound(
    "search for a trace of a reduced part", 1_000_000, "states", room="Networks",
    why="time and memory",
)
NETWORK_FACTS = Bound(
    "search for the symmetries of a network", 20_000,
    "transitions of components and labels in vectors", room="Networks", why="time",
)
NET_BYTES = Bound(
    "file", 1 << 28, "bytes", room="Petri nets",
    why="memory: a few compressed bytes may expand to any length",
)
NET_ELEMENTS = Bound(
    "elements of a file", 1 << 23, "elements", room="Petri nets",
    why="memory: some 300 bytes for each",
)
NET_LEVELS = Bound(
    "nesting in a net", 400, "levels of elements", room="Petri nets",
    why="terms are read by recursion",
)
PROPERTY_LEVELS = Bound(
    "nesting in a property", 1000, "levels of elements", room="Petri nets",
    why="formulas are read by recursion",
)
TOKENS = Bound(
    "marking or arc", 1_000_000_000, "tokens of a colour", room="Petri nets",
    why="arithmetic with 64 bits",
)
COLOURS = Bound(
    "sort", 1 << 20, "colours", room="Petri nets",
    why="memory: a short declaration may have any number",
)
COLOURS_TOGETHER = Bound(
    "all sorts", 1 << 22, "colours", room="Petri nets", why="memory: there may be many sorts",
)
FACTORS = Bound(
    "product with its factors", 1000, "sorts", room="Petri nets",
    why="recursion: products of products grow exponentially",
)
NET_TRANSITIONS = Bound(
    "net", 2_000_000, "transitions without variables", room="Petri nets",
    why="memory: variables multiply",
)
NET_FACTS = Bound(
    "search for the symmetries of a net", 2_000_000, "facts about colours or arcs",
    room="Petri nets", why="time and memory",
)
PATH_FORMULA = Bound(
    "formula of paths with an equivalence", 100_000, "characters", room="Petri nets",
    why="time: the equivalence is written out",
)
DRAWN_STATES = Bound(
    "picture", 200, "states", option="--max-states", room="Pictures and pages",
    why="what a reader can see",
)
PAGE_STATES = Bound(
    "page of `view`", 5_000_000, "states", option="--max-states", room="Pictures and pages",
    why="memory of the browser",
)
PAGE_TRANSITIONS = Bound(
    "transitions on a page, for each state of the limit", 6, "transitions",
    room="Pictures and pages", why="memory of the browser",
)
PAGE_DATA = Bound(
    "page with the data of states", 18 << 20, "MB", scale=_BYTES_OF_MB, room="Pictures and pages",
    why="the size of the page; data beyond it are left out",
)
EXAMINED_TIME = Bound(
    "text in an editor", 10, "seconds", room="Editors", why="answers about this text come in time",
)
EXAMINED_MEMORY = Bound(
    "process that reads texts in an editor", 1 << 30, "MB", scale=_BYTES_OF_MB, room="Editors",
    why="memory of the machine",
)
# fmt: on

BOUNDS = tuple(one for one in [*globals().values()] if isinstance(one, Bound))
"""All bounds, in the order of docs/limits.md."""
