"""Reductions in files: what is written is read, and what was changed is refused."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aut_format
from lts import LTS
from lts.errors import LtsError, ReductionWarning
from lts.symmetry import (
    count,
    expand,
    isomorphic,
    parse_permutation,
    parse_symmetry_file,
    read_reduction,
    reduce,
    write_reduction,
)
from lts.symmetry.reduction.storage import fingerprint, is_marked, unmarked
from planted import planted


def files(reduction, folder):
    path = folder / "r.aut"
    write_reduction(reduction.encoding, reduction.symmetry, path)
    return path.read_bytes(), (folder / "r.aut.sym").read_bytes()


def expanded(encoding, symmetry, folder):
    (folder / "x.aut").write_bytes(encoding)
    (folder / "x.aut.sym").write_bytes(symmetry)
    return expand(*read_reduction(folder / "x.aut"))


@given(planted)
def test_written_reductions_read_back_equal(tmp_path_factory, pair):
    system, permutations = pair
    folder = tmp_path_factory.mktemp("r")
    reduction = reduce(system, permutations)
    encoding, symmetry = files(reduction, folder)
    again, known = read_reduction(folder / "r.aut")
    assert list(again.transitions()) == list(reduction.encoding.transitions())
    used = {label for _, label, _ in again.transitions()}
    assert set(again.internal) == used & set(reduction.encoding.internal)
    assert known == reduction.symmetry
    assert isomorphic(expanded(encoding, symmetry, folder), system)
    text = parse_symmetry_file(symmetry.decode("utf-8", "surrogateescape"))
    assert str(text).encode("utf-8", "surrogateescape") == symmetry
    with pytest.warns(ReductionWarning):
        marked = aut_format.loads(encoding)
    assert is_marked(marked)
    assert list(unmarked(marked).transitions()) == list(again.transitions())
    # As it was read, mark and all, it is taken as well.
    assert count(marked, text) == count(again, known)


def mutated(data, encoding, symmetry):
    """Return the two files with one of them changed, in any way."""
    aut, sym = encoding.split(b"\n"), symmetry.decode("utf-8", "surrogateescape")
    rows = list(range(1, len(aut) - 1))
    kind = data.draw(st.sampled_from(["drop", "swap", "change", "add", "header", "field", "line"]))
    if kind == "drop":
        del aut[data.draw(st.sampled_from(rows))]
        aut = counted(aut)
    elif kind == "add":
        state = st.integers(0, 9)
        label = data.draw(st.sampled_from(["a", "b", "tau", "rho(1)", "rho(2)", "rho(a b)", "x"]))
        row = f'({data.draw(state)},"{label}",{data.draw(state)})'.encode()
        aut.insert(data.draw(st.sampled_from(rows)), row)
        aut = counted(aut)
    elif kind == "swap":
        one, other = data.draw(st.sampled_from(rows)), data.draw(st.sampled_from(rows))
        aut[one], aut[other] = aut[other], aut[one]
    elif kind == "change":
        row = data.draw(st.sampled_from(rows))
        at = data.draw(st.integers(0, len(aut[row]) - 1))
        byte = data.draw(st.sampled_from(b'0123abcd()"r,'))
        aut[row] = aut[row][:at] + bytes([byte]) + aut[row][at + 1 :]
    elif kind == "header":
        numbers = [int(digits) for digits in re.findall(rb"\d+", aut[0])]
        numbers[data.draw(st.sampled_from([0, 2]))] += data.draw(st.sampled_from([-1, 1, 2]))
        aut[0] = b"des (%d,%d,%d)" % tuple(max(number, 0) for number in numbers)
    elif kind == "field":
        number = data.draw(st.sampled_from(re.findall(r"(?<![0-9a-f])[0-9]+(?![0-9a-f])", sym)))
        sym = sym.replace(number, str(int(number) + data.draw(st.sampled_from([1, 2, 6]))), 1)
    else:
        lines = sym.splitlines(keepends=True)
        one = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(st.integers(0, len(lines) - 1))
        if data.draw(st.booleans()):
            del lines[one]
        else:
            lines[one], lines[other] = lines[other], lines[one]
        sym = "".join(lines)
    return b"\n".join(aut), sym.encode("utf-8", "surrogateescape")


def counted(lines):
    """Return the lines of a file with the number of transitions in its header put right."""
    initial, _, states = re.findall(rb"\d+", lines[0])
    return [b"des (%s,%d,%s)" % (initial, len(lines) - 2, states), *lines[1:]]


@given(planted, st.data())
def test_mutated_files_are_refused_or_equivalent(tmp_path_factory, pair, data):
    system, permutations = pair
    folder = tmp_path_factory.mktemp("r")
    encoding, symmetry = files(reduce(system, permutations), folder)
    for _ in range(10):
        try:
            found = expanded(*mutated(data, encoding, symmetry), folder)
        except LtsError:
            continue
        assert isomorphic(found, system)
        assert set(found.internal) == set(expanded(encoding, symmetry, folder).internal)


@given(planted, planted)
def test_files_of_different_reductions_are_refused_together(tmp_path_factory, one, other):
    folder = tmp_path_factory.mktemp("r")
    first, second = (files(reduce(*pair), folder) for pair in (one, other))
    if first != second:
        for encoding, symmetry in ((first[0], second[1]), (second[0], first[1])):
            with pytest.raises(LtsError, match="or was changed"):
                expanded(encoding, symmetry, folder)


@given(planted, st.sampled_from(["order", "states", "transitions"]), st.integers(1, 3))
def test_stated_facts_are_checked_without_hashes(pair, key, more):
    reduction = reduce(*pair)
    wrong = replace(reduction.symmetry, **{key: getattr(reduction.symmetry, key) + more})
    try:
        found = expand(reduction.encoding, wrong)
    except LtsError:
        return
    # Another order of a group that moves nothing further.
    assert key == "order"
    assert isomorphic(found, pair[0])


def test_unmarked_pairs_are_accepted(tmp_path):
    system = LTS.from_transitions([(0, "a(1)", 1), (0, "a(2)", 2)])
    reduction = reduce(system, parse_permutation("(1 2)"))
    aut_format.write(reduction.encoding, tmp_path / "r.aut")
    (tmp_path / "r.aut.sym").write_text(str(reduction.symmetry))
    assert isomorphic(expand(*read_reduction(tmp_path / "r.aut")), system)


def test_systems_with_the_mark_as_label_are_refused(tmp_path):
    label = f"rho-encoding(sha256:{'0' * 64})"
    reduction = reduce(LTS.from_transitions([(0, label, 0)]), parse_permutation("()"))
    with pytest.raises(LtsError, match="marks reductions"):
        write_reduction(reduction.encoding, reduction.symmetry, tmp_path / "r.aut")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "rows",
    [
        [(0, "M", 1)],
        [(1, "M", 1)],
        [(0, "M", 0), (0, "M", 0)],
        [(0, "M", 0), (0, "N", 0)],
        [(0, "rho-encoding(sha256:00)", 0)],
    ],
)
def test_encoding_mark_must_be_one_loop(rows):
    names = {"M": f"rho-encoding(sha256:{'0' * 64})", "N": f"rho-encoding(sha256:{'1' * 64})"}
    system = LTS.from_transitions([(s, names.get(a, a), t) for s, a, t in rows], state_count=2)
    with pytest.raises(LtsError, match="must be one loop"):
        unmarked(system)


@given(planted)
def test_the_fingerprint_is_of_the_file_without_the_mark(pair):
    import hashlib

    encoding = reduce(*pair).encoding
    digest = hashlib.sha256(aut_format.dumps(encoding)).hexdigest()
    assert fingerprint(encoding) == f"sha256:{digest}"
