"""`ltstool run`: what runs, what is kept, and what is said of it."""

import json
import os
import shutil
import signal
import sys
import time
from xml.etree import ElementTree

import pytest

from ltstool.main import main
from ltstool.pipeline import execution
from pipelines import run, went
from programs import CASES, PATIENCE, names, outcome, start

PIPELINE = """
[steps.flat]
run = "generate protocol.mcrl -o flat.aut"

[steps.least]
run = "ltstool minimise flat.aut -e branching -o least.aut"

[steps.same]
run = "compare flat.aut least.aut -e branching"
expect = true

[steps.sizes]
run = "info least.aut --json"
print = "sizes.json"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protocol.mcrl").write_bytes((CASES / "abp.mcrl").read_bytes())
    return tmp_path


def test_unchanged_steps_run_once(capfd, folder):
    code, steps = run(capfd, PIPELINE)
    assert code == 0
    assert set(went(steps).values()) == {"ran"}
    assert steps["same"]["needs"] == ["flat", "least"]
    sizes = json.loads((folder / "sizes.json").read_text())
    assert steps["least"]["outputs"] == [
        {"file": "least.aut", "states": sizes["states"], "transitions": sizes["transitions"]}
    ]
    code, steps = run(capfd, PIPELINE)
    assert code == 0
    assert set(went(steps).values()) == {"kept"}


def test_new_modification_time_is_no_change(capfd):
    run(capfd, PIPELINE)
    os.utime("protocol.mcrl", (1, 1))
    os.utime("flat.aut")
    assert set(went(run(capfd, PIPELINE)[1]).values()) == {"kept"}


def test_unchanged_outputs_stop_reruns(capfd, folder):
    run(capfd, PIPELINE)
    file = folder / "protocol.mcrl"
    stat = file.stat()
    file.write_text(file.read_text() + "% more\n")
    # Not even a file that looks untouched.
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert went(run(capfd, PIPELINE)[1]) == {
        "flat": "ran",
        "least": "kept",
        "same": "kept",
        "sizes": "kept",
    }


def test_missing_or_changed_outputs_are_remade(capfd, folder):
    run(capfd, PIPELINE)
    (folder / "least.aut").write_text("des (0,0,1)\n")
    assert went(run(capfd, PIPELINE)[1])["least"] == "ran"
    (folder / "sizes.json").unlink()
    found = went(run(capfd, PIPELINE)[1])
    assert found == {"flat": "kept", "least": "kept", "same": "kept", "sizes": "ran"}
    assert (folder / "sizes.json").is_file()


def test_changed_command_line_causes_a_rerun(capfd):
    run(capfd, PIPELINE)
    changed = PIPELINE.replace('least.aut -e branching"\n', 'least.aut -e weak"\n')
    assert changed != PIPELINE
    assert went(run(capfd, changed)[1])["same"] == "ran"


def test_step_order_in_the_file_is_irrelevant(capfd):
    parts = PIPELINE.strip().split("\n\n")
    _, steps = run(capfd, "\n\n".join(reversed(parts)))
    order = list(steps)
    assert order.index("flat") < order.index("least") < order.index("same")


def test_indirect_inputs_are_tracked(capfd, folder):
    (folder / "part.aut").write_text('des (0,2,2)\n(0,"a",1)\n(1,"b",0)\n')
    (folder / "two.exp").write_text('"part.aut" ||| "part.aut"\n')
    text = '[steps.whole]\nrun = "compose two.exp -o whole.aut"\n'
    assert run(capfd, text)[1]["whole"]["outputs"][0]["states"] == 4
    assert went(run(capfd, text)[1]) == {"whole": "kept"}
    (folder / "part.aut").write_text('des (0,3,3)\n(0,"a",1)\n(1,"b",2)\n(2,"c",0)\n')
    assert run(capfd, text)[1]["whole"]["outputs"][0]["states"] == 9


def test_new_symmetry_file_causes_a_rerun(capfd, folder):
    (folder / "part.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    text = '[steps.info]\nrun = "info part.aut"\n'
    run(capfd, text)
    assert went(run(capfd, text)[1]) == {"info": "kept"}
    (folder / "part.aut.sym").write_text("version = 1\n")
    assert went(run(capfd, text)[1]) == {"info": "ran"}


def test_library_files_are_not_inputs(capfd, folder):
    pytest.importorskip("matplotlib")
    (folder / "cases").mkdir()
    for case in CASES.glob("abp*"):
        shutil.copy(case, folder / "cases")
    run(capfd, '[steps.sizes]\nrun = "tables cases --plot sizes.svg"\n')
    record = json.loads((folder / ".p.toml.run" / "records.json").read_text())["steps"]["sizes"]
    assert [*record["outputs"]] == [str(folder / "sizes.svg")]
    own = [file.removeprefix(f"{folder}/") for file in record["inputs"]]
    # Plots look as a file of this name says.
    assert "matplotlibrc" in own
    assert {file for file in own if not file.startswith(("/", "cases"))} == {"matplotlibrc"}


def test_listed_folders_are_recorded_as_inputs(capfd, folder):
    (folder / "studies").mkdir()
    text = '[steps.tables]\nrun = "tables studies"\nexpect = 2\n'
    run(capfd, text)
    record = json.loads((folder / ".p.toml.run" / "records.json").read_text())
    assert [*record["steps"]["tables"]["folders"]] == [str(folder / "studies")]


def test_inputs_changed_during_a_step_cause_a_rerun(capfd, folder, monkeypatch):
    text = '[steps.flat]\nrun = "generate protocol.mcrl -o flat.aut"\n'
    finished = execution.finished

    def with_a_change(*words):
        found = finished(*words)
        file = folder / "protocol.mcrl"
        file.write_text(file.read_text() + "% more\n")
        return found

    monkeypatch.setattr(execution, "finished", with_a_change)
    run(capfd, text)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert went(run(capfd, text)[1]) == {"flat": "ran"}
    assert went(run(capfd, text)[1]) == {"flat": "kept"}


def test_undeclared_dependencies_are_reported(capfd, folder):
    (folder / "two.exp").write_text('"flat.aut" ||| "flat.aut"\n')
    text = PIPELINE + '[steps.whole]\nrun = "info two.exp"\n'
    code, steps = run(capfd, text)
    assert code == 1
    problem = 'it reads `flat.aut`, which step `flat` writes: add needs = ["flat"]'
    assert steps["whole"]["problem"] == problem
    # Also when its result is kept.
    code, steps = run(capfd, text)
    assert code == 1
    assert (steps["whole"]["went"], steps["whole"]["problem"]) == ("kept", problem)
    code, steps = run(capfd, text + 'needs = ["flat"]\n')
    assert code == 0
    assert steps["whole"]["needs"] == ["flat"]


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ("true", None),
        ("false", "expected no (exit code 1), found yes (exit code 0)"),
        ("0", None),
        ("1", "expected no (exit code 1), found yes (exit code 0)"),
        ('"true"', None),
        ('"maybe"', "expected `maybe`, which is not part of its output"),
        ("{ holds = true }", "expected a table, but its output is not JSON: add --json"),
    ],
)
def test_expectations(capfd, expect, problem):
    text = f"""
    [steps.flat]
    run = "generate protocol.mcrl -o flat.aut"
    [steps.never]
    run = ["check", "flat.aut", "nu X. <true>true && [true]X"]
    expect = {expect}
    """
    code, steps = run(capfd, text)
    assert code == (problem is not None)
    assert (steps["never"]["problem"] or "").startswith(problem or "")
    assert steps["never"]["as_expected"] == (problem is None)
    # What is expected is no reason to run again.
    text = text.replace(f"expect = {expect}", "")
    assert went(run(capfd, text)[1])["never"] == "kept"


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ("{ states = 2, deterministic = true }", None),
        ("{ states = 3 }", "expected states 3, found 2"),
        ("{ state = 2 }", "expected state, found only "),
        ("{ deterministic = 1 }", "expected deterministic 1, found true"),
    ],
)
def test_expectations_on_json_output(capfd, folder, expect, problem):
    (folder / "part.aut").write_text('des (0,1,2)\n(0,"a",1)\n')
    text = f'[steps.info]\nrun = "info part.aut --json"\nexpect = {expect}\n'
    code, steps = run(capfd, text)
    assert code == (problem is not None)
    assert (steps["info"]["problem"] or "").startswith(problem or "")


def test_steps_after_a_failed_step_wait(capfd):
    text = """
    [steps.flat]
    run = "generate protocol.mcrl -o flat.aut"
    [steps.wrong]
    run = "minimise none.aut -e strong -o wrong.aut"
    [steps.behind]
    run = "info wrong.aut"
    [steps.far]
    run = "info flat.aut"
    needs = ["behind"]
    [steps.other]
    run = "info flat.aut"
    """
    code, steps = run(capfd, text)
    assert code == 2
    assert went(steps) == {
        "flat": "ran",
        "wrong": "ran",
        "behind": "waits",
        "far": "waits",
        "other": "ran",
    }
    assert steps["far"]["problem"] == "it needs behind"
    # What went wrong is no result, and tried again.
    assert went(run(capfd, text)[1])["wrong"] == "ran"


def test_limits_exit_3(capfd):
    text = '[steps.flat]\nrun = "generate protocol.mcrl --max-states 3 -o flat.aut"\n'
    assert run(capfd, text)[0] == 3
    assert run(capfd, text + "expect = 3\n")[0] == 0


EACH = """
[values]
KIND = "branching"

[steps.flat]
run = "generate {SPEC} --set N={N} -o flat-{N}.aut"
each = { SPEC = ["butler.mcrl"], N = [2, 3] }

[steps.least]
run = "minimise flat-{N}.aut -e {KIND} -o least-{N}.aut"
each = [{ N = 2 }, { N = 3 }]
needs = ["flat"]

[steps.sizes]
run = "info flat-{N}.aut --json"
each = [{ N = 2, STATES = 12 }, { N = 3, STATES = -1 }]
expect = { states = "{STATES}" }
"""


def test_steps_are_expanded_from_a_table(capfd, folder):
    (folder / "butler.mcrl").write_bytes((CASES / "butler.mcrl").read_bytes())
    code, steps = run(capfd, EACH)
    assert code == 1
    assert list(steps) == [
        "flat[SPEC=butler.mcrl,N=2]",
        "flat[SPEC=butler.mcrl,N=3]",
        "least[N=2]",
        "least[N=3]",
        "sizes[N=2,STATES=12]",
        "sizes[N=3,STATES=-1]",
    ]
    assert steps["least[N=3]"]["needs"] == ["flat[SPEC=butler.mcrl,N=3]"]
    states = {name: step["outputs"][0]["states"] for name, step in steps.items() if step["outputs"]}
    shown = steps["sizes[N=3,STATES=-1]"]["problem"]
    assert shown == f"expected states -1, found {states['flat[SPEC=butler.mcrl,N=3]']}"
    _, steps = run(capfd, EACH, "--only", "least", "--force", "least[N=2]")
    assert went(steps) == {
        "flat[SPEC=butler.mcrl,N=2]": "kept",
        "flat[SPEC=butler.mcrl,N=3]": "kept",
        "least[N=2]": "ran",
        "least[N=3]": "kept",
    }


def test_only_and_force(capfd):
    _, steps = run(capfd, PIPELINE, "--only", "least")
    assert went(steps) == {"flat": "ran", "least": "ran"}
    _, steps = run(capfd, PIPELINE, "--force")
    assert set(went(steps).values()) == {"ran"}
    _, steps = run(capfd, PIPELINE, "--force", "same")
    assert went(steps) == {"flat": "kept", "least": "kept", "same": "ran", "sizes": "kept"}


def test_dry_run_runs_no_step(capfd, folder):
    code, steps = run(capfd, PIPELINE, "--dry-run")
    assert code == 0
    assert all(step["runs"] for step in steps.values())
    assert names(folder) == ["p.toml", "protocol.mcrl"]
    run(capfd, PIPELINE)
    file = folder / "protocol.mcrl"
    file.write_text(file.read_text() + "% more\n")
    _, steps = run(capfd, PIPELINE, "--dry-run")
    assert {name: step["because"] for name, step in steps.items()} == {
        "flat": "its inputs have changed",
        "least": "if the output of flat changes",
        "same": "if the output of flat changes",
        "sizes": "if the output of least changes",
    }


def test_steps_may_run_other_programs(capfd, folder):
    words = json.dumps([sys.executable, "-c", "print(len(open('flat.aut').read()))"])
    text = PIPELINE + f'[steps.length]\nprogram = {words}\ninputs = ["flat.aut"]\nprint = "n.txt"\n'
    code, steps = run(capfd, text)
    assert code == 0
    assert steps["length"]["needs"] == ["flat"]
    assert int((folder / "n.txt").read_text()) == len((folder / "flat.aut").read_text())
    assert went(run(capfd, text)[1])["length"] == "kept"
    text = text.replace('print = "n.txt"', 'outputs = ["other.txt"]')
    code, steps = run(capfd, text)
    assert code == 1
    assert steps["length"]["problem"] == "its output `other.txt` was not written"
    assert "no-such-program cannot be started" in outcome_of(
        '[steps.a]\nprogram = ["no-such-program"]\n', 2
    )


def outcome_of(text, code):
    with open("p.toml", "w", encoding="utf-8") as file:
        file.write(text)
    found = outcome("run", "p.toml", cwd=".")
    assert found[0] == code
    return found[2]


def test_table_and_show(capfd, folder):
    (folder / "p.toml").write_text(PIPELINE)
    code, printed, messages = outcome("run", "p.toml", cwd=folder)
    assert code == 0
    rows = [line.split() for line in printed.splitlines()]
    assert rows[0] == ["step", "went", "seconds", "memory", "result"]
    assert [row[:2] for row in rows[2:]] == [
        [name, "ran"] for name in ("flat", "least", "same", "sizes")
    ]
    assert [line.partition(":")[0] for line in messages.splitlines()] == [
        "flat",
        "least",
        "same",
        "sizes",
    ]
    assert outcome("run", "p.toml", "--show", "sizes", cwd=folder) == (
        0,
        (folder / "sizes.json").read_text(),
        "",
    )
    (folder / "sub").mkdir()
    # Steps run in the folder of the file, wherever one is.
    assert outcome("run", "../p.toml", "-q", cwd=folder / "sub")[0] == 0
    assert names(folder / "sub") == []


def test_errors_of_failed_steps_are_shown(folder):
    (folder / "p.toml").write_text('[steps.a]\nrun = "info none.aut"\n')
    code, _, messages = outcome("run", "p.toml", cwd=folder)
    assert code == 2
    assert "  ltstool: error: none.aut: No such file or directory\n" in messages


@pytest.mark.parametrize("end", [".svg", ".dot"])
def test_pipeline_pictures_show_all_steps(capfd, folder, end):
    code, _ = run(capfd, PIPELINE, "--picture", f"steps{end}")
    assert code == 0
    text = (folder / f"steps{end}").read_text()
    for name in ("flat", "least", "same", "sizes"):
        assert name in text
    if end == ".svg":
        import xml.etree.ElementTree as ElementTree

        root = ElementTree.fromstring(text)
        space = "{http://www.w3.org/2000/svg}"
        boxes = [each for each in root.iter(f"{space}rect") if each.get("rx")]
        assert len(boxes) == 4
        # flat to least and same, least to same and sizes.
        arrows = [each for each in root.iter(f"{space}path") if each.get("marker-end")]
        assert len(arrows) == 4


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_interrupt_stops_the_running_step(folder):
    marks = folder / "begun"
    script = f"import time; open({str(marks)!r}, 'w').close(); time.sleep(600)"
    words = json.dumps([sys.executable, "-c", script])
    (folder / "p.toml").write_text(
        '[steps.first]\nrun = "info protocol.mcrl"\n'
        f'[steps.long]\nprogram = {words}\nneeds = ["first"]\n'
    )
    process = start("run", "p.toml", cwd=folder)
    while not marks.exists():
        assert process.poll() is None
        time.sleep(0.01)
    # Another run of it has to wait.
    assert "another run of this pipeline" in outcome("run", "p.toml", cwd=folder)[2]
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    records = json.loads((folder / ".p.toml.run" / "records.json").read_text())
    assert list(records["steps"]) == ["first"]
    assert not [name for name in names(folder / ".p.toml.run") if name.startswith("step.")]


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_time_limit_stops_the_running_step(folder):
    words = json.dumps([sys.executable, "-c", "import time; time.sleep(600)"])
    (folder / "p.toml").write_text(f"[steps.long]\nprogram = {words}\n")
    assert outcome("run", "p.toml", "--timeout", "1", cwd=folder)[0] == 3


@pytest.mark.parametrize("end", ["", ".gz", ".zst"])
def test_sizes_of_compressed_outputs_are_recorded(capfd, folder, end):
    (folder / "part.aut").write_text('des (0,2,3)\n(0,"a",1)\n(1,"b",2)\n')
    _, steps = run(capfd, f'[steps.copy]\nrun = "convert part.aut copy.aut{end}"\n')
    found = [{"file": f"copy.aut{end}", "states": 3, "transitions": 2}]
    assert steps["copy"]["outputs"] == found


JUNIT = """
[steps.right]
run = "info protocol.aut"
[steps.wrong]
run = "check protocol.aut deadlock-free"
expect = false
[steps.broken]
run = "minimise missing.aut --hide 'a<b>&c' -e strong -o out.aut"
[steps.waits]
run = "info out.aut"
"""


def test_junit_report_lists_the_steps(capfd, folder):
    (folder / "protocol.aut").write_text('des (0,1,1)\n(0,"a",0)\n')
    code, _ = run(capfd, JUNIT, "--junit", "report.xml")
    assert code == 2
    suite = ElementTree.parse("report.xml").getroot()
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert (suite.tag, suite.get("name")) == ("testsuite", "p.toml")
    cases = {case.get("name"): case for case in suite}
    kinds = {name: [problem.tag for problem in case] for name, case in cases.items()}
    assert kinds == {
        "right": [], "wrong": ["failure"], "broken": ["error"], "waits": ["skipped"],
    }  # fmt: skip
    assert "missing.aut" in cases["broken"][0].text
    assert cases["waits"][0].get("message") == "it needs broken"
    times = [float(case.get("time")) for case in suite]
    assert times[0] > 0
    assert abs(sum(times) - float(suite.get("time"))) < 0.01
    assert {case.get("classname") for case in suite} == {"p.toml"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--junit", "report.xml", "--dry-run"], "--junit has no effect with --dry-run"),
        (["--junit", "report.xml", "--show", "flat"], "--junit has no effect with --show"),
        (["--junit", "p.toml"], "is an input file"),
    ],
)
def test_refused_junit_options_write_no_report(words, message, capfd, folder):
    (folder / "p.toml").write_text(PIPELINE)
    assert main(["run", "p.toml", *words]) == 2
    assert message in capfd.readouterr().err
    assert not (folder / "report.xml").exists()
