"""The static proof: what it accepts the certificate accepts, and what it refuses has a place."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lts import LTS, LtsError, NotSymmetric
from lts.mucrl import generate, linearise, read, read_text
from lts.symmetry import (
    certified_quotient,
    count_orbits,
    parse_permutation,
    parse_symmetry_file,
    refines_on_orbits,
)
from ltstool.main import main
from strategies import examples
from structures import GROUPS

CASES = Path(__file__).parents[2] / "cases"

SHOWN = {
    "abp": None,
    "allocator": None,
    "hanoi": None,
    "mutex": None,
    "three_tiers": None,
    "butler": "butler.mcrl:30:31: `take` treats `p3` in a way of its own",
    "list_stack": "Enum.mcrl:16:6: the image of this rule for `number` is no rule",
    "peterson": "`Flags` is a sort of arrays",
    "philosophers": "`Counts` is a sort of arrays",
    "phonebook": "`Book` is a sort of arrays",
}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_cases(name):
    table = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    process = linearise(read(CASES / table["specification"]))
    text = (CASES / table["symmetry"]).read_text(encoding="utf-8")
    parameters = process.specification.parameters
    generators = parse_symmetry_file(text, parameters=parameters).generators
    if SHOWN[name] is not None:
        with pytest.raises(NotSymmetric, match="the text alone does not prove") as raised:
            count_orbits(process, generators, proof="static")
        assert SHOWN[name] in str(raised.value)
        return
    static = count_orbits(process, generators, proof="static")
    certified = count_orbits(process, generators)
    assert (static.proof, static.situations, certified.proof) == ("static", 0, "certificate")
    for number in ("orbits", "steps", "states", "transitions", "deadlocks"):
        assert getattr(static, number) == getattr(certified, number)
    quotient = certified_quotient(process, generators, proof="static").quotient
    assert quotient.count() == (static.states, static.transitions)


IDS = ("p1", "p2", "p3")
POINT = st.sampled_from(IDS)
SPEC = """sort Bool P
func T,F:->Bool p1,p2,p3:->P
map same,near:P#P->Bool next:P->P
var x,y:P
rew {rules}
act u,v:P
proc Start = sum(p:P, u(p).X(p))
X(a:P) = {body}
init Start
"""
PATTERN = st.sampled_from(
    ["x,x", "x,y", "x,p1", "p1,x", "p2,x", "x,p2", "x,p3", "p3,x"]
) | st.tuples(POINT, POINT).map(",".join)
EQUAL = "same(x,x)=T " + " ".join(f"same({p},{q})=F" for p in IDS for q in IDS if p != q)
RULE = st.tuples(PATTERN, st.sampled_from("TF")).map(lambda r: f"near({r[0]})={r[1]}")
NEAR = st.lists(RULE, max_size=5).map(lambda rules: [*rules, "near(x,y)=F"])
NEXT = st.sampled_from(
    [
        "next(x)=x",
        "next(p1)=p2 next(p2)=p3 next(p3)=p1",
        "next(p1)=p2 next(p2)=p1 next(p3)=p3",
        "next(p1)=p2 next(x)=x",
        "next(p1)=p1 next(x)=x",
    ]
)
PART = st.sampled_from(["a", "p", "next(p)", "next(a)", "p", "a"]) | POINT
STEP = st.tuples(
    st.sampled_from("uv"),
    PART,
    PART,
    st.sampled_from(
        ["", "", "same(p,a)", "near(p,a)", "near(a,p)", "same(next(a),p)", "same(a,p1)"]
    ),
).map(lambda s: f"sum(p:P, {s[0]}({s[1]}).X({s[2]}){f' <| {s[3]} |> delta' if s[3] else ''})")


@settings(max_examples=examples(1.5))
@given(NEAR, NEXT, st.lists(STEP, min_size=1, max_size=3), st.sampled_from(sorted(GROUPS)))
def test_what_the_text_proves_the_certificate_proves(near, following, steps, group):
    rules = " ".join([EQUAL, *near, following])
    process = linearise(read_text(SPEC.format(rules=rules, body=" + ".join(steps))))
    generators = [parse_permutation(text) for text in GROUPS[group][0]]
    try:
        static = count_orbits(process, generators, proof="static")
    except NotSymmetric:
        return
    event("proven")
    certified = count_orbits(process, generators)
    system = generate(process)
    sizes = (system.state_count, system.transition_count)
    assert (static.states, static.transitions) == sizes
    assert (static.orbits, static.steps) == (certified.orbits, certified.steps)


def refused(rules, body, permutation="(p1 p2)"):
    process = linearise(read_text(SPEC.format(rules=f"{EQUAL} {rules}", body=body)))
    with pytest.raises(NotSymmetric) as raised:
        count_orbits(process, [parse_permutation(permutation)], proof="static")
    return process, str(raised.value)


def test_the_first_rule_that_matches_decides():
    """Both rules and their images are there; which comes first is not the same for the images."""
    rules = "near(x,p1)=T near(p1,x)=F near(p2,x)=F near(x,p2)=T near(p3,p3)=F"
    process, shown = refused(rules, "u(a).X(a) <| near(a,a) |> v(a).X(a)")
    assert "rules for `near` overlap, and their images come in another order" in shown
    with pytest.raises(NotSymmetric):
        count_orbits(process, [parse_permutation("(p1 p2)")])


@pytest.mark.parametrize(
    ("rules", "body", "message"),
    [
        ("", "u(p1).X(a)", "`u` treats `p1` in a way of its own"),
        ("", "u(a).X(p1)", "`u` treats `p1` in a way of its own"),
        ("", "u(a).X(a) <| same(a,p2) |> delta", "`u` treats `p2` in a way of its own"),
        (
            "next(p1)=p2 next(x)=x",
            "u(next(a)).X(a)",
            "the image of this rule for `next` is no rule",
        ),
        ("near(p1,p2)=T near(x,y)=F", "sum(p:P, u(p).X(a) <| near(p,a) |> delta)", "`near`"),
    ],
)
def test_what_tells_values_apart_has_a_place(rules, body, message):
    _, shown = refused(rules, body)
    assert message in shown
    assert "^" in shown


def test_rules_that_nothing_comes_to_do_not_matter():
    rules = f"{EQUAL} next(p1)=p2 next(p2)=p3 next(p3)=p1 near(p1,x)=T near(x,y)=F"
    process = linearise(read_text(SPEC.format(rules=rules, body="u(a).X(a)")))
    found = count_orbits(process, [parse_permutation("(p1 p2)")], proof="static")
    assert (found.orbits, found.states) == (3, 4)


def test_values_of_conditions_stay():
    process = linearise(
        read_text("sort Bool func T,F:->Bool act a:Bool proc X = a(T).X + a(F).X init X")
    )
    with pytest.raises(NotSymmetric, match="`T` is what conditions come to"):
        count_orbits(process, [parse_permutation("(T F)")], proof="static")
    with pytest.raises(LtsError, match="no proof `hope`"):
        count_orbits(process, [parse_permutation("(T F)")], proof="hope")


def test_refinement_with_the_static_proof():
    process = linearise(read_text(SPEC.format(rules=EQUAL, body="v(a).Start")))
    rows = [(0, f"u({p})", i) for i, p in enumerate(IDS, 1)]
    rows += [(i, f"v({p})", 0) for i, p in enumerate(IDS, 1)]
    swap = [parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")]
    found = refines_on_orbits(LTS.from_transitions(rows), process, "trace", swap, proof="static")
    assert (found.holds, found.proof, found.situations, found.orbits) == (True, "static", 0, 2)


@pytest.mark.parametrize("words", [["generate", "--deadlocks", "-v"], ["reduce", "--count"]])
def test_on_the_command_line(capsys, words):
    symmetry = ["--symmetry", "Pid", "--symmetry-proof", "static"]
    command, *options = words
    assert main([command, str(CASES / "mutex.mcrl"), *symmetry, *options]) in (0, 1)
    out, err = capsys.readouterr()
    assert "group        of order 6" in out + err
    if "-v" in words:
        assert "order 6, proven from the text" in err
    assert (
        main(
            [command, str(CASES / "phonebook.mcrl"), "--symmetry", "Name", *symmetry[2:], *options]
        )
        == 2
    )
    assert "`Book` is a sort of arrays" in capsys.readouterr().err


def test_auto_takes_what_the_text_proves(capsys):
    symmetry = ["--symmetry", "auto", "--symmetry-proof", "static", "--count"]
    assert main(["reduce", str(CASES / "mutex.mcrl"), *symmetry]) == 0
    assert "of order 6" in capsys.readouterr().out


def test_an_lts_has_no_text(capsys, tmp_path):
    file = tmp_path / "a.aut"
    file.write_text('des (0,1,1)\n(0,"a",0)\n')
    words = ["reduce", str(file), "--symmetry", "(a b)", "--symmetry-proof", "static", "--count"]
    assert main(words) == 2
    assert "--symmetry-proof static is about the text" in capsys.readouterr().err
    assert main(["generate", str(CASES / "mutex.mcrl"), "--symmetry-proof", "static"]) == 2
    assert "--symmetry-proof needs --symmetry" in capsys.readouterr().err
