"""Writes a net without variables as a place/transition net in PNML.

Places and transitions are named by the original identifier or label and the colours, joined by
dots. Places and transitions are in the order of the net without variables, so its states and steps
are the same in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from lts.petri.grounding import GroundNet
from lts.petri.net import Colour
from lts.system.internal_labels import TAU

__all__ = ["labels_repeat", "unfolded"]

_TYPE = "http://www.pnml.org/version-2009/grammar/ptnet"
_SEPARATING = re.compile(r"[()|,\"]+")
_INVISIBLE = '<toolspecific tool="ProM" version="6.4" activity="$invisible$"/>'


def unfolded(net: GroundNet) -> str:
    """Return a net without variables as a place/transition net in PNML.

    Labels are identifiers, where `t.c.d` stands for `t(c,d)`. If visible labels occur twice, they
    are also the names of transitions, to be read with `labels="name"`. Transitions with the label
    `tau` are marked as invisible as by ProM.
    """
    return "".join(_blocks(net))


def labels_repeat(net: GroundNet) -> bool:
    """Whether some transitions have the same visible label, so that their identifiers differ from
    it."""
    labels = [label for label in _labels(net) if label != TAU]
    return len({*labels}) < len(labels)


def _blocks(net: GroundNet) -> Iterator[str]:
    taken: set[str] = set()
    labels, are_named = _labels(net), labels_repeat(net)
    # Transitions come first: their identifiers are labels.
    transitions = [_new(label, taken) for label in labels]
    places = [_new(_named(net, place, colour), taken) for place, colour in net.spots]
    finals = {place: None for marking in net.net.finals for place in marking}
    known = dict(zip((place for place, _ in net.spots), places, strict=True))
    # A place that can never have tokens matters only to final markings; a net has a place.
    empty = [place for place in finals if place not in known]
    if not places and not empty:
        empty = [next(iter(net.net.places))]
    known |= {place: _new(place, taken) for place in empty}
    page = _new("page", taken)
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<pnml xmlns={quoteattr(_NAMESPACE)}>\n'
    yield f"  <net id={quoteattr(net.net.name)} type={quoteattr(_TYPE)}>"
    yield f"<page id={quoteattr(page)}>\n"
    for identifier, tokens in zip(places, net.initial, strict=True):
        marking = f"<initialMarking><text>{tokens}</text></initialMarking>"
        yield f"    <place id={quoteattr(identifier)}>{marking if tokens else ''}</place>\n"
    for place in empty:
        yield f"    <place id={quoteattr(known[place])}/>\n"
    for identifier, label in zip(transitions, labels, strict=True):
        name = f"<name><text>{escape(label)}</text></name>" if are_named else ""
        silent = _INVISIBLE if label == TAU else ""
        yield f"    <transition id={quoteattr(identifier)}>{name}{silent}</transition>\n"
    for transition, firing in zip(transitions, net.firings, strict=True):
        arcs = [(places[place], transition, count, "") for place, count in firing.takes]
        arcs += [(transition, places[place], count, "") for place, count in firing.puts]
        arcs += [(places[place], transition, count, "inhibitor") for place, count in firing.below]
        arcs += [(places[place], transition, 1, "reset") for place in firing.resets]
        for number, (source, target, count, kind) in enumerate(arcs):
            arc = _new(f"{transition}.arc{number}", taken)
            yield (
                f"    <arc id={quoteattr(arc)} source={quoteattr(source)} "
                f"target={quoteattr(target)}{f' type={quoteattr(kind)}' if kind else ''}>"
                f"<inscription><text>{count}</text></inscription></arc>\n"
            )
    yield "  </page>"
    if net.net.finals:
        yield "<finalmarkings>\n"
        for tokens_of in net.net.finals:
            yield "    <marking>"
            for place, tokens in tokens_of.items():
                yield f"<place idref={quoteattr(known[place])}><text>{tokens}</text></place>"
            yield "</marking>\n"
        yield "  </finalmarkings>"
    yield "</net>\n</pnml>\n"


_NAMESPACE = "http://www.pnml.org/version-2009/grammar/pnml"


def _labels(net: GroundNet) -> list[str]:
    """Return the labels of the transitions, with dots before colours."""
    found = []
    for firing in net.firings:
        transition = net.net.transitions[firing.transition]
        pairs = zip(transition.variables, firing.colours, strict=True)
        colours = [variable.sort.shown(colour) for variable, colour in pairs]
        found.append(_joined(transition.label, colours))
    return found


def _named(net: GroundNet, place: str, colour: Colour) -> str:
    sort = net.net.places[place].sort
    return _joined(place, [sort.shown(colour)] if len(sort) > 1 else [])


def _joined(name: str, colours: Sequence[str]) -> str:
    """Return a name with colours, as labels may be."""
    parts = [part for colour in colours for part in colour.split(",")]
    return ".".join([name, *(_SEPARATING.sub("_", "_".join(part.split())) for part in parts)])


def _new(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, and take it."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}.{number}"
    taken.add(found)
    return found
