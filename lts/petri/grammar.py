"""The table of PNML: what each element may contain, so that everything else is refused.

Elements and attributes are read, or they only draw or document (`graphics`, `name`), or they are
extensions of a tool (`toolspecific`), which a note names. Elements of dialects that may have a
meaning, such as capacities, are known with the only value that has none.
"""

from __future__ import annotations

from lts.petri.elements import Content

__all__ = ["NEUTRAL", "SKIPPED", "TABLE", "TOOLS"]

TOOLS = ("toolspecific",)
"""Elements that do not change the steps of a net as this standard has them: a note names them."""

_DRAWING = ("graphics", "name", "documentation", "labels", "arcpath", "orientation", "stategroup")

SKIPPED = (*(tag for tag in _DRAWING if tag != "name"), *TOOLS)
"""Elements whose content is not kept; labels may begin with the names of transitions."""

_IGNORED = ("graphics", "name", "documentation", *TOOLS)
_POSITIONS = ("name", "displayName", "nameOffsetX", "nameOffsetY", "positionX", "positionY")

_NODES = ("place", "transition", "arc", "referencePlace", "referenceTransition", "page")

NEUTRAL = {
    "capacity": "0",
    "infiniteServer": "true|false",
    "priority": "1",
    "rate": r"(?=[0-9.]*[1-9])[0-9]*\.?[0-9]*([eE][-+]?[0-9]+)?",
    "tagged": "false",
    "timed": "true|false",
}
"""Elements of PIPE, and the values for which they have no effect, as regular expressions. A rate
says how often a transition occurs, not whether it can; so does `timed` if all transitions are
timed, since others would have priority."""


def _label(*children: str) -> Content:
    return Content(once=children, ignored=("graphics", "toolspecific"))


_TERM = Content(open_to_terms=True)
_VALUE = Content(attributes=("value",))

TABLE = {
    "pnml": Content(many=("net",), ignored=TOOLS),
    "net": Content(
        once=("finalmarkings",),
        many=(*_NODES, "declaration", "token", "definition"),
        attributes=("id", "type"),
        ignored=(*_IGNORED, "labels", "stategroup"),
        drawn=_POSITIONS,
    ),
    "definition": Content(
        attributes=("type",), ignored=("graphics",), drawn=("name", "expression")
    ),
    "page": Content(
        many=(*_NODES, "declaration"), attributes=("id",), ignored=_IGNORED, drawn=_POSITIONS
    ),
    "token": Content(attributes=("id",), drawn=("enabled", "red", "green", "blue")),
    "place": Content(
        once=("type", "initialMarking", "hlinitialMarking", "capacity", "tagged"),
        attributes=("id",),
        ignored=_IGNORED,
        drawn=_POSITIONS,
    ),
    "transition": Content(
        once=("name", "condition", "infiniteServer", "priority", "rate", "timed"),
        attributes=("id",),
        ignored=(*(tag for tag in _IGNORED if tag != "name"), "orientation"),
        drawn=_POSITIONS,
    ),
    "arc": Content(
        once=("inscription", "hlinscription", "type", "arctype", "tagged"),
        attributes=("id", "source", "target", "type"),
        ignored=(*_IGNORED, "arcpath"),
        drawn=("nameOffsetX", "nameOffsetY"),
    ),
    "referencePlace": Content(attributes=("id", "ref"), ignored=_IGNORED, drawn=_POSITIONS),
    "referenceTransition": Content(attributes=("id", "ref"), ignored=_IGNORED, drawn=_POSITIONS),
    "finalmarkings": Content(many=("marking",), ignored=_IGNORED),
    "marking": Content(many=("place",), ignored=_IGNORED, drawn=("id",)),
    "marking/place": Content(once=("text",), attributes=("idref",)),
    # Labels.
    "transition/name": _label("text", "value"),  # read: labels may begin with it
    "declaration": _label("text", "structure"),
    "type": _label("text", "structure"),
    "arc/type": Content(once=("text",), attributes=("value",), text=True),
    "arctype": Content(once=("text",), ignored=("graphics",), text=True),
    "condition": _label("text", "structure"),
    "initialMarking": _label("text", "value"),
    "inscription": _label("text", "value"),
    "hlinitialMarking": _label("text", "structure"),
    "hlinscription": _label("text", "structure"),
    **dict.fromkeys(NEUTRAL, _label("value")),
    "text": Content(text=True),
    "value": Content(text=True),
    # Declarations.
    "structure": _TERM,
    "declarations": _TERM,
    # Nets of the Model Checking Contest have a stray `$` in declarations of sorts.
    "namedsort": Content(attributes=("id", "name"), text=True, open_to_terms=True),
    "variabledecl": Content(attributes=("id", "name"), open_to_terms=True),
    "partition": Content(once=("usersort",), many=("partitionelement",), attributes=("id", "name")),
    "partitionelement": Content(many=("useroperator",), attributes=("id", "name")),
    "usersort": Content(attributes=("declaration",)),
    "dot": Content(),
    "bool": Content(),
    "cyclicenumeration": Content(many=("feconstant",)),
    "finiteenumeration": Content(many=("feconstant",)),
    "feconstant": Content(attributes=("id", "name")),
    "finiteintrange": Content(attributes=("start", "end")),
    "productsort": _TERM,
    # Terms.
    "variable": Content(attributes=("refvariable",)),
    "useroperator": Content(attributes=("declaration",)),
    "dotconstant": Content(),
    "booleanconstant": _VALUE,
    "finiteintrangeconstant": Content(once=("finiteintrange",), attributes=("value",)),
    "numberconstant": Content(once=("positive", "natural", "integer"), attributes=("value",)),
    **dict.fromkeys(("positive", "natural", "integer"), Content()),
    "partitionelementof": Content(attributes=("refpartition",), open_to_terms=True),
    **dict.fromkeys(
        (
            *("subterm", "all", "empty", "add", "subtract", "numberof", "scalarproduct", "tuple"),
            *("successor", "predecessor", "and", "or", "not", "imply", "equality", "inequality"),
            *("lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal"),
            *("ltp", "gtp", "lt", "leq", "gt", "geq"),
        ),
        _TERM,
    ),
}
"""The content of each element, by its name, or by the names of its parent and itself."""
