"""What docs/coming-from.md says is so: each row has a command, a specification or an expression of
Python that is tried, or says that there is none."""

import re
import shlex
from pathlib import Path

import pytest

import lts
from lts import mcrl2
from lts.state_space import generate
from programs import outcome
from tables import rows

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ (.*)\n((?:(?!##).*\n)*)", PAGE, re.MULTILINE))
TOOLS = ["CADP", "SVL", "LTSmin", "FDR", "SPIN", "TopSPIN", "TLC", "Murphi", "networkx"]
ROWS = [(tool, theirs, ours) for tool in TOOLS for theirs, ours in rows(SECTIONS[tool])]
FILES = {
    "a.mcrl2": "act work, rest, error; proc P = work . rest . P; init P;",
    "a.aut": 'des (0,2,2)\n(0,"work",1)\n(1,"rest",0)\n',
    "b.aut": 'des (0,1,2)\n(0,"work",1)\n',
    "n.exp": "a |[work]| a\n",
    "f.mcf": "[true*]<true>true",
    "a.seq": '"work"\n"rest"\n',
    "tlc.dot": "strict digraph DiskGraph {\n"
    '1 [label="x = 0",style = filled]\n1 -> 2 [label="Inc"];\n2 -> 1 [label="Reset"];\n}\n',
    "pids.mcrl2": "sort Pid = struct p1 | p2 | p3; act enter, leave: Pid;\n"
    "proc P(p: Pid) = enter(p) . leave(p) . P(p);\n"
    "init allow({enter, leave}, P(p1) || P(p2) || P(p3));",
    "sized.mcrl2": "map N: Pos; eqn N = 2; act a: Nat; proc P(n: Nat) = (n < N) -> a(n) . P(n + 1);"
    "init P(0);",
    "steps.toml": '[steps.least]\nrun = "minimise a.aut -e strong -o out.aut"\n',
}
NO = (
    " --deadlocks",
    " --deadlocks --trace out.trace",
    " --find error",
    " -e branching --evidence out.mcf",
    " a.aut b.aut -e strong",
    " a.aut b.aut --preorder failures",
    " a.aut b.aut --preorder failures-divergences",
)
"""How the commands end whose answer is no."""


def test_every_tool_has_table_entries():
    counts = {tool: sum(row[0] == tool for row in ROWS) for tool in TOOLS}
    assert all(count >= 4 for count in counts.values()), counts
    assert len({(tool, theirs) for tool, theirs, _ in ROWS}) == len(ROWS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the page speaks of."""
    path = tmp_path_factory.mktemp("tools")
    for name, text in FILES.items():
        (path / name).write_text(text, encoding="utf-8")
    for words in (
        ["a.mcrl2", "--find", "rest", "--trace", "a.trace"],
        ["pids.mcrl2", "-o", "p.aut"],
    ):
        assert outcome("generate", *words, cwd=path)[0] == 0
    return path


@pytest.mark.parametrize(("tool", "theirs", "ours"), ROWS)
def test_table_entries_run_as_documented(tool, theirs, ours, folder):
    if ours.startswith("no: "):
        assert len(ours) > 20, theirs
        return
    [text] = re.findall(r"^`([^`]*)`$", ours)
    if text.startswith("ltstool "):
        words = shlex.split(text)[1:]
        names = [folder / word for word in words if re.fullmatch(r"out\.\w+", word)]
        for name in names:
            if not name.is_dir():
                name.unlink(missing_ok=True)
        code, _, messages = outcome(*words, cwd=folder)
        assert code == text.endswith(NO), messages
        assert all(name.exists() for name in names if name.suffix != ".trace" or code == 0), theirs
    elif tool == "networkx":
        import networkx

        graph = networkx.MultiDiGraph()
        graph.add_edge("home", "work", label="go")
        graph.add_edge("work", "home", label="return")
        names = {"lts": lts, "graph": graph, "system": lts.LTS.from_networkx(graph)}
        folder_text = text.replace('"out.', f'"{folder}/out.')
        exec(folder_text, names)
        assert names["system"].state_count == 2
    else:
        assert generate(mcrl2.read_text(text)).transition_count > 0
