"""Processes that treat all ids alike, from random steps."""

from hypothesis import strategies as st

HEAD = """sort Bool Maybe P
func T,F:->Bool p1,p2,p3:->P none:->Maybe some:P->Maybe
map is:Maybe#P->Bool not:Bool->Bool
var x:P
rew is(none,x)=F is(some(x),x)=T is(some(p1),p2)=F is(some(p1),p3)=F is(some(p2),p1)=F
  is(some(p2),p3)=F is(some(p3),p1)=F is(some(p3),p2)=F not(T)=F not(F)=T
act u,v,h:P w
"""


def text(steps):
    """A process with a control state and two registers for an id; it treats all ids alike."""
    summands = {}
    for control, action, guard, target, new in steps:
        call = f"X{target}({','.join(new)})"
        if guard is not None:
            register, positive = guard
            condition = f"is({register},p)"
            call = f"{call} <| {condition if positive else f'not({condition})'} |> delta"
        shown = action if action in ("w", "tau") else f"{action}(p)"
        summands.setdefault(control, []).append(f"sum(p:P, {shown}.{call})")
    states = {0, *(step[0] for step in steps), *(step[3] for step in steps)}
    body = "\n".join(
        f"X{k}(a:Maybe,b:Maybe) = {' + '.join(summands.get(k, ['delta']))}" for k in sorted(states)
    )
    return f"{HEAD}proc {body}\ninit X0(none,none)\n"


VALUE = st.sampled_from(["a", "b", "none", "some(p)"])
STEP = st.tuples(
    st.integers(0, 2),
    st.sampled_from(["u", "u", "v", "h", "h", "w", "tau"]),
    st.none() | st.tuples(st.sampled_from("ab"), st.booleans()),
    st.integers(0, 2),
    st.tuples(VALUE, VALUE),
)
