"""Texts are examined by processes of their own: others are answered meanwhile, and limits hold."""

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from language_client import Client, Refused
from lts.base.bounds import EXAMINED_MEMORY, EXAMINED_TIME
from programs import PATIENCE

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/wchan").exists(), reason="Linux says what a process waits for"
)

FORMULA = "[true]false\n"
ENDLESS = f"%! specification pipe.mcrl\n{FORMULA}"
"""A text whose specification is a pipe into which nobody writes."""
MUCRL = "sort Bool\nfunc T,F: -> Bool\nact a\nproc P = a.P\ninit P\n"
LONG = 10**6
"""A limit that no test reaches."""


@pytest.fixture
def folder(tmp_path):
    os.mkfifo(tmp_path / "pipe.mcrl")
    return tmp_path


@pytest.fixture
def editor(folder):
    client = Client(folder, EXAMINED_TIME=LONG)
    yield client
    if client.process.poll() is None:
        assert client.end() == 0
    client.close()


def children(client):
    """Return the processes that examine texts."""
    number = client.process.pid
    found = Path(f"/proc/{number}/task/{number}/children").read_text().split()
    return [int(one) for one in found]


def in_pipe(client):
    """Return the process that opens the pipe, once there is one."""
    for _ in range(PATIENCE * 10):
        for child in children(client):
            tasks = Path(f"/proc/{child}/task").glob("*/wchan")
            if any(task.read_text() == "wait_for_partner" for task in tasks):
                return child
        time.sleep(0.1)
    raise AssertionError


def test_slow_texts_do_not_delay_other_texts(editor):
    editor.begin("endless.mcf", ENDLESS)
    waiting = editor.send(
        "textDocument/documentSymbol", textDocument={"uri": editor.uri("endless.mcf")}
    )
    assert editor.open("b.mcrl", MUCRL) == []
    assert editor.at("hover", "b.mcrl", 3, 5)["contents"]["value"].startswith("```mucrl\nprocess P")
    [error] = editor.open("c.mcrl", MUCRL.replace("a.P", "b.P"))
    assert "`b`" in error["message"]
    assert editor.uri("endless.mcf") not in editor.diagnostics
    assert waiting not in editor.results
    # A change ends the examination of the text before.
    assert editor.change("endless.mcf", [{"text": FORMULA}], 2) == []
    with pytest.raises(Refused, match="the text has changed"):
        editor.result(waiting)


def test_a_text_is_stopped_at_the_limit_of_time(folder):
    editor = Client(folder, EXAMINED_TIME=9)
    assert EXAMINED_TIME.default == 10
    [error] = editor.open("endless.mcf", ENDLESS)
    reason = "examining this text was stopped after 9 seconds"
    assert error["message"].startswith(reason)
    with pytest.raises(Refused, match=reason):
        editor.at("hover", "endless.mcf", 1, 2)
    assert "nu" in [one["label"] for one in editor.at("completion", "endless.mcf", 1, 0)]
    assert editor.open("b.mcrl", MUCRL) == []
    assert editor.change("endless.mcf", [{"text": FORMULA}], 2) == []
    # The file of the specification may have changed.
    assert editor.change("endless.mcf", [{"text": ENDLESS}], 3) != []
    (folder / "pipe.mcrl").unlink()
    (folder / "pipe.mcrl").write_text(MUCRL)
    editor.diagnostics.clear()
    editor.tell("textDocument/didSave", textDocument={"uri": editor.uri("pipe.mcrl")})
    assert editor.errors("endless.mcf", 3) == []
    assert editor.end() == 0


def test_a_text_is_stopped_at_the_limit_of_memory(folder):
    editor = Client(folder, EXAMINED_TIME=LONG, EXAMINED_MEMORY=1 << 20)
    assert EXAMINED_MEMORY.default > 1 << 29
    [error] = editor.open("endless.mcf", ENDLESS)
    assert error["message"].startswith("examining this text was stopped at 1 MB of memory")
    assert editor.end() == 0


def test_a_process_that_is_killed_is_replaced_once(editor):
    editor.begin("endless.mcf", ENDLESS)
    for _ in range(2):
        os.kill(in_pipe(editor), signal.SIGKILL)
    [error] = editor.errors("endless.mcf", 1)
    assert "stopped twice: its process ended with code -9" in error["message"]
    assert editor.open("b.mcrl", MUCRL) == []
    for child in children(editor):
        os.kill(child, signal.SIGKILL)
    assert editor.open("c.mcrl", MUCRL) == []


def test_closing_a_text_stops_reading(editor):
    editor.begin("endless.mcf", ENDLESS)
    child = in_pipe(editor)
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("endless.mcf")})
    assert editor.errors("endless.mcf", None) == []
    assert editor.open("b.mcrl", MUCRL) == []
    wait_for_end(child)
    assert editor.open("endless.mcf", FORMULA) == []


def wait_for_end(child):
    for _ in range(PATIENCE * 10):
        stat = Path(f"/proc/{child}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError


@pytest.mark.parametrize("kill", [True, False])
def test_processes_end_with_the_server(editor, kill):
    editor.begin("endless.mcf", ENDLESS)
    child = in_pipe(editor)
    if kill:
        editor.process.kill()
        editor.process.wait()
    else:
        assert editor.end() == 0
    wait_for_end(child)


def test_the_last_of_many_changes_counts(editor):
    assert editor.open("a.mcrl", MUCRL) == []
    requests, document = [], {"uri": editor.uri("a.mcrl")}
    count = 100
    for version in range(2, count + 2):
        change = {"text": MUCRL.replace("a.P", f"a.Q{version}")}
        editor.tell(
            "textDocument/didChange",
            textDocument=document | {"version": version},
            contentChanges=[change],
        )
        requests.append(editor.send("textDocument/documentSymbol", textDocument=document))
    [error] = editor.errors("a.mcrl", count + 1)
    assert f"`Q{count + 1}`" in error["message"]
    refused = set()
    for number in requests[:-1]:
        try:
            editor.result(number)
        except Refused as error:
            refused.add(error.args)
    assert refused <= {("the text has changed", -32801)}
    assert editor.result(requests[-1])[-1]["name"] == "P"


def test_equal_texts_are_independent(editor):
    for name in ("a.mcf", "b.mcf"):
        editor.begin(name, ENDLESS)
    assert editor.change("a.mcf", [{"text": FORMULA}], 2) == []
    assert editor.uri("b.mcf") not in editor.diagnostics


def test_cancelled_requests_are_answered(editor):
    editor.begin("endless.mcf", ENDLESS)
    number = editor.send(
        "textDocument/documentSymbol", textDocument={"uri": editor.uri("endless.mcf")}
    )
    editor.tell("$/cancelRequest", id=number)
    with pytest.raises(Refused, match="cancel"):
        editor.result(number)
    assert editor.open("b.mcrl", MUCRL) == []


PRINTING = """
import os, sys
from ltstool.editor import answers, worker
def loud(text):
    print("printed", flush=True)
    os.system("echo printed; cat")
    return text.upper()
answers.ANSWERS["loud"] = loud
worker.run()
"""


def test_output_of_readers_does_not_mix_with_answers():
    from ltstool.editor.worker import packed

    command = [sys.executable, "-c", PRINTING, "1000", str(1 << 40)]
    jobs = packed(("loud", ("a",))) + packed(("loud", ("b",))) + packed(("none", ()))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(jobs)
        process.stdin.flush()
        found = []
        for _ in range(4):
            length = int.from_bytes(process.stdout.read(8), "little")
            found.append(pickle.loads(process.stdout.read(length)))
        process.stdin.close()
        assert process.stdout.read() == b""
    assert found[:3] == [None, (True, "A"), (True, "B")]
    assert found[3][0] is False
    assert process.returncode == 0
