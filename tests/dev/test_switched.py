"""Rust mutants in one build: each runs only if it is chosen."""

import os
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools" / "dev"

SOURCE = b"""
/// Not the body: { }
fn larger(left: u32, right: u32) -> u32 {
    fn second(left: u32, right: u32) -> bool {
        left < right
    }
    if second(left, right) { right } else { left }
}

fn main() {
    println!("{}", larger(1, 2));
}
"""
CHANGES = (("left < right", "left > right"), ("{ right }", "{ 7 }"), ("larger(1, 2)", "larger(9)"),
           ("larger(1, 2)", "larger(2, 5)"))  # fmt: skip


def changed(tools, old, new):
    start = SOURCE.index(old.encode())
    name = "main" if "larger" in old else "second" if "<" in old else "larger"
    first = SOURCE.index(b"fn main") if name == "main" else 1
    last = {"main": len(SOURCE) - 1, "second": SOURCE.index(b"\n    if"), "larger": first}
    end = last[name] if name != "larger" else SOURCE.index(b"\n\nfn main")
    body = tools.body_of(SOURCE, first, end, name)
    assert SOURCE[body[0] : body[0] + 1] + SOURCE[end - 1 : end] == b"{}"
    return tools.RustChange("a.rs", start, start + len(old), new.encode(), body)


def test_chosen_mutants_run_and_wrong_ones_are_left_out(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    for name in ("changes", "switched"):
        sys.modules.pop(name, None)
    import switched as tools

    numbered = dict(enumerate((changed(tools, *pair) for pair in CHANGES), start=1))
    found = tools.switched(SOURCE, numbered)
    assert found.wrong(found.source.index(b"larger(9)")) == {3}
    assert found.wrong(found.source.rindex(b"left < right")) == {1, 2}
    assert found.wrong(0) == frozenset()
    del numbered[3]
    source = tools.switched(SOURCE, numbered).source + tools.CHOICE
    (tmp_path / "a.rs").write_bytes(source)
    subprocess.run(["rustc", "-A", "warnings", "a.rs"], cwd=tmp_path, check=True)

    def output(**variables):
        environment = {**os.environ, **variables}
        return subprocess.check_output([tmp_path / "a"], env=environment, text=True).strip()

    results = [output(MUTANT=str(number)) for number in range(5)]
    assert (output(), results) == ("2", ["2", "1", "7", "2", "5"])
