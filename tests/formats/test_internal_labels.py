"""Which labels are internal is kept by every format, whatever set of labels it is.

A file is read back as the same transitions, of which the same are internal, possibly under another
name; or writing is refused, or a warning says how to read the file.
"""

import warnings
from collections import Counter
from itertools import product

import numpy as np
import pytest

import aut_format
from lts import LTS, FormatError, FormatWarning, read, write
from lts.formats.names import FORMATS
from ltstool.main import main

LABELS = ("tau", " tau", "i", "a", "b(1)")
ENDS = [f.endings[0] for f in FORMATS.values() if f.is_read]


def system_of(used, internal):
    """A chain with a step for each of the `used` labels; the table contains all labels."""
    states = np.arange(len(used) + 1, dtype=np.uint32)
    label = np.array([LABELS.index(each) for each in used], dtype=np.uint32)
    found = LTS.from_columns(states[:-1], label, states[1:], LABELS, 0, len(states))
    return found.with_internal(internal)


def steps(system):
    """The transitions, with None for the label of an internal one."""
    return sorted(
        (source, None if label in system.internal else label, target)
        for source, label, target in system
    )


def subsets(labels):
    for chosen in product((False, True), repeat=len(labels)):
        yield [label for label, taken in zip(labels, chosen, strict=True) if taken]


def spellings(chosen):
    """Labels with all their spellings."""
    return [label for label in LABELS if label.strip() in {each.strip() for each in chosen}]


EVERY = [
    system_of(used, internal)
    for used in subsets(LABELS)
    for internal in subsets(LABELS)
    if internal == spellings(internal)
]


def outcome(system, put, get):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            put(system)
        except FormatError:
            again = None
        else:
            again = get(None)
    if again is None:
        assert "tau" in {label.strip() for _, label, _ in system}
        assert "tau" not in system.internal
        return "refused"
    messages = [str(each.message) for each in said if each.category is FormatWarning]
    if any("--tau ''" in message for message in messages):
        assert not any(label is None for _, label, _ in steps(system))
        again = get([])
        messages = []
    assert steps(again) == steps(system)
    shown = [[(s, label.strip(), t) for s, label, t in one] for one in (again, system)]
    renamed = shown[0] != shown[1]
    assert len(messages) == renamed
    return "renamed" if renamed else "kept"


@pytest.mark.parametrize("end", [*ENDS, ".aut.gz"])
def test_every_set_of_internal_labels(end, tmp_path):
    file = tmp_path / f"x{end}"
    found = Counter()
    for system in EVERY[:: 7 if end in (".parquet", ".parts") else 1]:
        found[
            outcome(
                system,
                lambda one: write(one, file),
                lambda internal: read(file, internal=internal),
            )
        ] += 1
    if end in (".parquet", ".parts"):
        assert {*found} == {"kept"}
    else:
        assert found["kept"] > 60
        assert found["renamed"] > 40
        assert found["refused"] > 20


def test_every_set_of_internal_labels_of_aut_format():
    text = []
    for system in EVERY:
        outcome(
            system,
            lambda one: text.append(aut_format.dumps(one)),
            lambda internal: aut_format.loads(text[-1], internal=internal),
        )


@pytest.mark.parametrize("kind", ["aut", "fsm", "lts", "dot"])
@pytest.mark.parametrize("start", [".parquet", ".parts"])
def test_internal_labels_survive_a_pipe(kind, start, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for used, internal in [("ia", "a"), ("ab", "ab"), ("ia", "ia"), ("a", "a")]:
        names = {"i": "i", "a": "a", "b": "b(1)"}
        system = system_of([names[c] for c in used], [names[c] for c in internal])
        write(system, f"s{start}")
        assert main(["convert", f"s{start}", f"t.{kind}", "-q"]) == 0
        assert main(["compare", f"s{start}", f"t.{kind}", "-e", "weak", "-q"]) == 0
        assert main(["compare", f"s{start}", f"t.{kind}", "-e", "strong", "-q"]) == 0
