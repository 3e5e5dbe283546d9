"""`ltstool compare`: compare two systems modulo an equivalence or a preorder."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from aut_format.output import together
from lts.base.label_names import label_text
from lts.equivalence.names import COMPARED, ISOMORPHISM, PREORDERS, compared_named
from lts.errors import LtsError
from ltstool.options.request import Request, Takes
from ltstool.options.table import ALL, OF_RELATIONS, SPECIFICATION, STATE_SPACE, SYMMETRY, option
from ltstool.shared import reading
from ltstool.shared.files import is_standard, refuse_same, write_text
from ltstool.shared.reading import hide

if TYPE_CHECKING:
    from lts.equivalence import Comparison
    from lts.system.lts import LTS

HELP = "compare two systems: exit code 0 if they are equivalent (B refines A), else 1 and evidence"
EXAMPLES = (
    "compare left.aut right.aut -e branching",
    "compare protocol.mcrl service.mcrl -e weak",
    "compare specification.aut implementation.aut --preorder weak-trace",
    "compare original.aut renumbered.aut -e isomorphism --evidence map.json",
)


class Comparing(Request):
    """The options of `compare`."""

    equivalence: str | None = option(
        "-e --equivalence RELATION", f"an equivalence, one of {', '.join(COMPARED)}"
    )
    preorder: str | None = option(
        "--preorder PREORDER",
        "whether B refines A, the specification: every behaviour of B is one of A (A simulates "
        f"B); one of {', '.join(PREORDERS)}",
    )
    evidence: str | None = option(
        "--evidence FILE",
        "write the evidence of a difference: a distinguishing formula (for `ltstool check`) or "
        "a trace; for isomorphism the reason, or the map if there is one, as JSON",
        file="written",
    )
    trace: str | None = option(
        "--trace FILE",
        "write a trace for `ltstool simulate --replay` on the system that has the behaviour or "
        "property shown: the distinguishing trace, or a run along the formula",
        file="written",
    )

    @property
    def files(self) -> tuple[str, str]:
        """The names of the two systems."""
        return self.reading.file or "-", self.reading.other or "-"

    @property
    def by_isomorphism(self) -> bool:
        """Whether the systems are compared modulo isomorphism."""
        return self.equivalence is not None and compared_named(self.equivalence) is ISOMORPHISM

    @property
    def evidence_files(self) -> list[str]:
        """The evidence files to write."""
        return [*filter(None, (self.evidence, self.trace))]


TAKES = Takes(
    request=Comparing,
    reads=ALL,
    options=(
        *("file", "other", "equivalence", "preorder", "verbose", "evidence", "trace"),
        *("hide", "tau", "as_such", "format", *STATE_SPACE),
        *("symmetry", "other_symmetry", *SYMMETRY[1:]),
    ),
    changed={
        "file": {"flags": "A", "help": "a system (`-`: an .aut on standard input)"},
        "other": {"flags": "B"},
        "max_states": OF_RELATIONS,
        "as_such": {
            "help": "compare the reductions themselves, with their rho-steps. With --symmetry: "
            "equivalent reductions stand for equivalent systems, but not conversely",
        },
        "symmetry": {
            "help": "symmetry file of A, and of B unless --other-symmetry is given; for "
            "specifications, a value as for `generate`: one state of each orbit is "
            "explored. With --preorder, A must be symmetric from its initial state",
        },
    },
    about={
        "text": (
            "specifications",
            "The state space of a specification is generated; with --preorder, that of B is "
            "explored only as far as needed, except for simulation preorders.",
        ),
        "group": (
            "reductions",
            "Reductions are compared as the systems that they stand for. With --symmetry, A and "
            "B are reductions with their symmetry files, or specifications and networks of "
            "which one state of each orbit is explored; an LTS compared with one of these is "
            "read as it is.",
        ),
    },
    one_of=("equivalence", "preorder"),
    answers=True,
)


def run(request: Comparing) -> int:
    """Compare and report a difference."""
    if request.evidence is not None and request.trace is not None:
        refuse_same({"--evidence": request.evidence, "--trace": request.trace})
    if request.trace is not None and request.by_isomorphism:
        raise LtsError("no trace shows that systems are not isomorphic: leave out --trace")
    preorder, group = request.preorder, request.group
    if preorder is not None and request.kind(request.files[1]) == SPECIFICATION:
        from ltstool.symmetric import refinements

        if refinements.is_meant(preorder, request):
            if request.reading.as_such or group.other_symmetry is not None:
                raise LtsError("--as-such and --other-symmetry apply only to reductions")
            found = refinements.refinement(request, preorder)
            return refinements.report(request, found, request.evidence_files)
    if all(map(is_standard, request.files)):
        raise LtsError("only one of the two systems can come from standard input")
    if group.symmetry is not None:
        if request.equivalence is None or request.trace is not None:
            raise LtsError("--symmetry needs `-e EQUIVALENCE`, and cannot be combined with --trace")
        return compare_originals(request, request.equivalence, group.symmetry)
    return compare_systems(request)


def compare_systems(request: Comparing) -> int:
    """Compare two complete LTSs, and write evidence of a difference."""
    from lts.equivalence import Mismatch, compare, refines, trace_text

    # Every relation but isomorphism has the same answer for a strongly bisimilar system.
    reduction = "original" if request.by_isomorphism else "bisimilar"
    as_written = [reading.read_system(request, file, reduction=reduction) for file in request.files]
    reading.remark_absent(request, [label for system in as_written for label in system.labels])
    left, right = (reading.hidden(request, system) for system in as_written)
    limit = request.exploring.max_states
    with request.phase("comparing"):
        if request.preorder is not None:
            found = refines(left, right, request.preorder, max_states=limit)
        else:
            assert request.equivalence is not None
            found = compare(left, right, request.equivalence, max_states=limit)
    code = show(request, found)
    evidence = found.evidence
    if request.by_isomorphism:
        write_correspondence(request, found)
        return code
    assert not isinstance(evidence, Mismatch)
    if evidence is None:
        for file in request.evidence_files:
            request.note(f"there is no difference, so {file} is not written")
        return code
    # Hidden actions keep their names, so that the trace can be replayed on the file itself.
    system = as_written[0 if evidence.of_left else 1]
    with together():
        if request.evidence is not None:
            write_text(request, request.evidence, evidence.file_text(system))
        if request.trace is not None:
            write_text(request, request.trace, trace_text(evidence, system))
    return code


def show(request: Comparing, found: Comparison) -> int:
    """Print the verdict and the evidence; return the exit code."""
    from lts.equivalence import Mismatch

    left, right = request.files
    if request.preorder is not None:
        key = "refines"
        lines = [f"{right} {'refines' if found.holds else 'does not refine'} {left}"]
    else:
        key, lines = "equivalent", ["equivalent" if found.holds else "not equivalent"]
    evidence = found.evidence
    if isinstance(evidence, Mismatch):
        lines.append(evidence.describe(left, right))
    elif evidence is not None:
        lines.append(evidence.describe(left if evidence.of_left else right))
    facts: dict[str, object] = {key: found.holds}
    facts["evidence"] = None if evidence is None else evidence.as_json()
    if request.by_isomorphism:
        lines[0] = "isomorphic" if found.holds else "not isomorphic"
        if request.json:
            facts["map"] = None if found.images is None else found.images.tolist()
    request.say(facts, "\n".join(lines))
    return 0 if found.holds else 1


def write_correspondence(request: Comparing, found: Comparison) -> None:
    """Write the map of an isomorphism, or the reason why there is none, as JSON."""
    from lts.equivalence import Mismatch

    if request.evidence is None:
        return
    if isinstance(found.evidence, Mismatch):
        content = found.evidence.as_json()
    else:
        assert found.images is not None
        content = {"map": found.images.tolist()}
    write_text(request, request.evidence, json.dumps(content) + "\n")


def compare_originals(request: Comparing, equivalence: str, symmetry: str) -> int:
    """Compare the originals of reductions, or systems explored by orbits, through the minimal
    systems equivalent to them. Write evidence of a difference on request."""
    from lts.equivalence import Property, compare
    from lts.symmetry import compare_encodings

    as_such, hides = request.reading.as_such, bool(request.reading.hide)
    symmetries = symmetry, request.group.other_symmetry or symmetry
    sides = [*zip(request.files, symmetries, strict=True)]
    are_encodings = not any(map(request.is_explored, request.files))
    if not are_encodings:
        if as_such:
            raise LtsError("--as-such applies only to reductions")
        if request.evidence is not None and hides and not request.by_isomorphism:
            raise LtsError(
                "with --symmetry, --evidence writes a formula about visible labels: leave out "
                "--hide"
            )
    elif request.evidence is not None and not request.by_isomorphism:
        raise LtsError("comparing reductions yields no evidence: leave out --evidence and --trace")
    elif not all(map(os.path.isfile, symmetries)):
        raise LtsError(
            "for LTSs, --symmetry and --other-symmetry must be the symmetry files of reductions"
        )
    elif as_such and hides:
        raise LtsError("--hide cannot be used on reductions that are compared as such")
    elif as_such:
        one, other = (reading.read_encoding(request, *side) for side in sides)
        found = compare_encodings(*one, *other, equivalence)
        if request.by_isomorphism:
            write_correspondence(request, found)
        return show(request, found)
    left, right = (
        minimal(request, equivalence, file, own, is_encoding=are_encodings) for file, own in sides
    )
    with request.phase("comparing"):
        found = compare(left, right, equivalence)
    if request.by_isomorphism:
        write_correspondence(request, found)
    elif request.evidence is not None and found.evidence is None:
        request.note(f"there is no difference, so {request.evidence} is not written")
    elif request.evidence is not None and isinstance(found.evidence, Property):
        shown = left if found.evidence.of_left else right
        write_text(request, request.evidence, found.evidence.file_text(shown))
    return show(request, found)


def minimal(
    request: Comparing, equivalence: str, file: str, symmetry: str, *, is_encoding: bool
) -> LTS:
    """Return the minimal system equivalent to the original of a file, or to the system itself; for
    isomorphism the original or the system.

    For a specification or a network, one state of each orbit is explored. If the other file is one
    of these, an LTS counts as a reduction if it is marked as one or has a symmetry file of its own.
    """
    from lts.symmetry.reduction.comparison import minimal_original
    from lts.symmetry.reduction.rho_encoding import decoded
    from lts.system.lts import LTS
    from ltstool.symmetric import explored

    request = request.but(group=request.group.but(symmetry=symmetry))
    other = request.group.other_symmetry
    if (of := reading.source(request, file)) is not None:
        quotient = explored.quotient(request, of).quotient
    elif is_encoding or (other is not None and file == request.files[1]):
        quotient = decoded(*reading.read_encoding(request, file, symmetry))
    else:
        reduction = "original" if request.by_isomorphism else "bisimilar"
        return hide(request, reading.read_system(request, file, reduction=reduction))
    reading.remark_absent(request, map(label_text, quotient.labels))
    if request.by_isomorphism:
        with request.phase("expanding"):
            return reading.hidden(request, LTS(quotient.expand()))
    with request.phase("minimising"):
        return minimal_original(quotient, equivalence, hide=request.reading.hide)
