"""Random processes that treat all ids alike."""

from hypothesis import strategies as st

HEAD = """sort Bool Maybe P
func T,F:->Bool p1,p2,p3:->P none:->Maybe some:P->Maybe
map is:Maybe#P->Bool not:Bool->Bool
var x:P
rew is(none,x)=F is(some(x),x)=T is(some(p1),p2)=F is(some(p1),p3)=F is(some(p2),p1)=F
  is(some(p2),p3)=F is(some(p3),p1)=F is(some(p3),p2)=F not(T)=F not(F)=T
act u,v,h:P w
"""


def text(steps, odd=()):
    """A process with a control state and two registers for an id. It treats all ids alike, except
    in `odd` steps: pairs of a control state and a text."""
    summands = {}
    for control, action, guard, target, new in steps:
        call = f"X{target}({','.join(new)})"
        if guard is not None:
            register, positive = guard
            condition = f"is({register},p)"
            call = f"{call} <| {condition if positive else f'not({condition})'} |> delta"
        shown = action if action in ("w", "tau") else f"{action}(p)"
        summands.setdefault(control, []).append(f"sum(p:P, {shown}.{call})")
    for control, step in odd:
        summands.setdefault(control, []).append(step)
    states = {*range(3)} if odd else {0, *(s[0] for s in steps), *(s[3] for s in steps)}
    body = "\n".join(
        f"X{k}(a:Maybe,b:Maybe) = {' + '.join(summands.get(k, ['delta']))}" for k in sorted(states)
    )
    return f"{HEAD}proc {body}\ninit X0(none,none)\n"


ODD = st.tuples(
    st.integers(0, 2),
    st.sampled_from(
        [
            *("u(p1).X1(none,none)", "v(p2).X2(some(p2),b)", "h(p3).delta", "u(p1).X0(b,a)"),
            *("sum(p:P, w.w.X1(a,none) <| is(a,p1) |> delta)", "w.X2(some(p1),some(p3))"),
            *("sum(p:P, v(p).delta <| not(is(b,p2)) |> delta)", "w.w.w.u(p2).delta"),
            *("sum(p:P, u(p).(w.delta <| is(some(p),p1) |> w.v(p2).w.delta))",),
            *("sum(p:P, h(p).(w.w.w.v(p).delta <| is(some(p),p2) |> v(p).delta))",),
        ]
    ),
)
"""A step that may distinguish ids, at its beginning or several actions later."""

VALUE = st.sampled_from(["a", "b", "none", "some(p)"])
STEP = st.tuples(
    st.integers(0, 2),
    st.sampled_from(["u", "u", "v", "h", "h", "w", "tau"]),
    st.none() | st.tuples(st.sampled_from("ab"), st.booleans()),
    st.integers(0, 2),
    st.tuples(VALUE, VALUE),
)
