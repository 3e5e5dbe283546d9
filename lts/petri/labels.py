"""The labels of a net: they begin with the identifiers of its transitions, or with their names."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from lts.errors import FormatError, FormatWarning, Unsupported
from lts.petri.elements import Element
from lts.petri.net import PLAIN, Transition

__all__ = ["Labels", "check_label", "labelled", "makes_invisible"]

Labels = Literal["id", "name"]

_LABEL = re.compile(rf"{PLAIN.pattern}(?: {PLAIN.pattern})*")
"""The beginning of a label: an identifier or a name, in which single blanks are allowed."""

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_GENERATED = re.compile(rf"[a-z]+[0-9]+|(?:[a-z]+[-_]?|_)?{_UUID}", re.IGNORECASE)
"""Identifiers that editors number or draw by lot; the letters before a UUID make it a name in XML.
"""


def check_label(element: Element, text: str, what: str) -> None:
    """Raise `Unsupported` for an identifier or a name that labels cannot begin with."""
    if not _LABEL.fullmatch(text):
        raise element.error(
            Unsupported,
            f"labels begin with {what}s of transitions, which have no brackets, commas, bars or "
            "quotes, and no blanks but single ones between words",
        )


def labelled(
    transitions: Sequence[Transition], elements: Sequence[Element], labels: Labels | None
) -> tuple[Transition, ...]:
    """Return transitions with the beginnings of their labels.

    By default these are the names if all identifiers are generated, and all names exist and differ;
    otherwise the identifiers. A transition that ProM marks as invisible is `tau`, unless the labels
    are to be the identifiers. A warning says if the default is not the identifiers.
    """
    if labels == "id":
        return tuple(transitions)
    names = [*map(_name, elements)]
    silent = [
        any(map(makes_invisible, element.all("toolspecific"))) and not transition.variables
        for element, transition in zip(elements, transitions, strict=True)
    ]
    if labels == "name":
        for element, name, is_silent in zip(elements, names, silent, strict=True):
            if not (name or is_silent):
                raise element.error(FormatError, "the transition has no name for its label")
            if not is_silent:
                check_label(element, name, "name")
    visible = [name for name, is_silent in zip(names, silent, strict=True) if not is_silent]
    by_name = labels == "name" or (
        all(_GENERATED.fullmatch(one.identifier) for one in transitions)
        and all(map(_LABEL.fullmatch, visible))
        and len({*visible}) == len(visible)
    )
    found = tuple(
        replace(one, label="tau" if is_silent else name if by_name else one.identifier)
        for one, name, is_silent in zip(transitions, names, silent, strict=True)
    )
    if labels is None and any(one.label != one.identifier for one in found):
        what = "begin with the names of transitions" if by_name else "are `tau` where ProM says so"
        warnings.warn(
            f"{elements[0].file}: labels {what}; with `--labels id` they are identifiers",
            FormatWarning,
            stacklevel=5,
        )
    return found


def _name(element: Element) -> str:
    """Return the name of a transition, empty if it has none."""
    name = element.find("name")
    inside = [] if name is None else name.all("text", "value")
    if len(inside) > 1:
        raise inside[1].error(FormatError, "the transition has two names")
    return " ".join(inside[0].text.split()) if inside else ""


def makes_invisible(extension: Element) -> bool:
    """Whether an extension says, as ProM does, that its transition is invisible."""
    of = extension.attributes
    return (of.get("tool"), of.get("activity")) == ("ProM", "$invisible$")
