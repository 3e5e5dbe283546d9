"""Code common to the commands about symmetry: quotients from several sources, and their output."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from aut_format.output import together
from lts.base.label_names import label_text
from lts.errors import LtsError
from ltstool.options.request import is_parts
from ltstool.shared import originals
from ltstool.shared.files import open_output, read_lts, refuse_same, symmetry_file, write_lts
from ltstool.shared.reading import hide, read_symmetry, remark_internal, source, with_tau
from ltstool.shared.shown import group_shown
from ltstool.symmetric import explored
from ltstool.symmetric.explored import Found

if TYPE_CHECKING:
    from lts.cluster import Parts
    from lts.source import Described
    from lts.symmetry import Permutation, Reduction, Symmetry
    from lts.system.lts import LTS
    from ltstool.options.request import Request


def quotient(
    request: Request,
    parts: Parts | None = None,
    *,
    encodings: bool = False,
    keeping: Callable[..., object] | None = None,
) -> Found:
    """Return the requested quotient; with `encodings`, a reduction stands for the quotient it
    encodes.

    With `parts` a specification is explored in partitions. For networks and nets, `keeping` is
    preserved as by `explored.quotient`. Of an LTS, the quotient is under the
    largest subgroup that maps each label, internal or not, to one for which `keeping` is the same;
    if that is not the whole group, the original of a reduction is used.
    """
    file, text = request.reading.file, request.symmetry
    if (of := source(request, file)) is not None:
        return explored.quotient(request, of, parts, keeping)
    system = read_lts(request, file)
    symmetry = read_symmetry(text)
    if encodings and (found := _encoded(request, system, symmetry)) is not None:
        if keeping is None:
            return found
        own = found.quotient
        labels, internal = ([*map(label_text, which)] for which in (own.labels, own.internal))
        if _preserving(found.generators, labels, internal, keeping) == tuple(found.generators):
            return found
    system = with_tau(request, file, originals.original(request, file, system))
    # The system only needs to be symmetric after hiding.
    system = hide(request, system)
    refuse_misspelt(system, symmetry.generators)
    if keeping is not None:
        generators = symmetry.generators
        remaining = _preserving(generators, system.labels, system.internal, keeping)
        if remaining != tuple(generators):
            by = (
                group_shown(remaining)
                if any(permutation.cycles for permutation in remaining)
                else "the identity alone"
            )
            request.note(
                f"the formula is not symmetric: a subgroup that preserves it is used, of {by}"
            )
            symmetry = replace(symmetry, generators=remaining)
    return quotient_of(request, system, symmetry)


def _preserving(
    generators: Sequence[Permutation],
    labels: Iterable[str],
    internal: Container[str],
    keeping: Callable[..., object],
) -> tuple[Permutation, ...]:
    """Return generators of the largest subgroup that preserves `keeping`."""
    from lts.symmetry.labels.preserving import preserving

    return preserving(generators, [*labels], lambda label: keeping(label, label in internal))


def _encoded(request: Request, system: LTS, symmetry: Symmetry) -> Found | None:
    """Return the quotient that a system encodes under a symmetry file; None if it is not an
    encoding."""
    from lts.symmetry.reduction.rho_encoding import decoded, is_reduction
    from lts.symmetry.reduction.storage import opened_reduction

    if symmetry.rho is None or request.reading.as_such:
        return None
    if not originals.is_marked(system) and not is_reduction(system, symmetry):
        return None
    encoding, symmetry = opened_reduction(system, symmetry)
    encoding = with_tau(request, request.reading.file, encoding)
    return Found(decoded(encoding, symmetry), symmetry.generators, symmetry.kind)


def quotient_of(request: Request, system: LTS, symmetry: Symmetry) -> Found:
    """Return the quotient of an LTS."""
    from lts.symmetry import check

    with request.phase("proving the symmetry"):
        found = check(system, symmetry.generators, node_limit=request.node_limit)
    return Found(found.quotient, symmetry.generators, "labels", system=system)


def refuse_misspelt(system: LTS, generators: Sequence[Permutation]) -> None:
    """Refuse permutations that move no label, which are probably misspelt."""
    from lts.symmetry.labels.automorphism import reachable_labels
    from lts.symmetry.labels.lift import refuse_idle

    labels = reachable_labels(system)
    for permutation in generators:
        refuse_idle(permutation, labels, system.internal)


def symmetry_output(request: Request) -> str:
    """Return the name of the symmetry file to write: by option, or beside the output."""
    out, own = request.output, request.group.write_symmetry
    if own is not None:
        refuse_same({"the symmetry file": own, "the reduction": out})
        return own
    if out in (None, "-"):
        raise LtsError(
            "the reduction goes to standard output: name its symmetry file with "
            "`--write-symmetry FILE`"
        )
    return symmetry_file(out)


def encode(request: Request, found: Found, order: str = "greedy") -> Reduction:
    """Return the encoding of a quotient."""
    from lts.symmetry import encode

    with request.phase("choosing states"):
        return encode(found.quotient, found.generators, kind=found.kind, order=order)


def write(
    request: Request,
    reduction: Reduction,
    symmetry_out: str,
    group: Mapping[str, object],
    *,
    plain: bool = False,
) -> int:
    """Write an encoding and its symmetry file, both or neither. `group` is that of `Found`. If it
    is `plain`, the encoding has no mark."""
    from lts.symmetry import count as reduction_size
    from lts.symmetry.reduction.storage import identified, marked, written

    with together(), open_output(request, symmetry_out) as out:
        if plain:
            symmetry = identified(reduction.encoding, reduction.symmetry)
            write_lts(request, reduction.encoding, request.output)
        elif is_parts(request.output):
            encoding, symmetry = marked(reduction.encoding, reduction.symmetry)
            write_lts(request, encoding, request.output)
        else:
            chunks, finished = written(reduction.encoding, reduction.symmetry)
            with (
                request.phase(f"writing {request.output}"),
                open_output(request, request.output, packed=True) as file,
            ):
                file.writelines(chunks)
            symmetry = finished()
        out.write(str(symmetry).encode("utf-8", "surrogateescape"))
    remark_internal(request, reduction.encoding)
    if request.json:
        states, transitions = reduction_size(reduction.encoding, reduction.symmetry)
        orbits = reduction.encoding.state_count
        sizes = {"written": orbits, "states": states, "transitions": transitions}
        request.written(**group, **sizes)
    return 0


def permutations_of_labels(
    request: Request, system: LTS, of: Described | None
) -> tuple[Permutation, ...]:
    """Return the permutations that `--symmetry` names, as permutations of the labels of a system.

    For a specification or a network they are proven there, and then converted to permutations of
    whole labels: a text that is a number in one argument of a label may be a datum that moves in
    another.
    """
    from lts.symmetry import Permutation

    if of is None:
        symmetry = read_symmetry(request.symmetry)
        refuse_misspelt(system, symmetry.generators)
        return symmetry.generators
    actions = encode(request, explored.quotient(request, of)).symmetry.actions
    return tuple(
        Permutation(tuple(c for c in action.cycles if c[0].quoted)) for action in actions or ()
    )
