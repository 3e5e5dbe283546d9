"""What `generate --check` finds, and that it finds nothing where nothing is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import SpecificationError
from lts.mucrl import generate, missing_cases, read, read_text

CASES = Path(__file__).parents[2] / "cases"
BOOL = "sort Bool func T,F:->Bool "
DATA = BOOL + "sort D func d,e:->D wrap:D->D "


@pytest.mark.parametrize("case", ["abp", "peterson", "philosophers"])
def test_the_case_studies_are_type_correct(case):
    specification = read(CASES / f"{case}.mcrl")
    checked, plain = generate(specification, check=True), generate(specification)
    assert list(checked.transitions()) == list(plain.transitions())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("init a(c)", "`c` is no value: it is no constructor, and no equation fits it, in argu"),
        ("init tau.a(wrap(c))", "`wrap(c)` is no value: `c` is no constructor"),
        ("proc X(x:D)=tau.X(wrap(x))+a(x) init X(c)", "and no equation fits it, in `X_c_x`"),
        ("proc X(x:D)=b.X(wrap(c))+a(x) init X(d)", "no equation fits it, in `X_d_x`"),
    ],
)
def test_constants_without_equations_are_no_values(text, message):
    text = f"{DATA}map c:->D act a:D b {text}"
    specification = read_text(text, strict=True)
    if "tau.X" not in text:
        generate(specification)
        generate(read_text(text), check=True)
    with pytest.raises(SpecificationError) as refused:
        generate(specification, check=True)
    assert message in str(refused.value)


def test_unused_parameters_are_no_errors():
    text = DATA + "act a:D b proc X = sum(x:D,a(x).b.a(x).b.X <| even(x) |> delta) "
    text += "map even:D->Bool var x:D rew even(d)=T even(e)=T even(wrap(x))=F init X"
    assert generate(read_text(text), check=True).state_count == 6


def test_irreducible_term_error_names_the_stuck_subterm():
    text = DATA + "map f,g:D->D rew f(d)=e act a:D init a(wrap(f(g(wrap(f(d))))))"
    with pytest.raises(SpecificationError) as refused:
        generate(read_text(text, strict=True))
    expected = "`wrap(f(g(wrap(e))))` does not reduce to a value: no equation fits `g(wrap(e))`"
    assert expected in str(refused.value)


PATTERNS = [("d", "T"), ("d", "F"), ("e", "T"), ("e", "F"), ("wrap(x)", "b")]


@given(st.sets(st.sampled_from(PATTERNS)))
def test_missing_equations_match_argument_coverage(covered):
    rules = "".join(f"f({x},{y})={y} " for x, y in sorted(covered))
    text = f"{DATA}map f:D#Bool->Bool {'var x:D b:Bool rew ' + rules if rules else ''}init delta"
    found = missing_cases(read_text(text))
    missing = {f"f({x},{y})" for x, y in PATTERNS if (x, y) not in covered}
    if "f(wrap(x),b)" in missing:
        missing |= {"f(wrap(d),T)"}
    assert len(found) == bool(missing)
    assert set(found) <= missing


def test_functions_of_the_library_are_left_out():
    text = "%@ include Queue of Nat as Q\nmap f:Q->Nat rew f(empty_Q)=0 init delta"
    assert missing_cases(read_text(text)) == ["f(cons(0,empty_Q))"]


def test_untestable_functions_are_omitted():
    text = DATA + "sort E map c:->E f:E->E g:D->D h:D->D var x:D rew g(x)=g(wrap(x)) init delta"
    assert missing_cases(read_text(text)) == ["h(d)"]


def test_the_command_remarks_and_refuses(tmp_path):
    file = tmp_path / "a.mcrl"
    file.write_text(DATA + "map c:->D f:D->D rew f(d)=d act a:D init a(f(d)).a(c)")
    program = [
        sys.executable,
        "-c",
        "from ltstool.__main__ import run; run()",
        "generate",
        str(file),
    ]
    plain = subprocess.run(program, capture_output=True, check=False)
    assert (plain.returncode, plain.stderr) == (0, b"")
    lists = subprocess.run([*program, "--check"], capture_output=True, check=False)
    assert (lists.returncode, lists.stdout) == (0, plain.stdout)
    assert lists.stderr == b"ltstool: warning: no equation fits `f(e)`\n"
    checked = subprocess.run([*program, "--check", "--strict"], capture_output=True, check=False)
    assert checked.returncode == 2
    assert checked.stderr.startswith(b"ltstool: warning: no equation fits `f(e)`\n")
    assert b"`c` is no value" in checked.stderr
    assert checked.stdout == b""


def test_the_command_remarks_on_values_that_no_equation_fits(tmp_path):
    file = tmp_path / "a.mcrl"
    file.write_text(DATA + "map f,g:D->D rew f(d)=d act a:D init a(g(f(e))).a(f(wrap(d)))")
    program = [
        sys.executable,
        "-c",
        "from ltstool.__main__ import run; run()",
        "generate",
        str(file),
    ]
    plain = subprocess.run(program, capture_output=True, check=False)
    assert plain.returncode == 0
    assert plain.stdout == b'des (0,2,3)\n(0,"a(g(f(e)))",1)\n(1,"a(f(wrap(d)))",2)\n'
    reported = b"ltstool: warning: no equation fits `%s`, so it is taken as a value "
    reported += b"(--strict refuses this)\n"
    assert plain.stderr == reported % b"f(e)" + reported % b"g(f(e))"
    assert subprocess.run([*program, "-q"], capture_output=True, check=False).stderr == b""
    strict = subprocess.run([*program, "--strict"], capture_output=True, check=False)
    assert strict.returncode == 2
    assert b"does not reduce to a value" in strict.stderr
