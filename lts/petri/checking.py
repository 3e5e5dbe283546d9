"""Checks formulas on nets on the fly: only markings that the formula needs are explored."""

from __future__ import annotations

from collections.abc import Callable

import lts._engine as _engine
from lts.errors import LtsError
from lts.logic.check import is_deterministic, read, too_many
from lts.logic.data import LabelData
from lts.logic.instances import Instances
from lts.logic.nodes import Formula
from lts.logic.paths.instances import NeedsGame, Walks
from lts.logic.processes import PreparedFormula, ProcessVerdict, answered, forms, visible_in
from lts.petri.grounding import GroundNet
from lts.petri.symmetry import action_of
from lts.petri.unbounded import limit_remark
from lts.state_space.generation import refuse_limit
from lts.state_space.settings import DEFAULT, TAU_ALONE, Internal, Settings, limit_errors
from lts.symmetry.permutation.known import SYSTEM
from lts.text.source import Source

__all__ = ["check_net", "is_about_some"]


def is_about_some(formula: str | Source, fair: str | None = None) -> bool:
    """Whether some markings may decide a formula: it is not about the whole state space, and has no
    variables for data, whose values would be those in the labels of all steps."""
    text, file = _text_of(formula)
    return not is_deterministic(text, fair) and not read(text, file, fair).slots


def check_net(
    net: GroundNet,
    formula: str | Source,
    settings: Settings = DEFAULT,
    *,
    fair: str | None = None,
    internal: Internal = TAU_ALONE,
    evidence: bool = False,
) -> ProcessVerdict:
    """Check a formula in the initial marking of a net, as `lts.logic.check_process` does on a
    specification; a path that proves the answer is always looked for.

    Data are texts, as on an LTS. Raises `LtsError` unless the formula `is_about_some` markings.
    """
    settings.refuse("node_limit", "check", "proof", what="a check of a net")
    if not is_about_some(formula, fair):
        raise LtsError("the formula is about all markings: generate the system first")
    action = action_of(net, ())
    engine, shown, limits = action.engine, visible_in(internal), settings.limits

    def decided(parsed: Formula, *, evidence: bool, by_paths: bool = True) -> ProcessVerdict:
        checked, walks = forms(parsed, LabelData(parsed, ()), by_paths=by_paths)
        declared = set(net.net.actions)
        prepared = PreparedFormula(parsed, checked, walks, evidence, shown, declared, has_path=True)
        kind = Instances if walks is None else Walks
        instances = kind(checked, LabelData(checked, ()), shown)
        question = prepared.question(instances, limits.positions, moved=False)
        try:
            with limit_errors(limits):
                group = _engine.Symmetry(*action.given(True))
                found = _engine.check_process(engine, group, settings, instances, question)
        except NeedsGame:
            found = None
        if found is None:
            return decided(parsed, evidence=evidence, by_paths=False)
        if found.holds is None:
            if found.incomplete == "found":
                raise too_many(limits.positions)
            assert found.incomplete is not None
            sizes = {"states": found.states, "pairs": found.orbits}
            refuse_limit(None, found.incomplete, None, sizes, limits, limit_remark(net))
        return prepared.verdict(
            found,
            lambda: decided(parsed, evidence=evidence, by_paths=False),
            None,
            engine.labels,
            {
                "order": found.order,
                "strategy": found.strategy,
                "store": found.store,
                "situations": found.checked,
                "proving": found.proving,
                "summands": action.summands,
                "from_text": action.summands,
                "proof": action.proof,
                "reach": SYSTEM,
                "sampled": found.sampled,
            },
        )

    def under(text: str, file: str) -> tuple[Formula, Callable[[bool], ProcessVerdict]]:
        parsed = read(text, file, fair)
        return parsed, lambda evidence: decided(parsed, evidence=evidence)

    return answered(Source(*_text_of(formula)), under, fair, evidence=evidence)


def _text_of(formula: str | Source) -> tuple[str, str]:
    """Return the text of a formula, and the name of its file."""
    if isinstance(formula, str):
        return formula, "formula"
    return formula.text, formula.file or "formula"
