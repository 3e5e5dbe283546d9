"""Random symmetric processes with data structures over three ids, and groups that act on these."""

import itertools

# Data structures over three processes: how each is declared, initialised, changed and shown.
HEAD = """%@ include Bool
%@ include Enum of p1..p3 as P
"""
STRUCTURES = {
    "set": (
        "%@ include Set of P as Group\n",
        ("g:Group", "empty_Group"),
        {"flip(p)": "put(g,p,not(contains(g,p)))"},
        ["contains(g,p1)", "contains(g,p2)", "contains(g,p3)"],
    ),
    "array": (
        """%@ include Array of P, Maybe as Where
sort Maybe func none:->Maybe some:P->Maybe map eq:Maybe#Maybe->Bool var x,y:P
rew eq(none,none)=T eq(none,some(x))=F eq(some(x),none)=F eq(some(x),some(y))=eq(x,y)
""",
        ("a:Where", "filled_Where(none)"),
        {"point(p,r)": "set(a,p,some(r))", "forget(p)": "set(a,p,none)"},
        ["get(a,p1)", "get(a,p2)", "get(a,p3)"],
    ),
    "queue": (
        "%@ include Queue of P as Line\n",
        ("l:Line", "empty_Line"),
        {"join(p)|lt(length(l),2)": "enqueue(l,p)", "serve|not(is_empty(l))": "rest(l)"},
        ["l"],
    ),
    "unordered": (
        """sort Two func apart:->Two two:P#P->Two
rew two(p2,p1)=two(p1,p2) two(p3,p1)=two(p1,p3) two(p3,p2)=two(p2,p3)
""",
        ("u:Two", "apart"),
        {"meet(p,r)": "two(p,r)", "part": "apart"},
        ["u"],
    ),
    "nested": (
        """sort Tree func leaf:->Tree node:Tree#P#Tree->Tree map small:Tree->Bool var t,v:Tree x,y:P
rew small(leaf)=T small(node(leaf,x,leaf))=T small(node(node(t,x,v),y,leaf))=F
    small(node(leaf,y,node(t,x,v)))=F
""",
        ("t:Tree", "leaf"),
        {
            "left(p)|small(t)": "node(t,p,leaf)",
            "right(p)|small(t)": "node(leaf,p,t)",
            "cut": "leaf",
        },
        ["t"],
    ),
}
SORTS = {"p": "P", "r": "P"}


def specification(kinds, *, shows):
    """A process with these data structures; if it `shows`, with an action that shows all their
    contents."""
    actions, summands, seen = [], [], []
    parameters = [STRUCTURES[kind][1][0] for kind in kinds]
    names = [parameter.partition(":")[0] for parameter in parameters]
    for kind, own in zip(kinds, names, strict=True):
        _, _, changes, shown = STRUCTURES[kind]
        seen += shown
        for step, new in changes.items():
            label, _, guard = step.partition("|")
            action, _, arguments = label.rstrip(")").partition("(")
            variables = arguments.split(",") if arguments else []
            sorts = "#".join(SORTS[v] for v in variables)
            actions.append(f"{action}{':' + sorts if sorts else ''}")
            call = "X(" + ",".join(new if name == own else name for name in names) + ")"
            body = f"{label}.{call}" + (f" <| {guard} |> delta" if guard else "")
            for v in reversed(variables):
                body = f"sum({v}:P, {body})"
            summands.append(body)
    texts = dict(zip(names, parameters, strict=True))
    for name, parameter in texts.items():
        # Parameters that nothing depends on are removed from the linear process, so show them.
        actions.append(f"see_{name}:{parameter.partition(':')[2]}")
        summands.append(f"see_{name}({name}).X({','.join(names)})")
    if shows:
        sorts = {"contains": "Bool", "get": "Maybe"}
        own = [sorts.get(s.partition("(")[0], texts.get(s, ":").partition(":")[2]) for s in seen]
        actions.append(f"show:{'#'.join(own)}")
        summands.append(f"show({','.join(seen)}).X({','.join(names)})")
    declared = "".join(STRUCTURES[kind][0] for kind in kinds)
    starts = ",".join(STRUCTURES[kind][1][1] for kind in kinds)
    return (
        f"{HEAD}%@ include Nat\n{declared}act {' '.join(actions)}\n"
        f"proc X({','.join(parameters)}) = {' + '.join(summands)}\ninit X({starts})\n"
    )


GROUPS = {
    "all": (["(p1 p2)", "(p1 p2 p3)"], list(itertools.permutations((1, 2, 3)))),
    "rotations": (["(p1 p2 p3)"], [(1, 2, 3), (2, 3, 1), (3, 1, 2)]),
    "swap": (["(p2 p3)"], [(1, 2, 3), (1, 3, 2)]),
}
