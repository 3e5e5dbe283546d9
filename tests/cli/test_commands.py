"""The commands from specification to tables: pipes, files, exit codes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parents[2] / "cases"
PROGRAM = [sys.executable, "-c", "from ltstool.__main__ import run; run()"]


def ltstool(*arguments, stdin=b""):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, check=False
    )


def test_generate_minimise_info_through_pipes():
    generated = ltstool("generate", CASES / "abp.mcrl", "-o", "-")
    least = ltstool("minimise", "-e", "weak", "--hide", "c2,c3,c5,c6", "-", stdin=generated.stdout)
    assert least.stderr == b""
    info = ltstool("info", "--json", "-", stdin=least.stdout)
    facts = json.loads(info.stdout)
    assert (facts["states"], facts["transitions"]) == (3, 4)
    assert generated.returncode == least.returncode == info.returncode == 0


def test_reduce_and_expand_through_files(tmp_path):
    case = [CASES / "peterson.mcrl", "--set", "N=3"]
    reduced, expanded, full = (tmp_path / name for name in ("r.aut", "e.aut", "f.aut"))
    symmetry = CASES / "peterson.sym"
    assert ltstool("reduce", *case, "--symmetry", symmetry, "-o", reduced).returncode == 0
    counted = ltstool("expand", reduced, "--count")
    assert counted.stdout == b"668 states, 1500 transitions\n"
    assert ltstool("expand", reduced, "-o", expanded).returncode == 0
    assert ltstool("generate", *case, "-o", full).returncode == 0
    assert ltstool("compare", expanded, full, "-e", "strong").returncode == 0
    again = tmp_path / "again.aut"
    permutation = "(p1 p2 p3)"
    assert ltstool("reduce", full, "--symmetry", permutation, "-o", again).returncode == 0
    assert ltstool("expand", again, "--count").stdout == counted.stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "again.aut", "again.aut.sym", "e.aut", "f.aut", "r.aut", "r.aut.sym",
    ]  # fmt: skip


def test_a_reduction_to_standard_output_needs_a_symmetry_file(tmp_path):
    refused = ltstool("reduce", CASES / "abp.mcrl", "--symmetry", CASES / "abp.sym")
    assert refused.returncode == 2
    assert b"--write-symmetry" in refused.stderr
    beside = tmp_path / "abp.sym"
    arguments = ["--symmetry", CASES / "abp.sym", "--write-symmetry", beside]
    reduced = ltstool("reduce", CASES / "abp.mcrl", *arguments)
    counted = ltstool("expand", "-", "--symmetry", beside, "--count", stdin=reduced.stdout)
    assert counted.stdout == b"97 states, 122 transitions\n"


def test_check_symmetry_sets_the_exit_code():
    case = [CASES / "philosophers.mcrl", "--set", "N=3"]
    yes = ltstool("check-symmetry", *case, "--permute", "(p1 p2 p3)")
    assert yes.returncode == 0
    assert b"symmetry of order 3" in yes.stdout
    no = ltstool("check-symmetry", *case, "--permute", "(p1 p2)")
    assert no.returncode == 1
    assert b"is no symmetry" in no.stdout


def test_limits_exit_3_without_output(tmp_path):
    out = tmp_path / "out.aut"
    case = [CASES / "peterson.mcrl", "--set", "N=4"]
    stopped = ltstool("generate", *case, "--max-states", "100", "-o", out)
    assert stopped.returncode == 3
    assert b"100 states" in stopped.stderr
    assert not out.exists()


def test_minimisation_limits_exit_3(tmp_path):
    out = tmp_path / "out.aut"
    text = b'des (0,3,3)\n(0,"a",1)\n(0,"b",2)\n(1,"c",2)\n'
    command = ["minimise", "-e", "trace", "-o", out]
    stopped = ltstool(*command, "--max-states", "2", stdin=text)
    assert stopped.returncode == 3
    assert b"more than 2 sets of states" in stopped.stderr
    assert not out.exists()
    assert ltstool(*command, stdin=text).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generate", "absent.mcrl"], b"absent.mcrl: No such file"),
        (["generate", CASES / "abp.mcrl", "--set", "M=3"], b"no parameter `M`"),
        (["generate", CASES / "abp.mcrl", "--set", "N"], b"expected NAME=NUMBER"),
        (["minimise", "-e", "strog", "-"], b"did you mean `strong`"),
        (["check", "-", "<a"], b"formula:1:3: expected `>`, not the end"),
        (["expand", "-"], b"--symmetry S"),
        (["tables", "absent"], b"not a folder"),
        (["check-symmetry", CASES / "abp.mcrl", "--permute", "(d1 d2"], b"expected `)`"),
    ],
)
def test_wrong_use_exits_2_with_one_message(arguments, message):
    refused = ltstool(*arguments, stdin=b'des (0,1,2)\n(0,"a",1)\n')
    assert refused.returncode == 2
    assert message in refused.stderr
    assert b"Traceback" not in refused.stderr


def test_comparing_a_missing_file_exits_2():
    left = b'des (0,2,3)\n(0,"a",1)\n(1,"b",2)\n'
    compared = ltstool("compare", "-", CASES / "absent.aut", "-e", "strong", stdin=left)
    assert compared.returncode == 2


def test_compare_prints_a_distinguishing_formula(tmp_path):
    (tmp_path / "a.aut").write_text('des (0,2,3)\n(0,"a",1)\n(1,"b",2)\n')
    (tmp_path / "b.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    files = [tmp_path / "a.aut", tmp_path / "b.aut"]
    compared = ltstool("compare", *files, "-e", "weak")
    assert compared.returncode == 1
    assert b"<tau*.a><tau*.b>true" in compared.stdout
    out = tmp_path / "formula"
    assert ltstool("compare", *files, "-e", "strong", "--evidence", out).returncode == 1
    assert out.read_text() == "<a><b>true\n"


def test_refinement_is_directed_and_its_trace_replays(tmp_path):
    specification, implementation = tmp_path / "a.aut", tmp_path / "b.aut"
    specification.write_text('des (0,3,3)\n(0,"a",1)\n(1,"b",2)\n(1,"c",2)\n')
    implementation.write_text('des (0,3,4)\n(0,"a",1)\n(0,"a",2)\n(1,"b",3)\n')
    files = [specification, implementation]
    included = ltstool("compare", *files, "--preorder", "trace")
    assert (included.returncode, included.stdout) == (
        0,
        f"{files[1]} refines {files[0]}\n".encode(),
    )
    out = tmp_path / "trace"
    refuses = ltstool("compare", *files, "--preorder", "failures", "--trace", out)
    assert refuses.returncode == 1
    lines = refuses.stdout.decode().splitlines()
    assert lines[0] == f"{files[1]} does not refine {files[0]}"
    assert lines[1].startswith(f"only {files[1]} can refuse {{c}} after the trace")
    assert lines[2] == "  a"
    assert out.read_text() == "%trace 1\n1 a\n"
    shown = json.loads(ltstool("compare", *files, "--preorder", "failures", "--json").stdout)
    assert not shown["refines"]
    assert (shown["evidence"]["only"], shown["evidence"]["trace"]) == ("right", ["a"])
    both = ltstool("compare", *files, "--preorder", "trace", "-e", "strong")
    assert both.returncode == 2


def test_check_sets_the_exit_code_and_shows_evidence(tmp_path):
    text = b'des (0,3,3)\n(0,"a",1)\n(1,"b",0)\n(1,"c",2)\n'
    out = tmp_path / "out.aut"
    no = ltstool("check", "-", "deadlock-free", "--evidence", out, stdin=text)
    assert (no.returncode, no.stdout) == (1, b"false\n")
    assert out.read_text().splitlines()[1:] == ['(0,"a",1)', '(1,"c",2)']
    yes = ltstool("check", "-", "--json", "nu X. <a><b>X", stdin=text)
    reported = {"holds": True, "unknown_actions": [], "path": ["a", "b"], "again": 0}
    assert (yes.returncode, json.loads(yes.stdout)) == (0, reported)


def test_classes_name_the_states_of_the_result(tmp_path):
    out = tmp_path / "classes"
    text = b'des (0,3,4)\n(0,"a",1)\n(0,"a",2)\n(3,"a",0)\n'
    least = ltstool("minimize", "-e", "strong", "--classes", out, "-", stdin=text)
    assert least.returncode == 0
    assert out.read_text() == "0 0\n1 1\n2 1\n3 -\n"


def test_tables_show_computed_beside_published():
    shown = ltstool("tables", CASES)
    assert shown.returncode == 0
    lines = shown.stdout.decode()
    assert "14916/32160 [14916/32160]" in lines
    assert "NO" not in lines
    assert "DIFFERS" not in lines
    assert "rotations, order 3" in lines
    assert lines.count("all permutations") == 6
    rows = json.loads(ltstool("tables", CASES, "--json").stdout)
    counted = [row for row in rows if "minimal" not in row]
    rows = [row for row in rows if "minimal" in row]
    assert {"a message in a hypercube", "a shared memory"} <= {row["title"] for row in counted}
    for row in counted:
        assert row["known"].items() <= row["figures"].items()
    for row in rows:
        for complete in (row["complete"], *(group["complete"] for group in row["groups"])):
            for equivalence in ("strong", "weak"):
                found = complete[equivalence]
                assert found["expansion"] == row["minimal"][equivalence]
                assert found["exact"]
                assert found["percent"] == 100
        first, smaller = row["encodings"]["bfs"], row["encodings"]["greedy"]
        assert all(each["expands"] and each["counted"] for each in (first, smaller))
        assert smaller["encoding"][0] <= first["encoding"][0]
        assert smaller["encoding"][1] == first["encoding"][1]
    cells = [cell for row in rows for cell in row["cells"]]
    assert all(cell["agrees"] == (cell["reason"] is None) for cell in cells)
    assert f"{sum(cell['agrees'] for cell in cells)} of {len(cells)} published" in lines


def test_differing_published_figures_need_a_reason(tmp_path):
    folder = tmp_path / "cases"
    folder.mkdir()
    for end in (".mcrl", ".sym", "_all.sym", ".toml"):
        shutil.copy(CASES / f"abp{end}", folder)
    text = (folder / "abp.toml").read_text()

    def tables(changed):
        (folder / "abp.toml").write_text(changed)
        return ltstool("tables", folder)

    shown = tables(text.replace('"rho"', '"original"', 1))
    assert shown.returncode == 1
    assert b"rho: 3 [1,1] for 3 [2,1]: NO REASON IS KNOWN" in shown.stdout
    assert b"original: 97/122 for 97/122: THEY AGREE" in shown.stdout
    shown = tables(text.replace('"rho"', '"tau"', 1))
    assert shown.returncode == 2
    assert b"`differs` names no printed figure: tau" in shown.stderr


def test_tables_are_plotted(tmp_path):
    folder = tmp_path / "cases"
    folder.mkdir()
    for end in (".mcrl", ".sym", "_all.sym", ".toml"):
        shutil.copy(CASES / f"abp{end}", folder)
    shown = ltstool("tables", folder, "--plot", tmp_path / "sizes.svg")
    assert b"Reductions of the case studies" in shown.stdout
    text = (tmp_path / "sizes.svg").read_text()
    assert "original, as published" in text
    assert text.count("N=2") > 0


COUNTED = """title = "mutual exclusion"
specification = "mutex.mcrl"
symmetry = "mutex.sym"
[[counted]]
parameters = { N = 2 }
full = 8
quotient = 5
[[counted]]
parameters = { N = 3 }
quotient = 8
printed = { full = "some 20" }
[[counted]]
parameters = { N = 5000 }
quotient = 10001
"""


PAIRS = """title = "two in a row"
specification = "two.mcrl"
symmetry = "two.sym"
[calls]
specification = "calls.mcrl"
hide = ["think"]
[[counted]]
parameters = {}
calls = { most = 2 }
quotient = 3
pairs = 5
pair_orbits = 3
representatives = 3
"""


def test_pairs_are_counted_with_the_specification_of_a_case(tmp_path):
    folder = tmp_path / "cases"
    folder.mkdir()
    head = "%@ include Enum of p1,p2 as P\n"
    (folder / "two.mcrl").write_text(
        head + "act a:P think:P proc X=sum(p:P,a(p).Y(p)) Y(p:P)=think(p).a(p).X init X\n"
    )
    calls = head + "%@ parameter most = 2\nact a:P\nproc X=sum(p:P,a(p)).Y Y="
    (folder / "calls.mcrl").write_text(
        calls + "\n%@ for i in 1..most - 1\nsum(p:P,a(p)).\n%@ end\nX init X\n"
    )
    sym = 'version = 1\nkind = "sorts"\ngenerators = ["(p1 p2)"]\n'
    (folder / "two.sym").write_text(sym)
    (folder / "two.toml").write_text(PAIRS)
    shown = ltstool("tables", folder)
    assert (shown.returncode, shown.stderr) == (0, b"")
    [row] = (line for line in shown.stdout.decode().splitlines() if line.startswith("two"))
    assert row.split()[-4:] == ["5", "3", "3", "60.00"]
    # After one step each, nothing more is allowed: it does not refine these.
    (folder / "calls.mcrl").write_text(
        head + "%@ parameter most = 2\nact a:P\ninit sum(p:P,a(p))\n"
    )
    shown = ltstool("tables", folder)
    assert shown.returncode == 1
    assert b"DOES NOT REFINE ITS CALLS" in shown.stdout
    for old, new, message in [
        ("[calls]", "[other]", b"rows with pairs need `calls`"),
        ("most = 2", 'most = "2"', b"rows with pairs need `calls`"),
        ('["think"]', "[1]", b"`hide` must be a list of strings"),
        ("calls = { most = 2 }", "", b"not a case study: 'calls' is missing"),
        ("calls.mcrl", "../calls.mcrl", b"does not exist"),
    ]:
        (folder / "two.toml").write_text(PAIRS.replace(old, new))
        shown = ltstool("tables", folder)
        assert (shown.returncode, message in shown.stderr) == (2, True), shown.stderr


def test_counted_cases_are_compared_with_known_figures(tmp_path):
    """Rows with too many orbits are left out."""
    folder = tmp_path / "cases"
    folder.mkdir()
    for end in ("mcrl", "sym"):
        shutil.copy(CASES / f"mutex.{end}", folder)
    (folder / "mutex.toml").write_text(COUNTED)
    shown = ltstool("tables", folder)
    assert shown.returncode == 1
    lines = shown.stdout.decode().splitlines()
    first, second = (line for line in lines if line.startswith("mutual"))
    assert first.split()[-6:] == ["5", "-", "-", "-", "-", "62.50"]
    assert "7 DIFFERS from 8 " in second
    assert "20 [some 20]" in second
    (folder / "mutex.toml").write_text(COUNTED.replace("quotient = 8", "quotient = 7"))
    assert ltstool("tables", folder).returncode == 0
    rows = json.loads(ltstool("tables", folder, "--json").stdout)
    assert [row["figures"] for row in rows] == [
        {"order": 2, "full": 8, "transitions": 14, "quotient": 5},
        {"order": 6, "full": 20, "transitions": 48, "quotient": 7},
    ]
    shown = ltstool("tables", folder, "--plot", tmp_path / "sizes.svg")
    assert shown.returncode == 2
    assert b"nothing to plot" in shown.stderr
    some = ltstool("tables", folder, "--most-orbits", "5")
    assert b"Rows with more orbits than `--most-orbits 5`: 2." in some.stdout
    [row] = json.loads(ltstool("tables", folder, "--most-orbits", "5", "--json").stdout)
    assert row["parameters"] == {"N": 2}
    assert not (tmp_path / "sizes.svg").exists()
