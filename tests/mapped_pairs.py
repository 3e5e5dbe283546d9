"""Pairs of values permuted by maps of a specification, and steps compatible with them."""

import itertools

from hypothesis import strategies as st

COUNT = 4
VALUES = range(COUNT)
PAIRS = list(itertools.product(VALUES, VALUES))

# A pair of values, as two parameters or inside one value, that moves as `go` allows.
HEAD = """sort Bool V W P
func T,F:->Bool v0,v1,v2,v3:->V w:V#V->W p1,p2:->P
map {maps}
    go:V#V#V#V->Bool
var a,b,c,d:V
rew {rules}
    go(a,b,c,d)=F
act begin:V#V move:V#V#V#V
"""
BODIES = {
    "two": """proc Start = sum(a:V, sum(b:V, begin(a,b).X(a,b)))
X(a:V,b:V) = sum(c:V, sum(d:V, move(a,b,c,d).X(c,d) <| go(a,b,c,d) |> delta))
init Start
""",
    "one": """map l,r:W->V var a,b:V rew l(w(a,b))=a r(w(a,b))=b
proc Start = sum(a:V, sum(b:V, begin(a,b).X(w(a,b))))
X(e:W) = sum(c:V, sum(d:V, move(l(e),r(e),c,d).X(w(c,d)) <| go(l(e),r(e),c,d) |> delta))
init Start
""",
}


def text_of(functions, steps, shape):
    names = [f"g{i}" for i in range(len(functions))]
    rules = [
        f"{name}(v{x})=v{function[x]}"
        for name, function in zip(names, functions, strict=True)
        for x in VALUES
    ]
    rules += ["go(" + ",".join(f"v{x}" for x in step) + ")=T" for step in steps]
    head = HEAD.format(maps=" ".join(f"{n}:V->V" for n in names), rules="\n".join(rules))
    return head + BODIES[shape]


PERMUTATION = st.permutations(VALUES).map(tuple)
STEPS = st.lists(st.tuples(*[st.integers(0, COUNT - 1)] * 4), max_size=4)
