"""Logs of runs in which bits are flipped: nothing comes of them but what was to come."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import aut_format
from grouped_options import grouped
from lts import mucrl
from lts.cluster import (
    certified_quotient_in_parts,
    count_orbits_in_parts,
    generate_parts,
    levels,
    minimise_parts,
)
from lts.errors import LtsError
from lts.formats import parts
from lts.mucrl import linearise
from lts.symmetry import encode
from partitioned import case

CASES = Path(__file__).parents[2] / "cases"
DAMAGED = re.compile(r".*\.(log|jsonl) is damaged: the run cannot be resumed")


class Stopped(Exception):
    pass


def generated(home, **options):
    """The bytes of all files."""
    process = linearise(mucrl.read(CASES / "abp.mcrl"))
    generate_parts(
        process, home / "out", **grouped(generate_parts, partitions=2, deadlocks=True, **options)
    )
    return {file.name: file.read_bytes() for file in (home / "out").iterdir()}


def minimised(home, **options):
    """The text of what is minimal."""
    folder = home / "a.parts"
    if not folder.exists():
        parts.write(mucrl.generate(mucrl.read(CASES / "abp.mcrl")), folder, partitions=2)
    found = minimise_parts(
        folder, "branching", **grouped(minimise_parts, partitions=3, run=home / "out", **options)
    )
    return aut_format.dumps(found)


def reduced(home, **options):
    """The texts of what is written."""
    process, generators = case("peterson_turns", N=3)
    found = certified_quotient_in_parts(
        process,
        generators,
        **grouped(certified_quotient_in_parts, partitions=2, run=home / "out", **options),
    )
    reduction = encode(found.quotient, generators, kind="sorts")
    return aut_format.dumps(reduction.encoding), str(reduction.symmetry)


def counted(home, **options):
    """All numbers, those of the proof among them."""
    process, generators = case("peterson_turns", N=3)
    found = count_orbits_in_parts(
        process,
        generators,
        **grouped(count_orbits_in_parts, partitions=2, run=home / "out", **options),
    )
    return found.orbits, found.states, found.transitions, found.deadlocks, found.sampled


class Whole(NamedTuple):
    """What comes of a run, and after how many pieces it ends."""

    found: object
    pieces: int


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    known = {}

    def of(work):
        if work not in known:
            pieces = []
            found = work(
                tmp_path_factory.mktemp("whole"), progress=lambda *reported: pieces.append(reported)
            )
            known[work] = Whole(found, len(pieces))
        return known[work]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "STEPS", 40)
        yield of


def flip(run, chosen):
    """Flip a bit of one of the files of a run; return that."""
    files = sorted(file for file in run.rglob("*") if file.is_file() and file.stat().st_size)
    file = files[chosen(0, len(files) - 1)]
    content = bytearray(file.read_bytes())
    content[chosen(0, len(content) - 1)] ^= 1 << chosen(0, 7)
    with file.open("r+b") as log:
        log.write(content)
    return file


@pytest.mark.parametrize("work", [generated, minimised, reduced, counted])
@given(st.data())
def test_flipped_bits_are_detected_or_harmless(work, undisturbed, tmp_path_factory, data):
    """While nobody looks at them, or under way."""

    def chosen(least, most):
        return data.draw(st.integers(least, most))

    home, whole = tmp_path_factory.mktemp("flipped"), undisturbed(work)
    run, stops, seen = home / "out.run", data.draw(st.booleans()), []
    at, count = chosen(1, whole.pieces), chosen(1, 3)

    def damage():
        seen.append({flip(run, chosen).name for _ in range(count)})

    def under_way(*_):
        seen.append(None)
        if len(seen) == at:
            if stops:
                raise Stopped
            damage()

    found, refused = None, None
    try:
        if stops:
            with pytest.raises(Stopped):
                work(home, progress=under_way)
            damage()
            found = work(home, resume=True)
        else:
            found = work(home, progress=under_way)
    except LtsError as error:
        refused = error
    event("the same" if refused is None else "refused")
    if refused is None:
        assert found == whole.found
        assert not run.exists()
    else:
        assert type(refused) is LtsError
        assert DAMAGED.fullmatch(str(refused))
        assert run.is_dir()
        assert not (home / "out").exists()
    shutil.rmtree(home)
