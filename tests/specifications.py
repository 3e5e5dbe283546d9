"""Random specifications: all operators, three finite sorts, rules of several forms."""

from hypothesis import strategies as st

HEAD = """sort Bool D P
func T,F:->Bool d0,d1,d2:->D pair:Bool#D->P
map not:Bool->Bool and,same:Bool#Bool->Bool next:D->D eq:D#D->Bool first:P->Bool second:P->D
var x,y:Bool d:D
rew not(T)=F not(F)=T and(T,x)=x and(F,x)=F same(x,x)=T same(T,F)=F same(F,T)=F
    next(d0)=d1 next(d1)=d2 next(d2)=d0
    eq(d,d)=T eq(d0,d1)=F eq(d1,d0)=F eq(d0,d2)=F eq(d2,d0)=F eq(d1,d2)=F eq(d2,d1)=F
    first(pair(x,d))=x second(pair(x,d))=d
act a,b,c:Bool r,s,k:D p:P d e f g h
comm a|b=c r|s=k d|e=f e|g=u d|g=v f|g=h u|d=h v|e=h
act u v
"""


def data(draw, sort, scope):
    """Return a term over the variables in scope: pairs of name and sort."""
    mine = [name for name, s in scope if s == sort]
    kind = draw(st.integers(0, 5))
    if kind <= 2 and mine:
        return draw(st.sampled_from(mine))
    match sort:
        case "Bool":
            if kind == 3:
                return f"not({data(draw, 'Bool', scope)})"
            if kind == 4:
                return f"eq({data(draw, 'D', scope)},{data(draw, 'D', scope)})"
            if kind == 5:
                return f"and({data(draw, 'Bool', scope)},{data(draw, 'Bool', scope)})"
            return draw(st.sampled_from(["T", "F"]))
        case "D":
            if kind == 4:
                return f"next({data(draw, 'D', scope)})"
            if kind == 5:
                return f"second({data(draw, 'P', scope)})"
            return draw(st.sampled_from(["d0", "d1", "d2"]))
    return f"pair({data(draw, 'Bool', scope)},{data(draw, 'D', scope)})"


def action(draw, scope):
    sort = draw(st.sampled_from(["", "", "Bool", "D", "P"]))
    if not sort:
        return draw(st.sampled_from(["d", "e", "g", "tau"]))
    name = draw(st.sampled_from({"Bool": "ab", "D": "rs", "P": "p"}[sort]))
    return f"{name}({data(draw, sort, scope)})"


@st.composite
def processes(draw, depth, scope, calls):
    """A process as text; `calls` are the names and sorts of the processes it may call."""
    if depth == 0:
        return draw(st.sampled_from(["delta", *[action(draw, scope)] * 5]))
    kind = draw(st.sampled_from(KINDS))

    def sub(inner=None, further=calls):
        return draw(processes(depth - 1, scope if inner is None else inner, further))

    def names(most):
        chosen = draw(st.sets(st.sampled_from("abcrskpdefgh"), min_size=1, max_size=most))
        return ",".join(sorted(chosen))

    apart = [(name, sort) for name, sort in calls if name == "Z"]
    match kind:
        case "seq":
            return f"({sub()}).({sub()})"
        case "alt":
            return f"({sub()} + {sub()})"
        case "cond":
            return f"(({sub()}) <| {data(draw, 'Bool', scope)} |> ({sub()}))"
        case "sum":
            name, sort = draw(st.sampled_from([("x", "Bool"), ("y", "D"), ("z", "D"), ("q", "P")]))
            inner = [(n, s) for n, s in scope if n != name] + [(name, sort)]
            return f"sum({name}:{sort},{sub(inner)})"
        case "parallel" | "merge" | "both":
            operator = {"parallel": "||", "merge": "||_", "both": "|"}[kind]
            count = 3 if kind != "merge" and draw(st.integers(0, 3)) == 0 else 2
            return "(" + operator.join(f"({sub(further=apart)})" for _ in range(count)) + ")"
        case "encap" | "hide":
            return f"{kind}({{{names(3)}}},{sub()})"
        case "rename":
            pair = draw(st.sampled_from(["a->b", "r->k", "d->e", "e->d,d->g", "b->c,a->b"]))
            return f"rename({{{pair}}},{sub()})"
        case "call" if calls:
            # Guarded recursion: every call follows an action.
            name, sort = draw(st.sampled_from(calls))
            return f"{action(draw, scope)}.{name}({data(draw, sort, scope)})"
    return action(draw, scope)


KINDS = [
    "action", "seq", "seq", "alt", "alt", "cond", "sum", "call", "call",
    "parallel", "parallel", "merge", "both", "encap", "hide", "rename",
]  # fmt: skip


@st.composite
def specifications(draw):
    """A closed specification of processes that call each other, with one that can be called
    anywhere."""
    z = draw(processes(2, [("x", "Bool")], []))
    calls = [("X", "Bool"), ("Y", "D"), ("Z", "Bool")]
    x = draw(processes(3, [("x", "Bool")], calls))
    y = draw(processes(2, [("y", "D")], calls))
    text = f"{HEAD}proc Z(x:Bool) = {z}\nX(x:Bool) = {x}\nY(y:D) = {y}\n"
    starts = ["X(T)", "Y(d0)", "X(F)", "Z(T)", draw(processes(2, [], calls))]
    parts = draw(st.lists(st.sampled_from(starts), min_size=1, max_size=3))
    body = " || ".join(f"({part})" for part in parts)
    return text + "init " + draw(st.sampled_from(["{}", "encap({{a,b}},{})"])).format(body)
