"""The order of a parallel composition's summands is that of the μCRL lineariser."""

from lts.mucrl import linearise, read_text

BOOL = "sort Bool func T,F:->Bool "


def order(text):
    return [summand.action for summand in linearise(read_text(text)).summands]


def test_communications_then_right_then_left_reversed_inside():
    """As in the linear process that section 8.3 of van Langevelde's report prints."""
    text = (
        "act a b c d x1,x2,x y1,y2,y z1,z2,z "
        "comm x1|x2=x y1|y2=y z1|z2=z "
        "proc A = a.A + x1.A + b.A + y1.A B = c.B + z1.B + d.B M = y2.M + x2.M + z2.M "
        "init encap({x1,x2,y1,y2,z1,z2}, A || B || M)"
    )
    assert order(BOOL + text) == ["x", "y", "c", "d", "z", "a", "b"]


def test_three_levels_alternate():
    text = (
        "act a b c d x,y,z,s x2,y2,z2 "
        "comm x|s=x2 y|s=y2 z|s=z2 "
        "proc A = a.A + x.A B = b.B + y.B C = c.C + z.C S = s.S + d.S "
        "init encap({x,y,z,s}, A || B || C || S)"
    )
    assert order(BOOL + text) == ["x2", "b", "z2", "d", "c", "y2", "a"]
