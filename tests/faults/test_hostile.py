"""Small inputs that are made to break something: an answer or a sentence, and the right code."""

import os
import pickle
import pty
import re
import resource
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, FormatError, LtsError, formats
from lts.base.bounds import PARQUET_GROUP
from lts.symmetry import expand, parse_permutation, parse_symmetry_file, reduce
from lts.symmetry.labels.automorphism import check
from ltstool.pipeline.reader import read
from planted import planted
from programs import outcome, start

DOT = 'digraph D {\n0 -> 1 [label="a"];\n1 -> 0 [label="b"];\n}\n'


@pytest.mark.parametrize("memory", [50, 60, 70, 80, 90, 100, 110, 120, 140])
def test_refused_memory_gives_no_wrong_answer(tmp_path, memory):
    """A library that gets none may end the process with 1."""
    (tmp_path / "ring.dot").write_text(DOT)
    limits = [(resource.RLIMIT_AS, memory << 20)]
    code, printed, said = outcome("check", tmp_path / "ring.dot", "deadlock-free", limits=limits)
    assert (code, printed) in ((0, "true\n"), (3, ""))
    assert code == 0 or "no more memory" in said


def test_exit_by_a_library_is_a_memory_error(tmp_path):
    part = tmp_path / "a.part"
    part.write_text("")
    text = (
        "import ctypes\nfrom lts import _engine\n_engine.is_program()\n"
        f"_engine.note_file({os.fsencode(part)!r})\nctypes.CDLL(None).exit(1)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        3,
        "ltstool: error: the system gives no more memory\n",
    )
    assert not part.exists()


def on_terminal(*words):
    """Run the program on a terminal; return its exit code and all that it shows."""
    program = "from ltstool.__main__ import run; run()"
    shown = bytearray()

    def keep(descriptor):
        data = os.read(descriptor, 1 << 16)
        shown.extend(data)
        return b""

    # What a child of a terminal writes is read until it ends; nothing is shown here.
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", program, *map(str, words)])
    while True:
        try:
            keep(terminal)
        except OSError:
            break
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown.replace(b"\r\n", b"\n").decode()


HOSTILE = "\x1b[2J\x1b]0;title\x07\x9b2J\u202epay\u2066\u2028\x7f\r"


COLOURED = re.compile(r"^ltstool: \x1b\[1;3[156]m(error|warning|note):\x1b\[0m ", re.MULTILINE)
"""The beginning of a message on a terminal, in colour."""


def is_harmless(text):
    text = COLOURED.sub("", text)
    return all(c in "\n\t" or c.isprintable() for c in text.replace("\r\x1b[K", ""))


def test_labels_do_not_control_a_terminal(tmp_path):
    pytest.importorskip("pyarrow")
    file = tmp_path / "a.parquet"
    system = LTS.from_transitions([(0, f"x{HOSTILE}\ntrue", 1)])
    formats.write(system, file)
    for words in (["check", file, "deadlock-free"], ["info", file]):
        code, shown = on_terminal(*words)
        assert code == (1 if words[0] == "check" else 0)
        assert is_harmless(shown)
        assert "pay" in shown or words[0] == "info"
        assert "true" not in shown.split("\n")
    plain = tmp_path / "b.aut"
    plain.write_bytes('des (0,1,2)\n(0,"pay\x1b[2J\u202e\x9b2J'.encode() + b'\x9b",1)\n')
    code, shown = on_terminal("convert", plain)
    assert (code, is_harmless(shown), "pay" in shown) == (0, True, True)
    copy = tmp_path / "c.aut"
    with open(copy, "wb") as file:  # data that go elsewhere are what they are
        assert start("convert", plain, stdout=file, stderr=subprocess.DEVNULL).wait() == 0
    assert copy.read_bytes() == plain.read_bytes()


def test_names_of_files_do_not_control_a_terminal(tmp_path):
    name = f"no{HOSTILE}\n.aut".replace("/", "")
    code, shown = on_terminal("info", tmp_path / name)
    assert code == 2
    assert is_harmless(shown)
    assert "pay" in shown
    assert shown.count("\n") == 1
    code, _, said = outcome("info", tmp_path / name)
    assert is_harmless(said)
    assert said.count("\n") == 1


def test_line_breaks_in_names_are_escaped():
    error = LtsError("there is no label `a\nltstool: valid`", file="a\n.aut", line=1)
    assert str(error) == r"a\x0a.aut:1: there is no label `a\x0altstool: valid`"


def test_fsm_numbers_are_not_truncated(tmp_path):
    head = "---\n---\n"
    zeros = "0" * 40
    (tmp_path / "a.fsm").write_text(f'{head}1 {zeros}12 "a"\n{zeros}12 1 "b"\n')
    assert [*formats.read(tmp_path / "a.fsm").transitions()] == [(0, "a", 11), (11, "b", 0)]
    for number in (zeros, f"1{zeros}", f"{zeros}1{'0' * 20}"):
        (tmp_path / "a.fsm").write_text(f'{head}1 {number} "a"\n')
        with pytest.raises(FormatError, match=r"states are numbered|too large"):
            formats.read(tmp_path / "a.fsm")


def test_pipelines_of_very_many_steps_are_refused(tmp_path):
    file = tmp_path / "p.toml"
    each = ", ".join(f"{name} = {[*range(60)]}" for name in "ABCDEF")
    file.write_text(f'[steps.x]\nrun = "info a.aut"\neach = {{{each}}}\n')
    with pytest.raises(LtsError, match="more than 5000 steps"):
        read(str(file))


def test_highly_compressed_labels_are_refused(tmp_path, lower):
    pytest.importorskip("pyarrow")
    file = tmp_path / "a.parquet"
    formats.write(LTS.from_transitions([(0, "a" * 10_000_000, 1)]), file)
    assert formats.read(file).transition_count == 1
    lower(PARQUET_GROUP, 1 << 20)
    with pytest.raises(FormatError, match="bytes, more than the limit"):
        formats.read(file)


def altered(data, parts):
    """Return parts of a quotient with something changed in them."""
    if isinstance(parts, (tuple, list)) and parts and data.draw(st.integers(0, 7)):
        place = data.draw(st.integers(0, len(parts) - 1))
        found = [*parts]
        if isinstance(parts, list) and data.draw(st.integers(0, 3)) == 0:
            del found[place]
        else:
            found[place] = altered(data, parts[place])
        return type(parts)(found)
    if isinstance(parts, bytes) and parts:
        place = data.draw(st.integers(0, len(parts) - 1))
        if data.draw(st.booleans()):
            return parts[:place]
        return parts[:place] + bytes([data.draw(st.integers(0, 5))]) + parts[place + 1 :]
    if isinstance(parts, int):
        return data.draw(st.integers(0, 5))
    return parts


@given(planted, st.data())
def test_altered_pickles_of_quotients(pair, data):
    """They are refused, or are a quotient like any other."""
    quotient = check(*pair).quotient
    remade, parts = quotient.__reduce__()
    copy = pickle.loads(pickle.dumps(quotient))
    assert copy.count() == quotient.count()
    try:
        other = remade(*altered(data, parts))
    except (ValueError, TypeError, OverflowError):
        return
    states, transitions = other.count()
    whole = LTS(other.expand())
    assert (whole.state_count, whole.transition_count) == (states, transitions)
    other.encode(True)


@pytest.mark.parametrize(
    "actions", ['("a" "b" x)', '("a" x)', '(x "a")', '("a" "b" x) (y z)', "(x y)"]
)
def test_symmetry_files_with_identity_actions_are_refused(actions):
    system = LTS.from_transitions([(0, "a", 0), (0, "b", 0)])
    found = reduce(system, parse_permutation('("a" "b")'))
    text = str(found.symmetry)
    assert '("a" "b")' in text
    head, _, _ = text.partition("cycles = [")
    lines = [line for line in head.splitlines() if not line.startswith("encoding")]
    text = "\n".join([*lines, f"cycles = ['{actions}']"])
    symmetry = parse_symmetry_file(text)
    with pytest.raises(LtsError):
        expand(found.encoding, symmetry)
