"""Refinement: whether a linear process refines an LTS, decided on one state of each orbit.

The group acts on pairs of a state of the process and a node of the LTS's normal form, and each pair
is replaced by a representative of its orbit. It is enough that the behaviour that the LTS allows
from its initial state is symmetric; its individual states need not be.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any

import lts._engine as _engine
from lts.base.bounds import REFINEMENT_SETS
from lts.base.label_names import encoded, label_text, normal, read_actions, several, without_hidden
from lts.equivalence.evidence import describe_run, run_as_json
from lts.equivalence.names import preorder_named
from lts.errors import LimitReached, NotProven, NotSymmetric, Unsupported
from lts.linear.parallel.multi_actions import Named, joined
from lts.linear.process import LinearProcess
from lts.specification.values import Values
from lts.state_space.generation import preimages_of, refuse_limit
from lts.state_space.settings import DEFAULT, TAU_ALONE, Internal, Settings
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.closed_terms import as_printed
from lts.symmetry.data.exploration import Exploration, Task
from lts.symmetry.data.proof.deciding import on_orbits
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.known import NEEDED, NOTHING, SEEN, SYSTEM, refuted
from lts.symmetry.permutation.notation import Permutation, as_permutations
from lts.system.lts import LTS
from lts.trace import IMAGES, Preimage, TraceStep, format_trace, labels_shown, preimages_shown

__all__ = ["RELATIONS", "Counterexample", "Refinement", "refines_on_orbits"]

RELATIONS = ("trace", "weak-trace", "strong-failures", "failures", "failures-divergences")
"""The preorders that are decided on orbits."""

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Behaviour of the process that the LTS does not allow.

    `steps` is a run of the process; `trace` has the labels of it that are compared. After the run
    the process is in a state, a stable one unless internal steps count, that refuses `refused`, if
    that is not None, or diverges, if `diverges`; otherwise the trace itself is not a trace of the
    LTS.
    """

    steps: tuple[TraceStep, ...]
    trace: tuple[str, ...]
    refused: tuple[str, ...] | None = None
    diverges: bool = False
    preimages: tuple[Preimage, ...] | None = None
    """For each step, the step of a representative that it is the image of; None without a group.
    The representatives are those of pairs of a state of the process and a node of the LTS's normal
    form."""

    def describe(self, owner: str) -> str:
        """Describe the counterexample in words; `owner` is the name of the process."""
        described = describe_run(owner, self.trace, self.refused, self.diverges)
        labels = [step.label for step in self.steps]
        shown = preimages_shown(labels, self.preimages, _SHOWN) if self.preimages else ""
        return f"{described}\n{IMAGES}\n{shown}" if shown else described

    def as_json(self) -> dict[str, object]:
        """Return the counterexample as a JSON object."""
        shown = run_as_json("right", self.trace, self.refused, self.diverges)
        if self.preimages is None:
            return shown
        steps = [step.label for step in self.steps]
        return shown | {
            "steps": steps,
            "preimages": [preimage.as_json() for preimage in self.preimages],
        }

    def file_text(self) -> str:
        """Return the steps as a trace file, which `ltstool simulate` replays."""
        return format_trace(self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refinement(Exploration):
    """The verdict on a refinement, and the size of the exploration.

    If it holds, the symmetry has been proven for all states that matter. States do not matter after
    a trace on which the LTS may diverge, since it allows everything from there; if there are any,
    `spared` is True, and `explored` is False if the initial state is one. If it does not hold, the
    exploration ended at the `counterexample`, and the part before it is symmetric. `orbits` counts
    the orbits of pairs of a state and one of `nodes` nodes, `pairs` the pairs in them, `states` and
    `state_orbits` their states. `representatives` are the pairs whose state is the representative
    of its orbit: there are several in an orbit of pairs if symmetries fix the state but not the
    node.
    """

    holds: bool
    counterexample: Counterexample | None
    orbits: int
    pairs: int
    representatives: int
    states: int
    state_orbits: int
    nodes: int
    explored: bool
    spared: bool

    def __bool__(self) -> bool:
        return self.holds


def refines_on_orbits(
    specification: LTS,
    process: LinearProcess,
    preorder: str,
    permutations: Permutation | Sequence[Permutation] = (),
    settings: Settings = DEFAULT,
    *,
    internal: Internal = TAU_ALONE,
) -> Refinement:
    """Decide whether a process refines an LTS, exploring one pair of each orbit.

    `preorder` is one of `RELATIONS`. The actions that `internal` hides are hidden in both; the
    internal labels that it names are those of the process, those of the LTS are its own. The
    permutations, if any, must be symmetries of the process, which is proven, and preserve what the
    LTS allows from its initial state, which is decided; otherwise raises `NotSymmetric` with a
    witness, or `NotProven`. A counterexample has a shortest trace and is a run of the process
    itself.

    The limits bound the orbits; raises `LimitReached`. `proof` is as for `certified_quotient`.
    Raises `LtsError` for a `node_limit`, since approximate images are not possible here.
    """
    name = preorder_named(preorder).name
    if name not in RELATIONS:
        raise Unsupported(f"{name} is not decided on orbits; known: {', '.join(RELATIONS)}")
    settings.refuse("node_limit", "positions", what="a refinement")
    hidden, silent = several(internal.hidden), several(internal.labels)
    limits = settings.limits
    if hidden:
        specification = specification.hide_any(hidden)
    most = REFINEMENT_SETS.default if limits.states is None else limits.states
    normal = _engine.normal_form(specification._engine, name, most)
    if normal is None:
        message = f"the normal form of the specification has {REFINEMENT_SETS.exceeded(most)}"
        raise LimitReached(message, limit=most, found={"nodes": most})
    permutations = as_permutations(permutations)
    permutations = as_printed(process.specification, permutations)

    def under(group_action: GroupAction, settings: Settings = settings) -> Refinement:
        task = Task(group_action, settings)
        with task.errors():
            found = _engine.refine(
                group_action.engine,
                task.symmetry,
                task.settings,
                normal,
                _spellings(group_action, normal),
                (encoded(silent), encoded(hidden)),
            )
        if task.is_about_others:
            return under(group_action, replace(settings, proof="tested"))
        if found.broken is not None:
            raise _refused(group_action, *found.broken)
        task.refuse_defect(found.defect)
        if found.incomplete not in (None, "found"):
            sizes = {"orbits of pairs": found.orbits}
            refuse_limit(task.process, found.incomplete, found.limit_summand, sizes, limits)
        states, state_orbits, representatives = found.states
        reach = SEEN if found.incomplete else NEEDED if found.spared else SYSTEM
        if not found.explored:
            reach = NOTHING
        return Refinement(
            holds=found.counterexample is None,
            counterexample=_counterexample(
                name, specification.internal, hidden, found.counterexample, group_action
            ),
            orbits=found.orbits,
            pairs=found.pairs,
            representatives=representatives,
            states=states,
            state_orbits=state_orbits,
            nodes=normal.nodes,
            explored=found.explored,
            spared=found.spared,
            **task.facts(found, reach),
        )

    return on_orbits(process, permutations, under, limits=limits, any_generators=True)


def _spellings(group_action: GroupAction, normal: _engine.NormalForm) -> list[_engine.Spelling]:
    """Return every label of the specification as a label of the process, if it can be one, with its
    text under each permutation.

    For labels that are not labels of the process the text decides: the process never performs them,
    so any permutation that preserves what the specification allows will do.
    """
    labels = [label_text(label) for label in normal.labels]
    numbers = {label: number for number, label in enumerate(labels)}
    images: list[list[int | None]] = [[] for _ in labels]
    for lifted in group_action.lifted:
        moved = lift_labels(replace(lifted.permutation, maps=()), labels)
        for number, label in enumerate(labels):
            images[number].append(numbers.get(moved[label]))
    values = Values(group_action.process.specification)
    return [
        (_key(group_action, values, label), own) for label, own in zip(labels, images, strict=True)
    ]


def _key(
    group_action: GroupAction, values: Values, label: str
) -> tuple[bytes, list[Sequence[int]]] | None:
    actions = [_action(values, *parts) for parts in read_actions(normal(label))]
    name, terms = joined(action for action in actions if action is not None)
    if None in actions or name is None:
        return None
    return name.encode("utf-8", "surrogateescape"), [group_action.encoder.term(t) for t in terms]


def _action(values: Values, name: str, texts: Sequence[str]) -> Named | None:
    """Return the action with arguments of these texts; None if it is not exactly one action."""
    takes = {
        action.sorts
        for action in values.specification.actions
        if action.name == name and len(action.sorts) == len(texts)
    }
    # A text may denote values of several sorts: a number is an identity in one and not in another.
    # A wrong reading is found out when the engine compares the images of the process's labels.
    readings = [[values.value(*pair) for pair in zip(texts, sorts, strict=True)] for sorts in takes]
    found = [terms for terms in readings if None not in terms]
    if len(found) != 1:
        return None
    return name, tuple(term for term in found[0] if term is not None)


def _counterexample(
    preorder: str,
    internal_labels: Container[str],
    hidden: Sequence[str],
    found: tuple[list[_engine.ShownStep], list[bytes] | None, bool] | None,
    group_action: GroupAction,
) -> Counterexample | None:
    if found is None:
        return None
    steps, refused, diverges = found
    rest = without_hidden(hidden)
    trace = [
        (None if internal else rest(label_text(label))) or "tau" for label, _, internal, _ in steps
    ]
    if not preorder_named(preorder).counts_internal:
        trace = [
            label for label, (_, _, internal, _) in zip(trace, steps, strict=True) if not internal
        ]
    return Counterexample(
        steps=tuple(TraceStep(label_text(label), choice) for label, choice, _, _ in steps),
        trace=tuple(trace),
        refused=None
        if refused is None
        else tuple(
            "tau" if label in internal_labels else label for label in map(label_text, refused)
        ),
        diverges=diverges,
        preimages=preimages_of((step[3] for step in steps), group_action.written)
        if group_action.lifted
        else None,
    )


def _refused(
    group_action: GroupAction, which: int, kind: str, why: Any
) -> NotSymmetric | NotProven:
    """Return the error for a generator that the engine found not to be a symmetry, or not
    proven."""
    permutation = group_action.lifted[which].permutation
    if kind == "specification":
        trace, image = ([*map(label_text, why[each])] for each in ("trace", "image"))
        witness = _asymmetry(trace, image, why["what"], why["label"])
        of = "what the specification allows"
    elif kind == "labels":
        one, other = map(label_text, why)
        witness = f"`{one}` is mapped to `{other}`, and only one of them is internal or specified"
        of = "what is hidden or specified"
    else:
        return group_action.not_proven(which, why)
    return refuted(permutation, witness=witness, which=which, of=of)


def _asymmetry(trace: list[str], image: list[str], what: str, label: bytes | None) -> str:
    """Describe in words how a trace and its image differ."""
    own, other = (labels_shown(labels, _SHOWN) for labels in (trace, image))
    match what:
        case "missing" | "additional":
            assert label is not None
            first, second = (own, other) if what == "missing" else (other, own)
            return (
                f"`{label_text(label)}` is allowed after the trace\n  {first}\n"
                f"but its counterpart is not after\n  {second}"
            )
        case "divergence":
            return f"only one of these traces can be followed by a divergence\n  {own}\n  {other}"
    return f"the refusals differ after these traces\n  {own}\n  {other}"
