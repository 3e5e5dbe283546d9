"""Linear processes printed in mCRL2: read again, they do what the rules say of the original."""

from collections import Counter

import pytest
from hypothesis import given, settings

from lts.mcrl2 import read_text
from lts.mcrl2.printing import linear_text
from lts.mucrl import generate, linearise
from ltstool.main import main
from mcrl2_compositions import DECLARED, by_rules, processes
from mcrl2_texts import CONSTRUCTS
from naive.systems import bisimilar


def printed(text, **parameters):
    return linear_text(linearise(read_text(text, parameters=parameters)))


def test_printed_compositions_match_operational_rules():
    seen = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @given(processes)
    def one(process):
        specification = read_text(f"{DECLARED} init {process};")
        text = linear_text(linearise(specification))
        assert bisimilar(generate(read_text(text)), by_rules(specification))
        for word in (" ->", " == ", "|"):
            seen[word] += word in text.partition("proc ")[2] or word in text.partition("struct")[2]

    one()
    assert min(seen[word] for word in (" ->", " == ", "|")) > 0, seen


@pytest.mark.parametrize(("text", "part"), CONSTRUCTS.values(), ids=list(CONSTRUCTS))
def test_each_construct_is_printed(text, part):
    found = printed(text)
    assert part in found
    again = read_text(found)
    assert len(again.definitions) == 1
    assert bisimilar(generate(again), generate(read_text(text)))


def test_call_stacks_are_printed_as_a_sort():
    text = "act a, b: Nat; proc P(n: Nat) = (n < 4) -> a(n) . P(n + 1) . b(n) <> b(n); init P(0);"
    found = printed(text)
    assert bisimilar(generate(read_text(found)), generate(read_text(text)))


def test_printed_constants_have_the_given_values():
    text = (
        "map N: Pos; % how many\n eqn N = % two;\n 2 ; act a: Nat;\n"
        "proc P(n: Nat) = (n < N) -> a(n) . P(n + 1); init P(0);"
    )
    found = printed(text, N=5)
    assert "eqn N = % two;\n 5 ;" in found
    assert "% how many" in found
    assert generate(read_text(found)).state_count == 6


def test_linearise_prints_mcrl2(tmp_path, capsys):
    file, out = tmp_path / "a.mcrl2", tmp_path / "b.mcrl2"
    file.write_text(CONSTRUCTS["tables"][0])
    assert main(["linearise", str(file), "-o", str(out), "-q"]) == 0
    assert main(["compare", str(file), str(out), "-e", "strong", "-q"]) == 0
    assert capsys.readouterr().out == "equivalent\n"
    # A linear process is linear.
    assert main(["linearise", str(out), "-q"]) == 0
    assert "proc X" in capsys.readouterr().out
