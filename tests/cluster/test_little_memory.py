"""Generation and minimisation below a bound of memory: the same bytes, and the bound is kept."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
from grouped_options import grouped
from lts import mcrl2, mucrl
from lts.cluster import Parts, generate_parts, levels, minimise_parts, refinement, turns
from lts.equivalence import minimise
from lts.errors import LimitReached, LtsError, SpecificationError
from lts.formats import parts
from lts.mucrl import linearise
from lts.state_space.generation import explore
from lts.state_space.settings import Goals, Limits, Settings
from partitioned import EQUIVALENCES, NUMBERS, agree, difficult_systems, same_files
from specifications import specifications
from strategies import examples

CASES = Path(__file__).parents[2] / "cases"
MUCH = 1 << 40
PETERSON = ["generate", str(CASES / "peterson.mcrl"), "--set", "N=5", "--partitions", "4", "-o"]


@pytest.fixture
def always_short(monkeypatch):
    """Whoever does not work is put away."""
    monkeypatch.setattr(turns.Turns, "is_short", lambda self, more: True)


def peterson(**values):
    return linearise(mucrl.read(CASES / "peterson.mcrl", parameters=values))


def spilled_by(work, *arguments, **options):
    """What it costs."""
    costs = []
    found = work(*arguments, **grouped(work, spilled=costs.append, **options))
    assert len(costs) == 1
    return found, costs[0]


@pytest.mark.parametrize("partitions", [1, 2, 5])
def test_spilling_preserves_the_result(always_short, partitions, tmp_path):
    process = peterson(N=3)
    generate_parts(
        process, tmp_path / "a.parts", parts=Parts(partitions), goals=Goals(deadlocks=True)
    )
    options = {"partitions": partitions, "deadlocks": True, "limits": Limits(memory=MUCH)}
    _, cost = spilled_by(generate_parts, process, tmp_path / "b.parts", **options)
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")
    assert cost.read > 0
    assert cost.written > 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.parts", "b.parts"]


@pytest.mark.parametrize("text", [NUMBERS])
def test_spilled_values_are_restored(always_short, text, tmp_path):
    process = linearise(mcrl2.read_text(text))
    generate_parts(
        process, tmp_path / "a.parts", parts=Parts(3), settings=Settings(limits=Limits(states=3000))
    )
    limits = Limits(states=3000, memory=MUCH)
    found = generate_parts(
        process,
        tmp_path / "b.parts",
        parts=Parts(3),
        settings=Settings(limits=limits),
        partial=True,
    )
    assert found.incomplete == "states"
    generate_parts(
        process,
        tmp_path / "a.parts",
        parts=Parts(3),
        settings=Settings(limits=Limits(states=3000)),
        partial=True,
    )
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


@settings(max_examples=examples(1))
@given(specifications(), st.integers(1, 4), st.sampled_from([1, 9, levels.STEPS]), st.data())
def test_random_specifications(tmp_path_factory, text, partitions, steps, data):
    """With searches and their traces."""
    path = tmp_path_factory.mktemp("random") / "a.parts"
    process = linearise(mucrl.read_text(text))
    options = {"limits": Limits(states=2000, memory=MUCH)}
    if data.draw(st.booleans()):
        options |= {"deadlocks": True, "enough": data.draw(st.none() | st.integers(1, 3))}
    try:
        explore(process, **grouped(explore, **options))
    except (SpecificationError, LimitReached):
        return
    chosen = random.Random(data.draw(st.integers(0, 99)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "STEPS", steps)
        patch.setattr(turns.Turns, "is_short", lambda self, more: chosen.random() < 0.6)
        agree(process, path, partitions, **options)


@settings(max_examples=examples(2))
@given(
    difficult_systems(),
    st.integers(1, 4),
    st.sampled_from([1, 64]),
    st.sampled_from([(), ("a",), ("*",)]),
    st.integers(0, 99),
)
def test_random_systems(tmp_path_factory, system, partitions, pairs, hide, seed):
    path = tmp_path_factory.mktemp("random") / "a.parts"
    parts.write(system, path, partitions=2)
    chosen = random.Random(seed)

    def hidden(lts):
        return lts.hide_any(hide) if hide else lts

    for equivalence in EQUIVALENCES:
        options = {"partitions": partitions, "labels": hidden}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(refinement, "FIRST_PAIRS", pairs)
            patch.setattr(turns.Turns, "is_short", lambda self, more: chosen.random() < 0.6)
            found, free = with_rounds(path, equivalence, **options)
            bounded, held = with_rounds(path, equivalence, max_memory=MUCH, **options)
        assert aut_format.dumps(bounded) == aut_format.dumps(found)
        assert aut_format.dumps(bounded) == aut_format.dumps(minimise(hidden(system), equivalence))
        # No more rounds, and no other blocks.
        assert free == held


def with_rounds(*arguments, **options):
    """What is minimal, and the number of blocks after each round."""
    blocks = []
    least = minimise_parts(
        *arguments,
        **grouped(minimise_parts, progress=lambda _, number: blocks.append(number), **options),
    )
    return least, blocks


class Stopped(Exception):
    pass


def test_run_resumes_with_another_memory_bound(always_short, tmp_path):
    process = peterson(N=3)
    generate_parts(process, tmp_path / "a.parts", parts=Parts(3))

    def stop(statistics):
        if statistics.levels % 4 == 3:
            raise Stopped

    resume = False
    for number in range(99):
        memory = (None, MUCH, MUCH // 2)[number % 3]
        try:
            generate_parts(
                process,
                tmp_path / "b.parts",
                parts=Parts(3, resume=resume),
                settings=Settings(limits=Limits(memory=memory), progress=stop),
            )
            break
        except Stopped:
            resume = True
    assert number > 3
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")
    least = []
    for number in range(99):
        try:
            least.append(
                minimise_parts(
                    tmp_path / "b.parts",
                    "branching",
                    parts=Parts(3, run=tmp_path / "out.aut", resume=number > 0),
                    settings=Settings(
                        limits=Limits(memory=(None, MUCH)[number % 2]),
                        progress=lambda count, _: stop_sometimes(count),
                    ),
                )
            )
            break
        except Stopped:
            pass
    assert number > 1
    expected = minimise(parts.read(tmp_path / "a.parts"), "branching")
    assert aut_format.dumps(least[0]) == aut_format.dumps(expected)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.parts", "b.parts"]


def stop_sometimes(count):
    if count % 3 == 2:
        raise Stopped


RUN = """
import json, resource, subprocess, sys
limit, *command = sys.argv[1:]
if limit != "none":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps([done.returncode, done.stderr, most]))
"""
"""A command in a process of its own, begun by a small one: what is copied to begin it counts."""


def ltstool(*words, limit="none"):
    """The code of a command, what it said, and its most memory in bytes; `limit` is that of the
    size of files."""
    command = [sys.executable, "-c", RUN, str(limit), sys.executable, "-m", "ltstool"]
    done = subprocess.run([*command, *map(str, words)], capture_output=True, check=True)
    return json.loads(done.stdout)


def share(free):
    """Four fifths of so many bytes."""
    return f"{free * 4 // 5 // 1000}K"


@pytest.mark.skipif(sys.platform != "linux", reason="resident sizes are those of Linux")
def test_memory_stays_below_the_bound(tmp_path):
    # Libraries that are loaded take more or less: bounds are shares of what there is without them.
    generating = ["generate", CASES / "peterson_turns.mcrl", "--set", "N=5", "--partitions", "6"]
    code, said, free = ltstool(*generating, "--threads", "1", "-o", tmp_path / "a.parts")
    assert (code, said) == (0, "")
    bounded = [*generating, "-o", tmp_path / "b.parts", "--max-memory", share(free)]
    code, said, held = ltstool(*bounded)
    assert code == 0, said
    assert held < free * 4 // 5
    assert "written to files" in said
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")
    minimising = ["minimise", tmp_path / "a.parts", "-e", "branching", "--hide", "sign*,pass*"]
    minimising += ["--partitions", "6", "-o"]
    code, said, free = ltstool(*minimising, tmp_path / "a.aut", "--threads", "1")
    assert code == 0, said
    code, said, held = ltstool(*minimising, tmp_path / "b.aut", "--max-memory", share(free))
    assert code == 0, said
    assert held < free * 4 // 5
    assert (tmp_path / "a.aut").read_bytes() == (tmp_path / "b.aut").read_bytes()


@pytest.mark.parametrize("bound", ["1K", "30M", "80M"])
def test_unattainable_memory_bound_exits_3(bound, tmp_path):
    code, said, _ = ltstool(*PETERSON, tmp_path / "a.parts", "--max-memory", bound)
    assert code == 3
    assert said.count("\n") == 1
    assert "of memory" in said
    left = [file.name for file in tmp_path.iterdir()]
    assert left in ([], ["a.parts.run"])
    if left:
        code, said, _ = ltstool(*PETERSON, tmp_path / "a.parts", "--resume", "-q")
        assert (code, said) == (0, "")
        code, _, _ = ltstool(*PETERSON, tmp_path / "b.parts")
        assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


def test_full_disk_during_spilling(always_short, tmp_path):
    """Files of a process cannot be larger than a limit, as if there was no room for more."""
    words = [*PETERSON, tmp_path / "a.parts", "--max-memory", "160M"]
    code, said, _ = ltstool(*words, limit=4 << 20)
    assert code == 2
    assert said.count("\n") == 1
    assert "too large" in said
    assert [file.name for file in tmp_path.iterdir()] == ["a.parts.run"]
    code, said, _ = ltstool(*words, "--resume")
    assert code == 0, said
    ltstool(*PETERSON, tmp_path / "b.parts")
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


def test_killed_run_resumes(tmp_path):
    words = [*PETERSON, tmp_path / "a.parts", "--max-memory", "160M"]
    chosen = random.Random(7)
    resume = []
    for _ in range(4):
        command = [sys.executable, "-m", "ltstool", *map(str, words), *resume]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            time.sleep(chosen.uniform(1.0, 2.0))
            process.send_signal(signal.SIGKILL)
        if (tmp_path / "a.parts").exists():
            break
        # What was put away has no name.
        assert not list(tmp_path.glob("a.parts.run/*.away"))
        resume = ["--resume"] if (tmp_path / "a.parts.run").exists() else []
    if not (tmp_path / "a.parts").exists():
        code, said, _ = ltstool(*words, *resume)
        assert code == 0, said
    ltstool(*PETERSON, tmp_path / "b.parts")
    assert same_files(tmp_path / "a.parts", tmp_path / "b.parts")


def test_more_partitions_than_states(always_short, tmp_path):
    process = linearise(mucrl.read_text("sort Bool func T,F:->Bool act a b init a.b.a + b.b"))
    limits = Limits(memory=MUCH)
    whole = explore(process).lts
    many = Parts(whole.state_count + 1)
    generate_parts(process, tmp_path / "a.parts", parts=many, settings=Settings(limits=limits))
    assert aut_format.dumps(parts.read(tmp_path / "a.parts")) == aut_format.dumps(whole)
    least = minimise_parts(
        tmp_path / "a.parts",
        "strong",
        parts=many,
        settings=Settings(limits=limits),
    )
    assert aut_format.dumps(least) == aut_format.dumps(minimise(whole, "strong"))


def test_memory_below_the_minimum_is_refused(tmp_path):
    with pytest.raises(LimitReached, match="are used before the first state"):
        generate_parts(
            peterson(N=3),
            tmp_path / "a.parts",
            parts=Parts(2),
            settings=Settings(limits=Limits(memory=1)),
        )
    assert list(tmp_path.iterdir()) == []
    generate_parts(peterson(N=3), tmp_path / "a.parts", parts=Parts(2))
    with pytest.raises(LimitReached, match="are used before the first state"):
        minimise_parts(
            tmp_path / "a.parts",
            "strong",
            parts=Parts(2),
            settings=Settings(limits=Limits(memory=1)),
        )
    with pytest.raises(LtsError):
        minimise_parts(
            tmp_path / "a.parts",
            "strong",
            parts=Parts(0),
            settings=Settings(limits=Limits(memory=1)),
        )


ORBITS = ["reduce", CASES / "peterson_turns.mcrl", "--symmetry", CASES / "peterson_turns.sym"]


@pytest.fixture(scope="module")
def reduced(tmp_path_factory):
    """What one machine writes."""
    path = tmp_path_factory.mktemp("reduced") / "a.aut"
    code, said, _ = ltstool(*ORBITS, "--set", "N=5", "-o", path)
    assert code == 0, said
    return path.read_bytes(), Path(f"{path}.sym").read_bytes()


def is_as(reduced, path):
    return (path.read_bytes(), Path(f"{path}.sym").read_bytes()) == reduced


def test_killed_reduction_resumes(reduced, tmp_path):
    words = [*ORBITS, "--set", "N=5", "--partitions", "3", "-o", tmp_path / "a.aut"]
    chosen = random.Random(5)
    resume = []
    for number in range(6):
        more = ["--max-memory", "400M"] if number % 2 else []
        command = [sys.executable, "-m", "ltstool", *map(str, words), *more, *resume]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            time.sleep(chosen.uniform(0.5, 1.5))
            process.send_signal(signal.SIGKILL)
        if (tmp_path / "a.aut").exists():
            break
        assert not list(tmp_path.glob("a.aut.run/**/*.away"))
        resume = ["--resume"] if (tmp_path / "a.aut.run").exists() else []
    # One that was killed when all was written had no time to tidy up.
    is_whole = (tmp_path / "a.aut").exists()
    if not is_whole:
        code, said, _ = ltstool(*words, *resume)
        assert code == 0, said
    assert is_as(reduced, tmp_path / "a.aut")
    assert is_whole or not list(tmp_path.glob("*.run"))


def test_full_disk_while_spilling_orbits(reduced, tmp_path):
    words = [*ORBITS, "--set", "N=5", "--partitions", "3", "-o", tmp_path / "a.aut"]
    code, said, _ = ltstool(*words, limit=1 << 19)
    assert code == 2
    assert said.count("\n") == 1
    assert "too large" in said
    assert [file.name for file in tmp_path.iterdir()] == ["a.aut.run"]
    code, said, _ = ltstool(*words, "--resume", "--max-memory", "400M")
    assert code == 0, said
    assert is_as(reduced, tmp_path / "a.aut")


@pytest.mark.skipif(sys.platform != "linux", reason="resident sizes are those of Linux")
def test_memory_bound_holds_while_counting_orbits():
    # Without symmetry between most of them: there are many orbits.
    counting = [*ORBITS[:2], "--set", "N=5", "--symmetry", "(p1 p2)", "--count"]
    counting += ["--partitions", "6"]
    code, said, free = ltstool(*counting, "--threads", "1")
    assert (code, said) == (0, "")
    code, said, held = ltstool(*counting, "--max-memory", share(free))
    assert code == 0, said
    assert held < free * 4 // 5
    assert "written to files" in said
