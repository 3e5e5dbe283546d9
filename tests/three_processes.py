"""Random specifications of three equal processes and a memory: symmetric unless they mention
constants."""

from hypothesis import strategies as st

HEAD = """sort Bool func T,F:->Bool
sort D func d1,d2,d3,e:->D
map same:D#D->Bool real:D->Bool or:Bool#Bool->Bool
var x:D b:Bool rew same(x,x)=T real(d1)=T real(d2)=T real(d3)=T real(e)=F or(T,b)=T or(F,b)=b
    same(d1,d2)=F same(d1,d3)=F same(d2,d1)=F same(d2,d3)=F same(d3,d1)=F same(d3,d2)=F
    same(d1,e)=F same(d2,e)=F same(d3,e)=F same(e,d1)=F same(e,d2)=F same(e,d3)=F
sort A func end:->A cell:D#A->A
map get:A#D->D put:A#D#D->A
var x,y:D r:A
rew get(r,e)=e put(r,e,y)=r
    get(cell(x,r),d1)=x get(cell(x,r),d2)=get(r,d1) get(cell(x,r),d3)=get(r,d2)
    put(cell(x,r),d1,y)=cell(y,r) put(cell(x,r),d2,y)=cell(x,put(r,d1,y))
    put(cell(x,r),d3,y)=cell(x,put(r,d2,y))
act a,b,c:D d:D#D f g
comm a|b=c
"""
CYCLE = "(d1 d2 d3)"


@st.composite
def specifications(draw, constants):
    """Return three equal processes and a memory; `constants` are those that they may mention."""
    terms = st.sampled_from(["x", "y", *constants])
    conditions = st.sampled_from(["same(x,y)", "real(y)", *[f"same(y,{c})" for c in constants]])

    def steps(own):
        summands = []
        for _ in range(draw(st.integers(1, 3))):
            s, t = draw(terms), draw(terms)
            action = draw(st.sampled_from([f"a({s})", f"d({s},{t})", f"b({s})", "f", "tau"]))
            after = f"{own}(x,{t})" if own == "P" else f"M(put(r,{s},{t}))"
            summands.append(f"{action}.{after} <| or({draw(conditions)},real(x)) |> g.{after}")
        return " + ".join(f"({summand})" for summand in summands)

    body = draw(st.sampled_from(["{}", "sum(y:D,({}) <| real(y) |> delta)"])).format(steps("P"))
    memory = f"sum(x:D,sum(y:D,({steps('M')}) <| same(get(r,x),y) |> delta) <| real(x) |> delta)"
    text = f"{HEAD}proc P(x:D,y:D) = {body}\nM(r:A) = sum(x:D,({memory}) <| real(x) |> delta)\n"
    parts = ["P(d1,e)", "P(d2,e)", "P(d3,e)", "M(cell(e,cell(e,cell(e,end))))"]
    chosen = parts[:3] if draw(st.booleans()) else parts[3:]
    return text + "init " + " || ".join(chosen)
